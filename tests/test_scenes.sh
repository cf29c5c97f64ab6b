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
    # The gallery or the page of figures knows the scene, and its other qualities can be read too.
    grep -q "scenes/$name.yaml" "$SOURCE_DIR/docs/gallery.md" "$SOURCE_DIR/docs/figures.md" ||
        fail "$name: neither in docs/gallery.md nor in docs/figures.md"
    if grep -q '^ *paper:' "$scene"; then
        "$program" check "$scene" --set quality=paper >"$out/check" 2>&1 || fail "$name: $(cat "$out/check")"
    fi
    count=$((count + 1))
done
[ "$count" -ge 7 ] || fail "only $count scenes found"

# Every picture of both pages is there, and small.
for picture in $(grep -oh 'pictures/[a-z_]*\.png' "$SOURCE_DIR/docs/gallery.md" "$SOURCE_DIR/docs/figures.md" | sort -u); do
    [ -f "$SOURCE_DIR/docs/$picture" ] || fail "docs/$picture is missing"
    [ "$(wc -c <"$SOURCE_DIR/docs/$picture")" -lt 200000 ] || fail "docs/$picture is larger than 200 kB"
done
echo "$count scenes"
