#include "compiler/simt/memory/walked_rows.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdlib>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/row_places.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/item/unroll_reading_loops.h"
#include "compiler/simt/memory/region_loops.h"
#include "compiler/simt/memory/walked_pieces.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Steps beyond this are no walk, and sums of a few of them stay far from wrapping.
constexpr std::int64_t kLongestStep = 1 << 20;

/// Bytes of a lane's rows that are kept while a loop runs, from where the processor adds them as fast as from registers, and instructions that are made for that.
constexpr std::int64_t kMostKept = 128;
constexpr std::size_t kMostUnrolled = 512;

bool is_plain(const llvm::LoadInst& load) {
  return !load.isAtomic() && !asked_volatile(load);
}

std::int64_t bytes_of(const llvm::LoadInst& load) {
  return bytes_in_rows(*load.getType(), load.getModule()->getDataLayout());
}

std::optional<std::int64_t> scaled(std::optional<std::int64_t> step, std::int64_t factor) {
  if (!step || std::abs(*step) > kLongestStep || (*step != 0 && std::abs(factor) > kLongestStep)) return std::nullopt;
  return *step == 0 ? 0 : *step * factor;
}

/// A loop's own progression, if `value` is one.
const llvm::SCEVAddRecExpr* progression_of(const Value& value, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto* progression = llvm::isa<llvm::PHINode>(value)
                                ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value*>(&value)))
                                : nullptr;
  return progression && progression->getLoop() == &loop ? progression : nullptr;
}

std::optional<std::int64_t> step_of_progression(const Value& value, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const auto* progression = progression_of(value, loop, evolution);
  const auto* step = progression ? llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution)) : nullptr;
  if (!step || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
  return step->getAPInt().getSExtValue();
}

/// Whether the extension of `narrow` differs between iterations by what `narrow` itself differs by modulo its width.
bool extends_exactly(const Instruction& extension, const Value& narrow, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const bool is_signed = extension.getOpcode() == Instruction::SExt;
  if (!is_signed && extension.hasNonNeg()) return true;
  if (const auto* progression = progression_of(narrow, loop, evolution))
    return is_signed ? progression->hasNoSignedWrap() : progression->hasNoUnsignedWrap();
  // Sums of numbers that have no bit in common, as of `row * 64` and what counts up to 64.
  if (const auto* sum = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&narrow); sum && sum->isDisjoint())
    return llvm::all_of(sum->operands(), [&](const Value* part) {
      const auto* progression = progression_of(*part, loop, evolution);
      return loop.isLoopInvariant(part) || (progression && (is_signed ? progression->hasNoSignedWrap() && evolution.isKnownNonNegative(progression)
                                                                      : progression->hasNoUnsignedWrap()));
    });
  const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&narrow);
  return operation && (is_signed ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
}

