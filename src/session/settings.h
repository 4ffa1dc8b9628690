/** Settings: Spark's keys and their values as text, with the defaults that mean something here. */
#ifndef NILAS_SESSION_SETTINGS_H
#define NILAS_SESSION_SETTINGS_H

#include "base/base.h"

typedef struct nilas_setting {
    char *key;
    char *value;
} nilas_setting;

typedef struct nilas_settings {
    nilas_setting *items; // sorted by key; owned
    size_t count, capacity;
} nilas_settings;

void nilas_settings_done(nilas_settings *settings);
nilas_code nilas_settings_put(nilas_settings *settings, nilas_str key, nilas_str value,
                              nilas_error *err);
/** A copy; `out` is overwritten. */
nilas_code nilas_settings_clone(const nilas_settings *from, nilas_settings *out, nilas_error *err);
void nilas_settings_remove(nilas_settings *settings, nilas_str key);
/** What was set, else the default, else data NULL. */
nilas_str nilas_settings_find(const nilas_settings *settings, nilas_str key);
/** A setting that is a boolean: "true" in any case. */
bool nilas_settings_is_true(const nilas_settings *settings, const char *key);
/** Known keys with their defaults and meanings, for SET -v. */
typedef struct nilas_setting_info {
    const char *key, *value, *meaning, *since;
} nilas_setting_info;
const nilas_setting_info *nilas_settings_known(size_t *out_count);
/** Keys whose values are never shown (spark.redaction.regex). */
bool nilas_settings_is_secret(nilas_str key);

#endif
