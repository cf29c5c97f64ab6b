#!/bin/sh
# Install into an empty prefix; build and run a program against it with pkg-config and with find_package.
# shellcheck disable=SC2046,SC2086 # flags are lists of words
# label: slow
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
cmake --install "$BUILD_DIR" --prefix "$prefix" >"$work/log"
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libbeadlet.so)")
PKG_CONFIG_PATH=$LD_LIBRARY_PATH/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH

# A sanitized library needs its run-time library in the program, too.
flags=""
sanitize=$(sed -n 's/^BEADLET_SANITIZE:STRING=//p' "$BUILD_DIR/CMakeCache.txt")
[ -z "$sanitize" ] || flags="-fsanitize=$sanitize"

mkdir "$work/user"
cat >"$work/user/user.c" <<'C'
#include <beadlet/context.h>
#include <stdio.h>
int main(void) {
    bl_context *ctx;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 1;
    bl_context_destroy(ctx);
    return puts(bl_version()) < 0;
}
C
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$BUILD_DIR/CMakeCache.txt")
[ "$(pkg-config --modversion beadlet)" = "$version" ]
$CC -std=c11 -Wall -Wextra -Werror $flags "$work/user/user.c" -o "$work/user/pc" $(pkg-config --cflags --libs beadlet)
[ "$("$work/user/pc")" = "$version" ]

cat >"$work/user/CMakeLists.txt" <<'M'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(beadlet 0.1 REQUIRED)
add_executable(user user.c)
target_link_libraries(user beadlet::beadlet)
M
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" \
      -DCMAKE_C_FLAGS="$flags" >"$work/log"
cmake --build "$work/user/build" >"$work/log"
[ "$("$work/user/build/user")" = "$version" ]

# The documentation's example, and every public header on its own, in C and in C++.
for example in "$SOURCE_DIR"/docs/example*.c; do
    [ ! -f "$example" ] || $CC -std=c11 -Wall -Wextra -Werror $flags "$example" -o "$work/user/example" \
        $(pkg-config --cflags --libs beadlet)
done
for header in "$prefix"/include/beadlet/*.h; do
    name=beadlet/$(basename "$header")
    echo "#include <$name>" | $CC -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" -x c -
    if command -v c++ >/dev/null; then
        echo "#include <$name>" | c++ -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" -x c++ -
    fi
done

# The program runs from the prefix without help from the environment.
unset LD_LIBRARY_PATH
if [ -x "$prefix/bin/beadlet" ]; then
    "$prefix/bin/beadlet" --version | grep -q "$version"
    for file in share/man/man1/beadlet.1 share/bash-completion/completions/beadlet share/zsh/site-functions/_beadlet \
                share/fish/vendor_completions.d/beadlet.fish; do
        [ -s "$prefix/$file" ] || { echo "missing: $file"; exit 1; }
    done
fi
echo "installed and used"
