#!/usr/bin/env python3
"""CLBlast's routines on every platform that the loader finds, in turn. Needs libclblast1 and python3-pyopencl."""
import ctypes
from ctypes import c_double, c_float, c_size_t, c_void_p, byref

import numpy as np

import turns

BLAS = ctypes.CDLL("libclblast.so.1")
ZERO, ONE = c_size_t(0), c_size_t(1)
ROW, NO, YES, UPPER, LOWER, UNIT, LEFT = 101, 111, 112, 121, 122, 131, 141



class Vec2(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float)]


def call(name, *arguments):
    status = getattr(BLAS, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: {status}")


def values(count, kind=np.float32):
    return (np.random.random(count) - 0.5).astype(kind)


def vector(name, n, *, outputs=0, scalar=None, kind=np.float32, inc=1):
    """y-like routines: name(n, [alpha], x, y?)."""
    def case(m):
        x, y = values(n, kind), values(n, kind)
        bx, by = m.buffer(x), m.buffer(y)
        s = [scalar] if scalar is not None else []
        ox = [c_void_p(bx.int_ptr), ZERO, ONE]
        oy = [c_void_p(by.int_ptr), ZERO, ONE]
        def work():
            arguments = [c_size_t(n)] + s + ox + (oy if outputs != 1 else [])
            call(name, *arguments, byref(m.c_queue), None)
            return bx, by  # which live as long as this function
        return work, lambda: m.read(by if outputs != 1 else bx, y)
    return case


def reduce_(name, n, two, kind=np.float32, out=np.float32):
    def case(m):
        x, y = values(n, kind), values(n, kind)
        r = np.zeros(4, out)
        bx, by, br = m.buffer(x), m.buffer(y), m.buffer(r)
        def work():
            arguments = [c_size_t(n), c_void_p(br.int_ptr), ZERO, c_void_p(bx.int_ptr), ZERO, ONE]
            if two:
                arguments += [c_void_p(by.int_ptr), ZERO, ONE]
            call(name, *arguments, byref(m.c_queue), None)
            return bx, by  # which live as long as this function
        return work, lambda: m.read(br, r)[:1]
    return case


def sc(kind, v):
    return c_float(v) if kind == np.float32 else c_double(v) if kind == np.float64 else Vec2(v, 0)


def gemm(name, m_, n, k, ta=NO, tb=NO, kind=np.float32):
    def case(m):
        a, b, c = values(m_ * k, kind), values(k * n, kind), values(m_ * n, kind)
        ba, bb, bc = m.buffer(a), m.buffer(b), m.buffer(c)
        def work():
            call(name, ROW, ta, tb, c_size_t(m_), c_size_t(n), c_size_t(k), sc(kind, 1), c_void_p(ba.int_ptr), ZERO,
                c_size_t(k if ta == NO else m_),
                 c_void_p(bb.int_ptr), ZERO, c_size_t(n if tb == NO else k), sc(kind, 0), c_void_p(bc.int_ptr), ZERO, c_size_t(n),
                     byref(m.c_queue), None)
        return work, lambda: m.read(bc, c)
    return case


def gemv(name, rows, cols, ta=NO, kind=np.float32):
    def case(m):
        a, x, y = values(rows * cols, kind), values(max(rows, cols), kind), values(max(rows, cols), kind)
        ba, bx, by = m.buffer(a), m.buffer(x), m.buffer(y)
        def work():
            call(name, ROW, ta, c_size_t(rows), c_size_t(cols), sc(kind, 1), c_void_p(ba.int_ptr), ZERO, c_size_t(cols),
                 c_void_p(bx.int_ptr), ZERO, ONE, sc(kind, 0), c_void_p(by.int_ptr), ZERO, ONE, byref(m.c_queue), None)
        return work, lambda: m.read(by, y)
    return case


def ger(n):
    def case(m):
        a, x, y = values(n * n), values(n), values(n)
        ba, bx, by = m.buffer(a), m.buffer(x), m.buffer(y)
        def work():
            call("CLBlastSger", ROW, c_size_t(n), c_size_t(n), c_float(1e-3), c_void_p(bx.int_ptr), ZERO, ONE,
                 c_void_p(by.int_ptr), ZERO, ONE, c_void_p(ba.int_ptr), ZERO, c_size_t(n), byref(m.c_queue), None)
        return work, lambda: None
    return case


def symv(n):
    def case(m):
        a, x, y = values(n * n), values(n), values(n)
        ba, bx, by = m.buffer(a), m.buffer(x), m.buffer(y)
        def work():
            call("CLBlastSsymv", ROW, UPPER, c_size_t(n), c_float(1), c_void_p(ba.int_ptr), ZERO, c_size_t(n),
                c_void_p(bx.int_ptr), ZERO, ONE,
                 c_float(0), c_void_p(by.int_ptr), ZERO, ONE, byref(m.c_queue), None)
        return work, lambda: m.read(by, y)
    return case


def trmv(name, n, ta=NO, kind=np.float32):
    def case(m):
        a, x = values(n * n, kind) / n, values(n, kind)
        ba, bx = m.buffer(a), m.buffer(x)
        def work():
            call(name, ROW, UPPER, ta, UNIT + 1, c_size_t(n), c_void_p(ba.int_ptr), ZERO, c_size_t(n), c_void_p(bx.int_ptr), ZERO, ONE,
                 byref(m.c_queue), None)
        return work, lambda: m.read(bx, x)
    return case


def trsv(n):
    def case(m):
        a, x = values(n * n) / n, values(n)
        ba, bx = m.buffer(a), m.buffer(x)
        def work():
            call("CLBlastStrsv", ROW, LOWER, NO, UNIT + 1, c_size_t(n), c_void_p(ba.int_ptr), ZERO, c_size_t(n),
                c_void_p(bx.int_ptr), ZERO, ONE,
                 byref(m.c_queue), None)
        return work, lambda: None
    return case


def trsm(n):
    def case(m):
        a, b = values(n * n) / n, values(n * n)
        ba, bb = m.buffer(a), m.buffer(b)
        def work():
            call("CLBlastStrsm", ROW, LEFT, LOWER, NO, UNIT + 1, c_size_t(n), c_size_t(n), c_float(1), c_void_p(ba.int_ptr), ZERO,
                c_size_t(n),
                 c_void_p(bb.int_ptr), ZERO, c_size_t(n), byref(m.c_queue), None)
        return work, lambda: None
    return case


def syrk(n):
    def case(m):
        a, c = values(n * n), values(n * n)
        ba, bc = m.buffer(a), m.buffer(c)
        def work():
            call("CLBlastSsyrk", ROW, UPPER, NO, c_size_t(n), c_size_t(n), c_float(1), c_void_p(ba.int_ptr), ZERO, c_size_t(n),
                c_float(0),
                 c_void_p(bc.int_ptr), ZERO, c_size_t(n), byref(m.c_queue), None)
        return work, lambda: m.read(bc, c)
    return case


def batched(n, count):
    def case(m):
        a, b, c = values(n * n * count), values(n * n * count), values(n * n * count)
        ba, bb, bc = m.buffer(a), m.buffer(b), m.buffer(c)
        def work():
            call("CLBlastSgemmStridedBatched", ROW, NO, NO, c_size_t(n), c_size_t(n), c_size_t(n), c_float(1),
                c_void_p(ba.int_ptr), ZERO, c_size_t(n), c_size_t(n * n),
                 c_void_p(bb.int_ptr), ZERO, c_size_t(n), c_size_t(n * n), c_float(0), c_void_p(bc.int_ptr), ZERO, c_size_t(n),
                     c_size_t(n * n),
                 c_size_t(count), byref(m.c_queue), None)
        return work, lambda: m.read(bc, c)
    return case


def omatcopy(n):
    def case(m):
        a, b = values(n * n), values(n * n)
        ba, bb = m.buffer(a), m.buffer(b)
        def work():
            call("CLBlastSomatcopy", ROW, YES, c_size_t(n), c_size_t(n), c_float(2), c_void_p(ba.int_ptr), ZERO, c_size_t(n),
                c_void_p(bb.int_ptr), ZERO, c_size_t(n),
                 byref(m.c_queue), None)
        return work, lambda: m.read(bb, b)
    return case


def im2col(c, h, w):
    def case(m):
        a, b = values(c * h * w), np.zeros(c * 9 * h * w, np.float32)
        ba, bb = m.buffer(a), m.buffer(b)
        def work():
            call("CLBlastSim2col", 151, *[c_size_t(v) for v in (c, h, w, 3, 3, 1, 1, 1, 1, 1, 1)], c_void_p(ba.int_ptr), ZERO,
                c_void_p(bb.int_ptr), ZERO, byref(m.c_queue), None)
        return work, lambda: m.read(bb, b)
    return case


def had(n):
    def case(m):
        x, y, z = values(n), values(n), values(n)
        bx, by, bz = m.buffer(x), m.buffer(y), m.buffer(z)
        def work():
            call("CLBlastShad", c_size_t(n), c_float(1), c_void_p(bx.int_ptr), ZERO, ONE, c_void_p(by.int_ptr), ZERO, ONE, c_float(0),
                 c_void_p(bz.int_ptr), ZERO, ONE, byref(m.c_queue), None)
        return work, lambda: m.read(bz, z)
    return case


M = 1 << 20
CASES = {
    "saxpy 4 Mi": vector("CLBlastSaxpy", 4 * M, scalar=c_float(0.0)),
    "saxpy 64 Ki": vector("CLBlastSaxpy", M // 16, scalar=c_float(0.0)),
    "saxpy 100003": vector("CLBlastSaxpy", 100003, scalar=c_float(0.0)),
    "scopy 4 Mi": vector("CLBlastScopy", 4 * M),
    "sswap 1 Mi": vector("CLBlastSswap", M),
    "sscal 4 Mi": vector("CLBlastSscal", 4 * M, outputs=1, scalar=c_float(1.0)),
    "shad 1 Mi": had(M),
    "sdot 4 Mi": reduce_("CLBlastSdot", 4 * M, True),
    "sdot 64 Ki": reduce_("CLBlastSdot", M // 16, True),
    "snrm2 4 Mi": reduce_("CLBlastSnrm2", 4 * M, False),
    "sasum 4 Mi": reduce_("CLBlastSasum", 4 * M, False),
    "isamax 4 Mi": reduce_("CLBlastiSamax", 4 * M, False, out=np.uint32),
    "ddot 1 Mi": reduce_("CLBlastDdot", M, True, np.float64, np.float64),
    "sgemv 2048": gemv("CLBlastSgemv", 2048, 2048),
    "sgemv t 2048": gemv("CLBlastSgemv", 2048, 2048, YES),
    "sgemv 500": gemv("CLBlastSgemv", 500, 500),
    "dgemv 1024": gemv("CLBlastDgemv", 1024, 1024, kind=np.float64),
    "sger 1024": ger(1024),
    "ssymv 1024": symv(1024),
    "strmv 1024": trmv("CLBlastStrmv", 1024),
    "strmv 1000": trmv("CLBlastStrmv", 1000),
    "dtrmv 1024": trmv("CLBlastDtrmv", 1024, kind=np.float64),
    "dtrmv t 1024": trmv("CLBlastDtrmv", 1024, YES, np.float64),
    "strsv 512": trsv(512),
    "sgemm 64": gemm("CLBlastSgemm", 64, 64, 64),
    "sgemm 256": gemm("CLBlastSgemm", 256, 256, 256),
    "sgemm 512": gemm("CLBlastSgemm", 512, 512, 512),
    "sgemm 1024": gemm("CLBlastSgemm", 1024, 1024, 1024),
    "sgemm 1000": gemm("CLBlastSgemm", 1000, 1000, 1000),
    "sgemm t 1024": gemm("CLBlastSgemm", 1024, 1024, 1024, YES, YES),
    "dgemm 512": gemm("CLBlastDgemm", 512, 512, 512, kind=np.float64),
    "cgemm 512": gemm("CLBlastCgemm", 512, 512, 512, kind=np.complex64),
    "sgemm batched 64 x 64": batched(64, 64),
    "ssyrk 512": syrk(512),
    "strsm 512": trsm(512),
    "somatcopy t 1024": omatcopy(1024),
    "sim2col 16x128x128": im2col(16, 128, 128),
}

if __name__ == "__main__":
    turns.main(__doc__, CASES)
