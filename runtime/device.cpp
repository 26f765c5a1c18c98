#include "runtime/device.h"
#include "runtime/compiler_loader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <ctime>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/device_features.h"
#include "device/kernel_abi.h"
#include "device/pinning.h"
#include "runtime/command_buffer_api.h"
#include "runtime/device_queue.h"
#include "runtime/engines.h"
#include "runtime/hash.h"
#include "runtime/imported_memory.h"
#include "runtime/machine.h"
#include "runtime/modelled_gpu.h"
#include "runtime/object.h"
#include "runtime/options.h"
#include "runtime/nvidia_attributes.h"
#include "runtime/performance_counters.h"
#include "runtime/platform.h"
#include "runtime/semaphore.h"
#include "runtime/spirv_support.h"
#include "runtime/version.h"

namespace weft::runtime {

namespace {
/// Never destroyed: static objects of the application's use it after ours.
union Root {
  constexpr Root() : device() {}
  ~Root() {}
  Device device;
};
constinit Root root;
}  // namespace

constinit Device& the_device = root.device;

std::uint64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(time.tv_nsec);
}

namespace {

template <std::size_t N>
std::vector<cl_name_version> name_versions(const compiler::NamedVersion (&list)[N]) {
  std::vector<cl_name_version> result;
  for (const auto& [name, version] : list) {
    cl_name_version& entry = result.emplace_back();
    entry.version = version;
    std::strncpy(entry.name, name, CL_NAME_VERSION_MAX_NAME_SIZE - 1);
  }
  return result;
}

/// Programs keep binaries in a place of their own under this name. Another build of the compiler, which takes none of them, has another.
std::string driver_version() { return WEFT_VERSION "-" + to_hex(compiler_identity()).substr(0, 8); }

// cl_ext_float_atomics, which the headers of many systems do not have.
constexpr cl_device_info kSingleFloatAtomics = 0x4231;
constexpr cl_device_info kDoubleFloatAtomics = 0x4232;
constexpr cl_device_info kHalfFloatAtomics = 0x4233;
/// Loads and stores, sums, minima and maxima, in global and in local memory.
constexpr cl_bitfield kAllFloatAtomics = 0x70007;

// cl_khr_kernel_clock, which the headers of many systems do not have: of the device, of a work-group, of a sub-group.
constexpr cl_device_info kKernelClocks = 0x1076;
constexpr cl_bitfield kAllKernelClocks = 7;

constexpr cl_device_info kSubGroupSizes = 0x4108;  ///< CL_DEVICE_SUB_GROUP_SIZES_INTEL

/// Agrees with OpenCL C's feature macros (OpenCL 3.0 API §4.2, table 5, and OpenCL C 3.0 §6.2.1).
cl_device_atomic_capabilities atomic_capabilities() {
  cl_device_atomic_capabilities bits = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  if (Device::has_feature("__opencl_c_atomic_order_acq_rel")) bits |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
  if (Device::has_feature("__opencl_c_atomic_order_seq_cst")) {
    bits |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
  }
  if (Device::has_feature("__opencl_c_atomic_scope_device")) bits |= CL_DEVICE_ATOMIC_SCOPE_DEVICE;
  if (Device::has_feature("__opencl_c_atomic_scope_all_devices")) {
    bits |= CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  }
  return bits;
}

/// What the machine says once: `cpuid` traps in a virtual machine, and libraries ask for the device's
/// name at each of their calls (CLBlast does). Never destroyed: asked for in exit handlers too.
struct Constants {
  std::string name = "Weft on " + machine::processor_name();
  std::uint32_t max_clock = machine::max_clock();
  std::uint32_t cache_line = machine::cache_line();
  std::uint64_t last_level_cache = machine::last_level_cache();
};

/// Of what is named, the same in every process.
std::array<cl_uchar, CL_UUID_SIZE_KHR> uuid(std::string_view name) {
  const Hash hash = Hasher().field(name).finish();
  static_assert(sizeof hash == CL_UUID_SIZE_KHR);
  return std::bit_cast<std::array<cl_uchar, CL_UUID_SIZE_KHR>>(hash);
}

const Constants& constants() {
  static const Constants& values = *new Constants;
  return values;
}

}  // namespace
}  // namespace weft::runtime

bool _cl_device_id::has_extension(std::string_view name) {
  return std::ranges::any_of(weft::compiler::kLanguageExtensions, [name](const auto& each) { return name == each.name; });
}

bool _cl_device_id::has_feature(std::string_view name) {
  return std::ranges::any_of(weft::compiler::kFeatures, [name](const auto& each) { return name == each.name; });
}

