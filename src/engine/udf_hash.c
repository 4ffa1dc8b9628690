/** Spark's hash and xxhash64 over values of any type, checksums, and Iceberg's bucket and truncate.
 *  */
#include <stdio.h>

#include "engine/cell.h"

/* --- hash(…) and xxhash64(…) --- */

typedef struct hasher {
    bool is_xx;
    uint64_t seed;
} hasher;

static void hash_int(hasher *h, int32_t value) {
    h->seed = h->is_xx ? nilas_spark_xxhash64_int(value, h->seed)
                       : nilas_spark_murmur3_int(value, (uint32_t)h->seed);
}

static void hash_long(hasher *h, int64_t value) {
    h->seed = h->is_xx ? nilas_spark_xxhash64_long(value, h->seed)
                       : nilas_spark_murmur3_long(value, (uint32_t)h->seed);
}

static void hash_bytes(hasher *h, const void *data, size_t size) {
    h->seed = h->is_xx ? nilas_spark_xxhash64_bytes(data, size, h->seed)
                       : nilas_spark_murmur3_bytes(data, size, (uint32_t)h->seed);
}

/** The shortest big-endian two's complement, as BigInteger.toByteArray gives. */
static size_t big_endian(nilas_int128 value, uint8_t out[16]) {
    size_t count = 1;
    while (count < 16 && (value >> (8 * count - 1)) != 0 && (value >> (8 * count - 1)) != -1) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = (uint8_t)(value >> (8 * (count - 1 - i)));
    }
    return count;
}

static void hash_decimal(hasher *h, const nilas_cell *cell, idx_t at) {
    nilas_int128 value = nilas_cell__integer(cell, at);
    uint8_t bytes[16];
    if (cell->width <= 18) {
        hash_long(h, (int64_t)value);
    } else {
        hash_bytes(h, bytes, big_endian(value, bytes));
    }
}

static void hash_real(hasher *h, const nilas_cell *cell, idx_t at) {
    double value = nilas_cell__real(cell, at);
    if (cell->type == DUCKDB_TYPE_FLOAT) {
        float single = value == 0 ? 0.0F : (float)value;
        int32_t bits;
        memcpy(&bits, &single, sizeof(bits));
        hash_int(h, value != value ? 0x7fc00000 : bits);
    } else {
        int64_t bits;
        value = value == 0 ? 0.0 : value;
        memcpy(&bits, &value, sizeof(bits));
        hash_long(h, value != value ? 0x7ff8000000000000 : bits);
    }
}

static void hash_value(hasher *h, const nilas_cell *cell, idx_t at) {
    if (nilas_cell__is_null(cell, at)) {
        return;
    }
    switch (cell->type) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE: hash_int(h, (int32_t)nilas_cell__integer(cell, at)); return;
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE: hash_real(h, cell, at); return;
    case DUCKDB_TYPE_DECIMAL: hash_decimal(h, cell, at); return;
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB: {
        nilas_str text = nilas_cell__text(cell, at);
        hash_bytes(h, text.data, text.size);
        return;
    }
    case DUCKDB_TYPE_INTERVAL: {
        duckdb_interval interval = nilas_cell__interval(cell, at);
        hash_long(h, interval.micros);
        hash_int(h, interval.days);
        hash_int(h, interval.months);
        return;
    }
    case DUCKDB_TYPE_LIST:
    case DUCKDB_TYPE_MAP: {
        duckdb_list_entry entry = nilas_cell__entry(cell, at);
        for (idx_t i = 0; i < entry.length; i++) {
            hash_value(h, &cell->children[0], entry.offset + i);
        }
        return;
    }
    case DUCKDB_TYPE_STRUCT:
        for (size_t i = 0; i < cell->count; i++) {
            hash_value(h, &cell->children[i], at);
        }
        return;
    default: hash_long(h, (int64_t)nilas_cell__integer(cell, at)); return;
    }
}

/** extra: 1 is xxhash64 */
static void hash(nilas_row *row) {
    hasher h = {.is_xx = row->udf->extra != 0, .seed = 42};
    for (size_t i = 0; i < row->count; i++) {
        const nilas_cell *cell = nilas_row__cell(row, i);
        if (cell == NULL) {
            return;
        }
        hash_value(&h, cell, row->at);
    }
    if (h.is_xx) {
        nilas_row__set_bigint(row, (int64_t)h.seed);
    } else {
        nilas_row__set_int(row, (int32_t)(uint32_t)h.seed);
    }
}

/* --- checksums --- */

static void crc32(nilas_row *row) {
    nilas_str bytes = nilas_row__text(row, 0);
    nilas_row__set_bigint(row, nilas_crc32(bytes.data, bytes.size));
}

static void set_hex(nilas_row *row, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        nilas_buf_print(row->text, "%02x", bytes[i]);
    }
    nilas_row__set_buffer(row);
}

