#include "compiler/simt/barriers/whole_group.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/lane_values.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/barriers/coarsen.h"
#include "compiler/target/costs.h"
#include "compiler/simt/item/item_copies.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kMaxGroupWarps = 8;
/// The most instructions, J times those of the item function, for which a body of more than one warp is worth its
/// compilation. Instructions that the compiler itself evaluates for each lane do not count.
constexpr unsigned kMaxInstructions = 4000;
/// The registers that a body whose warps part at loops alone may want, as a multiple of those there are.
constexpr unsigned kSpills = 2;

/// Whether `value` is a constant in each lane: computed from local ids and constants alone.
bool is_known_per_lane(const Value* value, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || depth > kDeepest) return false;
  if (called_name(*instruction).starts_with(primitive::kLocalId)) return true;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst>(instruction)) return false;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return is_known_per_lane(operand, depth + 1); });
}

/// What parts the warps of one body.
enum class Parting { kKnownBranches, kLoops, kMore };

/// Whether each warp does about what the others do: branches that part them are known at compile time, and loops end for all in the same
/// iteration or one apart.
Parting parting_of(llvm::Function& item, const llvm::LoopInfo& loops, const Shapes& shapes, Analyses& analyses) {
  // Memory on the stack, times the lanes.
  if (has_serial_work(item) || llvm::any_of(llvm::instructions(item), llvm::IsaPred<llvm::AllocaInst>)) return Parting::kMore;
  bool all_known = true;
  const auto is_known = [&](const llvm::BranchInst& branch) {
    const bool known = is_known_per_lane(branch.getCondition());
    all_known &= known;
    return known;
  };
  if (warps_part(item, loops, shapes, analyses, 0, is_known)) return Parting::kMore;
  return all_known ? Parting::kKnownBranches : Parting::kLoops;
}

/// J by the size of the group alone; 0 if it is too large or its warps are not full.
unsigned warps_of_size(const Specialization& specialization, unsigned forced) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  if (!items) return 0;
  if (forced) return items <= forced * abi::kWarpSize ? forced : 0;
  const unsigned warps = llvm::divideCeil(items, abi::kWarpSize);
  return warps == 1 || (warps <= kMaxGroupWarps && std::has_single_bit(warps) && items % abi::kWarpSize == 0) ? warps : 0;
}

bool barriers_are_uniform(llvm::Function& item, llvm::UniformityInfo& uniformity) {
  const auto divergent = divergent_blocks(item, uniformity);
  return llvm::none_of(llvm::instructions(item), [&](Instruction& instruction) {
    return is_barrier(instruction) && divergent.contains(instruction.getParent());
  });
}

/// The values that the compiler evaluates for each lane: integers, and addresses in local memory relative to its start.
class LaneConstants {
 public:
  LaneConstants(llvm::Function& item, const Specialization& specialization, unsigned lanes)
      : values_(item, specialization, lanes) {}

  bool operator()(const Instruction& instruction) const {
    if (values_.knows(instruction)) return true;
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    return address && address->getAddressSpace() == kLocalSpace && llvm::all_of(address->indices(), [&](const llvm::Use& index) {
      const auto* computed = llvm::dyn_cast<Instruction>(index);
      return !computed || values_.knows(*computed);
    });
  }

 private:
  const LaneValues values_;
};

/// Whether one body of `warps` warps is worth it.
bool worthwhile(llvm::Function& item, unsigned warps, const Specialization& specialization,
                const VectorTraits& vectors, Analyses& analyses) {
  const LaneConstants is_constant(item, specialization, warps * abi::kWarpSize);
  const auto instructions = llvm::count_if(llvm::instructions(item), [&](const Instruction& instruction) {
    return !is_constant(instruction) && !is_barrier(instruction);
  });
  if (instructions * warps > kMaxInstructions) return false;
  const auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(item);
  const Shapes shapes(item, specialization, abi::kWarpSize, [](unsigned) { return 0u; });
  const Parting parting = parting_of(item, loops, shapes, analyses);
  if (parting == Parting::kMore) return false;
  const unsigned needed = warps * vector_pressure(item, shapes, vectors, is_constant) + target::kTemporaryRegisters;
  // Straight code writes and reads a spilled value once, as it would a slot.
  if (loops.empty()) return needed * vectors.register_bits / 8 <= target::kStraightBytes;
  return needed <= (parting == Parting::kLoops ? kSpills : 1) * vectors.registers;
}

void drop_barriers(llvm::Function& item, Analyses& analyses) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item)))
    if (is_barrier(instruction)) instruction.eraseFromParent();
  analyses.invalidate(item);
}

}  // namespace

unsigned whole_group_warps(llvm::Function& item, const Specialization& specialization, unsigned forced, Analyses& analyses) {
  const unsigned warps = warps_of_size(specialization, forced);
  if (!warps || llvm::none_of(llvm::instructions(item), is_barrier)) return 0;
  analyses.invalidate(item);
  return barriers_are_uniform(item, analyses.uniformity(item)) ? warps : 0;
}

unsigned make_whole_group(llvm::Function*& item, llvm::Function* straight, const Specialization& specialization,
                          const VectorTraits& vectors, unsigned forced, Analyses& analyses) {
  const unsigned warps = whole_group_warps(*item, specialization, forced, analyses);
  const bool asked = warps == 1 || forced;
  if (straight) {
    if (warps && (asked || worthwhile(*straight, warps, specialization, vectors, analyses))) {
      replace_item(item, *straight, analyses);
      drop_barriers(*item, analyses);
      return warps;
    }
    erase_function(*straight, analyses);
  }
  if (!warps || (!asked && !worthwhile(*item, warps, specialization, vectors, analyses))) return 0;
  drop_barriers(*item, analyses);
  return warps;
}

}  // namespace weft::compiler::simt
