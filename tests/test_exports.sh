#!/bin/sh
# The shared library shows bl_ names and nothing else, and every function of the public headers is among them.
# label: style
set -eu
if ! grep -q '^BEADLET_SANITIZE:STRING=$' "$BUILD_DIR/CMakeCache.txt"; then
    echo "sanitizers add names of their own"
    exit 77
fi
names=$(nm -D --defined-only "$BUILD_DIR/libbeadlet.so" | awk '{print $3}')
foreign=$(echo "$names" | grep -v '^bl_' || true)
[ -z "$foreign" ] || { echo "not ours: $foreign"; exit 1; }

# Declared in a public header, so defined and visible.
declared=$(cat "$SOURCE_DIR"/include/beadlet/*.h | grep '^BL_API ' | sed 's/(.*//; s/.*[ *]//' | sort -u)
missing=$(for name in $declared; do echo "$names" | grep -qx "$name" || echo "$name"; done)
[ -z "$missing" ] || { echo "declared but not there: $missing"; exit 1; }

# And the other way round: an inner function does not slip out.
inner=$(for name in $names; do echo "$declared" | grep -qx "$name" || echo "$name"; done)
[ -z "$inner" ] || { echo "visible but in no public header: $inner"; exit 1; }
echo "$(echo "$names" | wc -l) names"
