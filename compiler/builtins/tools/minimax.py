#!/usr/bin/env python3
"""Writes math_polynomials.h, the polynomials of the math functions.

    minimax.py > math_polynomials.h      all fits
    minimax.py name...                   those whose name contains an argument
    minimax.py tables > math_tables.h    what processors with permutations look up

A fit finds P of a given degree that minimizes the greatest |w(x) * (f(x) - P(v(x)))| over an interval: Remez'
exchange on a grid, in 80 digits. Coefficients are rounded to their type from the lowest upwards, and those
above are fitted again after each. Needs mpmath.
"""
import struct
import sys
from mpmath import mp, mpf, matrix, lu_solve, pi

mp.dps = 80


def round_to(kind, x):
    if kind == "f":
        return mpf(struct.unpack("f", struct.pack("f", float(x)))[0])
    return mpf(float(x))


def remez(xs, fs, ws, degree):
    """Coefficients and greatest weighted error on the grid."""
    n = degree + 2
    m = len(xs)
    # Start from Chebyshev's extrema.
    ref = [int(round((1 - mp.cos(pi * i / (n - 1))) / 2 * (m - 1))) for i in range(n)]
    for i in range(1, n):
        ref[i] = max(ref[i], ref[i - 1] + 1)
    best = None
    for _ in range(30):
        a = matrix(n, n)
        b = matrix(n, 1)
        for i, k in enumerate(ref):
            p = mpf(1)
            for j in range(degree + 1):
                a[i, j] = p
                p *= xs[k]
            a[i, degree + 1] = (-1) ** i / ws[k]
            b[i] = fs[k]
        c = lu_solve(a, b)
        coefs = [c[j] for j in range(degree + 1)]
        level = abs(c[degree + 1])
        errs = []
        for x, f, w in zip(xs, fs, ws):
            p = mpf(0)
            for co in reversed(coefs):
                p = p * x + co
            errs.append(w * (f - p))
        worst = max(abs(e) for e in errs)
        if best is None or worst < best[1]:
            best = (coefs, worst)
        if worst <= level * mpf("1.001"):
            break
        # Extrema of the error between sign changes.
        ext = []
        i = 0
        while i < m:
            s = errs[i] >= 0
            j = i
            k = i
            while j < m and (errs[j] >= 0) == s:
                if abs(errs[j]) > abs(errs[k]):
                    k = j
                j += 1
            ext.append(k)
            i = j
        while len(ext) > n:
            ext.pop(0 if abs(errs[ext[0]]) < abs(errs[ext[-1]]) else -1)
        if len(ext) < n:
            break
        ref = ext
    return best


def fit(kind, f, lo, hi, degree, weight=lambda x: mpf(1), var=lambda x: x, refit=None, points=None, hole=mpf("0.001")):
    """f: x -> target of P(var(x)); weight: x -> w. Returns rounded coefficients and the final error."""
    points = points or max(200, 12 * (degree + 2))
    grid = [lo + (hi - lo) * (1 - mp.cos(pi * i / (points - 1))) / 2 for i in range(points)]
    # Removable singularities, and weights of next to nothing.
    grid = [x for x in grid if abs(x) >= hole * max(abs(lo), abs(hi))]
    vs = [var(x) for x in grid]
    fs = [f(x) for x in grid]
    ws = [weight(x) for x in grid]
    done = []
    rest = fs
    wr = ws
    refit = degree + 1 if refit is None else refit
    coefs = None
    for j in range(degree + 1):
        if j <= refit or coefs is None:
            coefs, _ = remez(vs, rest, wr, degree - j)
        else:
            coefs = coefs[1:]
        c = round_to(kind, coefs[0])
        done.append(c)
        rest = [(r - c) / v for r, v in zip(rest, vs)]
        wr = [w * abs(v) for w, v in zip(wr, vs)]
    err = mpf(0)
    for v, t, w in zip(vs, fs, ws):
        p = mpf(0)
        for co in reversed(done):
            p = p * v + co
        err = max(err, abs(w * (t - p)))
    return done, err


