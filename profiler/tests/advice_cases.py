"""For each advice that a kernel can earn, one that has the fault and one that has not."""

N = 1 << 17  # work-items of most launches: groups enough for any device


def kernel(source, arguments, size=(N,), local=(256,), **more):
    return dict(source=source, kernel="k", arguments=arguments, options=more.pop("options", "-cl-mad-enable"), local=list(local),
                **{"global": list(size)}, **more)


def line(body, arguments=(("buffer", 2 * N), ("buffer", 2 * N)), head="", **more):
    """A kernel of two buffers a and b, with i the work-item's number."""
    return kernel(f"{head}kernel void k(global float* a, global float* b) {{\n  int i = get_global_id(0);\n  {body}\n}}\n", list(arguments), **more)


def tile(width):
    return kernel(f"""kernel void k(global float* a, global const float* b) {{
  local float tile[32][{width}];
  int x = get_local_id(0), y = get_local_id(1), gx = get_group_id(0) * 32, gy = get_group_id(1) * 32;
  for (int j = 0; j < 32; j += 8) tile[y + j][x] = b[(gy + y + j) * 1024 + gx + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < 32; j += 8) a[(gx + y + j) * 1024 + gy + x] = tile[x][y + j];
}}
""", [("buffer", 1 << 20), ("buffer", 1 << 20)], size=(1024, 256), local=(32, 8))


def transpose(store):
    return kernel(f"""kernel void k(global float* a, global const float* b) {{
  int x = get_global_id(0), y = get_global_id(1);
  {store}
}}
""", [("buffer", 1 << 20), ("buffer", 1 << 20)], size=(1024, 1024), local=(32, 8))


def multiply(tiled):
    if tiled:
        body = """  local float p[16][16], q[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  for (int t = 0; t < 256; t += 16) {
    p[y][x] = b[row * 256 + t + x];
    q[y][x] = b[(t + y) * 256 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += p[y][k] * q[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }"""
    else:
        body = "  for (int k = 0; k < 256; k++) sum += b[row * 256 + k] * b[k * 256 + column];"
    return kernel(f"""kernel void k(global float* a, global const float* b) {{
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
{body}
  a[row * 256 + column] = sum;
}}
""", [("buffer", 1 << 16), ("buffer", 1 << 16)], size=(256, 256), local=(16, 16))


def camping(pitch):
    """Groups that run together write rows; 8 partitions of 256 bytes on 1.3."""
    return kernel(f"""kernel void k(global float* a, global const float* b) {{
  int at = get_group_id(0) * {pitch} + get_local_id(0);
  a[at] = b[at];
}}
""", [("buffer", 512 * pitch), ("buffer", 512 * pitch)], size=(512 * 64,), local=(64,))


CAMPING = (camping(2048), camping(2048 + 64))

_REDUCTION = """kernel void reduce(global const float* in, global float* out, local float* part) {
  int lid = get_local_id(0);
  part[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = %s) {
    if (%s) {
      part[%s] += part[%s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[get_group_id(0)] = part[0];
}
"""
# A sum in three ways: every other lane works, lanes in a row work on words apart, all is in a row.
REDUCTIONS = {name: dict(source=_REDUCTION % parts, kernel="reduce", options="-cl-mad-enable", local=[256], **{"global": [1 << 18]},
                         arguments=[["buffer", 1 << 18], ["buffer", 1 << 18], ["local", 1024]])
              for name, parts in {"modulo": ("1; s < 256; s *= 2", "lid % (2 * s) == 0", "lid", "lid + s"),
                                  "strided": ("1; s < 256; s *= 2", "2 * s * lid < 256", "2 * s * lid", "2 * s * lid + s"),
                                  "in_a_row": ("128; s > 0; s >>= 1", "lid < s", "lid", "lid + s")}.items()}

# Of runs: programs, behind the lines of RUN_HEAD.
RUN_HEAD = """
import numpy as np, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue, second = cl.CommandQueue(context), cl.CommandQueue(context)
program = cl.Program(context, '''kernel void touch(global float* a) { a[get_global_id(0)] += 1; }
kernel void work(global float* a, int n) {
  float s = a[get_global_id(0)];
  for (int i = 0; i < n; i++) s = s * 0.5f + 1;
  a[get_global_id(0)] = s;
}
kernel void wait(global float* a) {
  if (get_local_id(0) < BOUND) barrier(CLK_LOCAL_MEM_FENCE);
  if (WAITS) barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = 1;
}''').build("-cl-mad-enable -D BOUND=%d -D WAITS=%d" % (BOUND, WAITS))
touch, work, wait = (cl.Kernel(program, name) for name in ("touch", "work", "wait"))
host = np.zeros(1 << 20, np.float32)
a, b = (cl.Buffer(context, cl.mem_flags.READ_WRITE, host.nbytes) for _ in range(2))
"""
_TURNS = """
for _ in range(4):
    cl.enqueue_copy(queue, a, host)
    for _ in range(4): touch(queue, (1 << 20,), (256,), a)
    queue.finish()
"""
RUN_CASES = {
    "small_transfers": ("for i in range(20): cl.enqueue_copy(queue, a, host[i * 256:(i + 1) * 256])", "cl.enqueue_copy(queue, a, host[:20 * 256])"),
    "transfers_outweigh": ("cl.enqueue_copy(queue, a, host)\ntouch(queue, (1 << 14,), (256,), a)",
                           "cl.enqueue_copy(queue, a, host)\nfor _ in range(4): touch(queue, (1 << 20,), (256,), a)"),
    "no_overlap": (_TURNS, """
work(queue, (1 << 18,), (256,), a, np.int32(1000)).wait()  # its code is made meanwhile
for _ in range(4):
    work(queue, (1 << 18,), (256,), a, np.int32(1000))
    queue.flush()
    for _ in range(4): cl.enqueue_copy(second, b, host, is_blocking=False)
second.finish()
"""),
    "divergent_barrier": ("wait(queue, (1 << 14,), (256,), a)", None),  # good with another BOUND, and bad whether the others wait or end
}

