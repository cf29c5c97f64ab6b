#!/bin/sh
# Everything that is checked: install what the tests need, build with warnings as errors, run all tests.
# usage: sh scripts/test.sh [ctest options]
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh test
cmake --preset ci
cmake --build --preset ci
exec ctest --test-dir build/ci --output-on-failure --no-label-summary -j"$(nproc)" "$@"
