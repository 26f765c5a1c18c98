"""A kernel from a SPIR-V module, built by clCreateProgramWithIL: run by conformance/packages.sh where a package is installed.

The module is `kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }`, written here instruction by instruction (SPIR-V 1.6 §3.52),
so that nothing but pyopencl is needed.
"""
import struct

import numpy as np
import pyopencl as cl


def text(string):
    data = string.encode() + b"\0"
    return struct.unpack(f"<{-(-len(data) // 4)}I", data.ljust(-(-len(data) // 4) * 4, b"\0"))


def instruction(code, *operands):
    return ((len(operands) + 1) << 16 | code, *operands)


VOID, INT, LONG, VECTOR, INPUT, POINTER, FUNCTION, TWO, ID, KERNEL, A, ENTRY, IDS, INDEX, ADDRESS, OLD, NEW, BOUND = range(1, 19)
INSTRUCTIONS = [
    instruction(17, 4),                                  # OpCapability Addresses
    instruction(17, 6),                                  # OpCapability Kernel
    instruction(17, 11),                                 # OpCapability Int64
    instruction(14, 2, 2),                               # OpMemoryModel Physical64 OpenCL
    instruction(15, 6, KERNEL, *text("twice"), ID),      # OpEntryPoint Kernel
    instruction(71, ID, 11, 28),                         # OpDecorate BuiltIn GlobalInvocationId
    instruction(71, ID, 22),                             # OpDecorate Constant
    instruction(19, VOID),                               # OpTypeVoid
    instruction(21, INT, 32, 0),                         # OpTypeInt
    instruction(21, LONG, 64, 0),
    instruction(23, VECTOR, LONG, 3),                    # OpTypeVector
    instruction(32, INPUT, 1, VECTOR),                   # OpTypePointer Input
    instruction(32, POINTER, 5, INT),                    # OpTypePointer CrossWorkgroup
    instruction(33, FUNCTION, VOID, POINTER),            # OpTypeFunction
    instruction(43, INT, TWO, 2),                        # OpConstant
    instruction(59, INPUT, ID, 1),                       # OpVariable
    instruction(54, VOID, KERNEL, 0, FUNCTION),          # OpFunction
    instruction(55, POINTER, A),                         # OpFunctionParameter
    instruction(248, ENTRY),                             # OpLabel
    instruction(61, VECTOR, IDS, ID),                    # OpLoad
    instruction(81, LONG, INDEX, IDS, 0),                # OpCompositeExtract
    instruction(70, POINTER, ADDRESS, A, INDEX),         # OpInBoundsPtrAccessChain
    instruction(61, INT, OLD, ADDRESS, 2, 4),            # OpLoad Aligned 4
    instruction(132, INT, NEW, OLD, TWO),                # OpIMul
    instruction(62, ADDRESS, NEW, 2, 4),                 # OpStore Aligned 4
    instruction(253),                                    # OpReturn
    instruction(56),                                     # OpFunctionEnd
]
WORDS = [0x07230203, 0x10000, 0, BOUND, 0] + [word for one in INSTRUCTIONS for word in one]

device, = [d for p in cl.get_platforms() if p.name == "Weft" for d in p.get_devices()][:1]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, struct.pack(f"<{len(WORDS)}I", *WORDS)).build()
host = np.arange(1 << 12, dtype=np.int32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
cl.Kernel(program, "twice")(queue, host.shape, None, buffer)
result = np.empty_like(host)
cl.enqueue_copy(queue, result, buffer)
assert (result == 2 * host).all(), result
print(f"a SPIR-V module of {len(WORDS)} words:", device.il_version)
