#include "compiler/simt/masks/sided_loops.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::SCEV;
using llvm::Value;

/// Of a loop once it is unrolled: what is small need not stay a loop.
constexpr std::size_t kFewestUnrolled = 400;
/// Of loops around: what LLVM would unroll.
constexpr unsigned kMostAround = 16;
constexpr const char* kKept = "weft.kept_loop";
constexpr const char* kDisable = "llvm.loop.unroll.disable";

/// Comparisons that all iterations make, for what is asked once.
constexpr unsigned kFewestComparisons = 16;
constexpr unsigned kMostSidedSteps = 12;

/// What the progressions of loops around begin with: they count from 0 in what comparisons have in common.
std::int64_t first_number(const SCEV& number) {
  const SCEV* start = &number;
  while (const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(start)) start = progression->getStart();
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(start)) start = sum->getOperand(0);
  const auto* constant = start == &number ? nullptr : llvm::dyn_cast<llvm::SCEVConstant>(start);
  return constant ? constant->getAPInt().getSExtValue() : 0;
}

std::optional<Range> range_of(const SCEV& number, const Loop& loop, llvm::ScalarEvolution& evolution) {
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(&number)) {
    const std::int64_t value = constant->getAPInt().getSExtValue();
    return Range{evolution.getZero(number.getType()), value, value};
  }
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&number)) {
    Range total{evolution.getZero(number.getType())};
    for (const SCEV* operand : sum->operands()) {
      const auto range = range_of(*operand, loop, evolution);
      if (!range) return std::nullopt;
      total = {evolution.getAddExpr(total.base, range->base), total.low + range->low, total.high + range->high};
    }
    return total;
  }
  if (const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&number); progression && progression->getLoop() == &loop) {
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution));
    const unsigned count = evolution.getSmallConstantTripCount(&loop);
    if (!progression->isAffine() || !step || !count || count > 1u << 16) return std::nullopt;
    auto range = range_of(*progression->getStart(), loop, evolution);
    if (!range) return std::nullopt;
    const std::int64_t all = step->getAPInt().getSExtValue() * (count - 1);
    range->low += std::min<std::int64_t>(all, 0);
    range->high += std::max<std::int64_t>(all, 0);
    return range;
  }
  if (!evolution.isLoopInvariant(&number, &loop)) return std::nullopt;
  const std::int64_t value = first_number(number);
  if (value == 0) return Range{&number};
  const SCEV* constant = evolution.getConstant(number.getType(), static_cast<std::uint64_t>(value), /*isSigned=*/true);
  return Range{evolution.getMinusSCEV(&number, constant), value, value};
}

/// The comparisons in `loop`, by which lanes part, of two numbers that keep their distance for most of them; null if there are none.
std::optional<Sides> comparisons_of(const Loop& loop, llvm::ScalarEvolution& evolution, const llvm::UniformityInfo& uniformity) {
  llvm::MapVector<std::pair<const SCEV*, const SCEV*>, Sides> found;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
      if (!compare || !compare->getOperand(0)->getType()->isIntegerTy(32) || !uniformity.isDivergent(compare)) continue;
      const auto left = range_of(*evolution.getSCEV(compare->getOperand(0)), loop, evolution);
      const auto right = left ? range_of(*evolution.getSCEV(compare->getOperand(1)), loop, evolution) : std::nullopt;
      if (!right || left->base->isZero() || right->base->isZero() || left->base == right->base) continue;
      const bool turned = found.contains({right->base, left->base});
      const Range &first = turned ? *right : *left, &second = turned ? *left : *right;
      auto [at, is_new] = found.insert({{first.base, second.base}, Sides{first, second}});
      Sides& sides = at->second;
      sides.left.include(first);
      sides.right.include(second);
      sides.has_unsigned |= compare->isUnsigned();
      sides.comparisons.emplace_back(compare, turned);
    }
  const auto most = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second.comparisons.size() < b.second.comparisons.size();
  });
  return most == found.end() ? std::nullopt : std::optional(most->second);
}

/// Whether places in a loop are chosen by comparisons.
class Choices {
 public:
  Choices(const Loop& loop, const Sides& sides, const llvm::DominatorTree& dominators) : loop_(loop), dominators_(dominators) {
    for (const auto& comparison : sides.comparisons) conditions_.insert(comparison.first);
  }

  /// Whether `value` is chosen by one of the comparisons, or by what these are part of.
  bool choose(const Value& value, unsigned steps = kMostSidedSteps) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction) || !steps) return false;
    if (conditions_.contains(instruction)) return true;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return phi->getParent() != loop_.getHeader() && choose_way(*phi, steps - 1);
    if (!llvm::isa<llvm::SelectInst, llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction)) return false;
    return llvm::any_of(instruction->operands(), [&](const Value* operand) { return choose(*operand, steps - 1); });
  }

 private:
  /// Whether a branch on the ways to `phi` is on one of the comparisons, or the phi's values are chosen by them.
  bool choose_way(const llvm::PHINode& phi, unsigned steps) const {
    const BasicBlock* fork = dominators_.getNode(phi.getParent())->getIDom()->getBlock();
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const BasicBlock* block = phi.getIncomingBlock(i);
      while (true) {
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (branch && branch->isConditional() && choose(*branch->getCondition(), steps)) return true;
        if (block == fork) break;
        block = dominators_.getNode(block)->getIDom()->getBlock();
      }
      if (choose(*phi.getIncomingValue(i), steps)) return true;
    }
    return false;
  }

  const Loop& loop_;
  const llvm::DominatorTree& dominators_;
  llvm::SmallPtrSet<const Value*, 16> conditions_;
};

