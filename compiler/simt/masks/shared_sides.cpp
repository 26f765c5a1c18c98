#include "compiler/simt/masks/shared_sides.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <utility>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/index_sum.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/block_copies.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

namespace {

/// Of a loop, and of a region after all.
constexpr unsigned kMostShared = 1600, kMostBlocks = 300, kMostOfRegion = 12000;
/// Conditions that lanes share and copies are made for, one inside the other.
constexpr unsigned kMostConditions = 3;
constexpr unsigned kLine = 64;  ///< bytes

}  // namespace

bool may_be_copied(const Loop& loop) {
  if (loop.getNumBlocks() > kMostBlocks) return false;
  std::size_t instructions = 0;
  for (const BasicBlock* block : loop.blocks()) {
    instructions += block->sizeWithoutDebug();
    for (const Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && (call->isConvergent() || call->cannotDuplicate())) return false;
    }
  }
  return instructions <= kMostShared;
}

bool may_grow(const llvm::Function& region) { return region.getInstructionCount() <= kMostOfRegion; }

BasicBlock* copy_loop(const Loop& loop, BasicBlock* before, const llvm::Twine& suffix, llvm::ValueToValueMapTy& copies) {
  BasicBlock* header = loop.getHeader();
  const llvm::SmallVector<BasicBlock*, 16> blocks(loop.blocks());
  clone_blocks(blocks, suffix, header, copies);
  join_copies(blocks, copies);
  auto* copy = llvm::cast<BasicBlock>(copies[header]);
  BasicBlock* begin = BasicBlock::Create(header->getContext(), "begin" + suffix, header->getParent(), copy);
  llvm::BranchInst::Create(copy, begin);
  for (llvm::PHINode& phi : copy->phis()) phi.replaceIncomingBlockWith(before, begin);
  return begin;
}

llvm::SmallVector<BasicBlock*, 16> copied(llvm::ArrayRef<BasicBlock*> blocks, const llvm::ValueToValueMapTy& copies) {
  return llvm::map_to_vector<16>(blocks, [&](BasicBlock* block) { return llvm::cast<BasicBlock>(static_cast<Value*>(copies.lookup(block))); });
}

void fold(llvm::ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* block : blocks) {
    llvm::SimplifyInstructionsInBlock(block);
    llvm::ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  }
}

namespace {

/// A condition that all lanes share, of a branch or a choice in `loop` but for those of floating-point numbers, which choose no place; null if there is none.
Value* shared_condition(const Loop& loop, const llvm::UniformityInfo& uniformity) {
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block) {
      Value* condition = nullptr;
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch && branch->isConditional()) condition = branch->getCondition();
      else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction); select && !select->getType()->isFPOrFPVectorTy()) condition = select->getCondition();
      if (!condition || condition->getType()->isVectorTy() || llvm::isa<llvm::Constant>(condition)) continue;
      if (loop.isLoopInvariant(condition) && !uniformity.isDivergent(condition)) return condition;
    }
  return nullptr;
}

/// Whether `number`, which all lanes share, is one of some.
struct CaseCondition {
  const Value* number;
  llvm::SmallVector<llvm::ConstantInt*, 4> cases;
  Value* condition;
};
using CaseConditions = llvm::SmallVector<CaseCondition, 4>;