static void sha1(nilas_row *row) {
    uint8_t digest[20];
    nilas_str bytes = nilas_row__text(row, 0);
    nilas_sha1(bytes.data, bytes.size, digest);
    set_hex(row, digest, sizeof(digest));
}

static void md5(nilas_row *row) {
    uint8_t digest[16];
    nilas_str bytes = nilas_row__text(row, 0);
    nilas_md5(bytes.data, bytes.size, digest);
    set_hex(row, digest, sizeof(digest));
}

static void sha2(nilas_row *row) {
    uint8_t digest[64];
    nilas_str bytes = nilas_row__text(row, 0);
    int32_t bits = nilas_row__int(row, 1);
    bits = bits == 0 ? 256 : bits;
    if (bits != 224 && bits != 256 && bits != 384 && bits != 512) {
        nilas_row__set_null(row);
        return;
    }
    nilas_sha2(bits, bytes.data, bytes.size, digest);
    set_hex(row, digest, (size_t)bits / 8);
}

static void bitmap_count(nilas_row *row) {
    nilas_str bytes = nilas_row__text(row, 0);
    int64_t count = 0;
    for (size_t i = 0; i < bytes.size; i++) {
        count += __builtin_popcount((unsigned char)bytes.data[i]);
    }
    nilas_row__set_bigint(row, count);
}

/* --- Iceberg --- */

static void fail_by_zero(nilas_row *row) {
    nilas_row__fail(row, "", "/ by zero");
}

static uint32_t iceberg_hash(const nilas_cell *cell, idx_t at) {
    uint8_t bytes[16];
    if (cell->type == DUCKDB_TYPE_DECIMAL) {
        return nilas_murmur3_32(bytes, big_endian(nilas_cell__integer(cell, at), bytes), 0);
    }
    if (cell->type == DUCKDB_TYPE_VARCHAR || cell->type == DUCKDB_TYPE_BLOB) {
        nilas_str text = nilas_cell__text(cell, at);
        return nilas_murmur3_32(text.data, text.size, 0);
    }
    int64_t value = (int64_t)nilas_cell__integer(cell, at);
    return nilas_murmur3_32(&value, sizeof(value), 0);
}

static void bucket(nilas_row *row) {
    const nilas_cell *cell = nilas_row__cell(row, 1);
    int32_t count = nilas_row__int(row, 0);
    if (cell == NULL) {
        return;
    }
    if (count == 0) {
        fail_by_zero(row);
        return;
    }
    int32_t positive = (int32_t)(iceberg_hash(cell, row->at) & INT32_MAX);
    nilas_row__set_int(row, count == -1 ? 0 : positive % count);
}

static void truncate_integer(nilas_row *row) {
    int32_t width = nilas_row__int(row, 0);
    int64_t value = nilas_row__integer(row, 1);
    if (width == 0) {
        fail_by_zero(row);
        return;
    }
    nilas_row__set_integer(row, value - (((value % width) + width) % width));
}

static void truncate_decimal(nilas_row *row) {
    uint32_t scale;
    int32_t width = nilas_row__int(row, 0);
    nilas_int128 value = nilas_row__decimal(row, 1, &scale);
    if (width == 0) {
        fail_by_zero(row);
        return;
    }
    nilas_row__set_hugeint(row, value - (((value % width) + width) % width));
}

static void truncate_text(nilas_row *row) {
    int32_t width = nilas_row__int(row, 0);
    nilas_str text = nilas_row__text(row, 1);
    size_t at = 0;
    for (int32_t i = 0; i < width && at < text.size; i++) {
        if (row->udf->signature[1] == 'x') {
            at++;
        } else {
            (void)nilas_str_next_codepoint(text, &at);
        }
    }
    nilas_row__set_text(row, nilas_str_slice(text, 0, at));
}

const nilas_udf nilas_engine__hash_functions[] = {
    {"nilas_hash", "*>i", hash, NILAS_UDF_NULLS, 0},
    {"nilas_xxhash64", "*>l", hash, NILAS_UDF_NULLS, 1},
    {"nilas_crc32", "x>l", crc32, 0, 0},
    {"nilas_sha1", "x>s", sha1, 0, 0},
    {"nilas_md5", "x>s", md5, 0, 0},
    {"nilas_sha2", "xi>s", sha2, 0, 0},
    {"nilas_bitmap_count", "x>l", bitmap_count, 0, 0},
    {"nilas_bucket", "ia>i", bucket, 0, 0},
    {"nilas_truncate", "it>t", truncate_integer, 0, 0},
    {"nilas_truncate", "ih>h", truncate_integer, 0, 0},
    {"nilas_truncate", "ii>i", truncate_integer, 0, 0},
    {"nilas_truncate", "il>l", truncate_integer, 0, 0},
    {"nilas_truncate", "is>s", truncate_text, 0, 0},
    {"nilas_truncate", "ix>x", truncate_text, 0, 0},
    {"nilas_truncate_decimal", "ia>n", truncate_decimal, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
