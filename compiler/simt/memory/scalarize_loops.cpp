#include "compiler/simt/memory/scalarize_loops.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopRotationUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/passes/pass_control.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/memory/awaited_sums.h"
#include "compiler/simt/memory/by_lane.h"
#include "compiler/simt/memory/chosen_updates.h"
#include "compiler/simt/memory/few_iterations.h"
#include "compiler/simt/memory/flat_rows.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/lone_lanes.h"
#include "compiler/simt/memory/own_elements.h"
#include "compiler/simt/memory/retry_loops.h"
#include "compiler/simt/memory/same_stores.h"
#include "compiler/simt/memory/short_rows.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// LLVM's measure of a test that is copied in front of a loop.
constexpr unsigned kMostTested = 32;

/// What a loop may do beside reading: its stores may go to memory that others see (stores_one_value, stores_own_elements, takes_own_places) or keep the
/// least, or it tries `retried` again and waits for nobody (find_retried_exchange), where what is loaded may be `volatile`.
struct Writes {
  bool one_value = false;
  bool own = false;     ///< stores_own_elements
  bool least = false;   ///< keeps_least
  bool places = false;  ///< takes_own_places
  const llvm::AtomicCmpXchgInst* retried = nullptr;
  bool alone = false;  ///< one lane runs it alone (lone_lanes.h)
};

bool may_stand_scalar(const Instruction& instruction, const Writes& writes) {
  const llvm::AtomicCmpXchgInst* retried = writes.retried;
  if (is_note(instruction) || &instruction == retried) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && retried && has_plain_type(*load->getType()) &&
      load->getPointerOperand()->stripPointerCasts() == retried->getPointerOperand()->stripPointerCasts())
    return true;
  if (!has_plain_type(*instruction.getType()) && !llvm::isa<llvm::ExtractValueInst>(instruction)) {
    // Structs of a number and a bit, which arithmetic that may overflow gives.
    if (!llvm::isa<llvm::WithOverflowInst>(instruction)) return false;
  }
  switch (instruction.getOpcode()) {
    case Instruction::Load: return !instruction.isAtomic() && !asked_volatile(instruction);
    case Instruction::Store: {
      llvm::SmallPtrSet<const Value*, 4> objects;
      return !instruction.isAtomic() && !asked_volatile(instruction) &&
             has_plain_type(*instruction.getOperand(0)->getType()) && !instruction.getOperand(0)->getType()->isPointerTy() &&
             (writes.one_value || writes.own || writes.places || writes.alone || private_objects(*llvm::getLoadStorePointerOperand(&instruction), objects));
    }
    case Instruction::AtomicRMW: return writes.least || writes.places;
    case Instruction::Call: {
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      return intrinsic && intrinsic->doesNotAccessMemory() && !intrinsic->isConvergent() &&
             llvm::none_of(intrinsic->args(), [](const llvm::Use& argument) {
               return argument->getType()->isPtrOrPtrVectorTy() || argument->getType()->isMetadataTy();
             });
    }
    case Instruction::Br:
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::Freeze:
    case Instruction::GetElementPtr:
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::ExtractValue: return true;
    case Instruction::Switch: return true;
    default:
      return llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction) ||
             llvm::isa<llvm::CastInst>(instruction);
  }
}

