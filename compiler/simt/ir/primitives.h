// Names of the primitives that scalar (one work-item's) IR calls and of the metadata that it carries for the warp compiler.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Names of the primitives that stand for warp-level operations in scalar (per-lane) IR, and of metadata.
namespace primitive {
inline constexpr llvm::StringLiteral kLocalId = "__weft_local_id_";    // + x, y, z
inline constexpr llvm::StringLiteral kGlobalId = "__weft_global_id_";  // + x, y, z
/// `i32 __weft_block_id()`: a work-item's place along x in its block of groups (Specialization::groups).
inline constexpr llvm::StringLiteral kBlockId = "__weft_block_id";
inline constexpr llvm::StringLiteral kBarrier = "__weft_barrier";
/// + what: a sub-group's functions, and those of a warp where that is more (sub_groups.h).
inline constexpr llvm::StringLiteral kSubGroup = "__weft_sub_group_";
inline constexpr llvm::StringLiteral kWarp = "__weft_warp_";
/// `i32 __weft_sub_group_size()`: the most work-items of a sub-group, a constant once sub_group_size.h has been there.
inline constexpr llvm::StringLiteral kSubGroupSize = "__weft_sub_group_size";
/// `void __weft_prefetch(ptr addrspace(1), i64 size)`: hints that these bytes will be read.
inline constexpr llvm::StringLiteral kPrefetch = "__weft_prefetch";
/// `T __weft_rsqrt_<T>(T)`, `f32 __weft_rsqrt_normal_f32(f32)`: 1/sqrt(x), which some processors estimate (reciprocal_root.h).
inline constexpr llvm::StringLiteral kReciprocalRoot = "__weft_rsqrt_";
/// Exponents and mantissas (float_parts.h).
inline constexpr llvm::StringLiteral kFloatPart = "__weft_float_";
/// `i32 __weft_dot_<kind>(i32 a, i32 b, i32 sum)`: the sum and the products of a's and b's elements (dot_product.h); `us8`: bytes, those of `a`
/// without a sign, those of `b` with one; `ss8`, `uu8`; `ss16`: two of 16 bits.
inline constexpr llvm::StringLiteral kDot = "__weft_dot_";
/// `ptr addrspace(2) __weft_descriptor_<type>(image)`, `i32 __weft_format(ptr addrspace(2) descriptor)` and
/// `i32 __weft_sampler_bits(sampler)`: what images and samplers are (specialize_images.h).
inline constexpr llvm::StringLiteral kImageDescriptor = "__weft_descriptor_";
inline constexpr llvm::StringLiteral kImageFormat = "__weft_format";
inline constexpr llvm::StringLiteral kSamplerBits = "__weft_sampler_bits";
/// `i32 __weft_known_space(ptr addrspace(4))`: the number of the space that a generic pointer is known to point into, else
/// kGenericSpace (infer_spaces.h).
inline constexpr llvm::StringLiteral kKnownSpace = "__weft_known_space";
/// Clang's: a sampler of these abi::SamplerBits.
inline constexpr llvm::StringLiteral kTranslateSampler = "__translate_sampler_initializer";
/// + name: a function of the builtins that reads or writes an image; stays a call until formats are known.
inline constexpr llvm::StringLiteral kImageFunction = "__weft_image_";
/// `i1 weft.any(i1)`, `i1 weft.all(i1)`: over the lanes of a warp; uniform. `all` of a comparison (less, greater) of numbers that count over
/// the lanes is also false where these wrap around on the way from the first lane to the last.
inline constexpr llvm::StringLiteral kAny = "weft.any";
inline constexpr llvm::StringLiteral kAll = "weft.all";
/// `T weft.in_order.<T>(T, i1 is_signed)`: the number itself, which counts over the lanes and does not wrap around, since `all` of its comparison has
/// just said so. Of code that runs under a mask it says nothing.
inline constexpr llvm::StringLiteral kInOrder = "weft.in_order.";
/// `i1 weft.live()`: true in the lanes that have a work-item.
inline constexpr llvm::StringLiteral kLive = "weft.live";
/// `void weft.mask(i1)`: at the head of a block, names the lanes for which the block runs.
inline constexpr llvm::StringLiteral kMask = "weft.mask";
/// `T weft.slot.load.<T>(i32)`, `void weft.slot.store.<T>(i32, T)`: values that live across a barrier.
/// A load of a uniform slot carries the metadata `!weft.uniform`.
inline constexpr llvm::StringLiteral kSlotLoad = "weft.slot.load.";
inline constexpr llvm::StringLiteral kSlotStore = "weft.slot.store.";
/// `ptr weft.private(i32)`: per-lane memory that lives across barriers.
inline constexpr llvm::StringLiteral kPrivate = "weft.private";
/// `void __weft_print(ptr launch, ptr format, ptr arguments, i32 size)`: one work-item's printf.
inline constexpr llvm::StringLiteral kPrint = "__weft_print";
/// `i32 __weft_enqueue(ptr record)` and `i64 __weft_queue_call(i32 function, i64, i64)`: the functions of abi::DeviceQueues, which
/// lower_enqueue gives the launch.
inline constexpr llvm::StringLiteral kEnqueue = "__weft_enqueue";
inline constexpr llvm::StringLiteral kQueueCall = "__weft_queue_call";
inline constexpr llvm::StringLiteral kUniformMetadata = "weft.uniform";
/// On the load of a slot that holds a condition which few groups' lanes differ in: the values (i1) that those have (even_conditions.h).
inline constexpr llvm::StringLiteral kBoundMetadata = "weft.bound";
/// On an interleaved private variable and its accesses: the bytes of a unit (interleave.h).
inline constexpr llvm::StringLiteral kInterleavedMetadata = "weft.interleaved";
/// On divergent phis that LLVM's analysis alone takes for uniform (Analyses::uniformity).
inline constexpr llvm::StringLiteral kDivergentMetadata = "weft.divergent";
/// `T weft.lanes.<T>(<W x i32>, T...)`: values that other lanes hold (promote_local.h).
inline constexpr llvm::StringLiteral kLanes = "weft.lanes.";
/// On the load of local memory's base address and on the loads of `local` arguments' offsets.
inline constexpr llvm::StringLiteral kLocalMetadata = "weft.local";
/// On a kernel's pointers to its images' descriptors, and on the loads of such arguments.
inline constexpr llvm::StringLiteral kImageAttribute = "weft-image", kImageMetadata = "weft.image";
/// On a load or store of an OpenCL vector: a bit mask of the elements that the program accesses (struct_rows.h).
inline constexpr llvm::StringLiteral kFieldsMetadata = "weft.fields";
/// `void weft.count.block(i32)`, `void weft.count.branch(i32, i1)`, `void weft.count.access(i32, i64)`: probes (item/probes.h) of a
/// block, of a branch and its condition, of a memory access and its address. The number is an index of the CounterTable.
inline constexpr llvm::StringLiteral kCountBlock = "weft.count.block";
inline constexpr llvm::StringLiteral kCountBranch = "weft.count.branch";
inline constexpr llvm::StringLiteral kCountAccess = "weft.count.access";
/// `void __weft_count_texel(i32 column, i32 row, i32 bytes, i32 is_write)`: an image access, of which a probe is made in code that
/// counts, and nothing in any other.
inline constexpr llvm::StringLiteral kCountTexel = "__weft_count_texel";
/// On the code's own accesses to counts, until widening ends.
inline constexpr llvm::StringLiteral kCountMetadata = "weft.counts";
/// On an atomic update of a worker's own copy of a buffer (worker_copies.h).
inline constexpr llvm::StringLiteral kOwnMetadata = "weft.own";
/// On functions of blocks of a single work-item: nothing in them differs between lanes.
inline constexpr llvm::StringLiteral kOneLaneAttribute = "weft-one-lane";
/// On the regions of a kernel whose work-items may end one by one, some at a return and others behind a further barrier: how many regions
/// the program has, without copies (regions.h).
inline constexpr llvm::StringLiteral kEndsApartAttribute = "weft-ends-apart";
/// On widened regions that access memory, other than a lane's own, where lanes do not lie side by side.
inline constexpr llvm::StringLiteral kScatteredAttribute = "weft-scattered";
/// On accesses that pin_shared_memory made volatile to keep one-lane reasoning off them.
inline constexpr llvm::StringLiteral kNonVolatileMetadata = "weft.nonvolatile";
/// The scope of fences that stand for an iteration of waiting for others (item/marked_waits.h).
inline constexpr llvm::StringLiteral kWaitScope = "weft.wait";
}  // namespace primitive

/// True for a kernel's definition (not for its copies that other kernels call).
bool is_kernel(const llvm::Function& function);

/// True for those that hand something to the launch's abi::DeviceQueues.
bool is_queue_function(const llvm::Function& function);

/// True for a call of a primitive that only computes on its arguments.
bool is_arithmetic_primitive(const llvm::Value& value);

/// The bytes of a unit of an interleaved private variable or of an access to one; 0 for anything else.
std::uint64_t interleaved_unit(const llvm::Instruction& instruction);

/// The called function's name, or empty for anything but a direct call.
llvm::StringRef called_name(const llvm::Value& value);
bool is_barrier(const llvm::Value& value);

/// The call that says for which lanes `block` runs; null if it runs for those of the block in front of it.
llvm::CallInst* mask_call(llvm::BasicBlock& block);

}  // namespace weft::compiler::simt
