#!/bin/sh
# The shapes that come with the scenes are what their generator makes.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/shapes.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -o "$out/make_shapes" "${SOURCE_DIR:?}/tools/make_shapes.c" -lm
for file in "$SOURCE_DIR"/scenes/shapes/*; do
    name=$(basename "$file")
    "$out/make_shapes" "${name%.*}" >"$out/$name"
    cmp "$file" "$out/$name"
done
"$out/make_shapes" nothing 2>/dev/null && exit 1
echo shapes
