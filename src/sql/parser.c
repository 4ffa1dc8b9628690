/**
 * The parser's state: tokens, marks for speculative parsing, errors; and the entry points of the
 * room that parse a text
 * as a whole.
 */
#include "sql/parser.h"

#include <stdio.h>

// ---- tokens -------------------------------------------------------------------------------------

int nilas_sql__peek(const nilas_sql__parser *p, size_t ahead) {
    size_t left = p->token_count - 1 - p->position;
    return p->tokens[ahead < left ? p->position + ahead : p->token_count - 1].kind;
}

bool nilas_sql__at(const nilas_sql__parser *p, int kind) {
    return p->tokens[p->position].kind == kind;
}

bool nilas_sql__at2(const nilas_sql__parser *p, int first, int second) {
    return nilas_sql__at(p, first) && nilas_sql__peek(p, 1) == second;
}

bool nilas_sql__accept(nilas_sql__parser *p, int kind) {
    if (!nilas_sql__at(p, kind) || kind == TOKEN_END) {
        return false;
    }
    p->position++;
    return true;
}

bool nilas_sql__accept2(nilas_sql__parser *p, int first, int second) {
    if (!nilas_sql__at2(p, first, second)) {
        return false;
    }
    p->position += 2;
    return true;
}

nilas_code nilas_sql__unexpected(nilas_sql__parser *p) {
    if (p->position > p->farthest) {
        p->farthest = p->position;
        p->missing = 0;
        p->extra = false;
    }
    return NILAS_INVALID;
}

nilas_code nilas_sql__expect(nilas_sql__parser *p, int kind) {
    return nilas_sql__accept(p, kind) ? NILAS_OK : nilas_sql__unexpected(p);
}

nilas_code nilas_sql__expect2(nilas_sql__parser *p, int first, int second) {
    NILAS_TRY(nilas_sql__expect(p, first));
    return nilas_sql__expect(p, second);
}

nilas_code nilas_sql__expect_named(nilas_sql__parser *p, int kind) {
    if (nilas_sql__accept(p, kind)) {
        return NILAS_OK;
    }
    nilas_code code = nilas_sql__unexpected(p);
    if (p->farthest == p->position) {
        p->missing = kind;
    }
    return code;
}

static nilas_str token_text_at(const nilas_sql__parser *p, size_t index) {
    const nilas_sql__token *token = &p->tokens[index];
    return nilas_str_slice(p->text, token->offset, token->size);
}

nilas_str nilas_sql__token_text(const nilas_sql__parser *p, size_t ahead) {
    size_t left = p->token_count - 1 - p->position;
    return token_text_at(p, ahead < left ? p->position + ahead : p->token_count - 1);
}

int32_t nilas_sql__offset(const nilas_sql__parser *p) {
    return (int32_t)p->tokens[p->position].offset;
}

int32_t nilas_sql__end(const nilas_sql__parser *p) {
    if (p->position == 0) {
        return 0;
    }
    const nilas_sql__token *last = &p->tokens[p->position - 1];
    return (int32_t)(last->offset + last->size);
}

nilas_str nilas_sql__text_from(const nilas_sql__parser *p, int32_t offset) {
    int32_t end = nilas_sql__end(p);
    return nilas_str_slice(p->text, (size_t)offset, end > offset ? (size_t)(end - offset) : 0);
}

bool nilas_sql__at_word(const nilas_sql__parser *p, size_t ahead, const char *word) {
    int kind = nilas_sql__peek(p, ahead);
    return (kind == TOKEN_IDENTIFIER || kind < TOKEN_END) &&
           nilas_str_is_nocase(nilas_sql__token_text(p, ahead), word);
}

bool nilas_sql__accept_word(nilas_sql__parser *p, const char *word) {
    if (!nilas_sql__at_word(p, 0, word)) {
        return false;
    }
    p->position++;
    return true;
}

nilas_code nilas_sql__expect_word(nilas_sql__parser *p, const char *word) {
    return nilas_sql__accept_word(p, word) ? NILAS_OK : nilas_sql__unexpected(p);
}

// ---- speculation and depth ----------------------------------------------------------------------

nilas_sql__mark nilas_sql__set_mark(const nilas_sql__parser *p) {
    return (nilas_sql__mark){.position = p->position,
                             .depth = p->depth,
                             .has_rejected = p->has_rejected,
                             .unsupported = p->unsupported,
                             .parameter_count = p->parameter_count};
}

