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
"$program" run "$scene" -o "$out"
"$program" render "$out"
echo "frames, measurements and pictures are in $out; the program is $program"
