/*
 * What a name in FROM means, in Spark's order: a temporary view; a table of a catalog, its
 * metadata tables and time-travel suffixes; a view of the catalog; files by path.
 *
 * A view USING a source gives the relation of its source, with `temp_view` set.
 */
#include "bind/relation.h"

#include "bind/expr.h"

// ---- loading ---------------------------------------------------------------------------------

static void release_table(void *table) {
    nilas_table_unref(table);
}

static nilas_code keep(const nilas_bind_environment *environment, nilas_table *table,
                       nilas_error *err) {
    nilas_code code = nilas_arena_on_release(environment->stmt, release_table, table, err);
    if (code != NILAS_OK) {
        nilas_table_unref(table);
    }
    return code;
}

static nilas_code load_plain(const nilas_bind_environment *environment, nilas_catalog *catalog,
                             const nilas_str *parts, size_t count, nilas_table **out,
                             nilas_error *err) {
    nilas_table *table = NULL;
    if (count == 0) {
        return nilas_fail(err, NILAS_NOT_FOUND, "a table needs a name");
    }
    if (environment->load_table != NULL) {
        NILAS_TRY(
            environment->load_table(environment->context, catalog, parts, count, &table, err));
    } else {
        NILAS_TRY(nilas_catalog_load_table(catalog, parts, count, &table, err));
    }
    NILAS_TRY(keep(environment, table, err));
    *out = table;
    const nilas_growth *growth = environment->growth;
    if (growth != NULL && nilas_str_equal(growth->base->metadata->metadata_location,
                                          table->metadata->metadata_location)) {
        *out = growth->table;
    }
    return NILAS_OK;
}

/** A table, or one of its metadata tables ("db.t.files"). */
static nilas_code load_with_metadata(const nilas_bind_environment *environment,
                                     nilas_catalog *catalog, const nilas_str *parts, size_t count,
                                     nilas_bind_choice *out, nilas_error *err) {
    nilas_code code = load_plain(environment, catalog, parts, count, &out->table, err);
    if (code != NILAS_NOT_FOUND || count < 2) {
        return code;
    }
    nilas_metadata_table kind = nilas_metadata_table_find(parts[count - 1]);
    if (kind == NILAS_METADATA_NONE) {
        return code;
    }
    NILAS_TRY(load_plain(environment, catalog, parts, count - 1, &out->table, err));
    out->metadata_table = kind;
    return NILAS_OK;
}

nilas_code nilas_bind__load(const nilas_bind_environment *environment, nilas_catalog *catalog,
                            const nilas_str *parts, size_t count, nilas_bind_choice *out,
                            nilas_error *err) {
    *out = (nilas_bind_choice){0};
    nilas_code code = load_with_metadata(environment, catalog, parts, count, out, err);
    if (code != NILAS_NOT_FOUND || count < 2) {
        return code;
    }
    nilas_error ignored =
        NILAS_ERROR_INIT; // whatever is wrong with that, the whole name is not found
    bool known = false;
    if (load_with_metadata(environment, catalog, parts, count - 1, out, &ignored) != NILAS_OK) {
        return NILAS_NOT_FOUND;
    }
    NILAS_TRY(nilas_bind__selector(out, parts[count - 1], &known, err));
    if (!known) {
        return nilas_fail(err, NILAS_NOT_FOUND, "no table and no way to read one is named %.*s",
                          NILAS_FMT(parts[count - 1]));
    }
    return NILAS_OK;
}

static size_t last_hash(nilas_str text) {
    for (size_t i = text.size; i > 0; i--) {
        if (text.data[i - 1] == '#') {
            return i - 1;
        }
    }
    return SIZE_MAX;
}

/**
 * One of the words behind "#", which may be a metadata table or a selector; others are ignored as
 * Iceberg does.
 */
static nilas_code apply_word(nilas_bind_choice *choice, nilas_str word, nilas_error *err) {
    nilas_metadata_table kind = nilas_metadata_table_find(word);
    nilas_str name = NILAS_STR_EMPTY;
    bool known = false;
    if (kind != NILAS_METADATA_NONE) {
        choice->metadata_table = kind;
        return NILAS_OK;
    }
    nilas_bind_choice before = *choice;
    NILAS_TRY(nilas_bind__selector(choice, word, &known, err));
    if (nilas_str_starts(word, NILAS_STR("tag_")) && !known) {
        name = nilas_str_slice(word, 4, word.size);
        return nilas_fail(err, NILAS_INVALID, "Cannot find snapshot associated with tag name: %.*s",
                          NILAS_FMT(name));
    }
    NILAS_REQUIRE(!known || (!before.has_snapshot && !before.has_branch), err, NILAS_INVALID,
                  "Can specify only one of snapshot-id, as-of-timestamp, branch, tag");
    return NILAS_OK;
}

