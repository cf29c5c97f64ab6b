#!/bin/sh
# The constants of the physical calibration are those of the least energy of a film.
set -eu
out=$(mktemp -d "${TMPDIR:-/tmp}/film.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM
root=${SOURCE_DIR:?}
"${CC:-cc}" -std=c11 -O2 -fopenmp-simd -DBL_DOUBLE -D_DEFAULT_SOURCE -I"$root/src" -I"$root/include" \
    -o "$out/film_tension" "$root/tools/film_tension.c" "$root/src/schemes/kernels.c" -lm

a0_of() { sed -n "s/#define BL_A0_$1 //p" "$root/src/physics/calibration.h"; }

"$out/film_tension" 2 >"$out/film"
awk -v wanted="$(a0_of PHYSICAL_2D)" '
    /A0/ { a0 = $NF }
    /^[+-]0.005/ { stress += $2 / 2 }
    END {
        printf "2D: A0 %s, calibration.h has %s; stress over energy at rest %.3f\n", a0, wanted, stress
        if (a0 / wanted < 0.98 || a0 / wanted > 1.02 || stress < 0.96 || stress > 1.04) exit 1
    }' "$out/film"

# as small as a film can be; films of this size scatter by 0.1 %
"$out/film_tension" 3 smooth across=7 thick=7 strains=0 >"$out/film"
awk -v wanted="$(a0_of SMOOTH_3D)" '
    /A0/ { a0 = $NF }
    END {
        printf "3D, smooth: A0 %s, calibration.h has %s\n", a0, wanted
        if (a0 / wanted < 0.995 || a0 / wanted > 1.005) exit 1
    }' "$out/film"

# f(m) makes most of a surface's area modulus, by how sharp its tip is (docs/theory/calibration.md)
modulus_of() { sed -n "s/^area.*f(m) \([-0-9.]*\), together \([-0-9.]*\)/\1 \2/p"; }
set -- $("$out/film_tension" 3 smooth across=7 thick=7 affine=1 | modulus_of) \
    $("$out/film_tension" 3 smooth across=7 thick=7 affine=1 round=0.1 | modulus_of)
awk -v f="$1" -v all="$2" -v round_f="$3" -v round_all="$4" 'BEGIN {
    printf "area modulus over gamma: %s of it f(m) %s; with a round tip %s, %s\n", all, f, round_all, round_f
    if (!(f > 0.6 * all && round_f < 0 && round_all < all / 2)) exit 1
}'

"$out/film_tension" 4 2>/dev/null && exit 1
"$out/film_tension" 2 affine=1 2>/dev/null && exit 1
"$out/film_tension" 2 smooth 2>/dev/null && exit 1
"$out/film_tension" 3 slope= 2>/dev/null && exit 1
echo film
