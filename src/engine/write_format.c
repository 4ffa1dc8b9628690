/* How files are written: format, codec, sizes, as write options and table properties say. */
#include <stdio.h>

#include "engine/writer.h"

#define ROW_GROUP_ROWS 122880 // DuckDB's own size; more would keep its threads from sharing work
#define VECTOR_ROWS    2048

nilas_str nilas_write__option(const nilas_write_options *options, const char *option,
                              const char *property, const char *fallback) {
    nilas_str given = {0};
    if (option != NULL) {
        given = nilas_option_find(options->options, options->option_count, option);
    }
    if (given.data != NULL) {
        return given;
    }
    return property == NULL ? nilas_str_of(fallback)
                            : nilas_metadata_property(options->table->metadata, property,
                                                      nilas_str_of(fallback));
}

/** An option; or a property of delete files ("write.delete.…"), whose fallback is that of data
 * files. */
static nilas_str find_setting(const nilas_writer_options *o, const char *option,
                              const char *property, const char *fallback) {
    char name[128];
    nilas_str found = nilas_write__option(o->write, option, NULL, NULL);

    if (found.data == NULL && o->content == NILAS_FILE_POSITION_DELETES) {
        (void)snprintf(name, sizeof(name), "write.delete.%s", property + strlen("write."));
        found = nilas_metadata_property(o->write->table->metadata, name, (nilas_str){0});
    }
    return found.data != NULL ? found : nilas_write__option(o->write, NULL, property, fallback);
}

static nilas_code read_number(const nilas_writer_options *o, const char *option,
                              const char *property, int64_t fallback, int64_t *out,
                              nilas_error *err) {
    nilas_str text = find_setting(o, option, property, NULL);

    *out = fallback;
    NILAS_REQUIRE(text.data == NULL || nilas_str_to_int64(nilas_str_trim(text), out), err,
                  NILAS_INVALID, "For input string: \"%.*s\"", NILAS_FMT(text));
    return NILAS_OK;
}

/** Bytes that a value takes before compression, about: to cut row groups and files by rows. */
static int64_t value_width(const nilas_ice_type *type) {
    int64_t width = 0;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return 1;
    case NILAS_ICE_INT:
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DATE: return 4;
    case NILAS_ICE_STRING:
    case NILAS_ICE_BINARY:
    case NILAS_ICE_DECIMAL:
    case NILAS_ICE_UUID: return 16;
    case NILAS_ICE_STRUCT:
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: break;
    default: return 8;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        width += value_width(type->fields[i].type);
    }
    return type->kind == NILAS_ICE_STRUCT ? width : width * 4;
}

static nilas_code read_avro(const nilas_writer_options *o, nilas_write_format *out,
                            nilas_error *err) {
    static const struct {
        const char *word;
        nilas_compression codec;
    } codecs[] = {{"gzip", NILAS_COMPRESSION_DEFLATE},
                  {"zstd", NILAS_COMPRESSION_ZSTD},
                  {"snappy", NILAS_COMPRESSION_SNAPPY},
                  {"uncompressed", NILAS_COMPRESSION_NONE}};
    nilas_str codec = find_setting(o, "compression-codec", "write.avro.compression-codec", "gzip");

    out->is_avro = true;
    out->extension = NILAS_STR(".avro");
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
        if (nilas_str_is_nocase(codec, codecs[i].word)) {
            out->avro_codec = codecs[i].codec;
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_INVALID, "Unsupported compression codec: %.*s", NILAS_FMT(codec));
}

/** Whether some column asks for a bloom filter, and with which false-positive rate. */
static void read_bloom_filter(const nilas_writer_options *o, nilas_write_format *out) {
    static const char enabled[] = "write.parquet.bloom-filter-enabled.column.";
    static const char rate[] = "write.parquet.bloom-filter-fpp.column.";
    const nilas_metadata *metadata = o->write->table->metadata;

    for (size_t i = 0; i < metadata->property_count; i++) {
        const nilas_property *property = &metadata->properties[i];
        double fpp = 0;
        if (nilas_str_starts(property->key, nilas_str_of(enabled)) &&
            nilas_str_is_nocase(property->value, "true")) {
            out->has_bloom_filter = true;
        }
        if (nilas_str_starts(property->key, nilas_str_of(rate)) &&
            nilas_str_to_double(property->value, &fpp) && fpp > 0 && fpp < 1) {
            out->bloom_filter_fpp = fpp;
        }
    }
}

