#include "runtime/kernel.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "device/kernel_abi.h"
#include "runtime/memory.h"
#include "runtime/ndrange.h"
#include "runtime/performance_counters.h"
#include "runtime/platform.h"
#include "runtime/program.h"
#include "runtime/queue.h"
#include "runtime/record.h"
#include "runtime/sampler.h"

namespace abi = weft::abi;
using weft::compiler::ArgKind;
using weft::compiler::KernelArg;
using weft::runtime::Error;
using weft::runtime::from_handle;
using weft::runtime::InfoWriter;
using weft::runtime::LaunchArguments;
using weft::runtime::require;
using weft::runtime::WeakHandle;

namespace {

constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + abi::kLocalMemoryAlign - 1) / abi::kLocalMemoryAlign * abi::kLocalMemoryAlign;
}

/// More local memory than any sum of sizes that a device has; sums of what exceeds it stay here instead of wrapping.
constexpr std::uint64_t kTooMuchLocal = std::uint64_t{1} << 60;

/// Whether it is the number 1, of any integer type.
bool is_one(std::span<const std::byte> value) {
  return value[0] == std::byte{1} && std::ranges::all_of(value.subspan(1), [](std::byte byte) { return byte == std::byte{0}; });
}

/// Whether it is an integer of 64 bits that is not negative and below 2^31.
bool has_31_bits(std::span<const std::byte> value) {
  std::int64_t number = -1;
  if (value.size() == sizeof number) std::memcpy(&number, value.data(), sizeof number);
  return number >= 0 && number >> 31 == 0;
}

constexpr std::uint64_t add_local(std::uint64_t bytes, std::uint64_t more) {
  return std::min(kTooMuchLocal, aligned(std::min(kTooMuchLocal, bytes)) + std::min(kTooMuchLocal, more));
}

constexpr std::align_val_t kBlockAlign{128};
constexpr cl_kernel_exec_info kExecInfoDevicePointers = 0x5002;  ///< CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT
// cl_intel_required_subgroup_size, which the headers of many systems do not have.
constexpr cl_kernel_work_group_info kSpillMemory = 0x4109;       ///< CL_KERNEL_SPILL_MEM_SIZE_INTEL
constexpr cl_kernel_sub_group_info kCompileSubGroupSize = 0x410A;  ///< CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL
/// Arguments that a kernel keeps for later launches.
constexpr unsigned kMaxIdle = 1024;

cl_mem_object_type type_of(weft::compiler::ImageShape shape) {
  using weft::compiler::ImageShape;
  switch (shape) {
    case ImageShape::k1D: return CL_MEM_OBJECT_IMAGE1D;
    case ImageShape::k1DArray: return CL_MEM_OBJECT_IMAGE1D_ARRAY;
    case ImageShape::k1DBuffer: return CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case ImageShape::k2D: return CL_MEM_OBJECT_IMAGE2D;
    case ImageShape::k2DArray: return CL_MEM_OBJECT_IMAGE2D_ARRAY;
    case ImageShape::k3D: return CL_MEM_OBJECT_IMAGE3D;
    case ImageShape::kNone: break;
  }
  return CL_MEM_OBJECT_BUFFER;
}

/// Whether the argument's type and access allow the image.
bool takes(const KernelArg& argument, const _cl_mem& memory) {
  using weft::compiler::ArgAccess;
  const weft::runtime::Image& image = *memory.image();
  const cl_mem_flags flags = memory.flags();
  const bool readable = !(flags & CL_MEM_WRITE_ONLY), writable = !(flags & CL_MEM_READ_ONLY) && !memory.is_immutable();
  if (image.type() != type_of(argument.image) || image.format().is_depth() != argument.is_depth) return false;
  switch (argument.access) {
    case ArgAccess::kWriteOnly: return writable;
    case ArgAccess::kReadWrite: return readable && writable;
    default: return readable;
  }
}

