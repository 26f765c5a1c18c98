"""Launches a kernel as a file says: {"source", "options", "kernel", "global", "local", "arguments", "times", "pinned"}.

Arguments: ["buffer", floats], ["indices", ints], ["constant", floats], ["int", n], ["float", x], ["local", bytes].
"""
import json
import sys

import numpy as np
import pyopencl as cl

queue = None
for spec in json.load(open(sys.argv[1])):
    if not queue:
        context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
        queue = cl.CommandQueue(context)
    program = cl.Program(context, spec["source"]).build(spec.get("options", "-cl-mad-enable"))
    kernel = getattr(program, spec["kernel"])
    arguments, outputs = [], []
    for kind, value in spec["arguments"]:
        if kind in ("buffer", "constant"):
            host = (np.arange(value, dtype=np.float32) % 7) + 1
            arguments.append(cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host))
        elif kind == "indices":
            host = np.random.default_rng(1).permutation(value).astype(np.int32)
            arguments.append(cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host))
        elif kind == "int":
            arguments.append(np.int32(value))
        elif kind == "float":
            arguments.append(np.float32(value))
        elif kind == "local":
            arguments.append(cl.LocalMemory(value))
    for _ in range(spec.get("times", 1)):
        kernel(queue, spec["global"], spec["local"], *arguments)
        if spec.get("transfers"):
            there = np.zeros(arguments[0].size, np.uint8)
            cl.enqueue_copy(queue, there, arguments[0])
            cl.enqueue_copy(queue, arguments[0], there)
    queue.finish()