static nilas_code read_parquet(const nilas_writer_options *o, nilas_write_format *out,
                               nilas_error *err) {
    static const struct {
        const char *word, *duckdb;
    } codecs[] = {{"zstd", "zstd"},      {"gzip", "gzip"},
                  {"snappy", "snappy"},  {"uncompressed", "uncompressed"},
                  {"brotli", "brotli"},  {"lz4", "lz4_raw"},
                  {"lz4_raw", "lz4_raw"}};
    nilas_str codec =
        find_setting(o, "compression-codec", "write.parquet.compression-codec", "gzip");
    int64_t group_bytes = 0;

    out->extension = NILAS_STR(".parquet");
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
        if (nilas_str_is_nocase(codec, codecs[i].word)) {
            out->codec = nilas_str_of(codecs[i].duckdb);
        }
    }
    NILAS_REQUIRE(out->codec.data != NULL, err, NILAS_INVALID,
                  "Unsupported compression codec: %.*s", NILAS_FMT(codec));
    NILAS_TRY(read_number(o, "compression-level", "write.parquet.compression-level", -1,
                          &out->level, err));
    NILAS_TRY(
        read_number(o, NULL, "write.parquet.row-group-size-bytes", 128 << 20, &group_bytes, err));
    NILAS_TRY(read_number(o, NULL, "write.parquet.dict-size-bytes", 2 << 20, &out->dictionary_bytes,
                          err));
    int64_t rows = group_bytes / (value_width(&o->schema->type) + 1);
    rows = rows > ROW_GROUP_ROWS ? ROW_GROUP_ROWS : rows / VECTOR_ROWS * VECTOR_ROWS;
    out->row_group_rows = rows < VECTOR_ROWS ? VECTOR_ROWS : rows;
    out->is_version_2 =
        nilas_str_is_nocase(find_setting(o, NULL, "write.parquet.page-version", "v1"), "v2");
    read_bloom_filter(o, out);
    return NILAS_OK;
}

nilas_code nilas_write__read_format(const nilas_writer_options *o, nilas_write_format *out,
                                    nilas_error *err) {
    bool is_delete = o->content == NILAS_FILE_POSITION_DELETES;
    nilas_str name =
        nilas_write__option(o->write, "write-format", "write.format.default", "parquet");
    nilas_write_format format = {.level = -1};

    if (is_delete) {
        nilas_str own =
            nilas_write__option(o->write, "delete-format", "write.delete.format.default", NULL);
        name = own.data != NULL ? own : name;
    }
    if (nilas_str_is_nocase(name, "orc")) {
        return nilas_fail(err, NILAS_UNSUPPORTED, "writing ORC files is not supported by nilas");
    }
    NILAS_REQUIRE(nilas_str_is_nocase(name, "parquet") || nilas_str_is_nocase(name, "avro"), err,
                  NILAS_INVALID, "Invalid file format: %.*s", NILAS_FMT(name));
    NILAS_TRY(nilas_str_is_nocase(name, "avro") ? read_avro(o, &format, err)
                                                : read_parquet(o, &format, err));
    NILAS_TRY(read_number(o, is_delete ? "target-delete-file-size-bytes" : "target-file-size-bytes",
                          "write.target-file-size-bytes", is_delete ? 64 << 20 : 512 << 20,
                          &format.file_bytes, err));
    if (!is_delete && o->write->target_file_size_bytes > 0) {
        format.file_bytes = o->write->target_file_size_bytes;
    }
    NILAS_REQUIRE(format.file_bytes > 0, err, NILAS_INVALID,
                  "Target file size must be positive: %lld", (long long)format.file_bytes);
    *out = format;
    return NILAS_OK;
}

int64_t nilas_write__row_width(const nilas_schema *schema) {
    return value_width(&schema->type) + 1;
}
