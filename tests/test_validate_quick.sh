#!/bin/sh
# label: slow
# Every validation case at small size: none may be worse than its recorded figure.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$SOURCE_DIR"
"$BEADLET" validate --quick --quiet --dir "$dir"
