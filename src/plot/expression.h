/* Small formulas of one variable: numbers, + - * / ^, brackets, pi, t or x (the same variable), and
 * sqrt exp log abs sin cos tan tanh. */
#ifndef BL_PLOT_EXPRESSION_H
#define BL_PLOT_EXPRESSION_H

#include "base/context.h"

/* The value of `text` at x. BL_ERR_USAGE names the column of a mistake. */
bl_status bl_expression_at(bl_context *ctx, const char *text, double x, double *out);

#endif
