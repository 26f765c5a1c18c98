// Calls of the host API in any order, with good, null, released and foreign handles, and with numbers from the edges of their ranges: none
// may crash, hang, leak or read memory that is not the program's. Only what OpenCL leaves to the program is kept: pointers lead to memory
// of the size that the call says, kernels write nothing, and nobody waits for a user event that has not ended.
//
// An input is a list of decisions, a byte each; what it leaves behind is released.
#include <CL/cl_icd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

extern "C" cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id* platforms, cl_uint* found);

namespace {

constexpr std::size_t kHostBytes = 4 << 20;
constexpr unsigned kMostCalls = 60;

/// Found once: the platform, its device and its entry points, as a loader has them.
struct Platform {
  cl_platform_id id = nullptr;
  cl_device_id device = nullptr;
  const cl_icd_dispatch* api = nullptr;

  Platform() {
    clIcdGetPlatformIDsKHR(1, &id, nullptr);
    std::memcpy(&api, static_cast<const void*>(id), sizeof api);
    api->clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  }
};

const Platform& platform() {
  static const Platform instance;
  return instance;
}

std::array<unsigned char, kHostBytes>& host() {
  static std::array<unsigned char, kHostBytes> memory;
  return memory;
}

void CL_CALLBACK on_event(cl_event, cl_int, void*) {}
void CL_CALLBACK on_destruction(cl_mem, void*) {}

enum Kind { kContext, kQueue, kMem, kProgram, kKernel, kEvent, kSampler, kKinds };

class Run {
 public:
  Run(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {
    cl_int error = 0;
    keep(kContext, api_.clCreateContext(nullptr, 1, &platform().device, nullptr, nullptr, &error));
    keep(kQueue, api_.clCreateCommandQueueWithProperties(static_cast<cl_context>(live_[kContext][0]), platform().device, nullptr, &error));
  }

  ~Run() {
    end_user_events();
    for (const Kind kind : {kEvent, kKernel, kProgram, kSampler, kMem, kQueue, kContext})
      while (!live_[kind].empty()) release(kind, live_[kind].size() - 1);
  }

  void calls() {
    for (unsigned i = 0; i < kMostCalls && at_ < end_; ++i) call();
  }

 private:
  std::uint8_t byte() { return at_ < end_ ? *at_++ : 0; }
  unsigned below(unsigned limit) { return byte() % limit; }
  bool chance(unsigned of_16) { return below(16) < of_16; }

  /// Of sizes and offsets: most small, some at the edges.
  std::size_t size() {
    static constexpr std::size_t kSizes[] = {0,  1,  2,  3,   4,   7,   8,    16,   31,   32,         64,         100,       127,
                                             128, 255, 256, 512, 1000, 1024, 4096, 0x7fffffff, 0xffffffff, 1ull << 32, 1ull << 40, ~std::size_t{0},
                                             ~std::size_t{0} - 7};
    return kSizes[below(chance(12) ? 20 : std::size(kSizes))];
  }
  std::size_t small() { return below(17); }
  cl_ulong number() {
    return chance(10) ? below(40) : chance(8) ? cl_ulong{1} << below(64) : ~cl_ulong{0};
  }

  void keep(Kind kind, void* handle) {
    if (handle) live_[kind].push_back(handle);
  }
  /// Mostly one of the kind that is alive.
  template <typename T>
  T any(Kind kind) {
    const unsigned way = below(16);
    if (way == 0) return nullptr;
    if (way == 1) return static_cast<T>(gone_.empty() ? nullptr : gone_[byte() % gone_.size()]);
    const Kind from = way == 2 ? static_cast<Kind>(below(kKinds)) : kind;
    return static_cast<T>(live_[from].empty() ? nullptr : live_[from][byte() % live_[from].size()]);
  }

  struct Waits {
    std::vector<cl_event> events;
    cl_uint count = 0;
    const cl_event* list = nullptr;
  };
  Waits waits() {
    Waits result;
    const unsigned count = chance(10) ? 0 : 1 + below(3);
    for (unsigned i = 0; i < count; ++i) result.events.push_back(any<cl_event>(kEvent));
    result.count = count;
    result.list = count ? result.events.data() : nullptr;
    if (chance(1)) result.list = nullptr;
    else if (chance(1)) result.count = 0;
    return result;
  }
  /// Where the event goes, if one is asked for.
  cl_event* wanted() {
    event_ = nullptr;
    return chance(8) ? &event_ : nullptr;
  }
  void end(cl_int error) {
    if (error == CL_SUCCESS) keep(kEvent, event_);
    event_ = nullptr;
  }
  cl_bool blocking() {
    const cl_bool blocks = below(2);
    if (blocks) end_user_events();
    return blocks;
  }

  void end_user_events() {
    for (const cl_event event : user_events_) api_.clSetUserEventStatus(event, CL_COMPLETE);
    for (const cl_event event : user_events_) api_.clReleaseEvent(event);
    user_events_.clear();
  }

  void release(Kind kind, std::size_t which) {
    void* const handle = live_[kind][which];
    live_[kind].erase(live_[kind].begin() + static_cast<std::ptrdiff_t>(which));
    switch (kind) {
      case kContext: api_.clReleaseContext(static_cast<cl_context>(handle)); break;
      case kQueue: api_.clReleaseCommandQueue(static_cast<cl_command_queue>(handle)); break;
      case kMem: api_.clReleaseMemObject(static_cast<cl_mem>(handle)); break;
      case kProgram: api_.clReleaseProgram(static_cast<cl_program>(handle)); break;
      case kKernel: api_.clReleaseKernel(static_cast<cl_kernel>(handle)); break;
      case kEvent: api_.clReleaseEvent(static_cast<cl_event>(handle)); break;
      default: api_.clReleaseSampler(static_cast<cl_sampler>(handle)); break;
    }
    if (std::ranges::find(live_[kind], handle) == live_[kind].end()) gone_.push_back(handle);
  }

  void retain() {
    const auto kind = static_cast<Kind>(below(kKinds));
    if (live_[kind].empty()) return;
    void* const handle = live_[kind][byte() % live_[kind].size()];
    switch (kind) {
      case kContext: api_.clRetainContext(static_cast<cl_context>(handle)); break;
      case kQueue: api_.clRetainCommandQueue(static_cast<cl_command_queue>(handle)); break;
      case kMem: api_.clRetainMemObject(static_cast<cl_mem>(handle)); break;
      case kProgram: api_.clRetainProgram(static_cast<cl_program>(handle)); break;
      case kKernel: api_.clRetainKernel(static_cast<cl_kernel>(handle)); break;
      case kEvent: api_.clRetainEvent(static_cast<cl_event>(handle)); break;
      default: api_.clRetainSampler(static_cast<cl_sampler>(handle)); break;
    }
    live_[kind].push_back(handle);
  }

  void create() {
    cl_int error = 0;
    cl_int* const code = chance(14) ? &error : nullptr;
    switch (below(9)) {
      case 0: {
        const bool has_host = chance(4);
        const std::size_t bytes = has_host ? std::min<std::size_t>(size(), kHostBytes) : size();
        // What is allocated at once is bounded: the program may fill its memory, and be ended for it.
        if (bytes > kHostBytes && bytes < std::size_t{1} << 40) return;
        keep(kMem, api_.clCreateBuffer(any<cl_context>(kContext), flags(), bytes, has_host ? host().data() : nullptr, code));
        break;
      }
      case 1: {
        const cl_buffer_region region{size(), size()};
        keep(kMem, api_.clCreateSubBuffer(any<cl_mem>(kMem), flags() & ~cl_mem_flags{CL_MEM_USE_HOST_PTR}, chance(14) ? CL_BUFFER_CREATE_TYPE_REGION : 0,
                                          chance(15) ? &region : nullptr, code));
        break;
      }
      case 2: {
        const cl_image_format format{static_cast<cl_channel_order>(CL_R + below(20)), static_cast<cl_channel_type>(CL_SNORM_INT8 + below(18))};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_BUFFER + below(9);
        description.image_width = chance(14) ? small() : size();
        description.image_height = chance(14) ? small() : 0;
        description.image_depth = small();
        description.image_array_size = small();
        description.image_row_pitch = chance(3) ? size() : 0;
        description.image_slice_pitch = chance(3) ? size() : 0;
        description.num_mip_levels = chance(2) ? below(6) : 0;
        description.num_samples = chance(1) ? 4 : 0;
        if (chance(4)) description.mem_object = any<cl_mem>(kMem);
        const cl_mem_flags wanted_flags = flags() & ~cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR};
        keep(kMem, api_.clCreateImage(any<cl_context>(kContext), wanted_flags, chance(15) ? &format : nullptr, chance(15) ? &description : nullptr, nullptr, code));
        break;
      }
      case 3:
        keep(kSampler, api_.clCreateSampler(any<cl_context>(kContext), below(3), CL_ADDRESS_NONE + below(6), CL_FILTER_NEAREST + below(3), code));
        break;
      case 4: {
        static const char* const kSources[] = {
            "kernel void k(global int* a, int b, local int* c) { if (get_global_id(0) == ~0ul) *a = b + *c; }",
            "kernel void k(read_only image2d_t a, sampler_t b, write_only image2d_t c) { if (get_global_id(0) == ~0ul) write_imagef(c, 0, read_imagef(a, b, 0)); }",
            "typedef struct { int4 a; char b; } s; kernel void k(s a, constant int* b) { barrier(CLK_LOCAL_MEM_FENCE); } kernel void j(float16 x) {}",
            "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int* a) {}",
            "kernel void k(int a) { error }", ""};
        const char* const source = kSources[below(std::size(kSources))];
        const std::size_t length = chance(4) ? std::min(size(), std::strlen(source)) : 0;
        keep(kProgram, api_.clCreateProgramWithSource(any<cl_context>(kContext), chance(15) ? 1 : 0, const_cast<const char**>(&source),
                                                      chance(8) ? &length : nullptr, code));
        break;
      }
      case 5: {
        const cl_program program = any<cl_program>(kProgram);
        static const char* const kOptions[] = {"", "-cl-std=CL3.0", "-cl-fast-relaxed-math", "-D", "-nothing", "-cl-std=CL9"};
        api_.clBuildProgram(program, below(2), below(2) ? &platform().device : nullptr, kOptions[below(std::size(kOptions))], nullptr, nullptr);
        keep(kKernel, api_.clCreateKernel(program, chance(14) ? "k" : "j", code));
        break;
      }
      case 6: {
        const cl_event event = api_.clCreateUserEvent(any<cl_context>(kContext), code);
        if (!event) break;
        api_.clRetainEvent(event);
        user_events_.push_back(event);
        keep(kEvent, event);
        break;
      }
      case 7: {
        const cl_queue_properties properties[] = {chance(14) ? cl_queue_properties{CL_QUEUE_PROPERTIES} : number(), chance(12) ? below(4) : number(), 0};
        keep(kQueue, api_.clCreateCommandQueueWithProperties(any<cl_context>(kContext), chance(15) ? platform().device : nullptr,
                                                             chance(8) ? properties : nullptr, code));
        break;
      }
      default:
        if (live_[kContext].size() < 3) keep(kContext, api_.clCreateContext(nullptr, below(2), &platform().device, nullptr, nullptr, code));
        break;
    }
  }

