#!/usr/bin/env python3
"""CLBlast's routines on every platform that the loader finds, in turn. Needs libclblast1 and python3-pyopencl."""
import ctypes
from ctypes import c_double, c_float, c_size_t, c_void_p, byref
from dataclasses import dataclass

import numpy as np

import turns

BLAS = ctypes.CDLL("libclblast.so.1")
ROW, NO, YES, UPPER, LOWER, UNIT, LEFT, RIGHT, CROSS = 101, 111, 112, 121, 122, 132, 141, 142, 151
KINDS = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}


class Floats(ctypes.Structure):
    _fields_ = [("x", c_float), ("y", c_float)]


class Doubles(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double)]


C_KINDS = {"S": c_float, "D": c_double, "C": Floats, "Z": Doubles}


@dataclass
class Data:
    """A buffer of a routine: how many elements, its increment or leading dimension (none if packed), what its values are scaled by."""
    count: int
    step: int | None = 1
    scale: float = 1
    batch: int | None = None  # the distance of a batch's parts
    offsets: int | None = None  # or how many parts, each with an offset of its own
    kind: type | None = None
    zero: bool = False


@dataclass
class Scalar:
    value: float
    real: bool = False
    count: int | None = None  # an array, a number for each part of a batch


def c_scalar(letter, value):
    return C_KINDS[letter](value, 0) if letter in "CZ" else C_KINDS[letter](value)


def size(*numbers):
    return [c_size_t(n) for n in numbers]


def letter_of(name):
    return name[1] if name[0] == "i" else name[0]


