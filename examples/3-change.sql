-- One more movie, and the table before and after.
ALTER TABLE movies.movies_partitioned CREATE TAG loaded;

INSERT INTO movies.movies_partitioned
SELECT
  array('Brad Pitt', 'Edward Norton') AS cast,
  'A depressed man founds an underground fight club.' AS extract,
  array('Drama', 'Thriller') AS genres,
  'https://example.com/fight-club' AS href,
  'https://example.com/thumbnail.jpg' AS thumbnail,
  300 AS thumbnail_height,
  200 AS thumbnail_width,
  'Fight Club' AS title,
  1999 AS year;

SELECT made_current_at, snapshot_id, parent_id, is_current_ancestor FROM movies.movies_partitioned.history;

SELECT count(*) FROM movies.movies_partitioned VERSION AS OF 'loaded';

SELECT count(*) FROM movies.movies_partitioned;
