#!/bin/sh
# Every C file as clang-format 14 writes it; other versions differ in details, so without this one the test is skipped.
# usage: check_format.sh [--fix]   in the source folder
if [ "${1:-}" = --fix ]; then set -- -i; else set -- --dry-run -Werror; fi
program=$(command -v clang-format-14 || command -v clang-format) || { echo "no clang-format"; exit 77; }
"$program" --version | grep -q 'version 14\.' || { echo "not version 14: $("$program" --version)"; exit 77; }
find include src tool tests bench docs -name '*.[ch]' 2>/dev/null | sort | xargs "$program" "$@"