/// A test in front of the exchange that `loop` begins with moves out of it, so that all lanes make it side by side, and those that have nothing
/// to update take no turn.
bool test_first(llvm::Loop& loop, const llvm::AtomicCmpXchgInst& exchange, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
                Analyses& analyses) {
  if (exchange.getParent() == loop.getHeader() || !loop.isLoopExiting(loop.getHeader())) return false;
  llvm::Function& function = *loop.getHeader()->getParent();
  llvm::AssumptionCache assumptions(function);
  llvm::simplifyLoop(&loop, &dominators, &loops, nullptr, &assumptions, nullptr, /*PreserveLCSSA=*/false);
  llvm::formLCSSA(loop, dominators, &loops, nullptr);
  if (!llvm::LoopRotation(&loop, &loops, &analyses.functions().getResult<llvm::TargetIRAnalysis>(function), &assumptions, &dominators, nullptr,
                          nullptr, llvm::SimplifyQuery(function.getDataLayout(), &dominators, &assumptions), /*RotationOnly=*/false,
                          kMostTested, /*IsUtilMode=*/true))
    return false;
  // What rotation leaves empty would give the loop several exits.
  for (BasicBlock* block : loop.blocks())
    if (block->getSinglePredecessor()) llvm::FoldSingleEntryPHINodes(block);
  llvm::SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  for (BasicBlock* exit : exits)
    if (exit->getSingleSuccessor()) llvm::TryToSimplifyUncondBranchFromEmptyBlock(exit);
  return true;
}

/// Whether `loop` may run for one lane after the other: no access in it depends on what other lanes do meanwhile.
bool may_scalarize(const llvm::Loop& loop, const Writes& writes) {
  return llvm::all_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::all_of(*block, [&](const Instruction& instruction) { return may_stand_scalar(instruction, writes); });
  });
}

/// Whether `loop` may be one lane's code where no other runs it: what it does to memory is nobody's business then.
bool may_run_alone(const llvm::Loop& loop) {
  return loop.isInnermost() && find_end(loop).tails.empty() && may_scalarize(loop, {.alone = true}) &&
         llvm::none_of(loop.blocks(), [](const BasicBlock* block) {
           return llvm::any_of(*block, [](const Instruction& instruction) { return llvm::isa<llvm::NoAliasScopeDeclInst>(instruction); });
         });
}

/// Whether what lanes do where they leave `loop` early may go along. Of loops that write what others see, the iterations alone were asked about.
bool may_take_tails(const llvm::Loop& loop, const Writes& writes) {
  const LoopEnd end = find_end(loop);
  if (end.tails.empty()) return true;
  if (writes.one_value || writes.own || writes.places || writes.alone || writes.least || writes.retried) return false;
  return llvm::all_of(end.tails, [](const BasicBlock* block) {
    return llvm::all_of(*block, [](const Instruction& instruction) { return may_stand_scalar(instruction, {}); });
  });
}

/// How often each lane runs `loop` again after its first iteration, in front of it; null where that is not known there.
Value* repetitions(llvm::Loop& loop, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  llvm::Loop& own = *manager.getResult<llvm::LoopAnalysis>(region).getLoopFor(loop.getHeader());
  if (!own.getLoopPreheader()) return nullptr;
  const llvm::SCEV* again = repetitions_in_front(own, evolution, manager.getResult<llvm::TargetIRAnalysis>(region));
  if (!again) return nullptr;
  Instruction& end = *own.getLoopPreheader()->getTerminator();
  llvm::IRBuilder<> builder(&end);
  return &in_32_bits(builder, emit_repetitions(*again, evolution, end));
}

/// Whether `loop` and those beside it that access the same private variables are faster so if all of them run so.
bool faster_together(const llvm::Loop& loop, const llvm::LoopInfo& loops, LoopCosts& costs) {
  llvm::SmallVector<const llvm::Loop*, 4> some = {&loop};
  for (const llvm::Loop* other : loop.getParentLoop() ? loop.getParentLoop()->getSubLoops() : loops.getTopLevelLoops())
    if (other != &loop && LoopCosts::share_memory(loop, *other) && may_scalarize(*other, {})) some.push_back(other);
  return some.size() > 1 && costs.faster_scalar(some);
}

}  // namespace

