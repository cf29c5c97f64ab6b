#!/bin/sh
# The constants of the physical calibration are those of the least energy of a film.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/film.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM
root=${SOURCE_DIR:?}
"${CC:-cc}" -std=c11 -O2 -fopenmp-simd -DBL_DOUBLE -D_DEFAULT_SOURCE -I"$root/src" -I"$root/include" \
    -o "$out/film_tension" "$root/tools/film_tension.c" -lm
"$out/film_tension" 2 >"$out/film"
wanted=$(sed -n 's/#define BL_A0_PHYSICAL_2D //p' "$root/src/physics/calibration.h")
awk -v wanted="$wanted" '
    /A0/ { a0 = $NF }
    /^[+-]0.005/ { stress += $2 / 2 }
    END {
        printf "A0 %s, calibration.h has %s; stress over energy at rest %.3f\n", a0, wanted, stress
        if (a0 / wanted < 0.98 || a0 / wanted > 1.02 || stress < 0.96 || stress > 1.04) exit 1
    }' "$out/film"
"$out/film_tension" 4 2>/dev/null && exit 1
echo film
