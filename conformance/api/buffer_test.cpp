// Buffers: creation, read, write, copy, fill, sub-buffers (OpenCL 3.0 API §5.2.1, §5.2.2).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

using Buffer = ApiTest;
using Ints = std::vector<cl_int>;

TEST_F(Buffer, WriteThenRead) {
  const Ints data = iota<cl_int>(1000);
  const Mem buffer = session.buffer(4000);
  ASSERT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4000, data.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(session.download<cl_int>(buffer, 1000), data);
}

TEST_F(Buffer, PartsAtOffsets) {
  const Mem buffer = session.upload(Ints(100, 7));
  const Ints part = {1, 2, 3};
  ASSERT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 40, 12, part.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  Ints got(5);
  ASSERT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 36, 20, got.data(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(got, (Ints{7, 1, 2, 3, 7}));
}

TEST_F(Buffer, Copy) {
  const Mem from = session.upload(iota<cl_int>(64));
  const Mem to = session.upload(Ints(64, -1));
  ASSERT_EQ(clEnqueueCopyBuffer(queue, from, to, 16, 32, 40, 0, nullptr, nullptr), CL_SUCCESS);
  const Ints got = session.download<cl_int>(to, 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], i >= 8 && i < 18 ? i - 4 : -1) << i;
}

TEST_F(Buffer, CopyOverlapIsAnError) {
  const Mem buffer = session.buffer(64);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 8, 16, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 16, 16, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(Buffer, FillWithEveryPatternSize) {
  for (std::size_t size : {1, 2, 4, 8, 16, 32, 64, 128}) {
    std::vector<unsigned char> pattern(size);
    for (std::size_t i = 0; i < size; ++i) pattern[i] = static_cast<unsigned char>(3 * i + size);
    const std::size_t bytes = size * 9;
    const Mem buffer = session.upload(std::vector<unsigned char>(bytes, 0xff));
    ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, pattern.data(), size, size, size * 7, 0, nullptr, nullptr),
              CL_SUCCESS);
    const auto got = session.download<unsigned char>(buffer, bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      const bool inside = i >= size && i < size * 8;
      ASSERT_EQ(got[i], inside ? pattern[i % size] : 0xff) << size << " at " << i;
    }
  }
}

