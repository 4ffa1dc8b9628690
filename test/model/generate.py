"""Random changes of a table, as text that nilas and DuckDB take for the same.

Only what both languages agree on is used: comparisons, IN, BETWEEN, LIKE with a prefix, IS NULL, AND, OR, NOT; no division,
no NaN, doubles that print alike.
"""

TYPES = ("int", "bigint", "double", "decimal(9,2)", "string", "date", "timestamp_ntz", "boolean", "float")
# A struct is (x int, y string); its members are compared, for the two print structs otherwise.
STRUCT = "struct"
WIDER = {"int": "bigint", "float": "double", "decimal(9,2)": "decimal(14,2)"}
TRANSFORMS = {
    "identity": ("int", "bigint", "string", "date", "boolean", "decimal(9,2)"),
    "bucket(3, %s)": ("int", "bigint", "string", "date", "decimal(9,2)", "decimal(14,2)", "timestamp_ntz"),
    "truncate(2, %s)": ("int", "bigint", "string", "decimal(9,2)"),
    "years(%s)": ("date", "timestamp_ntz"), "months(%s)": ("date", "timestamp_ntz"), "days(%s)": ("date", "timestamp_ntz"),
    "hours(%s)": ("timestamp_ntz",),
}
WORDS = ("", "a", "ab", "abc", "äö", "z😀", "Zebra", "a_b", "%", "x" * 20, "x" * 20 + "y")


def literal(random, kind, null=0.12):
    if random.random() < null:
        return "CAST(NULL AS {%s})" % kind
    if kind == STRUCT:
        return "{pack:%s,%s}" % (literal(random, "int"), literal(random, "string"))
    if kind in ("int", "bigint"):
        return str(random.choice((random.randint(-4, 12), random.randint(-4, 12), 2147483647, -2147483648)))
    if kind in ("double", "float"):
        return "CAST(%s AS {%s})" % (random.randint(-40, 40) / 4, kind)
    if kind.startswith("decimal"):
        return "CAST(%s AS {%s})" % (random.choice((random.randint(-900, 900) / 100, 1234567.89, -1234567.89)), kind)
    if kind == "string":
        return "'%s'" % random.choice(WORDS)
    if kind == "date":
        return "DATE'%04d-%02d-%02d'" % (random.choice((1969, 1970, 2024)), random.choice((1, 2, 12)), random.choice((1, 28)))
    if kind == "timestamp_ntz":
        return "CAST('%04d-%02d-01 %02d:30:00%s' AS {%s})" % (random.choice((1969, 1970, 2024)), random.choice((1, 12)),
                                                             random.choice((0, 1, 23)), random.choice(("", ".000001")), kind)
    return random.choice(("true", "false"))


