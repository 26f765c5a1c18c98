// Pipes (OpenCL 3.0 API §5.4, OpenCL C 3.0 §6.15.16): what the host may ask and pass, and packets that go from kernels to kernels, one after
// the other and at once.
#include <algorithm>
#include <cstring>

#include "api/sub_group_sizes.h"

namespace weft::conformance {
namespace {

constexpr char k20[] = "-cl-std=CL2.0";
constexpr char k30[] = "-cl-std=CL3.0";

class Pipes : public ApiTest {
 protected:
  void SetUp() override {
    cl_bool there = CL_FALSE;
    if (clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof there, &there, nullptr) != CL_SUCCESS || !there)
      GTEST_SKIP() << "the device has no pipes";
  }

  Mem pipe(cl_uint packet_bytes, cl_uint packets, cl_mem_flags flags = 0) {
    cl_int error = CL_SUCCESS;
    Mem made(clCreatePipe(context, flags, packet_bytes, packets, nullptr, &error));
    check(error, "clCreatePipe");
    return made;
  }

  cl_int creation_error(cl_mem_flags flags, cl_uint packet_bytes, cl_uint packets, const cl_pipe_properties* properties = nullptr) {
    cl_int error = CL_SUCCESS;
    const Mem made(clCreatePipe(context, flags, packet_bytes, packets, properties, &error));
    EXPECT_EQ(made.get() == nullptr, error != CL_SUCCESS);
    return error;
  }

  template <typename T>
  T pipe_value(cl_mem pipe, cl_pipe_info what) {
    T value{};
    check(clGetPipeInfo(pipe, what, sizeof value, &value, nullptr), "clGetPipeInfo");
    return value;
  }
  template <typename T>
  T memory_value(cl_mem memory, cl_mem_info what) {
    T value{};
    check(clGetMemObjectInfo(memory, what, sizeof value, &value, nullptr), "clGetMemObjectInfo");
    return value;
  }
};

TEST_F(Pipes, TheDeviceSaysSo) {
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_MAX_PIPE_ARGS), 16u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 1u);
  EXPECT_GE(device_value<cl_uint>(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024u);
  EXPECT_TRUE(device_value<cl_bool>(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT));
  std::size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr), CL_SUCCESS);
  EXPECT_TRUE(std::any_of(features.begin(), features.end(), [](const auto& f) { return std::strcmp(f.name, "__opencl_c_pipes") == 0; }));
  for (const char* options : {k20, k30}) session.build("#ifndef __opencl_c_pipes\n#error pipes\n#endif\nkernel void k() {}", options);
}

