/** Strings and binary by position. A string counts code points, binary bytes: the signature says
 *  which (s or x). */
#include "engine/udf_row.h"

static bool is_binary(const nilas_row *row) {
    return row->udf->signature[0] == 'x';
}

static int64_t length_of(const nilas_row *row, nilas_str text) {
    return (int64_t)(is_binary(row) ? text.size : nilas_str_codepoints(text));
}

/** Byte offset of the character at `index` (from 0), clipped to the text. */
static size_t offset_of(const nilas_row *row, nilas_str text, int64_t index) {
    size_t at = 0;
    if (is_binary(row)) {
        return index > (int64_t)text.size ? text.size : (size_t)(index > 0 ? index : 0);
    }
    while (index-- > 0 && at < text.size) {
        (void)nilas_str_next_codepoint(text, &at);
    }
    return at;
}

/** Characters [from, to). */
static nilas_str part(const nilas_row *row, nilas_str text, int64_t from, int64_t to) {
    if (to <= from) {
        return NILAS_STR_EMPTY;
    }
    size_t start = offset_of(row, text, from);
    nilas_str rest = nilas_str_slice(text, start, text.size);
    return nilas_str_slice(rest, 0, offset_of(row, rest, to - (from > 0 ? from : 0)));
}

/** substring(text, position, length): 0 is as 1; negative counts from the end. */
static void substring(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    int64_t position = nilas_row__int(row, 1);
    int64_t length = nilas_row__int(row, 2);
    int64_t start = position > 0   ? position - 1
                    : position < 0 ? length_of(row, text) + position
                                   : 0;
    int64_t end = length <= 0 ? start : start + length;
    nilas_row__set_text(row, part(row, text, start < 0 ? 0 : start, end));
}

static void right(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    int64_t count = nilas_row__int(row, 1);
    int64_t size = length_of(row, text);
    nilas_row__set_text(row,
                        part(row, text, count >= size ? 0 : size - count, count <= 0 ? 0 : size));
}

static void substring_index(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str mark = nilas_row__text(row, 1);
    int32_t count = nilas_row__int(row, 2);
    if (mark.size == 0 || count == 0) {
        nilas_row__set_text(row, NILAS_STR_EMPTY);
        return;
    }
    if (count > 0) {
        size_t at = SIZE_MAX;
        size_t from = 0;
        do {
            at = nilas_str_find(text, mark, from);
            from = at == SIZE_MAX ? at : at + mark.size;
        } while (--count > 0 && at != SIZE_MAX);
        nilas_row__set_text(row, at == SIZE_MAX ? text : nilas_str_slice(text, 0, at));
        return;
    }
    for (size_t at = text.size; at-- > 0;) {
        nilas_str rest = nilas_str_slice(text, at, text.size);
        if (nilas_str_starts(rest, mark) && ++count == 0) {
            nilas_row__set_text(row, nilas_str_slice(rest, mark.size, rest.size));
            return;
        }
    }
    nilas_row__set_text(row, text);
}

static void add_padding(nilas_row *row, nilas_str pad, int64_t count) {
    int64_t size = length_of(row, pad);
    for (int64_t left = count; left > 0; left -= size) {
        nilas_buf_add(row->text, left >= size ? pad : part(row, pad, 0, left));
    }
}

/** extra: 1 pads on the right */
static void pad(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str padding = nilas_row__text(row, 2);
    int64_t wanted = nilas_row__int(row, 1);
    int64_t missing = wanted - length_of(row, text);
    if (missing <= 0) {
        nilas_row__set_text(row, part(row, text, 0, wanted));
        return;
    }
    missing = padding.size == 0 ? 0 : missing;
    if (row->udf->extra == 0) {
        add_padding(row, padding, missing);
    }
    nilas_buf_add(row->text, text);
    if (row->udf->extra != 0) {
        add_padding(row, padding, missing);
    }
    nilas_row__set_buffer(row);
}

static void replace(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str search = nilas_row__text(row, 1);
    size_t from = 0;
    if (search.size == 0) {
        nilas_row__set_text(row, text);
        return;
    }
    for (size_t at = nilas_str_find(text, search, 0); at != SIZE_MAX;
         at = nilas_str_find(text, search, from)) {
        nilas_buf_add(row->text, nilas_str_slice(text, from, at - from));
        nilas_buf_add(row->text, nilas_row__text(row, 2));
        from = at + search.size;
    }
    nilas_buf_add(row->text, nilas_str_slice(text, from, text.size));
    nilas_row__set_buffer(row);
}

