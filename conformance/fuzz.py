#!/usr/bin/python3
"""Random kernels on the platform under test against an oracle.

    fuzz.py [--seed N] [--count N] [--size N] [--barriers] [--keep FOLDER]

Without --barriers: functions of one work-item with loops, switches, gotos, early returns and private arrays; the oracle is
the same text compiled as C for the host (clang-19). With --barriers: groups that exchange values through local memory
in uniform control flow around divergent statements; the oracle is Oclgrind. --size is the number of statements of the outermost
block. A kernel that differs, hangs or crashes is written to FOLDER. Needs python3-pyopencl. The exit status is 0 when all
agreed. The compiler alone is tested faster and with richer kernels by weft-fuzz (docs/debugging.md).
"""

import argparse
import ctypes
import os
import pathlib
import random
import subprocess
import sys
import tempfile

os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

import numpy as np
import pyopencl as cl

LOCALS = (64, 1, 37, 27)


class Generator:
    """Statements over uint variables a..e and the array p[8]; every loop is bounded."""

    def __init__(self, seed, size, barriers):
        self.random = random.Random(seed)
        self.barriers = barriers
        self.size = size
        self.counters = 0
        self.labels = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def variable(self):
        return self.pick("a", "b", "c", "d", "e", f"p[{self.pick('a', 'b', 'c', 'i')} & 7]", f"p[{self.random.randrange(8)}]")

    def expression(self, depth=0):
        r = self.random.random()
        if depth > 2 or r < 0.35:
            return self.pick(self.variable(), self.variable(), f"{self.random.randrange(40)}u", "i", "v")
        x, y = self.expression(depth + 1), self.expression(depth + 1)
        if r < 0.8:
            return f"({x} {self.pick('+', '-', '*', '^', '&', '|')} {y})"
        if r < 0.88:
            return f"({x} {self.pick('>>', '<<')} {self.random.randrange(31)})"
        if r < 0.94:
            return f"({x} / ({y} | 1u))"
        return f"({self.condition(depth + 1)} ? {x} : {y})"

    def condition(self, depth=0):
        x = f"{self.expression(depth + 1)} {self.pick('<', '>', '==', '!=', '<=')} {self.expression(depth + 1)}"
        r = self.random.random()
        if r < 0.3:
            return f"({self.expression(depth + 1)} & {1 << self.random.randrange(4)}u)"
        if r < 0.4 and depth < 2:
            return f"({x} {self.pick('&&', '||')} {self.condition(depth + 1)})"
        return f"({x})"

    def block(self, depth, loop, count=None):
        return "{ " + " ".join(self.statement(depth, loop) for _ in range(count or self.random.randrange(1, 4))) + " }"

    def loop(self, body_of, depth):
        n = f"n{self.counters}"
        self.counters += 1
        bound = self.pick(f"({self.expression(2)} & 7u)", f"{self.random.randrange(1, 7)}u", "(i & 3u)", "(v & 15u)")
        form = self.random.randrange(3)
        if form == 0:
            return f"for (uint {n} = 0; {n} < {bound}; ++{n}) {body_of()}"
        if form == 1:
            return f"{{ uint {n} = 0; while ({n}++ < 9u && {self.condition()}) {body_of()} }}"
        return f"{{ uint {n} = 0; do {body_of()} while (++{n} < 6u && {self.condition()}); }}"

    def statement(self, depth=0, loop=False):
        r = self.random.random()
        if depth > 3 or r < 0.4:
            return f"{self.variable()} {self.pick('=', '+=', '^=', '-=', '*=')} {self.expression()};"
        if r < 0.6:
            other = f" else {self.block(depth + 1, loop)}" if self.random.random() < 0.5 else ""
            return f"if {self.condition()} {self.block(depth + 1, loop)}{other}"
        if r < 0.75:
            return self.loop(lambda: self.block(depth + 1, True), depth)
        if r < 0.83 and not self.barriers:  # Oclgrind 21.10 gets a case that falls through wrong
            cases = "".join(f"case {k}: {self.statement(depth + 2, loop)} {self.pick('break;', '', 'break;')} "
                            for k in self.random.sample(range(6), self.random.randrange(1, 5)))
            return f"switch ({self.expression(2)} & 7u) {{ {cases} default: {self.statement(depth + 2, loop)} }}"
        if r < 0.9 and loop:
            return f"if {self.condition()} {self.pick('break;', 'continue;')}"
        if r < 0.93 and not self.barriers:
            return f"if {self.condition()} return {self.expression()};"
        if r < 0.97 and not self.barriers:
            return self.jump(depth, loop)
        return f"{self.variable()} = {self.expression()};"

    def jump(self, depth, loop):
        """Gotos forward, backward (bounded), and into the middle of a loop."""
        l = f"l{self.labels}"
        self.labels += 1
        kind = self.random.randrange(3)
        if kind == 0:
            return f"if {self.condition()} goto {l}; {self.statement(depth + 1, loop)} {l}: ;"
        n = f"n{self.counters}"
        self.counters += 1
        if kind == 1:
            return f"{n} = 0; {l}: ; {self.statement(depth + 1, loop)} if (++{n} < 5u && {self.condition()}) goto {l};"
        return (f"{n} = 0; if {self.condition()} goto {l}b; {l}a: ; {self.statement(depth + 1, loop)} {l}b: ; "
                f"{self.statement(depth + 1, loop)} if (++{n} < 5u && {self.condition()}) goto {l}a;")

    def function(self, name):
        body = " ".join(self.statement() for _ in range(self.size))
        # Counters of gotos must not be jumped over.
        counters = "".join(f"uint n{k} = 0; " for k in range(self.counters))
        body = self.plain_counters(body)
        return (f"uint {name}(uint v, uint i) {{ uint a = v, b = i, c = v ^ i, d = 1u, e = v >> 3; uint p[8]; {counters}"
                f"for (uint k = 0; k < 8u; ++k) p[k] = v * k + i; {body} "
                "uint s = a + 3u * b + 5u * c + 7u * d + 11u * e; for (uint k = 0; k < 8u; ++k) s = s * 31u + p[k]; return s; }")

    @staticmethod
    def plain_counters(body):
        return body.replace("(uint n", "(n").replace("{ uint n", "{ n")

    def uniform_condition(self):
        return self.pick("(w & 1u)", "(w % 3u == 0u)", "(u > 40u)", "(t[0] & 1u)" if False else "(u & 2u)")

    def group_statement(self, depth=0):
        r = self.random.random()
        exchange = (f"t[l] = {self.expression()}; barrier(CLK_LOCAL_MEM_FENCE); {self.variable()} ^= t[{self.pick('(l + 1u) % n', 'n - 1u - l', '(l * 3u) % n')}]; "
                    f"barrier(CLK_LOCAL_MEM_FENCE);")
        if depth > 2 or r < 0.35:
            return exchange
        if r < 0.6:
            return self.plain_counters(self.statement(1))
        if r < 0.7:
            return f"u = u * 5u + {self.random.randrange(9)}u;"
        if r < 0.85:
            x = " ".join(self.group_statement(depth + 1) for _ in range(self.random.randrange(1, 3)))
            y = " ".join(self.group_statement(depth + 1) for _ in range(self.random.randrange(1, 3)))
            return f"if {self.uniform_condition()} {{ {x} }} else {{ {y} }}"
        k = f"g{self.counters}"
        self.counters += 1
        x = " ".join(self.group_statement(depth + 1) for _ in range(self.random.randrange(1, 3)))
        leave = f"if ({k} == (w & 3u)) break;" if self.random.random() < 0.4 else ""
        return f"for (uint {k} = 0; {k} < {self.pick('3u', '(w & 3u)', '(u & 3u)')}; ++{k}) {{ {x} {leave} u += {k}; }}"

    def group_kernel(self, name):
        body = " ".join(self.group_statement() for _ in range(self.size))
        counters = "".join(f"uint n{k} = 0; " for k in range(self.counters))
        return (f"kernel void {name}(global const uint* in, global uint* out, local uint* t) {{ uint i = get_global_id(0); uint v = in[i]; "
                f"uint l = get_local_id(0), n = get_local_size(0), w = get_group_id(0); uint u = w * 7u + 1u; uint a = v, b = i, c = v ^ i, d = 1u, e = v >> 3; "
                f"uint p[8]; {counters} for (uint k = 0; k < 8u; ++k) p[k] = v * k + i; {body} "
                "uint s = a + 3u * b + 5u * c + 7u * d + 11u * e + u; for (uint k = 0; k < 8u; ++k) s = s * 31u + p[k]; out[i] = s; }")


