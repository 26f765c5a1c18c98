// What a loop costs a warp: side by side, or lane after lane.
//
// Cycles of one iteration of all lanes, roughly, as measured on processors with AVX-512 (Sapphire Rapids) and taken from
// tables for those without. The two ways often lie apart by a factor; where they do not, side by side it is.
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr double kLanes = abi::kWarpSize;
/// How often a loop runs, for want of better knowledge.
constexpr double kIterations = 16;
/// One lane: instructions in a cycle, loads, stores; cycles of a branch that goes the other way, and how often it does.
constexpr double kInstruction = 0.15;
constexpr double kLoad = 0.25;
constexpr double kStore = 0.4;
constexpr double kMispredicted = 18;
constexpr double kSurprises = 0.25;
/// A line of the cache for each lane's element, where a warp reads one for all.
constexpr double kLineEach = 3;
/// A warp: how much longer it runs than a lane does if they leave one by one.
constexpr double kWaiting = 1.5;
/// Lane by lane must be better by this.
constexpr double kMargin = 1.2;

unsigned latency(const Instruction& instruction) {
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::FreezeInst>(instruction)) return 0;
  if (llvm::isa<llvm::LoadInst>(instruction)) return 5;
  switch (instruction.getOpcode()) {
    case Instruction::Mul: return 3;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FDiv: return 12;
    default: break;
  }
  if (instruction.getType()->isFPOrFPVectorTy() && !llvm::isa<llvm::SelectInst>(instruction)) return 4;
  return 1;
}

/// The longest way through one iteration of `loop` that the next one waits for.
class Recurrence {
 public:
  explicit Recurrence(const llvm::Loop& loop) : loop_(loop) {}

  double cycles() {
    double longest = 0;
    const llvm::BasicBlock* latch = loop_.getLoopLatch();
    if (!latch) return 0;
    for (const llvm::PHINode& phi : loop_.getHeader()->phis()) {
      from_.clear();
      from_[&phi] = 0;
      if (const auto* last = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch)))
        longest = std::max(longest, way_to(*last));
    }
    return longest;
  }

 private:
  /// Cycles from the phi to the end of `value`; negative where it does not depend on it.
  double way_to(const Instruction& value) {
    const auto [known, is_new] = from_.try_emplace(&value, -1);
    if (!is_new || !loop_.contains(&value)) return known->second;
    double longest = -1;
    for (const Value* operand : value.operands())
      if (const auto* before = llvm::dyn_cast<Instruction>(operand)) longest = std::max(longest, way_to(*before));
    if (longest >= 0) longest += latency(value);
    return from_[&value] = longest;
  }

  const llvm::Loop& loop_;
  llvm::DenseMap<const Instruction*, double> from_;
};

}  // namespace

struct LoopCosts::State {
  State(llvm::Function& function, const Specialization& specialization, unsigned lanes,
        llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits, llvm::UniformityInfo& uniformity)
      : region(function),
        layout(function.getParent()->getDataLayout()),
        traits(traits),
        uniformity(uniformity),
        shapes(function, specialization, lanes, private_stride) {}

