/** Settings as sorted pairs. Few and short, so that insertion into an array is the right structure.
 */
#include "session/settings.h"

#include <stdlib.h>

static const nilas_setting_info known[] = {
    {"spark.sql.ansi.enabled", "true",
     "Errors instead of nulls and wrapped numbers, as the SQL standard has it.", "3.0.0"},
    {"spark.sql.ansi.doubleQuotedIdentifiers", "false", "Read \"x\" as an identifier.", "3.4.0"},
    {"spark.sql.ansi.enforceReservedKeywords", "false", "Reserved words cannot be identifiers.",
     "3.3.0"},
    {"spark.sql.caseSensitive", "false", "Whether names differ by case.", "1.4.0"},
    {"spark.sql.defaultCatalog", "spark_catalog", "The catalog that is current at the start.",
     "3.0.0"},
    {"spark.sql.iceberg.aggregate-push-down.enabled", "true",
     "Answer count, min and max from metadata where that is exact.", "1.0.0"},
    {"spark.sql.legacy.exponentLiteralAsDecimal.enabled", "false", "Read 1e3 as a decimal.",
     "3.0.0"},
    {"spark.sql.parser.escapedStringLiterals", "false", "Keep backslashes in string literals.",
     "2.2.1"},
    {"spark.sql.session.timeZone", NULL, "The time zone in which timestamps are read and shown.",
     "2.2.0"},
    {"spark.sql.shuffle.partitions", "200", "Accepted; the engine decides by itself.", "1.1.0"},
    {"spark.sql.sources.partitionOverwriteMode", "STATIC",
     "What INSERT OVERWRITE replaces: STATIC or DYNAMIC.", "2.3.0"},
    {"spark.sql.storeAssignmentPolicy", "ANSI",
     "Which values may be stored into which column types.", "3.0.0"},
    {"spark.sql.timestampType", "TIMESTAMP_LTZ",
     "What TIMESTAMP means: TIMESTAMP_LTZ or TIMESTAMP_NTZ.", "3.4.0"},
    {"spark.wap.branch", NULL,
     "Read from and write to this branch of tables with write.wap.enabled.", "1.2.0"},
    {"spark.wap.id", NULL, "Stage writes under this id in tables with write.wap.enabled.", "0.9.0"},
};

const nilas_setting_info *nilas_settings_known(size_t *out_count) {
    *out_count = sizeof(known) / sizeof(known[0]);
    return known;
}

void nilas_settings_done(nilas_settings *settings) {
    for (size_t i = 0; i < settings->count; i++) {
        free(settings->items[i].key);
        free(settings->items[i].value);
    }
    free(settings->items);
    *settings = (nilas_settings){0};
}

/** Position of the key, or where it would be inserted. */
static size_t find_place(const nilas_settings *settings, nilas_str key, bool *found) {
    size_t low = 0;
    size_t high = settings->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = nilas_str_compare(nilas_str_of(settings->items[middle].key), key);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *found = false;
    return low;
}

static char *copy_text(nilas_str text) {
    char *copy = malloc(text.size + 1);
    if (copy != NULL) {
        memcpy(copy, text.data, text.size);
        copy[text.size] = '\0';
    }
    return copy;
}

static nilas_code make_room(nilas_settings *settings, nilas_error *err) {
    if (settings->count < settings->capacity) {
        return NILAS_OK;
    }
    size_t capacity = settings->capacity == 0 ? 32 : settings->capacity * 2;
    nilas_setting *items = realloc(settings->items, capacity * sizeof(*items));
    NILAS_REQUIRE(items != NULL, err, NILAS_NOMEM, "out of memory for %zu settings", capacity);
    settings->items = items;
    settings->capacity = capacity;
    return NILAS_OK;
}

nilas_code nilas_settings_put(nilas_settings *settings, nilas_str key, nilas_str value,
                              nilas_error *err) {
    bool found;
    size_t at = find_place(settings, key, &found);
    char *value_copy = copy_text(value);
    NILAS_REQUIRE(value_copy != NULL, err, NILAS_NOMEM, "out of memory for a setting");
    if (found) {
        free(settings->items[at].value);
        settings->items[at].value = value_copy;
        return NILAS_OK;
    }
    char *key_copy = copy_text(key);
    nilas_code code = key_copy == NULL ? nilas_fail(err, NILAS_NOMEM, "out of memory for a setting")
                                       : make_room(settings, err);
    if (code != NILAS_OK) {
        free(key_copy);
        free(value_copy);
        return code;
    }
    memmove(&settings->items[at + 1], &settings->items[at],
            (settings->count - at) * sizeof(settings->items[0]));
    settings->items[at] = (nilas_setting){.key = key_copy, .value = value_copy};
    settings->count++;
    return NILAS_OK;
}

nilas_code nilas_settings_clone(const nilas_settings *from, nilas_settings *out, nilas_error *err) {
    *out = (nilas_settings){0};
    for (size_t i = 0; i < from->count; i++) { // sorted: each goes to the end
        nilas_code code = nilas_settings_put(out, nilas_str_of(from->items[i].key),
                                             nilas_str_of(from->items[i].value), err);
        if (code != NILAS_OK) {
            nilas_settings_done(out);
            return code;
        }
    }
    return NILAS_OK;
}

void nilas_settings_remove(nilas_settings *settings, nilas_str key) {
    bool found;
    size_t at = find_place(settings, key, &found);
    if (!found) {
        return;
    }
    free(settings->items[at].key);
    free(settings->items[at].value);
    settings->count--;
    memmove(&settings->items[at], &settings->items[at + 1],
            (settings->count - at) * sizeof(settings->items[0]));
}

nilas_str nilas_settings_find(const nilas_settings *settings, nilas_str key) {
    bool found;
    size_t at = find_place(settings, key, &found);
    if (found) {
        return nilas_str_of(settings->items[at].value);
    }
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (nilas_str_is(key, known[i].key)) {
            return (nilas_str){.data = known[i].value,
                               .size = known[i].value != NULL ? strlen(known[i].value) : 0};
        }
    }
    return (nilas_str){0};
}

bool nilas_settings_is_true(const nilas_settings *settings, const char *key) {
    return nilas_str_is_nocase(nilas_settings_find(settings, nilas_str_of(key)), "true");
}

bool nilas_settings_is_secret(nilas_str key) {
    static const char *const words[] = {"secret",     "password",   "token",    "credential",
                                        "access-key", "access.key", "accesskey"};
    for (size_t at = 0; at < key.size; at++) {
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
            if (nilas_str_starts_nocase(nilas_str_slice(key, at, key.size),
                                        nilas_str_of(words[w]))) {
                return true;
            }
        }
    }
    return false;
}