class Script:
    """The table as the script has made it so far, and what may come next."""

    def __init__(self, random, version):
        self.random, self.version = random, version
        self.columns = [("id", "int")]
        self.made = 0
        for kind in random.sample(TYPES + (STRUCT,), random.randint(3, 6)):
            self.columns.append((self.new_name(), kind))
        self.fields = []  # texts of partition fields, with their columns
        self.evolved = False
        self.sorted_by = None

    def new_name(self):
        self.made += 1
        return "%s%d" % (self.random.choice(("c", "C", "é", "x y", "select")), self.made)

    # ---- conditions ----

    def comparison(self, prefix=""):
        random = self.random
        name, kind = random.choice(self.columns)
        column = prefix + "`%s`" % name
        if kind == STRUCT:
            member, kind = random.choice((("x", "int"), ("y", "string")))
            column = prefix + "`%s`.`%s`" % (name, member)
        one, two = (literal(random, kind, null=0.02) for _ in range(2))
        choice = random.random()
        if choice < 0.12:
            return "%s IS %sNULL" % (column, random.choice(("", "NOT ")))
        if choice < 0.24:
            return "%s %sIN (%s, %s)" % (column, random.choice(("", "NOT ")), one, two)
        if choice < 0.34:
            return "%s BETWEEN %s AND %s" % (column, one, two)
        if choice < 0.44 and kind == "string":
            return "%s LIKE '%s%%'" % (column, random.choice(("a", "x", "ä", "zz")))
        return "%s %s %s" % (column, random.choice(("=", "=", "<", "<=", ">", ">=", "<>")), one)

    def condition(self, prefix="", depth=0):
        random = self.random
        if depth < 2 and random.random() < 0.45:
            left, right = self.condition(prefix, depth + 1), self.condition(prefix, depth + 1)
            return random.choice(("(%s AND %s)", "(%s OR %s)", "NOT (%s AND %s)")) % (left, right)
        return self.comparison(prefix)

    # ---- rows ----

    def row(self, identity=None):
        cells = [literal(self.random, kind) for _, kind in self.columns]
        cells[0] = str(self.random.randint(0, 30) if identity is None else identity)
        return cells

    def names(self, prefix=""):
        return ", ".join(prefix + "`%s`" % name for name, _ in self.columns)

    def shown(self):
        """The columns as texts that compare."""
        return ", ".join("`%s`.`x`, `%s`.`y`" % (name, name) if kind == STRUCT else "`%s`" % name for name, kind in self.columns)

    def query(self, identities=None):
        """Rows as a query, each cell of its column's type."""
        identities = identities or [None] * self.random.randint(1, 12)
        lines = []
        for identity in identities:
            cells = self.row(identity)
            lines.append("SELECT " + ", ".join("CAST(%s AS {%s}) AS `%s`" % (cell, kind, name)
                                               for cell, (name, kind) in zip(cells, self.columns)))
        return " UNION ALL ".join(lines)

    # ---- statements: nilas's, and the model's (None: nothing) ----

    def insert(self):
        choice = self.random.random()
        if choice < 0.15:
            text = "INSERT INTO {t} SELECT %s FROM {t} WHERE %s AND `id` < 6" % (self.names(), self.condition())
            return text, text
        query = self.query()
        if choice < 0.3:
            order = list(self.columns)
            self.random.shuffle(order)
            names = ", ".join("`%s`" % name for name, _ in order)
            return ("INSERT INTO {t} BY NAME SELECT %s FROM (%s) AS q" % (names, query),
                    "INSERT INTO {t} SELECT * FROM (%s) AS q" % query)
        return "INSERT INTO {t} " + query, "INSERT INTO {t} " + query

    def overwrite(self):
        query = self.query()
        if self.fields and not self.evolved and all("(" not in text for text, _ in self.fields):
            same = " AND ".join("t.`%s` IS NOT DISTINCT FROM q.`%s`" % (name, name) for _, name in self.fields)
            return (["SET spark.sql.sources.partitionOverwriteMode=dynamic", "INSERT OVERWRITE {t} " + query,
                     "SET spark.sql.sources.partitionOverwriteMode=static"],
                    ["DELETE FROM {t} AS t WHERE EXISTS (SELECT 1 FROM (%s) AS q WHERE %s)" % (query, same), "INSERT INTO {t} " + query])
        return ["INSERT OVERWRITE {t} " + query], ["DELETE FROM {t}", "INSERT INTO {t} " + query]

    def delete(self):
        where = self.condition()
        if self.random.random() < 0.15:
            where = "`id` IN (SELECT `id` FROM {t} WHERE %s)" % where
        text = "DELETE FROM {t} WHERE " + where
        return text, text

    def assignments(self, value, target=""):
        chosen = self.random.sample(self.columns[1:], self.random.randint(1, min(3, len(self.columns) - 1)))
        return ", ".join("%s`%s` = %s" % (target, name, value(name, kind)) for name, kind in chosen)

    def update(self):
        def value(name, kind):
            same = [other for other, of in self.columns if of == kind]
            if self.random.random() < 0.3:
                return "`%s`" % self.random.choice(same)
            return "CAST(%s AS {%s})" % (literal(self.random, kind), kind)
        text = "UPDATE {t} SET %s WHERE %s" % (self.assignments(value), self.condition())
        return text, text

    def evolve(self):
        """A merge whose source has a column more, or a wider one."""
        source = self.query(self.random.sample(range(0, 40), self.random.randint(1, 8)))
        name, kind = self.new_name(), self.random.choice(TYPES)
        cell = "CAST(%s AS {%s})" % (literal(self.random, kind), kind)
        merge = ("INTO {t} AS t USING (SELECT q.*, %s AS `%s` FROM (%s) AS q) AS s ON t.`id` = s.`id` "
                 "WHEN MATCHED THEN UPDATE SET `%s` = s.`%s` WHEN NOT MATCHED THEN INSERT " % (cell, name, source, name, name))
        self.columns.append((name, kind))
        return ("MERGE WITH SCHEMA EVOLUTION " + merge + "*",
                ["ALTER TABLE {t} ADD COLUMN `%s` {%s}" % (name, kind),
                 "MERGE %s(%s) VALUES (%s)" % (merge, self.names(), self.names("s."))])

    def append_any(self):
        """Rows of any schema: some columns, by name, and a new one."""
        chosen = [self.columns[0]] + [column for column in self.columns[1:] if self.random.random() < 0.6]
        name, kind = self.new_name(), self.random.choice(TYPES)
        cells = ["CAST(%s AS {%s}) AS `%s`" % (self.random.randint(0, 30) if i == 0 else literal(self.random, of), of, column)
                 for i, (column, of) in enumerate(chosen + [(name, kind)])]
        self.random.shuffle(cells)
        names = ", ".join("`%s`" % column for column, _ in chosen + [(name, kind)])
        self.columns.append((name, kind))
        query = "SELECT " + ", ".join(cells)
        return (["ALTER TABLE {t} SET TBLPROPERTIES ('write.spark.accept-any-schema'='true')",
                 "INSERT INTO {t} WITH ('merge-schema'='true', 'check-ordering'='false') " + query,
                 "ALTER TABLE {t} SET TBLPROPERTIES ('write.spark.accept-any-schema'='false')"],
                ["ALTER TABLE {t} ADD COLUMN `%s` {%s}" % (name, kind), "INSERT INTO {t} (%s) SELECT %s FROM (%s) AS q" % (names, names, query)])

    def merge(self):
        identities = self.random.sample(range(0, 40), self.random.randint(1, 14))
        source = self.query(identities)
        clauses = []
        given = lambda name, kind: "s.`%s`" % name  # noqa: E731
        if self.random.random() < 0.5:
            clauses.append("WHEN MATCHED AND %s THEN DELETE" % self.condition(self.random.choice(("t.", "s."))))
        if self.random.random() < 0.8:
            also = " AND " + self.condition("t.") if self.random.random() < 0.4 else ""
            clauses.append("WHEN MATCHED%s THEN UPDATE SET %s" % (also, self.assignments(given)))
        if self.random.random() < 0.8 or not clauses:
            also = " AND " + self.condition("s.") if self.random.random() < 0.3 else ""
            clauses.append("WHEN NOT MATCHED%s THEN INSERT (%s) VALUES (%s)" % (also, self.names(), self.names("s.")))
        if self.random.random() < 0.3:
            act = self.random.choice(("DELETE", "UPDATE SET `%s` = NULL" % self.random.choice(self.columns[1:])[0]))
            clauses.append("WHEN NOT MATCHED BY SOURCE AND %s THEN %s" % (self.condition("t."), act))
        extra = " AND " + self.condition("t.") if self.random.random() < 0.2 else ""
        text = "MERGE INTO {t} AS t USING (%s) AS s ON t.`id` = s.`id`%s %s" % (source, extra, " ".join(clauses))
        return text, text

    # ---- the table itself ----

    def partition_field(self):
        name, kind = self.random.choice(self.columns)
        fitting = [transform for transform, kinds in TRANSFORMS.items() if kind in kinds]
        if not fitting or any(name == other for _, other in self.fields):
            return None
        transform = self.random.choice(fitting)
        return ("`%s`" % name if transform == "identity" else transform % ("`%s`" % name)), name

    def create(self):
        for _ in range(self.random.randint(0, 2)):
            field = self.partition_field()
            if field:
                self.fields.append(field)
        by = " PARTITIONED BY (%s)" % ", ".join(text for text, _ in self.fields) if self.fields else ""
        columns = ", ".join("`%s` {%s}" % column for column in self.columns)
        mode = self.random.choice(("copy-on-write", "merge-on-read"))
        properties = ["'format-version'='%d'" % self.version]
        properties += ["'write.%s.mode'='%s'" % (what, mode) for what in ("delete", "update", "merge")]
        if self.random.random() < 0.25:
            properties.append("'write.format.default'='avro'")
        if self.random.random() < 0.2:
            properties.append("'write.object-storage.enabled'='true'")
        if self.random.random() < 0.3:
            properties.append("'write.metadata.metrics.default'='%s'" % self.random.choice(("none", "counts", "truncate(2)", "full")))
        return ("CREATE TABLE {t} (%s) USING iceberg%s TBLPROPERTIES (%s)" % (columns, by, ", ".join(properties)),
                "CREATE TABLE {t} (%s)" % columns)

    def repartition(self):
        self.evolved = True
        if self.fields and self.random.random() < 0.5:
            text, _ = self.fields.pop(self.random.randrange(len(self.fields)))
            return "ALTER TABLE {t} DROP PARTITION FIELD %s" % text, None
        field = self.partition_field()
        if field is None or len(self.fields) > 2:
            return None
        self.fields.append(field)
        return "ALTER TABLE {t} ADD PARTITION FIELD %s" % field[0], None

    def alter_columns(self):
        choice = self.random.random()
        used = [name for _, name in self.fields] + [self.sorted_by]
        name, kind = self.random.choice(self.columns[1:])
        if choice < 0.45 or self.evolved or len(self.columns) < 4:
            self.columns.append((self.new_name(), self.random.choice(TYPES)))
            text = "ALTER TABLE {t} ADD COLUMN `%s` {%s}" % self.columns[-1]
            return text, text
        if name in used:
            return None
        if choice < 0.65 and kind in WIDER:
            self.columns[self.columns.index((name, kind))] = (name, WIDER[kind])
            return "ALTER TABLE {t} ALTER COLUMN `%s` TYPE {%s}" % (name, WIDER[kind]), "ALTER TABLE {t} ALTER `%s` TYPE {%s}" % (
                name, WIDER[kind])
        if choice < 0.85:
            new = self.new_name()
            self.columns[self.columns.index((name, kind))] = (new, kind)
            text = "ALTER TABLE {t} RENAME COLUMN `%s` TO `%s`" % (name, new)
            return text, text
        self.columns.remove((name, kind))
        text = "ALTER TABLE {t} DROP COLUMN `%s`" % name
        return text, text

    def alter_table(self):
        choice = self.random.random()
        if choice < 0.25 and self.version < 3:
            self.version += 1
            return "ALTER TABLE {t} SET TBLPROPERTIES ('format-version'='%d')" % self.version, None
        if choice < 0.4:
            self.sorted_by, kind = self.random.choice(self.columns)
            return "ALTER TABLE {t} WRITE ORDERED BY `%s`%s DESC" % (self.sorted_by, ".`x`" if kind == STRUCT else ""), None
        what = self.random.choice(("delete", "update", "merge"))
        return "ALTER TABLE {t} SET TBLPROPERTIES ('write.%s.mode'='%s', 'write.format.default'='%s')" % (
            what, self.random.choice(("copy-on-write", "merge-on-read")), self.random.choice(("parquet", "parquet", "avro"))), None

    def maintain(self):
        call = self.random.choice(("rewrite_data_files(table => '{n}', options => map('rewrite-all', 'true'))", "rewrite_manifests('{n}')",
                                   "rewrite_position_delete_files(table => '{n}', options => map('rewrite-all', 'true'))"))
        return "CALL {c}.system." + call, None

    def step(self):
        """Texts for nilas and texts for the model."""
        kinds = ((self.insert, 26), (self.delete, 18), (self.update, 18), (self.merge, 18), (self.evolve, 1), (self.append_any, 1), (self.overwrite, 3), (self.alter_columns, 7),
                 (self.repartition, 5), (self.alter_table, 4), (self.maintain, 4))
        made = None
        while made is None:
            made = self.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()
        ours, theirs = made
        return [ours] if isinstance(ours, str) else ours, [theirs] if isinstance(theirs, str) else theirs or []


def translate(text, types, pack):
    for kind, named in types.items():
        text = text.replace("{%s}" % kind, named)
    while "{pack:" in text:
        start = text.index("{pack:")
        end = text.index("}", start)
        one, two = text[start + len("{pack:"):end].split(",", 1)
        text = text[:start] + pack % (one, two) + text[end + 1:]
    return text


KINDS = TYPES + ("decimal(14,2)",)
SPARK = dict({kind: kind for kind in KINDS}, struct="struct<x:int,y:string>")
DUCK = dict({kind: kind for kind in KINDS}, string="varchar", timestamp_ntz="timestamp", struct="struct(x int, y varchar)")


def spark(text, table):
    text = translate(text, SPARK, "named_struct('x', %s, 'y', %s)")
    return text.replace("{t}", table).replace("{n}", table.split(".", 1)[1]).replace("{c}", table.split(".")[0])


def duck(text, table):
    return translate(text, DUCK, "struct_pack(x := %s, y := %s)").replace("{t}", table).replace("`", '"')