void scalarize_loops(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                     llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits,
                     const llvm::TargetMachine& machine, Analyses& analyses, const passes::PassControl& control) {
  if (control.options().scalarize_loops == passes::ScalarizeLoops::kNever) return;
  const bool always = control.options().scalarize_loops == passes::ScalarizeLoops::kAlways;
  const auto outline = [&](llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops, bool any, MayMove may_move) {
    Value* again = FlatRows::may_serve(loop, traits) ? repetitions(loop, analyses) : nullptr;
    llvm::Function* lane = outline_by_lane(region, loop, dominators, loops, analyses.uniformity(region), any, may_move);
    if (lane) {
      part_awaited_sums(*lane, target::Costs(region, machine, traits));
      choose_updates(*lane);
      if (again) tell_iterations(*llvm::cast<llvm::CallInst>(lane->user_back()), *again);
    }
    return lane != nullptr;
  };
  llvm::DenseSet<const BasicBlock*> seen, chosen, alone, parted;
  for (bool changed = true; changed;) {
    changed = false;
    llvm::DominatorTree dominators(region);
    llvm::LoopInfo loops(dominators);
    std::optional<LoopCosts> costs;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      BasicBlock* const header = loop->getHeader();
      if (!seen.insert(header).second) continue;
      const llvm::AtomicCmpXchgInst* retried = find_retried_exchange(*loop, dominators);
      const Writes writes = {.one_value = !retried && stores_one_value(*loop, region, analyses),
                             .own = !retried && stores_own_elements(*loop, region, specialization, lanes, private_stride),
                             .least = !retried && keeps_least(*loop),
                             .places = !retried && takes_own_places(*loop),
                             .retried = retried};
      if (alone.contains(header)) {
        if (!outline(*loop, dominators, loops, /*any=*/true, [](const Instruction&) { return false; })) continue;
        analyses.invalidate(region);
        changed = true;
        break;
      }
      if (!may_scalarize(*loop, writes)) {
        if (always || !may_run_alone(*loop)) continue;
        if (!costs) costs.emplace(region, specialization, lanes, private_stride, traits, machine, analyses);
        if (!costs->gains_alone(*loop)) continue;
        if (BasicBlock* copy = copy_for_several_lanes(*loop, specialization, analyses)) {
          seen.insert(copy);
          seen.erase(header);
          alone.insert(header);
          changed = true;
          break;
        }
        continue;
      }
      if (retried && test_first(*loop, *retried, loops, dominators, analyses)) {
        analyses.invalidate(region);
        changed = true;
        break;
      }
      if (!may_take_tails(*loop, writes)) continue;
      if (!always && !retried && !chosen.contains(header)) {
        if (!costs) costs.emplace(region, specialization, lanes, private_stride, traits, machine, analyses);
        if (!costs->faster_scalar(loop) && !faster_together(*loop, loops, *costs)) continue;
        const unsigned few = costs->few_iterations(*loop);
        BasicBlock* copy = few ? copy_for_few_iterations(*loop, few, analyses) : nullptr;
        if (!copy)
          if (const unsigned lanes_up_to = costs->few_lanes(*loop); lanes_up_to && lanes_up_to < abi::kWarpSize)
            copy = copy_for_many_lanes(*loop, lanes_up_to, analyses);
        if (copy) {
          seen.insert(copy);
          seen.erase(header);
          chosen.insert(header);
          changed = true;
          break;
        }
      }
      if (!retried && !FlatRows::may_serve(*loop, traits) && parted.insert(header).second) {
        const unsigned few = always ? ShortRows::any(*loop, traits, analyses) : ShortRows::few(*loop, target::Costs(region, machine, traits), traits, analyses);
        if (few) {
          ShortRows::part(*loop, few, traits, analyses);
          seen.erase(header);
          chosen.insert(header);
          changed = true;
          break;
        }
      }
      const auto may_move = [](const Instruction& store) { return may_stand_scalar(store, {}); };
      if (!outline(*loop, dominators, loops, always, may_move)) continue;
      analyses.invalidate(region);
      changed = true;
      break;
    }
  }
}

}  // namespace weft::compiler::simt
