// The kernel ABI: what compiled kernels and the SIMT engine agree on.
//
// This is the one header that `compiler/` and `device/` share. It knows neither
// LLVM nor OpenCL API types. Layouts are fixed: generated code addresses fields by
// `offsetof`. Any change here bumps `kAbiVersion`, which is part of every cache key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::abi {

inline constexpr std::uint32_t kAbiVersion = 13;

/// Lanes of a warp (OpenCL Programming Guide for the CUDA Architecture §2.1.1).
inline constexpr std::uint32_t kWarpSize = 32;

/// Largest number of work-items of a work-group, in total and in each dimension.
inline constexpr std::uint32_t kMaxWorkGroupSize = 1024;

/// Bytes of a group's local memory.
inline constexpr std::size_t kLocalMemoryBytes = std::size_t{64} << 10;

/// Most bytes of a program's variables in global memory.
inline constexpr std::size_t kMaxProgramMemoryBytes = std::size_t{256} << 20;

/// Bytes below a GroupInfo on its thread's stack in which a kernel's own variables may lie.
inline constexpr std::size_t kMaxStackBytes = std::size_t{64} << 20;

/// Bytes that may be read, and written back, past the end of a group's local memory, so that accesses of whole vectors of
/// which only some elements are wanted need no mask.
inline constexpr std::size_t kLocalMemoryPadding = 4096;

/// Bytes of GroupInfo::tables, at most. Behind these a word of 64 bits: LaunchInfo::tables of the launch whose tables they are.
inline constexpr std::size_t kMostTableBytes = 8192;

/// Alignment of local memory, of scratch and of each `__local` argument; static local variables have their own, at least 16.
inline constexpr std::size_t kLocalMemoryAlign = 128;

/// One level of an image's mipmap. Pitches in bytes, sizes in texels.
struct ImageLevel {
  std::byte* data;            ///< the texel at the origin
  std::uint64_t row_pitch;
  std::uint64_t slice_pitch;  ///< from a 3-D image's slice, or an array's layer, to the next
  std::uint32_t width;
  std::uint32_t height;       ///< 1 for images of one dimension
  std::uint32_t depth;        ///< 1 unless 3-D
  std::uint32_t reserved;
};

/// Bytes before the first and after the last texel of an image of kImagePadded that may be read, by vectors of which some lanes
/// lie outside: a warp's texels of 16 bytes. Rows and levels lie between them.
inline constexpr std::size_t kImagePadding = 512;

/// ImageDescriptor::flags.
enum ImageFlags : std::uint32_t {
  /// The memory is the runtime's own, with kImagePadding on both sides, and level 0 begins at a multiple of 128 bytes. Else it is
  /// the application's (CL_MEM_USE_HOST_PTR) or a buffer's: nothing outside the rows may be touched, and texels are aligned to
  /// nothing but what the application promises.
  kImagePadded = 1,
};

/// What an image argument points to in LaunchInfo::arguments. Made once an image; never changes.
struct ImageDescriptor {
  ImageLevel base;             ///< level 0
  const ImageLevel* levels;    ///< all of them, level 0 first
  std::uint32_t num_levels;    ///< 1 without a mipmap
  std::uint32_t layers;        ///< 1 unless an array
  std::uint32_t channel_order; ///< CL_R, ... (the CLK_ constants of OpenCL C have the same values)
  std::uint32_t channel_type;  ///< CL_UNORM_INT8, ...
  std::uint32_t texel_bytes;
  std::uint32_t flags;         ///< ImageFlags
};

/// A sampler, as a value of 32 bits: Clang's CLK_ constants, or'ed, as its __translate_sampler_initializer takes them. An
/// argument takes 8 bytes of LaunchInfo::arguments, the upper half 0.
enum SamplerBits : std::uint32_t {
  kSamplerNormalized = 1,
  kSamplerAddressing = 0xe,  ///< the field
  kSamplerNone = 0,
  kSamplerClampToEdge = 2,
  kSamplerClamp = 4,
  kSamplerRepeat = 6,
  kSamplerMirroredRepeat = 8,
  kSamplerNearest = 0x10,
  kSamplerLinear = 0x20,
};