  /// Shapes are made for code without divergent branches: a value that those make differ has none.
  Shape shape(const Value& value) const {
    const Shape shape = shapes[value];
    return shape.is_uniform(shapes.lanes()) && uniformity.isDivergent(&value) ? Shape::varying() : shape;
  }
  double registers(const llvm::Type& type) const {
    const double bytes = static_cast<double>(layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)));
    return std::max(1.0, kLanes * bytes * 8 / traits.register_bits);
  }

  static bool is_private(const Value& pointer) {
    if (pointer.getType()->getPointerAddressSpace() != kPrivateSpace) return false;
    const Value* object = llvm::getUnderlyingObject(&pointer, 0);
    return llvm::isa<llvm::AllocaInst>(object) || called_name(*object) == primitive::kPrivate;
  }

  double scattered(const Instruction& access) const {
    const llvm::Type* type = llvm::getLoadStoreType(const_cast<Instruction*>(&access));
    const auto bits = static_cast<unsigned>(layout.getTypeSizeInBits(const_cast<llvm::Type*>(type)));
    const bool is_load = llvm::isa<llvm::LoadInst>(access);
    const bool native = is_load ? traits.native_gather : traits.native_scatter;
    if (native && (bits == 32 || bits == 64)) return is_load ? 24 : 36;
    if (native && is_load && (bits == 8 || bits == 16)) return 24 + 4 * kLanes * 32 / traits.register_bits;
    return kLanes * (type->isVectorTy() ? 3 : 2);
  }

  /// An access of a warp, a private variable's lanes lying side by side where that serves.
  double beside(const Instruction& access) const {
    const Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const llvm::Type& type = *llvm::getLoadStoreType(const_cast<Instruction*>(&access));
    const Shape shape = this->shape(pointer);
    if (shape.is_uniform(shapes.lanes())) return 1;
    if (!shape.is_affine()) return scattered(access);
    if (is_private(pointer)) return registers(type);
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)));
    const std::int64_t step = std::abs(shape.stride);
    if (step <= bytes) return registers(type) + kLanes / shape.segment;
    return step <= 8 * bytes ? 4 * registers(type) : scattered(access);
  }

  double beside_all(const Instruction& instruction) const {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return beside(instruction);
    if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::FreezeInst>(instruction)) return 0;
    if (instruction.isTerminator()) return 1;
    const Value* measure = llvm::isa<llvm::CmpInst>(instruction) ? instruction.getOperand(0) : &instruction;
    if (measure->getType()->isVoidTy() || measure->getType()->isAggregateType()) return 1;
    if (!shape(instruction).is_varying()) return kInstruction;
    const double each = registers(*measure->getType());
    switch (instruction.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::URem:
      case Instruction::SRem: return 16 * each;
      case Instruction::FDiv: return 8 * each;
      case Instruction::Call: return 4 * each;
      default: return each;
    }
  }

  double one_lane(const Instruction& instruction) const {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const Shape shape = this->shape(*load->getPointerOperand());
      const bool together = shape.is_affine() && shape.stride != 0 && !is_private(*load->getPointerOperand());
      return kLoad + (together && std::abs(shape.stride) <= 16 ? kLineEach : 0);
    }
    if (llvm::isa<llvm::StoreInst>(instruction)) return kStore;
    if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::FreezeInst>(instruction) || instruction.isTerminator()) return 0;
    const double parts = instruction.getType()->isVectorTy() ? 2 : 1;
    switch (instruction.getOpcode()) {
      case Instruction::ZExt:
      case Instruction::Trunc:
      case Instruction::BitCast:
      case Instruction::AddrSpaceCast: return 0;
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::URem:
      case Instruction::SRem: return 6 * parts;
      case Instruction::FDiv: return 4 * parts;
      case Instruction::Call: return 4 * kInstruction * parts;
      default: return kInstruction * parts;
    }
  }

  /// Blocks in front of `loop` whose stores go with it.
  static bool leads_to(const llvm::BasicBlock& block, const llvm::Loop& loop) {
    return llvm::any_of(llvm::predecessors(loop.getHeader()), [&](const llvm::BasicBlock* before) {
      return !loop.contains(before) && (before == &block || before->getSinglePredecessor() == &block);
    });
  }

  /// Accesses behind and in front of `loop` to its private arrays, which no longer lie side by side.
  double others(const llvm::Loop& loop, const llvm::LoopInfo& loops) const {
    llvm::SmallPtrSet<const Value*, 8> objects;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block)
        if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && is_private(*pointer))
          objects.insert(llvm::getUnderlyingObject(pointer, 0));
    double sum = 0;
    for (const Instruction& instruction : llvm::instructions(region)) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || loop.contains(&instruction) || !is_private(*pointer)) continue;
      if (!objects.contains(llvm::getUnderlyingObject(pointer, 0))) continue;
      if (llvm::isa<llvm::StoreInst>(instruction) && leads_to(*instruction.getParent(), loop)) continue;
      const double lost = scattered(instruction) - beside(instruction);
      if (lost > 0) sum += lost * std::pow(kIterations, loops.getLoopDepth(instruction.getParent()));
    }
    return sum / std::pow(kIterations, loop.getLoopDepth());
  }

  bool faster(const llvm::Loop& loop, const llvm::LoopInfo& loops) const {
    double warp = 0, lane = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      const llvm::Loop& inner = *loops.getLoopFor(block);
      const unsigned depth = inner.getLoopDepth() - loop.getLoopDepth();
      const double weight = std::pow(kIterations, depth);
      double block_warp = 0, block_lane = 0;
      for (const Instruction& instruction : *block) {
        if (const auto* note = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); note && note->isAssumeLikeIntrinsic()) continue;
        block_warp += beside_all(instruction);
        block_lane += one_lane(instruction);
      }
      bool waits = false;
      for (const llvm::Loop* around = &inner; around; around = around == &loop ? nullptr : around->getParentLoop())
        if (const llvm::BasicBlock* exiting = around->getExitingBlock(); !exiting || uniformity.hasDivergentTerminator(*exiting))
          waits = true;
      if (inner.getHeader() == block) block_lane = std::max(block_lane, 0.0) + kInstruction;  // the jump back
      if (block->getTerminator()->getNumSuccessors() > 1 && uniformity.hasDivergentTerminator(*block))
        block_lane += kMispredicted * (inner.isLoopExiting(block) ? 1 / kIterations : kSurprises);
      warp += weight * block_warp * (waits ? kWaiting : 1);
      lane += weight * block_lane;
    }
    llvm::SmallVector<const llvm::Loop*, 4> nest = {&loop};
    double waiting = 0;
    for (std::size_t i = 0; i < nest.size(); ++i) {
      nest.append(nest[i]->begin(), nest[i]->end());
      if (nest[i]->isInnermost())
        waiting += std::pow(kIterations, nest[i]->getLoopDepth() - loop.getLoopDepth()) * Recurrence(*nest[i]).cycles();
    }
    return kMargin * (kLanes * std::max(lane, waiting) + others(loop, loops)) < warp;
  }

  llvm::Function& region;
  const llvm::DataLayout& layout;
  const VectorTraits& traits;
  llvm::UniformityInfo& uniformity;
  Shapes shapes;
};

LoopCosts::LoopCosts(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                     llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits, Analyses& analyses)
    : state_(std::make_unique<State>(region, specialization, lanes, private_stride, traits, analyses.uniformity(region))) {}

LoopCosts::~LoopCosts() = default;

bool LoopCosts::faster_scalar(const llvm::Loop& loop, const llvm::LoopInfo& loops) { return state_->faster(loop, loops); }

}  // namespace weft::compiler::simt
