/* beadlet new: a starter scene, or the reference of all keys. */
#include "templates.h"
#include "tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const tool_option options[] = {
    {"output", 'o', "FILE", "Write to FILE, or - for standard output. Default: TEMPLATE.yaml.", HINT_FILE, NULL},
    {"overwrite", 0, NULL, "Replace an existing file.", HINT_NONE, NULL},
    {"list", 'l', NULL, "Print the names of the templates.", HINT_NONE, NULL},
    {"reference", 0, NULL, "Print the reference of all scene keys (Markdown).", HINT_NONE, NULL},
    TOOL_END,
};

static int print_list(void) {
    for (const tool_template *s = tool_templates; s->name; s++) printf("%-12s %s\n", s->name, s->summary);
    return 0;
}

static int print_reference(tool *t) {
    char *text = bl_scene_reference(t->ctx);
    if (!text) return tool_fail(t, BL_ERR_MEMORY);
    fputs(text, stdout);
    bl_free_string(t->ctx, text);
    return 0;
}

static const tool_template *find_template(const tool *t, const char *name) {
    const char *words[32];
    int count = 0;
    for (const tool_template *s = tool_templates; s->name; s++) {
        if (strcmp(s->name, name) == 0) return s;
        words[count++] = s->name;
    }
    const char *near = tool_nearest(name, words, count);
    tool_usage(t, "unknown template \"%s\"%s%s; beadlet new --list names them all", name, near ? "; did you mean " : "",
               near ? near : "");
    return NULL;
}

static int report_file(tool *t, bl_status status, const char *path, const char *why) {
    char text[4400];
    snprintf(text, sizeof text, "%s: %s", path, why);
    tool_log(t, BL_LOG_ERROR, text);
    return bl_status_exit_code(status);
}

/* "x": an existing file is an error, not overwritten. */
static int write_file(tool *t, const tool_template *scene, const char *path) {
    FILE *file = fopen(path, tool_has(t, "overwrite") ? "w" : "wx");
    if (!file && errno == EEXIST)
        return report_file(t, BL_ERR_CANT_CREATE, path, "exists already: choose another name (-o FILE) or --overwrite");
    if (!file) return report_file(t, BL_ERR_CANT_CREATE, path, strerror(errno));
    bool written = fputs(scene->text, file) >= 0;
    written = fclose(file) == 0 && written;
    if (!written) return report_file(t, BL_ERR_IO, path, strerror(errno));
    char text[9000];
    snprintf(text, sizeof text, "wrote %s; next: beadlet run %s", path, path);
    tool_log(t, BL_LOG_INFO, text);
    return 0;
}

static int run_new(tool *t) {
    if (tool_has(t, "list")) return print_list();
    if (tool_has(t, "reference")) return print_reference(t);
    const tool_template *scene = find_template(t, t->operand_count ? t->operands[0] : "drop");
    if (!scene) return 2;
    char path[4096];
    snprintf(path, sizeof path, "%s.yaml", scene->name);
    if (tool_has(t, "output")) snprintf(path, sizeof path, "%s", tool_value(t, "output"));
    if (strcmp(path, "-") == 0) return fputs(scene->text, stdout) < 0;
    return write_file(t, scene, path);
}

const tool_command cmd_new = {
    .name = "new",
    .operands = "[TEMPLATE]",
    .max_operands = 1,
    .operand_hint = HINT_CHOICE,
    .operand_choices = "drop slope free collision flat",
    .summary = "write a starter scene, or print the reference of all keys",
    .description = "Writes a commented scene to begin with. Without a template: drop.",
    .options = options,
    .examples = "  beadlet new\n  beadlet new slope -o my.yaml\n  beadlet new --reference | less",
    .run = run_new,
};
