"""Writers that are killed and writers that meet: the tables they leave are checked by readers of their own."""
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "peer"))
from engines import NILAS, Failed, Nilas, catalogs, conf  # noqa: E402

TABLE = "{c}.db.t"
START = ["CREATE NAMESPACE IF NOT EXISTS {c}.db",
         "CREATE TABLE {t} (id bigint, p int, w string) PARTITIONED BY (p) TBLPROPERTIES('format-version'='%d', "
         "'write.delete.mode'='%s', 'write.update.mode'='%s', 'write.merge.mode'='%s', 'commit.retry.num-retries'='100', "
         "'commit.retry.min-wait-ms'='5', 'commit.retry.max-wait-ms'='100', 'commit.retry.total-timeout-ms'='60000', "
         "'write.metadata.previous-versions-max'='20', 'write.metadata.delete-after-commit.enabled'='true')",
         "INSERT INTO {t} SELECT id, id % 4, 'start' FROM range(0, 40)"]


def fill(text, catalog):
    return text.replace("{t}", TABLE).replace("{c}", catalog)


def start(settings, catalog, version, mode):
    nilas = Nilas(settings)
    try:
        for text in START:
            nilas.rows(fill(text % ((version,) + (mode,) * 3) if "%d" in text else text, catalog))
    finally:
        nilas.close()


def read(settings, catalog):
    """Rows of the current snapshot, sorted; fails when a file that is referenced is not there."""
    nilas = Nilas(settings)
    try:
        rows = sorted(nilas.rows(fill("SELECT id, p, w FROM {t}", catalog)))
        files = nilas.rows(fill("SELECT file_path FROM {t}.all_files", catalog))
        files += nilas.rows(fill("SELECT path FROM {t}.all_manifests", catalog))
        files += nilas.rows(fill("SELECT manifest_list FROM {t}.snapshots", catalog))
        missing = [f for f in files if not os.path.exists(f.removeprefix("file:"))]
        if missing:
            raise Failed("files that are referenced and gone: %s" % missing[:5])
        return rows
    finally:
        nilas.close()


# ---- killed ----------------------------------------------------------------------------------------------------

# Each leaves either what was there before or what it would have left alone.
STEPS = [
    "INSERT INTO {t} SELECT id, id % 4, 'i{r}' FROM range({r}00, {r}09)",
    "INSERT OVERWRITE {t} PARTITION (p = 1) SELECT id, 'o{r}' FROM {t} WHERE p = 1 AND id % 5 <> 0",
    "DELETE FROM {t} WHERE id % 7 = {m}",
    "DELETE FROM {t} WHERE p = 3",
    "UPDATE {t} SET w = 'u{r}' WHERE id % 3 = 0",
    "MERGE INTO {t} t USING (SELECT id FROM range({r}00, {r}12)) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET w = 'm{r}' "
    "WHEN NOT MATCHED THEN INSERT (id, p, w) VALUES (s.id, 2, 'm{r}')",
    "CALL {c}.system.rewrite_data_files(table => 'db.t', options => map('rewrite-all', 'true'))",
    "CALL {c}.system.rewrite_manifests('db.t')",
    "CALL {c}.system.expire_snapshots(table => 'db.t', older_than => timestamp'2100-01-01 00:00:00', retain_last => 2)",
    "ALTER TABLE {t} SET TBLPROPERTIES ('round' = '{r}')",
]


