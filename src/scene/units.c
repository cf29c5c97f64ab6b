#include "scene/units.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { MAX_POWER = 9, MAX_PARENTHESES = 8, MAX_DIGITS = 90 };

static const bl_dim_info dims[BL_DIM_COUNT] = {
    [BL_DIM_NONE] = {"a plain number", "", "", {0, 0, 0, 0}},
    [BL_DIM_LENGTH] = {"a length", "mm", "m", {1, 0, 0, 0}},
    [BL_DIM_TIME] = {"a time", "ms", "s", {0, 0, 1, 0}},
    [BL_DIM_RATE] = {"a rate", "1/s", "1/s", {0, 0, -1, 0}},
    [BL_DIM_DENSITY] = {"a density", "kg/m^3", "kg/m^3", {-3, 1, 0, 0}},
    [BL_DIM_VISCOSITY] = {"a pressure times time", "mPa s", "Pa s", {-1, 1, -1, 0}},
    [BL_DIM_TENSION] = {"a force per length", "mN/m", "N/m", {0, 1, -2, 0}},
    [BL_DIM_VELOCITY] = {"a velocity", "mm/s", "m/s", {1, 0, -1, 0}},
    [BL_DIM_ACCELERATION] = {"an acceleration", "m/s^2", "m/s^2", {1, 0, -2, 0}},
    [BL_DIM_ANGLE] = {"an angle", "deg", "rad", {0, 0, 0, 1}},
    [BL_DIM_ANGULAR_VELOCITY] = {"an angular velocity", "rad/s", "rad/s", {0, 0, -1, 1}},
    [BL_DIM_FLOW] = {"a volume per time", "mL/s", "m^3/s", {3, 0, -1, 0}},
    [BL_DIM_PRESSURE] = {"a pressure", "kPa", "Pa", {-1, 1, -2, 0}},
    [BL_DIM_MASS] = {"a mass", "g", "kg", {0, 1, 0, 0}},
};

const bl_dim_info *bl_dim_describe(bl_dim dim) { return &dims[dim]; }

typedef struct name_row {
    const char *name;
    bool prefixes; /* may stand behind n, u, m, c, k, M */
    bl_unit unit;
} name_row;

static const name_row names[] = {
    {"m", true, {1, 0, {1, 0, 0, 0}}},
    {"s", true, {1, 0, {0, 0, 1, 0}}},
    {"min", false, {60, 0, {0, 0, 1, 0}}},
    {"h", false, {3600, 0, {0, 0, 1, 0}}},
    {"g", true, {1, -3, {0, 1, 0, 0}}},
    {"N", true, {1, 0, {1, 1, -2, 0}}},
    {"dyn", false, {1, -5, {1, 1, -2, 0}}},
    {"Pa", true, {1, 0, {-1, 1, -2, 0}}},
    {"bar", true, {1, 5, {-1, 1, -2, 0}}},
    {"P", true, {1, -1, {-1, 1, -1, 0}}}, /* poise */
    {"J", true, {1, 0, {2, 1, -2, 0}}},
    {"L", true, {1, -3, {3, 0, 0, 0}}},
    {"l", true, {1, -3, {3, 0, 0, 0}}},
    {"Hz", true, {1, 0, {0, 0, -1, 0}}},
    {"rad", true, {1, 0, {0, 0, 0, 1}}},
    {"deg", false, {PI / 180, 0, {0, 0, 0, 1}}},
    {"\u00b0", false, {PI / 180, 0, {0, 0, 0, 1}}},
    {"rpm", false, {2 * PI / 60, 0, {0, 0, -1, 1}}},
    {"%", false, {1, -2, {0, 0, 0, 0}}},
};

static const struct {
    const char *text;
    int exponent;
} prefixes[] = {{"n", -9}, {"u", -6}, {"\u00b5", -6}, {"\u03bc", -6}, {"m", -3}, {"c", -2}, {"k", 3}, {"M", 6}};

bl_unit bl_unit_none(void) {
    bl_unit unit = {1, 0, {0, 0, 0, 0}};
    return unit;
}

static bool same_text(const char *text, size_t size, const char *word) {
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

static const name_row *find_name(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (same_text(text, size, names[i].name)) return &names[i];
    return NULL;
}

/* A whole name first ("min", "Pa"), then prefix and name ("mm", "kPa"). */
static bool find_unit(const char *text, size_t size, bl_unit *out) {
    const name_row *row = find_name(text, size);
    if (row) {
        *out = row->unit;
        return true;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i].text);
        if (size <= length || memcmp(text, prefixes[i].text, length) != 0) continue;
        row = find_name(text + length, size - length);
        if (row && row->prefixes) {
            *out = row->unit;
            out->exponent += prefixes[i].exponent;
            return true;
        }
    }
    return false;
}

/* into *= unit^power */
static bool multiply(bl_unit *into, const bl_unit *unit, int power) {
    into->factor *= pow(unit->factor, power);
    into->exponent += unit->exponent * power;
    for (int k = 0; k < BL_POWERS; k++) {
        into->powers[k] += unit->powers[k] * power;
        if (abs(into->powers[k]) > MAX_POWER) return false;
    }
    return abs(into->exponent) <= 99 && into->factor > 1e-99 && into->factor < 1e99;
}

typedef struct parser {
    const char *text;
    size_t size, at;
    size_t bad_at, bad_size;
    int depth;
} parser;

