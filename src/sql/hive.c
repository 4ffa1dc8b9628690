/** Clauses of Hive's tables: ROW FORMAT, STORED AS, CLUSTERED BY … INTO … BUCKETS, SKEWED BY.
 *  Checked, kept as text. */
#include "sql/statement.h"

static nilas_code terminated_by(nilas_sql__parser *p) {
    nilas_str text;
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_TERMINATED, NILAS_KW_BY));
    return nilas_sql__string(p, &text);
}

static nilas_code fields_terminated(nilas_sql__parser *p) {
    if (!nilas_sql__accept(p, NILAS_KW_FIELDS)) {
        return NILAS_OK;
    }
    nilas_str text;
    NILAS_TRY(terminated_by(p));
    if (nilas_sql__accept2(p, NILAS_KW_ESCAPED, NILAS_KW_BY)) {
        return nilas_sql__string(p, &text);
    }
    return NILAS_OK;
}

static nilas_code delimited_format(nilas_sql__parser *p) {
    nilas_str text;
    NILAS_TRY(fields_terminated(p));
    if (nilas_sql__accept2(p, NILAS_KW_COLLECTION, NILAS_KW_ITEMS)) {
        NILAS_TRY(terminated_by(p));
    }
    if (nilas_sql__accept2(p, NILAS_KW_MAP, NILAS_KW_KEYS)) {
        NILAS_TRY(terminated_by(p));
    }
    if (nilas_sql__accept(p, NILAS_KW_LINES)) {
        int32_t offset = nilas_sql__offset(p);
        NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_TERMINATED, NILAS_KW_BY));
        NILAS_TRY(nilas_sql__string(p, &text));
        if (!nilas_str_is(text, "\n")) {
            nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0064",
                              "LINES TERMINATED BY only supports newline '\\n' right now: %.*s.",
                              NILAS_FMT(text));
        }
    }
    if (nilas_sql__accept2(p, NILAS_KW_NULL, NILAS_KW_DEFINED)) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
        return nilas_sql__string(p, &text);
    }
    return NILAS_OK;
}

static nilas_code serde_properties(nilas_sql__parser *p) {
    nilas_option *options;
    size_t count;
    if (!nilas_sql__accept2(p, NILAS_KW_WITH, NILAS_KW_SERDEPROPERTIES)) {
        return NILAS_OK;
    }
    return nilas_sql__properties(p, &options, &count);
}

nilas_code nilas_sql__row_format(nilas_sql__parser *p, bool *taken) {
    nilas_str text;
    *taken = nilas_sql__accept2(p, NILAS_KW_ROW, NILAS_KW_FORMAT);
    if (!*taken) {
        return NILAS_OK;
    }
    if (nilas_sql__accept(p, NILAS_KW_SERDE)) {
        NILAS_TRY(nilas_sql__string(p, &text));
        return serde_properties(p);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_DELIMITED));
    return delimited_format(p);
}

nilas_code nilas_sql__file_format(nilas_sql__parser *p, bool *taken) {
    nilas_str text;
    *taken = nilas_sql__accept(p, NILAS_KW_STORED);
    if (!*taken) {
        return NILAS_OK;
    }
    if (nilas_sql__accept(p, NILAS_KW_BY)) {
        nilas_sql__reject_operation(p, nilas_sql__offset(p), "STORED BY");
        NILAS_TRY(nilas_sql__string(p, &text));
        return serde_properties(p);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
    if (nilas_sql__accept(p, NILAS_KW_INPUTFORMAT)) {
        NILAS_TRY(nilas_sql__string(p, &text));
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_OUTPUTFORMAT));
        return nilas_sql__string(p, &text);
    }
    return nilas_sql__identifier(p, &text);
}

nilas_code nilas_sql__bucket_spec(nilas_sql__parser *p) {
    nilas_str *names;
    size_t count;
    int32_t buckets;
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_CLUSTERED, NILAS_KW_BY));
    NILAS_TRY(nilas_sql__identifier_list(p, &names, &count));
    if (nilas_sql__accept2(p, NILAS_KW_SORTED, NILAS_KW_BY)) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
        do {
            nilas_str name;
            NILAS_TRY(nilas_sql__captured_identifier(p, &name));
            if (nilas_sql__at(p, NILAS_KW_DESC)) {
                nilas_sql__reject_operation(p, nilas_sql__offset(p),
                                            "Column ordering must be ASC, was 'DESC'");
                p->position++;
            } else {
                nilas_sql__accept(p, NILAS_KW_ASC);
            }
        } while (nilas_sql__accept(p, TOKEN_COMMA));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INTO));
    NILAS_TRY(nilas_sql__integer(p, &buckets));
    return nilas_sql__expect(p, NILAS_KW_BUCKETS);
}

static nilas_code constant_list(nilas_sql__parser *p) {
    nilas_expr **list;
    size_t count;
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        do {
            NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
            NILAS_TRY(nilas_sql__expressions(p, &list, &count));
            NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
        } while (nilas_sql__accept(p, TOKEN_COMMA));
    } else {
        NILAS_TRY(nilas_sql__expressions(p, &list, &count));
    }
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

nilas_code nilas_sql__skew_spec(nilas_sql__parser *p) {
    nilas_str *names;
    size_t count;
    nilas_sql__reject_operation(p, nilas_sql__offset(p), "CREATE TABLE ... SKEWED BY");
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_SKEWED, NILAS_KW_BY));
    NILAS_TRY(nilas_sql__identifier_list(p, &names, &count));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_ON));
    NILAS_TRY(constant_list(p));
    if (nilas_sql__accept2(p, NILAS_KW_STORED, NILAS_KW_AS)) {
        return nilas_sql__expect(p, NILAS_KW_DIRECTORIES);
    }
    return NILAS_OK;
}
