#!/usr/bin/env python3
"""pyopencl's reductions, scans, sorts and arrays on every platform that the loader finds, in turn. Needs python3-pyopencl."""
import numpy as np
import pyopencl.array as arrays
import pyopencl.clrandom
from pyopencl.algorithm import RadixSort, copy_if
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

import turns

N = 1 << 22


def device_array(m, kind, n=N, most=1000):
    data = np.random.randint(0, most, n).astype(kind)
    return arrays.to_device(m.queue, data)


def reduction(kind, neutral, reduce_expr, map_expr, arguments, count, n=N):
    def case(m):
        kernel = ReductionKernel(m.context, kind, neutral=neutral, reduce_expr=reduce_expr, map_expr=map_expr, arguments=arguments)
        operands = [device_array(m, kind, n) for _ in range(count)]
        state = []
        def work():
            state[:] = [kernel(*operands)]
        return work, lambda: np.atleast_1d(state[0].get())
    return case


def scan(kernel_class, kind, operation, n=N, neutral="0"):
    def case(m):
        kernel = kernel_class(m.context, kind, operation, neutral=neutral)
        source = device_array(m, kind, n)
        target = arrays.empty_like(source)
        return lambda: kernel(source, target), target.get
    return case


def segmented(m):
    kernel = GenericScanKernel(m.context, np.int32, arguments="__global int *ary, __global char *flags, __global int *out",
        input_expr="ary[i]",
                               scan_expr="across_seg_boundary ? b : a+b", neutral="0", is_segment_start_expr="flags[i]",
                                   output_statement="out[i] = item")
    source, flags = device_array(m, np.int32), device_array(m, np.int8, most=2)
    target = arrays.empty_like(source)
    return lambda: kernel(source, flags, target), target.get


def filtered(m):
    source = device_array(m, np.int32)
    state = []
    def work():
        state[:] = copy_if(source, "ary[i] > 300", queue=m.queue)[:2]
    return work, lambda: state[0].get()[:int(state[1].get())]


def sorted_(n):
    def case(m):
        sort = RadixSort(m.context, "__global int *ary", key_expr="ary[i]", sort_arg_names=["ary"], key_dtype=np.int32)
        source = device_array(m, np.int32, n, most=1 << 30)
        state = []
        def work():
            state[:] = sort(source, key_bits=32, queue=m.queue)[0]
        return work, lambda: state[0].get()
    return case


def elementwise(m):
    kernel = ElementwiseKernel(m.context, "float *x, float *y, float *z", "z[i] = 2*x[i]*y[i] + sin(x[i])", "combine")
    x, y = device_array(m, np.float32), device_array(m, np.float32)
    z = arrays.empty_like(x)
    return lambda: kernel(x, y, z), z.get


def of_arrays(function, kind=np.float32, n=N):
    def case(m):
        x, y = device_array(m, kind, n), device_array(m, kind, n)
        state = []
        def work():
            state[:] = [function(x, y)]
        return work, lambda: np.atleast_1d(state[0].get())
    return case


def gather(m):
    source, places = device_array(m, np.float32), device_array(m, np.int32, most=N)
    state = []
    def work():
        state[:] = [arrays.take(source, places)]
    return work, lambda: state[0].get()


def randoms(m):
    generator = pyopencl.clrandom.PhiloxGenerator(m.context)
    target = arrays.empty(m.queue, N, np.float32)
    return lambda: generator.fill_uniform(target), lambda: None


CASES = {
    "sum of floats": reduction(np.float32, "0", "a+b", "x[i]", "__global float *x", 1),
    "sum of ints, 64 Ki": reduction(np.int32, "0", "a+b", "x[i]", "__global int *x", 1, 1 << 16),
    "dot": reduction(np.float32, "0", "a+b", "x[i]*y[i]", "__global float *x, __global float *y", 2),
    "dot of doubles": reduction(np.float64, "0", "a+b", "x[i]*y[i]", "__global double *x, __global double *y", 2, N // 2),
    "maximum": reduction(np.float32, "-INFINITY", "fmax(a,b)", "fabs(x[i])", "__global float *x", 1),
    "sum of bytes": reduction(np.uint8, "0", "a+b", "x[i]", "__global uchar *x", 1),
    "inclusive scan of ints": scan(InclusiveScanKernel, np.int32, "a+b"),
    "inclusive scan, 64 Ki": scan(InclusiveScanKernel, np.int32, "a+b", 1 << 16),
    "exclusive scan of longs": scan(ExclusiveScanKernel, np.int64, "a+b"),
    "scan by maximum, floats": scan(InclusiveScanKernel, np.float32, "fmax(a,b)", neutral="-INFINITY"),
    "segmented scan": segmented,
    "copy_if": filtered,
    "radix sort, 1 Mi": sorted_(1 << 20),
    "elementwise": elementwise,
    "x + y": of_arrays(lambda x, y: x + y),
    "2 x + 3 y - 1": of_arrays(lambda x, y: 2 * x + 3 * y - 1),
    "x > y": of_arrays(lambda x, y: x > y),
    "array.dot": of_arrays(arrays.dot),
    "array.max": of_arrays(lambda x, y: arrays.max(x)),
    "array.cumsum": of_arrays(lambda x, y: arrays.cumsum(x), np.int32),
    "gather": gather,
    "Philox": randoms,
}

if __name__ == "__main__":
    turns.main(__doc__, CASES)