/** Index of a code point in a text, or -1. */
static int64_t index_of(nilas_str text, uint32_t wanted) {
    int64_t index = 0;
    for (size_t at = 0; at < text.size; index++) {
        if (nilas_str_next_codepoint(text, &at) == wanted) {
            return index;
        }
    }
    return -1;
}

static void translate(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str to = nilas_row__text(row, 2);
    int64_t targets = (int64_t)nilas_str_codepoints(to);
    for (size_t at = 0; at < text.size;) {
        uint32_t c = nilas_str_next_codepoint(text, &at);
        int64_t index = index_of(nilas_row__text(row, 1), c);
        if (index < 0) {
            nilas_buf_add_codepoint(row->text, c);
        } else if (index < targets) {
            nilas_buf_add(row->text, part(row, to, index, index + 1));
        }
    }
    nilas_row__set_buffer(row);
}

/** overlay(text, new, position, length): length -1 is that of the new part. */
static void overlay(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str added = nilas_row__text(row, 1);
    int64_t position = nilas_row__int(row, 2);
    int64_t length = nilas_row__int(row, 3);
    length = length < 0 ? length_of(row, added) : length;
    nilas_buf_add(row->text, part(row, text, 0, position - 1));
    nilas_buf_add(row->text, added);
    int64_t from = position + length - 1;
    nilas_buf_add(row->text, part(row, text, from < 0 ? 0 : from, length_of(row, text)));
    nilas_row__set_buffer(row);
}

/** locate(part, text, position) */
static void locate(nilas_row *row) {
    nilas_str wanted = nilas_row__text(row, 0);
    nilas_str text = nilas_row__text(row, 1);
    int64_t position = nilas_row__int(row, 2);
    if (position < 1) {
        nilas_row__set_int(row, 0);
        return;
    }
    size_t at = nilas_str_find(text, wanted, offset_of(row, text, position - 1));
    bool beyond = position - 1 > length_of(row, text);
    nilas_row__set_int(row, at == SIZE_MAX || beyond
                                ? 0
                                : (int32_t)nilas_str_codepoints(nilas_str_slice(text, 0, at)) + 1);
}

static void locate_bytes(nilas_row *row) {
    size_t at = nilas_str_find(nilas_row__text(row, 0), nilas_row__text(row, 1), 0);
    nilas_row__set_int(row, at == SIZE_MAX ? 0 : (int32_t)at + 1);
}

static void starts(nilas_row *row) {
    nilas_row__set_boolean(row, nilas_str_starts(nilas_row__text(row, 0), nilas_row__text(row, 1)));
}

static void ends(nilas_row *row) {
    nilas_row__set_boolean(row, nilas_str_ends(nilas_row__text(row, 0), nilas_row__text(row, 1)));
}

static void ascii(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    size_t at = 0;
    nilas_row__set_int(row, text.size == 0 ? 0 : (int32_t)nilas_str_next_codepoint(text, &at));
}

static void chr(nilas_row *row) {
    int64_t code = nilas_row__bigint(row, 0);
    if (code >= 0) {
        nilas_buf_add_codepoint(row->text, (uint32_t)(code & 0xFF));
    }
    nilas_row__set_buffer(row);
}

static void reverse(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    for (size_t end = text.size; end > 0;) {
        size_t start = end - 1;
        while (start > 0 && ((unsigned char)text.data[start] & 0xC0) == 0x80) {
            start--;
        }
        nilas_buf_add(row->text, nilas_str_slice(text, start, end - start));
        end = start;
    }
    nilas_row__set_buffer(row);
}

static void split_part(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str mark = nilas_row__text(row, 1);
    int64_t index = nilas_row__int(row, 2);
    int64_t count = 1;
    if (index == 0) {
        nilas_row__fail(
            row, "INVALID_INDEX_OF_ZERO",
            "The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has "
            "index 1).");
        return;
    }
    for (size_t at = mark.size > 0 ? nilas_str_find(text, mark, 0) : SIZE_MAX; at != SIZE_MAX;
         at = nilas_str_find(text, mark, at + mark.size)) {
        count++;
    }
    index = index < 0 ? count + index + 1 : index;
    size_t from = 0;
    for (int64_t i = 1; i < index && index <= count; i++) {
        from = nilas_str_find(text, mark, from) + mark.size;
    }
    size_t end = mark.size > 0 ? nilas_str_find(text, mark, from) : SIZE_MAX;
    bool inside = index >= 1 && index <= count;
    nilas_row__set_text(
        row, inside ? nilas_str_slice(text, from, end == SIZE_MAX ? text.size : end - from)
                    : NILAS_STR_EMPTY);
}

