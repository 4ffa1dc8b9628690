"""The examples in PySpark run against the server."""
import os
import subprocess
import tempfile
import unittest

import support

EXAMPLES = os.path.join(support.ROOT, "examples")


class Examples(unittest.TestCase):
    def run_example(self, name, *arguments):
        with support.Server() as server:
            return support.run_client(support.any_python(), os.path.join(EXAMPLES, name), server.remote, *arguments)

    def test_movies(self):
        with tempfile.TemporaryDirectory() as folder:
            movies = os.path.join(folder, "movies.ndjson")
            with open(movies, "wb") as file:
                unpack = ["zstd", "-dc", os.path.join(EXAMPLES, "movies.ndjson.zst")]
                try:
                    subprocess.run(unpack, check=True, stdout=file)
                except FileNotFoundError:
                    self.skipTest("no zstd to unpack the movies")
            output = self.run_example("5-pyspark.py", movies, os.path.join(folder, "warehouse"))
        self.assertIn("films.movies.by_year: 124 files, 271 movies of 1958", output)
        self.assertIn("{'before': 36273, 'after': 36274, '1958': 271}", output)

    def test_tour(self):
        with tempfile.TemporaryDirectory() as folder:
            output = self.run_example("6-tour.py", folder)
        self.assertIn("orders before: 4, now: 5", output)


if __name__ == "__main__":
    unittest.main()