class Killing:
    """Statements run on a table and are killed somewhere; a second table, written without harm, says what may be there."""

    def __init__(self, folder, catalog, version, mode, seed):
        self.settings, self.catalog = catalogs(folder), catalog
        self.calm = catalogs(os.path.join(folder, "calm"))
        self.random = random.Random(seed)
        self.longest = 0.3
        self.killed = self.done = 0
        for settings in (self.settings, self.calm):
            start(settings, catalog, version, mode)

    def run(self, settings, text, kill_after=None):
        process = subprocess.Popen([NILAS, "sql", "-S"] + conf(settings) + ["-e", fill(text, self.catalog)],
                                   env=dict(os.environ, HOME="/nonexistent"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        try:
            _, words = process.communicate(timeout=kill_after or 60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        if process.returncode != 0:
            raise Failed("%s: %s" % (text, words.decode("utf-8", "replace")))
        return True

    def round(self, number):
        text = self.random.choice(STEPS).replace("{r}", str(number)).replace("{m}", str(self.random.randrange(7)))
        before = read(self.calm, self.catalog)
        began = time.monotonic()
        self.run(self.calm, text)
        self.longest = time.monotonic() - began
        after = read(self.calm, self.catalog)
        finished = self.run(self.settings, text, self.random.uniform(0.0, 1.1) * self.longest)
        self.done, self.killed = self.done + finished, self.killed + (not finished)
        found = read(self.settings, self.catalog)
        if found == after and (finished or before != after):
            return
        if finished or found != before:
            raise Failed("after %s of: %s\n found %s\n before %s\n after %s" % (
                "the end" if finished else "a kill", text, found, before, after))
        if before != after:
            self.run(self.settings, text)  # a killed writer holds nobody up
            if read(self.settings, self.catalog) != after:
                raise Failed("not the same when run again: %s" % text)


def kill_writers(folder, catalog, version, mode, seconds, seed=None):
    """Rounds until the time is up; how many were killed and how many came to their end."""
    seed = random.randrange(1 << 30) if seed is None else seed
    killing = Killing(folder, catalog, version, mode, seed)
    end, number = time.monotonic() + seconds, 1
    while time.monotonic() < end:
        try:
            killing.round(number)
        except Failed as why:
            raise Failed("seed %d, round %d: %s" % (seed, number, why)) from None
        number += 1
    return killing.killed, killing.done


# ---- together --------------------------------------------------------------------------------------------------

COMPACTIONS = [
    "CALL {c}.system.rewrite_data_files(table => 'db.t', options => map('min-input-files', '3'))",
    "CALL {c}.system.rewrite_position_delete_files(table => 'db.t', options => map('min-input-files', '2'))",
    "CALL {c}.system.rewrite_data_files(table => 'db.t', options => map('rewrite-all', 'true', "
    "'partial-progress.enabled', 'true', 'remove-dangling-deletes', 'true'))",
    "CALL {c}.system.rewrite_manifests('db.t')",
]


class Writer(threading.Thread):
    """One process that does one thing to the table until the time is up; what was acknowledged is kept."""

    def __init__(self, settings, catalog, number, kind, end):
        super().__init__()
        self.settings, self.catalog, self.number, self.kind, self.end = settings, catalog, number, kind, end
        self.added, self.gone, self.acknowledged, self.refused, self.problem = set(), set(), 0, [], None

    def statement(self, turn):
        base = (self.number + 1) * 1000000 + turn * 10
        if self.kind == "append":
            return ("INSERT INTO {t} SELECT id, %d, 'a' FROM range(%d, %d)" % (self.number % 2, base, base + 5),
                    set(range(base, base + 5)), set())
        if self.kind == "delete":  # of its own rows only, those of one turn ago
            added = set(range(base, base + 4))
            if turn % 2 == 0:
                return "INSERT INTO {t} SELECT id, 2, 'd' FROM range(%d, %d)" % (base, base + 4), added, set()
            return "DELETE FROM {t} WHERE id BETWEEN %d AND %d" % (base - 10, base - 9), set(), {base - 10, base - 9}
        if self.kind == "overwrite":  # the only one in its partition
            return ("INSERT OVERWRITE {t} PARTITION (p = %d) SELECT id, 'o' FROM range(%d, %d)" % (
                10 + self.number, base, base + 3), set(range(base, base + 3)), set(self.added))
        if self.kind == "expire":
            return ("CALL {c}.system.expire_snapshots(table => 'db.t', older_than => timestamp'2100-01-01 00:00:00', "
                    "retain_last => 30)", set(), set())
        if self.kind == "merge":  # of its own rows only: all but the first of the turn before, and new ones
            old = {row for row in self.added if row < base - 9}
            return ("MERGE INTO {t} t USING (SELECT id FROM range(%d, %d)) s ON t.id = s.id AND t.p = 3 WHEN MATCHED AND "
                    "t.id <= %d THEN DELETE WHEN MATCHED THEN UPDATE SET w = 'm' WHEN NOT MATCHED AND s.id >= %d THEN "
                    "INSERT (id, p, w) VALUES (s.id, 3, 'n')" % (
                        min(self.added, default=base), base + 4, base - 10, base),
                    set(range(base, base + 4)), {row for row in old | {base - 10} if row <= base - 10})
        return COMPACTIONS[turn % len(COMPACTIONS)], set(), set()

    def run(self):
        try:
            nilas, turn = Nilas(self.settings), 0
            while time.monotonic() < self.end:
                text, added, gone = self.statement(turn)
                try:
                    nilas.rows(fill(text, self.catalog))
                    self.acknowledged += 1
                    self.added = (self.added | added) - gone
                except Failed as why:
                    if "nilas ended" in str(why):
                        raise
                    self.refused.append(str(why))
                turn += 1
            nilas.close()
        except Exception as why:  # told by the test
            self.problem = why


KINDS = ["append", "append", "merge", "delete", "overwrite", "delete", "compact", "expire"]


def write_together(folder, catalog, version, mode, seconds, kinds=KINDS):
    settings = catalogs(folder)
    start(settings, catalog, version, mode)
    end = time.monotonic() + seconds
    writers = [Writer(settings, catalog, i, kind, end) for i, kind in enumerate(kinds)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    expected = sorted(list(range(40)) + [row for writer in writers for row in writer.added])
    found = sorted(int(row.split("\t")[0]) for row in read(settings, catalog))
    for writer in writers:
        if writer.problem:
            raise Failed("%s: %s" % (writer.kind, writer.problem))
    if found != expected:
        lost, extra = set(expected) - set(found), set(found) - set(expected)
        raise Failed("%d lost: %s; %d too many: %s; %d rows twice; acknowledged %s; refused %s" % (
            len(lost), sorted(lost)[:20], len(extra), sorted(extra)[:20], len(found) - len(set(found)),
            [(w.kind, w.acknowledged) for w in writers], [r[:300] for w in writers for r in w.refused][:4]))
    return writers
