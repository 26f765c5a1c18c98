#include "compiler/simt/masks/clamped_windows.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <optional>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::SCEV;
using llvm::Value;

/// Elements from a lane's window to the next one's.
constexpr std::int64_t kMostApart = 4;
/// Of steps that are multiplied.
constexpr unsigned kFactorBits = 16;
/// Of a window that is one of many, a lane at an edge would wait for longer than it takes.
constexpr std::uint64_t kWidest = 32;

/// Loops of a region, of each of which all are looked at again.
constexpr unsigned kMostWindows = 8;

/// A number, and what it is bounded by, which all lanes share; null: nothing.
struct Bounded {
  const SCEV* number = nullptr;
  const SCEV* bound = nullptr;
};

class Window {
 public:
  Window(llvm::Loop& loop, llvm::ScalarEvolution& evolution, const Shapes& shapes) : loop_(loop), evolution_(evolution), shapes_(shapes) {}

  bool find() { return has_form() && does_nothing_else() && has_window(); }

  void rewrite() {
    llvm::SCEVExpander expander(evolution_, loop_.getHeader()->getModule()->getDataLayout(), "window");
    llvm::Instruction* front = loop_.getLoopPreheader()->getTerminator();
    llvm::Type* type = counter_->getType();
    Value* from = expander.expandCodeFor(first_.number, type, front->getIterator());
    Value* least = first_.bound ? expander.expandCodeFor(first_.bound, type, front->getIterator()) : nullptr;
    Value* end = last_.bound ? expander.expandCodeFor(last_.bound, type, front->getIterator()) : nullptr;
    llvm::BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch(), *before = loop_.getLoopPreheader();
    llvm::DenseMap<const llvm::PHINode*, llvm::SmallVector<llvm::Use*, 4>> behind;
    for (llvm::PHINode& phi : header->phis())
      for (llvm::Use& use : phi.getIncomingValueForBlock(latch)->uses())
        if (&phi != counter_ && !loop_.contains(llvm::cast<llvm::Instruction>(use.getUser()))) behind[&phi].push_back(&use);
    llvm::BasicBlock* body = header->splitBasicBlock(header->getFirstNonPHIIt(), "window.inside");
    if (latch == header) latch = body;
    llvm::BasicBlock* tail = latch->splitBasicBlock(latch->getTerminator(), "window.next");
    // What an iteration leaves, or what there was where it does nothing.
    llvm::IRBuilder<> builder(tail, tail->begin());
    for (llvm::PHINode& phi : header->phis()) {
      if (&phi == counter_) continue;
      Value* next = phi.getIncomingValueForBlock(tail);
      llvm::PHINode* kept = builder.CreatePHI(phi.getType(), 2, phi.getName() + ".window");
      kept->addIncoming(next, latch);
      kept->addIncoming(&phi, header);
      phi.setIncomingValueForBlock(tail, kept);
      for (llvm::Use* use : behind[&phi]) use->set(kept);
    }
    builder.SetInsertPoint(header, header->begin());
    llvm::PHINode* number = builder.CreatePHI(type, 2, "in.window");
    number->addIncoming(llvm::ConstantInt::get(type, 0), before);
    builder.SetInsertPoint(header->getTerminator());
    Value* place = builder.CreateAdd(from, number, "window.place");
    Value* inside = nullptr;
    if (least) inside = builder.CreateICmpSGE(place, least);
    if (Value* is_before = end ? builder.CreateICmpSLT(place, end) : nullptr)
      inside = inside ? builder.CreateAnd(inside, is_before) : is_before;
    builder.CreateCondBr(inside, body, tail);
    header->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(tail->getTerminator());
    Value* next = builder.CreateAdd(number, llvm::ConstantInt::get(type, 1));
    number->addIncoming(next, tail);
    Value* goes_on = builder.CreateICmpULT(next, width_);
    auto* branch = llvm::cast<llvm::BranchInst>(tail->getTerminator());
    branch->setCondition(branch->getSuccessor(0) == header ? goes_on : builder.CreateNot(goes_on));
    counter_->replaceAllUsesWith(place);
    counter_->eraseFromParent();
  }

