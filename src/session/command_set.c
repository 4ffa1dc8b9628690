/** SET, SET TIME ZONE, RESET. Values of secret settings are never shown. */
#include "session/private.h"

static const char *const pair_names[] = {"key", "value"};

static nilas_str shown_value(nilas_str key, nilas_str value) {
    return nilas_settings_is_secret(key) ? NILAS_STR("*********(redacted)") : value;
}

static nilas_code show_all(nilas_run *run, nilas_error *err) {
    nilas_command_rows rows;
    const nilas_settings *settings = &run->session->settings;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, pair_names, NULL, 2, err));
    for (size_t i = 0; i < settings->count; i++) {
        nilas_str key = nilas_str_of(settings->items[i].key);
        nilas_str cells[2] = {key, shown_value(key, nilas_str_of(settings->items[i].value))};
        NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
    }
    return nilas_session__rows_end(&rows, err);
}

static nilas_code show_known(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"key", "value", "meaning", "Since version"};
    nilas_command_rows rows;
    size_t count;
    const nilas_setting_info *known = nilas_settings_known(&count);
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 4, err));
    for (size_t i = 0; i < count; i++) {
        nilas_str value = nilas_session_setting(run->session, known[i].key);
        nilas_str cells[4] = {nilas_str_of(known[i].key),
                              value.data != NULL ? value : NILAS_STR("<undefined>"),
                              nilas_str_of(known[i].meaning), nilas_str_of(known[i].since)};
        NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
    }
    return nilas_session__rows_end(&rows, err);
}

static nilas_code show_pair(nilas_run *run, nilas_str key, nilas_str value, nilas_error *err) {
    nilas_command_rows rows;
    nilas_str cells[2] = {key, value};
    NILAS_TRY(nilas_session__rows_begin(run, &rows, pair_names, NULL, 2, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
    return nilas_session__rows_end(&rows, err);
}

nilas_code nilas_command__set(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    if (statement->key.size == 0) {
        return statement->extended ? show_known(run, err) : show_all(run, err);
    }
    if (statement->has_value) {
        NILAS_TRY(nilas_session_set(run->session, statement->key, statement->value, err));
        return show_pair(run, statement->key, shown_value(statement->key, statement->value), err);
    }
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(65536);
    nilas_buf_add(&key, statement->key);
    nilas_buf_add_char(&key, '\0');
    NILAS_TRY(nilas_buf_check(&key, err));
    nilas_str value = nilas_session_setting(run->session, key.data);
    return show_pair(
        run, statement->key,
        value.data != NULL ? shown_value(statement->key, value) : NILAS_STR("<undefined>"), err);
}

/** An interval as a zone: "+HH:MM". */
static nilas_code interval_zone(nilas_run *run, nilas_str *out, nilas_error *err) {
    // The binder knows what intervals mean; a query of one constant gives the value.
    nilas_query *query;
    nilas_plan *plan;
    nilas_value value;
    NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_SELECT, run->statement->offset, &query, err));
    NILAS_NEW_ARRAY(run->stmt, &query->exprs, 1, err);
    query->exprs[0] = run->statement->expr;
    query->expr_count = 1;
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    nilas_assert(plan->kind == NILAS_PLAN_PROJECT && plan->expr_count == 1);
    NILAS_TRY(nilas_engine_evaluate(run->session->engine, run->stmt, plan->exprs[0], &value, err));
    int64_t seconds =
        value.kind == NILAS_VALUE_INT ? value.integer / NILAS_MICROS_PER_SECOND : INT64_MAX;
    if (plan->outputs[0].type->kind != NILAS_TYPE_INTERVAL_DAY_TIME || seconds > 64800 ||
        seconds < -64800) {
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE",
            run->statement->offset,
            "The interval value must be in the range of [-18, +18] hours with second precision.");
    }
    int64_t minutes = (seconds < 0 ? -seconds : seconds) / 60;
    return nilas_str_print(run->stmt, out, err, "%c%02d:%02d", seconds < 0 ? '-' : '+',
                           (int)(minutes / 60), (int)(minutes % 60));
}

nilas_code nilas_command__set_time_zone(nilas_run *run, nilas_error *err) {
    nilas_str key = NILAS_STR("spark.sql.session.timeZone");
    nilas_str value = run->statement->value;
    if (run->statement->local) {
        value = nilas_zone_name(nilas_zone_local());
    } else if (run->statement->expr != NULL) {
        NILAS_TRY(interval_zone(run, &value, err));
    }
    NILAS_TRY(nilas_session_set(run->session, key, value, err));
    return show_pair(run, key, value, err);
}

static void forget_settings(nilas_settings *settings, nilas_str key) {
    if (key.size > 0) {
        nilas_settings_remove(settings, key);
        return;
    }
    // Catalogs stay configured: they were given to the program, not by SET.
    for (size_t i = settings->count; i-- > 0;) {
        nilas_str at = nilas_str_of(settings->items[i].key);
        if (!nilas_str_starts(at, NILAS_STR("spark.sql.catalog."))) {
            nilas_settings_remove(settings, at);
        }
    }
}

nilas_code nilas_command__reset(nilas_run *run, nilas_error *err) {
    nilas_session *changed = nilas_session__begin_change(run->session);
    forget_settings(&changed->settings, run->statement->key);
    nilas_code code = nilas_session__apply_settings(changed, err);
    NILAS_TRY(nilas_session__end_change(run->session, code, err));
    return nilas_session__no_rows(run, err);
}
