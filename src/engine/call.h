/** Calls that no template can say, written by C: the "@name" of a row. Shared between template.c
 *  and the render files. */
#ifndef NILAS_ENGINE_CALL_H
#define NILAS_ENGINE_CALL_H

#include "engine/template.h"

typedef struct nilas_renderer {
    const char *name; // NULL ends a list
    nilas_code (*render)(nilas_buf *out, const nilas_call_sql *call, nilas_error *err);
} nilas_renderer;

extern const nilas_renderer nilas_engine__decimal_renderers[];    // call_decimal.c
extern const nilas_renderer nilas_engine__scalar_renderers[];     // call_scalar.c
extern const nilas_renderer nilas_engine__time_renderers[];       // call_time.c
extern const nilas_renderer nilas_engine__collection_renderers[]; // call_collection.c
extern const nilas_renderer nilas_engine__aggregate_renderers[];  // call_aggregate.c
extern const nilas_renderer nilas_engine__document_renderers[];   // call_document.c

/** Fill `text` with the call's parts. */
nilas_code nilas_engine__fill_template(nilas_buf *out, const nilas_call_sql *call, const char *text,
                                       nilas_error *err);
/** Whether a "@name" is known. */
bool nilas_engine__has_renderer(const char *name);

/** 'text' with quotes doubled. */
void nilas_engine__print_string(nilas_buf *out, nilas_str text);
/** "name" with quotes doubled. */
void nilas_engine__print_name(nilas_buf *out, nilas_str name);
/** A number for lambda parameters (x1, y1 …) that is larger than any inside `sql`. */
int nilas_engine__unique(nilas_str sql);
/** The same over all arguments of a call. */
int nilas_engine__unique_in_call(const nilas_call_sql *call);
/** Make a decimal of an expression that gives an unscaled number of type DECIMAL(38,0). */
void nilas_engine__print_scaled(nilas_buf *out, nilas_str unscaled_sql, int32_t precision,
                                int32_t scale);
/** "FILTER (WHERE …) OVER (…)" with a further condition (or NULL), each part only when there is
 *  something to say. */
void nilas_engine__print_over(nilas_buf *out, const nilas_call_sql *call, const char *condition);
/** A literal argument, or NULL. */
const nilas_value *nilas_engine__constant(const nilas_call_sql *call, size_t index);

#endif
