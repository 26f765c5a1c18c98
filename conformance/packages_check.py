"""The Python interface of the wheel, as docs/install.md has it: run by conformance/packages.sh in a virtual environment."""
import json
import pathlib
import tempfile

import numpy as np

import weft

SOURCE = """kernel void strided(global float* a, int stride) {
  a[get_global_id(0) * stride] += 1;
}
"""


def launch(cl, queue, program, buffer, stride):
    return program.strided(queue, (1 << 14,), (64,), buffer, np.int32(stride))


with tempfile.TemporaryDirectory() as folder:
    data = pathlib.Path(folder) / "data.json"
    with weft.profile(pathlib.Path(folder) / "page.html", quiet=True, options=["--json", str(data)]):
        import pyopencl as cl
        device, = [d for p in cl.get_platforms() if p.name == "Weft" for d in p.get_devices()][:1]
        context = cl.Context([device])
        queue = cl.CommandQueue(context)
        program = cl.Program(context, SOURCE).build()
        buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 << 18)
        launch(cl, queue, program, buffer, 1).wait()
        queue.finish()
    launch(cl, queue, program, buffer, 16).wait()  # in no block
    kernel, = json.loads(data.read_text())["kernels"]
    assert kernel["launches"] == 1 and kernel["counters"]["gst_efficiency"] == 100, kernel
    print("profile: 1 launch, gst_efficiency 100")
    with weft.profile(pathlib.Path(folder) / "page.html", quiet=True, options=["--json", str(data)]):
        launch(cl, queue, program, buffer, 16).wait()
    kernel, = json.loads(data.read_text())["kernels"]
    assert kernel["launches"] == 1 and kernel["counters"]["gst_efficiency"] < 20, kernel
    print("profile: 1 launch, gst_efficiency", kernel["counters"]["gst_efficiency"])

counting = weft.CountingQueue(context, ["gld_efficiency", "gst_efficiency"])
for stride in (1, 16):
    event = launch(cl, counting, program, buffer, stride)
    counted = weft.counters(event)
    assert (counted["gst_efficiency"] == 100) == (stride == 1), counted
    lines = weft.line_counters(event)
    assert any(line == 2 for _, line in lines), lines
    print(f"stride {stride}: {counted}, lines {sorted(lines)}")
assert "gld_efficiency" in weft.counter_list(device)
try:
    weft.CountingQueue(context, ["no such counter"])
except ValueError as error:
    print("no such counter:", error)