/// By what `value`, an integer, grows in each iteration, modulo its width.
std::optional<std::int64_t> step_of(const Value& value, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (loop.isLoopInvariant(&value)) return 0;
  const auto& instruction = llvm::cast<Instruction>(value);
  switch (instruction.getOpcode()) {
    case Instruction::PHI: return step_of_progression(value, loop, evolution);
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return std::nullopt;
      [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub: {
      const auto a = step_of(*instruction.getOperand(0), loop, evolution), b = step_of(*instruction.getOperand(1), loop, evolution);
      if (!a || !b) return std::nullopt;
      return instruction.getOpcode() == Instruction::Sub ? *a - *b : *a + *b;
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
      const bool is_shift = instruction.getOpcode() == Instruction::Shl;
      if (!factor || factor->getValue().getSignificantBits() > 32 || (is_shift && factor->getValue().uge(20))) return std::nullopt;
      return scaled(step_of(*instruction.getOperand(0), loop, evolution),
                    is_shift ? std::int64_t{1} << factor->getZExtValue() : factor->getSExtValue());
    }
    case Instruction::ZExt:
    case Instruction::SExt: {
      const Value* narrow = instruction.getOperand(0);
      if (narrow->getType()->getScalarSizeInBits() < 32 || !extends_exactly(instruction, *narrow, loop, evolution)) return std::nullopt;
      return step_of(*narrow, loop, evolution);
    }
    default: return std::nullopt;
  }
}

/// Whether others could see when `instruction` is done, or it could see what they do.
bool keeps_apart(const Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !is_plain(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isAtomic() || store->getPointerAddressSpace() != kPrivateSpace || asked_volatile(*store);
  return keeps_order(instruction);
}

class WalkedRows : RegionLoops {
 public:
  using RegionLoops::RegionLoops;

  /// Something, for Specialization::soon.
  bool leaves_out() const { return leaves_out_; }

  bool run() {
    llvm::SmallVector<llvm::BasicBlock*, 4> headers;
    for (llvm::Loop* loop : loops().getLoopsInPreorder())
      if (may_read_ahead(*loop, evolution()) && llvm::any_of(loop->blocks(), [&](llvm::BasicBlock* block) {
            return llvm::any_of(*block, [&](Instruction& instruction) {
              const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
              return load && walks_along(*load, *loop, evolution());
            });
          }))
        headers.push_back(loop->getHeader());
    bool changed = false;
    for (llvm::BasicBlock* header : headers) changed |= read_pieces(*header);
    return changed;
  }

 private:
  /// The loads of `loop` whose lanes read far from each other, each in every iteration.
  llvm::SmallVector<Walk, 4> walking_loads(llvm::Loop& loop) {
    llvm::SmallVector<Walk, 4> found;
    llvm::UniformityInfo& uniformity = analyses_.uniformity(region_);
    if (uniformity.hasDivergentTerminator(*loop.getLoopLatch())) return found;
    const auto& dominators = manager_.getResult<llvm::DominatorTreeAnalysis>(region_);
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    for (llvm::BasicBlock* block : loop.blocks()) {
      if (!dominators.dominates(block, loop.getLoopLatch())) continue;
      for (Instruction& instruction : *block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || !walks_along(*load, loop, evolution()) || !uniformity.isDivergent(load->getPointerOperand())) continue;
        const Shape shape = shapes[*load->getPointerOperand()];
        if (shape.is_affine() && std::abs(shape.stride) <= kNearLanes * bytes_of(*load)) continue;
        found.push_back({load});
      }
    }
    if (found.empty()) return found;
    for (llvm::BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block)
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            load && dominators.dominates(block, loop.getLoopLatch()) && is_factor(*load) && shapes[*load->getPointerOperand()].is_constant_in_segment() &&
            walks_along(*load, loop, evolution()))
          found.push_back({load});
    return found;
  }

  /// A byte or 16 bits that is multiplied with others', or a byte that is compared with them: of a row that lanes share a word of it is worth as much as a
  /// word of their own (item/dot_products.h).
  static bool is_factor(const llvm::LoadInst& load) {
    if (!load.getType()->isIntegerTy() || load.getType()->getIntegerBitWidth() > 16 || !load.hasOneUse()) return false;
    const llvm::User* user = load.user_back();
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(user)) {
      const auto* operation = user->hasOneUse() ? llvm::dyn_cast<Instruction>(user->user_back()) : nullptr;
      if (operation && operation->getOpcode() == Instruction::Mul) return true;
      return operation && load.getType()->isIntegerTy(8) && operation->getOpcode() == Instruction::Sub && operation->hasOneUse() &&
             is_call_of(*operation->user_back(), llvm::Intrinsic::abs);
    }
    return load.getType()->isIntegerTy(8) && llvm::isa<llvm::ICmpInst, llvm::MinMaxIntrinsic>(user);
  }

  static bool is_call_of(const Value& value, llvm::Intrinsic::ID id) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
    return call && call->getIntrinsicID() == id;
  }

  /// Reads pieces in the loop that begins with `header`. True if that changed anything.
  bool read_pieces(llvm::BasicBlock& header) {
    llvm::Loop* loop = loops().getLoopFor(&header);
    const auto loads = walking_loads(*loop);
    if (loads.empty()) return false;
    const unsigned count = iterations_of_pieces(*loop, loads, evolution());
    const unsigned all = count > 1 ? iterations_of_kept_rows(*loop, loads) : 0;
    if (count <= 1) return false;
    auto steps = lane_steps(*loop, loads);
    if (leaves_lines_out(loads, steps, specialization_)) {
      steps.clear();
      leaves_out_ = true;
    }
    if (!access_pieces(region_, header, loads, count, steps, specialization_, analyses_)) return false;
    if (all > count && all % count == 0) unroll_rest(header, all / count);
    return true;
  }

  /// The loop that begins with `header` runs `count` times over pieces.
  void unroll_rest(llvm::BasicBlock& header, unsigned count) {
    canonicalize_loops(region_, analyses_);
    llvm::Loop* loop = loops().getLoopFor(&header);
    if (loop && loop->getHeader() == &header && loop->isLoopSimplifyForm() && evolution().getSmallConstantTripCount(loop) == count)
      unroll_completely(region_, *loop, count, analyses_);
  }

  /// All iterations of `loop` where the lanes' rows are short and the same for each iteration of the loop around, which writes nothing that could be in them:
  /// unrolled completely, rows are read once in front of both, as a point that is compared with one centre after the other. 0 elsewhere.
  unsigned iterations_of_kept_rows(llvm::Loop& loop, llvm::ArrayRef<Walk> loads) {
    const llvm::Loop* around = loop.getParentLoop();
    const unsigned count = around ? evolution().getSmallConstantTripCount(&loop) : 0;
    if (!count) return 0;
    std::int64_t bytes = 0;
    for (const Walk& walk : loads) {
      auto& load = llvm::cast<llvm::LoadInst>(*walk.access);
      if (!analyses_.uniformity(region_).isDivergent(load.getPointerOperand())) continue;
      const auto* place = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution().getSCEV(load.getPointerOperand()));
      if (!place || place->getLoop() != &loop || !evolution().isLoopInvariant(place->getStart(), around)) return 0;
      bytes += count * bytes_of(load);
    }
    std::size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->sizeWithoutDebug();
    if (bytes == 0 || bytes > kMostKept || count * instructions > kMostUnrolled) return 0;
    const bool writes = llvm::any_of(around->blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const Instruction& instruction) { return keeps_apart(instruction); });
    });
    return writes ? 0 : count;
  }

  /// From each lane's row to the next one's; none if one is not known. It says what is faster alone: what holds as a rule, as that nothing wraps around, is
  /// assumed.
  llvm::SmallVector<LaneStep, 4> lane_steps(llvm::Loop& loop, llvm::ArrayRef<Walk> loads) {
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    Assumed assumed;
    LaneSteps steps(shapes, analyses_.uniformity(region_), loops(), loop, &assumed);
    llvm::SmallVector<LaneStep, 4> found;
    for (const Walk& walk : loads) {
      const auto place = loop.getLoopPredecessor() ? row_place(*llvm::getLoadStorePointerOperand(walk.access), loop, evolution()) : std::nullopt;
      auto step = place && place->is_even(loop) ? steps.of(*place) : std::nullopt;
      if (!step) return {};
      found.push_back(std::move(*step));
    }
    return found;
  }

  bool leaves_out_ = false;
};

}  // namespace