/// What code may be made for.
std::uint32_t format_word(const abi::ImageDescriptor& image) {
  const abi::ImageLevel& level = image.base;
  const std::uint64_t slices = std::max(image.layers, level.depth);
  const std::uint64_t limit = std::uint64_t{1} << 30;
  std::uint64_t last_row = 0, last_slice = 0;
  const bool fits = !__builtin_mul_overflow(level.row_pitch, level.height, &last_row) && last_row < limit &&
                    !__builtin_mul_overflow(level.slice_pitch, slices, &last_slice) && last_slice < limit &&
                    last_row + last_slice + std::uint64_t{level.width} * image.texel_bytes < limit;
  const bool aligned =
      (reinterpret_cast<std::uintptr_t>(level.data) | level.row_pitch | level.slice_pitch) % image.texel_bytes == 0;
  const std::uint32_t small = fits && aligned && level.width >= 2 ? weft::compiler::kFormatSmall : 0u;
  const std::uint32_t padded = image.flags & abi::kImagePadded ? weft::compiler::kFormatPadded : 0u;
  return weft::compiler::image_format_word(image.channel_order, image.channel_type, small | padded);
}

}  // namespace

void LaunchArguments::Free::operator()(std::byte* block) const { ::operator delete[](block, kBlockAlign); }

void weft::runtime::GiveBack::operator()(const LaunchArguments* arguments) const noexcept {
  kernel->take_back(const_cast<LaunchArguments*>(arguments));
}

_cl_kernel::_cl_kernel(_cl_program& program, std::shared_ptr<weft::runtime::Executable> executable,
                       weft::runtime::ExecutableKernel& code)
    : program_(&program),
      context_(&program.context()),
      executable_(std::move(executable)),
      code_(code),
      record_number_(record_kernel(program, code.info())),
      arguments_(code.info().args.size()) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const KernelArg& description = code.info().args[i];
    if (description.kind == ArgKind::kValue) arguments_[i].value.resize(description.size);
  }
  context_->code_ahead().add(*context_, executable_, code_);
  program.attach_kernel();
}

_cl_kernel::_cl_kernel(const Clone& clone)
    : _cl_kernel(clone.source.program(), clone.source.executable_, clone.source.code_) {
  std::lock_guard lock(clone.source.lock_);
  arguments_ = clone.source.arguments_;
  if (clone.is_private) program_->detach_kernel();
}

_cl_kernel::~_cl_kernel() {
  // No launch is left, since each keeps the kernel.
  while (idle_) delete std::exchange(idle_, idle_->next_idle_);
}

void _cl_kernel::on_last_release() { program_->detach_kernel(); }

