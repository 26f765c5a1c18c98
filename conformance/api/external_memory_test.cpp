// Memory of file descriptors (cl_khr_external_memory_opaque_fd).
#include <sys/mman.h>
#include <unistd.h>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

constexpr cl_mem_properties kOpaqueFd = 0x2060, kDeviceList = 0x2051;

/// A memfd and a mapping of it, which stand for another API's memory.
class Shared {
 public:
  explicit Shared(std::size_t bytes) : bytes_(bytes), descriptor_(memfd_create("shared", 0)) {
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("ftruncate");
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  }
  ~Shared() {
    munmap(memory_, bytes_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  void close_descriptor() { close(std::exchange(descriptor_, -1)); }
  int descriptor() const { return descriptor_; }
  cl_mem_properties property() const { return static_cast<cl_mem_properties>(descriptor_); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  std::size_t bytes_;
  int descriptor_;
  void* memory_;
};

class ExternalMemory : public ApiTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_external_memory_opaque_fd")) GTEST_SKIP() << "no cl_khr_external_memory_opaque_fd";
    acquire = reinterpret_cast<Enqueue>(clGetExtensionFunctionAddressForPlatform(test_platform(), "clEnqueueAcquireExternalMemObjectsKHR"));
    release = reinterpret_cast<Enqueue>(clGetExtensionFunctionAddressForPlatform(test_platform(), "clEnqueueReleaseExternalMemObjectsKHR"));
    ASSERT_TRUE(acquire && release);
  }
  using Enqueue = cl_int(CL_API_CALL*)(cl_command_queue, cl_uint, const cl_mem*, cl_uint, const cl_event*, cl_event*);
  Enqueue acquire = nullptr, release = nullptr;

  cl_mem import(std::vector<cl_mem_properties> properties, cl_mem_flags flags, std::size_t size, cl_int* error, void* host = nullptr) {
    return clCreateBufferWithProperties(context, properties.data(), flags, size, host, error);
  }
};

TEST_F(ExternalMemory, Buffer) {
  Shared shared(4096 * 4);
  for (int i = 0; i < 4096; ++i) shared.as<int>()[i] = i;
  cl_int error = CL_SUCCESS;
  const cl_mem_properties self = reinterpret_cast<cl_mem_properties>(device);
  const Mem buffer(import({kOpaqueFd, shared.property(), kDeviceList, self, 0, 0}, 0, 4096 * 4, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  shared.close_descriptor();  // the memory stays
  const cl_mem raw = buffer;
  cl_event event = nullptr;
  ASSERT_EQ(acquire(queue, 1, &raw, 0, nullptr, &event), CL_SUCCESS);
  const Event acquired(event);
  cl_command_type type = 0;
  ASSERT_EQ(clGetEventInfo(acquired, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, 0x2047u);
  const Program program = session.build("kernel void k(global int* a) { a[get_global_id(0)] *= 3; }");
  session.launch(session.kernel(program, "k"), {{4096}, {}, {}}, buffer);
  ASSERT_EQ(release(queue, 1, &raw, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 4096; ++i) ASSERT_EQ(shared.as<int>()[i], 3 * i);
  shared.as<int>()[7] = 99;  // both see what either writes
  EXPECT_EQ(session.download<cl_int>(buffer, 8)[7], 99);
}

TEST_F(ExternalMemory, Image) {
  constexpr std::size_t width = 30, height = 20, pitch = 128;
  Shared shared(pitch * height);
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = width;
  shape.image_height = height;
  shape.image_row_pitch = pitch;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  const cl_mem_properties properties[] = {kOpaqueFd, shared.property(), 0};
  cl_int error = CL_SUCCESS;
  const Mem image(clCreateImageWithProperties(context, properties, 0, &format, &shape, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const Program program = session.build(
      "kernel void k(write_only image2d_t a) { int2 at = (int2)(get_global_id(0), get_global_id(1));"
      " write_imageui(a, at, (uint4)(at.x + 100 * at.y)); }");
  session.launch(session.kernel(program, "k"), {{width, height}, {}, {}}, image);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) ASSERT_EQ(shared.as<cl_uint>()[y * pitch / 4 + x], x + 100 * y);
}

TEST_F(ExternalMemory, Errors) {
  const Shared shared(4096);
  cl_int error = CL_SUCCESS;
  const auto refuses = [&](std::vector<cl_mem_properties> properties, cl_mem_flags flags, std::size_t size, cl_int code, void* host = nullptr) {
    EXPECT_EQ(import(std::move(properties), flags, size, &error, host), nullptr);
    EXPECT_EQ(error, code);
  };
  int host[1024];
  refuses({kOpaqueFd, static_cast<cl_mem_properties>(-1), 0}, 0, 4096, CL_INVALID_PROPERTY);
  refuses({kOpaqueFd, shared.property(), 0}, 0, 8192, CL_INVALID_PROPERTY);
  refuses({kOpaqueFd, shared.property(), kOpaqueFd, shared.property(), 0}, 0, 4096, CL_INVALID_PROPERTY);
  refuses({kDeviceList, reinterpret_cast<cl_mem_properties>(device), 0, 0}, 0, 4096, CL_INVALID_PROPERTY);
  refuses({kOpaqueFd, shared.property(), kDeviceList, reinterpret_cast<cl_mem_properties>(host), 0, 0}, 0, 4096, CL_INVALID_DEVICE);
  refuses({kOpaqueFd, shared.property(), 0}, CL_MEM_COPY_HOST_PTR, 4096, CL_INVALID_VALUE, host);
  refuses({kOpaqueFd, shared.property(), 0}, 0, 4096, CL_INVALID_HOST_PTR, host);
  const Mem own = session.buffer(64);
  const cl_mem raw = own;
  EXPECT_EQ(acquire(queue, 1, &raw, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(acquire(queue, 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(acquire(queue, 0, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::conformance
