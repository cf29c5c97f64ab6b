#!/bin/sh
# Install what is missing, and only that, with apt. Debian 12, Ubuntu 22.04 and 24.04.
# usage: setup.sh [build|test]      test: what the tests need as well
set -eu

# Without these nothing is built.
needed="build-essential cmake ninja-build pkg-config libfyaml-dev libhdf5-dev libpng-dev"
# These add abilities (GPU, clusters, pictures, rigid bodies, smaller meshes); a release may lack one of them.
optional="ocl-icd-opencl-dev opencl-headers libopenmpi-dev libembree-dev libmeshoptimizer-dev libcivetweb-dev"
if [ "${1:-build}" = test ]; then
    needed="$needed libcmocka-dev python3"
    optional="$optional ccache clang-14 clang-format-14 clang-tidy-14 python3-vtk9 python3-numpy pocl-opencl-icd"
fi

installed() {
    dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "setup.sh: run this as root, or install sudo: $*" >&2
        exit 1
    fi
}

missing=""
for package in $needed $optional; do
    installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
command -v apt-get >/dev/null || { echo "setup.sh: no apt here; please install:$missing" >&2; exit 1; }

as_root apt-get -q update
wanted=""
for package in $missing; do
    if apt-cache show "$package" >/dev/null 2>&1; then
        wanted="$wanted $package"
    else
        case " $needed " in
        *" $package "*) echo "setup.sh: no package $package in this release" >&2; exit 1 ;;
        *) echo "setup.sh: no package $package in this release; going on without it" >&2 ;;
        esac
    fi
done
# shellcheck disable=SC2086 # a list of words
[ -z "$wanted" ] || as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $wanted