// OpenCL 3.0 API §5.9.2.
void _cl_kernel::set_argument(cl_uint index, std::size_t size, const void* value) {
  require(index < arguments_.size(), CL_INVALID_ARG_INDEX);
  const KernelArg& description = code_.info().args[index];
  Argument argument;
  argument.is_set = true;
  switch (description.kind) {
    case ArgKind::kLocalPointer:
      require(value == nullptr, CL_INVALID_ARG_VALUE);
      require(size > 0 || weft::runtime::has_opencl_3_1(), CL_INVALID_ARG_SIZE);
      argument.local_bytes = size;
      break;
    case ArgKind::kGlobalPointer:
    case ArgKind::kConstantPointer: {
      require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
      cl_mem handle = nullptr;
      if (value) std::memcpy(&handle, value, sizeof handle);
      if (!handle) break;  // the kernel sees a null pointer
      require(from_handle(handle) && &handle->context() == &context() && handle->is_buffer(), CL_INVALID_MEM_OBJECT);
      const bool may_write =
          description.kind == ArgKind::kGlobalPointer && !(description.type_qualifiers & weft::compiler::kQualConst);
      require(!may_write || !handle->is_immutable(), CL_INVALID_ARG_VALUE);
      argument.memory = WeakHandle<_cl_mem>(handle);
      break;
    }
    case ArgKind::kImage: {
      require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
      cl_mem handle = nullptr;
      if (value) std::memcpy(&handle, value, sizeof handle);
      require(from_handle(handle) && &handle->context() == &context() && handle->image(), CL_INVALID_MEM_OBJECT);
      require(takes(description, *handle), CL_INVALID_ARG_VALUE);
      argument.memory = WeakHandle<_cl_mem>(handle);
      break;
    }
    case ArgKind::kPipe: {
      require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
      cl_mem handle = nullptr;
      if (value) std::memcpy(&handle, value, sizeof handle);
      require(from_handle(handle) && &handle->context() == &context() && handle->pipe(), CL_INVALID_MEM_OBJECT);
      argument.memory = WeakHandle<_cl_mem>(handle);
      break;
    }
    case ArgKind::kSampler: {
      cl_sampler handle = nullptr;
      require(value != nullptr, CL_INVALID_SAMPLER);
      require(size == sizeof handle, CL_INVALID_ARG_SIZE);
      std::memcpy(&handle, value, sizeof handle);
      require(from_handle(handle) && &handle->context() == &context(), CL_INVALID_SAMPLER);
      argument.sampler = handle->bits();
      break;
    }
    case ArgKind::kQueue: {
      require(size == sizeof(cl_command_queue), CL_INVALID_ARG_SIZE);
      cl_command_queue handle = nullptr;
      if (value) std::memcpy(&handle, value, sizeof handle);
      require(from_handle(handle) && handle->is_on_device() && &handle->context() == &context(), CL_INVALID_DEVICE_QUEUE);
      argument.address = handle;
      break;
    }
    case ArgKind::kValue:
      require(value != nullptr, CL_INVALID_ARG_VALUE);
      require(size == description.size, CL_INVALID_ARG_SIZE);
      break;
  }

  std::lock_guard lock(lock_);
  Argument& slot = arguments_[index];
  if (description.kind == ArgKind::kValue) {
    slot.is_set = true;
    std::memcpy(slot.value.data(), value, size);
  } else {
    slot = std::move(argument);
  }
  current_ = nullptr;
}

bool _cl_kernel::takes_address(cl_uint index) const {
  if (index >= arguments_.size()) return false;
  const ArgKind kind = code_.info().args[index].kind;
  return kind == ArgKind::kGlobalPointer || kind == ArgKind::kConstantPointer;
}

void _cl_kernel::set_address(cl_uint index, const void* address) {
  require(index < arguments_.size(), CL_INVALID_ARG_INDEX);
  require(takes_address(index), CL_INVALID_ARG_VALUE);
  Argument argument;
  argument.is_set = true;
  argument.address = address;
  std::lock_guard lock(lock_);
  arguments_[index] = std::move(argument);
  current_ = nullptr;
}