cl_device_type _cl_device_id::type() const {
  const std::string& says = weft::runtime::options().device_type;
  if (says == "gpu") return CL_DEVICE_TYPE_GPU;
  if (says == "all") return CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU;
  return CL_DEVICE_TYPE_CPU;
}

bool _cl_device_id::matches(cl_device_type wanted) const {
  constexpr cl_device_type kTypes = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                    CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
  if (wanted == CL_DEVICE_TYPE_ALL) return true;
  weft::runtime::require(wanted != 0 && (wanted & ~kTypes) == 0, CL_INVALID_DEVICE_TYPE);
  return (wanted & (CL_DEVICE_TYPE_DEFAULT | type())) != 0;
}

std::uint32_t _cl_device_id::num_workers() {
  static const std::uint32_t count = [] {
    const std::uint64_t asked = weft::runtime::options().num_workers;
    return asked > 0 && asked <= 4096 ? static_cast<std::uint32_t>(asked)
                                      : weft::runtime::machine::processors();
  }();
  return count;
}

_cl_device_id::_cl_device_id(_cl_device_id& parent, weft::runtime::DeviceShare share, std::vector<cl_device_partition_property> how)
    : sub_(new Sub{weft::runtime::Ref(&parent), std::move(share), std::move(how)}) {}

_cl_device_id::~_cl_device_id() {
  if (auto* const own = device_engine_.load(std::memory_order_acquire)) own->is_free.store(true);
  delete sub_;
}

weft::runtime::DeviceShare _cl_device_id::share() const {
  if (sub_) return sub_->share;
  weft::runtime::DeviceShare whole{num_workers(), weft::device::allowed_processors(), /*is_bound=*/false};
  if (whole.processors.size() != whole.workers) whole.processors.clear();
  return whole;
}

weft::device::Engine& _cl_device_id::make_engine() {
  static std::mutex& mutex = *new std::mutex;
  std::lock_guard lock(mutex);
  if (auto* const made = engine_.load(std::memory_order_acquire)) return *made;
  // Sub-devices that share nothing in particular are bound to processors only where each worker is bound to one.
  const bool is_bound = sub_ && (sub_->share.is_bound || weft::runtime::options().pin);
  auto& made = weft::runtime::take_engine(sub_ ? sub_->share.workers : num_workers(),
                                          is_bound ? sub_->share.processors : std::vector<int>());
  device_engine_.store(&made, std::memory_order_release);
  engine_.store(&made.engine, std::memory_order_release);
  return made.engine;
}

std::uint64_t _cl_device_id::global_mem_size() {
  static const std::uint64_t bytes = weft::runtime::machine::memory();
  return bytes;
}

std::uint64_t _cl_device_id::max_alloc_size() { return global_mem_size() / 2 / 4096 * 4096; }

