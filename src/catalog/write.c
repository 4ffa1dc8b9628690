/*
 * The front of the writing half: what holds for every kind of catalog. A kind that cannot do
 * something has no function for it and is refused here, in Iceberg's words.
 */
#include "catalog/write.h"

#include "catalog/ops.h"

#define DEFAULT_NAMESPACE "default"

static nilas_identifier name_of(const nilas_str *parts, size_t count) {
    return (nilas_identifier){.parts = (nilas_str *)parts, .count = count};
}

nilas_code nilas_catalog__fail_named(nilas_error *err, nilas_code code, const char *what,
                                     const nilas_identifier *name) {
    NILAS_AUTO_BUF dotted = NILAS_BUF_INIT(0);

    for (size_t i = 0; i < name->count; i++) {
        nilas_buf_add_text(&dotted, i > 0 ? "." : "");
        nilas_buf_add(&dotted, name->parts[i]);
    }
    return nilas_fail(err, code, "%s%.*s", what, NILAS_FMT(nilas_buf_view(&dotted)));
}

void nilas_catalog__discard(const nilas_catalog *catalog, nilas_str location) {
    (void)nilas_io_delete(catalog->io, location, NULL);
}

// ---- namespaces ---------------------------------------------------------------------------------

static bool is_made_up(const nilas_catalog *catalog, const nilas_identifier *name) {
    return catalog->is_session && name->count == 1 &&
           nilas_str_is(name->parts[0], DEFAULT_NAMESPACE);
}

nilas_code nilas_catalog_create_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                          size_t count, const nilas_property *properties,
                                          size_t property_count, nilas_error *err) {
    nilas_identifier name = name_of(parts, count);

    NILAS_REQUIRE(count > 0, err, NILAS_INVALID, "Cannot create a namespace without a name");
    NILAS_REQUIRE(catalog->ops->create_namespace != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot create namespaces", NILAS_FMT(catalog->name));
    if (is_made_up(catalog, &name)) {
        return nilas_catalog__fail_named(err, NILAS_EXISTS, "Namespace already exists: ", &name);
    }
    return catalog->ops->create_namespace(catalog, &name, properties, property_count, err);
}

nilas_code nilas_catalog_drop_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                        size_t count, nilas_error *err) {
    nilas_identifier name = name_of(parts, count);
    bool exists;

    NILAS_REQUIRE(catalog->ops->drop_namespace != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot drop namespaces", NILAS_FMT(catalog->name));
    NILAS_REQUIRE(!is_made_up(catalog, &name), err, NILAS_INVALID,
                  "Cannot drop the namespace \"" DEFAULT_NAMESPACE "\" of a session catalog");
    NILAS_TRY(catalog->ops->namespace_exists(catalog, parts, count, &exists, err));
    if (!exists) {
        return nilas_catalog__fail_named(err, NILAS_NOT_FOUND, "Namespace does not exist: ", &name);
    }
    return catalog->ops->drop_namespace(catalog, &name, err);
}

nilas_code nilas_catalog_alter_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                         size_t count, const nilas_property *changes,
                                         size_t change_count, nilas_error *err) {
    nilas_identifier name = name_of(parts, count);
    bool exists;

    NILAS_REQUIRE(catalog->ops->alter_namespace != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot change namespaces", NILAS_FMT(catalog->name));
    NILAS_TRY(nilas_catalog_namespace_exists(catalog, parts, count, &exists, err));
    if (!exists) {
        return nilas_catalog__fail_named(err, NILAS_NOT_FOUND, "Namespace does not exist: ", &name);
    }
    return catalog->ops->alter_namespace(catalog, &name, changes, change_count, err);
}

// ---- tables -------------------------------------------------------------------------------------

nilas_code nilas_catalog_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                          const nilas_str *identifier, size_t count, nilas_str *out,
                                          nilas_error *err) {
    nilas_identifier name = name_of(identifier, count);

    NILAS_REQUIRE(catalog->ops->default_location != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot hold new tables", NILAS_FMT(catalog->name));
    return catalog->ops->default_location(catalog, arena, &name, out, err);
}

nilas_code nilas_catalog_file_location(nilas_arena *arena, nilas_str location, nilas_str *out,
                                       nilas_error *err) {
    return nilas_catalog__plain_location(arena, location, out, err);
}

nilas_io *nilas_catalog_io(const nilas_catalog *catalog) {
    return catalog->io;
}

static bool in_log(const nilas_metadata *metadata, nilas_str file) {
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        if (nilas_str_equal(metadata->metadata_log[i].metadata_file, file)) {
            return true;
        }
    }
    return nilas_str_equal(metadata->metadata_location, file);
}

/** Oldest first: while a version's file is there, its successors have never been deleted. The
 * commit has happened, so failures do not count. */