void _cl_kernel::set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value) {
  switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case kExecInfoDevicePointers:
      return require(size % sizeof(void*) == 0 && (size == 0 || value), CL_INVALID_VALUE);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
      return require(size == sizeof(cl_bool) && value, CL_INVALID_VALUE);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

std::unique_ptr<LaunchArguments> _cl_kernel::make_arguments(std::uint64_t literal_bytes) const {
  const auto& info = code_.info();
  auto launch = std::make_unique<LaunchArguments>();
  // A whole number of the largest type, so that reading one at the end stays inside.
  const std::size_t bytes = aligned(std::max<std::size_t>(info.argument_bytes, 1));
  launch->block.reset(new (kBlockAlign) std::byte[bytes + literal_bytes]());
  launch->literal_bytes = literal_bytes;
  launch->memory.reserve(info.args.size());
  return launch;
}

/// Under the lock. Throws Error{CL_INVALID_KERNEL_ARGS}.
void _cl_kernel::fill(LaunchArguments& launch) const {
  const auto& info = code_.info();
  launch.local_bytes = info.local_bytes;
  launch.formats.resize(0);
  std::uint32_t strides = 0, bounds = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    const KernelArg& description = info.args[i];
    require(argument.is_set, CL_INVALID_KERNEL_ARGS);
    std::byte* to = launch.block.get() + description.offset;
    switch (description.kind) {
      case ArgKind::kLocalPointer: {
        const std::uint64_t offset = add_local(launch.local_bytes, 0);
        std::memcpy(to, &offset, sizeof offset);
        launch.local_bytes = add_local(launch.local_bytes, argument.local_bytes);
        break;
      }
      case ArgKind::kGlobalPointer:
      case ArgKind::kConstantPointer: {
        const void* address = argument.address;
        if (argument.memory) {
          _cl_mem* memory = argument.memory.get();
          require(memory != nullptr, CL_INVALID_KERNEL_ARGS);
          address = memory->data();
          launch.memory.emplace_back(memory);
          if (description.is_bound && i < launch.formats.kMostFacts && memory->size() <= launch.formats.kMostSmall) bounds |= 1u << i;
        }
        std::memcpy(to, &address, sizeof address);
        break;
      }
      case ArgKind::kQueue:
        std::memcpy(to, &argument.address, sizeof argument.address);
        break;
      case ArgKind::kValue:
        std::memcpy(to, argument.value.data(), argument.value.size());
        if (description.has_fact && i < launch.formats.kMostFacts &&
            is_one(std::span(argument.value).subspan(description.stride_offset, description.stride_size)))
          strides |= 1u << i;
        if (description.is_bound && i < launch.formats.kMostFacts && has_31_bits(argument.value)) bounds |= 1u << i;
        break;
      case ArgKind::kImage: {
        _cl_mem* memory = argument.memory.get();
        require(memory != nullptr, CL_INVALID_KERNEL_ARGS);
        const abi::ImageDescriptor* image = &memory->image()->descriptor();
        std::memcpy(to, &image, sizeof image);
        launch.memory.emplace_back(memory);
        launch.formats.push_back(format_word(*image));
        break;
      }
      case ArgKind::kPipe: {
        _cl_mem* memory = argument.memory.get();
        require(memory != nullptr, CL_INVALID_KERNEL_ARGS);
        const std::byte* const address = memory->data();
        std::memcpy(to, &address, sizeof address);
        launch.memory.emplace_back(memory);
        break;
      }
      case ArgKind::kSampler: {
        const std::uint64_t bits = argument.sampler;
        std::memcpy(to, &bits, sizeof bits);
        launch.formats.push_back(argument.sampler | weft::compiler::kArgumentKnown);
        break;
      }
    }
  }
  launch.formats.push_facts(strides | buffers_apart(), bounds);
}

/// The buffers that may be apart and are, a bit an argument: none has a byte of another argument's memory. Under the lock.
std::uint32_t _cl_kernel::buffers_apart() const {
  const auto& args = code_.info().args;
  const std::size_t most = std::min(args.size(), weft::compiler::ArgumentFormats::kMostFacts);
  std::uint32_t apart = 0;
  for (std::size_t i = 0; i < most; ++i) {
    if (!args[i].has_fact || args[i].kind != ArgKind::kGlobalPointer) continue;
    const _cl_mem* const own = arguments_[i].memory.get();
    if (!own) continue;  // how much memory an address stands for is not known
    const std::byte *const begin = own->data(), *const end = begin + own->size();
    bool is_apart = true;
    for (std::size_t j = 0; j < args.size() && is_apart; ++j) {
      if (j == i) continue;
      if (const _cl_mem* other = arguments_[j].memory.get())
        is_apart = end <= other->data() || other->data() + other->size() <= begin;
      else
        is_apart = !arguments_[j].address || args[j].kind == ArgKind::kQueue;
    }
    apart |= std::uint32_t{is_apart} << i;
  }
  return apart;
}

weft::runtime::SharedArguments _cl_kernel::snapshot() {
  std::unique_ptr<LaunchArguments> taken;  // outlives the lock: it may have memory objects to let go
  for (;;) {
    std::unique_lock lock(lock_);
    if (!current_) {
      if (!taken) taken = take_idle();
      if (!taken) {
        lock.unlock();
        taken = make_arguments();
        continue;
      }
      fill(*taken);
      current_ = taken.release();
    }
    if (current_->users_++ == 0) add_ref();
    return {current_, {this}};
  }
}

