// Pointers to the generic address space (OpenCL C 3.0 §6.7.1, §6.15.13): what they point to is chosen by the work-item.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class GenericPointers : public ApiTest {
 protected:
  void SetUp() override {
    cl_bool has = CL_FALSE;
    if (clGetDeviceInfo(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof has, &has, nullptr) != CL_SUCCESS || !has)
      GTEST_SKIP() << "the device has no generic address space";
  }

  static constexpr std::size_t kItems = 100, kLocal = 20;

  std::vector<cl_int> run(const std::string& source) {
    const Program program = session.build(source, "-cl-std=CL3.0");
    std::vector<cl_int> data(kItems);
    for (std::size_t i = 0; i < kItems; ++i) data[i] = static_cast<cl_int>(1000 + i);
    const Mem in = session.upload(data), out = session.buffer(kItems * sizeof(cl_int));
    session.launch(session.kernel(program, "k"), {{kItems}, {kLocal}}, in, out);
    return session.download<cl_int>(out, kItems);
  }
};

TEST_F(GenericPointers, ReadAndWriteTheThreeSpaces) {
  const auto result = run(R"(
int next(int* p) { return ++*p; }
kernel void k(global int* in, global int* out) {
  local int shared[64];
  int own[3];
  const int i = get_global_id(0), l = get_local_id(0);
  for (int j = 0; j < 3; ++j) own[j] = j * 10 + i;
  shared[l] = 500 + i;
  int* p = i % 3 == 0 ? (int*)(in + i) : i % 3 == 1 ? (int*)(shared + l) : (int*)(own + i % 2);
  const int seen = next(p);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = seen + in[i] + shared[l] + own[0] + own[1];
})");
  for (int i = 0; i < static_cast<int>(kItems); ++i) {
    int in = 1000 + i, shared = 500 + i, own[3] = {i, 10 + i, 20 + i};
    int* p = i % 3 == 0 ? &in : i % 3 == 1 ? &shared : own + i % 2;
    const int seen = ++*p;
    ASSERT_EQ(result[i], seen + in + shared + own[0] + own[1]) << i;
  }
}

TEST_F(GenericPointers, TellTheirSpace) {
  const auto result = run(R"(
kernel void k(global int* in, global int* out) {
  local int shared[64];
  int own[40];
  const int i = get_global_id(0), l = get_local_id(0);
  for (int j = 0; j < 40; ++j) own[j] = j;
  shared[l] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  int* p = i % 3 == 0 ? (int*)(in + i) : i % 3 == 1 ? (int*)(shared + l) : (int*)(own + i % 37);
  int said = 0;
  if (to_global(p)) said |= 1;
  if (to_local(p)) said |= 2;
  if (to_private(p)) said |= 4;
  if (get_fence(p) == CLK_GLOBAL_MEM_FENCE) said |= 8;
  if (get_fence(p) == CLK_LOCAL_MEM_FENCE) said |= 16;
  out[i] = said + (*p > 5000 ? 100 : 0);
})");
  for (std::size_t i = 0; i < kItems; ++i) ASSERT_EQ(result[i], i % 3 == 0 ? 1 + 8 : i % 3 == 1 ? 2 + 16 : 4) << i;
}

TEST_F(GenericPointers, TakeAtomicsAndVectors) {
  const auto result = run(R"(
kernel void k(global int* in, global int* out) {
  local atomic_int shared;
  local int4 wide[32];
  const int i = get_global_id(0), l = get_local_id(0);
  if (l == 0) atomic_init(&shared, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  global atomic_int* there = (global atomic_int*)in;
  atomic_int* counter = l % 2 ? (atomic_int*)&shared : (atomic_int*)(there + i);
  atomic_fetch_add_explicit(counter, 3, memory_order_relaxed, memory_scope_work_group);
  int seen = 1000 + i + 3;
  if (l % 2 == 0 && !atomic_compare_exchange_strong(counter, &seen, 7)) seen = -1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int* to = (int*)&wide[l];
  vstore4((int4)(1, 2, 3, 4) + i, 0, to);
  out[i] = atomic_load(&shared) + in[i] + vload4(0, to).z + (seen < 0 ? 10000 : 0);
})");
  for (int i = 0; i < static_cast<int>(kItems); ++i)
    ASSERT_EQ(result[i], 30 + (i % static_cast<int>(kLocal) % 2 ? 1000 + i : 7) + 3 + i) << i;
}

}  // namespace
}  // namespace weft::conformance