  cl_mem_flags flags() {
    static constexpr cl_mem_flags kFlags[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                              CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_MEM_KERNEL_READ_AND_WRITE};
    cl_mem_flags all = kFlags[below(std::size(kFlags))];
    if (chance(4)) all |= kFlags[below(std::size(kFlags))];
    if (chance(1)) all |= number();
    return all;
  }

  void set_argument() {
    static constexpr std::size_t kSizes[] = {0, 1, 4, 8, 16, 20, 32, 64, 100, 4096, ~std::size_t{0}};
    const cl_kernel kernel = any<cl_kernel>(kKernel);
    const cl_uint index = chance(14) ? below(4) : 0xffffffff;
    std::size_t bytes = kSizes[below(std::size(kSizes))];
    alignas(16) std::array<unsigned char, 8192> value{};
    void* handle = any<void*>(chance(8) ? kMem : kSampler);
    if (chance(10)) bytes = sizeof handle;
    std::memcpy(value.data(), &handle, sizeof handle);
    api_.clSetKernelArg(kernel, index, bytes, chance(12) && bytes <= value.size() ? value.data() : nullptr);
  }

  void launch() {
    const Waits wait = waits();
    const cl_uint dimensions = chance(14) ? 1 + below(3) : number();
    std::size_t global[3], local[3], offset[3];
    // No more than a launch has done soon.
    static constexpr std::size_t kSizes[] = {1, 2, 4, 8, 16, 33, 0};
    for (int d = 0; d < 3; ++d) {
      global[d] = kSizes[below(std::size(kSizes))];
      local[d] = chance(14) ? kSizes[below(6)] : size();
      offset[d] = chance(14) ? 0 : size();
    }
    end(api_.clEnqueueNDRangeKernel(any<cl_command_queue>(kQueue), any<cl_kernel>(kKernel), dimensions, chance(4) ? offset : nullptr,
                                    chance(15) ? global : nullptr, chance(10) ? local : nullptr, wait.count, wait.list, wanted()));
  }
  void transfer() {
    const Waits wait = waits();
    const cl_command_queue queue = any<cl_command_queue>(kQueue);
    const cl_mem a = any<cl_mem>(kMem), b = any<cl_mem>(kMem);
    const cl_bool blocks = blocking();
    // The fourth is a level of images with mipmaps.
    const std::size_t from[4] = {chance(14) ? small() : size(), chance(14) ? small() : size(), chance(14) ? small() : size(), below(5)};
    const std::size_t to[4] = {chance(14) ? small() : size(), small(), small(), chance(14) ? below(5) : size()};
    const std::size_t region[3] = {small(), small(), small()};
    const std::size_t x = size(), y = size(), pitches[] = {chance(8) ? 0 : size(), chance(8) ? 0 : size()};
    // What the host gives is as large as the call says.
    const std::size_t bytes = size(), host_bytes = std::min(bytes, kHostBytes), host_row = below(2) * 512, host_slice = below(2) * 512 * 32;
    void* const memory = host().data();
    cl_event* const event = wanted();
    switch (below(14)) {
      case 0: return end(api_.clEnqueueReadBuffer(queue, a, blocks, x, host_bytes, memory, wait.count, wait.list, event));
      case 1: return end(api_.clEnqueueWriteBuffer(queue, a, blocks, x, host_bytes, memory, wait.count, wait.list, event));
      case 2: return end(api_.clEnqueueCopyBuffer(queue, a, b, x, y, bytes, wait.count, wait.list, event));
      case 3:
        return end(api_.clEnqueueReadBufferRect(queue, a, blocks, from, region, region, pitches[0], pitches[1], host_row, host_slice, memory, wait.count,
                                                wait.list, event));
      case 4:
        return end(api_.clEnqueueWriteBufferRect(queue, a, blocks, from, region, region, pitches[0], pitches[1], host_row, host_slice, memory, wait.count,
                                                 wait.list, event));
      case 5:
        return end(api_.clEnqueueCopyBufferRect(queue, a, b, from, to, region, pitches[0], pitches[1], host_row, host_slice, wait.count, wait.list, event));
      case 6: {
        const std::size_t pattern = chance(12) ? std::size_t{1} << below(8) : size();
        return end(api_.clEnqueueFillBuffer(queue, a, memory, std::min(pattern, kHostBytes), x, bytes, wait.count, wait.list, event));
      }
      case 7: return end(api_.clEnqueueReadImage(queue, a, blocks, from, region, host_row, host_slice, memory, wait.count, wait.list, event));
      case 8: return end(api_.clEnqueueWriteImage(queue, a, blocks, from, region, host_row, host_slice, memory, wait.count, wait.list, event));
      case 9: return end(api_.clEnqueueCopyImage(queue, a, b, from, to, region, wait.count, wait.list, event));
      case 10: return end(api_.clEnqueueCopyImageToBuffer(queue, a, b, from, region, x, wait.count, wait.list, event));
      case 11: return end(api_.clEnqueueCopyBufferToImage(queue, a, b, x, to, region, wait.count, wait.list, event));
      case 12: return end(api_.clEnqueueFillImage(queue, a, memory, from, region, wait.count, wait.list, event));
      default: {
        cl_int error = 0;
        void* mapped = nullptr;
        std::size_t row = 0, slice = 0;
        if (chance(8))
          mapped = api_.clEnqueueMapBuffer(queue, a, blocks, chance(14) ? below(8) : number(), x, bytes, wait.count, wait.list, event, &error);
        else
          mapped = api_.clEnqueueMapImage(queue, a, blocks, below(8), from, region, chance(14) ? &row : nullptr, chance(12) ? &slice : nullptr, wait.count,
                                          wait.list, event, &error);
        end(error);
        if (chance(12)) end(api_.clEnqueueUnmapMemObject(any<cl_command_queue>(kQueue), chance(14) ? a : b, chance(14) ? mapped : memory, 0, nullptr, wanted()));
        return;
      }
    }
  }