CASES = {
    "uncoalesced": (transpose("a[x * 1024 + y] = b[y * 1024 + x];"), transpose("a[y * 1024 + x] = b[y * 1024 + x];")),
    "strided": (line("a[i] = b[2 * i];"), line("a[i] = b[i];")),
    "misaligned": (line("a[i] = b[i + 1];"), line("a[i] = b[i + 32];")),
    "bank_conflicts": (tile(32), tile(33)),
    "divergence": (
        line("float s = b[i]; if (i % 2) { for (int j = 0; j < 20; j++) s = native_sin(s); } else { for (int j = 0; j < 20; j++) s = native_cos(s) * s; } a[i] = s;"),
        line("float s = b[i]; if (i / 32 % 2) { for (int j = 0; j < 20; j++) s = native_sin(s); } else { for (int j = 0; j < 20; j++) s = native_cos(s) * s; } a[i] = s;")),
    "constant_divergence": (
        kernel("kernel void k(global float* a, constant float* c) {\n  int i = get_global_id(0);\n  a[i] = c[i & 255];\n}\n", [("buffer", N), ("constant", 256)]),
        kernel("kernel void k(global float* a, constant float* c) {\n  int i = get_global_id(0);\n  a[i] = c[get_group_id(0) & 255];\n}\n", [("buffer", N), ("constant", 256)])),
    "private_memory": (
        line("float p[64]; for (int j = 0; j < 64; j++) p[j] = b[i] + j; int at = (int)b[i] & 63; for (int j = 0; j < 8; j++) { p[at] += 1; at = (at * 5 + 1) & 63; } a[i] = p[at];"),
        line("float p = b[i]; for (int j = 0; j < 8; j++) p += 1; a[i] = p;")),
    "atomic_contention": (
        kernel("kernel void k(global int* a) {\n  int i = get_global_id(0);\n  atomic_add(&a[i >> 10], i);\n}\n", [("buffer", N)]),
        kernel("kernel void k(global int* a) {\n  int i = get_global_id(0);\n  atomic_add(&a[i], i);\n}\n", [("buffer", N)])),
    "redundant_reads": (multiply(False), multiply(True)),
    "low_occupancy": (
        kernel("kernel void k(global float* a, local float* t) {\n  int i = get_global_id(0);\n  t[get_local_id(0)] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = t[get_local_id(0) ^ 16];\n}\n",
               [("buffer", N), ("local", 32768)], local=(32,)),
        kernel("kernel void k(global float* a, local float* t) {\n  int i = get_global_id(0);\n  t[get_local_id(0)] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  a[i] = t[get_local_id(0) ^ 16];\n}\n",
               [("buffer", N), ("local", 1024)])),
    "group_size": (line("a[i] = b[i];", size=(N // 50 * 50,), local=(50,)), line("a[i] = b[i];", size=(N,), local=(64,))),
    "few_groups": (line("a[i] = b[i];", size=(1024,)), line("a[i] = b[i];")),
    "long_arguments": (
        kernel("kernel void k(global float* a, " + ", ".join(f"float p{j}" for j in range(40)) + ") {\n  int i = get_global_id(0);\n  a[i] = " +
               " + ".join(f"p{j}" for j in range(40)) + ";\n}\n", [("buffer", N)] + [("float", 1)] * 40),
        kernel("kernel void k(global float* a, float p) {\n  int i = get_global_id(0);\n  a[i] = p;\n}\n", [("buffer", N), ("float", 1)])),
    "double_literal": (line("a[i] = b[i] * 0.5;"), line("a[i] = b[i] * 0.5f;")),
    "small_power": (line("a[i] = pow(b[i], 2.0f);"), line("a[i] = pow(b[i], b[i + 32]);")),
    "reciprocal_sqrt": (line("a[i] = 1.0f / sqrt(b[i]);"), line("a[i] = rsqrt(b[i]) / sqrt(b[i]);")),
    "integer_division": (
        kernel("kernel void k(global float* a, int n) {\n  int i = get_global_id(0);\n  a[i] = i % n;\n}\n", [("buffer", N), ("int", 64)]),
        kernel("kernel void k(global float* a, int n) {\n  int i = get_global_id(0);\n  a[i] = i & (n - 1);\n}\n", [("buffer", N), ("int", 64)])),
    "native_math": (line("a[i] = sin(b[i]);"), line("a[i] = native_sin(b[i]);")),
    "mad_enable": (line("float s = 0; s += a[i] * b[i]; a[i] = s;", options=""), line("float s = 0; s += a[i] * b[i]; a[i] = s;")),
    "unsigned_counter": (line("float s = 0; for (uint j = 0; j < 9; j++) s += b[i]; a[i] = s;"), line("float s = 0; for (int j = 0; j < 9; j++) s += b[i]; a[i] = s;")),
}
