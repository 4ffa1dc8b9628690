/* Parquet files as Spark reads them: types from the first file's footer. */
#include "engine/cast.h"
#include "engine/files_sql.h"
#include "engine/parquet_footer.h"
#include "engine/scan_source.h"

static nilas_code spark_type(nilas_arena *arena, const nilas_parquet_node *node,
                             const nilas_type **out, nilas_error *err);

static nilas_type_kind int_kind(const nilas_parquet_node *node) {
    if (node->is_signed) {
        return node->width <= 8    ? NILAS_TYPE_TINYINT
               : node->width <= 16 ? NILAS_TYPE_SMALLINT
               : node->width <= 32 ? NILAS_TYPE_INT
                                   : NILAS_TYPE_BIGINT;
    }
    return node->width <= 8    ? NILAS_TYPE_SMALLINT
           : node->width <= 16 ? NILAS_TYPE_INT
                               : NILAS_TYPE_BIGINT;
}

static const nilas_type *leaf_type(const nilas_parquet_node *node) {
    switch (node->kind) {
    case NILAS_PARQUET_BOOLEAN: return nilas_type_of(NILAS_TYPE_BOOLEAN);
    case NILAS_PARQUET_INT: return nilas_type_of(int_kind(node));
    case NILAS_PARQUET_FLOAT: return nilas_type_of(NILAS_TYPE_FLOAT);
    case NILAS_PARQUET_DOUBLE: return nilas_type_of(NILAS_TYPE_DOUBLE);
    case NILAS_PARQUET_DATE: return nilas_type_of(NILAS_TYPE_DATE);
    case NILAS_PARQUET_TIME: return nilas_type_of(NILAS_TYPE_TIME);
    case NILAS_PARQUET_TIMESTAMP:
        return nilas_type_of(node->is_adjusted ? NILAS_TYPE_TIMESTAMP : NILAS_TYPE_TIMESTAMP_NTZ);
    case NILAS_PARQUET_INT96: return nilas_type_of(NILAS_TYPE_TIMESTAMP);
    case NILAS_PARQUET_BLOB: return nilas_type_of(NILAS_TYPE_BINARY);
    default: return nilas_type_of(NILAS_TYPE_STRING);
    }
}

static nilas_code struct_type(nilas_arena *arena, const nilas_parquet_node *node,
                              const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(arena, &fields, node->child_count, err);
    for (size_t i = 0; i < node->child_count; i++) {
        fields[i] = (nilas_type_field){.name = node->children[i].name, .nullable = true};
        NILAS_TRY(spark_type(arena, &node->children[i], &fields[i].type, err));
    }
    return nilas_type_struct(arena, fields, node->child_count, out, err);
}

static nilas_code spark_type(nilas_arena *arena, const nilas_parquet_node *node,
                             const nilas_type **out, nilas_error *err) {
    const nilas_type *first;
    const nilas_type *second;
    switch (node->kind) {
    case NILAS_PARQUET_DECIMAL:
        return nilas_type_decimal(arena, node->precision, node->scale, out, err);
    case NILAS_PARQUET_STRUCT: return struct_type(arena, node, out, err);
    case NILAS_PARQUET_LIST:
        NILAS_TRY(spark_type(arena, &node->children[0], &first, err));
        return nilas_type_array(arena, first, true, out, err);
    case NILAS_PARQUET_MAP:
        NILAS_TRY(spark_type(arena, &node->children[0], &first, err));
        NILAS_TRY(spark_type(arena, &node->children[1], &second, err));
        return nilas_type_map(arena, first, second, true, out, err);
    case NILAS_PARQUET_OTHER:
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "the type of Parquet column \"%.*s\" is not supported",
                          NILAS_FMT(node->name));
    default: *out = leaf_type(node); return NILAS_OK;
    }
}

nilas_code nilas_files__infer_parquet(nilas_arena *arena, const nilas_file_source *source,
                                      const nilas_type **out, nilas_error *err) {
    NILAS_AUTO(nilas_io) io = NULL;
    nilas_parquet_schema schema;
    NILAS_TRY(nilas_io_new(&io, err));
    NILAS_TRY(nilas_parquet__read_schema(io, arena, source->files[0], -1, &schema, err));
    return struct_type(arena, &schema.root, out, err);
}

/** Instants stored without a zone mark are UTC. */
static bool is_unmarked_instant(const nilas_parquet_schema *schema,
                                const nilas_attribute *attribute) {
    for (size_t i = 0; i < schema->root.child_count; i++) {
        const nilas_parquet_node *node = &schema->root.children[i];
        if (nilas_str_equal(node->name, attribute->name)) {
            return node->kind == NILAS_PARQUET_INT96 &&
                   attribute->type->kind == NILAS_TYPE_TIMESTAMP;
        }
    }
    return false;
}

nilas_code nilas_files__render_parquet(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                       const nilas_file_source *source, nilas_error *err) {
    NILAS_AUTO(nilas_io) io = NULL;
    nilas_parquet_schema schema;
    NILAS_TRY(nilas_io_new(&io, err));
    NILAS_TRY(nilas_parquet__read_schema(io, r->stmt, source->files[0], -1, &schema, err));
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        const nilas_attribute *attribute = &plan->outputs[i];
        bool is_instant = is_unmarked_instant(&schema, attribute);
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (nilas_files__print_key(out, source, attribute->name)) {
            nilas_buf_print(out, " AS c%d", attribute->id);
            continue;
        }
        nilas_buf_add_text(out, "CAST(");
        nilas_buf_add_text(out, is_instant ? "timezone('UTC', " : "");
        nilas_render__identifier(out, attribute->name);
        nilas_buf_add_text(out, is_instant ? ") AS " : " AS ");
        nilas_engine__print_type(out, attribute->type);
        nilas_buf_print(out, ") AS c%d", attribute->id);
    }
    nilas_buf_add_text(out, plan->output_count == 0 ? "NULL AS \"_\" FROM " : " FROM ");
    return nilas_source__print_read_parquet(r->stmt, out, source->files, source->file_count, NULL,
                                            err);
}
