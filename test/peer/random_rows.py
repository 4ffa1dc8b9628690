"""Rows of every type at its edges, drawn at random, as literals of Spark's SQL; and the laws that their files obey."""
import random

LETTERS = ["a", "b", "z", "\u00e9", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f600", "\U0010ffff"]
COLUMNS = {
    "bo": "boolean", "i": "int", "l": "bigint", "f": "float", "dd": "double", "d4": "decimal(4,2)", "d9": "decimal(9,4)",
    "d18": "decimal(18,6)", "d38": "decimal(38,10)", "da": "date", "ts": "timestamp", "tn": "timestamp_ntz", "st": "string",
    "by": "binary", "sr": "struct<x:int,y:struct<z:string,w:double>>", "ar": "array<double>", "mp": "map<string,int>",
}
# What the metrics of a file tell; those of lists and maps are not kept.
LEAVES = {name: name for name in COLUMNS if name not in ("sr", "ar", "mp")}
LEAVES.update({"sr.x": "sr.x", "sr.y.z": "sr.y.z", "sr.y.w": "sr.y.w"})


def number(dice, bits):
    edge = 1 << (bits - 1)
    return dice.choice([0, 1, -1, edge - 1, -edge, dice.randrange(-edge, edge), dice.randrange(-100, 100)])


def real(dice, word):
    return dice.choice(["%s('NaN')", "%s('-0.0')", "%s('0.0')", "%s('Infinity')", "%s('-Infinity')", "%s('1e-30')", "%s('-1e30')",
                        "%%s('%r')" % dice.uniform(-5, 5)]) % word


def decimal(dice, precision, scale):
    unscaled = dice.choice([0, 1, -1, 10 ** precision - 1, 1 - 10 ** precision, dice.randrange(-10 ** precision + 1, 10 ** precision)])
    digits = str(abs(unscaled)).rjust(scale + 1, "0")
    return "cast('%s%s.%s' AS decimal(%d,%d))" % ("-" if unscaled < 0 else "", digits[:-scale], digits[-scale:], precision, scale)


def text(dice):
    size = dice.choice([0, 1, 3, 15, 16, 17, 20, 100, 300])
    few = dice.sample(LETTERS, dice.choice([1, 2, 5]))
    return "'%s'" % "".join(dice.choice(few) for _ in range(size))


def octets(dice):
    size = dice.choice([0, 1, 15, 16, 17, 40])
    few = dice.choice([[255], [0, 255], list(range(256))])
    return "X'%s'" % bytes(dice.choice(few) for _ in range(size)).hex()


def moment(dice, word):
    year = dice.choice([1, 1582, 1700, 1900, 1969, 1970, 2024, 9999])
    return "%s'%04d-%02d-%02d %02d:%02d:%02d.%06d'" % (word, year, dice.randrange(1, 13), dice.randrange(1, 29), dice.randrange(24),
                                                       dice.randrange(60), dice.randrange(60), dice.choice([0, 1, 999999, 500000]))


def value(dice, name):
    if dice.random() < 0.15:
        return "null"
    kind = COLUMNS[name]
    if kind.startswith("decimal"):
        return decimal(dice, *map(int, kind[8:-1].split(",")))
    return {
        "bo": lambda: dice.choice(["true", "false"]), "i": lambda: "cast(%dL AS int)" % number(dice, 32),
        "l": lambda: "cast('%d' AS bigint)" % number(dice, 64), "f": lambda: real(dice, "float"), "dd": lambda: real(dice, "double"),
        "da": lambda: moment(dice, "date")[:15] + "'", "ts": lambda: moment(dice, "timestamp"),
        "tn": lambda: moment(dice, "timestamp_ntz"), "st": lambda: text(dice), "by": lambda: octets(dice),
        "sr": lambda: "named_struct('x', %s, 'y', %s)" % (value(dice, "i"), dice.choice(["null", "named_struct('z', %s, 'w', %s)" % (
            value(dice, "st"), value(dice, "dd"))])),
        "ar": lambda: "array(%s)" % ", ".join(real(dice, "double") for _ in range(dice.randrange(3))),
        "mp": lambda: dice.choice(["map()", "map('a', 1)"]),
    }[name]()


def statements(seed, files=4, rows=6):
    """A table of some files, some with columns that are null everywhere or NaN everywhere."""
    dice = random.Random(seed)
    declared = ", ".join("%s %s" % item for item in COLUMNS.items())
    mode = dice.choice(["truncate(16)", "full", "truncate(1)", "truncate(3)"])
    yield "CREATE TABLE {t} (k int, %s) TBLPROPERTIES('write.metadata.metrics.default'='%s')" % (declared, mode)
    for file in range(files):
        fixed = {name: dice.choice(["null", value(dice, name)]) for name in COLUMNS if dice.random() < 0.2}
        lines = ["(%s)" % ", ".join([str(file * 100 + row)] + [
            "cast(%s AS %s)" % (fixed.get(name) or value(dice, name), kind) for name, kind in COLUMNS.items()]) for row in range(rows)]
        yield "INSERT INTO {t} VALUES " + ", ".join(lines)


def bound_law(path, kind):
    """Counts rows outside of their file's bounds, and files whose counts are not the rows' own; "0 0" is right."""
    m = "f.readable_metrics.`%s`" % path
    nan = "isnan(t.{p})" if kind in ("float", "double") else "false"
    return ("WITH t AS (SELECT *, _file AS file FROM {t}), f AS (SELECT * FROM {t}.files), "
            "outside AS (SELECT count(*) n FROM t JOIN f ON t.file = f.file_path WHERE t.{p} IS NOT NULL AND NOT %s AND "
            "(t.{p} < %s.lower_bound OR t.{p} > %s.upper_bound)), "
            "counted AS (SELECT file, count(*) a, count_if({p} IS NULL) b, count_if(coalesce(%s, false)) c FROM t GROUP BY file), "
            "wrong AS (SELECT count(*) n FROM counted t JOIN f ON t.file = f.file_path WHERE a <> %s.value_count "
            "OR b <> %s.null_value_count OR c <> coalesce(%s.nan_value_count, 0)) "
            "SELECT outside.n, wrong.n FROM outside CROSS JOIN wrong" % (nan, m, m, nan, m, m, m)).replace("{p}", path)


LEAF_KINDS = {path: {"sr.x": "int", "sr.y.z": "string", "sr.y.w": "double"}.get(path) or COLUMNS[path] for path in LEAVES}


def filters(seed, count=25):
    """Conditions on one column each, and the same that no pruning can use."""
    dice = random.Random(seed + 1)
    names = [name for name in COLUMNS if name not in ("sr", "ar", "mp")]
    for _ in range(count):
        path = dice.choice(names + ["sr.x", "sr.y.z", "sr.y.w"])
        name = {"sr.x": "i", "sr.y.z": "st", "sr.y.w": "dd"}.get(path, path)
        literal = "null"
        while literal == "null":
            literal = value(dice, name)
        form = dice.choice(["%s = %s", "%s < %s", "%s >= %s", "%s <> %s", "%s <=> %s", "%s IN (%s, null)", "NOT %s > %s"])
        if name == "by" and "IN" in form:
            form = "%s = %s"  # Spark with Iceberg ends in an internal error at X'ff' IN a list with null
        if dice.random() < 0.15:
            form, literal = dice.choice(["%s IS NULL", "%s IS NOT NULL"]), None
        fill = lambda column: form % ((column,) if literal is None else (column, literal))  # noqa: E731
        # an expression over the row number that changes nothing and that no file's metrics know
        yield fill(path), fill("if(k >= 0, %s, null)" % path)
