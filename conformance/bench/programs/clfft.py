#!/usr/bin/env python3
"""clFFT's transforms on every platform that the loader finds, in turn. Needs libclfft2 and python3-pyopencl."""
import ctypes
from ctypes import byref, c_int, c_size_t, c_uint, c_ulong, c_void_p

import numpy as np

import turns

FFT = ctypes.CDLL("libclFFT.so.2")


class Setup(ctypes.Structure):
    _fields_ = [("major", c_uint), ("minor", c_uint), ("patch", c_uint), ("debug", c_ulong)]


def call(name, *arguments):
    status = getattr(FFT, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {status}")


call("clfftSetup", byref(Setup(2, 12, 2, 0)))


def transform(lengths, batch=1, double=False, real=False, inplace=True):
    def case(m):
        total = int(np.prod(lengths)) * batch
        kind = {(0, 0): np.complex64, (0, 1): np.float32, (1, 0): np.complex128, (1, 1): np.float64}[int(double), int(real)]
        data = (np.random.random(total) - 0.5).astype(kind)
        if not real:
            data = data * (1 + 0.5j)
            data = data.astype(kind)
        out = np.zeros(total + 2 * batch * max(lengths) * max(lengths[1:] or [1]), np.complex128 if double else np.complex64)
        source, target = m.buffer(data), m.buffer(out)
        plan = c_size_t()
        call("clfftCreateDefaultPlan", byref(plan), m.c_context, c_int(len(lengths)), (c_size_t * len(lengths))(*lengths))
        call("clfftSetPlanPrecision", plan, c_int(2 if double else 1))
        call("clfftSetLayout", plan, c_int(5 if real else 1), c_int(3 if real else 1))
        call("clfftSetResultLocation", plan, c_int(2))
        if real:
            half = lengths[0] // 2 + 1
            strides = [1, half, half * (lengths[1] if len(lengths) > 1 else 1)][:len(lengths)]
            call("clfftSetPlanOutStride", plan, c_int(len(lengths)), (c_size_t * len(lengths))(*strides))
            call("clfftSetPlanDistance", plan, c_size_t(int(np.prod(lengths))), c_size_t(half * int(np.prod(lengths[1:]))))
        call("clfftSetPlanBatchSize", plan, c_size_t(batch))
        call("clfftBakePlan", plan, c_uint(1), byref(m.c_queue), None, None)
        ins, outs = (c_void_p * 1)(source.int_ptr), (c_void_p * 1)(target.int_ptr)
        def work():
            call("clfftEnqueueTransform", plan, c_int(-1), c_uint(1), byref(m.c_queue), c_uint(0), None, None, ins, outs, None)
            return source, target  # which live as long as this function
        return work, lambda: m.read(target, out)
    return case


CASES = {
    "1024 x 1024 times": transform([1024], 1024),
    "64 x 16384 times": transform([64], 16384),
    "4096 x 256 times": transform([4096], 256),
    "243 x 4096 times": transform([243], 4096),
    "1000 x 1024 times": transform([1000], 1024),
    "real 1024 x 1024 times": transform([1024], 1024, real=True),
    "1 Mi": transform([1 << 20]),
    "32 Ki, once": transform([1 << 15]),
    "512 x 512": transform([512, 512]),
    "real 512 x 512": transform([512, 512], real=True),
    "1024 x 1024": transform([1024, 1024]),
    "480 x 360": transform([480, 360]),
    "64 x 64 x 64": transform([64, 64, 64]),
    "double 1024 x 512 times": transform([1024], 512, double=True),
    "double 512 x 512": transform([512, 512], double=True),
}

if __name__ == "__main__":
    turns.main(__doc__, CASES)