  void query() {
    const std::size_t bytes = chance(8) ? kHostBytes : size();
    void* const place = chance(12) && bytes <= kHostBytes ? host().data() : nullptr;
    std::size_t needed = 0;
    std::size_t* const ret = chance(12) ? &needed : nullptr;
    const auto name = [&](cl_uint first) { return chance(14) ? first + below(48) : static_cast<cl_uint>(number()); };
    switch (below(13)) {
      case 0: api_.clGetPlatformInfo(platform().id, name(CL_PLATFORM_PROFILE), bytes, place, ret); break;
      case 1: api_.clGetDeviceInfo(chance(14) ? platform().device : nullptr, name(CL_DEVICE_TYPE), bytes, place, ret); break;
      case 2: api_.clGetContextInfo(any<cl_context>(kContext), name(CL_CONTEXT_REFERENCE_COUNT), bytes, place, ret); break;
      case 3: api_.clGetCommandQueueInfo(any<cl_command_queue>(kQueue), name(CL_QUEUE_CONTEXT), bytes, place, ret); break;
      case 4: api_.clGetMemObjectInfo(any<cl_mem>(kMem), name(CL_MEM_TYPE), bytes, place, ret); break;
      case 5: api_.clGetImageInfo(any<cl_mem>(kMem), name(CL_IMAGE_FORMAT), bytes, place, ret); break;
      case 6: api_.clGetSamplerInfo(any<cl_sampler>(kSampler), name(CL_SAMPLER_REFERENCE_COUNT), bytes, place, ret); break;
      case 7: {
        // The binaries' place holds pointers.
        const cl_program_info what = name(CL_PROGRAM_REFERENCE_COUNT);
        if (what != CL_PROGRAM_BINARIES) api_.clGetProgramInfo(any<cl_program>(kProgram), what, bytes, place, ret);
        break;
      }
      case 8:
        api_.clGetProgramBuildInfo(any<cl_program>(kProgram), chance(14) ? platform().device : nullptr, name(CL_PROGRAM_BUILD_STATUS), bytes, place, ret);
        break;
      case 9: api_.clGetKernelInfo(any<cl_kernel>(kKernel), name(CL_KERNEL_FUNCTION_NAME), bytes, place, ret); break;
      case 10: api_.clGetKernelArgInfo(any<cl_kernel>(kKernel), below(5), name(CL_KERNEL_ARG_ADDRESS_QUALIFIER), bytes, place, ret); break;
      case 11:
        api_.clGetKernelWorkGroupInfo(any<cl_kernel>(kKernel), chance(14) ? platform().device : nullptr, name(CL_KERNEL_WORK_GROUP_SIZE), bytes, place, ret);
        break;
      default:
        if (chance(8))
          api_.clGetEventInfo(any<cl_event>(kEvent), name(CL_EVENT_COMMAND_QUEUE), bytes, place, ret);
        else
          api_.clGetEventProfilingInfo(any<cl_event>(kEvent), name(CL_PROFILING_COMMAND_QUEUED), bytes, place, ret);
        break;
    }
  }

