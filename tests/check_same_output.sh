#!/bin/sh
# check_same_output.sh PROGRAM...: each of them has to print the same, and something.
set -eu
grep -qw avx2 /proc/cpuinfo || { echo "this processor has no AVX2"; exit 77; }
expected=""
for program in "$@"; do
    output=$("$program")
    echo "$(basename "$program"): $output"
    [ -n "$output" ] || { echo "no output"; exit 1; }
    [ -n "$expected" ] || expected=$output
    [ "$output" = "$expected" ] || { echo "differs from the first"; exit 1; }
done