static void remove_old_metadata(const nilas_catalog *catalog, const nilas_metadata *base,
                                const nilas_metadata *next) {
    nilas_str enabled = nilas_metadata_property(next, "write.metadata.delete-after-commit.enabled",
                                                NILAS_STR_EMPTY);

    if (!nilas_str_is_nocase(enabled, "true")) {
        return;
    }
    for (size_t i = 0; i < base->metadata_log_count; i++) {
        nilas_str file = base->metadata_log[i].metadata_file;
        if (!in_log(next, file)) {
            nilas_catalog__discard(catalog, file);
        }
    }
}

nilas_code nilas_catalog_swap(nilas_catalog *catalog, nilas_arena *arena,
                              const nilas_str *identifier, size_t count, const nilas_table *base,
                              nilas_metadata *next, nilas_error *err) {
    nilas_identifier name = name_of(identifier, count);

    nilas_assert(count > 0 && next->location.size > 0 && next->schema_count > 0);
    nilas_assert(base == NULL || base->metadata != next);
    NILAS_REQUIRE(catalog->ops->swap != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot be written", NILAS_FMT(catalog->name));
    NILAS_TRY(catalog->ops->swap(catalog, arena, &name, base, next, err));
    if (base != NULL) {
        remove_old_metadata(catalog, base->metadata, next);
    }
    return NILAS_OK;
}

nilas_code nilas_catalog_drop_table(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, bool purge, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_table) table = NULL;
    nilas_identifier name = name_of(identifier, count);
    nilas_map files;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(catalog->ops->drop_table != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot drop tables", NILAS_FMT(catalog->name));
    if (!purge) {
        return catalog->ops->drop_table(catalog, &name, err);
    }

    NILAS_TRY(nilas_catalog_load_table(catalog, identifier, count, &table, err));
    nilas_str gc = nilas_metadata_property(table->metadata, "gc.enabled", NILAS_STR("true"));
    NILAS_REQUIRE(nilas_str_is_nocase(gc, "true"), err, NILAS_INVALID,
                  "Cannot purge table: GC is disabled (deleting files may corrupt other tables)");
    nilas_map_init(&files, arena, false);
    NILAS_TRY(nilas_catalog__collect_files(catalog, arena, table, &files, err));
    NILAS_TRY(catalog->ops->drop_table(catalog, &name, err));
    nilas_catalog__delete_files(catalog, &files);
    return NILAS_OK;
}

nilas_code nilas_catalog_rename_table(nilas_catalog *catalog, const nilas_str *from,
                                      size_t from_count, const nilas_str *to, size_t to_count,
                                      nilas_error *err) {
    nilas_identifier from_name = name_of(from, from_count);
    nilas_identifier to_name = name_of(to, to_count);

    NILAS_REQUIRE(catalog->ops->rename_table != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot rename tables", NILAS_FMT(catalog->name));
    return catalog->ops->rename_table(catalog, &from_name, &to_name, err);
}

nilas_code nilas_catalog_register_table(nilas_catalog *catalog, const nilas_str *identifier,
                                        size_t count, nilas_str metadata_location,
                                        nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_identifier name = name_of(identifier, count);
    nilas_metadata *metadata;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(catalog->ops->register_table != NULL, err, NILAS_UNSUPPORTED,
                  "catalog \"%.*s\" cannot register tables", NILAS_FMT(catalog->name));
    NILAS_REQUIRE(metadata_location.size > 0, err, NILAS_INVALID,
                  "Cannot register an empty metadata file location as a table");
    NILAS_TRY(nilas_metadata_load(catalog->io, scratch, metadata_location, &metadata, err));
    return catalog->ops->register_table(catalog, &name, metadata_location, err);
}

// ---- views --------------------------------------------------------------------------------------

nilas_code nilas_catalog_drop_view(nilas_catalog *catalog, const nilas_str *identifier,
                                   size_t count, nilas_error *err) {
    nilas_identifier name = name_of(identifier, count);

    NILAS_REQUIRE(catalog->ops->drop_view != NULL, err, NILAS_NOT_FOUND,
                  "catalog \"%.*s\" has no views", NILAS_FMT(catalog->name));
    return catalog->ops->drop_view(catalog, &name, err);
}

nilas_code nilas_catalog_rename_view(nilas_catalog *catalog, const nilas_str *from,
                                     size_t from_count, const nilas_str *to, size_t to_count,
                                     nilas_error *err) {
    nilas_identifier from_name = name_of(from, from_count);
    nilas_identifier to_name = name_of(to, to_count);

    NILAS_REQUIRE(catalog->ops->rename_view != NULL, err, NILAS_NOT_FOUND,
                  "catalog \"%.*s\" has no views", NILAS_FMT(catalog->name));
    return catalog->ops->rename_view(catalog, &from_name, &to_name, err);
}
