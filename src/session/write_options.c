/**
 * Write options: those of the statement (INSERT … WITH, or of a DataFrame's writer), then the
 * session's, and what they choose: spec, sort order, entries of the snapshot's summary.
 *
 * The table's properties come last, where each option is read (engine).
 */
#include "session/private.h"

#define SESSION_PREFIX  "spark.sql.iceberg."
#define SNAPSHOT_PREFIX "snapshot-property."

typedef NILAS_ARRAY_OF(nilas_option) option_list;

/** Options of a statement, their names in lower case as Spark passes them on. */
static nilas_code add_options(nilas_run *run, const nilas_option *options, size_t count,
                              option_list *list, nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_option option = options[i];
        for (size_t c = 0; c < option.key.size; c++) {
            char letter = option.key.data[c];
            bool is_upper = letter >= 'A' && letter <= 'Z';
            nilas_buf_add_char(&name, is_upper ? (char)(letter - 'A' + 'a') : letter);
        }
        NILAS_TRY(nilas_buf_finish(&name, run->stmt, &option.key, err));
        NILAS_PUSH(run->stmt, list, option, err);
    }
    return NILAS_OK;
}

/** Settings of the session that are named like options. */
static nilas_code add_session_options(nilas_run *run, option_list *list, nilas_error *err) {
    static const char *const names[] = {"compression-codec", "compression-level",
                                        "compression-strategy", "distribution-mode",
                                        "advisory-partition-size"};
    const nilas_settings *settings = &run->session->settings;
    for (size_t i = 0; i < settings->count; i++) {
        nilas_str key = nilas_str_of(settings->items[i].key);
        if (!nilas_str_starts(key, NILAS_STR(SESSION_PREFIX))) {
            continue;
        }
        nilas_str name = nilas_str_slice(key, strlen(SESSION_PREFIX), key.size);
        bool is_option = nilas_str_starts(name, NILAS_STR(SNAPSHOT_PREFIX));
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
            is_option = is_option || nilas_str_is(name, names[n]);
        }
        nilas_option option = {.key = name, .has_value = true};
        if (is_option) {
            NILAS_TRY(nilas_str_copy(run->stmt, name, &option.key, err));
            NILAS_TRY(nilas_str_copy(run->stmt, nilas_str_of(settings->items[i].value),
                                     &option.value, err));
            NILAS_PUSH(run->stmt, list, option, err);
        }
    }
    return NILAS_OK;
}

static nilas_code find_number(const nilas_write_options *write, const char *name, bool *out_given,
                              int64_t *out, nilas_error *err) {
    nilas_str text = nilas_option_find(write->options, write->option_count, name);
    *out_given = text.data != NULL;
    NILAS_REQUIRE(text.data == NULL || nilas_str_to_int64(nilas_str_trim(text), out), err,
                  NILAS_INVALID, "For input string: \"%.*s\"", NILAS_FMT(text));
    return NILAS_OK;
}

static nilas_code choose_spec(nilas_write_options *write, nilas_error *err) {
    const nilas_metadata *metadata = write->table->metadata;
    int64_t id = metadata->default_spec_id;
    bool given;
    NILAS_TRY(find_number(write, "output-spec-id", &given, &id, err));
    write->spec = id >= 0 && id <= INT32_MAX ? nilas_metadata_spec(metadata, (int32_t)id) : NULL;
    NILAS_REQUIRE(write->spec != NULL, err, NILAS_INVALID,
                  "Output spec id %lld is not a valid spec id for table", (long long)id);
    return NILAS_OK;
}

static nilas_code choose_order(nilas_write_options *write, nilas_error *err) {
    const nilas_metadata *metadata = write->table->metadata;
    nilas_str use = nilas_option_find(write->options, write->option_count,
                                      "use-table-distribution-and-ordering");
    int64_t id =
        use.data == NULL || nilas_str_is_nocase(use, "true") ? metadata->default_sort_order_id : 0;
    bool given;
    NILAS_TRY(find_number(write, "output-sort-order-id", &given, &id, err));
    write->order =
        id >= 0 && id <= INT32_MAX ? nilas_metadata_sort_order(metadata, (int32_t)id) : NULL;
    NILAS_REQUIRE(!given || id == 0 || write->order != NULL, err, NILAS_INVALID,
                  "Cannot use output sort order id %lld because the table does not contain a sort "
                  "order with that id",
                  (long long)id);
    return NILAS_OK;
}

/** Files are made one a partition, whatever the mode; but it must be one. */
static nilas_code check_distribution(const nilas_write_options *write, nilas_error *err) {
    static const char name[] = "distribution-mode";
    nilas_str mode = nilas_option_find(write->options, write->option_count, name);
    int64_t ignored;
    bool given;
    if (mode.data == NULL) {
        mode = nilas_metadata_property(write->table->metadata, "write.distribution-mode",
                                       NILAS_STR("none"));
    }
    NILAS_REQUIRE(nilas_str_is_nocase(mode, "none") || nilas_str_is_nocase(mode, "hash") ||
                      nilas_str_is_nocase(mode, "range"),
                  err, NILAS_INVALID, "Invalid distribution mode: %.*s", NILAS_FMT(mode));
    return find_number(write, "advisory-partition-size", &given, &ignored, err);
}

nilas_code nilas_session__write_options(nilas_run *run, const nilas_table *table,
                                        const nilas_option *options, size_t count,
                                        nilas_write_options *out, nilas_error *err) {
    option_list list = {0};
    NILAS_TRY(add_options(run, options, count, &list, err));
    NILAS_TRY(add_session_options(run, &list, err));
    *out = (nilas_write_options){
        .table = table,
        .schema = nilas_metadata_current_schema(table->metadata),
        .options = list.items,
        .option_count = list.count,
    };
    NILAS_TRY(choose_spec(out, err));
    NILAS_TRY(choose_order(out, err));
    return check_distribution(out, err);
}

nilas_code nilas_session__write_summary(nilas_run *run, const nilas_write_options *write,
                                        nilas_session_summary *out, nilas_error *err) {
    const nilas_property engine[] = {{NILAS_STR("engine-name"), NILAS_STR("nilas")},
                                     {NILAS_STR("engine-version"), NILAS_STR(NILAS_VERSION)}};
    NILAS_PUSH(run->stmt, out, engine[0], err);
    NILAS_PUSH(run->stmt, out, engine[1], err);
    for (size_t i = 0; i < write->option_count; i++) {
        const nilas_option *option = &write->options[i];
        bool is_first = true;
        if (!nilas_str_starts_nocase(option->key, NILAS_STR(SNAPSHOT_PREFIX))) {
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            is_first = is_first && !nilas_str_equal_nocase(write->options[k].key, option->key);
        }
        nilas_property entry = {
            .key = nilas_str_slice(option->key, strlen(SNAPSHOT_PREFIX), option->key.size),
            .value = option->value};
        if (is_first) {
            NILAS_PUSH(run->stmt, out, entry, err);
        }
    }
    return NILAS_OK;
}