/// A place for a packet in a pipe's ring.
struct PipeSlot {
  /// Of the last position that was written here: that of its lap's first slot (position & ~mask), less 1 until it has been read. The first
  /// lap begins at the number of slots: zeros are a slot that was never used.
  std::uint32_t state;
  std::uint32_t length;  ///< packets of the reservation that begins here
};

/// What a pipe argument points to in LaunchInfo::arguments; builtins/pipe.cl says how it is used. The fields that work-items of all
/// groups change are on cache lines of their own, and of those that processors fetch in pairs.
struct PipeHeader {
  /// At least 2 and max_packets, and a power of two, so that no place takes a division.
  PipeSlot* slots;
  std::byte* packets;  ///< one for each slot, 128-byte aligned, as large as those of the kernels
  std::uint32_t max_packets;
  std::uint32_t mask;  ///< slots - 1: the slot of a position is position & mask
  alignas(128) std::uint64_t written;  ///< the position that will be reserved next for a packet to be written
  alignas(128) std::uint64_t read;     ///< or to be read
};
/// Most packets of a pipe: places and laps of positions are told apart in 32 bits.
inline constexpr std::uint32_t kMaxPipePackets = std::uint32_t{1} << 30;
static_assert(offsetof(PipeHeader, written) == 128 && offsetof(PipeHeader, read) == 256);

/// Functions of the host that kernels call. Owned by the engine.
struct Services {
  /// Formats one work-item's printf. `format` is the NUL-terminated format string,
  /// `arguments` the packed arguments: each promoted argument at the next offset
  /// aligned to min(its size, 8); `%s` as a pointer; a vector as its elements, a
  /// 3-vector as 4 of them. `launch_state` is LaunchInfo::state.
  void (*print)(void* launch_state, const char* format, const void* arguments, std::uint32_t size);
  /// Counts one access of a warp (counted_code.h). `counts` is GroupInfo::counts; `address` has a value for each lane or
  /// segment, as CountedRecord says; bit k of `mask` stands for lane k.
  void (*count_access)(void* counts, std::uint32_t record, std::uint32_t mask, const std::uint64_t* address);
  /// An iteration of a loop that does nothing but look until others have written.
  void (*wait)();
};

/// ndrange_t of OpenCL C.
struct DeviceRange {
  std::uint32_t work_dim;
  std::uint64_t offset[3];
  std::uint64_t global[3];
  std::uint64_t local[3];  ///< 0: not given
};

/// EnqueueRecord::flags, beside OpenCL C's kernel_enqueue_flags_t: the result says why an enqueue failed (-g).
inline constexpr std::uint32_t kEnqueueExplains = std::uint32_t{1} << 31;
/// EnqueueRecord::block of enqueue_marker.
inline constexpr std::uint32_t kNoBlock = ~std::uint32_t{0};

/// The head of a block's literal, which Clang makes; what it captures follows.
struct BlockLiteral {
  std::uint32_t size;   ///< of all, in bytes
  std::uint32_t align;
  std::uint64_t invoke; ///< nothing (frontend/blocks.h)
};

/// What a work-item enqueues on the device (builtins/enqueue.cl). Events are handles; queue_t, too.
struct EnqueueRecord {
  std::uint64_t queue;
  const DeviceRange* range;          ///< of a block
  const BlockLiteral* literal;       ///< of a block
  const std::uint64_t* waits;
  std::uint64_t* event;              ///< null: nobody asks for it
  const std::uint64_t* local_bytes;  ///< of each local pointer of the block
  std::uint32_t flags;
  std::uint32_t block;               ///< the number of the block's kernel, or kNoBlock
  std::uint32_t num_waits;
  std::uint32_t num_locals;
};

/// What DeviceQueues::call does; `first` is an event unless it says other.
enum class QueueFunction : std::uint32_t {
  kDefaultQueue,      ///< the handle, or 0
  kCreateUserEvent,   ///< the handle, or ~0
  kRetainEvent,
  kReleaseEvent,
  kIsValidEvent,
  kSetUserEventStatus,  ///< to `second`
  kCaptureProfiling,    ///< two words to the address `second`, when the event is complete
  kWorkGroupSize,       ///< the largest of the block's kernel of number `first`
};

/// Functions of the host for kernels that use queues and events of the device. `self` is LaunchInfo::queues.
struct DeviceQueues {
  /// CLK_SUCCESS or an error of OpenCL C.
  std::int32_t (*enqueue)(DeviceQueues* self, const EnqueueRecord* record);
  std::uint64_t (*call)(DeviceQueues* self, std::uint32_t function, std::uint64_t first, std::uint64_t second);
};

