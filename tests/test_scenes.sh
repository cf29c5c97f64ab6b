#!/bin/sh
# Every scene that comes with Beadlet: no error and no warning, a dry run, three steps that leave a finite series.
set -eu
program=${BEADLET:?}
out=$(mktemp -d "${TMPDIR:-/tmp}/scenes.XXXXXX")
trap 'rm -rf "$out"' EXIT INT TERM

fail() {
    echo "$1" >&2
    exit 1
}

count=0
for scene in "${SOURCE_DIR:?}"/scenes/*.yaml; do
    name=$(basename "$scene" .yaml)
    "$program" check "$scene" >"$out/check" 2>&1 || fail "$name: $(cat "$out/check")"
    grep -q warning: "$out/check" && fail "$name: $(cat "$out/check")"
    "$program" run "$scene" --dry-run >"$out/dry" 2>&1 || fail "$name: $(cat "$out/dry")"
    grep -Eq '^warnings +0$' "$out/dry" || fail "$name: $(cat "$out/dry")"
    "$program" run "$scene" --quiet --threads 2 --set time.max_steps=3 -o "$out/$name" || fail "$name: three steps fail"
    [ "$(wc -l <"$out/$name/series.csv")" -eq 4 ] || fail "$name: series.csv has no three rows"
    grep -Eiq 'nan|inf' "$out/$name/series.csv" && fail "$name: numbers in series.csv that are not finite"
    # The gallery or the page of figures knows the scene.
    grep -q "scenes/$name.yaml" "$SOURCE_DIR/docs/gallery.md" "$SOURCE_DIR/docs/figures.md" ||
        fail "$name: neither in docs/gallery.md nor in docs/figures.md"
    # Every figure of the paper can be had in its resolution.
    if [ "$name" != drop ] && [ "$name" != floats ]; then
        "$program" check "$scene" --set quality=paper >"$out/check" 2>&1 || fail "$name: $(cat "$out/check")"
        grep -q warning: "$out/check" && fail "$name at quality=paper: $(cat "$out/check")"
    fi
    count=$((count + 1))
done
[ "$count" -ge 7 ] || fail "only $count scenes found"

# As many particles as the paper has, where it says so and the setup is quick: NAME, a line of the dry run, least, most.
# docs/figures.md has the others.
count_paper() {
    found=$("$program" run "$SOURCE_DIR/scenes/$1.yaml" --set quality=paper --dry-run 2>&1 |
        awk -v what="$2" '$2 == what {print int($3)}')
    { [ "${found:-0}" -ge "$3" ] && [ "$found" -le "$4" ]; } || fail "$1 at quality=paper: $found particles of $2"
}
count_paper separated water 265000 270000 # 267,700 in table 3
count_paper connected water 100000 400000 # drops of 20 and 10 mm
count_paper slope water 20000 60000       # drops of 5, 7 and 9 mm
count_paper rayleigh_taylor middle 30000 40000

# The setup of the paper's resolution where it is quick: no warning, and as many wall particles as docs/figures.md says.
for expected in angles:9075 bell:0 board:10749 chain:0 connected_valve:46510 crown:401341 laplace:0 sphere:20891 \
    wetting:6400 window:725625; do
    name=${expected%:*}
    "$program" run "$SOURCE_DIR/scenes/$name.yaml" --set quality=paper --dry-run >"$out/dry" 2>&1 ||
        fail "$name at quality=paper: $(cat "$out/dry")"
    grep -Eq '^warnings +0$' "$out/dry" || fail "$name at quality=paper: $(cat "$out/dry")"
    walls=$(awk '$1 == "boundary" {n = $3} END {print n + 0}' "$out/dry")
    # not to the last particle: blue noise may differ by one with another compiler
    [ "$walls" -ge $((${expected#*:} * 99 / 100)) ] && [ "$walls" -le $((${expected#*:} * 101 / 100)) ] ||
        fail "$name at quality=paper: $walls wall particles, docs/figures.md has ${expected#*:}"
done

# Every picture of both pages is there, and small.
for picture in $(grep -oh 'pictures/[a-z_]*\.png' "$SOURCE_DIR/docs/gallery.md" "$SOURCE_DIR/docs/figures.md" | sort -u); do
    [ -f "$SOURCE_DIR/docs/$picture" ] || fail "docs/$picture is missing"
    [ "$(wc -c <"$SOURCE_DIR/docs/$picture")" -lt 200000 ] || fail "docs/$picture is larger than 200 kB"
done
echo "$count scenes"