FITS = {}


def define(name, *args, **kw):
    FITS[name] = (args, kw)


def constant(c, suffix):
    mantissa, exponent = float(c).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + exponent.lstrip("+") + suffix


def show(name):
    args, kw = FITS[name]
    coefs, err = fit(*args, **kw)
    kind, suffix = ("float", "f") if args[0] == "f" else ("double", "")
    print(f"\n// {MEANING[name[2:]]}; error 2^{float(mp.log(err, 2)):.1f}.")
    print(f"WEFT_CORE {kind} weft_poly_{name[2:]}({kind} x) {{ return POLY{len(coefs)}(x,", end=" ")
    print(", ".join(constant(c, suffix) for c in coefs) + "); }", flush=True)


MEANING = {
    "exp": "exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 2, relative to expm1(r)",
    "exp2": "2^r = 1 + r P(r), |r| <= 1/2, relative to 2^r - 1",
    "exp_near": "exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 32, absolute",
    "exp2_near": "2^r = 1 + r P(r), |r| <= 1/32, absolute",
    "exp10_near": "10^r = 1 + r P(r), |r| <= log10(2) / 32, absolute",
    "log_near": "float: log(1 + r) = r + r^2 P(r), |r| <= 1/32; double: log(1 + r) = r - r^2/2 + r^3 P(r), |r| <= 1/16",
    "sin_pi": "sin(pi f) = pi f + f^3 P(f^2), |f| <= 1/2",
    "exp2_of_rest": "2^r = 1 + r P(r), 0 <= r < 1",
    "relaxed_exp2": "2^r = 1 + r P(r), 0 <= r < 1",
    "relaxed_log2": "log2(1 + f) = f P(f), -1/4 <= f <= 1/2",
    "relaxed_sin": "sin(r) = r + r^3 P(r^2), |r| <= pi/2, absolute",
    "relaxed_atan": "atan(r) = r + r^3 P(r^2), |r| <= 1",
    "relaxed_asin": "asin(r) = r + r^3 P(r^2), |r| <= 1/2",
    "sin": "sin(r) = r + r^3 P(r^2), |r| <= pi/4",
    "cos": "cos(r) = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4",
    "sinh": "sinh(r) = r + r^3 P(r^2), |r| <= log(2) / 2",
    "cosh": "cosh(r) = 1 + r^2 P(r^2), |r| <= log(2) / 2",
    "asin": "asin(r) = r + r^3 P(r^2), |r| <= 1/2",
    "log": "float: log(1 + f) = f - f^2/2 + f^3 P(f), |f| <= 1/3; "
           "double: log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2), |s| <= 3 - sqrt(8)",
    "log_rest": "log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + s^5 P(s^2), |s| <= 1/5",
    "tan": "tan(r) = r + r^3 P(r^2), |r| <= pi/4",
    "atan": "atan(r) = r + r^3 P(r^2), float: |r| <= 1, double: |r| <= tan(pi/8)",
    "erf": "erf(x) = x + x P(x^2), |x| <= 1",
    "erf_tail": "erf(x) = 1 - exp(x P(x)), 0.9 <= x <= 4, absolute",
    "erfcx": "exp(x^2) erfc(x) = u P(1 - 2 u), u = 4 / (x + 4), x >= 0",
    "cbrt": "(1 + d)^(-1/3), |d| <= 0.104: corrects an inverse cube root good to 3.5%",
    "stirling": "log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x, x >= 8",
    "lgamma2": "log(gamma(2 + t)) = t P(t), |t| <= 1/2",
}


tiny = mpf(10) ** -9


def at(x):  # keeps the removable singularities at 0 away
    return x if abs(x) > tiny else tiny


def series(f, taylor):
    """f near 0 by its first Taylor terms, elsewhere itself."""
    def g(x):
        if abs(x) < mpf(10) ** -12:
            return sum(t * x ** i for i, t in enumerate(taylor))
        return f(x)
    return g