/// One that no launch has; null if there is none. Under the lock.
std::unique_ptr<LaunchArguments> _cl_kernel::take_idle() {
  if (!idle_) return nullptr;
  --num_idle_;
  return std::unique_ptr<LaunchArguments>(std::exchange(idle_, idle_->next_idle_));
}

weft::runtime::SharedArguments _cl_kernel::bind_block(const abi::BlockLiteral& literal, std::span<const std::uint64_t> local_bytes) {
  const auto& info = code_.info();
  require(local_bytes.size() + 1 == info.args.size(), CL_INVALID_ARG_SIZE);
  std::unique_lock lock(lock_);
  std::unique_ptr<LaunchArguments> bound = take_idle();
  lock.unlock();
  if (!bound || bound->literal_bytes < literal.size) bound = make_arguments(literal.size);
  std::byte* const block = bound->block.get();
  std::byte* const copy = block + aligned(info.argument_bytes);
  std::memcpy(copy, &literal, literal.size);
  std::memcpy(block + info.args[0].offset, &copy, sizeof copy);
  bound->local_bytes = info.local_bytes;
  for (std::size_t i = 0; i < local_bytes.size(); ++i) {
    require(local_bytes[i] > 0, CL_INVALID_ARG_SIZE);
    const std::uint64_t offset = add_local(bound->local_bytes, 0);
    std::memcpy(block + info.args[i + 1].offset, &offset, sizeof offset);
    bound->local_bytes = add_local(bound->local_bytes, local_bytes[i]);
  }
  bound->users_ = 1;
  add_ref();
  return {bound.release(), {this}};
}

_cl_kernel* _cl_kernel::block(std::uint32_t number) {
  weft::runtime::ExecutableKernel* const code = executable_->block(number);
  if (!code) return nullptr;
  std::lock_guard lock(blocks_mutex_);
  if (number >= blocks_.size()) blocks_.resize(number + 1);
  auto& kernel = blocks_[number];
  if (!kernel) {
    kernel = weft::runtime::make<_cl_kernel>(*program_, executable_, *code);
    program_->detach_kernel();  // the application never has it
  }
  return kernel.get();
}

void _cl_kernel::take_back(LaunchArguments* arguments) noexcept {
  {
    std::lock_guard lock(lock_);
    if (--arguments->users_ > 0) return;
    if (current_ == arguments) current_ = nullptr;
  }
  const auto kept = weft::runtime::Ref<_cl_kernel>::adopt(this);
  // Outside the lock: that may be the end of memory objects, and their callbacks are the application's.
  arguments->memory.clear();
  {
    std::lock_guard lock(lock_);
    if (num_idle_ < kMaxIdle) {
      arguments->next_idle_ = std::exchange(idle_, arguments);
      ++num_idle_;
      return;
    }
  }
  delete arguments;
}

