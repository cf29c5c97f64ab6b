#!/bin/sh
# The smooth kernels are those that see least of a packing.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/terms.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM
root=${SOURCE_DIR:?}
"${CC:-cc}" -std=c11 -O2 -DBL_DOUBLE -D_DEFAULT_SOURCE -I"$root/src" -o "$out/kernel_terms" "$root/tools/kernel_terms.c" -lm
"$out/kernel_terms"