void nilas_sql__back_to(nilas_sql__parser *p, const nilas_sql__mark *mark) {
    nilas_assert(mark->position <= p->token_count);
    p->position = mark->position;
    p->depth = mark->depth;
    p->has_rejected = mark->has_rejected;
    p->unsupported = mark->unsupported;
    p->parameter_count = mark->parameter_count;
}

nilas_code nilas_sql__enter(nilas_sql__parser *p) {
    if (p->depth >= NILAS_LIMIT_SQL_DEPTH) {
        return nilas_fail_at(p->err, NILAS_LIMIT, NULL, nilas_sql__offset(p),
                             "the statement nests deeper than %d levels", NILAS_LIMIT_SQL_DEPTH);
    }
    p->depth++;
    return NILAS_OK;
}

void nilas_sql__leave(nilas_sql__parser *p) {
    nilas_assert(p->depth > 0);
    p->depth--;
}

// ---- errors -------------------------------------------------------------------------------------

void nilas_sql__reject(nilas_sql__parser *p, int32_t offset, const char *condition,
                       const char *format, ...) {
    if (p->has_rejected) {
        return;
    }
    char message[NILAS_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    (void)!nilas_fail_at(&p->rejected, NILAS_INVALID, condition, offset, "%s", message);
    p->has_rejected = true;
}

void nilas_sql__reject_operation(nilas_sql__parser *p, int32_t offset, const char *what) {
    nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0035", "Operation not allowed: %s.", what);
}

static nilas_code fail_syntax(nilas_sql__parser *p) {
    if (nilas_str_trim(p->text).size == 0) {
        return nilas_fail_at(p->err, NILAS_INVALID, "PARSE_EMPTY_STATEMENT", 0,
                             "Syntax error, unexpected empty statement.");
    }

    const nilas_sql__token *token = &p->tokens[p->farthest];
    char near[400] = "end of input";
    if (token->kind != TOKEN_END) {
        snprintf(near, sizeof(near), "'%.*s'", NILAS_FMT(token_text_at(p, p->farthest)));
    }
    char hint[500] = "";
    if (p->missing != 0) {
        snprintf(hint, sizeof(hint), ": missing '%s'",
                 nilas_keyword_text((nilas_keyword)p->missing));
    } else if (p->extra) {
        snprintf(hint, sizeof(hint), ": extra input %s", near);
    }
    return nilas_fail_at(p->err, NILAS_INVALID, "PARSE_SYNTAX_ERROR", (int32_t)token->offset,
                         "Syntax error at or near %s%s.", near, hint);
}

static nilas_code expect_end(nilas_sql__parser *p) {
    if (nilas_sql__at(p, TOKEN_END)) {
        return NILAS_OK;
    }
    nilas_code code = nilas_sql__unexpected(p);
    if (p->farthest == p->position && nilas_sql__peek(p, 1) == TOKEN_END) {
        p->extra = true;
    }
    return code;
}

static nilas_code check_comments(nilas_sql__parser *p) {
    const nilas_sql__token *end = &p->tokens[p->token_count - 1];
    if (!end->unclosed) {
        return NILAS_OK;
    }
    return nilas_fail_at(p->err, NILAS_INVALID, "UNCLOSED_BRACKETED_COMMENT", (int32_t)end->offset,
                         "Found an unclosed bracketed comment. Please, append */ at the end of "
                         "the comment.");
}

nilas_code nilas_sql__close(nilas_sql__parser *p, nilas_code code) {
    if (code == NILAS_OK) {
        code = expect_end(p);
    }
    if (code == NILAS_INVALID) {
        return fail_syntax(p);
    }
    NILAS_TRY(code);
    NILAS_TRY(check_comments(p));
    if (p->has_rejected) {
        if (p->err != NULL) {
            *p->err = p->rejected;
        }
        return p->rejected.code;
    }
    return NILAS_OK;
}

nilas_code nilas_sql__open(nilas_sql__parser *p, nilas_arena *stmt, nilas_str text,
                           const nilas_sql_options *options, nilas_error *err) {
    *p = (nilas_sql__parser){.stmt = stmt, .text = text, .err = err};
    if (options != NULL) {
        p->options = *options;
    }
    NILAS_REQUIRE(text.size <= NILAS_LIMIT_SQL_BYTES, err, NILAS_LIMIT,
                  "the statement has %zu bytes, more than %d", text.size, NILAS_LIMIT_SQL_BYTES);

    nilas_map_init(&p->paren_queries, stmt, false);
    NILAS_ARRAY_OF(nilas_sql__token) tokens = {0};
    nilas_sql__lexer lexer = {.text = text};
    nilas_sql__token token;
    do {
        token = nilas_sql__next_token(&lexer);
        if (token.kind == TOKEN_END) {
            token.unclosed = lexer.unclosed_comment;
        }
        NILAS_PUSH(stmt, &tokens, token, err);
    } while (token.kind != TOKEN_END);
    p->tokens = tokens.items;
    p->token_count = tokens.count;
    return NILAS_OK;
}

// ---- entry points -------------------------------------------------------------------------------

nilas_code nilas_sql_parse(nilas_arena *stmt, nilas_str text, const nilas_sql_options *options,
                           nilas_statement **out, nilas_error *err) {
    nilas_sql__parser p;
    NILAS_TRY(nilas_sql__open(&p, stmt, text, options, err));
    int32_t start = nilas_sql__offset(&p);
    nilas_statement *statement = NULL;
    nilas_code code = nilas_sql__statement(&p, &statement);
    nilas_str own = nilas_sql__text_from(&p, start);
    while (code == NILAS_OK && nilas_sql__accept(&p, TOKEN_SEMICOLON)) {
    }
    if (code == NILAS_OK && statement->kind == NILAS_STATEMENT_SET) {
        p.tokens[p.token_count - 1].unclosed = false; // SET takes "/*" as it is
    }
    NILAS_TRY(nilas_sql__close(&p, code));

    if (p.unsupported != NULL) {
        NILAS_TRY(nilas_statement_new(stmt, NILAS_STATEMENT_UNSUPPORTED, start, &statement, err));
        statement->value = nilas_str_of(p.unsupported);
    }
    if (statement->text.data == NULL) {
        statement->text = own;
    }
    *out = statement;
    return NILAS_OK;
}

/* Outside statements there is no node that says so. */
static nilas_code refuse_unsupported(const nilas_sql__parser *p) {
    NILAS_REQUIRE(p->unsupported == NULL, p->err, NILAS_UNSUPPORTED, "%s is not supported",
                  p->unsupported);
    return NILAS_OK;
}

nilas_code nilas_sql_parse_expr(nilas_arena *stmt, nilas_str text, const nilas_sql_options *options,
                                nilas_expr **out, nilas_error *err) {
    nilas_sql__parser p;
    NILAS_TRY(nilas_sql__open(&p, stmt, text, options, err));
    nilas_expr *expr = NULL;
    NILAS_TRY(nilas_sql__close(&p, nilas_sql__named_expression(&p, &expr)));
    NILAS_TRY(refuse_unsupported(&p));
    *out = expr;
    return NILAS_OK;
}

/* A type if the whole text is one, else a schema. */
static nilas_code parse_whole_type(nilas_sql__parser *p, const nilas_type **out) {
    nilas_sql__mark start = nilas_sql__set_mark(p);
    nilas_code code = nilas_sql__type(p, out);
    if (code != NILAS_INVALID && (code != NILAS_OK || nilas_sql__at(p, TOKEN_END))) {
        return code;
    }
    nilas_sql__back_to(p, &start);
    return nilas_sql__schema(p, out);
}

nilas_code nilas_sql_parse_type(nilas_arena *stmt, nilas_str text, const nilas_type **out,
                                nilas_error *err) {
    nilas_sql__parser p;
    NILAS_TRY(nilas_sql__open(&p, stmt, text, NULL, err));
    const nilas_type *type = NULL;
    NILAS_TRY(nilas_sql__close(&p, parse_whole_type(&p, &type)));
    NILAS_TRY(refuse_unsupported(&p));
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_sql_parse_name(nilas_arena *stmt, nilas_str text, nilas_str **out_parts,
                                size_t *out_count, nilas_error *err) {
    nilas_sql__parser p;
    NILAS_TRY(nilas_sql__open(&p, stmt, text, NULL, err));
    nilas_str *parts = NULL;
    size_t count = 0;
    NILAS_TRY(nilas_sql__close(&p, nilas_sql__name(&p, &parts, &count)));
    *out_parts = parts;
    *out_count = count;
    return NILAS_OK;
}

const char *const *nilas_sql_keywords(size_t *out_count) {
    return nilas_keyword_list(out_count);
}
