# The example of the documentation compiles against the public headers and runs.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$BEADLET" new free -o "$work/free.yaml" -q
"$CC" -std=c11 -Wall -Wextra -Werror -pedantic -I"$SOURCE_DIR/include" "$SOURCE_DIR/docs/example.c" \
    -L"$BUILD_DIR" -lbeadlet -Wl,-rpath,"$BUILD_DIR" -o "$work/example"
"$work/example" "$work/free.yaml" | tee "$work/out"
grep -q '^5 ms: [0-9]* particles, centre at' "$work/out"
code=0
"$work/example" "$work/absent.yaml" 2>"$work/err" || code=$?
[ "$code" -eq 66 ] && grep -q absent.yaml "$work/err"
# About twenty lines: that is the promise.
[ "$(grep -c . "$SOURCE_DIR/docs/example.c")" -le 26 ]