/// In `loop`, in LoopSimplify form, makes branches of switches by what all lanes share, each by a condition in front of the loop, which is added to `known`.
bool lower_shared_switches(Loop& loop, const llvm::UniformityInfo& uniformity, CaseConditions& known) {
  const auto condition_of = [&](Value& number, llvm::ArrayRef<llvm::ConstantInt*> cases) {
    const auto found = llvm::find_if(known, [&](const CaseCondition& each) { return each.number == &number && llvm::ArrayRef(each.cases) == cases; });
    if (found != known.end()) return found->condition;
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    llvm::SmallVector<Value*, 4> any;
    for (llvm::ConstantInt* one : cases) any.push_back(builder.CreateICmpEQ(&number, one));
    known.push_back({&number, llvm::SmallVector<llvm::ConstantInt*, 4>(cases), builder.CreateOr(any)});
    return known.back().condition;
  };
  bool changed = false;
  for (BasicBlock* block : llvm::SmallVector<BasicBlock*, 16>(loop.blocks())) {
    auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator());
    if (!choice || !loop.isLoopInvariant(choice->getCondition()) || uniformity.isDivergent(choice->getCondition())) continue;
    BasicBlock* otherwise = choice->getDefaultDest();
    llvm::MapVector<BasicBlock*, llvm::SmallVector<llvm::ConstantInt*, 4>> sides;
    for (const auto& each : choice->cases())
      if (each.getCaseSuccessor() != otherwise) sides[each.getCaseSuccessor()].push_back(each.getCaseValue());
    if (sides.empty()) continue;
    // Of several edges from one block one stays, from `from`.
    const auto keep_one_edge = [&](BasicBlock& to, BasicBlock* from) {
      for (llvm::PHINode& phi : to.phis()) {
        Value* value = phi.getIncomingValueForBlock(block);
        while (phi.getBasicBlockIndex(block) >= 0) phi.removeIncomingValue(block, /*DeletePHIIfEmpty=*/false);
        phi.addIncoming(value, from);
      }
    };
    Value& number = *choice->getCondition();
    BasicBlock* at = block;
    llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> edges;
    choice->eraseFromParent();
    for (auto& [to, cases] : sides) {
      llvm::sort(cases, [](const llvm::ConstantInt* a, const llvm::ConstantInt* b) { return a->getValue().ult(b->getValue()); });
      const bool is_last = to == sides.back().first;
      BasicBlock* next = is_last ? otherwise : BasicBlock::Create(block->getContext(), "case", block->getParent(), at->getNextNode());
      llvm::BranchInst::Create(to, next, condition_of(number, cases), at);
      edges.emplace_back(to, at);
      if (is_last) edges.emplace_back(otherwise, at);
      at = next;
    }
    for (const auto& [to, from] : edges) keep_one_edge(*to, from);
    changed = true;
  }
  return changed;
}

/// The number that `condition` asks whether it is `constant`; null if it asks something else.
const Value* asked_number(const Value& condition, const llvm::ConstantInt*& constant) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  constant = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
  return constant && compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? compare->getOperand(0) : nullptr;
}

void settle(llvm::ArrayRef<BasicBlock*> blocks, const Value& condition, bool holds, const CaseConditions& cases) {
  const auto* own = llvm::find_if(cases, [&](const CaseCondition& each) { return each.condition == &condition; });
  const llvm::ConstantInt *constant = nullptr, *other = nullptr;
  const Value* number = asked_number(condition, constant);
  const auto is_another = [&](const Value* value) {
    if (!holds) return false;
    if (number && asked_number(*value, other) == number) return other != constant;
    return own != cases.end() && llvm::any_of(cases, [&](const CaseCondition& each) {
             return each.condition == value && each.number == own->number &&
                    llvm::none_of(each.cases, [&](llvm::ConstantInt* one) { return llvm::is_contained(own->cases, one); });
           });
  };
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      for (llvm::Use& operand : instruction.operands()) {
        if (operand == &condition) operand.set(llvm::ConstantInt::getBool(condition.getContext(), holds));
        else if (is_another(operand)) operand.set(llvm::ConstantInt::getFalse(condition.getContext()));
      }
  fold(blocks);
}

/// Gives `loop`, in LoopSimplify and LCSSA form, a copy where `condition` does not hold. Returns its header.
BasicBlock* copy_for_otherwise(Loop& loop, Value& condition, const CaseConditions& cases) {
  BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader();
  llvm::ValueToValueMapTy copies;
  BasicBlock* begin = copy_loop(loop, before, ".otherwise", copies);
  auto* own = BasicBlock::Create(header->getContext(), "own", header->getParent(), header);
  llvm::BranchInst::Create(header, own);
  Instruction* end = before->getTerminator();
  llvm::IRBuilder<> builder(end);
  // The loop need not have come to where it asks: a condition that is poison is either.
  builder.CreateCondBr(llvm::isGuaranteedNotToBeUndefOrPoison(&condition) ? &condition : builder.CreateFreeze(&condition), own, begin);
  end->eraseFromParent();
  header->replacePhiUsesWith(before, own);
  settle(copied(loop.getBlocks(), copies), condition, false, cases);
  settle(llvm::SmallVector<BasicBlock*, 16>(loop.blocks()), condition, true, cases);
  return begin->getSingleSuccessor();
}

