#!/usr/bin/python3
"""cl_weft_performance_counters from pyopencl, which knows nothing of it: bank conflicts of a tile, and none with a padded column.

Runs on the first device that has the extension; needs Debian's python3-pyopencl. Tokens and structures are those of
CL/cl_ext_weft.h.
"""

import ctypes
import os
import sys

os.environ.setdefault("PYOPENCL_NO_CACHE", "1")

import numpy as np
import pyopencl as cl

DEVICE_COUNTERS = 0x57460000
QUEUE_COUNTERS = 0x57460010
PROFILING_COUNTERS = 0x57460020
PROFILING_LINES = 0x57460022
PROFILING_LINE_COUNTERS = 0x57460023

opencl = ctypes.CDLL("libOpenCL.so.1")


class Counter(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("unit", ctypes.c_uint32), ("scope", ctypes.c_uint32), ("storage", ctypes.c_uint32),
                ("name", ctypes.c_char * 128), ("description", ctypes.c_char * 256)]


class Config(ctypes.Structure):
    _fields_ = [("num_counters", ctypes.c_uint32), ("ids", ctypes.POINTER(ctypes.c_uint32))]


class Result(ctypes.Union):
    _fields_ = [("uint64", ctypes.c_uint64), ("float64", ctypes.c_double)]


class Line(ctypes.Structure):
    _fields_ = [("file", ctypes.c_uint32), ("line", ctypes.c_uint32)]


def query(function, handle, name, kind):
    """All of a query's answer, as an array of `kind`; none if the object does not know it."""
    size = ctypes.c_size_t()
    if function(ctypes.c_void_p(handle), name, ctypes.c_size_t(0), None, ctypes.byref(size)) != 0:
        return []
    answer = (kind * (size.value // ctypes.sizeof(kind)))()
    if size.value and function(ctypes.c_void_p(handle), name, size, answer, None) != 0:
        raise RuntimeError(f"query {name:#x} failed")
    return answer


def counters_of(device):
    return query(opencl.clGetDeviceInfo, device.int_ptr, DEVICE_COUNTERS, Counter)


def find_device():
    for platform in cl.get_platforms():
        for device in platform.get_devices():
            if len(counters_of(device)):
                return device
    sys.exit("no device has cl_weft_performance_counters")


class CountingQueue:
    def __init__(self, context, device, names):
        by_name = {counter.name.decode(): counter for counter in counters_of(device)}
        self.counters = [by_name[name] for name in names]
        ids = (ctypes.c_uint32 * len(names))(*(counter.id for counter in self.counters))
        config = Config(len(names), ids)
        self.queue = cl.CommandQueue(context, device, [QUEUE_COUNTERS, ctypes.addressof(config)])

    def _named(self, results):
        return {counter.name.decode(): result.float64 if counter.storage else result.uint64
                for counter, result in zip(self.counters, results)}

    def read(self, event):
        return self._named(query(opencl.clGetEventProfilingInfo, event.int_ptr, PROFILING_COUNTERS, Result))

    def lines(self, event):
        results = query(opencl.clGetEventProfilingInfo, event.int_ptr, PROFILING_LINE_COUNTERS, Result)
        count = len(self.counters)
        lines = query(opencl.clGetEventProfilingInfo, event.int_ptr, PROFILING_LINES, Line)
        return {line.line: self._named(results[i * count:(i + 1) * count]) for i, line in enumerate(lines)}


SOURCE = """kernel void transpose(global float* out, global const float* in, int width) {
  local float tile[32][COLUMNS];
  const int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 32 + y) * width + get_group_id(1) * 32 + x] = tile[x][y];
}
"""
WIDTH = 256
WARPS = WIDTH * WIDTH // 32


def main():
    device = find_device()
    context = cl.Context([device])
    counting = CountingQueue(context, device, ["shared_ld_bank_conflict", "shared_st_bank_conflict", "shared_efficiency",
                                               "gst_efficiency"])
    values = np.arange(WIDTH * WIDTH, dtype=np.float32).reshape(WIDTH, WIDTH)
    data = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    out = cl.Buffer(context, cl.mem_flags.READ_WRITE, values.nbytes)
    for columns, conflicts in ((32, 31 * WARPS), (33, 0)):
        program = cl.Program(context, SOURCE).build(f"-DCOLUMNS={columns}")
        event = program.transpose(counting.queue, (WIDTH, WIDTH), (32, 32), out, data, np.int32(WIDTH))
        event.wait()
        result = np.empty_like(values)
        cl.enqueue_copy(counting.queue, result, out)
        assert (result == values.T).all()
        totals = counting.read(event)
        print(f"{columns} columns: {totals}")
        assert totals["shared_ld_bank_conflict"] == conflicts
        assert totals["shared_st_bank_conflict"] == 0
        assert totals["gst_efficiency"] == 100
        for line, counts in counting.lines(event).items():
            assert counts["shared_ld_bank_conflict"] == (conflicts if line == 6 else 0), (line, counts)
    print("as known")


if __name__ == "__main__":
    main()