/// Whether lanes load at places that the comparisons choose, or under a condition.
bool chooses_loads(const Loop& loop, const Sides& sides, const llvm::DominatorTree& dominators) {
  const Choices choices(loop, sides, dominators);
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) return false;
      return !dominators.dominates(block, loop.getLoopLatch()) || choices.choose(*load->getPointerOperand());
    });
  });
}

/// Whether unrolling `loop` makes a place in a private array known.
bool indexes_private(const Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || pointer->getType()->getPointerAddressSpace() != kPrivateSpace || !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
        return false;
      return !evolution.isLoopInvariant(evolution.getSCEV(const_cast<Value*>(pointer)), &loop);
    });
  });
}

bool asks_to_unroll(const llvm::MDNode& id) {
  return llvm::any_of(llvm::drop_begin(id.operands()), [](const llvm::MDOperand& operand) {
    const auto* node = llvm::dyn_cast<llvm::MDNode>(operand);
    const auto* name = node && node->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0)) : nullptr;
    return name && (name->getString() == "llvm.loop.unroll.full" || name->getString() == "llvm.loop.unroll.enable");
  });
}

bool asks_to_unroll(const Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  return id && asks_to_unroll(*id);
}

/// Whether `loop` may stay one and is worth that.
bool may_stay(const Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || !loop.getLoopLatch() || !asks_to_unroll(loop)) return false;
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  std::size_t instructions = 0;
  for (const BasicBlock* block : loop.blocks()) instructions += block->sizeWithoutDebug();
  return count && count * instructions >= kFewestUnrolled && !indexes_private(loop, evolution);
}

void keep(Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::SmallVector<llvm::Metadata*, 2> before{llvm::MDString::get(context, kKept)};
  if (llvm::MDNode* id = loop.getLoopID()) before.push_back(id);
  llvm::Metadata* parts[] = {nullptr, llvm::MDNode::get(context, llvm::MDString::get(context, kDisable)), llvm::MDNode::get(context, before)};
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, parts);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

/// What `id` has of the loop before it was kept; null if it was not.
const llvm::MDNode* kept(const llvm::MDNode* id) {
  if (!id) return nullptr;
  for (const llvm::MDOperand& operand : llvm::drop_begin(id->operands()))
    if (const auto* node = llvm::dyn_cast<llvm::MDNode>(operand); node && node->getNumOperands())
      if (const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)); name && name->getString() == kKept) return node;
  return nullptr;
}

llvm::MDNode* before_keeping(const llvm::MDNode& kept) {
  return kept.getNumOperands() > 1 ? llvm::cast<llvm::MDNode>(kept.getOperand(1).get()) : nullptr;
}

}  // namespace

std::optional<Sides> sides_of(const Loop& loop, llvm::ScalarEvolution& evolution, const llvm::UniformityInfo& uniformity,
                              const llvm::DominatorTree& dominators) {
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  auto found = count ? comparisons_of(loop, evolution, uniformity) : std::nullopt;
  if (!found || found->comparisons.size() * count < kFewestComparisons || !chooses_loads(loop, *found, dominators)) return std::nullopt;
  return found;
}

void keep_sided_loops(llvm::Function& kernel, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  const auto loops = manager.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder();
  if (llvm::none_of(loops, [](const Loop* loop) { return asks_to_unroll(*loop); })) return;
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(kernel);
  llvm::SmallVector<Loop*, 4> kept;
  for (Loop* loop : loops)
    if (may_stay(*loop, evolution) &&
        sides_of(*loop, evolution, analyses.uniformity(kernel), manager.getResult<llvm::DominatorTreeAnalysis>(kernel)))
      kept.push_back(loop);
  for (Loop* loop : kept) {
    keep(*loop);
    Loop* around = loop->getParentLoop();
    const unsigned count = around ? evolution.getSmallConstantTripCount(around) : 0;
    if (count > 1 && count <= kMostAround && !asks_to_unroll(*around) && !llvm::findOptionMDForLoop(around, kDisable)) keep(*around);
  }
}

namespace {

void set_kept(llvm::Function& function, llvm::function_ref<llvm::MDNode*(const llvm::MDNode& kept)> id) {
  for (BasicBlock& block : function)
    if (Instruction* end = block.getTerminator())
      if (const llvm::MDNode* node = kept(end->getMetadata(llvm::LLVMContext::MD_loop))) end->setMetadata(llvm::LLVMContext::MD_loop, id(*node));
}

}  // namespace

void release_sided_loops(llvm::Function& item) { set_kept(item, before_keeping); }

void forget_sided_loops(llvm::Function& region) {
  set_kept(region, [](const llvm::MDNode&) { return nullptr; });
}

bool is_kept(const Loop& loop) {
  const llvm::MDNode* node = kept(loop.getLoopID());
  const llvm::MDNode* before = node ? before_keeping(*node) : nullptr;
  return before && asks_to_unroll(*before);
}

}  // namespace weft::compiler::simt
