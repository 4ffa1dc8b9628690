-- A table that changes its shape.
CREATE NAMESPACE IF NOT EXISTS db;

CREATE OR REPLACE TABLE db.sample (
  id bigint,
  data string,
  category string,
  ts timestamp,
  point struct<x: double, y: double>)
USING iceberg
PARTITIONED BY (bucket(16, id), days(ts), category);

INSERT INTO db.sample VALUES
  (1, 'a', 'x', TIMESTAMP '2024-01-01 10:00:00', named_struct('x', 1.0D, 'y', 2.0D)),
  (2, 'b', 'y', TIMESTAMP '2024-01-02 10:00:00', named_struct('x', 3.0D, 'y', 4.0D));

ALTER TABLE db.sample ADD COLUMN point.z double;

ALTER TABLE db.sample WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY category, id;

INSERT INTO db.sample VALUES
  (3, 'c', 'x', TIMESTAMP '2024-01-02 11:00:00', named_struct('x', 5.0D, 'y', 6.0D, 'z', 7.0D));

SELECT id, point FROM db.sample ORDER BY id;

SELECT partition, record_count FROM db.sample.partitions ORDER BY partition;
