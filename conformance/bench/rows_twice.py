#!/usr/bin/env python3
"""Kernels that walk along a row twice and compute the same in both walks: for a sum of it, and for what they write, on every platform that the loader
finds, in turn.

    rows_twice.py [--rounds 8] [--items 2048] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

SUM = """
  local %(type)s t[256];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = t[0];
"""


def kernel(name, value, element="float", step="sum += v", factor="1 / sum"):
    """`value`: of x, an element. `element`: its type; numbers of it are summed as `step` says."""
    scalar = element.rstrip("4")
    return f"""
kernel void {name}(global const {element}* in, global {element}* out, int n) {{
  const int l = get_local_id(0);
  const int row = get_group_id(0) * n;
  {scalar} sum = 0;
  for (int i = l; i < n; i += get_local_size(0)) {{
    const {element} x = in[row + i], v = {value};
    {step};
  }}
  {SUM % {"type": scalar}}
  const {scalar} f = {factor};
  for (int i = l; i < n; i += get_local_size(0)) {{
    const {element} x = in[row + i];
    out[row + i] = {value} * f;
  }}
}}
"""


SOURCE = "".join([
    kernel("softmax", "exp(x)"),
    kernel("softmax4", "exp(x)", "float4", "sum += v.x + v.y + v.z + v.w"),
    kernel("activation", "(x / (1 + exp(-x)))", step="sum += v * v", factor="rsqrt(sum / n)"),
    kernel("powers", "powr(fabs(x), 1.7f)"),
    kernel("doubles", "tanh(x)", "double", "sum += v * v", "rsqrt(sum / n)"),
    kernel("squares", "(x * x + 1)"),
])


def cases(items):
    """As in walks.py. `items`: of a row."""
    random = np.random.default_rng(1)
    for name, title, kind, width in (("softmax", "softmax", np.float32, 1), ("softmax4", "softmax of float4", np.float32, 4),
                                     ("activation", "norm of an activation", np.float32, 1), ("powers", "shares of powers", np.float32, 1),
                                     ("doubles", "norm of doubles", np.float64, 1), ("squares", "shares of squares", np.float32, 1)):
        for n in (items, items // 2 - 24, 64 * items):
            rows = max(1024 * 1024 // n, 1)
            data = (random.random(rows * n) * 8 - 4).astype(kind)
            yield f"{title}, rows of {n}", name, (rows * 256,), (256,), [data, np.zeros_like(data), np.int32(n // width)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=2048)
