/* Recursive descent:  sum = product {(+|-) product};  product = power {(*|/) power};  power = [-] atom [^ power]. */
#include "plot/expression.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

typedef struct parser {
    bl_context *ctx;
    const char *text, *at;
    double x;
    int depth;
    bl_status status;
} parser;

static double sum(parser *p);

static double wrong(parser *p, const char *expected) {
    if (!p->status)
        p->status = bl_fail(p->ctx, BL_ERR_USAGE, "formula '%s': column %d: expected %s, found %s%.1s%s", p->text,
                            (int)(p->at - p->text) + 1, expected, *p->at ? "'" : "the end", p->at, *p->at ? "'" : "");
    return (double)NAN;
}

static char peek(parser *p) {
    while (isspace((unsigned char)*p->at)) p->at++;
    return *p->at;
}

static bool accept(parser *p, char c) {
    if (peek(p) != c) return false;
    p->at++;
    return true;
}

static const struct function {
    const char *name;
    double (*fn)(double);
} functions[] = {{"sqrt", sqrt}, {"exp", exp}, {"log", log}, {"abs", fabs},
                 {"sin", sin},   {"cos", cos}, {"tan", tan}, {"tanh", tanh}};

static double bracket(parser *p) {
    if (!accept(p, '(')) return wrong(p, "'('");
    double value = sum(p);
    if (!p->status && !accept(p, ')')) return wrong(p, "')'");
    return value;
}

static double word(parser *p) {
    const char *start = p->at;
    while (isalpha((unsigned char)*p->at)) p->at++;
    size_t length = (size_t)(p->at - start);
    if (length == 1 && (*start == 't' || *start == 'x')) return p->x;
    if (length == 2 && !strncmp(start, "pi", 2)) return 3.14159265358979323846;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == length && !strncmp(start, functions[i].name, length))
            return functions[i].fn(bracket(p));
    p->at = start;
    return wrong(p, "t, x, pi, a number or one of sqrt exp log abs sin cos tan tanh");
}

static double atom(parser *p) {
    char c = peek(p);
    if (c == '(') return bracket(p);
    if (isalpha((unsigned char)c)) return word(p);
    if (isdigit((unsigned char)c) || c == '.') {
        char *end;
        double value = strtod(p->at, &end);
        if (end == p->at) return wrong(p, "a number");
        p->at = end;
        return value;
    }
    return wrong(p, "a value");
}

static double power(parser *p) {
    if (p->depth >= MAX_DEPTH) return wrong(p, "fewer brackets");
    p->depth++;
    double value;
    if (accept(p, '-'))
        value = -power(p);
    else {
        value = atom(p);
        if (!p->status && accept(p, '^')) value = pow(value, power(p));
    }
    p->depth--;
    return value;
}

static double product(parser *p) {
    double value = power(p);
    while (!p->status) {
        if (accept(p, '*'))
            value *= power(p);
        else if (accept(p, '/'))
            value /= power(p);
        else
            break;
    }
    return value;
}

static double sum(parser *p) {
    double value = product(p);
    while (!p->status) {
        if (accept(p, '+'))
            value += product(p);
        else if (accept(p, '-'))
            value -= product(p);
        else
            break;
    }
    return value;
}

bl_status bl_expression_at(bl_context *ctx, const char *text, double x, double *out) {
    parser p = {ctx, text, text, x, 0, BL_OK};
    *out = sum(&p);
    if (!p.status && peek(&p)) wrong(&p, "an operator or the end");
    return p.status;
}
