"""A small Avro writer: object container files from a schema and Python values, with any codec the tests want.

Snappy and Zstandard are written as stored blocks, which are valid for every reader and need no library.
"""
import bz2
import json
import lzma
import struct
import zlib

MARK = b"nilas-test-marks"  # the sixteen bytes between blocks


def long(value):
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value & ~0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    raw = value.encode() if isinstance(value, str) else bytes(value)
    return long(len(raw)) + raw


def union(schema, value):
    """The branch for null or not null; of several others the first."""
    for index, branch in enumerate(schema):
        if (branch == "null") == (value is None):
            return long(index) + encode(branch, value)
    raise ValueError("no branch of %s for %r" % (schema, value))


def blocks(items):
    return (long(len(items)) + b"".join(items) if items else b"") + long(0)


def complex_value(schema, value):
    kind = schema["type"]
    if kind == "record":
        return b"".join(encode(f["type"], value.get(f["name"], f.get("default"))) for f in schema["fields"])
    if kind == "array":
        return blocks([encode(schema["items"], v) for v in value])
    if kind == "map":
        return blocks([text(k) + encode(schema["values"], v) for k, v in value.items()])
    if kind == "fixed":
        assert len(value) == schema["size"], value
        return bytes(value)
    return encode(kind, value)


def encode(schema, value):
    """The bytes of a value. `bytes` stand for themselves wherever the schema says int or long: a lie on purpose."""
    if isinstance(schema, list):
        return union(schema, value)
    if isinstance(schema, dict):
        return complex_value(schema, value)
    if schema == "null":
        return b""
    if schema == "boolean":
        return b"\1" if value else b"\0"
    if schema in ("int", "long"):
        return long(value)
    if schema == "float":
        return struct.pack("<f", value)
    if schema == "double":
        return struct.pack("<d", value)
    if schema in ("bytes", "string"):
        return text(value)
    raise ValueError("no such type: %r" % (schema,))


def snappy(raw):
    """Literals only, and the checksum that Avro puts behind."""
    out, left = bytearray(), len(raw)
    while True:  # the length, without sign
        out.append((left & 0x7F) | (0x80 if left > 0x7F else 0))
        left >>= 7
        if not left:
            break
    for begin in range(0, len(raw), 60):
        piece = raw[begin:begin + 60]
        out += bytes([(len(piece) - 1) << 2]) + piece
    return bytes(out) + struct.pack(">I", zlib.crc32(raw))


def zstandard(raw):
    """One frame of raw blocks."""
    out = struct.pack("<IBQ", 0xFD2FB528, 0xE0, len(raw))
    step = 1 << 16
    begins = list(range(0, len(raw), step)) or [0]
    for begin in begins:
        piece = raw[begin:begin + step]
        header = (len(piece) << 3) | (begin == begins[-1])
        out += struct.pack("<I", header)[:3] + piece
    return out


def deflate(raw):
    squeeze = zlib.compressobj(wbits=-15)
    return squeeze.compress(raw) + squeeze.flush()


CODECS = {"null": bytes, "deflate": deflate, "snappy": snappy, "zstandard": zstandard, "bzip2": bz2.compress,
          "xz": lzma.compress}


def container(schema, records, codec="null", header=None, per_block=1000):
    """A whole file. A codec of None leaves `avro.codec` out."""
    head = {"avro.schema": json.dumps(schema)}
    if codec:
        head["avro.codec"] = codec
    head.update(header or {})
    out = [b"Obj\1", blocks([text(k) + text(v) for k, v in head.items()]), MARK]
    for begin in range(0, len(records), per_block):
        some = records[begin:begin + per_block]
        packed = CODECS[codec or "null"](b"".join(encode(schema, r) for r in some))
        out += [long(len(some)), long(len(packed)), packed, MARK]
    return b"".join(out)