static nilas_code apply_words(nilas_bind_choice *choice, nilas_str words, nilas_error *err) {
    size_t at = 0;
    while (at <= words.size && words.size > 0) {
        size_t comma = nilas_str_find(words, NILAS_STR(","), at);
        size_t end = comma == SIZE_MAX ? words.size : comma;
        NILAS_TRY(apply_word(choice, nilas_str_trim(nilas_str_slice(words, at, end - at)), err));
        at = end + 1;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__load_path(const nilas_bind_environment *environment, nilas_str location,
                                 nilas_bind_choice *out, nilas_error *err) {
    nilas_str words[2] = {NILAS_STR_EMPTY, NILAS_STR_EMPTY};
    size_t count = 0;
    *out = (nilas_bind_choice){0};
    for (; count < 2; count++) { // path#files#snapshot_id_1: options add the second
        size_t hash = last_hash(location);
        if (hash == SIZE_MAX || hash + 1 == location.size) {
            break;
        }
        words[count] = nilas_str_slice(location, hash + 1, location.size);
        location = nilas_str_slice(location, 0, hash);
    }
    nilas_table *table = NULL;
    NILAS_TRY(nilas_catalog_load_path(environment->io, location, &table, err));
    NILAS_TRY(keep(environment, table, err));
    out->table = table;
    for (size_t i = count; i > 0; i--) {
        NILAS_TRY(apply_words(out, words[i - 1], err));
    }
    return NILAS_OK;
}

// ---- words -----------------------------------------------------------------------------------

nilas_code nilas_bind_table_not_found(nilas_str name, int32_t offset, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND", offset,
        "The table or view %.*s cannot be found. Verify the spelling and correctness of the schema "
        "and catalog.\nIf you did not qualify the name with a schema, verify the current_schema() "
        "output, or qualify the name with the correct schema and catalog.\nTo tolerate the error "
        "on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS.",
        NILAS_FMT(name));
}

nilas_code nilas_bind__fail_not_found(const nilas_bind_environment *environment,
                                      const nilas_str *parts, size_t count, int32_t offset,
                                      nilas_error *err) {
    return nilas_bind_table_not_found(nilas_bind__name_text(environment->stmt, parts, count),
                                      offset, err);
}

nilas_code nilas_bind__word_not_found(const nilas_bind_environment *environment,
                                      const nilas_relation *relation, const nilas_str *written,
                                      size_t written_count, int32_t offset, nilas_error *err) {
    const nilas_catalog *catalog = relation->catalog;
    if (catalog != NULL && nilas_catalog_is_session(catalog) && relation->identifier_count != 2) {
        size_t count = relation->identifier_count > 0 ? relation->identifier_count - 1 : 0;
        nilas_str name = nilas_bind__name_text(environment->stmt, relation->identifier, count);
        return nilas_fail_at(err, NILAS_INVALID, "REQUIRES_SINGLE_PART_NAMESPACE", -1,
                             "%.*s requires a single-part namespace, but got %.*s.",
                             NILAS_FMT(relation->catalog_name), NILAS_FMT(name));
    }
    return nilas_bind__fail_not_found(environment, written, written_count, offset, err);
}

static bool travels(const nilas_time_travel *time_travel) {
    return time_travel != NULL && time_travel->kind != NILAS_TRAVEL_NONE;
}

static nilas_code refuse_travel(const nilas_bind_environment *environment, const nilas_str *parts,
                                size_t count, nilas_error *err) {
    nilas_str name = nilas_bind__name_text(environment->stmt, parts, count);
    return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_FEATURE.TIME_TRAVEL", -1,
                         "The feature is not supported: Time travel on the relation: %.*s.",
                         NILAS_FMT(name));
}

// ---- the kinds of relations ------------------------------------------------------------------

typedef struct request {
    const nilas_bind_environment *environment;
    const nilas_str *parts;
    size_t count;
    int32_t offset;
    const nilas_time_travel *time_travel;
    const nilas_option *options;
    size_t option_count;
} request;

static nilas_code bind_temp_view(const request *r, const nilas_temp_view *view, nilas_relation *out,
                                 nilas_error *err) {
    if (travels(r->time_travel)) {
        return refuse_travel(r->environment, r->parts, r->count, err);
    }
    if (view->error != NULL) {
        if (err != NULL) {
            *err = *view->error;
        }
        return view->error->code;
    }
    if (view->query == NULL) {
        return nilas_bind__source(r->environment, view, out, err);
    }
    out->kind = NILAS_RELATION_TEMP_VIEW;
    out->temp_view = view;
    return NILAS_OK;
}

/** The clause, then the options of WITH (…), then what both leave to read. */
static nilas_code finish_table(const request *r, nilas_bind_choice *choice, nilas_relation *out,
                               nilas_error *err) {
    nilas_read_options options = {0};
    nilas_str selector = NILAS_STR_EMPTY;
    bool known = false;
    NILAS_TRY(nilas_bind__read_options(r->options, r->option_count, &options));
    bool by_options = options.version_as_of.data != NULL || options.timestamp_as_of.data != NULL;
    if (travels(r->time_travel) && by_options) {
        return nilas_fail_at(
            err, NILAS_INVALID, "MULTIPLE_TIME_TRAVEL_SPEC", r->offset,
            "Cannot specify time travel in both the time travel clause and options.");
    }
    NILAS_TRY(nilas_bind__travel(r->environment, r->time_travel, choice, err));
    NILAS_TRY(nilas_bind__travel_by_options(r->environment, &options, choice, err));
    NILAS_TRY(nilas_bind__option_selector(r->environment->stmt, &options, &selector, err));
    if (selector.size > 0) {
        NILAS_REQUIRE(
            !choice->has_snapshot && !choice->has_branch, err, NILAS_INVALID,
            "Cannot do time-travel based on both the table's name or AS OF and its options");
        NILAS_TRY(nilas_bind__selector(choice, selector, &known, err));
        NILAS_REQUIRE(known, err, NILAS_INVALID, "Cannot find ref %.*s", NILAS_FMT(options.tag));
    }
    return nilas_bind__choose(r->environment, choice, &options, out, err);
}

