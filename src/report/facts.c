/* The parts of the page that run.json holds beside the scene. */
#include "report/record.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "1.5 h", "12 min", "3.2 s", "45 ms" */
static void add_duration(bl_html *html, double seconds) {
    if (!isfinite(seconds))
        bl_html_markup(html, "&ndash;");
    else if (seconds >= 3600)
        bl_html_markup(html, "%.3g h", seconds / 3600);
    else if (seconds >= 120)
        bl_html_markup(html, "%.3g min", seconds / 60);
    else if (seconds >= 1 || seconds == 0)
        bl_html_markup(html, "%.3g s", seconds);
    else if (seconds >= 1e-3)
        bl_html_markup(html, "%.3g ms", 1e3 * seconds);
    else
        bl_html_markup(html, "%.3g &micro;s", 1e6 * seconds);
}

/* 1234567 as 1 234 567, with spaces that do not break. */
static void add_count(bl_html *html, double count) {
    char digits[32];
    if (!(count >= 0 && count < 1e15)) {
        bl_html_markup(html, "&ndash;");
        return;
    }
    snprintf(digits, sizeof digits, "%.0f", count);
    for (size_t n = strlen(digits), k = 0; k < n; k++)
        bl_html_markup(html, "%s%c", k && (n - k) % 3 == 0 ? "&#8239;" : "", digits[k]);
}

static void begin_figure(bl_html *html) { bl_html_markup(html, "<div><dd>"); }
static void end_figure(bl_html *html, const char *label) { bl_html_markup(html, "</dd><dt>%s</dt></div>\n", label); }

static void add_figures(bl_html *html, const bl_record *record) {
    struct fy_node *root = record->root, *particles = bl_record_member(root, "particles");
    bl_html_markup(html, "<dl class=\"figures\">\n");
    begin_figure(html);
    add_duration(html, bl_record_number(root, "time"));
    end_figure(html, "simulated");
    begin_figure(html);
    add_duration(html, bl_record_number(root, "wall_seconds"));
    end_figure(html, "computed in");
    begin_figure(html);
    add_count(html, bl_record_number(root, "steps"));
    end_figure(html, "steps");
    begin_figure(html);
    add_count(html, bl_record_number(root, "frames") + 1); /* the file has the last one's number */
    end_figure(html, "frames");
    begin_figure(html);
    add_count(html, bl_record_number(particles, "fluid"));
    end_figure(html, "fluid particles");
    begin_figure(html);
    add_count(html, bl_record_number(particles, "boundary"));
    end_figure(html, "boundary particles");
    bl_html_markup(html, "</dl>\n");
}

void bl_report_add_head(bl_html *html, const bl_record *record) {
    const char *name = bl_record_text(bl_record_member(record->root, "scene"), "name");
    const char *status = bl_record_text(record->root, "status");
    bl_html_markup(html, "<header>\n<p class=\"kind\">Beadlet run</p>\n<h1>");
    bl_html_text(html, *name ? name : "a run");
    bl_html_markup(html, "</h1>\n<p><span class=\"badge %s\">",
                   !strcmp(status, "done")     ? "good"
                   : !strcmp(status, "failed") ? "bad"
                                               : "fair");
    bl_html_text(html, *status ? status : "unknown");
    bl_html_markup(html, "</span> ");
    bl_html_text(html, bl_record_text(record->root, "reason"));
    bl_html_markup(html, "</p>\n");
    add_figures(html, record);
    bl_html_markup(html, "</header>\n");
}

void bl_report_add_warnings(bl_html *html, const bl_record *record) {
    struct fy_node *list = bl_record_member(record->root, "warnings"), *item;
    if (!list || !fy_node_is_sequence(list) || fy_node_sequence_is_empty(list)) return;
    bl_html_begin_section(html, "warnings", "Warnings");
    bl_html_markup(html, "<ul class=\"warnings\">\n");
    void *at = NULL;
    while ((item = fy_node_sequence_iterate(list, &at))) {
        const char *text = fy_node_is_scalar(item) ? fy_node_get_scalar0(item) : NULL;
        bl_html_markup(html, "<li>");
        bl_html_text(html, text ? text : "");
        bl_html_markup(html, "</li>\n");
    }
    bl_html_markup(html, "</ul>\n");
    bl_html_end_section(html);
}

/* --- timings --- */

typedef struct pass {
    const char *name;
    double seconds, calls;
} pass;

static int longer(const void *a, const void *b) {
    double x = ((const pass *)a)->seconds, y = ((const pass *)b)->seconds;
    return (x < y) - (x > y);
}

enum { PASSES_MAX = 256 };

