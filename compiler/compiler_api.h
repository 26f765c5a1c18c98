// What the rest of Weft sees of the compiler: source in, loadable kernels out.
//
// The compiler is a shared object of its own (`libweft-compiler.so`), loaded at the first
// build or specialization that misses the cache. It exports one symbol,
// `weft_compiler_api`. All functions are thread-safe, run on a thread of the compiler's own
// with a deep stack, and never throw: failures are `ok == false` with a log.
// This header knows neither LLVM nor OpenCL API types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/argument_formats.h"
#include "device/counted_code.h"
#include "device/kernel_abi.h"

namespace weft::compiler {

inline constexpr std::uint32_t kApiVersion = 20;

using Bytes = std::vector<std::uint8_t>;

/// What holds for the whole process; made from compiler/options.def.
struct Options {
  using Switch = bool;
  using Number = std::uint64_t;
  using Text = std::string;
#define WEFT_OPTION(type, name, variable, fallback, meaning) type name = fallback;
#include "compiler/options.def"
#undef WEFT_OPTION
};

/// An embedded header of clCompileProgram: `name` as written in `#include`.
struct Header {
  std::string name;
  std::string text;
};

/// A specialization constant of a SPIR-V module: its value in the low bytes of `bits`.
struct SpecConstant {
  std::uint32_t id = 0;  ///< SpecId
  std::uint64_t bits = 0;
};

enum class DependencyKind : std::uint8_t {
  kText,           ///< a file that was read
  kPresent,        ///< a file that was looked for and found, no more
  kAbsent,         ///< a file or folder that was looked for and not found: a header may appear earlier on the path
  kWorkingFolder,  ///< `path`, from which others were looked for
  kClock,          ///< the time of the compilation: the result is for this once
};

/// What a compilation looked at beside its arguments: part of what the result depends on.
struct Dependency {
  DependencyKind kind = DependencyKind::kText;
  std::string path;                ///< absolute
  std::uint64_t content_hash = 0;  ///< of kText: XXH3 of 64 bits
};

enum class ArgKind : std::uint8_t { kValue, kGlobalPointer, kConstantPointer, kLocalPointer, kImage, kSampler, kPipe, kQueue };
enum class ArgAccess : std::uint8_t { kNone, kReadOnly, kWriteOnly, kReadWrite };

/// What an image argument's type says of its dimensions.
enum class ImageShape : std::uint8_t { kNone, k1D, k1DArray, k1DBuffer, k2D, k2DArray, k3D };

/// Type qualifiers of a pointer argument or a pipe, as bits.
enum ArgTypeQualifier : std::uint8_t { kQualConst = 1, kQualRestrict = 2, kQualVolatile = 4, kQualPipe = 8 };

struct KernelArg {
  ArgKind kind = ArgKind::kValue;
  ArgAccess access = ArgAccess::kNone;
  ImageShape image = ImageShape::kNone;  ///< kImage's
  bool is_depth = false;                 ///< an image of depth values
  std::uint8_t type_qualifiers = 0;
  std::uint8_t address_space = 0;  ///< 0 private, 1 global, 2 constant, 3 local
  std::uint32_t offset = 0;        ///< byte offset in LaunchInfo::arguments
  std::uint32_t size = 0;          ///< bytes in LaunchInfo::arguments; a value's clSetKernelArg size
  std::uint32_t align = 1;         ///< bytes; for a local pointer, of its pointee
  /// Launches say more of it (the last word of ArgumentFormats): of a value that work-items' places are multiplied by, whether it is 1; of
  /// a pointer of which code gains by that, whether no other argument has a byte of its memory.
  bool has_fact = false;
  std::uint32_t stride_offset = 0, stride_size = 0;  ///< of a value that has a fact: the bytes of the number, which may be a field of a struct
  /// Launches say, too, whether it is below 2^31 and not negative: it bounds a loop whose counter is then a narrower one. Of a pointer, whether its buffer
  /// is small (ArgumentFormats::kMostSmall): it has places whose indices are unsigned.
  bool is_bound = false;
  std::string type_name;           ///< OpenCL C spelling, as clGetKernelArgInfo wants it
  std::string name;
};

/// Which groups of a kernel may run side by side in one call of its code (Specialization::groups).
enum class GroupFusion : std::uint8_t {
  kNone,
  kSingleItems,  ///< those of one work-item
  kAny,          ///< of any size
};

inline bool may_fuse(GroupFusion fusion, std::uint64_t work_items_of_group) {
  return fusion == GroupFusion::kAny || (fusion == GroupFusion::kSingleItems && work_items_of_group == 1);
}

/// Whether work-items go through chunks of their own (simt/analysis/own_chunks.h), and how best.
enum class OwnChunks : std::uint8_t {
  kNone,
  kBeside,  ///< side by side, as any
  kAlone,   ///< each by itself, whose iterations are vectors
};

struct KernelInfo {
  std::string name;
  std::string attributes;                  ///< CL_KERNEL_ATTRIBUTES, in source order
  std::vector<KernelArg> args;
  std::uint32_t argument_bytes = 0;        ///< size of LaunchInfo::arguments
  std::uint64_t local_bytes = 0;           ///< static `__local` variables
  std::uint64_t private_bytes = 0;         ///< of one work-item, an estimate before widening
  std::uint32_t registers = 0;             ///< 32-bit registers that a GPU would give a work-item, an estimate by liveness
  std::uint32_t reqd_work_group_size[3] = {0, 0, 0};  ///< zeros: no requirement
  std::uint32_t work_group_size_hint[3] = {0, 0, 0};
  std::uint32_t required_sub_group_size = 0;  ///< intel_reqd_sub_group_size: one of kSubGroupSizes, or 0
  std::uint32_t instructions = 0;          ///< of the program's own code, everything inlined: how long it may take to compile
  bool uses_barrier = false;
  bool uses_printf = false;
  bool uses_queues = false;                ///< calls abi::DeviceQueues
  /// Of a block that the program enqueues on the device: applications do not see it. Its arguments are a pointer to the block's
  /// literal and local pointers.
  bool is_block = false;
  std::uint32_t block_number = 0;          ///< what code names it by
  /// Whether machine code can be made of it is not known: the build has to try.
  bool is_unusual = false;
  bool has_uniform_groups = false;         ///< all of a launch have one size (-cl-uniform-work-group-size, OpenCL C before 2.0)
  bool has_sooner_code = false;            ///< Specialization::soon makes a difference to its code
  bool may_wait_for_groups = false;        ///< in a loop whose end another group may bring about: groups are begun in their order
  bool waits_for_groups = false;           ///< in a loop that does nothing but look until another group has written
  bool asks_for_sizes = false;             ///< calls get_global_size or get_num_groups
  bool asks_for_ids = false;               ///< of a work-item or group along x, in the whole launch
  GroupFusion fusion = GroupFusion::kNone;
  /// Of kAny: work-items know nothing of their groups, so that a launch may give them any.
  bool has_any_groups = false;
  /// Not of kAny, but for tiles in local memory that may be copies of what it reads (simt/item/copied_tiles.h): asked for whole blocks of groups, the
  /// compiler says whether they became one (GenerateResult::groups).
  bool may_lose_tiles = false;
  /// Memory of a work-item whose group runs beside others (Specialization::groups) that lanes access at places of their own.
  std::uint64_t gathered_bytes = 0;
  std::uint32_t gathering_accesses = 0;    ///< of `instructions`, those of that memory
  /// Of kAny, or where tiles may go: work-items along x that a block of groups should have; 0: as many as a group has.
  std::uint32_t preferred_row = 0;
  std::uint32_t preferred_single_row = 0;  ///< the same for groups that are a single row
  /// Where has_any_groups: the fewest rows of a group in which they have more to share (simt/item/loop_tiles.h, simt/analysis/column_work.h); 0:
  /// the launch's own.
  std::uint32_t tall_rows = 0;
  /// Bytes that a work-item writes beside those of the next, in buffers that the kernel reads nothing of; 0 where it does more than
  /// to go through arrays once (Specialization::streams).
  std::uint32_t streamed_bytes = 0;
  std::uint32_t read_bytes = 0;  ///< where that is not 0: of arrays that it reads
  /// Groups side by side along y write side by side, and those along x far apart: a launch runs them y fastest.
  bool by_columns = false;
  /// More of what it accesses lies beside each other for work-items along y than for those along x (simt/analysis/row_access.h).
  bool along_y = false;
  OwnChunks chunks = OwnChunks::kNone;
  /// The dimension that launches exchange with x (simt/item/turned_ids.h), and all of the above with them; 0: none. Not those of required passes alone.
  std::uint32_t turned = 0;
};

/// Result of compiling one source (clCompileProgram, first half of clBuildProgram).
struct CompileResult {
  bool ok = false;
  std::string log;     ///< Clang's diagnostics
  Bytes object;        ///< LLVM bitcode, unlinked; empty unless ok
  std::vector<Dependency> dependencies;
};

/// The block of memory of a program's variables in global memory; LaunchInfo::program_memory.
struct ProgramMemory {
  Bytes image;                         ///< before the first launch; as large as the block, or empty
  std::vector<std::uint64_t> pointers; ///< where it holds 64-bit offsets that become addresses when the block is made