static void find_in_set(nilas_row *row) {
    nilas_str wanted = nilas_row__text(row, 0);
    nilas_str list = nilas_row__text(row, 1);
    int32_t index = 1;
    size_t from = 0;
    if (nilas_str_find(wanted, NILAS_STR(","), 0) != SIZE_MAX) {
        nilas_row__set_int(row, 0);
        return;
    }
    while (true) {
        size_t comma = nilas_str_find(list, NILAS_STR(","), from);
        nilas_str item = nilas_str_slice(list, from, comma == SIZE_MAX ? list.size : comma - from);
        if (nilas_str_equal(item, wanted)) {
            nilas_row__set_int(row, index);
            return;
        }
        if (comma == SIZE_MAX) {
            nilas_row__set_int(row, 0);
            return;
        }
        from = comma + 1;
        index++;
    }
}

static void is_utf8(nilas_row *row) {
    nilas_row__set_boolean(row, nilas_str_is_utf8(nilas_row__text(row, 0)));
}

/** str_to_map's parts: the pairs of `text`, split at the separators (plain text), as keys (extra 0)
 *  or values (1). */
static void split_pairs(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_str pairs = nilas_row__text(row, 1);
    nilas_str keys = nilas_row__text(row, 2);
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    size_t count = 0;
    if (nilas_arena_alloc_array(row->scratch, text.size + 1, sizeof(nilas_str), &memory, &err) !=
        NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return;
    }
    nilas_str *found = memory;
    for (size_t from = 0; from != SIZE_MAX && count <= text.size;) {
        size_t end = pairs.size > 0 ? nilas_str_find(text, pairs, from) : SIZE_MAX;
        nilas_str pair = nilas_str_slice(text, from, end == SIZE_MAX ? text.size : end - from);
        size_t middle = keys.size > 0 ? nilas_str_find(pair, keys, 0) : SIZE_MAX;
        if (row->udf->extra == 0) {
            found[count++] = middle == SIZE_MAX ? pair : nilas_str_slice(pair, 0, middle);
        } else {
            found[count++] = middle == SIZE_MAX
                                 ? (nilas_str){0}
                                 : nilas_str_slice(pair, middle + keys.size, pair.size);
        }
        from = end == SIZE_MAX ? SIZE_MAX : end + pairs.size;
    }
    nilas_row__set_texts(row, found, count);
}

const nilas_udf nilas_engine__text_functions[] = {
    {"nilas_substring", "sii>s", substring, 0, 0},
    {"nilas_substring", "xii>x", substring, 0, 0},
    {"nilas_right", "si>s", right, 0, 0},
    {"nilas_substring_index", "ssi>s", substring_index, 0, 0},
    {"nilas_lpad", "sis>s", pad, 0, 0},
    {"nilas_lpad", "xix>x", pad, 0, 0},
    {"nilas_rpad", "sis>s", pad, 0, 1},
    {"nilas_rpad", "xix>x", pad, 0, 1},
    {"nilas_replace", "sss>s", replace, 0, 0},
    {"nilas_translate", "sss>s", translate, 0, 0},
    {"nilas_overlay", "ssii>s", overlay, 0, 0},
    {"nilas_overlay", "xxii>x", overlay, 0, 0},
    {"nilas_locate", "ssi>i", locate, 0, 0},
    {"nilas_locate", "xx>i", locate_bytes, 0, 0},
    {"nilas_starts", "xx>b", starts, 0, 0},
    {"nilas_ends", "xx>b", ends, 0, 0},
    {"nilas_ascii", "s>i", ascii, 0, 0},
    {"nilas_chr", "l>s", chr, 0, 0},
    {"nilas_reverse", "s>s", reverse, 0, 0},
    {"nilas_split_part", "ssi>s", split_part, 0, 0},
    {"nilas_find_in_set", "ss>i", find_in_set, 0, 0},
    {"nilas_is_utf8", "x>b", is_utf8, 0, 0},
    {"nilas_pair_keys", "sss>S", split_pairs, 0, 0},
    {"nilas_pair_values", "sss>S", split_pairs, 0, 1},
    {NULL, NULL, NULL, 0, 0},
};
