-- The movies from a JSON file into two Iceberg tables.
CREATE NAMESPACE IF NOT EXISTS movies;

CREATE OR REPLACE TEMPORARY VIEW movies_temp USING json OPTIONS (path 'examples/movies.ndjson.zst');

CREATE OR REPLACE TABLE movies.movies_nonpartitioned
USING iceberg TBLPROPERTIES ('format-version' = '2')
AS SELECT * FROM movies_temp;

CREATE OR REPLACE TABLE movies.movies_partitioned
USING iceberg PARTITIONED BY (year) TBLPROPERTIES ('format-version' = '2')
AS SELECT * FROM movies_temp SORT BY year;
