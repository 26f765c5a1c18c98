// What a launch must not need: once warm, neither memory nor a mutex. A program of its own, since it replaces
// operator new and pthread_mutex_lock for all libraries of the process.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "api/fixture.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations{0};
std::atomic<long> mutex_locks{0};

void* allocate(std::size_t size, std::size_t align) {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  void* block = nullptr;
  if (posix_memalign(&block, align < sizeof(void*) ? sizeof(void*) : align, size ? size : 1) != 0)
    throw std::bad_alloc();
  return block;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHooked = false;  // sanitizers have hooks of their own there
#else
constexpr bool kHooked = true;

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t align) {
  return allocate(size, static_cast<std::size_t>(align));
}
void* operator new[](std::size_t size, std::align_val_t align) {
  return allocate(size, static_cast<std::size_t>(align));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static std::atomic<Lock> real{nullptr};
  Lock lock = real.load(std::memory_order_relaxed);
  if (!lock) {
    lock = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
    real.store(lock, std::memory_order_relaxed);
  }
  if (counting.load(std::memory_order_relaxed)) ++mutex_locks;
  return lock(mutex);
}
#endif

namespace weft::conformance {
namespace {

class LaunchCost : public ApiTest {
 protected:
  static constexpr int kLaunches = 1000;

  void SetUp() override {
    WEFT_ONLY("others may allocate");
    if (!kHooked) GTEST_SKIP() << "a sanitizer counts for itself";
    program_ = session.build("kernel void k(global int* a, int b) { a[get_global_id(0)] = b; }");
    kernel_ = session.kernel(program_, "k");
    in_order_ = session.queue(0);
    buffer_ = session.buffer(kItems * sizeof(cl_int));
    set_args(kernel_, buffer_, cl_int{1});
  }
  void launch(std::size_t items, cl_event* event = nullptr) const {
    ASSERT_EQ(clEnqueueNDRangeKernel(in_order_, kernel_, 1, nullptr, &items, &kLocal, 0, nullptr, event),
              CL_SUCCESS);
  }
  /// Runs `launches` until it needs nothing. How many commands are in flight at once, and so how much is kept for
  /// later ones, depends on measured times: the first runs may need more than the one before.
  template <typename F>
  void expect_nothing(F launches) {
    for (int run = 0; run < 10; ++run) {
      allocations = mutex_locks = 0;
      counting = true;
      launches();
      counting = false;
      if (run > 0 && allocations == 0 && mutex_locks == 0) return;
    }
    EXPECT_EQ(allocations, 0);
    EXPECT_EQ(mutex_locks, 0);
  }

  static constexpr std::size_t kItems = std::size_t{1} << 20;
  static constexpr std::size_t kLocal = 32;
  Program program_;
  Kernel kernel_;
  Queue in_order_;
  Mem buffer_;
};

TEST_F(LaunchCost, TheCountersCount) {
  counting = true;
  const auto block = std::make_unique<std::string>(100, 'x');
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  const Program program = session.create_program("a library's own");
  counting = false;
  EXPECT_GE(allocations, 3);
  EXPECT_GE(mutex_locks, 1);
}

TEST_F(LaunchCost, BackToBack) {
  expect_nothing([&] {
    for (int i = 0; i < kLaunches; ++i) launch(kLocal);
    clFinish(in_order_);
  });
}

TEST_F(LaunchCost, EachFinished) {
  expect_nothing([&] {
    for (int i = 0; i < kLaunches; ++i) {
      launch(kLocal);
      clFinish(in_order_);
    }
  });
}

TEST_F(LaunchCost, WithOtherArgumentsEachTime) {
  expect_nothing([&] {
    for (cl_int i = 0; i < kLaunches; ++i) {
      ASSERT_EQ(clSetKernelArg(kernel_, 1, sizeof i, &i), CL_SUCCESS);
      launch(kLocal);
      if (i % 100 == 0) clFinish(in_order_);
    }
    clFinish(in_order_);
  });
}

TEST_F(LaunchCost, WithAnEvent) {
  expect_nothing([&] {
    for (int i = 0; i < kLaunches; ++i) {
      Event event;
      launch(kLocal, event.out());
      const cl_event raw = event;
      clWaitForEvents(1, &raw);
    }
  });
}

// Another format or sampler is another variant, which is there after the first launch with it.
TEST_F(LaunchCost, WithImagesOfTwoFormatsAndTwoSamplers) {
  const Program program = session.build(
      "kernel void k(read_only image2d_t in, sampler_t s, global float4* out) { int i = get_global_id(0);\n"
      "  out[i] = read_imagef(in, s, (float2)(i, 0)); }");
  kernel_ = session.kernel(program, "k");
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 16;
  std::vector<Mem> images;
  for (const cl_channel_type type : {CL_UNORM_INT8, CL_FLOAT}) {
    const cl_image_format format{CL_RGBA, type};
    cl_int error = CL_SUCCESS;
    images.emplace_back(clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
  }
  cl_sampler samplers[2];
  for (int i = 0; i < 2; ++i)
    samplers[i] = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, i ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, nullptr);
  set_arg(kernel_, 2, buffer_);
  expect_nothing([&] {
    for (int i = 0; i < kLaunches; ++i) {
      const cl_mem image = images[i % 2];
      ASSERT_EQ(clSetKernelArg(kernel_, 0, sizeof image, &image), CL_SUCCESS);
      ASSERT_EQ(clSetKernelArg(kernel_, 1, sizeof samplers[0], &samplers[i / 2 % 2]), CL_SUCCESS);
      launch(kLocal);
      if (i % 100 == 0) clFinish(in_order_);
    }
    clFinish(in_order_);
  });
  for (cl_sampler sampler : samplers) clReleaseSampler(sampler);
}

// Workers are woken for these.
TEST_F(LaunchCost, OfManyGroups) {
  expect_nothing([&] {
    for (int i = 0; i < 20; ++i) {
      launch(kItems);
      clFlush(in_order_);
      clFinish(in_order_);
    }
  });
}

}  // namespace
}  // namespace weft::conformance