std::optional<std::int64_t> step_of_address(const Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (loop.isLoopInvariant(&pointer)) return 0;
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (!gep) return step_of_progression(pointer, loop, evolution);
  const llvm::DataLayout& layout = loop.getHeader()->getModule()->getDataLayout();
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep->getType()), 0);
  std::optional<std::int64_t> sum = step_of_address(*gep->getPointerOperand(), loop, evolution);
  if (!sum || !gep->collectOffset(layout, constant.getBitWidth(), variables, constant)) return std::nullopt;
  for (const auto& [index, scale] : variables) {
    if (index->getType()->getScalarSizeInBits() != 64 || scale.getSignificantBits() > 32) return std::nullopt;
    const auto step = scaled(step_of(*index, loop, evolution), scale.getSExtValue());
    if (!step) return std::nullopt;
    *sum += *step;
  }
  return sum;
}

bool read_walked_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                      llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses, bool& leaves_out) {
  WalkedRows rows(region, specialization, lanes, private_stride, analyses);
  const bool changed = rows.run();
  leaves_out |= rows.leaves_out();
  return changed;
}

bool walks_along(const llvm::LoadInst& load, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const unsigned space = load.getPointerAddressSpace();
  if (!is_plain(load) || (space != kGlobalSpace && space != kConstantSpace && space != kLocalSpace)) return false;
  const std::int64_t bytes = bytes_of(load);
  return bytes && bytes < kRowPiece && step_of_address(*load.getPointerOperand(), loop, evolution) == bytes;
}

bool may_read_ahead(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!may_take_pieces(loop, evolution)) return false;
  return llvm::none_of(loop.blocks(), [](const llvm::BasicBlock* block) { return llvm::any_of(*block, keeps_apart); });
}

}  // namespace weft::compiler::simt
