/* The whole program: physics, then the kernels around it. */
#include "backends/opencl/kernels/passes.cl"
#include "backends/opencl/kernels/reduce.cl"
#include "backends/opencl/kernels/scan.cl"
#include "backends/opencl/kernels/sort.cl"
#include "backends/opencl/kernels/search.cl"
#include "backends/opencl/kernels/rows.cl"
#include "backends/opencl/kernels/exchange.cl"