/** Parts that name the table itself, without metadata table and time-travel suffix. */
static void trim_identifier(nilas_relation *relation) {
    const nilas_table *table = relation->table;
    if (table->identifier_count > 0 && table->identifier_count < relation->identifier_count) {
        relation->identifier_count = table->identifier_count;
    }
}

static nilas_code bind_path_table(const request *r, nilas_relation *out, nilas_error *err) {
    nilas_bind_choice choice = {0};
    NILAS_NEW_ARRAY(r->environment->stmt, &out->identifier, 1, err);
    out->identifier[0] = r->parts[1];
    out->identifier_count = 1;
    nilas_code code = nilas_bind__load_path(r->environment, r->parts[1], &choice, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_bind__fail_not_found(r->environment, r->parts, r->count, r->offset, err);
    }
    NILAS_TRY(code);
    return finish_table(r, &choice, out, err);
}

static nilas_code bind_view(const request *r, nilas_relation *out, nilas_error *err) {
    NILAS_TRY(nilas_catalog_load_view(out->catalog, r->environment->stmt, out->identifier,
                                      out->identifier_count, &out->view, err));
    if (travels(r->time_travel)) {
        return refuse_travel(r->environment, r->parts, r->count, err);
    }
    out->kind = NILAS_RELATION_VIEW;
    return NILAS_OK;
}

static nilas_code bind_catalog_name(const request *r, nilas_relation *out, nilas_error *err) {
    nilas_bind_choice choice = {0};
    NILAS_TRY(nilas_bind_identifier(r->environment, r->parts, r->count, false, &out->catalog,
                                    &out->catalog_name, &out->identifier, &out->identifier_count,
                                    err));
    nilas_code code = NILAS_NOT_FOUND;
    if (out->catalog != NULL) {
        code = nilas_bind__load(r->environment, out->catalog, out->identifier,
                                out->identifier_count, &choice, err);
    }
    if (code == NILAS_OK) {
        NILAS_TRY(finish_table(r, &choice, out, err));
        trim_identifier(out);
        return NILAS_OK;
    }
    if (code == NILAS_NOT_FOUND && out->catalog != NULL && out->identifier_count > 1) {
        code = bind_view(r, out, err);
    }
    return code;
}

/**
 * Whether the two parts name files; a table of that name comes first unless the name is plainly a
 * path.
 */
static bool is_file_name(const request *r) {
    return r->count == 2 && nilas_bind__is_file_format(r->parts[0]);
}

nilas_code nilas_bind_relation(const nilas_bind_environment *environment, const nilas_str *parts,
                               size_t count, int32_t offset, const nilas_time_travel *time_travel,
                               const nilas_option *options, size_t option_count,
                               nilas_relation *out, nilas_error *err) {
    request r = {.environment = environment,
                 .parts = parts,
                 .count = count,
                 .offset = offset,
                 .time_travel = time_travel,
                 .options = options,
                 .option_count = option_count};
    nilas_relation relation = {0};
    nilas_code code = NILAS_OK;
    const nilas_temp_view *view = NULL;
    if (environment->find_temp_view != NULL) {
        view = environment->find_temp_view(environment->context, environment->view_scope, parts,
                                           count);
    }
    bool has_slash = count == 2 && nilas_str_find(parts[1], NILAS_STR("/"), 0) != SIZE_MAX;
    if (view != NULL) {
        code = bind_temp_view(&r, view, &relation, err);
    } else if (has_slash && nilas_str_is_nocase(parts[0], "iceberg")) {
        code = bind_path_table(&r, &relation, err);
    } else {
        code =
            has_slash && is_file_name(&r) ? NILAS_NOT_FOUND : bind_catalog_name(&r, &relation, err);
        if (code == NILAS_NOT_FOUND && is_file_name(&r)) {
            if (travels(time_travel)) {
                return refuse_travel(environment, parts, count, err);
            }
            nilas_str path = parts[1];
            nilas_file_scan files = {.format = parts[0],
                                     .paths = &path,
                                     .path_count = 1,
                                     .options = options,
                                     .option_count = option_count};
            code = nilas_bind__files(environment, &files, &relation, err);
        } else if (code == NILAS_NOT_FOUND) {
            code = nilas_bind__word_not_found(environment, &relation, parts, count, offset, err);
        }
    }
    NILAS_TRY(code);
    *out = relation;
    return NILAS_OK;
}
