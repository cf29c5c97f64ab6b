/* Texts that cmake/EmbedSources.cmake puts into the library. */
#ifndef BL_BASE_EMBEDDED_H
#define BL_BASE_EMBEDDED_H

typedef struct bl_embedded {
    const char *name; /* relative to the folder they came from; NULL after the last */
    const char *text;
} bl_embedded;

#endif