static int read_passes(const bl_record *record, pass *passes) {
    struct fy_node *list = bl_record_member(record->root, "timing"), *item;
    void *at = NULL;
    int count = 0;
    if (!list || !fy_node_is_sequence(list)) return 0;
    while (count < PASSES_MAX && (item = fy_node_sequence_iterate(list, &at))) {
        pass p = {bl_record_text(item, "pass"), bl_record_number(item, "seconds"), bl_record_number(item, "calls")};
        if (p.seconds >= 0 && p.calls >= 0) passes[count++] = p;
    }
    qsort(passes, (size_t)count, sizeof *passes, longer);
    return count;
}

static void add_pass(bl_html *html, const pass *p, double longest, double wall) {
    bl_html_markup(html, "<tr><th scope=\"row\">");
    bl_html_text(html, p->name);
    bl_html_markup(html, "</th><td class=\"bar\"><i style=\"width:%.2f%%\"></i></td><td>",
                   longest > 0 ? 100 * p->seconds / longest : 0);
    add_duration(html, p->seconds);
    bl_html_markup(html, "</td><td>");
    if (wall > 0) bl_html_markup(html, "%.1f&nbsp;%%", 100 * p->seconds / wall);
    bl_html_markup(html, "</td><td>");
    add_count(html, p->calls);
    bl_html_markup(html, "</td><td>");
    add_duration(html, p->calls > 0 ? p->seconds / p->calls : 0);
    bl_html_markup(html, "</td></tr>\n");
}

void bl_report_add_timings(bl_html *html, const bl_record *record) {
    pass passes[PASSES_MAX];
    int count = read_passes(record, passes);
    bl_html_begin_section(html, "timings", "Timings");
    if (!count) bl_html_note(html, "No timings: they are written when a run ends.");
    if (count) {
        bl_html_markup(html, "<div class=\"scroll\"><table class=\"timings\">\n<thead><tr><th>pass</th><th></th>"
                             "<th>time</th><th>of the run</th><th>calls</th><th>a call</th></tr></thead>\n<tbody>\n");
        double wall = bl_record_number(record->root, "wall_seconds");
        for (int k = 0; k < count; k++) add_pass(html, &passes[k], passes[0].seconds, wall);
        bl_html_markup(html, "</tbody></table></div>\n");
        bl_html_note(html, "A pass may contain others, so the shares need not add up to the whole.");
    }
    bl_html_end_section(html);
}

/* --- versions and the command line --- */

static void add_row(bl_html *html, const char *label, const char *text) {
    if (!*text) return;
    bl_html_markup(html, "<tr><th scope=\"row\">%s</th><td>", label);
    bl_html_text(html, text);
    bl_html_markup(html, "</td></tr>\n");
}

/* " --name value" for each member; what an empty value means is the option's business. */
static void add_options(bl_html *html, struct fy_node *map) {
    struct fy_node_pair *pair;
    void *at = NULL;
    if (!map || !fy_node_is_mapping(map)) return;
    while ((pair = fy_node_mapping_iterate(map, &at))) {
        const char *name = fy_node_get_scalar0(fy_node_pair_key(pair));
        struct fy_node *node = fy_node_pair_value(pair);
        const char *value = bl_record_is_null(node) ? NULL : fy_node_get_scalar0(node);
        bl_html_text(html, " --");
        bl_html_text(html, name ? name : "");
        if (value && *value) {
            bl_html_text(html, " ");
            bl_html_text(html, value);
        }
    }
}

static void add_command_line(bl_html *html, const bl_record *record) {
    struct fy_node *options = bl_record_member(record->root, "options"), *item;
    void *at = NULL;
    bl_html_markup(html, "<tr><th scope=\"row\">options</th><td><code>");
    add_options(html, options);
    if (options && fy_node_is_sequence(options))
        while ((item = fy_node_sequence_iterate(options, &at))) add_options(html, item);
    bl_html_markup(html, "</code></td></tr>\n");
}

void bl_report_add_versions(bl_html *html, const bl_record *record) {
    struct fy_node *root = record->root;
    bl_html_begin_section(html, "versions", "Versions");
    bl_html_markup(html, "<div class=\"scroll\"><table class=\"pairs\">\n");
    add_row(html, "run by Beadlet", bl_record_text(root, "version"));
    add_row(html, "page by Beadlet", bl_version());
    add_row(html, "precision", bl_record_text(root, "precision"));
    add_row(html, "device", bl_record_text(root, "device"));
    add_row(html, "threads", bl_record_text(root, "threads"));
    add_row(html, "scene file", bl_record_text(root, "scene_file"));
    add_command_line(html, record);
    add_row(html, "resumed from frame", bl_record_text(bl_record_member(root, "resumed_from"), "frame"));
    add_row(html, "state hash", bl_record_text(root, "state_hash"));
    bl_html_markup(html, "</table></div>\n");
    bl_html_end_section(html);
}