  void synchronize() {
    const Waits wait = waits();
    switch (below(8)) {
      case 0: end(api_.clEnqueueMarkerWithWaitList(any<cl_command_queue>(kQueue), wait.count, wait.list, wanted())); break;
      case 1: end(api_.clEnqueueBarrierWithWaitList(any<cl_command_queue>(kQueue), wait.count, wait.list, wanted())); break;
      case 2: api_.clFlush(any<cl_command_queue>(kQueue)); break;
      case 3:
        end_user_events();
        api_.clFinish(any<cl_command_queue>(kQueue));
        break;
      case 4:
        end_user_events();
        api_.clWaitForEvents(wait.count, wait.list);
        break;
      case 5: api_.clSetUserEventStatus(any<cl_event>(kEvent), chance(8) ? CL_COMPLETE : -static_cast<cl_int>(below(4))); break;
      case 6: api_.clSetEventCallback(any<cl_event>(kEvent), static_cast<cl_int>(below(5)), chance(14) ? &on_event : nullptr, nullptr); break;
      default: {
        const cl_mem objects[] = {any<cl_mem>(kMem), any<cl_mem>(kMem)};
        if (chance(8))
          api_.clSetMemObjectDestructorCallback(objects[0], chance(14) ? &on_destruction : nullptr, nullptr);
        else
          end(api_.clEnqueueMigrateMemObjects(any<cl_command_queue>(kQueue), below(3), chance(14) ? objects : nullptr, below(4), wait.count, wait.list, wanted()));
        break;
      }
    }
  }

  void call() {
    switch (below(16)) {
      case 0:
      case 1:
      case 2:
      case 3: return create();
      case 4:
      case 5: return set_argument();
      case 6:
      case 7: return launch();
      case 8:
      case 9:
      case 10: return transfer();
      case 11: return query();
      case 12:
      case 13: return synchronize();
      case 14: return retain();
      default: {
        const auto kind = static_cast<Kind>(below(kKinds));
        if (!live_[kind].empty()) release(kind, byte() % live_[kind].size());
        return;
      }
    }
  }

  const cl_icd_dispatch& api_ = *platform().api;
  const std::uint8_t* at_;
  const std::uint8_t* end_;
  std::array<std::vector<void*>, kKinds> live_;  ///< a handle as often as it has been retained
  std::vector<void*> gone_;
  std::vector<cl_event> user_events_;            ///< that have not ended; each retained once more
  cl_event event_ = nullptr;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Run(data, size).calls();
  return 0;
}