  bool operator==(const ProgramMemory&) const = default;
};

/// Result of linking objects into a program or library.
struct LinkResult {
  bool ok = false;
  std::string log;
  Bytes program;       ///< LLVM bitcode, builtins linked, scalar-optimized; a library when asked for
  std::vector<KernelInfo> kernels;
  ProgramMemory memory;
  std::vector<Dependency> dependencies;  ///< of `Api::build`: the compilation's
};

/// Work-items; as many as a body has at most.
inline constexpr std::uint32_t kAlignedOffset = 256;

/// What a kernel's machine code is compiled for. Part of the cache key, whole.
struct Specialization {
  std::uint32_t local_size[3] = {0, 0, 0};  ///< zeros: any local size, read at run time
  /// Every global id, global size and offset of the launch is below kIdLimit (id_limit.h).
  bool ids_fit_31_bits = false;
  /// Every offset of the launch is a multiple of kAlignedOffset, as 0 is: the low bits of a global id are those of a multiple of the local
  /// size and a local id.
  bool aligned_offsets = false;
  /// Work-groups side by side along x that one call of the code runs as one block; GroupInfo::group_id counts blocks
  /// then. More than 1 only with a local size.
  std::uint32_t groups = 1;
  /// The number of groups along x is a multiple of `groups`; else the last block of a row has work-items to leave out.
  bool whole_blocks = true;
  /// Runs a part of a launch: abi::LaunchInfo::whole has what work-items are told of it.
  bool is_part = false;
  /// What it writes is more than the caches hold: whole registers go past them to memory, and each call's caller sees to it that others
  /// see them (sfence). Where KernelInfo::streamed_bytes is not 0.
  bool streams = false;
  /// Takes less time to make, and more to run (sooner_code.h): of the functions that stay calls, those alone that a loop calls run for all
  /// lanes at once, where KernelInfo::has_sooner_code; and long code has fewer versions.
  bool soon = false;
  /// The sizes and ids of the launch have x exchanged with this dimension (KernelInfo::turned).
  std::uint32_t turned = 0;
  /// Made of required passes alone (compiler/passes.def): one warp a body, nothing moved between lanes, warps or groups, line
  /// tables whole. Not together with `groups`.
  bool required_only = false;
  /// Made of required passes alone, and counts what its warps do (device/counted_code.h).
  bool counted = false;
  /// With `counted`: hands the device each access with all its addresses, in order.
  bool traced = false;
  ArgumentFormats formats;  ///< of the images and samplers among the arguments, and its strides

