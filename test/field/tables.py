"""Iceberg tables written by hand: metadata.json, manifest lists and manifests byte by byte, Parquet through DuckDB.

    table = Table(folder, columns=[(1, "id", "long"), (2, "name", "string")], spec=[("p", "identity", 3)])
    table.commit([table.data("VALUES (1, 'a'), (2, NULL)")])
    table.commit([table.equality_delete([1], "VALUES (1)")])
    table.write()

Nothing is checked, so that everything a faulty writer ever made can be made here. A file is a dict of manifest fields
(by their Avro names) with `status`, `snapshot_id`, `sequence_number` and `file_sequence_number` of its entry beside them.
"""
import json
import os
import struct
import uuid
import zlib
from datetime import date, datetime, timezone
from decimal import Decimal

import avro
import duck

FILE_PATH, POS = 2147483546, 2147483545  # columns of position delete files
T0 = 1700000000000  # the time of the first snapshot; one second to the next
HEADS = {"data": 0, "deletes": 1}


# ---- types -------------------------------------------------------------------------------------------------------

def in_duckdb(kind):
    """The DuckDB type of an Iceberg type."""
    if isinstance(kind, dict):
        if kind["type"] == "struct":
            return "STRUCT(%s)" % ", ".join("%s %s" % (duck.quoted(f["name"]), in_duckdb(f["type"])) for f in kind["fields"])
        if kind["type"] == "list":
            return in_duckdb(kind["element"]) + "[]"
        return "MAP(%s, %s)" % (in_duckdb(kind["key"]), in_duckdb(kind["value"]))
    plain = {"long": "BIGINT", "int": "INTEGER", "string": "VARCHAR", "timestamptz": "TIMESTAMPTZ", "binary": "BLOB",
             "timestamp_ns": "TIMESTAMP_NS"}
    return "BLOB" if kind.startswith("fixed") else plain.get(kind, kind)


def ids_inside(kind):
    if kind["type"] == "struct":
        return ids_of([(f["id"], f["name"], f["type"]) for f in kind["fields"]])
    if kind["type"] == "list":
        return ids_of([(kind["element-id"], "element", kind["element"])])
    return ids_of([(kind["key-id"], "key", kind["key"]), (kind["value-id"], "value", kind["value"])])


def ids_of(columns):
    """DuckDB's FIELD_IDS for the columns."""
    out = []
    for number, name, kind, *_ in columns:
        if isinstance(kind, dict):
            out.append("%s: {__duckdb_field_id: %d, %s}" % (duck.quoted(name), number, ids_inside(kind)))
        else:
            out.append("%s: %d" % (duck.quoted(name), number))
    return ", ".join(out)


def struct_of(*fields):
    return {"type": "struct", "fields": [{"id": i, "name": n, "type": t, "required": False} for i, n, t in fields]}


def list_of(number, element):
    return {"type": "list", "element-id": number, "element": element, "element-required": False}


def map_of(key_id, key, value_id, value):
    return {"type": "map", "key-id": key_id, "key": key, "value-id": value_id, "value": value, "value-required": False}


def days(text):
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def micros(text):
    at = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
    since = at - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return (since.days * 86400 + since.seconds) * 1000000 + since.microseconds