ln2 = mp.log(2)
for kind, de, d2, dsq, dcq, dh, das, dsp in (("f", 4, 5, 3, 2, 2, 4, 3), ("d", 10, 11, 6, 6, 5, 11, 7)):
    # exp(r) = 1 + r + r^2 P(r), relative to r: expm1 uses it too
    define(kind + "_exp", kind, series(lambda r: (mp.expm1(r) - r) / r ** 2, [mpf(1) / 2, mpf(1) / 6]),
           -ln2 / 2 * mpf("1.01"), ln2 / 2 * mpf("1.01"), de, lambda r: abs(r) + tiny)
    # 2^r = 1 + r P(r)
    define(kind + "_exp2", kind, series(lambda r: mp.expm1(r * ln2) / r, [ln2, ln2 ** 2 / 2]), -mpf(1) / 2, mpf(1) / 2, d2,
           lambda r: abs(r) + tiny)
    # sin(r) = r + r^3 P(r^2), |r| <= pi/4; cos(r) = 1 - r^2/2 + r^4 P(r^2)
    define(kind + "_sin", kind, lambda r: (mp.sin(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.80"), dsq,
           lambda r: r ** 2 + tiny, lambda r: r ** 2)
    define(kind + "_cos", kind, lambda r: (mp.cos(at(r)) - 1 + at(r) ** 2 / 2) / at(r) ** 4, mpf(0), mpf("0.80"), dcq,
           lambda r: r ** 4 + tiny, lambda r: r ** 2)
    # sinh(r) = r + r^3 P(r^2), cosh(r) = 1 + r^2 P(r^2), 0 <= r <= log(2) / 2
    define(kind + "_sinh", kind, lambda r: (mp.sinh(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), ln2 / 2 * mpf("1.01"), dh,
           lambda r: r ** 2 + tiny, lambda r: r ** 2)
    define(kind + "_cosh", kind, lambda r: (mp.cosh(at(r)) - 1) / at(r) ** 2, mpf(0), ln2 / 2 * mpf("1.01"), dh,
           lambda r: r ** 2 + tiny, lambda r: r ** 2)
    # asin(r) = r + r^3 P(r^2), 0 <= r <= 1/2
    define(kind + "_asin", kind, lambda r: (mp.asin(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.5"), das,
           lambda r: at(r) ** 3 / mp.asin(at(r)), lambda r: r ** 2)

    # sin(pi f) = pi f + f^3 P(f^2), 0 <= f <= 1/2
    define(kind + "_sin_pi", kind, lambda f: (mp.sin(pi * at(f)) / at(f) - pi) / at(f) ** 2, mpf(0), mpf("0.5"), dsp,
           lambda f: at(f) ** 3 / mp.sin(pi * at(f)), lambda f: f ** 2)

# What tables leave of exponentials and logarithms
define("d_exp_near", "d", series(lambda r: (mp.expm1(r) - r) / r ** 2, [mpf(1) / 2, mpf(1) / 6]),
       -ln2 / 32 * mpf("1.001"), ln2 / 32 * mpf("1.001"), 4, lambda r: r ** 2 + tiny)
define("d_exp2_near", "d", series(lambda r: mp.expm1(r * ln2) / r, [ln2, ln2 ** 2 / 2]), -mpf(1) / 32, mpf(1) / 32, 5,
       lambda r: abs(r) + tiny)
define("d_exp10_near", "d", series(lambda r: mp.expm1(r * mp.log(10)) / r, [mp.log(10), mp.log(10) ** 2 / 2]),
       -mp.log10(2) / 32 * mpf("1.001"), mp.log10(2) / 32 * mpf("1.001"), 5, lambda r: abs(r) + tiny)
define("f_log_near", "f", series(lambda r: (mp.log1p(r) - r) / r ** 2, [-mpf(1) / 2, mpf(1) / 3]), -mpf(1) / 32, mpf(1) / 32, 3,
       lambda r: abs(r) + tiny)
define("d_log_near", "d", series(lambda r: (mp.log1p(r) - r + r * r / 2) / r ** 3, [mpf(1) / 3, -mpf(1) / 4]),
       -mpf(1) / 16, mpf(1) / 16, 10, lambda r: r ** 2 + tiny)

# 2^r = 1 + r P(r), 0 <= r < 1
define("f_exp2_of_rest", "f", series(lambda r: mp.expm1(r * ln2) / r, [ln2, ln2 ** 2 / 2]), mpf(0), mpf(1), 5,
       lambda r: (r + tiny) / 2 ** r)
# What -cl-fast-relaxed-math asks for (math_relaxed.cl)
define("f_relaxed_exp2", "f", series(lambda r: mp.expm1(r * ln2) / r, [ln2, ln2 ** 2 / 2]), mpf(0), mpf(1), 4,
       lambda r: (r + tiny) / 2 ** r)
define("f_relaxed_log2", "f", series(lambda f: mp.log1p(f) / f / ln2, [1 / ln2, -1 / (2 * ln2)]), -mpf(1) / 4, mpf(1) / 2, 8,
       lambda f: at(f) * ln2 / mp.log1p(at(f)))
define("f_relaxed_sin", "f", lambda r: (mp.sin(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("1.58"), 3,
       lambda r: r ** 3 + tiny, lambda r: r ** 2)
define("f_relaxed_atan", "f", lambda r: (mp.atan(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf(1), 5,
       lambda r: at(r) ** 3 / mp.atan(at(r)), lambda r: r ** 2)
define("f_relaxed_asin", "f", lambda r: (mp.asin(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.5"), 3,
       lambda r: at(r) ** 3 / mp.asin(at(r)), lambda r: r ** 2)

# log(1 + f) = f - f^2/2 + f^3 P(f)
define("f_log", "f", series(lambda f: (mp.log1p(f) - f + f * f / 2) / f ** 3, [mpf(1) / 3, -mpf(1) / 4]),
       -mpf(1) / 3, mpf(1) / 3, 8, lambda f: abs(f) ** 2 + tiny)
# log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2), s <= 3 - sqrt(8)
define("d_log", "d", lambda s: (2 * mp.atanh(at(s)) - 2 * at(s)) / at(s) ** 3, mpf(0), mpf("0.1716"), 7,
       lambda s: s ** 2 + tiny, lambda s: s ** 2)
# log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + s^5 P(s^2): powers need more bits than a type has
for kind, degree, top in (("f", 2, "0.2001"), ("d", 6, "0.1716")):
    define(kind + "_log_rest", kind, lambda s: (2 * mp.atanh(at(s)) - 2 * at(s) - at(s) ** 3 * 2 / 3) / at(s) ** 5, mpf(0), mpf(top), degree,
           lambda s: s ** 4 + tiny, lambda s: s ** 2)
# tan(r) = r + r^3 P(r^2), 0 <= r <= pi/4
for kind, degree in (("f", 6), ("d", 14)):
    define(kind + "_tan", kind, lambda r: (mp.tan(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.7865"), degree,
           lambda r: at(r) ** 3 / mp.tan(at(r)), lambda r: r ** 2, refit=3)
# atan(r) = r + r^3 P(r^2), 0 <= r <= 1 or tan(pi/8)
define("f_atan", "f", lambda r: (mp.atan(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf(1), 8,
       lambda r: at(r) ** 3 / mp.atan(at(r)), lambda r: r ** 2)
define("d_atan", "d", lambda r: (mp.atan(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.4143"), 10,
       lambda r: at(r) ** 3 / mp.atan(at(r)), lambda r: r ** 2, refit=3)

# erf(x) = x + x P(x^2), |x| <= 1
for kind, degree in (("f", 6), ("d", 12)):
    define(kind + "_erf", kind, lambda x: mp.erf(at(x)) / at(x) - 1, mpf(0), mpf(1), degree,
           lambda x: at(x) / mp.erf(at(x)), lambda x: x ** 2, refit=3)
# 1 - erf(x) = exp(x P(x)), 0.9 <= x <= 4: absolute error
define("f_erf_tail", "f", lambda x: mp.log(mp.erfc(x)) / x, mpf("0.9"), mpf("4"), 6, lambda x: mp.erfc(x) * x)
# exp(x^2) erfc(x) = u P(1 - 2 u), u = 4 / (x + 4)
for kind, top, degree in (("f", 10.5, 10), ("d", 27.5, 22)):
    define(kind + "_erfcx", kind, lambda x: mp.exp(x * x) * mp.erfc(x) * (x + 4) / 4, mpf(0), mpf(top), degree,
           lambda x: 4 / (mp.exp(x * x) * mp.erfc(x) * (x + 4)), lambda x: 1 - 8 / (x + 4), refit=2, points=500, hole=0)
# (1 + d)^(-1/3), |d| <= 0.104: an inverse cube root good to 3.5%
for kind, degree in (("f", 3), ("d", 6)):
    define(kind + "_cbrt", kind, lambda d: (1 + d) ** (-mpf(1) / 3), mpf("-0.104"), mpf("0.104"), degree)
# log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x, x >= 8
define("d_stirling", "d",
       lambda w: (mp.loggamma(1 / w) - (1 / w - mpf(1) / 2) * mp.log(1 / w) + 1 / w - mp.log(2 * pi) / 2) / w,
       mpf(1) / 1000, mpf(1) / 8, 7, lambda w: w, lambda w: w * w, refit=1)
# log(gamma(2 + t)) = t P(t), |t| <= 1/2; lgamma of float takes it too
define("d_lgamma2", "d", series(lambda t: mp.loggamma(2 + t) / t, [1 - mp.euler]), -mpf(1) / 2, mpf(1) / 2, 18,
       lambda t: mpf(1), refit=1)

# ---- tables: math_tables.h -----------------------------------------------------------------------------------


def show_table(name, kind, meaning, values):
    suffix, type, index = ("f", "float", "uint") if kind == "f" else ("", "double", "ulong")
    print(f"\n// {meaning}, for i modulo {len(values)}.")
    print(f"WEFT_CORE {type} weft_table_{name}({index} i) {{ return __weft_float_table{len(values)}_f{'32' if kind == 'f' else '64'}(i,", end=" ")
    print(", ".join(constant(v, suffix) for v in values) + "); }")


def grid(x, bits):
    return mp.nint(mp.ldexp(x, bits)) / mpf(2) ** bits


def show_log_tables(kind, entries, bits, high_bits, short, rest):
    """1 / c, in so few bits that m / c - 1 is exact, and log(c) in two parts, for m in [1 + i / entries, 1 + (i + 1) / entries)."""
    inverse, high, low = [], [], []
    for i in range(entries):
        begin, end = 1 + mpf(i) / entries, 1 + mpf(i + 1) / entries
        candidates = [mpf(k) / 2 ** bits for k in range(2 ** (bits - 1), 2 ** bits + 1)]
        c = min(candidates, key=lambda c: max(abs(begin * c - 1), abs(end * c - 1)))
        c = mpf(1) if i == 0 else mpf("0.5") if i == entries - 1 else c
        assert max(abs(begin * c - 1), abs(end * c - 1)) <= mpf(2) ** -(bits - 1), i
        h = mpf(short) if c == 0.5 else grid(-mp.log(c), high_bits)
        inverse.append(c)
        high.append(round_to(kind, h))
        low.append(mpf(rest) if c == 0.5 else round_to(kind, -mp.log(c) - h))
    show_table("log_inverse", kind, f"1 / c for m in [1 + i/{entries}, 1 + (i + 1)/{entries}), of {bits} bits: m / c - 1 is exact", inverse)
    show_table("log_high", kind, f"log(c) but for weft_table_log_low, a multiple of 2^-{high_bits}", high)
    show_table("log_low", kind, "what weft_table_log_high leaves out of log(c)", low)


def chebyshev(f, radius, degree):
    """Coefficients of powers of r of the interpolation of f at Chebyshev's nodes in [-radius, radius]."""
    n = degree + 1
    xs = [radius * mp.cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    return list(lu_solve(matrix([[x ** j for j in range(n)] for x in xs]), matrix([f(x) for x in xs])))


def show_pieces(name, meaning, entries, first, step, degree, f, at_zero=None):
    """P_i(r), |r| <= step / 2, for f(i step + r), i from `first` on."""
    pieces = [[] for _ in range(entries)]
    worst = mpf(0)
    for i in range(first, first + entries):
        piece = at_zero if i == 0 else chebyshev(lambda r: f(i * step + r), step / 2 * mpf("1.001"), degree)
        pieces[i % entries] = [round_to("d", c) for c in piece]
        for k in range(1 if i == 0 else -20, 21):
            r = step / 2 * k / 20
            worst = max(worst, abs(sum(c * r ** j for j, c in enumerate(piece)) / f(i * step + r) - 1))
    print(f"\n// {meaning}, for i modulo {entries}, |r| <= {float(step / 2)}; error 2^{float(mp.log(worst, 2)):.1f} and the coefficients' rounding.")
    lines = [f"__weft_float_table{entries}_f64(i, " + ", ".join(constant(piece[j], "") for piece in pieces) + ")" for j in range(degree + 1)]
    print(f"WEFT_CORE double weft_pieces_{name}(ulong i, double r) {{ const double q = r * r; return MAD(r, PAIRS{degree}(r, q, "
          + ", ".join(lines[1:]) + "), " + lines[0] + "); }")


def odd(coefficients):
    """c0 r + c1 r^3 + ..., as many as fit."""
    return [c for pair in coefficients for c in (mpf(0), pair)]


def show_tables():
    print("// Written by tools/minimax.py tables: do not edit.\n#pragma once\n\n#include \"math.h\"")
    powers = [mpf(2) ** (mpf(i) / 16) for i in range(16)]
    show_table("exp2", "d", "2^(i/16)", [round_to("d", power) for power in powers])
    show_table("exp2_rest", "d", "what weft_table_exp2 leaves out of 2^(i/16), as a part of that", [round_to("d", power / round_to("d", power) - 1) for power in powers])
    show_log_tables("f", 32, 6, 16, float.fromhex("0x1.62ep-1"), float.fromhex("0x1.0bfbe8p-15"))
    show_log_tables("d", 16, 5, 42, float.fromhex("0x1.62e42fefa2p-1"), float.fromhex("0x1.9ef35793c7673p-41"))
    step = mpf(float.fromhex("0x1.9p-2"))
    near, _ = fit("d", lambda x: mp.erf(at(x)) / at(x), mpf(0), step / 2, 5, lambda x: at(x) / mp.erf(at(x)), lambda x: x ** 2, refit=3)
    show_pieces("erf", "erf(25/64 i + r)", 16, 0, step, 12, mp.erf, odd(near) + [mpf(0)])
    show_pieces("erfcx", "exp(x^2) erfc(x) (x + 4) / 4, 4 / (x + 4) = i/16 + r, i > 0", 16, 1, mpf(1) / 16, 8,
                lambda v: mp.exp((4 / v - 4) ** 2) * mp.erfc(4 / v - 4) / v)


if __name__ == "__main__":
    if sys.argv[1:] == ["tables"]:
        show_tables()
        sys.exit()
    if len(sys.argv) == 1:
        print("// Written by tools/minimax.py: do not edit.\n#pragma once\n\n#include \"math.h\"")
    for name in FITS:
        if len(sys.argv) == 1 or any(a in name for a in sys.argv[1:]):
            show(name)
