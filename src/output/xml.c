#include "output/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bl_xml_next(const char *cursor, const char *end, bl_xml_tag *tag) {
    tag->begin = memchr(cursor, '<', (size_t)(end - cursor));
    if (!tag->begin) return false;
    const char *close = memchr(tag->begin, '>', (size_t)(end - tag->begin));
    tag->end = close ? close + 1 : end;
    return close != NULL;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool bl_xml_is(bl_xml_tag tag, const char *name) {
    size_t length = strlen(name);
    if ((size_t)(tag.end - tag.begin) < length + 2 || memcmp(tag.begin + 1, name, length) != 0) return false;
    char next = tag.begin[1 + length];
    return is_space(next) || next == '>' || next == '/';
}

/* The text between the quotes of NAME="..." in the tag. */
static const char *find_value(bl_xml_tag tag, const char *name, size_t *size) {
    size_t length = strlen(name);
    for (const char *c = tag.begin + 1; c + length + 2 < tag.end; c++) {
        bool here = is_space(c[-1]) && memcmp(c, name, length) == 0 && c[length] == '=';
        if (!here || (c[length + 1] != '"' && c[length + 1] != '\'')) continue;
        const char *value = c + length + 2, *close = memchr(value, c[length + 1], (size_t)(tag.end - value));
        if (!close) return NULL;
        *size = (size_t)(close - value);
        return value;
    }
    return NULL;
}

bool bl_xml_attribute(bl_xml_tag tag, const char *name, char *value, size_t capacity) {
    size_t size = 0;
    const char *text = find_value(tag, name, &size);
    if (!text || size >= capacity) return false;
    memcpy(value, text, size);
    value[size] = 0;
    return true;
}

bool bl_xml_integer(bl_xml_tag tag, const char *name, unsigned long long max, unsigned long long *value) {
    char text[24], *end;
    if (!bl_xml_attribute(tag, name, text, sizeof text) || text[0] < '0' || text[0] > '9') return false;
    *value = strtoull(text, &end, 10);
    return *end == 0 && strlen(text) < 20 && *value <= max;
}

bool bl_xml_number(bl_xml_tag tag, const char *name, double *value) {
    char text[64], *end;
    if (!bl_xml_attribute(tag, name, text, sizeof text) || !text[0]) return false;
    *value = strtod(text, &end);
    return *end == 0 && isfinite(*value);
}
