#!/bin/sh
# The kernels as a strict compiler of OpenCL C 1.2 sees them, also for devices without double precision, which must not
# meet the word. Drivers differ in what they put up with; PoCL, which the other tests run on, takes more than most.
cd "$(dirname "$0")/.." || exit 1
clang=$(command -v clang-14 || command -v clang) || { echo "no clang"; exit 77; }

check() {
    echo "kernels: $*"
    "$clang" -x cl -cl-std=CL1.2 -target spir64 -pedantic-errors -Wall -Werror -Wno-unused-function -fsyntax-only \
        -Xclang -finclude-default-header -Isrc -DREDUCE_GROUP=128 -DNUMBERS=32 -DWIDEST=16 -DPART=128 -DSCAN_GROUP=256 \
        -DSCAN_BLOCK=1024 -DSORT_GROUP=128 -DSORT_ITEMS=8 -DWALL_GROUP=256 "$@" src/backends/opencl/kernels/all.cl || exit 1
}
check
check -DBL_PERIODIC -DBL_LAST_ENDS
check -DBL_DOUBLE -DBL_LAST_ENDS -DSOLVE_GROUP=1024 -DSOLVE_SUMS=256
check -DBL_KNOWN -DBL_FACT_dimension=3 -DBL_FACT_n_phases=1 -DBL_FACT_corrected=1 -DBL_FACT_pairwise=0 \
    -DBL_FACT_exact_friction=1 -DBL_FACT_periodic=0 -DBL_FACT_nozzles=0 -DBL_FACT_field=0 -DBL_FACT_steady=1 -Wno-missing-braces \
    -DKNOWN_PARAMS=3,1,1,0,1,0,0,0,1,0x1.8p-3f -DKNOWN_FLUIDS=0x1p-2f,0x1p+2f
check -DBL_NO_FP64 -DBL_LAST_ENDS -DSOLVE_GROUP=1024 -DSOLVE_SUMS=256 -Wno-keyword-macro -cl-single-precision-constant -Xclang -cl-ext=-cl_khr_fp64