/// What atomic updates do to a word.
enum class UpdateKind : std::uint8_t { kNone, kAdd, kAnd, kOr, kXor, kMin, kMax, kUnsignedMin, kUnsignedMax };

/// UpdatedBuffers of a kernel; nobody fills more histograms at once.
inline constexpr std::size_t kMostUpdatedBuffers = 4;

/// A buffer that a kernel does nothing but update, by operations of one kind, so that a worker may update a copy of its own.
struct UpdatedBuffer {
  std::uint32_t argument_offset;  ///< in LaunchInfo::arguments
  UpdateKind kind;
  std::uint8_t word_bytes;        ///< 4 or 8
  std::uint16_t updates;          ///< that a work-item makes, as far as loops tell

  bool operator==(const UpdatedBuffer&) const = default;
};

/// The launch that a part of it belongs to, for code that is made for parts. Where work-groups are not all of one size
/// (OpenCL 3.0 API §5.10), those of one size are a part with groups, a local size and an offset of its own.
struct LaunchWhole {
  std::uint64_t global_offset[3];  ///< work-items
  std::uint64_t local_size[3];     ///< work-items of a group, as enqueued: of all groups but the last
  std::uint64_t num_groups[3];
  std::uint64_t first_group[3];    ///< that is the part's
};

/// One launch of a kernel over an NDRange, or a part of one; read-only to the kernel, shared by all groups.
struct LaunchInfo {
  std::uint64_t global_size[3];    ///< work-items
  std::uint64_t global_offset[3];  ///< work-items
  std::uint64_t local_size[3];     ///< work-items of a group
  std::uint64_t num_groups[3];
  std::uint32_t work_dim;          ///< 1 to 3
  std::uint32_t reserved;
  /// Packed kernel arguments, laid out by KernelArg::offset. A buffer is its host address
  /// (or null), a `__local` pointer the byte offset of its block from GroupInfo::local_memory
  /// (64 bits), anything else its value.
  const std::byte* arguments;
  std::byte* program_memory;  ///< the program's variables in global memory, 128-byte aligned; null if it has none
  const Services* services;
  void* state;                     ///< the engine's own, handed back to services
  LaunchWhole whole;               ///< for code that is made for parts
  DeviceQueues* queues;            ///< for code that calls them
  std::uint64_t tables;            ///< for code that has tables: a number of no other launch; 0: it has none in this one
};

/// The group that runs now, one a worker; on the stack of the thread that runs it, above what the kernel has there.
struct GroupInfo {
  std::uint64_t group_id[3];  ///< along x that of the block, where the code runs several groups as one
  std::byte* local_memory;  ///< static locals first, then `__local` arguments; 128-byte aligned
  std::byte* scratch;       ///< warp state; 128-byte aligned
  std::uint64_t scratch_bytes;  ///< at least CodeInfo::scratch_bytes
  /// For each UpdatedBuffer of the code, the distance in bytes from the buffer to the worker's own copy; null: it has no copies, and
  /// updates are atomic.
  const std::uint64_t* copies;
  /// Groups, or blocks, side by side along x from group_id on that the call runs: at most GenerateResult::run.
  std::uint64_t run;
  /// The worker's own memory for tables of functions of a byte, page-aligned, which the code fills if they are another launch's; null: it
  /// computes in place of looking up.
  std::byte* tables;
  // For counted code alone (counted_code.h); else null.
  std::uint64_t* count_words;  ///< CounterTable::words of them, which the code adds to
  void* counts;                ///< the engine's own, handed back to Services::count_access
};

/// What a compiled kernel returns.
enum class GroupStatus : std::int32_t {
  kDone = 0,
  /// Work-items of the group waited at different barriers (undefined by OpenCL C 3.0 §6.15.8); the group was abandoned.
  kDivergentBarrier = 1,
  /// Done; but some work-items had ended when others went on behind a barrier (undefined, too, and usual on GPUs).
  kDoneWithoutSome = 2,
};

/// A compiled kernel: runs all warps of one work-group, or of GroupInfo::run, to completion on the calling thread.
using GroupFunction = GroupStatus (*)(const LaunchInfo*, const GroupInfo*);

}  // namespace weft::abi