 private:
  /// A loop that counts by one and is left at its end.
  bool has_form() {
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != loop_.getLoopLatch()) return false;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator());
    auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!compare || !compare->hasOneUse()) return false;
    const auto if_on = branch->getSuccessor(0) == loop_.getHeader() ? compare->getPredicate() : compare->getInversePredicate();
    if (if_on != llvm::CmpInst::ICMP_SLT && if_on != llvm::CmpInst::ICMP_NE) return false;
    using namespace llvm::PatternMatch;
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
      Value* next = phi.getIncomingValueForBlock(loop_.getLoopLatch());
      if (compare->getOperand(0) != next || !phi.getType()->isIntegerTy() || !match(next, m_Add(m_Specific(&phi), m_One()))) continue;
      counter_ = &phi;
      bound_ = compare->getOperand(1);
      return loop_.isLoopInvariant(bound_);
    }
    return false;
  }

  /// Nothing but what the loop carries is used behind it, and nobody sees in which order lanes go.
  bool does_nothing_else() const {
    for (llvm::BasicBlock* block : loop_.blocks())
      for (llvm::Instruction& instruction : *block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load ? !is_plain_access(*load) : instruction.mayHaveSideEffects()) return false;
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && (call->isConvergent() || !call->doesNotAccessMemory()))
          return false;
        const bool is_carried = llvm::any_of(loop_.getHeader()->phis(), [&](const llvm::PHINode& phi) {
          return &phi != counter_ && phi.getIncomingValueForBlock(loop_.getLoopLatch()) == &instruction;
        });
        if (!is_carried &&
            llvm::any_of(instruction.users(), [&](const llvm::User* user) { return !loop_.contains(llvm::cast<llvm::Instruction>(user)); }))
          return false;
      }
    return true;
  }

  bool has_window() {
    const SCEV *start = evolution_.getSCEV(counter_->getIncomingValueForBlock(loop_.getLoopPreheader())), *end = evolution_.getSCEV(bound_);
    if (!is_entered_below(start, end)) return false;
    const auto first = bounded(*start, llvm::scSMaxExpr), last = bounded(*end, llvm::scSMinExpr);
    if (!first || !last || (!first->bound && !last->bound)) return false;
    const auto* width = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(last->number, first->number));
    if (!width || width->getAPInt().ugt(kWidest) || width->isZero()) return false;
    const auto step = step_between_lanes(*first->number);
    if (!step || (loop_.isInnermost() && std::abs(*step) > kMostApart)) return false;
    const llvm::SCEVExpander expander(evolution_, loop_.getHeader()->getModule()->getDataLayout(), "window");
    for (const SCEV* part : {first->number, first->bound, last->bound})
      if (part && !expander.isSafeToExpandAt(part, loop_.getLoopPreheader()->getTerminator())) return false;
    first_ = *first;
    last_ = *last;
    width_ = width->getValue();
    return true;
  }

  /// Whether the loop is entered where `start` is less than `end` alone.
  bool is_entered_below(const SCEV* start, const SCEV* end) {
    if (evolution_.isLoopEntryGuardedByCond(&loop_, llvm::CmpInst::ICMP_SLT, start, end)) return true;
    // As it is written of the greater of two numbers, less one.
    if (!evolution_.getSignedRangeMax(start).isMaxSignedValue() &&
        evolution_.isLoopEntryGuardedByCond(&loop_, llvm::CmpInst::ICMP_SLE,
                                            evolution_.getAddExpr(start, evolution_.getOne(start->getType())), end))
      return true;
    // Of the least of some numbers, where that is asked of one and known of the others.
    const auto* least = llvm::dyn_cast<llvm::SCEVSMinExpr>(end);
    return least && llvm::all_of(least->operands(), [&](const SCEV* operand) { return is_entered_below(start, operand); });
  }

  /// `value`, a least or greatest number (`kind`) of one that differs from lane to lane and others that do not, or something more, as a
  /// number and a bound.
  std::optional<Bounded> bounded(const SCEV& value, llvm::SCEVTypes kind) {
    if (is_shared(value)) return std::nullopt;
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&value);
        sum && sum->getNumOperands() == 2 && llvm::isa<llvm::SCEVConstant>(sum->getOperand(0))) {
      auto inner = bounded(*sum->getOperand(1), kind);
      if (inner && inner->bound)
        return Bounded{evolution_.getAddExpr(inner->number, sum->getOperand(0)), evolution_.getAddExpr(inner->bound, sum->getOperand(0))};
    }
    if (value.getSCEVType() != kind) return Bounded{&value, nullptr};
    Bounded found;
    for (const SCEV* operand : llvm::cast<llvm::SCEVMinMaxExpr>(value).operands()) {
      if (is_shared(*operand))
        found.bound = !found.bound               ? operand
                      : kind == llvm::scSMaxExpr ? evolution_.getSMaxExpr(found.bound, operand)
                                                 : evolution_.getSMinExpr(found.bound, operand);
      else if (found.number)
        return std::nullopt;
      else
        found.number = operand;
    }
    return found.number ? std::optional(found) : std::nullopt;
  }

  /// What is added to `value` from one lane to the next, but where rows of lanes end; none where nothing is known.
  std::optional<std::int64_t> step_between_lanes(const SCEV& value) const {
    if (is_shared(value)) return 0;
    switch (value.getSCEVType()) {
      case llvm::scUnknown: {
        const Value* unknown = llvm::cast<llvm::SCEVUnknown>(value).getValue();
        if (const Shape shape = shapes_[*unknown]; shape.is_affine()) return shape.stride;
        const auto* division = llvm::dyn_cast<llvm::BinaryOperator>(unknown);
        if (division && (division->getOpcode() == llvm::Instruction::SDiv || division->getOpcode() == llvm::Instruction::UDiv)) return 0;
        // A row's place in a picture, of several.
        if (division && (division->getOpcode() == llvm::Instruction::SRem || division->getOpcode() == llvm::Instruction::URem))
          return step_between_lanes(*evolution_.getSCEV(division->getOperand(0)));
        return std::nullopt;
      }
      case llvm::scUDivExpr: return 0;
      case llvm::scTruncate:
      case llvm::scSignExtend:
      case llvm::scZeroExtend: return step_between_lanes(*llvm::cast<llvm::SCEVCastExpr>(value).getOperand());
      case llvm::scAddExpr: {
        std::int64_t sum = 0;
        for (const SCEV* operand : llvm::cast<llvm::SCEVAddExpr>(value).operands()) {
          const auto step = step_between_lanes(*operand);
          if (!step) return std::nullopt;
          sum += *step;
        }
        return sum;
      }
      case llvm::scMulExpr: {
        const auto& product = llvm::cast<llvm::SCEVMulExpr>(value);
        const auto step = product.getNumOperands() == 2 ? step_between_lanes(*product.getOperand(1)) : std::nullopt;
        const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product.getOperand(0));
        if (!step || *step == 0) return step;
        // A greater one is as far apart as nothing known.
        const bool is_short = factor && factor->getAPInt().getSignificantBits() <= kFactorBits && std::abs(*step) < std::int64_t{1} << kFactorBits;
        return is_short ? std::optional(*step * factor->getAPInt().getSExtValue()) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  bool is_shared(const SCEV& value) const {
    return !llvm::SCEVExprContains(&value, [&](const SCEV* part) {
      const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return llvm::isa<llvm::SCEVAddRecExpr>(part) || (unknown && !shapes_.is_uniform(*unknown->getValue()));
    });
  }

  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const Shapes& shapes_;
  llvm::PHINode* counter_ = nullptr;
  Value* bound_ = nullptr;
  Bounded first_, last_;
  llvm::ConstantInt* width_ = nullptr;
};

/// Whether lanes leave `loop` in different iterations, where one of its numbers may be bounded.
bool may_be_window(const llvm::Loop& loop, Analyses& analyses) {
  const llvm::BasicBlock* exiting = loop.getExitingBlock();
  return exiting && exiting == loop.getLoopLatch() && analyses.uniformity(*loop.getHeader()->getParent()).hasDivergentTerminator(*exiting);
}

}  // namespace

bool widen_clamped_windows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                           llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  if (llvm::none_of(llvm::instructions(region), [](const llvm::Instruction& instruction) { return llvm::isa<llvm::MinMaxIntrinsic>(instruction); }))
    return false;
  bool changed = false;
  for (unsigned i = 0; i < kMostWindows; ++i) {
    // As many as are found at once would be stale after the first.
    llvm::FunctionAnalysisManager& manager = analyses.functions();
    const auto loops = manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder();
    if (llvm::none_of(loops, [&](const llvm::Loop* loop) { return may_be_window(*loop, analyses); })) break;
    canonicalize_loops(region, analyses);
    auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
    const Shapes shapes(region, specialization, lanes, private_stride);
    bool rewritten = false;
    for (llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder()) {
      Window window(*loop, evolution, shapes);
      if (!may_be_window(*loop, analyses) || !window.find()) continue;
      window.rewrite();
      rewritten = true;
      break;
    }
    if (!rewritten) break;
    analyses.invalidate(region);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