def routine(name, *given, result=-1):
    """A call of CLBlast<name>: ints are enumerations, sizes c_size_t (or lists of them); the last Data is the result, or that named."""
    letter = letter_of(name)

    def case(m):
        buffers, arguments, keep = [], [], []
        for g in given:
            if isinstance(g, Data):
                kind = g.kind or KINDS[letter]
                array = np.random.random(g.count) - 0.5
                if np.issubdtype(kind, np.complexfloating):
                    array = array + 1j * (np.random.random(g.count) - 0.5)
                array = (array * (0 if g.zero else g.scale)).astype(kind)
                buffers.append((m.buffer(array), array))
                arguments.append(c_void_p(buffers[-1][0].int_ptr))
                if g.offsets:
                    keep.append((c_size_t * g.offsets)(*[i * (g.count // g.offsets) for i in range(g.offsets)]))
                    arguments.append(keep[-1])
                else:
                    arguments.append(c_size_t(0))
                if g.step is not None:
                    arguments.append(c_size_t(g.step))
                if g.batch:
                    arguments.append(c_size_t(g.batch))
            elif isinstance(g, Scalar):
                scalar = c_scalar({"C": "S", "Z": "D"}.get(letter, letter) if g.real else letter, g.value)
                if g.count:
                    scalar = (type(scalar) * g.count)(*[scalar] * g.count)
                    keep.append(scalar)
                arguments.append(scalar)
            else:
                arguments += g if isinstance(g, list) else [g]

        def work():
            status = getattr(BLAS, "CLBlast" + name)(*arguments, byref(m.c_queue), None)
            if status:
                raise RuntimeError(f"{name}: {status}")
            return buffers, keep  # which live as long as this function
        return work, lambda: m.read(*buffers[result])
    return case


ONE, NONE, LITTLE = Scalar(1), Scalar(0), Scalar(1e-3)


def vector(name, n, *scalars):
    return routine(name, size(n), *scalars, Data(n), Data(n))


def scal(name, n):
    return routine(name, size(n), ONE, Data(n))


def reduction(name, n, *vectors, kind=None):
    return routine(name, size(n), Data(1, None, kind=kind), *vectors, result=0)


def gemv(name, rows, cols, transposed=NO):
    longest = max(rows, cols)
    return routine(name, ROW, transposed, size(rows, cols), ONE, Data(rows * cols, cols), Data(longest), NONE, Data(longest))


def gbmv(name, n, width):
    return routine(name, ROW, NO, size(n, n, width, width), ONE, Data(n * (2 * width + 1), 2 * width + 1), Data(n), NONE, Data(n))


def symv(name, n, triangle=UPPER):
    return routine(name, ROW, triangle, size(n), ONE, Data(n * n, n), Data(n), NONE, Data(n))


def spmv(name, n, triangle=UPPER):
    return routine(name, ROW, triangle, size(n), ONE, Data(n * (n + 1) // 2, None), Data(n), NONE, Data(n))


def sbmv(name, n, width):
    return routine(name, ROW, UPPER, size(n, width), ONE, Data(n * (width + 1), width + 1), Data(n), NONE, Data(n))


def triangular(name, n, transposed=NO, triangle=UPPER):
    """trmv and trsv; numbers beside a diagonal of ones are small, so that a vector that goes through many of them stays as large."""
    return routine(name, ROW, triangle, transposed, UNIT, size(n), Data(n * n, n, 1 / n), Data(n))


def tpmv(name, n, transposed=NO):
    return routine(name, ROW, UPPER, transposed, UNIT, size(n), Data(n * (n + 1) // 2, None, 1 / n), Data(n))


def tbmv(name, n, width):
    return routine(name, ROW, UPPER, NO, UNIT, size(n, width), Data(n * (width + 1), width + 1, 1 / n), Data(n))


def ger(name, n):
    return routine(name, ROW, size(n, n), LITTLE, Data(n), Data(n), Data(n * n, n))


def rank1(name, n, packed=False, triangle=UPPER):
    alpha = Scalar(1e-3, real=True)
    return routine(name, ROW, triangle, size(n), alpha, Data(n), Data(n * n, None if packed else n))


def rank2(name, n, packed=False, triangle=UPPER):
    return routine(name, ROW, triangle, size(n), LITTLE, Data(n), Data(n), Data(n * n, None if packed else n))


def gemm(name, m, n, k, ta=NO, tb=NO):
    return routine(name, ROW, ta, tb, size(m, n, k), ONE, Data(m * k, k if ta == NO else m), Data(k * n, n if tb == NO else k), NONE,
                   Data(m * n, n))


def symm(name, n, side=LEFT, triangle=UPPER):
    return routine(name, ROW, side, triangle, size(n, n), ONE, Data(n * n, n), Data(n * n, n), NONE, Data(n * n, n))


def syrk(name, n, transposed=NO, triangle=UPPER, real=False):
    return routine(name, ROW, triangle, transposed, size(n, n), Scalar(1, real), Data(n * n, n), Scalar(0, real), Data(n * n, n))


def syr2k(name, n, transposed=NO, triangle=UPPER, real=False):
    return routine(name, ROW, triangle, transposed, size(n, n), ONE, Data(n * n, n), Data(n * n, n), Scalar(0, real), Data(n * n, n))


def triangular3(name, n, side=LEFT, transposed=NO, triangle=LOWER):
    """trmm and trsm."""
    return routine(name, ROW, side, triangle, transposed, UNIT, size(n, n), ONE, Data(n * n, n, 1 / n), Data(n * n, n))


def strided(name, n, count):
    part = Data(n * n * count, n, batch=n * n)
    return routine(name, ROW, NO, NO, size(n, n, n), ONE, part, part, NONE, part, size(count))


def batched(name, n, count):
    part = Data(n * n * count, n, offsets=count)
    return routine(name, ROW, NO, NO, size(n, n, n), Scalar(1, count=count), part, part, Scalar(0, count=count), part, size(count))


def axpy_batched(name, n, count):
    return routine(name, size(n), Scalar(0, count=count), Data(n * count, offsets=count), Data(n * count, offsets=count), size(count))


def omatcopy(name, n, transposed=YES):
    return routine(name, ROW, transposed, size(n, n), Scalar(2), Data(n * n, n), Data(n * n, n))


def im2col(name, c, h, w):
    images, columns = Data(c * h * w, None), Data(c * 9 * h * w, None, zero=True)
    shape = size(c, h, w, 3, 3, 1, 1, 1, 1, 1, 1)
    return routine(name, CROSS, shape, columns, images) if "col2im" in name else routine(name, CROSS, shape, images, columns)


def convgemm(name, channels, n, kernels, images):
    return routine(name, CROSS, size(channels, n, n, 3, 3, 1, 1, 1, 1, 1, 1, kernels, images), Data(channels * n * n * images, None),
                   Data(9 * channels * kernels, None), Data(kernels * n * n * images, None))


def had(name, n):
    return routine(name, size(n), ONE, Data(n), Data(n), NONE, Data(n))


M = 1 << 20
CASES = {
    "saxpy 4 Mi": vector("Saxpy", 4 * M, NONE),
    "saxpy 64 Ki": vector("Saxpy", M // 16, NONE),
    "saxpy 100003": vector("Saxpy", 100003, NONE),
    "scopy 4 Mi": vector("Scopy", 4 * M),
    "sswap 1 Mi": vector("Sswap", M),
    "sscal 4 Mi": scal("Sscal", 4 * M),
    "shad 1 Mi": had("Shad", M),
    "sdot 4 Mi": reduction("Sdot", 4 * M, Data(4 * M), Data(4 * M)),
    "sdot 64 Ki": reduction("Sdot", M // 16, Data(M // 16), Data(M // 16)),
    "snrm2 4 Mi": reduction("Snrm2", 4 * M, Data(4 * M)),
    "sasum 4 Mi": reduction("Sasum", 4 * M, Data(4 * M)),
    "isamax 4 Mi": reduction("iSamax", 4 * M, Data(4 * M), kind=np.uint32),
    "ddot 1 Mi": reduction("Ddot", M, Data(M), Data(M)),
    "sgemv 2048": gemv("Sgemv", 2048, 2048),
    "sgemv t 2048": gemv("Sgemv", 2048, 2048, YES),
    "sgemv 500": gemv("Sgemv", 500, 500),
    "strmv 1000": triangular("Strmv", 1000),
    "sgemm 64": gemm("Sgemm", 64, 64, 64),
    "sgemm 256": gemm("Sgemm", 256, 256, 256),
    "sgemm 1000": gemm("Sgemm", 1000, 1000, 1000),
    "sgemm strided 64 x 64": strided("SgemmStridedBatched", 64, 64),
    "sgemm batched 64 x 64": batched("SgemmBatched", 64, 64),
    "saxpy batched 4096 x 64": axpy_batched("SaxpyBatched", 4096, 64),
    "sim2col 16x128x128": im2col("Sim2col", 16, 128, 128),
    "scol2im 16x128x128": im2col("Scol2im", 16, 128, 128),
    "sconvgemm 16x64x64": convgemm("Sconvgemm", 16, 64, 16, 2),
}
for _l in "SDC":
    _c, _s = _l == "C", _l.lower()
    for _n in (512, 1024, 2048):
        CASES |= {
            f"{_s}gemv {_n}": gemv(f"{_l}gemv", _n, _n),
            f"{_s}gemv t {_n}": gemv(f"{_l}gemv", _n, _n, YES),
            f"{_s}gbmv {_n}": gbmv(f"{_l}gbmv", _n, 32),
            f"{_s}{'he' if _c else 'sy'}mv {_n}": symv(f"{_l}{'he' if _c else 'sy'}mv", _n),
            f"{_s}{'he' if _c else 'sy'}mv lower {_n}": symv(f"{_l}{'he' if _c else 'sy'}mv", _n, LOWER),
            f"{_s}{'hp' if _c else 'sp'}mv {_n}": spmv(f"{_l}{'hp' if _c else 'sp'}mv", _n),
            f"{_s}{'hp' if _c else 'sp'}mv lower {_n}": spmv(f"{_l}{'hp' if _c else 'sp'}mv", _n, LOWER),
            f"{_s}{'hb' if _c else 'sb'}mv {_n}": sbmv(f"{_l}{'hb' if _c else 'sb'}mv", _n, 32),
            f"{_s}trmv {_n}": triangular(f"{_l}trmv", _n),
            f"{_s}trmv t {_n}": triangular(f"{_l}trmv", _n, YES),
            f"{_s}tpmv {_n}": tpmv(f"{_l}tpmv", _n),
            f"{_s}tpmv t {_n}": tpmv(f"{_l}tpmv", _n, YES),
            f"{_s}tbmv {_n}": tbmv(f"{_l}tbmv", _n, 32),
            f"{_s}trsv {_n}": triangular(f"{_l}trsv", _n, NO, LOWER),
            f"{_s}trsv t {_n}": triangular(f"{_l}trsv", _n, YES, LOWER),
            f"{_s}ger{'u' if _c else ''} {_n}": ger(f"{_l}ger{'u' if _c else ''}", _n),
            f"{_s}{'her' if _c else 'syr'} {_n}": rank1(f"{_l}{'her' if _c else 'syr'}", _n),
            f"{_s}{'hpr' if _c else 'spr'} {_n}": rank1(f"{_l}{'hpr' if _c else 'spr'}", _n, True),
            f"{_s}{'her' if _c else 'syr'}2 {_n}": rank2(f"{_l}{'her' if _c else 'syr'}2", _n),
            f"{_s}{'hpr' if _c else 'spr'}2 {_n}": rank2(f"{_l}{'hpr' if _c else 'spr'}2", _n, True),
            f"{_s}gemm {_n}": gemm(f"{_l}gemm", _n, _n, _n),
            f"{_s}gemm t {_n}": gemm(f"{_l}gemm", _n, _n, _n, YES, YES),
            f"{_s}symm {_n}": symm(f"{_l}symm", _n),
            f"{_s}symm right {_n}": symm(f"{_l}symm", _n, RIGHT),
            f"{_s}syrk {_n}": syrk(f"{_l}syrk", _n),
            f"{_s}syrk t {_n}": syrk(f"{_l}syrk", _n, YES),
            f"{_s}syr2k {_n}": syr2k(f"{_l}syr2k", _n),
            f"{_s}trmm {_n}": triangular3(f"{_l}trmm", _n),
            f"{_s}trmm right {_n}": triangular3(f"{_l}trmm", _n, RIGHT),
            f"{_s}trsm {_n}": triangular3(f"{_l}trsm", _n),
            f"{_s}trsm right {_n}": triangular3(f"{_l}trsm", _n, RIGHT),
            f"{_s}omatcopy {_n}": omatcopy(f"{_l}omatcopy", _n, NO),
            f"{_s}omatcopy t {_n}": omatcopy(f"{_l}omatcopy", _n),
        }
        if _c:
            CASES |= {
                f"chemm {_n}": symm("Chemm", _n),
                f"cherk {_n}": syrk("Cherk", _n, real=True),
                f"cher2k {_n}": syr2k("Cher2k", _n, real=True),
            }

if __name__ == "__main__":
    turns.main(__doc__, CASES)
