-- What is there.
SHOW TABLES IN movies;

SHOW CREATE TABLE movies.movies_partitioned;

SELECT * FROM movies.movies_nonpartitioned.history;

SELECT partition, record_count, file_size_in_bytes FROM movies.movies_partitioned.files WHERE partition.year = 1958;

SELECT sum(file_size_in_bytes) FROM movies.movies_partitioned.files;

SELECT count(*) FROM movies.movies_nonpartitioned WHERE year = 1958;

SELECT count(*) FROM movies.movies_partitioned WHERE year = 1958;
