/* Starter scenes for `beadlet new`. */
#ifndef TOOL_TEMPLATES_H
#define TOOL_TEMPLATES_H

typedef struct tool_template {
    const char *name, *summary, *text;
} tool_template;
extern const tool_template tool_templates[]; /* ends with a NULL name */

#endif