  bool operator==(const Specialization&) const = default;
};

/// Machine code of one kernel.
struct GenerateResult {
  bool ok = false;
  std::string log;            ///< errors, and remarks where asked for by options
  Bytes object;               ///< ELF relocatable object for this host
  std::string symbol;         ///< the abi::GroupFunction in it
  /// Bytes of GroupInfo::scratch: fixed + per warp * warps of the group.
  std::uint32_t scratch_fixed_bytes = 0;
  std::uint32_t scratch_warp_bytes = 0;
  std::uint32_t private_bytes = 0;     ///< of one work-item, left in memory
  std::uint32_t stack_bytes = 0;       ///< of the thread that runs it
  std::uint32_t run = 1;               ///< most GroupInfo::run
  std::uint32_t groups = 1;            ///< Specialization::groups, or 1 where KernelInfo::may_lose_tiles and they stay
  abi::CounterTable counters;          ///< of Specialization::counted
  std::vector<abi::UpdatedBuffer> updated;  ///< in the order of GroupInfo::copies
  bool has_tables = false;                  ///< GroupInfo::tables
};

struct Api {
  std::uint32_t version;
  /// Names the compiler, its builtins, LLVM and the host's instruction set: part of every cache key.
  const char* identity;
  /// `options` is the OpenCL option string. Unknown options fail with a log that says which;
  /// `invalid_options` is then set (CL_INVALID_BUILD_OPTIONS / CL_INVALID_COMPILER_OPTIONS).
  /// `line_tables`: source lines are kept, as with `-g`, whether or not `options` ask for it.
  CompileResult (*compile)(const std::string& source, const std::vector<Header>& headers,
                           const std::string& options, bool line_tables, bool* invalid_options);
  /// The same of a SPIR-V module. Constants that it does not have are ignored.
  CompileResult (*translate)(const Bytes& module, const std::vector<SpecConstant>& constants, const std::string& options,
                             bool* invalid_options);
  LinkResult (*link)(const std::vector<const Bytes*>& objects, const std::string& options,
                     bool create_library, bool* invalid_options);
  /// `compile` without headers, then `link` of the object alone, in one call: what most programs ask for. `log` has the words of both.
  LinkResult (*build)(const std::string& source, const std::string& options, bool line_tables, bool* invalid_options);
  /// What `link` said of a program's kernels, read from the program again: for one whose maker is not known.
  LinkResult (*describe)(const Bytes& program);
  GenerateResult (*generate)(const Bytes& program, const std::string& kernel, const Specialization& spec);
  /// The same at a low priority: nobody waits for it.
  GenerateResult (*generate_ahead)(const Bytes& program, const std::string& kernel, const Specialization& spec);
};

using GetApi = const Api* (*)(std::uint32_t version, const Options& options, bool& refuses_options, std::string& error);

}  // namespace weft::compiler

/// Returns the API, or null with the reason in `error`: `version` is not the one that this object was built for, or
/// (`refuses_options`) an option has a value that it cannot have. The first successful call's `options` hold for the process.
extern "C" const weft::compiler::Api* weft_compiler_api(std::uint32_t version, const weft::compiler::Options& options,
                                                        bool& refuses_options, std::string& error);
