#!/usr/bin/env python3
"""Functions and operators of OpenCL C, each 16 times a work-item, on every platform that the loader finds, in turn.

    functions.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does; "erf double" is a name. The kernel's loop adds up what the function gives of two numbers of the
work-item, of which one goes on by a step, so that neither memory nor launches count for much. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

INTEGERS = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16,
            "int": np.int32, "uint": np.uint32, "long": np.int64, "ulong": np.uint64}
REALS = {"float": np.float32, "double": np.float64}

OF_INTEGERS = """
abs(x) abs_diff(x,y) add_sat(x,y) bitselect(x,y,(T)(x+y)) clamp(x,y,(T)(y+10)) clz(x) hadd(x,y) mad_hi(x,y,y) mad_sat(x,y,y) max(x,y)
min(x,y) mul_hi(x,y) popcount(x) rhadd(x,y) rotate(x,(T)(y&7)) select(x,y,(U)(x<y)) sub_sat(x,y) x/(T)(y|1) x%(T)(y|1) x<<(y&7) x>>(y&7)
""".split()
OF_REALS = """
acos(x) acosh(x) acospi(x) asin(x) asinh(x) asinpi(x) atan(x) atan2(x,y) atan2pi(x,y) atanh(x) atanpi(x) cbrt(x) ceil(x)
clamp(x,(T).2,(T).8) copysign(x,y) cos(x) cosh(x) cospi(x) cross((T3)(x,y,x),(T3)(y,x,y)).y degrees(x) distance((T3)(x,y,x),(T3)(y,y,x))
erf(x) erfc(x) exp(x) exp10(x) exp2(x) expm1(x) fabs(x) fdim(x,y) floor(x) fma(x,y,x) fmax(x,y) fmin(x,y) fmod(x,y) hypot(x,y) ilogb(x)
isless(x,y) isnan(x) isnormal(x) ldexp(x,(int)(y*4)) length((T3)(x,y,x)) lgamma(x) log(x) log10(x) log1p(x) log2(x) logb(x) mad(x,y,x)
maxmag(x,y) minmag(x,y) mix(x,y,(T).3) nextafter(x,y) normalize((T3)(x,y,x)).y pow(x,y) pown(x,(int)(y*4)) powr(fabs(x),y) radians(x)
remainder(x,y) rint(x) rootn(fabs(x),3) round(x) rsqrt(x) sign(x) signbit(x) sin(x) sinh(x) sinpi(x) smoothstep((T)0,(T)1,x) sqrt(x)
step(x,y) tan(x) tanh(x) tanpi(x) tgamma(x) trunc(x) x/y (T)(int)x (T)(long)x (T)(uint)fabs(x)
""".split()
OF_FLOATS = [f"{kind}_{name}" for kind in ("native", "half") for name in
             "cos(x) divide(x,y) exp(x) exp10(x) exp2(x) log(x) log10(x) log2(x) powr(fabs(x),y) recip(x) rsqrt(x) sin(x) sqrt(x) tan(x)".split()]


def conversions(kind):
    yield f"convert_{kind}_sat((float)x*1.5f+(float)y)"
    yield f"convert_{kind}_sat_rte((float)x*1.5f)"
    yield f"convert_{kind}_sat((double)x*1.5)"
    if kind not in ("long", "ulong"):
        yield f"convert_{kind}_rte((float)x*.25f)"
        yield f"convert_{kind}_sat((long)x*3)"
    if kind not in ("int", "uint", "long", "ulong"):
        yield f"convert_{kind}_sat((int)x*3-(int)y)"


def functions():
    """Each with the type of its numbers, by a name of its kernel."""
    every = [(f, kind) for kind in INTEGERS for f in OF_INTEGERS + list(conversions(kind))] + [(f, kind) for kind in REALS for f in OF_REALS]
    return {f"f{i}": case for i, case in enumerate(every + [(f, "float") for f in OF_FLOATS])}


def source(kernel):
    function, kind = functions()[kernel]
    unsigned = kind if kind.startswith("u") else "u" + kind
    function = function.replace("(T3)", f"({kind}3)").replace("(T)", f"({kind})").replace("(U)", f"({unsigned})")
    step = "1" if kind in INTEGERS else f"({kind}).0625"
    return f"""kernel void {kernel}(global const {kind}* a, global const {kind}* b, int n, global {kind}* out) {{
  const size_t i = get_global_id(0);
  {kind} x = a[i], y = b[i], sum = 0;
  for (int k = 0; k < n; ++k) {{
    sum += ({kind})({function});
    x += {step};
  }}
  out[i] = sum;
}}
"""


def cases(items):
    random = np.random.default_rng(1)
    for kernel, (function, kind) in functions().items():
        if kind in REALS:
            a, b = random.random(items) * 4, random.random(items) * 3 + 0.1
        else:
            a, b = random.integers(0, 100, items), random.integers(1, 90, items)
        number = INTEGERS.get(kind) or REALS[kind]
        name = function.split("(")[0] if function[0] not in "(x" else function
        if name.startswith("convert"):
            name = function
        yield f"{name} {kind}", kernel, (items,), (256,), [a.astype(number), b.astype(number), np.int32(16), np.zeros(items, number)]


if __name__ == "__main__":
    walks.main(__doc__, source, cases, items=65536)