// OpenCL 3.0 API §5.9.4, table 33.
void _cl_kernel::info(cl_kernel_info name, const InfoWriter& out) const {
  switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
      return out.string(code_.info().name);
    case CL_KERNEL_NUM_ARGS:
      return out.value(static_cast<cl_uint>(arguments_.size()));
    case CL_KERNEL_REFERENCE_COUNT:
      return out.value<cl_uint>(api_count());
    case CL_KERNEL_CONTEXT:
      return out.value<cl_context>(&context());
    case CL_KERNEL_PROGRAM:
      return out.value<cl_program>(&program());
    case CL_KERNEL_ATTRIBUTES:
      return out.string(code_.info().attributes);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

// OpenCL 3.0 API §5.9.4, table 36.
void _cl_kernel::argument_info(cl_uint index, cl_kernel_arg_info name, const InfoWriter& out) const {
  require(index < arguments_.size(), CL_INVALID_ARG_INDEX);
  const KernelArg& argument = code_.info().args[index];
  switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: {
      static constexpr cl_kernel_arg_address_qualifier kQualifiers[] = {
          CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
          CL_KERNEL_ARG_ADDRESS_LOCAL};
      return out.value(kQualifiers[argument.address_space & 3]);
    }
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: {
      static constexpr cl_kernel_arg_access_qualifier kQualifiers[] = {
          CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
          CL_KERNEL_ARG_ACCESS_READ_WRITE};
      return out.value(kQualifiers[static_cast<unsigned>(argument.access) & 3]);
    }
    case CL_KERNEL_ARG_TYPE_NAME:
      return out.string(argument.type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: {
      static_assert(CL_KERNEL_ARG_TYPE_CONST == weft::compiler::kQualConst &&
                    CL_KERNEL_ARG_TYPE_RESTRICT == weft::compiler::kQualRestrict &&
                    CL_KERNEL_ARG_TYPE_VOLATILE == weft::compiler::kQualVolatile &&
                    CL_KERNEL_ARG_TYPE_PIPE == weft::compiler::kQualPipe);
      return out.value<cl_kernel_arg_type_qualifier>(argument.type_qualifiers);
    }
    case CL_KERNEL_ARG_NAME:
      return out.string(argument.name);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

// OpenCL 3.0 API §5.9.4, table 34.
void _cl_kernel::work_group_info(cl_kernel_work_group_info name, const InfoWriter& out) {
  const auto& info = code_.info();
  switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
      context_->code_ahead().asked_for_size(code_, weft::runtime::max_work_group_size(info));
      return out.value<std::size_t>(weft::runtime::max_work_group_size(info));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: {
      const auto& required = info.reqd_work_group_size;
      return out.array(std::vector<std::size_t>{required[0], required[1], required[2]});
    }
    case CL_KERNEL_LOCAL_MEM_SIZE: {
      std::lock_guard lock(lock_);
      std::uint64_t bytes = info.local_bytes;
      for (const Argument& argument : arguments_) {
        if (argument.local_bytes) bytes = add_local(bytes, argument.local_bytes);
      }
      return out.value<cl_ulong>(bytes);
    }
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
      return out.value<std::size_t>(abi::kWarpSize);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
      return out.value<cl_ulong>(info.private_bytes);
    case CL_KERNEL_REGISTERS_WEFT:
      require(weft::runtime::has_performance_counters(), CL_INVALID_VALUE);
      return out.value<cl_uint>(info.registers);
    case kSpillMemory:
      return out.value<cl_ulong>(0);
    // CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels only.
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

// OpenCL 3.0 API §5.9.4, table 35. Sub-groups are of work-items in the order of their linear ids, a warp each unless the kernel requires less.
void _cl_kernel::sub_group_info(cl_kernel_sub_group_info name, std::size_t input_size, const void* input, const InfoWriter& out) const {
  const std::size_t most = weft::runtime::max_work_group_size(code_.info());
  const std::size_t required = code_.info().required_sub_group_size, lanes = required ? required : abi::kWarpSize;
  const auto values = [&](std::size_t at_most) {
    require(input && input_size && input_size % sizeof(std::size_t) == 0 && input_size <= at_most * sizeof(std::size_t), CL_INVALID_VALUE);
    std::vector<std::size_t> result(input_size / sizeof(std::size_t));
    std::memcpy(result.data(), input, input_size);
    return result;
  };
  switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
      values(3);
      return out.value<std::size_t>(lanes);
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE: {
      std::size_t items = 1;
      for (const std::size_t size : values(3)) items = size > most ? most : std::min(most, items * size);
      return out.value<std::size_t>((items + lanes - 1) / lanes);
    }
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT: {
      const std::size_t count = values(1).front();
      const std::size_t dimensions = out.destination() ? out.capacity() / sizeof(std::size_t) : 1;
      require(dimensions >= 1 && dimensions <= 3, CL_INVALID_VALUE);
      const bool fits = count && count <= most / lanes;
      std::vector<std::size_t> size(dimensions, fits ? 1 : 0);
      if (fits) size.front() = count * lanes;
      return out.array(size);
    }
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
      return out.value<std::size_t>((most + lanes - 1) / lanes);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
      return out.value<std::size_t>(0);
    case kCompileSubGroupSize:
      return out.value(required);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}