static bool bad(parser *p, size_t from, size_t to) {
    p->bad_at = from;
    p->bad_size = to > from ? to - from : p->size - from;
    return false;
}

static void skip_blanks(parser *p) {
    while (p->at < p->size && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) p->at++;
}

static bool take(parser *p, const char *word) {
    size_t length = strlen(word);
    if (p->size - p->at < length || memcmp(p->text + p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* "^2", "^-1", "2" and the superscripts. 1 where nothing is written, 0 for nonsense. */
static int parse_power(parser *p) {
    if (take(p, "\u00b2")) return 2;
    if (take(p, "\u00b3")) return 3;
    bool caret = take(p, "^");
    int sign = caret && take(p, "-") ? -1 : 1;
    if (p->at < p->size && isdigit((unsigned char)p->text[p->at])) {
        int digit = p->text[p->at++] - '0';
        bool more = p->at < p->size && isdigit((unsigned char)p->text[p->at]);
        return more ? 0 : sign * digit;
    }
    return caret ? 0 : 1;
}

static bool is_name_byte(char c) { return isalpha((unsigned char)c) || c == '%' || (unsigned char)c >= 0x80; }

/* A superscript or the dot of a product ends a name. */
static bool is_name_end(const parser *p) {
    static const char *const ends[] = {"\u00b2", "\u00b3", "\u00b7"};
    for (int i = 0; i < 3; i++)
        if (p->size - p->at >= 2 && memcmp(p->text + p->at, ends[i], 2) == 0) return true;
    return false;
}

static bool parse_product(parser *p, bl_unit *out);

static bool parse_factor(parser *p, bl_unit *out) {
    size_t from = p->at;
    if (take(p, "(")) {
        if (++p->depth > MAX_PARENTHESES || !parse_product(p, out)) return bad(p, from, p->at);
        skip_blanks(p);
        p->depth--;
        return take(p, ")") || bad(p, from, p->at);
    }
    if (take(p, "1")) {
        *out = bl_unit_none();
        return true;
    }
    while (p->at < p->size && is_name_byte(p->text[p->at]) && !is_name_end(p)) p->at++;
    return find_unit(p->text + from, p->at - from, out) || bad(p, from, p->at);
}

static bool parse_product(parser *p, bl_unit *out) {
    *out = bl_unit_none();
    int sign = 1;
    do {
        skip_blanks(p);
        size_t from = p->at;
        bl_unit factor;
        if (!parse_factor(p, &factor)) return false;
        int power = parse_power(p);
        if (power == 0 || !multiply(out, &factor, sign * power)) return bad(p, from, p->at);
        skip_blanks(p);
        sign = 1;
        if (take(p, "/"))
            sign = -1;
        else if (!take(p, "*"))
            take(p, "\u00b7");
    } while (p->at < p->size && p->text[p->at] != ')');
    return sign == 1 || bad(p, p->at ? p->at - 1 : 0, p->at);
}

bool bl_unit_parse(const char *text, size_t size, bl_unit *out, size_t *bad_at, size_t *bad_size) {
    parser p = {.text = text, .size = size};
    bool good = parse_product(&p, out);
    if (good && p.at < p.size) good = bad(&p, p.at, p.size);
    if (!good) {
        *bad_at = p.bad_at;
        *bad_size = p.bad_size;
    }
    return good;
}

bool bl_unit_fits(const bl_unit *unit, bl_dim dim) {
    return memcmp(unit->powers, dims[dim].powers, sizeof unit->powers) == 0;
}

static size_t digits(const char *text, size_t at, size_t size) {
    size_t end = at;
    while (end < size && isdigit((unsigned char)text[end])) end++;
    return end - at;
}

/* Length of sign, digits and point; 0 if there is no digit. */
static size_t mantissa_length(const char *text, size_t size) {
    size_t at = size > 0 && (text[0] == '+' || text[0] == '-');
    size_t whole = digits(text, at, size), fraction = 0;
    at += whole;
    if (at < size && text[at] == '.') {
        fraction = digits(text, at + 1, size);
        at += 1 + fraction;
    }
    return whole + fraction > 0 ? at : 0;
}

size_t bl_number_length(const char *text, size_t size) {
    size_t at = mantissa_length(text, size);
    if (at > MAX_DIGITS) return 0;
    if (at == 0 || at == size || (text[at] != 'e' && text[at] != 'E')) return at;
    size_t mark = at + 1;
    if (mark < size && (text[mark] == '+' || text[mark] == '-')) mark++;
    size_t exponent = digits(text, mark, size);
    return exponent > 0 ? mark + exponent : at;
}

double bl_number_value(const char *text, size_t size, const bl_unit *unit) {
    char buffer[MAX_DIGITS + 32];
    size_t mantissa = mantissa_length(text, size);
    long exponent = mantissa < size ? strtol(text + mantissa + 1, NULL, 10) : 0;
    if (labs(exponent) > 9999) exponent = exponent < 0 ? -9999 : 9999;
    snprintf(buffer, sizeof buffer, "%.*se%ld", (int)mantissa, text, exponent + unit->exponent);

    /* The caller's locale may write decimals with a comma. */
    locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!c_locale) return (double)NAN;
    locale_t before = uselocale(c_locale);
    double value = strtod(buffer, NULL);
    uselocale(before);
    freelocale(c_locale);
    return value * unit->factor;
}