// OpenCL 3.0 API §4.2, table 5, in its order.
void _cl_device_id::info(cl_device_info name, const weft::runtime::InfoWriter& out) const {
  using namespace weft::runtime;
  namespace abi = weft::abi;
  namespace command_buffer_api = weft::command_buffer_api;
  constexpr std::size_t kMax = abi::kMaxWorkGroupSize;
  const weft::device::counters::Gpu* const gpu = modelled_gpu();
  const auto limits = gpu ? std::optional(weft::device::counters::launch_limits(gpu->capability)) : std::nullopt;
  const auto number = [&](cl_uint value) { out.value(value); };
  const auto size = [&](std::size_t value) { out.value(value); };
  const auto large = [&](cl_ulong value) { out.value(value); };
  const auto truth = [&](bool value) { out.value<cl_bool>(value ? CL_TRUE : CL_FALSE); };

  switch (name) {
    case CL_DEVICE_TYPE:
      return out.value(type());
    case CL_DEVICE_VENDOR_ID:
      return number(0x57454654);  // "WEFT": no PCI vendor
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return number(gpu ? gpu->multiprocessors : share().workers);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return number(3);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return size(limits ? std::min<std::size_t>(kMax, limits->group_items) : kMax);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      if (limits) return out.array(std::vector<std::size_t>(std::begin(limits->group_size), std::end(limits->group_size)));
      return out.array(std::vector<std::size_t>{kMax, kMax, kMax});

    // Warps are made vectors of by the compiler, so scalars are what a kernel should use.
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
      return number(1);

    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return number(constants().max_clock);
    case CL_DEVICE_ADDRESS_BITS:
      return number(64);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return large(max_alloc_size());

    case CL_DEVICE_IMAGE_SUPPORT:
      return truth(true);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
      return number(kMaxReadImageArgs);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
      return number(kMaxWriteImageArgs);
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
      return number(has_feature("__opencl_c_read_write_images") ? kMaxWriteImageArgs : 0);
    case CL_DEVICE_MAX_SAMPLERS:
      return number(kMaxSamplers);
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
      return number(has_extension("cl_khr_image2d_from_buffer") ? kImagePitchAlign : 0);
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
      return number(has_extension("cl_khr_image2d_from_buffer") ? kImageBaseAlign : 0);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
      return size(kMaxImage2DSize);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
      return size(kMaxImage3DSize);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
      return size(kMaxImageBufferSize);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
      return size(kMaxImageArraySize);

    case CL_DEVICE_IL_VERSION:
      return out.string(spirv::versions());
    case CL_DEVICE_ILS_WITH_VERSION:
      return out.array(spirv::named_versions());
    case spirv::kInstructionSetsQuery:
      return out.array(spirv::instruction_sets());
    case spirv::kExtensionsQuery:
      return out.array(spirv::extensions());
    case spirv::kCapabilitiesQuery:
      return out.array(spirv::capabilities());

    case CL_DEVICE_PIPE_SUPPORT:
      return truth(has_feature("__opencl_c_pipes"));
    case CL_DEVICE_MAX_PIPE_ARGS:
      return number(kMaxPipeArgs);
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
      return number(kMaxPipeReservations);
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
      return number(kMaxPipePacketSize);

    case CL_DEVICE_MAX_PARAMETER_SIZE:
      return size(kMaxParameterSize);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return number(kBaseAddressAlign * 8);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
      return number(kBaseAddressAlign);

    case CL_DEVICE_SINGLE_FP_CONFIG:
      return out.value<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                            CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case CL_DEVICE_HALF_FP_CONFIG:
      return out.value<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      return out.value<cl_device_fp_config>(CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                            CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA);

    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
      return out.value<cl_device_mem_cache_type>(CL_READ_WRITE_CACHE);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
      return number(constants().cache_line);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return large(constants().last_level_cache);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return large(global_mem_size());
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return large(kConstantSize);
    case CL_DEVICE_MAX_CONSTANT_ARGS:
      return number(kMaxConstantArgs);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
      return size(abi::kMaxProgramMemoryBytes);
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return out.value<cl_device_local_mem_type>(CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return large(limits ? std::min<std::uint64_t>(kLocalMemSize, limits->local_bytes) : kLocalMemSize);
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
      return truth(false);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return truth(true);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return size(1);
    case CL_DEVICE_ENDIAN_LITTLE:
      return truth(true);
    case CL_DEVICE_AVAILABLE:
      return truth(true);
    case CL_DEVICE_COMPILER_AVAILABLE:
      return truth(true);
    case CL_DEVICE_LINKER_AVAILABLE:
      return truth(true);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
      return out.value<cl_device_exec_capabilities>(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return out.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
                                                    CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
      return out.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
      return number(kPreferredDeviceQueueSize);
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
      return number(kMaxDeviceQueueSize);
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
      return number(kMaxDeviceQueues);
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
      return number(kMaxDeviceEvents);
    case CL_DEVICE_BUILT_IN_KERNELS:
      return out.string("");
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
      return out.bytes(nullptr, 0);
    case CL_DEVICE_PLATFORM:
      return out.value<cl_platform_id>(&the_platform);
    case CL_DEVICE_NAME:
      return out.string(gpu ? std::string(gpu->name) + " (" + constants().name + ")" : constants().name);
    case CL_DEVICE_VENDOR:
      return out.string("Weft");
    case CL_DRIVER_VERSION:
      return out.string(driver_version());
    case CL_DEVICE_PROFILE:
      return out.string("FULL_PROFILE");
    case CL_DEVICE_VERSION:
      return out.string(has_opencl_3_1() ? "OpenCL 3.1 Weft " WEFT_VERSION : "OpenCL 3.0 Weft " WEFT_VERSION);
    case CL_DEVICE_NUMERIC_VERSION:
      return out.value<cl_version>(has_opencl_3_1() ? CL_MAKE_VERSION(3, 1, 0) : CL_MAKE_VERSION(3, 0, 0));
    case CL_DEVICE_OPENCL_C_VERSION:
      return out.string("OpenCL C 1.2 ");
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
      return out.array(name_versions(weft::compiler::kLanguageVersions));
    case CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT:
      return out.value<cl_version>(CL_MAKE_VERSION(1, 0, 0));  // what -cl-std=CLC++ means; 2021 is beyond a major's 10 bits
    case CL_DEVICE_OPENCL_C_FEATURES:
      return out.array(name_versions(weft::compiler::kFeatures));
    case CL_DEVICE_EXTENSIONS:
      return out.string(extension_string());
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
      return out.array(extensions_with_version());
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
      return size(kPrintfBufferSize);
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
      return truth(true);

    // GPUs that are modelled are not cut.
    case CL_DEVICE_PARENT_DEVICE:
      return out.value<cl_device_id>(sub_ ? sub_->parent.get() : nullptr);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
      return number(gpu || share().workers < 2 ? 0 : share().workers);
    case CL_DEVICE_PARTITION_PROPERTIES:
      if (gpu) return out.value<cl_device_partition_property>(0);
      return out.array(partition_kinds(share()));
    case CL_DEVICE_PARTITION_TYPE:
      if (!sub_) return out.value<cl_device_partition_property>(0);
      return out.array(sub_->how);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
      return out.value<cl_device_affinity_domain>(gpu ? 0 : affinity_domains(share()));
    case CL_DEVICE_REFERENCE_COUNT:
      return number(sub_ ? api_count() : 1);

    case CL_DEVICE_SVM_CAPABILITIES:
      return out.value(kSvmCapabilities);
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
      return number(0);
    case kSubGroupSizes:
      return out.array(std::vector<std::size_t>(std::begin(weft::compiler::kSubGroupSizes), std::end(weft::compiler::kSubGroupSizes)));
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
      return number(abi::kMaxWorkGroupSize / weft::compiler::kSubGroupSizes[0]);
    // A group's warps run one after the other.
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
      return truth(false);
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
      return out.value(atomic_capabilities());
    case kSingleFloatAtomics:
    case kDoubleFloatAtomics:
    case kHalfFloatAtomics:
      return out.value(kAllFloatAtomics);
    case kKernelClocks:
      return out.value<cl_bitfield>(kAllKernelClocks);
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
      return out.value<cl_device_atomic_capabilities>(atomic_capabilities() | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                      CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM);
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
      return truth(true);
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
      return truth(true);
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
      return out.value<cl_device_device_enqueue_capabilities>(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return size(abi::kWarpSize);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
      return out.value<cl_device_integer_dot_product_capabilities_khr>(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR |
                                                                       CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR);
    // Made of multiplications and additions.
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
      return out.value(cl_device_integer_dot_product_acceleration_properties_khr{});
    // cl_khr_device_uuid: this processor under this version of Weft. There are no other interfaces to it, so no LUID.
    case CL_DEVICE_UUID_KHR:
      return out.value(uuid(constants().name));
    case CL_DRIVER_UUID_KHR:
      return out.value(uuid("Weft " WEFT_VERSION));
    case CL_DEVICE_LUID_VALID_KHR:
      return truth(false);
    case CL_DEVICE_LUID_KHR:
      return out.value(std::array<cl_uchar, CL_LUID_SIZE_KHR>{});
    case CL_DEVICE_NODE_MASK_KHR:
      return number(0);
    case weft::semaphore_api::kDeviceTypes:
      return out.value(weft::semaphore_api::kBinary);
    case weft::semaphore_api::kDeviceImports:
    case weft::semaphore_api::kDeviceExports:
      return out.value(weft::semaphore_api::kOpaqueFd);
    // Rows of an imported image lie where its pitches say.
    case weft::external_memory_api::kDeviceTypes:
    case weft::external_memory_api::kLinearImageTypes:
      return out.value(static_cast<cl_uint>(weft::external_memory_api::kOpaqueFd));
    // All is one memory, which the processor's atomics work on.
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
      return out.value<cl_device_unified_shared_memory_capabilities_intel>(
          CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
          CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL);
    case command_buffer_api::kCapabilities:
      return out.value<cl_bitfield>(command_buffer_api::kKernelPrintf | command_buffer_api::kDeviceSideEnqueue |
                                    command_buffer_api::kCanBeUsedAtOnce);
    case command_buffer_api::kSupportedQueueProperties:
      return out.value<cl_command_queue_properties>(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case command_buffer_api::kRequiredQueueProperties:
      return out.value<cl_command_queue_properties>(0);
    case command_buffer_api::kMutableDispatchCapabilities:
      return out.value<cl_bitfield>(command_buffer_api::kAllFields);
    // No submission yet: the year 0, in the form asked for.
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
      return out.string("v0000-01-01-00");
    default:
      if (!nvidia_attribute(name, out)) performance_counter_info(name, out);
  }
}
