#!/usr/bin/env python3
"""Loops over rows that a list tells, as of sparse matrices and graphs, of lengths from 0 to twice their average, on every platform that the loader finds,
in turn.

    listed_rows.py [--rounds 8] [--items 65536] [NAME ...]

Prints what walks.py does. Needs Debian's python3-pyopencl.
"""
import numpy as np

import walks

KERNELS = """
kernel void products_T(global const int* first, global const int* to, global const T* value, global const T* x, global T* y) {
  const int i = get_global_id(0);
  T sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += value[k] * x[to[k]];
  y[i] = sum;
}
kernel void scaled_T(global const int* first, global const int* to, global const T* value, global const T* x, global T* y) {
  const int i = get_global_id(0);
  T sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) sum += x[to[k]] * x[i];
  y[i] = (T)0.15 + (T)0.85 * sum;
}
kernel void greatest_T(global const int* first, global const int* to, global const T* value, global const T* x, global T* y) {
  const int i = get_global_id(0);
  T most = -1;
  for (int k = first[i]; k < first[i + 1]; ++k) most = fmax(most, x[to[k]]);
  y[i] = most;
}
kernel void below_T(global const int* first, global const int* to, global const T* value, global const T* x, global T* y) {
  const int i = get_global_id(0);
  int count = 0;
  for (int k = first[i]; k < first[i + 1]; ++k)
    if (to[k] < i && x[to[k]] > 0) ++count;
  y[i] = count;
}
"""
TYPES = {"float": np.float32, "double": np.float64}
SOURCE = "".join(KERNELS.replace("_T", "_" + name).replace(" T ", f" {name} ").replace(" T*", f" {name}*").replace("(T)", f"({name})") for name in TYPES)


def cases(items):
    """As in walks.py."""
    random = np.random.default_rng(1)
    for type_name, number in TYPES.items():
        for average in 1, 2, 4, 8, 16, 32:
            first = np.concatenate(([0], np.cumsum(random.integers(0, 2 * average + 1, items)))).astype(np.int32)
            to = random.integers(0, items, first[-1]).astype(np.int32)
            value, x = random.random(first[-1]).astype(number), random.random(items).astype(number)
            for name, kernel in ("products", "products"), ("neighbours, scaled", "scaled"), ("greatest neighbour", "greatest"), ("lesser neighbours", "below"):
                yield f"{name}, {type_name}, {average}", f"{kernel}_{type_name}", (items,), (128,), [first, to, value, x, np.zeros(items, number)]


if __name__ == "__main__":
    walks.main(__doc__, SOURCE, cases, items=1 << 16)
