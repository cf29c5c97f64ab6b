#!/bin/sh
# From nothing but sh and apt to a simulated drop and its picture in out/drop.
# usage: sh scripts/quickstart.sh [SCENE]
set -eu
cd "$(dirname "$0")/.."
scene=${1:-scenes/drop.yaml}
name=$(basename "$scene")
out=out/${name%.*}

sh scripts/setup.sh build
cmake --preset release
cmake --build --preset release
program=build/release/beadlet
# Threads that wait should not keep others from working: this machine may be busy.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
"$program" run "$scene" -o "$out" --overwrite
if "$program" help render >/dev/null 2>&1; then
    "$program" render "$out"
fi
echo "the results are in $out; the program is $program"
