#!/usr/bin/env python3
"""Writes math_polynomials.h, the polynomials of the math functions.

    minimax.py > math_polynomials.h      all fits
    minimax.py name...                   those whose name contains an argument

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
    "cbrt": "(1 + d)^(-1/3), -0.11 <= d <= 0.12: corrects a cube root good to 3%",
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
for kind, de, d2, dsq, dcq, dh, das in (("f", 4, 5, 3, 2, 2, 4), ("d", 10, 11, 6, 6, 5, 11)):
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
define("d_atan", "d", lambda r: (mp.atan(at(r)) / at(r) - 1) / at(r) ** 2, mpf(0), mpf("0.4143"), 11,
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
# (1 + d)^(-1/3), |d| <= 0.11: a cube root good to 4%
for kind, degree in (("f", 3), ("d", 4)):
    define(kind + "_cbrt", kind, lambda d: (1 + d) ** (-mpf(1) / 3), mpf("-0.11"), mpf("0.12"), degree)
# log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x, x >= 8
define("d_stirling", "d",
       lambda w: (mp.loggamma(1 / w) - (1 / w - mpf(1) / 2) * mp.log(1 / w) + 1 / w - mp.log(2 * pi) / 2) / w,
       mpf(1) / 1000, mpf(1) / 8, 7, lambda w: w, lambda w: w * w, refit=1)
# log(gamma(2 + t)) = t P(t), |t| <= 1/2; lgamma of float takes it too
define("d_lgamma2", "d", series(lambda t: mp.loggamma(2 + t) / t, [1 - mp.euler]), -mpf(1) / 2, mpf(1) / 2, 18,
       lambda t: mpf(1), refit=1)

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("// Written by tools/minimax.py: do not edit.\n#pragma once\n\n#include \"math.h\"")
    for name in FITS:
        if len(sys.argv) == 1 or any(a in name for a in sys.argv[1:]):
            show(name)