def bound(kind, value):
    """A value as bytes, Appendix D. Bytes stand for themselves."""
    if isinstance(value, (bytes, type(None))):
        return value
    if kind in ("int", "date"):
        return struct.pack("<i", value)
    if kind in ("long", "time", "timestamp", "timestamptz", "timestamp_ns"):
        return struct.pack("<q", value)
    if kind == "boolean":
        return bytes([value])
    if kind == "float":
        return struct.pack("<f", value)
    if kind == "double":
        return struct.pack("<d", value)
    if kind == "uuid":
        return uuid.UUID(value).bytes
    if kind.startswith("decimal"):
        unscaled = int(Decimal(value).scaleb(int(kind.rstrip(")").split(",")[1])))
        return unscaled.to_bytes(((unscaled if unscaled >= 0 else ~unscaled).bit_length() + 8) // 8, "big", signed=True)
    return value.encode()


# ---- Avro schemas ------------------------------------------------------------------------------------------------

def field(number, name, kind, default=Ellipsis):
    out = {"name": name, "type": kind, "field-id": number}
    if default is not Ellipsis:
        out["default"] = default
    return out


def optional(number, name, kind):
    return field(number, name, ["null", kind], None)


def pairs(key_id, value_id, value):
    """A map with int keys: an array of records."""
    return {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k%d_v%d" % (key_id, value_id), "fields": [
        field(key_id, "key", "int"), field(value_id, "value", value)]}}


def listed(number, element):
    return {"type": "array", "items": element, "element-id": number}