TEST_F(Pipes, Creation) {
  const cl_uint most = device_value<cl_uint>(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  for (const cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS},
                                   cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}})
    EXPECT_EQ(creation_error(flags, 4, 1), CL_SUCCESS) << flags;
  EXPECT_EQ(creation_error(0, most, 3), CL_SUCCESS);
  for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                   CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY})
    EXPECT_EQ(creation_error(flags, 4, 4), CL_INVALID_VALUE) << flags;
  EXPECT_EQ(creation_error(cl_mem_flags{1} << 40, 4, 4), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(0, 0, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(creation_error(0, 4, 0), CL_INVALID_PIPE_SIZE);
  if (most != CL_UINT_MAX) {
    EXPECT_EQ(creation_error(0, most + 1, 4), CL_INVALID_PIPE_SIZE);
  }
  const cl_pipe_properties none[] = {0};
  EXPECT_EQ(creation_error(0, 4, 4, none), CL_INVALID_VALUE);
  EXPECT_EQ(clCreatePipe(nullptr, 0, 4, 4, nullptr, nullptr), nullptr);
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clCreatePipe(nullptr, 0, 4, 4, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  // More than there can be.
  error = creation_error(0, most, CL_UINT_MAX);
  EXPECT_TRUE(error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_RESOURCES || error == CL_OUT_OF_HOST_MEMORY) << error;
}

TEST_F(Pipes, Queries) {
  const Mem made = pipe(12, 100);
  EXPECT_EQ(pipe_value<cl_uint>(made, CL_PIPE_PACKET_SIZE), 12u);
  EXPECT_EQ(pipe_value<cl_uint>(made, CL_PIPE_MAX_PACKETS), 100u);
  std::size_t size = 1;
  EXPECT_EQ(clGetPipeInfo(made, CL_PIPE_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  cl_uint value = 0;
  EXPECT_EQ(clGetPipeInfo(made, CL_PIPE_MAX_PACKETS, sizeof value - 1, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(made, CL_MEM_SIZE, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  const Mem buffer = session.buffer(64);
  EXPECT_EQ(clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, sizeof value, &value, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetPipeInfo(nullptr, CL_PIPE_MAX_PACKETS, sizeof value, &value, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(memory_value<cl_mem_object_type>(made, CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_PIPE});
  EXPECT_EQ(memory_value<cl_mem_flags>(made, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
  EXPECT_GE(memory_value<std::size_t>(made, CL_MEM_SIZE), 1200u);
  EXPECT_EQ(memory_value<void*>(made, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(memory_value<cl_context>(made, CL_MEM_CONTEXT), context);
  EXPECT_EQ(memory_value<cl_uint>(made, CL_MEM_REFERENCE_COUNT), 1u);
  EXPECT_EQ(memory_value<cl_mem>(made, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
}

TEST_F(Pipes, TheHostHasNoAccess) {
  const Mem made = pipe(4, 64), buffer = session.buffer(256);
  std::vector<cl_uint> host(64);
  const cl_uint pattern = 0;
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueReadBuffer(queue, made, CL_TRUE, 0, 4, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, made, CL_TRUE, 0, 4, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, made, buffer, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, made, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, made, &pattern, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapBuffer(queue, made, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, made, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const std::size_t origin[3] = {}, region[3] = {1, 1, 1};
  EXPECT_EQ(clEnqueueReadImage(queue, made, CL_TRUE, origin, region, 0, 0, host.data(), 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  std::size_t size = 0;
  EXPECT_EQ(clGetImageInfo(made, CL_IMAGE_WIDTH, sizeof size, &size, nullptr), CL_INVALID_MEM_OBJECT);
  const cl_buffer_region part = {0, 4};
  EXPECT_EQ(clCreateSubBuffer(made, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_MEM_OBJECT);
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.image_width = 4;
  shape.mem_object = made;
  EXPECT_EQ(clCreateImage(context, 0, &format, &shape, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_IMAGE_DESCRIPTOR);
  const cl_mem objects[] = {made};
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, objects, 0, 0, nullptr, nullptr), CL_SUCCESS);
}

TEST_F(Pipes, Arguments) {
  const Program program = session.build(R"(
typedef struct { char a; int b; } Pair;
kernel void k(read_only pipe int in, write_only pipe Pair out, global int* data, pipe float4 vectors) {
  if (data) data[0] = get_pipe_max_packets(out);
}
)", k20);
  const Kernel kernel = session.kernel(program, "k");
  const Mem made = pipe(8, 7), buffer = session.buffer(64);
  const auto set = [&](cl_uint index, std::size_t size, const void* value) { return clSetKernelArg(kernel, index, size, value); };
  const cl_mem raw = made, raw_buffer = buffer, none = nullptr;
  EXPECT_EQ(set(0, sizeof raw, &raw), CL_SUCCESS);
  EXPECT_EQ(set(0, sizeof raw - 1, &raw), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set(0, sizeof raw, &raw_buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(0, sizeof raw, &none), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(0, sizeof raw, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(2, sizeof raw, &raw), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, nullptr), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(2, sizeof raw, &raw_buffer), CL_SUCCESS);
  EXPECT_EQ(set(3, sizeof raw, &raw), CL_SUCCESS);
  const std::size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(set(1, sizeof raw, &raw), CL_SUCCESS);
  cl_int error = CL_SUCCESS;
  const Kernel clone(clCloneKernel(kernel, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  session.finish(session.enqueue(clone, {{1}, {}}));
  EXPECT_EQ(session.download<cl_int>(buffer, 1)[0], 7);

  const cl_device_id other_device = device;
  const Context other(clCreateContext(nullptr, 1, &other_device, nullptr, nullptr, &error));
  const Mem foreign(clCreatePipe(other, 0, 4, 4, nullptr, &error));
  const cl_mem raw_foreign = foreign;
  EXPECT_EQ(set(0, sizeof raw, &raw_foreign), CL_INVALID_MEM_OBJECT);

  struct Expected {
    cl_kernel_arg_access_qualifier access;
    const char* type;
  };
  const Expected expected[] = {
      {CL_KERNEL_ARG_ACCESS_READ_ONLY, "int"}, {CL_KERNEL_ARG_ACCESS_WRITE_ONLY, "Pair"}, {}, {CL_KERNEL_ARG_ACCESS_READ_ONLY, "float4"}};
  for (const cl_uint i : {0, 1, 3}) {
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_access_qualifier access = 0;
    char type[32] = {};
    ASSERT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr), CL_SUCCESS);
    ASSERT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, nullptr), CL_SUCCESS);
    EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_PIPE});
    EXPECT_EQ(space, cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
    EXPECT_EQ(access, expected[i].access);
    EXPECT_STREQ(type, expected[i].type);
  }
}

constexpr char kPackets[] = R"(
kernel void fill(write_only pipe uint p, global const uint* in, global int* result) {
  const uint i = get_global_id(0);
  result[i] = write_pipe(p, &in[i]);
}
kernel void drain(read_only pipe uint p, global uint* out, global int* result) {
  const uint i = get_global_id(0);
  uint packet = 77;
  result[i] = read_pipe(p, &packet);
  out[i] = packet;
}
kernel void ask(read_only pipe uint p, global uint* out) {
  out[0] = get_pipe_num_packets(p);
  out[1] = get_pipe_max_packets(p);
}
)";

TEST_F(Pipes, FullAndEmpty) {
  for (const char* options : {k20, k30, "-cl-std=CLC++1.0", "-cl-std=CLC++2021"}) {
    const bool is_cxx = std::string(options).find("++") != std::string::npos;
    if (is_cxx && !has_extension("cl_ext_cxx_for_opencl")) continue;
    const Program program = session.build(kPackets, options);
    const Kernel fill = session.kernel(program, "fill"), drain = session.kernel(program, "drain"), ask = session.kernel(program, "ask");
    for (const cl_uint packets : {1u, 2u, 40u, 64u, 100u}) {
      SCOPED_TRACE(std::string(options) + " " + std::to_string(packets));
      const Mem made = pipe(4, packets), state = session.buffer(8);
      cl_uint there = 0, next = 1;
      std::vector<cl_uint> expected;
      // Not a divisor of the ring's size, so that laps begin anywhere; groups of part of a sub-group and of several.
      for (const std::size_t local : {1u, 24u, 96u, 32u, 96u, 8u, 96u}) {
        std::vector<cl_uint> in(96);
        for (cl_uint& value : in) value = next++;
        const Mem from = session.upload(in), to = session.buffer(96 * 4), result = session.buffer(96 * 4);
        session.launch(fill, {{96}, {local}}, made, from, result);
        const auto written = session.download<cl_int>(result, 96);
        cl_uint count = 0;
        for (std::size_t i = 0; i < 96; ++i) {
          EXPECT_LE(written[i], 0);
          if (written[i] == 0) expected.push_back(in[i]), ++count;
        }
        EXPECT_EQ(count, std::min(96u, packets - there));
        there += count;
        session.launch(ask, {{1}, {1}}, made, state);
        EXPECT_EQ(session.download<cl_uint>(state, 2), (std::vector<cl_uint>{there, packets}));
        const std::size_t asked = local < 32 ? 24 : 72;
        session.launch(drain, {{asked}, {std::min<std::size_t>(local, 24)}}, made, to, result);
        const auto read = session.download<cl_int>(result, asked);
        const auto out = session.download<cl_uint>(to, asked);
        std::vector<cl_uint> got;
        for (std::size_t i = 0; i < asked; ++i) {
          EXPECT_LE(read[i], 0);
          if (read[i] == 0) got.push_back(out[i]);
          else EXPECT_EQ(out[i], 77u);
        }
        EXPECT_EQ(got.size(), std::min<std::size_t>(asked, there));
        there -= static_cast<cl_uint>(got.size());
        for (const cl_uint value : got) {
          const auto found = std::find(expected.begin(), expected.end(), value);
          if (found == expected.end()) ADD_FAILURE() << value << " was never written, or read twice";
          else expected.erase(found);
        }
      }
      EXPECT_EQ(expected.size(), there);
    }
  }
}

TEST_F(Pipes, FirstInFirstOut) {
  const Program program = session.build(R"(
kernel void fill(write_only pipe uint p, uint from, uint count) {
  for (uint i = 0; i < count; ++i) { uint x = from + i; write_pipe(p, &x); }
}
kernel void drain(read_only pipe uint p, global uint* out, uint count) { for (uint i = 0; i < count; ++i) read_pipe(p, &out[i]); }
)", k30);
  const Kernel fill = session.kernel(program, "fill"), drain = session.kernel(program, "drain");
  const Mem made = pipe(4, 11), out = session.buffer(11 * 4);
  cl_uint first = 0, next = 0;
  for (const cl_uint count : {7u, 4u, 11u, 1u, 9u, 10u}) {
    session.launch(fill, {{1}, {1}}, made, next, count);
    next += count;
    session.launch(drain, {{1}, {1}}, made, out, count);
    for (const cl_uint value : session.download<cl_uint>(out, count)) EXPECT_EQ(value, first++);
  }
}

// Reservations of different lengths by the work-items of a group: all or nothing, whatever others ask for.
TEST_F(Pipes, ReservationsOfDifferentLengths) {
  const Program program = session.build(R"(
void put(write_only pipe uint p, reserve_id_t r, uint index, uint value) { write_pipe(p, r, index, &value); }
kernel void fill(write_only pipe uint p, global const uint* counts, global int* result) {
  const uint i = get_global_id(0), count = counts[i];
  const reserve_id_t r = reserve_write_pipe(p, count);
  result[i] = is_valid_reserve_id(r);
  if (is_valid_reserve_id(r)) {
    for (uint k = 0; k < count; ++k) put(p, r, k, i * 1000 + k);
    uint beyond = 1;
    if (write_pipe(p, r, count, &beyond) == 0) result[i] = 2;
    commit_write_pipe(p, r);
  }
}
kernel void drain(read_only pipe uint p, uint count, global uint* out) {
  const reserve_id_t r = reserve_read_pipe(p, count);
  if (!is_valid_reserve_id(r)) { out[0] = ~0u; return; }
  for (uint k = 0; k < count; ++k) read_pipe(p, r, k, &out[k]);
  commit_read_pipe(p, r);
}
kernel void nothing(read_only pipe uint p, global int* out) {
  reserve_id_t all[3];
  all[0] = CLK_NULL_RESERVE_ID;
  all[1] = reserve_read_pipe(p, get_pipe_max_packets(p) + 1);
  all[2] = reserve_read_pipe(p, 1);
  local reserve_id_t shared;
  shared = all[get_global_id(0)];
  uint x;
  out[get_global_id(0)] = is_valid_reserve_id(shared) + 2 * (read_pipe(p, shared, 0, &x) == 0);
}
)", k30);
  const Kernel fill = session.kernel(program, "fill"), drain = session.kernel(program, "drain");
  const Kernel nothing = session.kernel(program, "nothing");
  constexpr cl_uint kMost = 50;
  const Mem made = pipe(4, kMost), result = session.buffer(64 * 4), out = session.buffer(64 * 4);
  session.launch(nothing, {{3}, {1}}, made, out);
  EXPECT_EQ(session.download<cl_int>(out, 3), (std::vector<cl_int>{0, 0, 0}));
  for (int round = 0; round < 20; ++round) {
    std::vector<cl_uint> counts(64);
    for (cl_uint i = 0; i < 64; ++i) counts[i] = 1 + (i * 7 + round * 5) % (round % 4 == 0 ? 4 : 30);
    counts[round] = kMost + 1;
    const Mem from = session.upload(counts);
    session.launch(fill, {{64}, {round % 2 ? 64u : 16u}}, made, from, result);
    const auto got = session.download<cl_int>(result, 64);
    cl_uint total = 0;
    for (cl_uint i = 0; i < 64; ++i) {
      EXPECT_NE(got[i], 2);
      if (got[i]) total += counts[i];
    }
    EXPECT_FALSE(got[round]);
    ASSERT_LE(total, kMost);
    // What is left would not have done for any that got nothing.
    for (cl_uint i = 0; i < 64; ++i)
      if (!got[i]) {
        EXPECT_GT(counts[i], kMost - total) << i;
      }
    session.launch(drain, {{1}, {1}}, made, total + 1, out);
    EXPECT_EQ(session.download<cl_uint>(out, 1)[0], ~0u);
    session.launch(drain, {{1}, {1}}, made, total, out);
    const auto read = session.download<cl_uint>(out, total);
    for (cl_uint at = 0; at < total;) {
      const cl_uint i = read[at] / 1000;
      ASSERT_LT(i, 64u);
      ASSERT_TRUE(got[i]) << i;
      ASSERT_LE(at + counts[i], total);
      for (cl_uint k = 0; k < counts[i]; ++k) ASSERT_EQ(read[at + k], i * 1000 + k);
      at += counts[i];
    }
  }
}

TEST_F(Pipes, ReservationsKeepTheirOrderHoweverTheyAreCommitted) {
  const Program program = session.build(R"(
kernel void fill(write_only pipe uint p, int is_open) {
  reserve_id_t r[3];
  for (uint i = 0; i < 3; ++i) r[i] = reserve_write_pipe(p, 2);
  for (uint i = 0; i < 6; ++i) { uint x = 5 - i; write_pipe(p, r[(5 - i) / 2], (5 - i) % 2, &x); }
  commit_write_pipe(p, r[2]);
  commit_write_pipe(p, r[1]);
  if (!is_open) commit_write_pipe(p, r[0]);
}
kernel void drain(read_only pipe uint p, global uint* out) {
  const reserve_id_t a = reserve_read_pipe(p, 4), b = reserve_read_pipe(p, 2);
  if (!is_valid_reserve_id(a) || !is_valid_reserve_id(b)) { out[0] = 99; return; }
  for (uint i = 0; i < 2; ++i) read_pipe(p, b, i, &out[4 + i]);
  commit_read_pipe(p, b);
  for (uint i = 0; i < 4; ++i) read_pipe(p, a, i, &out[i]);
  commit_read_pipe(p, a);
}
)", k30);
  const Mem made = pipe(4, 6), out = session.buffer(6 * 4);
  for (int round = 0; round < 3; ++round) {
    session.launch(session.kernel(program, "fill"), {{1}, {1}}, made, cl_int{0});
    session.launch(session.kernel(program, "drain"), {{1}, {1}}, made, out);
    EXPECT_EQ(session.download<cl_uint>(out, 6), iota<cl_uint>(6));
  }
  if (!testing_weft()) return;
  // Left open, which is undefined: nothing behind it is seen.
  session.launch(session.kernel(program, "fill"), {{1}, {1}}, made, cl_int{1});
  session.launch(session.kernel(program, "drain"), {{1}, {1}}, made, out);
  EXPECT_EQ(session.download<cl_uint>(out, 1)[0], 99u);
}

// A buffer that is only updated may be copied for each worker, whatever other arguments are memory objects.
TEST_F(Pipes, BesideImagesAndUpdatedBuffers) {
  if (!device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT)) GTEST_SKIP() << "the device has no images";
  const Program program = session.build(R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void fill(read_only image2d_t from, write_only pipe float4 p, sampler_t given, global int* histogram) {
  const int2 at = (int2)(get_global_id(0) % 16, get_global_id(0) / 16);
  const float4 x = read_imagef(from, nearest, at) + read_imagef(from, given, at);
  write_pipe(p, &x);
  atomic_inc(&histogram[get_global_id(0) % 16]);
}
kernel void drain(read_only pipe float4 p, global int* histogram, write_only image2d_t to) {
  float4 x = 0;
  read_pipe(p, &x);
  atomic_inc(&histogram[(int)x.x % 16]);
  write_imagef(to, (int2)((int)x.x / 2 % 16, (int)x.x / 2 / 16), x);
}
)", k30);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = 16;
  shape.image_height = 64;
  std::vector<cl_float4> texels(1024);
  for (int i = 0; i < 1024; ++i) texels[i] = {{static_cast<float>(i), 1.0f, 2.0f, 3.0f}};
  cl_int error = CL_SUCCESS;
  const Mem from(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &shape, texels.data(), &error));
  check(error, "clCreateImage");
  const Mem to(clCreateImage(context, 0, &format, &shape, nullptr, &error));
  check(error, "clCreateImage");
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(context, properties, &error);
  check(error, "clCreateSamplerWithProperties");
  const Mem made = pipe(16, 1024), histogram = session.upload(std::vector<cl_int>(16));
  session.launch(session.kernel(program, "fill"), {{1024}, {64}}, from, made, sampler, histogram);
  EXPECT_EQ(session.download<cl_int>(histogram, 16), std::vector<cl_int>(16, 64));
  session.launch(session.kernel(program, "drain"), {{1024}, {32}}, made, histogram, to);
  clReleaseSampler(sampler);
  const auto counts = session.download<cl_int>(histogram, 16);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(counts[i], i % 2 ? 64 : 64 + 128) << i;
  const std::size_t origin[3] = {}, region[3] = {16, 64, 1};
  std::vector<cl_float4> out(1024);
  ASSERT_EQ(clEnqueueReadImage(queue, to, CL_TRUE, origin, region, 0, 0, out.data(), 0, nullptr, nullptr), CL_SUCCESS);
  for (int i = 0; i < 1024; ++i) {
    EXPECT_EQ(out[i].s[0], 2.0f * static_cast<float>(i));
    EXPECT_EQ(out[i].s[3], 6.0f);
  }
}

/// Packets of `type`, of `bytes` bytes without padding, from private and from global memory and back.
void expect_packets(Session& session, cl_context context, const std::string& type, const std::string& declaration, cl_uint bytes) {
  SCOPED_TRACE(type);
  const Program program = session.build(declaration + R"(
kernel void fill(write_only pipe )" + type + " p, global const " + type + R"(* in) {
  )" + type + R"( own = in[get_global_id(0)];
  const reserve_id_t r = reserve_write_pipe(p, 1);
  if (get_global_id(0) % 2) write_pipe(p, r, 0, &own);
  else write_pipe(p, r, 0, &in[get_global_id(0)]);
  commit_write_pipe(p, r);
}
kernel void drain(read_only pipe )" + type + " p, global " + type + R"(* out) {
  if (get_global_id(0) % 2) {
    )" + type + R"( own;
    read_pipe(p, &own);
    out[get_global_id(0)] = own;
  } else {
    read_pipe(p, &out[get_global_id(0)]);
  }
}
)", k30);
  constexpr std::size_t kCount = 70;
  std::vector<std::uint8_t> in(kCount * bytes);
  std::uint32_t state = bytes;
  for (std::uint8_t& value : in) value = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
  cl_int error = CL_SUCCESS;
  const Mem made(clCreatePipe(context, 0, bytes, kCount, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Mem from = session.upload(in), to = session.buffer(in.size());
  session.launch(session.kernel(program, "fill"), {{kCount}, {35}}, made, from);
  session.launch(session.kernel(program, "drain"), {{kCount}, {10}}, made, to);
  const auto out = session.download<std::uint8_t>(to, in.size());
  const auto sorted = [&](const std::vector<std::uint8_t>& all) {
    std::vector<std::string> packets;
    for (std::size_t i = 0; i < kCount; ++i) packets.emplace_back(all.begin() + i * bytes, all.begin() + (i + 1) * bytes);
    std::sort(packets.begin(), packets.end());
    return packets;
  };
  EXPECT_TRUE(sorted(out) == sorted(in));
}

TEST_F(Pipes, PacketsOfAnySize) {
  const struct {
    const char* type;
    cl_uint bytes;
  } types[] = {{"char", 1}, {"short", 2}, {"uint", 4}, {"ulong", 8}, {"double2", 16}, {"ushort8", 16}, {"int8", 32}};
  for (const auto& [type, bytes] : types) expect_packets(session, context, type, "", bytes);
  for (const cl_uint bytes : {3u, 5u, 7u, 33u, 1000u, 1024u})
    expect_packets(session, context, "Packet", "typedef struct { uchar a[" + std::to_string(bytes) + "]; } Packet;", bytes);
  for (const cl_uint words : {3u, 5u, 9u, 100u})
    expect_packets(session, context, "Packet", "typedef struct { uint a[" + std::to_string(words) + "]; } Packet;", words * 4);
  expect_packets(session, context, "Packet", "typedef struct { ushort a[3]; } Packet;", 6);
  expect_packets(session, context, "Packet", "typedef struct { ulong a[3]; } Packet;", 24);
}

/// Numbers that many groups of one kernel put into a pipe, while those of another take them out.
class PipesAtOnce : public Pipes {
 protected:
  static constexpr cl_uint kItems = 1024, kEach = 24, kNumbers = kItems * kEach, kTries = 64;
  static constexpr int kLaunches = 16;

  /// `write` and `read`: try to move `count` packets, or fewer, and say how many were; the packets to write have the numbers from `number`.
  /// `required`: lanes of a sub-group, or 0.
  void expect_all(const std::string& write, const std::string& read, cl_uint packets, std::size_t local, std::size_t required = 0) {
    SCOPED_TRACE(write + ", sub-groups of " + std::to_string(required));
    const std::string source = requiring(required) + R"(
typedef struct { uint number, inverse; ushort product, pad; } Packet;
Packet make(uint x) { Packet p = {x, ~x, (ushort)(x * 7), 0}; return p; }
void take(Packet p, global uint* seen, global int* broken) {
  if (p.inverse != ~p.number || p.product != (ushort)(p.number * 7) || p.number >= )" + std::to_string(kNumbers) + R"() atomic_inc(broken);
  else atomic_inc(&seen[p.number]);
}
kernel void produce(write_only pipe Packet p, uint tries, global uint* dones, global uint* written) {
  const uint first = get_global_id(0) * EACH;
  uint done = dones[get_global_id(0)];
  for (uint t = 0; t < tries && done < EACH; ++t) {
    const uint number = first + done;
    uint moved = 0;
)" + write + R"(
    for (uint i = 0; i < moved; ++i) written[number + i] = 1;
    done += moved;
  }
  dones[get_global_id(0)] = done;
}
kernel void consume(read_only pipe Packet p, uint tries, global uint* seen, global int* broken) {
  for (uint t = 0; t < tries; ++t) {
)" + read + R"(
  }
}
)";
    const Program program = session.build(source, std::string(k30) + " -DEACH=" + std::to_string(kEach));
    const Kernel produce = session.kernel(program, "produce"), consume = session.kernel(program, "consume");
    const Mem made = pipe(12, packets);
    const std::vector<cl_uint> zeros(kNumbers);
    const Mem written = session.upload(zeros), seen = session.upload(zeros), dones = session.upload(std::vector<cl_uint>(kItems));
    const Mem broken = session.upload(std::vector<cl_int>{0});
    set_args(produce, made, kTries, dones, written);
    set_args(consume, made, kTries, seen, broken);
    const Queue other = session.queue(0);
    const std::size_t global = kItems;
    // Once for their code, which would come at different times.
    session.finish(session.enqueue(consume, {{kItems}, {local}}));
    session.finish(session.enqueue(produce, {{kItems}, {local}}));
    for (int launch = 0; launch < kLaunches; ++launch) {
      ASSERT_EQ(clEnqueueNDRangeKernel(queue, produce, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
      ASSERT_EQ(clEnqueueNDRangeKernel(other, consume, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
      ASSERT_EQ(clFlush(queue), CL_SUCCESS);
      ASSERT_EQ(clFlush(other), CL_SUCCESS);
    }
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    ASSERT_EQ(clFinish(other), CL_SUCCESS);
    session.finish(session.enqueue(consume, {{kItems}, {local}}));  // the rest
    EXPECT_EQ(session.download<cl_int>(broken, 1)[0], 0);
    const auto put = session.download<cl_uint>(written, kNumbers), taken = session.download<cl_uint>(seen, kNumbers);
    std::size_t count = 0, lost = 0;
    for (cl_uint i = 0; i < kNumbers; ++i) count += put[i], lost += put[i] != taken[i];
    EXPECT_EQ(lost, 0u);
    EXPECT_GE(count, packets / 2) << "hardly anything was written";
  }
};

constexpr char kWriteOne[] = "Packet x = make(number); moved = write_pipe(p, &x) == 0;";
constexpr char kReadOne[] = "Packet x; if (read_pipe(p, &x) == 0) take(x, seen, broken);";
constexpr char kWriteSome[] = R"(
const uint count = min(1 + (number + t) % 3, EACH - done);
const reserve_id_t r = reserve_write_pipe(p, count);
if (is_valid_reserve_id(r)) {
  for (uint i = 0; i < count; ++i) { Packet x = make(number + i); write_pipe(p, r, i, &x); }
  commit_write_pipe(p, r);
  moved = count;
})";
constexpr char kReadSome[] = R"(
const uint count = 1 + (t + get_global_id(0)) % 4;
reserve_id_t r = reserve_read_pipe(p, count);
uint have = count;
if (!is_valid_reserve_id(r)) { r = reserve_read_pipe(p, 1); have = 1; }
if (is_valid_reserve_id(r)) {
  for (uint i = 0; i < have; ++i) { Packet x; read_pipe(p, r, i, &x); take(x, seen, broken); }
  commit_read_pipe(p, r);
})";

TEST_F(PipesAtOnce, PacketsOneByOne) {
  for (const cl_uint packets : {1u, 33u, 4096u}) expect_all(kWriteOne, kReadOne, packets, 64);
  expect_all(kWriteOne, kReadOne, 100, 1);
  for (const std::size_t required : sub_group_sizes(device)) expect_all(kWriteOne, kReadOne, 100, 64, required);
  // Within a branch that some work-items take.
  expect_all("if ((number + t) % 3) { Packet x = make(number); moved = write_pipe(p, &x) == 0; }",
             "if ((t + get_local_id(0)) % 5) { Packet x; if (read_pipe(p, &x) == 0) take(x, seen, broken); }", 50, 128);
}

TEST_F(PipesAtOnce, Reservations) {
  for (const cl_uint packets : {3u, 70u, 5000u}) expect_all(kWriteSome, kReadSome, packets, 64);
  expect_all(kWriteSome, kReadOne, 20, 8);
  expect_all(kWriteOne, kReadSome, 20, 96 / 3);
}

TEST_F(PipesAtOnce, ReservationsOfWorkGroups) {
  const std::string write = R"(
const reserve_id_t r = work_group_reserve_write_pipe(p, get_local_size(0));
if (is_valid_reserve_id(r)) {
  Packet x = make(number);
  write_pipe(p, r, get_local_id(0), &x);
  moved = 1;
  work_group_commit_write_pipe(p, r);
})";
  const std::string read = R"(
const reserve_id_t r = work_group_reserve_read_pipe(p, get_local_size(0));
if (is_valid_reserve_id(r)) {
  Packet x;
  read_pipe(p, r, get_local_id(0), &x);
  take(x, seen, broken);
  work_group_commit_read_pipe(p, r);
})";
  for (const std::size_t local : {1u, 16u, 64u, 256u})
    for (const cl_uint packets : {300u, 5000u}) expect_all(write, read, packets, local);
  // Readers that take one each.
  expect_all(write, kReadOne, 300, 64);
}

TEST_F(PipesAtOnce, ReservationsOfSubGroups) {
  if (device_value<cl_uint>(device, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0) GTEST_SKIP() << "the device has no sub-groups";
  const std::string write = R"(
const reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size());
if (is_valid_reserve_id(r)) {
  Packet x = make(number);
  write_pipe(p, r, get_sub_group_local_id(), &x);
  moved = 1;
  sub_group_commit_write_pipe(p, r);
})";
  const std::string read = R"(
const reserve_id_t r = sub_group_reserve_read_pipe(p, get_sub_group_size());
if (is_valid_reserve_id(r)) {
  Packet x;
  read_pipe(p, r, get_sub_group_local_id(), &x);
  take(x, seen, broken);
  sub_group_commit_read_pipe(p, r);
})";
  for (const std::size_t required : required_sub_group_sizes(device))
    for (const std::size_t local : {8u, 64u, 128u})
      for (const cl_uint packets : {70u, 5000u}) expect_all(write, read, packets, local, required);
}

// Work-items of one sub-group that fill a pipe which others of it empty: whoever has written is not held up with a packet that nobody sees.
TEST_F(Pipes, ASubGroupMayWaitForItsOwnPackets) {
  WEFT_ONLY("a kernel that reads and writes one pipe is undefined, and so is which work-items go on");
  const Program program = session.build(R"(
kernel void k(write_only pipe uint out, read_only pipe uint in, global uint* sums) {
  const uint i = get_global_id(0);
  uint sum = 0, packet, tries = 0;
  while (write_pipe(out, &i) != 0 && ++tries < 10000)
    if (read_pipe(in, &packet) == 0) sum += packet;
  while (read_pipe(in, &packet) == 0) sum += packet;
  sums[i] = tries < 10000 ? sum : 1000000;
}
)", k30);
  for (const cl_uint packets : {1u, 5u, 16u, 31u, 64u}) {
    const Mem made = pipe(4, packets), sums = session.buffer(64 * 4);
    session.launch(session.kernel(program, "k"), {{64}, {64}}, made, made, sums);
    const auto found = session.download<cl_uint>(sums, 64);
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), 0u), 63u * 64 / 2) << packets;
  }
}

TEST_F(Pipes, ProgramsOfPartsAndOfBinaries) {
  const Program kernels = session.create_program(
      "void put(write_only pipe uint p, reserve_id_t r, uint x);\n"
      "kernel void k(write_only pipe uint p) { const reserve_id_t r = reserve_write_pipe(p, 1); put(p, r, 41); commit_write_pipe(p, r); }\n"
      "kernel void g(read_only pipe uint p, global uint* out) { out[1] = read_pipe(p, out); }\n");
  const Program helper =
      session.create_program("void put(write_only pipe uint p, reserve_id_t r, uint x) { ++x; write_pipe(p, r, 0, &x); }");
  for (const Program* program : {&kernels, &helper})
    ASSERT_EQ(clCompileProgram(*program, 1, &device, k30, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << session.build_log(*program);
  const cl_program inputs[] = {kernels, helper};
  cl_int error = CL_SUCCESS;
  const Program linked(clLinkProgram(context, 1, &device, "", 2, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const auto bytes = binary_of(linked);
  const unsigned char* at = bytes.data();
  const std::size_t size = bytes.size();
  const Program again(clCreateProgramWithBinary(context, 1, &device, &size, &at, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(again, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  const Mem made = pipe(4, 4), out = session.buffer(8), buffer = session.buffer(64);
  for (const Program* program : {&linked, &again}) {
    const Kernel put = session.kernel(*program, "k"), get = session.kernel(*program, "g");
    const cl_mem raw = buffer;
    EXPECT_EQ(clSetKernelArg(put, 0, sizeof raw, &raw), CL_INVALID_MEM_OBJECT);
    session.launch(put, {{1}, {1}}, made);
    session.launch(get, {{1}, {1}}, made, out);
    EXPECT_EQ(session.download<cl_uint>(out, 2), (std::vector<cl_uint>{42, 0}));
  }
}

TEST_F(Pipes, AsManyReservationsAsTheDeviceSays) {
  const cl_uint most = device_value<cl_uint>(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS);
  if (most > (1u << 20)) GTEST_SKIP() << "more than a test can hold";
  const Program program = session.build(R"(
kernel void k(write_only pipe uint p, uint count, global ulong* places, global uint* out) {
  global reserve_id_t* all = (global reserve_id_t*)places;
  uint valid = 0;
  for (uint i = 0; i < count; ++i) { all[i] = reserve_write_pipe(p, 1); valid += is_valid_reserve_id(all[i]); }
  for (uint i = count; i-- > 0;) { write_pipe(p, all[i], 0, &i); commit_write_pipe(p, all[i]); }
  out[0] = valid;
}
kernel void g(read_only pipe uint p, uint count, global uint* out) { for (uint i = 0; i < count; ++i) read_pipe(p, &out[i]); }
)", k30);
  const Mem made = pipe(4, most), places = session.buffer(most * 16ul), out = session.buffer(most * 4ul);
  session.launch(session.kernel(program, "k"), {{1}, {1}}, made, most, places, out);
  EXPECT_EQ(session.download<cl_uint>(out, 1)[0], most);
  session.launch(session.kernel(program, "g"), {{1}, {1}}, made, most, out);
  EXPECT_EQ(session.download<cl_uint>(out, most), iota<cl_uint>(most));
}

}  // namespace
}  // namespace weft::conformance