def context_of(name):
    for platform in cl.get_platforms():
        if name in platform.name and platform.get_devices():
            return cl.Context(platform.get_devices()[:1])
    sys.exit(f"fuzz.py: no platform named like {name}")


def run_kernel(context, program, name, values, local, with_local):
    queue = cl.CommandQueue(context)
    flags = cl.mem_flags
    source = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=values)
    target = cl.Buffer(context, flags.READ_WRITE, values.nbytes)
    arguments = [source, target] + ([cl.LocalMemory(4 * local)] if with_local else [])
    getattr(program, name)(queue, (len(values),), (local,), *arguments)
    got = np.empty_like(values)
    cl.enqueue_copy(queue, got, target)
    return got


def host_functions(text, names, folder):
    source = pathlib.Path(folder) / "oracle.c"
    source.write_text("typedef unsigned int uint;\n" + text + "\n".join(
        f"void run_{n}(const uint* in, uint* out, uint count) {{ for (uint i = 0; i < count; ++i) out[i] = {n}(in[i], i); }}" for n in names))
    library = pathlib.Path(folder) / "oracle.so"
    subprocess.run(["clang-19", "-O1", "-w", "-shared", "-fPIC", "-fno-strict-aliasing", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def kernels_of(seeds, options):
    """Kernel by name, and the text of the functions that the host compiles."""
    if options.barriers:
        return {f"k{s}": Generator(s, options.size, True).group_kernel(f"k{s}") for s in seeds}, {}
    functions = {f"f{s}": Generator(s, options.size, False).function(f"f{s}") for s in seeds}
    kernels = {f"k{n}": f"{f}\nkernel void k{n}(global const uint* in, global uint* out) {{ uint i = get_global_id(0); out[i] = {n}(in[i], i); }}"
               for n, f in functions.items()}
    return kernels, functions


def check(seeds, options):
    """In a child: tells what differs, one line a kernel."""
    context = context_of(os.environ.get("WEFT_TEST_PLATFORM", "Weft"))
    kernels, functions = kernels_of(seeds, options)
    text = "\n".join(kernels.values())
    if options.barriers:
        oracle = context_of("Oclgrind")
        reference = cl.Program(oracle, text).build("-w")
    else:
        folder = tempfile.TemporaryDirectory()
        library = host_functions("\n".join(functions.values()), functions, folder.name)
    program = cl.Program(context, text).build("-w")
    for name in kernels:
        for local in LOCALS:
            values = np.random.default_rng(local).integers(0, 2**32, local * 3, dtype=np.uint32)
            values[::3] &= 255
            wanted = np.empty_like(values)
            if options.barriers:
                wanted = run_kernel(oracle, reference, name, values, local, True)
            else:
                pointer = ctypes.POINTER(ctypes.c_uint)
                getattr(library, "run_" + name[1:])(values.ctypes.data_as(pointer), wanted.ctypes.data_as(pointer), len(values))
            try:
                got = run_kernel(context, program, name, values, local, options.barriers)
            except cl.Error as error:
                print(f"{name} at local size {local}: {error}", flush=True)
                break
            wrong = np.flatnonzero(got != wanted)
            if len(wrong):
                print(f"{name} at local size {local}: {len(wrong)} of {len(values)} items differ, the first is {wrong[0]}", flush=True)
                break


def child(seeds, options):
    """Lines that check() says in a process of its own; None when that crashed or hung."""
    command = [sys.executable, __file__, "--child", "--seed", str(seeds[0]), "--count", str(len(seeds)), "--size", str(options.size)]
    command += ["--barriers"] if options.barriers else []
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=options.time_out * len(seeds))
    except subprocess.TimeoutExpired:
        return None, "hangs"
    if ended.returncode:
        return None, f"status {ended.returncode}: {ended.stderr.strip()[-300:]}"
    return ended.stdout.splitlines(), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=4)
    parser.add_argument("--barriers", action="store_true")
    parser.add_argument("--time-out", type=float, default=20, help="seconds a kernel")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    end = options.seed + options.count
    if options.child:
        check(range(options.seed, end), options)
        return 0

    different = 0
    for first in range(options.seed, end, 10):
        seeds = range(first, min(first + 10, end))
        lines, _ = child(seeds, options)
        if lines is None:  # one by one
            lines = []
            for seed in seeds:
                own, why = child(range(seed, seed + 1), options)
                lines += own if own is not None else [f"{next(iter(kernels_of([seed], options)[0]))}: {why}"]
        kernels, _ = kernels_of(seeds, options)
        for line in lines:
            print(line, flush=True)
            different += 1
            options.keep.mkdir(parents=True, exist_ok=True)
            name = line.replace(":", " ").split()[0]
            (options.keep / f"{name}-{options.size}.cl").write_text(kernels[name] + "\n")
    print(f"{options.count} kernels, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