/// Loads in `block` at a constant distance from one in front of them are of that place and a constant: as differences of what is extended to 64 bits,
/// neighbours in a row would not be seen.
void tie_places(BasicBlock& block) {
  struct Place {
    llvm::GetElementPtrInst* pointer;
    IndexSum index;
  };
  llvm::SmallVector<Place, 8> first;
  for (Instruction& instruction : block) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* pointer = load ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
    if (!pointer || pointer->getParent() != &block || pointer->getNumIndices() != 1) continue;
    const auto* index = llvm::dyn_cast<llvm::SExtInst>(pointer->getOperand(1));
    if (!index || load->getPointerAddressSpace() != kGlobalSpace) continue;
    Place place{pointer, {}};
    place.index.add(*index->getOperand(0));
    llvm::sort(place.index.parts);
    const auto* same = llvm::find_if(first, [&](const Place& each) {
      return each.pointer->getPointerOperand() == pointer->getPointerOperand() && each.pointer->getSourceElementType() == pointer->getSourceElementType() &&
             each.index.parts == place.index.parts;
    });
    if (same == first.end()) {
      first.push_back(std::move(place));
      continue;
    }
    llvm::IRBuilder<> builder(load);
    const std::int64_t distance = place.index.constant - same->index.constant;
    load->setOperand(0, builder.CreateGEP(pointer->getSourceElementType(), same->pointer, builder.getInt64(static_cast<std::uint64_t>(distance))));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }
}

/// Whether lanes load what are no neighbours, as far as one can see.
bool loads_apart(const Loop& loop, const Shapes& shapes) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) return false;
      const Shape shape = shapes[*load->getPointerOperand()];
      const auto bytes = static_cast<std::int64_t>(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue());
      return !shape.is_affine() || std::abs(shape.stride) > bytes;
    });
  });
}

/// What the elements of rows that `loop` reads are of a line, at most; 0 if it reads none.
unsigned elements_of_line(const Loop& loop) {
  unsigned found = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || load->getPointerAddressSpace() != kGlobalSpace) continue;
      const auto bytes = static_cast<unsigned>(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue());
      if (kLine % bytes == 0) found = std::max(found, kLine / bytes);
    }
  return found;
}

}  // namespace

void read_by_lines(llvm::Function& region, BasicBlock& header, Analyses& analyses) {
  Loop* loop = canonical_loop(header, analyses);
  if (!loop) return;
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  const unsigned elements = elements_of_line(*loop), count = evolution.getSmallConstantTripCount(loop);
  if (!elements || count <= elements || count % elements != 0) return;
  llvm::UnrollLoopOptions options{};
  options.Count = elements;
  options.Force = true;
  llvm::UnrollLoop(loop, options, &manager.getResult<llvm::LoopAnalysis>(region), &evolution, &manager.getResult<llvm::DominatorTreeAnalysis>(region),
                   &manager.getResult<llvm::AssumptionAnalysis>(region), &manager.getResult<llvm::TargetIRAnalysis>(region),
                   &manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(region), /*PreserveLCSSA=*/true);
  analyses.invalidate(region);
}

namespace {

/// Of conditions `depth` of which have been settled.
void split(llvm::Function& region, BasicBlock& header, ShapesOf shapes, bool by_lines, Analyses& analyses, CaseConditions& cases, unsigned depth) {
  llvm::removeUnreachableBlocks(region);
  // Branches that are gone have left many blocks of a row of loads, which is one.
  for (BasicBlock& block : llvm::make_early_inc_range(region)) llvm::MergeBlockIntoPredecessor(&block);
  analyses.invalidate(region);
  Loop* loop = canonical_loop(header, analyses);
  if (!loop || !loads_apart(*loop, shapes())) return;
  if (depth == 0 && loop->getLoopPreheader() && lower_shared_switches(*loop, analyses.uniformity(region), cases)) {
    analyses.invalidate(region);
    loop = canonical_loop(header, analyses);
    if (!loop) return;
  }
  const bool may_split = depth < kMostConditions && may_be_copied(*loop) && may_grow(region);
  Value* condition = may_split ? shared_condition(*loop, analyses.uniformity(region)) : nullptr;
  if (condition) {
    for (BasicBlock* each : {&header, copy_for_otherwise(*loop, *condition, cases)}) split(region, *each, shapes, by_lines, analyses, cases, depth + 1);
    return;
  }
  if (by_lines) read_by_lines(region, header, analyses);
  for (BasicBlock* block : analyses.functions().getResult<llvm::LoopAnalysis>(region).getLoopFor(&header)->blocks()) tie_places(*block);
}

}  // namespace

void split_by_shared(llvm::Function& region, BasicBlock& header, ShapesOf shapes, bool by_lines, Analyses& analyses) {
  CaseConditions cases;
  split(region, header, shapes, by_lines, analyses, cases, 0);
}

}  // namespace weft::compiler::simt