TEST_F(Buffer, FillChecksItsArguments) {
  const Mem buffer = session.buffer(64);
  const char pattern[16] = {};
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern, 3, 0, 6, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern, 4, 2, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern, 4, 0, 10, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern, 4, 60, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, nullptr, 4, 0, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Buffer, OutOfRange) {
  const Mem buffer = session.buffer(64);
  char bytes[64] = {};
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 60, 8, bytes, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 64, 1, bytes, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 8, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, ~std::size_t{3}, 8, bytes, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Buffer, CreationErrors) {
  cl_int error = CL_SUCCESS;
  char host[16];
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 0, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, 16, host, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

// cl_ext_immutable_memory_objects
TEST_F(Buffer, Immutable) {
  if (!has_extension("cl_ext_immutable_memory_objects")) GTEST_SKIP() << "no cl_ext_immutable_memory_objects";
  constexpr cl_mem_flags kImmutable = 1 << 6;
  Ints data = iota<cl_int>(64);
  cl_int error = CL_SUCCESS;
  for (cl_mem_flags bad : {kImmutable, kImmutable | CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, kImmutable | CL_MEM_COPY_HOST_PTR | CL_MEM_WRITE_ONLY,
                           kImmutable | CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY}) {
    EXPECT_EQ(clCreateBuffer(context, bad, 256, bad & CL_MEM_COPY_HOST_PTR ? data.data() : nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_VALUE);
  }
  const Mem fixed = session.upload(data, kImmutable), other = session.buffer(256);
  const cl_buffer_region region{128, 64};
  const Mem part(clCreateSubBuffer(fixed, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clCreateSubBuffer(fixed, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubBuffer(other, kImmutable, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  for (cl_mem each : {fixed.get(), part.get()}) {
    EXPECT_EQ(clEnqueueWriteBuffer(queue, each, CL_TRUE, 0, 4, data.data(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueFillBuffer(queue, each, data.data(), 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, other, each, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueMapBuffer(queue, each, CL_TRUE, CL_MAP_WRITE, 0, 4, 0, nullptr, nullptr, &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_OPERATION);
    EXPECT_EQ(clEnqueueCopyBuffer(queue, each, other, 0, 0, 64, 0, nullptr, nullptr), CL_SUCCESS);
  }
  const Program program = session.build("kernel void k(global const int* a, constant int* b, global int* c) { c[0] = a[0] + b[1]; }");
  const Kernel kernel = session.kernel(program, "k");
  cl_mem raw = fixed;
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof raw, &raw), CL_INVALID_ARG_VALUE);
  session.launch(kernel, {{1}, {}, {}}, part, fixed, other);
  EXPECT_EQ(session.download<cl_int>(other, 1)[0], 33);
}

TEST_F(Buffer, ConstantsOfTheLargestSize) {
  const auto count = static_cast<std::size_t>(device_value<cl_ulong>(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) / sizeof(cl_int));
  const Ints table = iota<cl_int>(count);
  const Mem constants = session.upload(table), out = session.buffer(64 * sizeof(cl_int));
  const Program program = session.build("kernel void k(constant int* table, global int* out, int last) { out[get_global_id(0)] = table[last - get_global_id(0)]; }");
  session.launch(session.kernel(program, "k"), {{64}, {}, {}}, constants, out, static_cast<cl_int>(count - 1));
  const Ints read = session.download<cl_int>(out, 64);
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], table[count - 1 - i]) << i;
}

TEST_F(Buffer, TooLarge) {
  cl_int error = CL_SUCCESS;
  const auto largest = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(clCreateBuffer(context, CL_MEM_READ_WRITE, largest + 1, nullptr, &error), nullptr);
  EXPECT_TRUE(error == CL_INVALID_BUFFER_SIZE || error == CL_MEM_OBJECT_ALLOCATION_FAILURE) << error;
}

TEST_F(Buffer, HostAccessFlags) {
  char bytes[16] = {};
  const Mem write_only = session.buffer(16, CL_MEM_HOST_WRITE_ONLY);
  EXPECT_EQ(clEnqueueReadBuffer(queue, write_only, CL_TRUE, 0, 16, bytes, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, write_only, CL_TRUE, 0, 16, bytes, 0, nullptr, nullptr), CL_SUCCESS);
  const Mem none = session.buffer(16, CL_MEM_HOST_NO_ACCESS);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, none, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
}

TEST_F(Buffer, Info) {
  Ints host(16);
  const Mem buffer = session.buffer(64, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, host.data());
  std::size_t size = 0;
  cl_mem_flags flags = 0;
  void* pointer = nullptr;
  cl_mem_object_type type = 0;
  cl_context owner = nullptr;
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof pointer, &pointer, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof owner, &owner, nullptr), CL_SUCCESS);
  EXPECT_EQ(size, 64u);
  EXPECT_EQ(flags, cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY});
  EXPECT_EQ(pointer, host.data());
  EXPECT_EQ(type, cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(owner, context);
}

class SubBuffer : public ApiTest {
 protected:
  Mem part(const Mem& parent, std::size_t origin, std::size_t size, cl_int* error, cl_mem_flags flags = 0) {
    const cl_buffer_region region{origin, size};
    return Mem(clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, error));
  }
  std::size_t align = device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
};

TEST_F(SubBuffer, SharesTheParentsBytes) {
  const std::size_t count = 4 * align;
  const Mem parent = session.upload(iota<cl_int>(count));
  cl_int error = CL_SUCCESS;
  const Mem sub = part(parent, align, 2 * align, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  session.run("kernel void negate(global int* a) { size_t i = get_global_id(0); a[i] = -a[i]; }", "negate",
              {{align / 2}}, sub);
  const Ints got = session.download<cl_int>(parent, count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool inside = i >= align / 4 && i < align / 4 + align / 2;
    ASSERT_EQ(got[i], inside ? -cl_int(i) : cl_int(i)) << i;
  }
  std::size_t offset = 0;
  cl_mem of = nullptr;
  ASSERT_EQ(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, nullptr), CL_SUCCESS);
  EXPECT_EQ(offset, align);
  EXPECT_EQ(of, parent.get());
}

TEST_F(SubBuffer, OutlivesTheParentsHandle) {
  Mem parent = session.upload(iota<cl_int>(align));
  cl_int error = CL_SUCCESS;
  const Mem sub = part(parent, align, align, &error);
  parent.reset();
  EXPECT_EQ(session.download<cl_int>(sub, 1)[0], cl_int(align / 4));
}

TEST_F(SubBuffer, Errors) {
  const Mem parent = session.buffer(4 * align);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(part(parent, 3 * align, 2 * align, &error).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(part(parent, 0, 0, &error).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(part(parent, 4, align, &error).get(), nullptr);
  EXPECT_EQ(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  const Mem sub = part(parent, 0, align, &error);
  EXPECT_EQ(part(sub, 0, align, &error).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const Mem read_only = session.buffer(align, CL_MEM_READ_ONLY);
  EXPECT_EQ(part(read_only, 0, align, &error, CL_MEM_READ_WRITE).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

std::vector<int> destroyed;
void CL_CALLBACK note(cl_mem, void* data) {
  destroyed.push_back(static_cast<int>(reinterpret_cast<std::intptr_t>(data)));
}

TEST_F(Buffer, DestructorCallbacksRunInReverse) {
  destroyed.clear();
  Mem buffer = session.buffer(64);
  for (std::intptr_t i = 1; i <= 3; ++i) {
    ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, note, reinterpret_cast<void*>(i)), CL_SUCCESS);
  }
  buffer.reset();
  EXPECT_EQ(destroyed, (std::vector<int>{3, 2, 1}));
}

}  // namespace
}  // namespace weft::conformance
