// Mapped buffers (OpenCL 3.0 API §5.2.4).
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Map : public ApiTest {
 protected:
  cl_int* map(const Mem& buffer, cl_map_flags flags, std::size_t offset, std::size_t size) {
    cl_int error = CL_SUCCESS;
    void* at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, &error);
    check(error, "clEnqueueMapBuffer");
    return static_cast<cl_int*>(at);
  }
  void unmap(const Mem& buffer, void* at) {
    check(clEnqueueUnmapMemObject(queue, buffer, at, 0, nullptr, nullptr), "clEnqueueUnmapMemObject");
    check(clFinish(queue), "clFinish");
  }
};

TEST_F(Map, ReadAndWrite) {
  const Mem buffer = session.upload(iota<cl_int>(256));
  cl_int* at = map(buffer, CL_MAP_READ | CL_MAP_WRITE, 0, 1024);
  for (int i = 0; i < 256; ++i) {
    ASSERT_EQ(at[i], i);
    at[i] = 2 * i;
  }
  unmap(buffer, at);
  EXPECT_EQ(session.download<cl_int>(buffer, 256)[255], 510);
}

TEST_F(Map, OffsetAndInvalidate) {
  const Mem buffer = session.upload(std::vector<cl_int>(64, 5));
  cl_int* at = map(buffer, CL_MAP_WRITE_INVALIDATE_REGION, 64, 64);
  for (int i = 0; i < 16; ++i) at[i] = i;
  unmap(buffer, at);
  const auto got = session.download<cl_int>(buffer, 64);
  EXPECT_EQ(got[15], 5);
  EXPECT_EQ(got[16], 0);
  EXPECT_EQ(got[31], 15);
  EXPECT_EQ(got[32], 5);
}

TEST_F(Map, HostPointerIsTheMapping) {
  std::vector<cl_int> host = iota<cl_int>(64);
  const Mem buffer = session.buffer(256, CL_MEM_USE_HOST_PTR, host.data());
  session.run("kernel void add(global int* a) { a[get_global_id(0)] += 10; }", "add", {{64}}, buffer);
  cl_int* at = map(buffer, CL_MAP_READ, 32, 64);
  EXPECT_EQ(at, host.data() + 8);
  EXPECT_EQ(at[0], 18);
  unmap(buffer, at);
}

TEST_F(Map, CostsNoCopy) {
  WEFT_ONLY("memory of the device is memory of the host");
  const Mem buffer = session.buffer(4096, CL_MEM_ALLOC_HOST_PTR);
  cl_int* first = map(buffer, CL_MAP_WRITE, 0, 4096);
  first[7] = 42;
  cl_int* second = map(buffer, CL_MAP_READ, 0, 4096);
  EXPECT_EQ(first, second);
  EXPECT_EQ(second[7], 42);
  unmap(buffer, first);
  unmap(buffer, second);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 128, 0u);
}

TEST_F(Map, CountsMappings) {
  const Mem buffer = session.buffer(64);
  cl_int* first = map(buffer, CL_MAP_READ, 0, 64);
  cl_int* second = map(buffer, CL_MAP_READ, 0, 64);
  cl_uint count = 0;
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  unmap(buffer, first);
  unmap(buffer, second);
  ASSERT_EQ(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 0u);
}

TEST_F(Map, Errors) {
  const Mem buffer = session.buffer(64);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 60, 8, 0, nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  int unrelated = 0;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, &unrelated, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Map, ReadAndInvalidateExclude) {
  NOT_ON_POCL("takes the two flags together");
  const Mem buffer = session.buffer(64);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 8, 0,
                               nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(Map, NonBlockingWaitsForTheKernelBefore) {
  const Program program = session.build(
      "kernel void slow(global int* a) { int s = 0; for (int i = 0; i < 100000; ++i) s = s * 3 + a[i & 63];"
      " a[get_global_id(0)] = s | 1; }");
  const Kernel kernel = session.kernel(program, "slow");
  const Mem buffer = session.upload(std::vector<cl_int>(64, 0));
  set_args(kernel, buffer);
  const Event run = session.enqueue(kernel, {{64}, {64}});
  cl_int error = CL_SUCCESS;
  Event mapped;
  auto* at = static_cast<cl_int*>(
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 0, 256, 0, nullptr, mapped.out(), &error));
  ASSERT_EQ(error, CL_SUCCESS);
  session.finish(mapped);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(at[i] & 1, 1);
  unmap(buffer, at);
}

}  // namespace
}  // namespace weft::conformance
