#!/usr/bin/python3
"""pyopencl's own helpers on the platform under test: arrays, element-wise, reduction and scan kernels.

Runs on the platform whose name contains WEFT_TEST_PLATFORM (default Weft); needs Debian's python3-pyopencl.
"""

import os
import sys

os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

import numpy as np
import pyopencl as cl
import pyopencl.array
import pyopencl.clmath
import pyopencl.clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel


def find_device():
    wanted = os.environ.get("WEFT_TEST_PLATFORM", "Weft")
    for platform in cl.get_platforms():
        if wanted in platform.name and platform.get_devices():
            return platform.get_devices()[0]
    sys.exit(f"no platform named like {wanted}: {[p.name for p in cl.get_platforms()]}")


def check_elementwise(queue, random):
    a = random.standard_normal(50000).astype(np.float32)
    b = random.standard_normal(50000).astype(np.float32)
    x, y = cl.array.to_device(queue, a), cl.array.to_device(queue, b)
    z = cl.array.empty_like(x)
    kernel = ElementwiseKernel(queue.context, "float k, float *x, float *y, float *z", "z[i] = k * x[i] + y[i] * y[i]", "axpyy")
    kernel(np.float32(3), x, y, z)
    np.testing.assert_allclose(z.get(), 3 * a + b * b, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose((x * y + 2 * x - 1).get(), a * b + 2 * a - 1, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(cl.clmath.sin(x).get(), np.sin(a), rtol=1e-4, atol=1e-5)


def check_reduction(queue, random):
    a = random.integers(-1000, 1000, 77777).astype(np.int32)
    x = cl.array.to_device(queue, a)
    total = ReductionKernel(queue.context, np.int64, neutral="0", reduce_expr="a+b", map_expr="(long)x[i]*x[i]",
                            arguments="__global const int *x")
    assert total(x).get() == (a.astype(np.int64) ** 2).sum()
    assert cl.array.max(x).get() == a.max() and cl.array.min(x).get() == a.min()
    f = random.random(100000).astype(np.float32)
    np.testing.assert_allclose(cl.array.sum(cl.array.to_device(queue, f)).get(), f.sum(dtype=np.float64), rtol=1e-4)
    np.testing.assert_allclose(cl.array.dot(x, x, dtype=np.float64).get(), (a.astype(np.float64) ** 2).sum(), rtol=1e-6)


def check_scan(queue, random):
    for count in (1, 100, 1023, 65536, 100001):
        a = random.integers(0, 100, count).astype(np.int32)
        x = cl.array.to_device(queue, a)
        InclusiveScanKernel(queue.context, np.int32, "a+b", neutral="0")(x)
        assert (x.get() == np.cumsum(a)).all(), f"inclusive scan of {count}"
        x = cl.array.to_device(queue, a)
        ExclusiveScanKernel(queue.context, np.int32, "a+b", "0")(x)
        assert (x.get() == np.cumsum(a) - a).all(), f"exclusive scan of {count}"
    # Elements that pass a test, put together: a scan with an output statement of its own.
    a = random.integers(0, 1000, 50000).astype(np.int32)
    x = cl.array.to_device(queue, a)
    out = cl.array.empty_like(x)
    GenericScanKernel(queue.context, np.int32, arguments="__global int *x, __global int *out", input_expr="x[i] > 500 ? 1 : 0",
                      scan_expr="a+b", neutral="0", output_statement="if (prev_item != item) out[item - 1] = x[i];")(x, out)
    wanted = a[a > 500]
    assert (out.get()[: len(wanted)] == wanted).all()


def check_program(queue, random):
    source = "__kernel void square(__global float *a, const int n) { int i = get_global_id(0); if (i < n) a[i] *= a[i]; }"
    program = cl.Program(queue.context, source).build()
    a = random.random(1000).astype(np.float32)
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
    event = program.square(queue, (1024,), (64,), buffer, np.int32(1000))
    event.wait()
    assert event.profile.end >= event.profile.start
    got = np.empty_like(a)
    cl.enqueue_copy(queue, got, buffer)
    np.testing.assert_allclose(got, a * a, rtol=1e-6)
    again = cl.Program(queue.context, queue.context.devices, program.binaries).build()
    again.square(queue, (1024,), (64,), buffer, np.int32(1000))
    cl.enqueue_copy(queue, got, buffer)
    np.testing.assert_allclose(got, a**4, rtol=1e-5)


def check_random(queue, _):
    x = cl.clrandom.PhiloxGenerator(queue.context, seed=3).uniform(queue, 100000, np.float32)
    assert abs(x.get().mean() - 0.5) < 0.01


def main():
    device = find_device()
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    random = np.random.default_rng(1)
    for check in (check_program, check_elementwise, check_reduction, check_scan, check_random):
        check(queue, random)
        print(f"{check.__name__[6:]}: right")
    print(f"pyopencl on {device.platform.name}: all right")


if __name__ == "__main__":
    main()