def in_avro(kind):
    """The Avro type of a partition value."""
    if kind.startswith("decimal"):
        precision, scale = (int(x) for x in kind[8:-1].split(","))
        size = next(n for n in range(1, 17) if 2 ** (8 * n - 1) > 10 ** precision)
        return {"type": "fixed", "name": "d%d" % size, "size": size, "logicalType": "decimal", "precision": precision, "scale": scale}
    if kind.startswith("fixed"):
        return {"type": "fixed", "name": "f" + kind[6:-1], "size": int(kind[6:-1])}
    return {"long": "long", "int": "int", "string": "string", "boolean": "boolean", "float": "float", "double": "double", "binary": "bytes",
            "date": {"type": "int", "logicalType": "date"},
            "time": {"type": "long", "logicalType": "time-micros"},
            "timestamp": {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": False},
            "timestamptz": {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": True},
            "timestamp_ns": {"type": "long", "logicalType": "timestamp-nanos", "adjust-to-utc": False},
            "uuid": {"type": "fixed", "name": "uuid_fixed", "size": 16, "logicalType": "uuid"}}[kind]


def entry_schema(partition_fields, version, without=()):
    """The schema of a manifest; `without` names fields that a writer left out."""
    partition = {"type": "record", "name": "r102", "fields": partition_fields}
    file = ([] if version == 1 else [field(134, "content", "int")]) + [
        field(100, "file_path", "string"), field(101, "file_format", "string"), field(102, "partition", partition),
        field(103, "record_count", "long"), field(104, "file_size_in_bytes", "long")]
    if version == 1:
        file.append(field(105, "block_size_in_bytes", "long"))
    file += [optional(108, "column_sizes", pairs(117, 118, "long")), optional(109, "value_counts", pairs(119, 120, "long")),
             optional(110, "null_value_counts", pairs(121, 122, "long")), optional(137, "nan_value_counts", pairs(138, 139, "long")),
             optional(125, "lower_bounds", pairs(126, 127, "bytes")), optional(128, "upper_bounds", pairs(129, 130, "bytes")),
             optional(131, "key_metadata", "bytes"), optional(132, "split_offsets", listed(133, "long")),
             optional(135, "equality_ids", listed(136, "int")), optional(140, "sort_order_id", "int"),
             optional(142, "first_row_id", "long"), optional(143, "referenced_data_file", "string"),
             optional(144, "content_offset", "long"), optional(145, "content_size_in_bytes", "long")]
    file = [f for f in file if f["name"] not in without]
    top = [field(0, "status", "int"), optional(1, "snapshot_id", "long"), optional(3, "sequence_number", "long"),
           optional(4, "file_sequence_number", "long"), field(2, "data_file", {"type": "record", "name": "r2", "fields": file})]
    if version == 1:
        top = [field(0, "status", "int"), field(1, "snapshot_id", "long"), top[4]]
    return {"type": "record", "name": "manifest_entry", "fields": [f for f in top if f["name"] not in without]}


def list_schema(version, without=()):
    summary = {"type": "record", "name": "r508", "fields": [
        field(509, "contains_null", "boolean"), optional(518, "contains_nan", "boolean"), optional(510, "lower_bound", "bytes"),
        optional(511, "upper_bound", "bytes")]}
    fields = [field(500, "manifest_path", "string"), field(501, "manifest_length", "long"), field(502, "partition_spec_id", "int")]
    if version == 1:
        fields.append(optional(503, "added_snapshot_id", "long"))
        counts = [optional(504, "added_data_files_count", "int"), optional(505, "existing_data_files_count", "int"),
                  optional(506, "deleted_data_files_count", "int")]
    else:
        fields += [field(517, "content", "int"), field(515, "sequence_number", "long"), field(516, "min_sequence_number", "long"),
                   field(503, "added_snapshot_id", "long")]
        counts = [field(504, "added_files_count", "int"), field(505, "existing_files_count", "int"), field(506, "deleted_files_count", "int"),
                  field(512, "added_rows_count", "long"), field(513, "existing_rows_count", "long"), field(514, "deleted_rows_count", "long")]
    fields += counts + [optional(507, "partitions", listed(508, summary)), optional(519, "key_metadata", "bytes")]
    if version >= 3:
        fields.append(optional(520, "first_row_id", "long"))
    return {"type": "record", "name": "manifest_file", "fields": [f for f in fields if f["name"] not in without]}


# ---- Puffin ------------------------------------------------------------------------------------------------------

def bitmap(positions):
    """A 32-bit Roaring bitmap of array containers."""
    groups = {}
    for position in sorted(positions):
        groups.setdefault(position >> 16, []).append(position & 0xFFFF)
    head = struct.pack("<II", 12346, len(groups))
    head += b"".join(struct.pack("<HH", key, len(low) - 1) for key, low in groups.items())
    body, at = b"", len(head) + 4 * len(groups)
    for low in groups.values():
        head += struct.pack("<I", at + len(body))
        body += struct.pack("<%dH" % len(low), *low) if len(low) <= 4096 else dense(low)
    return head + body


def dense(low):
    bits = bytearray(8192)
    for position in low:
        bits[position >> 3] |= 1 << (position & 7)
    return bytes(bits)


def vector_blob(positions):
    raw = struct.pack(">I", 0xD1D33964) + struct.pack("<QI", 1, 0) + bitmap(positions)
    return struct.pack(">I", len(raw)) + raw + struct.pack(">I", zlib.crc32(raw))


def puffin(blobs):
    """A Puffin file, and where each blob of (file, vector) is in it."""
    out, about, places = b"PFA1", [], []
    for path, blob, count in blobs:
        places.append((len(out), len(blob)))
        about.append({"type": "deletion-vector-v1", "fields": [2147483645], "snapshot-id": -1, "sequence-number": -1, "offset": len(out),
                      "length": len(blob), "properties": {"referenced-data-file": path, "cardinality": str(count)}})
        out += blob
    footer = json.dumps({"blobs": about}).encode()
    return out + b"PFA1" + footer + struct.pack("<II", len(footer), 0) + b"PFA1", places


# ---- the table ---------------------------------------------------------------------------------------------------

class Table:
    """A table under construction. `location` is what the metadata says, `folder` where the files are put."""

    def __init__(self, folder, columns, spec=(), version=2, location=None):
        self.folder, self.version = folder, version
        self.location = location or folder
        self.schemas, self.schema_id, self.specs, self.spec_id = [], -1, [], -1
        self.snapshots, self.log, self.refs, self.live = [], [], {}, []
        self.properties, self.extra, self.count, self.next_row = {}, {}, 0, 0
        self.current = None
        for part in ("data", "metadata"):
            os.makedirs(os.path.join(folder, part), exist_ok=True)
        self.columns(columns)
        self.partitions(spec)

    # -- schema and specs

    def columns(self, columns):
        """A new current schema of (id, name, type[, further members])."""
        self.now = [tuple(c) for c in columns]
        fields = [dict({"id": c[0], "name": c[1], "required": False, "type": c[2]}, **(c[3] if len(c) > 3 else {})) for c in columns]
        self.schema_id = len(self.schemas)
        self.schemas.append({"type": "struct", "schema-id": self.schema_id, "fields": fields})
        return self

    def partitions(self, spec, spec_id=None):
        """A new default spec of (name, transform, source id[, field id])."""
        fields = [{"name": f[0], "transform": f[1], "source-id": f[2], "field-id": f[3] if len(f) > 3 else 1000 + i}
                  for i, f in enumerate(spec)]
        self.spec_id = len(self.specs) if spec_id is None else spec_id
        self.specs.append({"spec-id": self.spec_id, "fields": fields})
        return self

    def type_of(self, number):
        """The newest type of a column; nested ones too."""
        def look(fields):
            for f in fields:
                if f["id"] == number:
                    return f["type"]
                if isinstance(f["type"], dict) and f["type"]["type"] == "struct":
                    found = look(f["type"]["fields"])
                    if found:
                        return found
            return None
        for schema in reversed(self.schemas):
            found = look(schema["fields"])
            if found:
                return found
        return "int"

    def tuple_fields(self, spec_id):
        spec = next(s for s in self.specs if s["spec-id"] == spec_id)
        out = []
        for f in spec["fields"]:
            kind = f["transform"]
            if kind in ("identity", "void") or kind.startswith("truncate"):
                kind = self.type_of(f["source-id"])
            else:
                kind = "date" if kind == "day" else "int"
            out.append(optional(f["field-id"], f["name"], in_avro(kind)))
        return out

    # -- files

    def place(self, name):
        """Where a file is put, and what its path is in the metadata."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path, self.location + "/" + name

    def put(self, name, content):
        path, stored = self.place(name)
        with open(path, "wb") as file:
            file.write(content)
        return stored

    def next_name(self, kind, ending):
        self.count += 1
        return "%s/%05d.%s" % (kind, self.count, ending)

    def parquet(self, rows, columns, name=None, options="", ids=True, sql=None):
        """A Parquet file of the rows (`VALUES …` or a query); its fields in a manifest."""
        name = name or self.next_name("data", "parquet")
        path, stored = self.place(name)
        inner = ["c%d" % i for i in range(len(columns))]
        shown = ", ".join("CAST(%s AS %s) AS %s" % (i, in_duckdb(c[2]), duck.quoted(c[1])) for i, c in zip(inner, columns))
        query = sql or "SELECT %s FROM (%s) AS t(%s)" % (shown, rows, ", ".join(inner))
        field_ids = ", FIELD_IDS {%s}" % ids_of(columns) if ids else ""
        duck.run("SET preserve_insertion_order = true")
        duck.run("COPY (%s) TO %s (FORMAT parquet%s%s)" % (query, duck.literal(path), field_ids, options))
        count = rows.count("(") if rows.startswith("VALUES") else -1
        return {"file_path": stored, "file_format": "PARQUET", "partition": {}, "record_count": count,
                "file_size_in_bytes": os.path.getsize(path), "block_size_in_bytes": 67108864, "content": 0}

    def data(self, rows, columns=None, count=None, metrics=None, name=None, options="", ids=True, **fields):
        """A data file. `metrics` is {column id: (lower, upper[, nulls])}."""
        file = self.parquet(rows, columns or self.now, name, options, ids)
        if count is not None:
            file["record_count"] = count
        self.measure(file, metrics or {})
        file.update(fields)
        return file

    def measure(self, file, metrics):
        for number, (lower, upper, *nulls) in metrics.items():
            kind = self.type_of(number)
            for what, value in (("lower_bounds", bound(kind, lower)), ("upper_bounds", bound(kind, upper))):
                if value is not None:
                    file.setdefault(what, []).append({"key": number, "value": value})
            if nulls and nulls[0] is not None:
                file.setdefault("null_value_counts", []).append({"key": number, "value": nulls[0]})
                file.setdefault("value_counts", []).append({"key": number, "value": file["record_count"]})
        return file

    def equality_delete(self, ids, rows, columns=None, **fields):
        columns = columns or [c for c in self.now if c[0] in ids]
        file = self.parquet(rows, columns)
        file.update(content=2, equality_ids=list(ids))
        file.update(fields)
        return file

    def position_delete(self, places, options="", **fields):
        """A position delete file of (path, position)."""
        rows = "VALUES " + ", ".join("(%s, %d)" % (duck.literal(p), n) for p, n in places)
        file = self.parquet(rows, [(FILE_PATH, "file_path", "string"), (POS, "pos", "long")], options=options)
        file.update(content=1, record_count=len(places))
        file.update(fields)
        return file

    def deletion_vector(self, data, positions, **fields):
        name = self.next_name("data", "puffin")
        content, places = puffin([(data["file_path"], vector_blob(positions), len(positions))])
        stored = self.put(name, content)
        out = {"file_path": stored, "file_format": "PUFFIN", "partition": data["partition"], "record_count": len(positions),
               "file_size_in_bytes": len(content), "content": 1, "referenced_data_file": data["file_path"],
               "content_offset": places[0][0], "content_size_in_bytes": places[0][1], "spec_id": data.get("spec_id")}
        out.update(fields)
        return out

    # -- manifests

    def manifest(self, files, snapshot_id=None, seq=None, content=0, spec_id=None, codec="null", header=None, without=(), name=None,
                 version=None, **listing):
        """A manifest; its line for the manifest list. `header` None writes the usual keys; {} none of them."""
        spec_id = self.spec_id if spec_id is None else spec_id
        version = version or self.version
        fields = self.tuple_fields(spec_id)
        schema = entry_schema(fields, version, without)
        entries = []
        for file in files:
            status = file.get("status", 1)
            own = file.get("snapshot_id", snapshot_id if version == 1 else None)
            entries.append({"status": status, "snapshot_id": own, "sequence_number": file.get("sequence_number"),
                            "file_sequence_number": file.get("file_sequence_number", file.get("sequence_number")), "data_file": file})
        if header is None:
            spec = next(s for s in self.specs if s["spec-id"] == spec_id)
            header = {"schema": json.dumps(self.schemas[-1]), "schema-id": str(self.schema_id), "partition-spec": json.dumps(spec["fields"]),
                      "partition-spec-id": str(spec_id), "format-version": str(version), "content": "deletes" if content else "data"}
        raw = avro.container(schema, entries, codec, header)
        stored = self.put(name or self.next_name("metadata", "avro"), raw)
        count = lambda s: [f for f in files if f.get("status", 1) == s]  # noqa: E731
        rows = lambda s: sum(f["record_count"] for f in count(s))  # noqa: E731
        line = {"manifest_path": stored, "manifest_length": len(raw), "partition_spec_id": spec_id, "content": content, "sequence_number": seq,
                "min_sequence_number": min([f.get("sequence_number") or seq or 0 for f in files] or [0]), "added_snapshot_id": snapshot_id}
        for word, status in (("added", 1), ("existing", 0), ("deleted", 2)):
            line[word + "_files_count"] = line[word + "_data_files_count"] = len(count(status))
            line[word + "_rows_count"] = rows(status)
        line.update(listing)
        return line

    def commit(self, files=(), operation=None, manifests=None, parent=None, branch="main", snapshot_id=None, schema_id=None, codec="null",
               summary=None, list_header=None, list_without=(), list_codec="null", carry=True, at=None, **extra):
        """A snapshot: the files in new manifests, by content and spec, behind those of its parent. Its id."""
        number = len(self.snapshots) + 1
        snapshot_id, at = snapshot_id or 1000 + number, T0 + 1000 * number if at is None else at
        parent = parent or (self.refs.get(branch) or self.refs.get("main") or {}).get("snapshot-id")
        before = next((s["_live"] for s in self.snapshots if s["snapshot-id"] == parent), []) if carry else []
        fresh = list(manifests or [])
        groups = {}
        for file in files:
            spec = file.get("spec_id")
            groups.setdefault((1 if file["content"] else 0, self.spec_id if spec is None else spec), []).append(file)
        fresh += [self.manifest(some, snapshot_id, number, content, spec, codec) for (content, spec), some in sorted(groups.items())]
        live = fresh + before
        for line in fresh:
            if line["sequence_number"] is None:
                line["sequence_number"] = number
            if line["added_snapshot_id"] is None:
                line["added_snapshot_id"] = snapshot_id
        first_row = self.next_row
        if self.version >= 3:
            for line in fresh:
                if not line["content"] and "first_row_id" not in line:
                    line["first_row_id"] = self.next_row
                    self.next_row += line["added_rows_count"] + line["existing_rows_count"]
        header = {"snapshot-id": str(snapshot_id), "parent-snapshot-id": str(parent), "sequence-number": str(number),
                  "format-version": str(self.version)} if list_header is None else list_header
        raw = avro.container(list_schema(self.version, list_without), live, list_codec, header)
        path = self.put("metadata/snap-%d.avro" % snapshot_id, raw)
        operation = operation or ("append" if not any(f["content"] for f in files) else "delete")
        snapshot = {"snapshot-id": snapshot_id, "timestamp-ms": at, "manifest-list": path, "_live": live,
                    "summary": dict({"operation": operation}, **(summary or {})), "schema-id": self.schema_id if schema_id is None else schema_id}
        if self.version > 1:
            snapshot["sequence-number"] = number
        if self.version > 2:
            snapshot.update({"first-row-id": first_row, "added-rows": self.next_row - first_row})
        if parent:
            snapshot["parent-snapshot-id"] = parent
        snapshot.update(extra)
        self.snapshots.append(snapshot)
        if branch:
            self.refs[branch] = {"snapshot-id": snapshot_id, "type": "branch"}
        if branch == "main":
            self.current = snapshot_id
            self.log.append({"snapshot-id": snapshot_id, "timestamp-ms": at})
        return snapshot_id

    # -- metadata

    def metadata(self):
        last = max([s["timestamp-ms"] for s in self.snapshots] + [T0])
        fields = [f["field-id"] for s in self.specs for f in s["fields"]]
        out = {"format-version": self.version, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": self.location,
               "last-updated-ms": last, "last-column-id": 100, "current-schema-id": self.schema_id, "schemas": self.schemas,
               "default-spec-id": self.spec_id, "partition-specs": self.specs, "last-partition-id": max(fields + [999]),
               "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}], "properties": self.properties,
               "current-snapshot-id": self.current if self.current is not None else -1, "refs": self.refs,
               "snapshots": [{k: v for k, v in s.items() if k != "_live" and v is not Ellipsis} for s in self.snapshots],
               "snapshot-log": self.log, "metadata-log": []}
        if self.version == 1:
            out["schema"], out["partition-spec"] = self.schemas[-1], self.specs[-1]["fields"]
        else:
            out["last-sequence-number"] = len(self.snapshots)
        if self.version > 2:
            out["next-row-id"] = self.next_row
        out.update(self.extra)
        return {k: v for k, v in out.items() if v is not Ellipsis}

    def write(self, name="v1.metadata.json", hint="1", content=None):
        raw = content if content is not None else json.dumps(self.metadata(), indent=1).encode()
        self.put("metadata/" + name, raw)
        if hint is not None:
            self.put("metadata/version-hint.text", hint.encode())
        return self
