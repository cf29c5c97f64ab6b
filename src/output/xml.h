/* Just enough XML for VTK's files: one tag after another, and their attributes. */
#ifndef BL_OUTPUT_XML_H
#define BL_OUTPUT_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bl_xml_tag {
    const char *begin, *end; /* from '<' to behind '>' */
} bl_xml_tag;

/* The next tag in [cursor, end), skipping text between tags. False at the end or at a tag that is cut off. */
bool bl_xml_next(const char *cursor, const char *end, bl_xml_tag *tag);
bool bl_xml_is(bl_xml_tag tag, const char *name); /* "Piece", or "/Piece" for a closing tag */
/* The attribute's value as a string; false if it is missing or does not fit. */
bool bl_xml_attribute(bl_xml_tag tag, const char *name, char *value, size_t capacity);
/* Likewise as a whole number not above `max`, or as a finite number. */
bool bl_xml_integer(bl_xml_tag tag, const char *name, unsigned long long max, unsigned long long *value);
bool bl_xml_number(bl_xml_tag tag, const char *name, double *value);

#endif
