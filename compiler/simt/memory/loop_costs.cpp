// What a loop costs a warp: side by side, or lane after lane.
//
// Cycles of one iteration of all lanes, from the table of compiler/target/costs.h. The two ways often lie apart by a factor.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cmath>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/item/dot_products.h"
#include "compiler/simt/memory/flat_rows.h"
#include "compiler/simt/memory/joined_loads.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/lane_shares.h"
#include "compiler/simt/memory/recurrence.h"
#include "compiler/simt/memory/walked_pieces.h"
#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/memory/walked_rows.h"
#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/lane_repeats.h"
#include "compiler/simt/analysis/lookup_table.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kLanes = abi::kWarpSize;
/// How often a loop runs, for want of better knowledge: where each lane leaves when it is done, over a row or a list of its own;
/// where all lanes share a count, which is a length that the program is given.
constexpr double kIterations = 16, kSharedIterations = 64;
/// Of branches on what differs from lane to lane, those that the processor does not foresee.
constexpr double kSurprises = 0.25;
/// Where one of many is looked for.
constexpr double kSurprisingOwn = 1.0 / kLanes;
/// Where each lane leaves when it is done after iterations that are easily counted: LLVM makes a main loop and one for what is left over, and neither end is
/// foreseen. Between two numbers that each lane has loaded, the beginning and the end of a row, a loop stays one.
constexpr double kEnds = 2;
/// A lane's turn: to find the next live one, take its values out of the vectors and put its results in. (Measured: a row of 0 to
/// 8 elements takes some 40 cycles, whatever is done with them, most of it the two ends.)
constexpr double kTurn = 60 * target::kScalarOperation;
/// What a row takes beside its elements where those of all lanes are one loop (flat_rows.h): to mark its end, and to take its results. (Measured on Zen 4.)
constexpr double kFlatRow = 10;
/// An atomic update of the least, which often stays, and is a comparison that the processor foresees badly.
constexpr double kUpdate = 0.5 * target::kMispredicted;
/// Iterations beyond which no row is short; and of the ends of short rows, those that are not foreseen. (Measured: of rows of 3 to 6, most; of rows
/// of 8, as corners of a mesh have, none.)
constexpr unsigned kMostFew = 32;
constexpr double kSurprisingEnds = 1.0 / 3;
/// Integers and addresses that a lane keeps from one iteration to the next before they and what is made of them go to memory and back: the
/// processor has 16 registers for them, some of which hold the addresses of tables and the count. (Measured on Zen 4: rounds of Whirlpool, 16 words of state
/// and 128 lookups in tables, take 3.4 cycles a lookup for one lane, and 1.0 of a warp's; without spills it would be 0.8.)
constexpr unsigned kCarried = 12;
constexpr double kSpilling = 4;
/// Cycles of a warp's accesses in an iteration from which on one lane alone has code of its own: so many gathers and scatters.
constexpr double kLeastAlone = 60;
/// Vectors that are loaded, or stored, for one of those that lanes a few elements apart access.
constexpr double kTogether = 4;
/// Operands of operands that are looked at for what branches make of them.
constexpr unsigned kMostSteps = 8, kMostSources = 32;
/// How much longer a warp runs than a lane does on average if lanes leave one by one: of 32 lengths between 0 and 2 n the
/// longest is 2 n * 32 / 33.
constexpr double waiting_for(double lanes) { return 2 * lanes / (lanes + 1); }
/// The same if each iteration may be the last, whatever came before, as where a text is gone through up to its end: the sum of 1 / k for k up to `lanes`.
double waiting_for_finds(double lanes) { return 0.577 + std::log(std::max(lanes, 1.5)); }

}  // namespace

struct LoopCosts::State {
  State(llvm::Function& function, const Specialization& specialization, unsigned lanes,
        llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits,
        const llvm::TargetMachine& machine, Analyses& analyses)
      : region(function),
        specialization(specialization),
        layout(function.getParent()->getDataLayout()),
        costs(function, machine, traits),
        uniformity(analyses.uniformity(function)),
        divergent(divergent_blocks(function, uniformity)),
        loops(analyses.functions().getResult<llvm::LoopAnalysis>(function)),
        dominators(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(function)),
        evolution(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(function)),
        target_info(analyses.functions().getResult<llvm::TargetIRAnalysis>(function)),
        lane_shares(uniformity, loops, dominators),
        shapes(function, specialization, lanes, private_stride),
        dot_operations(traits.byte_dots ? 2 : 7),
        traits(traits),
        joined(joined_loads(function, shapes)) {
    if (multiplies_parts_of_words(function)) dots = find_dot_products(function, shapes, traits);
  }

  /// Shapes are made for code without divergent branches: a value that those make differ has none, nor has what is computed of it.
  Shape shape(const Value& value) const {
    const Shape shape = shapes[value];
    return shape.is_affine() && branches_tell(value, kMostSteps) ? Shape::varying() : shape;
  }
  bool branches_tell(const Value& value, unsigned steps) const {
    if (shapes[value].is_uniform(shapes.lanes())) return uniformity.isDivergent(&value) && !has_divergent_source(value);
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::BinaryOperator>(value) || !steps) return false;
    return llvm::any_of(llvm::cast<Instruction>(value).operands(), [&](const Value* operand) { return branches_tell(*operand, steps - 1); });
  }
  /// Whether `value`, which LLVM takes to differ between lanes, is made of something that it takes so for itself: a local id that is the same in all of a
  /// warp, or anything that these steps do not find.
  bool has_divergent_source(const Value& value) const {
    llvm::SmallSetVector<const Value*, 16> made_of;
    made_of.insert(&value);
    for (unsigned i = 0; i < made_of.size(); ++i) {
      if (made_of.size() > kMostSources) return true;
      const auto* instruction = llvm::dyn_cast<Instruction>(made_of[i]);
      if (!instruction || !uniformity.isDivergent(instruction)) continue;
      if (llvm::isa<llvm::CallBase, llvm::LoadInst>(instruction)) return true;
      for (const Value* operand : instruction->operands()) made_of.insert(operand);
    }
    return false;
  }

  /// What is found out of a loop once: each block of a nest asks for all loops around it, on behalf of each of them.
  struct Turns {
    double iterations = 0;
    double most = 0;  ///< of few; 0: many, or not known
    bool lanes_leave = false;
    bool waits = false;  ///< for the lane with the most
  };
  const Turns& turns(const llvm::Loop& loop) const {
    const auto [known, is_new] = turns_.try_emplace(&loop);
    if (!is_new) return known->second;
    Turns& turns = known->second;
    const llvm::BasicBlock* exiting = loop.getExitingBlock();
    turns.lanes_leave = !exiting || uniformity.hasDivergentTerminator(*exiting);
    turns.waits = turns.lanes_leave && !counts_within_step(loop);
    turns.iterations = evolution.getSmallConstantTripCount(&loop);
    if (turns.iterations) return turns;
    turns.iterations = turns.lanes_leave ? std::max(1.0, kIterations / ends(loop)) : kSharedIterations;
    // Of few iterations lanes that leave one by one run a half, as for the bytes of a number.
    const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
    if (!turns.lanes_leave || !most || most > kIterations) return turns;
    turns.most = most;
    turns.iterations = std::min(turns.iterations, (turns.most + 1) / 2);
    return turns;
  }
  double iterations(const llvm::Loop& loop) const { return turns(loop).iterations; }
  /// One by one, or none knows.
  bool lanes_leave(const llvm::Loop& loop) const { return turns(loop).lanes_leave; }
  /// What `block` branches on, if it compares integers.
  static const llvm::ICmpInst* comparison_behind(const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  }
  /// Whether lanes run a loop as often, but for one iteration: they count up to a bound that they share, from places within a step, as where a group walks along
  /// a row.
  bool counts_within_step(const llvm::Loop& loop) const {
    const llvm::BasicBlock* exiting = loop.getExitingBlock();
    const llvm::ICmpInst* compared = exiting ? comparison_behind(*exiting) : nullptr;
    if (!compared) return false;
    for (const unsigned counter : {0u, 1u}) {
      const Value& bound = *compared->getOperand(1 - counter);
      const Value& count = *compared->getOperand(counter);
      if (!loop.isLoopInvariant(&bound) || !shape(bound).is_uniform(shapes.lanes())) continue;
      const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value*>(&count)));
      const auto* step = steps && steps->getLoop() == &loop ? llvm::dyn_cast<llvm::SCEVConstant>(steps->getStepRecurrence(evolution)) : nullptr;
      const Shape lanes = shape(count);
      if (step && lanes.is_affine() && step->getAPInt().abs().uge(static_cast<std::uint64_t>(std::abs(lanes.stride)) * kLanes)) return true;
    }
    return false;
  }
  /// Places to leave `loop` at, each as likely as the others to be the one. Those where a bound is reached count as one.
  static double ends(const llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    const auto found = llvm::count_if(exiting, [](const llvm::BasicBlock* block) {
      const llvm::ICmpInst* compared = comparison_behind(*block);
      return !compared || compared->isEquality();
    });
    return static_cast<double>(std::max<std::ptrdiff_t>(1, found));
  }
  /// How often what lies in `loop` runs while `outer` (null: the region) runs once.
  double times(const llvm::Loop* loop, const llvm::Loop* outer) const {
    double result = 1;
    for (; loop != outer; loop = loop->getParentLoop()) result *= iterations(*loop);
    return result;
  }

  static bool is_private(const Value& pointer) {
    if (pointer.getType()->getPointerAddressSpace() != kPrivateSpace) return false;
    const Value* object = llvm::getUnderlyingObject(&pointer, 0);
    return llvm::isa<llvm::AllocaInst>(object) || called_name(*object) == primitive::kPrivate;
  }

  /// Lines that the lanes' elements newly touch in an iteration where each lane walks on through memory of its own. A lane
  /// alone walks as the processor foresees.
  double fresh_lines(const Instruction& access, const llvm::Loop& loop) const {
    const auto* address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        evolution.getSCEV(const_cast<Value*>(llvm::getLoadStorePointerOperand(&access))));
    if (!address || address->getLoop() != &loop) return 0;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution));
    if (!step) return 0;
    return kLanes * std::min(1.0, step->getAPInt().abs().roundToDouble() / target::kLineBytes);
  }

  /// Whether the warp reads pieces of its lanes' rows (walked_rows.h), and what that takes in an iteration.
  bool reads_pieces(const Instruction& access, const llvm::Loop& loop) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
    return load && may_read_ahead(loop, evolution) && !uniformity.hasDivergentTerminator(*loop.getLoopLatch()) &&
           walks_along(*load, loop, evolution);
  }
  double pieces(llvm::Type& type) const {
    return kLanes * target::kPieceOfLane * static_cast<double>(layout.getTypeStoreSize(&type).getFixedValue()) / kRowPiece;
  }

  /// Cycles of a load that permutations do (widen/memory/table_permutes.cpp); none if they do not.
  std::optional<double> looks_up(const Instruction& access) const {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access);
    if (!load || !traits.byte_permutes || load->getType()->isVectorTy() || load->getType()->isPointerTy()) return std::nullopt;
    const std::uint64_t bits = layout.getTypeSizeInBits(load->getType());
    if (bits != 8 && bits != 16 && bits != 32) return std::nullopt;
    const auto table = find_lookup_table(*const_cast<Value*>(load->getPointerOperand()), static_cast<unsigned>(bits), layout,
                                         [&](const Value& value) { return shape(value).is_uniform(shapes.lanes()); });
    if (!table) return std::nullopt;
    return static_cast<double>(lookup_operations(table->entries, static_cast<unsigned>(bits / 8), kLanes)) / target::kVectorsEachCycle;
  }

  /// An access of a warp, a private variable's lanes lying side by side where that serves.
  double beside(const Instruction& access, const llvm::Loop* loop) const {
    const Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    llvm::Type& type = *llvm::getLoadStoreType(const_cast<Instruction*>(&access));
    const auto scattered = [&] {
      // Lanes that repeat are loaded once.
      const unsigned different = llvm::isa<llvm::LoadInst>(access) ? std::min(kLanes, repeats_after(pointer, shapes, specialization)) : kLanes;
      if (const auto word = joined.find(&access); word != joined.end())
        return costs.scattered(access, different) / word->second + costs.registers(type, kLanes);
      if (different < kLanes && shape(pointer).is_affine()) return costs.scattered(access, different) + costs.registers(type, kLanes);
      const double lines = loop && !is_private(pointer) ? fresh_lines(access, *loop) : 0;
      if (loop && reads_pieces(access, *loop)) return pieces(type) + lines * target::kFreshLine;
      return scatter(access) + lines * target::kFreshLine;
    };
    const Shape shape = this->shape(pointer);
    if (shape.is_uniform(shapes.lanes())) return 1;
    if (!shape.is_affine()) return looks_up(access).value_or(scattered());
    const double registers = costs.registers(type, kLanes);
    if (is_private(pointer)) return registers;
    const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(&type));
    const std::int64_t step = std::abs(shape.stride);
    if (step <= bytes) return registers + kLanes / shape.segment;
    return step <= 8 * bytes ? kTogether * registers : scattered();
  }

  /// Whether all lanes load 16 bytes each.
  bool loads_pieces(const Instruction& access) const {
    const auto* type = llvm::isa<llvm::LoadInst>(access) ? llvm::dyn_cast<llvm::FixedVectorType>(access.getType()) : nullptr;
    return type && layout.getTypeSizeInBits(const_cast<llvm::FixedVectorType*>(type)) == 8 * kRowPiece && type->getScalarSizeInBits() >= 32 &&
           !asked_volatile(access) && !divergent.contains(access.getParent());
  }

  /// Of narrow elements each lane's bit of the mask is tested first.
  double scatter(const Instruction& access) const {
    if (loads_pieces(access)) return kLanes * target::kPieceByLane;
    const double all = costs.scattered(access, kLanes);
    return llvm::isa<llvm::StoreInst>(access) && divergent.contains(access.getParent()) ? std::max(all, kLanes * target::kElementByLane) : all;
  }

  /// Components of an OpenCL vector that anything is made of: a warp computes no others.
  std::uint64_t components_used(const Value& vector) const {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(vector.getType());
    if (!type) return 1;
    const std::uint64_t all = llvm::maskTrailingOnes<std::uint64_t>(type->getNumElements());
    const auto [known, is_new] = used.try_emplace(&vector, 0);
    if (!is_new) return known->second;
    std::uint64_t result = 0;
    for (const llvm::User* user : vector.users()) {
      if (result == all) break;
      if (const auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(user)) {
        const auto* index = llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand());
        result |= index ? std::uint64_t{1} << (index->getZExtValue() & 63) : all;
      } else if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user)) {
        const std::uint64_t of_both = components_used(*shuffle);
        const int count = static_cast<int>(type->getNumElements());
        for (const auto [to, from] : llvm::enumerate(shuffle->getShuffleMask()))
          if (from >= 0 && of_both >> to & 1 && shuffle->getOperand(from >= count ? 1 : 0) == &vector) result |= std::uint64_t{1} << (from % count);
      } else if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::PHINode,
                           llvm::InsertElementInst, llvm::FreezeInst, llvm::IntrinsicInst>(user) &&
                 llvm::isa<llvm::FixedVectorType>(user->getType()) &&
                 llvm::cast<llvm::FixedVectorType>(user->getType())->getNumElements() == type->getNumElements()) {
        result |= components_used(*user);
      } else {
        result = all;
      }
    }
    return used[&vector] = result & all;
  }
  double wide(const Instruction& instruction) const {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    const double cost = costs.wide(instruction, kLanes);
    return type && type->getNumElements() <= 16 ? cost * llvm::popcount(components_used(instruction)) / type->getNumElements() : cost;
  }

  /// How often `load`, in the innermost `loop`, would be made again from one address in loops that run it in every iteration. They write private
  /// memory alone, or would not be asked about: LLVM moves what widening makes of it in front of them.
  double repetitions(const Instruction& load, const llvm::Loop& loop, const llvm::Loop& outermost) const {
    const auto* address = evolution.getSCEV(const_cast<Value*>(llvm::getLoadStorePointerOperand(&load)));
    double times = 1;
    for (const llvm::Loop* around = &loop;; around = around->getParentLoop()) {
      const llvm::BasicBlock* latch = around->getLoopLatch();
      if (!latch || !dominators.dominates(load.getParent(), latch) || !evolution.isLoopInvariant(address, around)) return times;
      times *= iterations(*around);
      if (around == &outermost) return times;
    }
  }

  double beside_all(const Instruction& instruction, const llvm::Loop& loop, const llvm::Loop& outermost) const {
    if (llvm::isa<llvm::AtomicRMWInst>(instruction)) return kLanes * (kUpdate + target::kElementByLane);
    if (llvm::isa<llvm::StoreInst>(instruction)) return beside(instruction, &loop);
    if (llvm::isa<llvm::LoadInst>(instruction)) {
      const double cost = beside(instruction, &loop);
      const double once = costs.registers(*instruction.getType(), kLanes);
      if (cost <= once || is_private(*llvm::getLoadStorePointerOperand(&instruction))) return cost;
      return once + (cost - once) / repetitions(instruction, loop, outermost);
    }
    if (instruction.isTerminator()) return 1;
    if (const auto dot = dots.find(&instruction); dot != dots.end())
      return dot->second * dot_operations * costs.registers(*instruction.getType(), kLanes) / target::kVectorsEachCycle;
    return shape(instruction).is_varying() ? wide(instruction) : costs.scalar(instruction);
  }

  double one_lane(const Instruction& instruction, const llvm::Loop& loop) const {
    if (llvm::isa<llvm::AtomicRMWInst>(instruction)) return kUpdate;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      // Where a warp reads one line for all, each lane reads it again, if it has not just done so.
      const Shape shape = this->shape(*load->getPointerOperand());
      const bool together = shape.is_affine() && shape.stride != 0 && !is_private(*load->getPointerOperand()) &&
                            !loop.isLoopInvariant(load->getPointerOperand());
      return target::kScalarLoad + (together && std::abs(shape.stride) <= 16 ? target::kFreshLine : 0);
    }
    return llvm::isa<llvm::StoreInst>(instruction) ? target::kScalarStore : costs.scalar(instruction);
  }

  /// Blocks in front of `loop` whose stores go with it.
  static bool leads_to(const llvm::BasicBlock& block, const llvm::Loop& loop) {
    return llvm::any_of(llvm::predecessors(loop.getHeader()), [&](const llvm::BasicBlock* before) {
      return !loop.contains(before) && (before == &block || before->getSinglePredecessor() == &block);
    });
  }

  using Objects = llvm::SmallPtrSet<const Value*, 8>;
  /// The private arrays that `loop` accesses.
  static void add_objects(const llvm::Loop& loop, Objects& objects) {
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block)
        if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && is_private(*pointer))
          objects.insert(llvm::getUnderlyingObject(pointer, 0));
  }

  /// Accesses outside of `some` to their private arrays, which no longer lie side by side.
  double others(llvm::ArrayRef<const llvm::Loop*> some) const {
    Objects objects;
    for (const llvm::Loop* loop : some) add_objects(*loop, objects);
    double sum = 0;
    for (const Instruction& instruction : llvm::instructions(region)) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !is_private(*pointer) || !objects.contains(llvm::getUnderlyingObject(pointer, 0))) continue;
      const bool goes_along = llvm::any_of(some, [&](const llvm::Loop* loop) {
        return loop->contains(&instruction) || (llvm::isa<llvm::StoreInst>(instruction) && leads_to(*instruction.getParent(), *loop));
      });
      if (goes_along) continue;
      const double lost = costs.scattered(instruction, kLanes) - beside(instruction, nullptr);
      if (lost > 0) sum += lost * times(loops.getLoopFor(instruction.getParent()), nullptr);
    }
    return sum;
  }

  /// A lane's guess that goes wrong at the end of `block`.
  double surprises(const llvm::BasicBlock& block, const llvm::Loop& inner) const {
    if (block.getTerminator()->getNumSuccessors() < 2 || !uniformity.hasDivergentTerminator(block)) return 0;
    if (!inner.isLoopExiting(&block)) {
      const bool is_rare = lane_shares.asks_for_own_number(block, [this](const Value& value) { return shape(value); });
      return (is_rare ? kSurprisingOwn : kSurprises) * target::kMispredicted;
    }
    if (FlatRows::may_serve(inner, traits)) return 0;
    return (inner.isInnermost() && counts_cheaply(inner, evolution, target_info) ? kEnds : 1) / ends(inner) / iterations(inner) * target::kMispredicted;
  }

  /// Whether `pointer` leads to one element after the other, but for an index that may wrap around.
  bool steps_along(const Value& pointer, const llvm::Loop& loop) const {
    const llvm::SCEV* address = evolution.getSCEV(const_cast<Value*>(&pointer));
    const auto steps = [&](const llvm::SCEV* part) {
      const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
      return progression && progression->getLoop() == &loop && llvm::isa<llvm::SCEVConstant>(progression->getStepRecurrence(evolution));
    };
    const auto cuts = [&](const llvm::SCEV* part) {
      return llvm::isa<llvm::SCEVTruncateExpr, llvm::SCEVUDivExpr>(part) && llvm::SCEVExprContains(part, steps);
    };
    return llvm::SCEVExprContains(address, steps) && !llvm::SCEVExprContains(address, cuts);
  }

  /// Whether `loop` reads one element after the other of what each lane has, until one tells that it is the last. Where others end it as well, the
  /// first of several comes sooner, and a lane of its own foresees neither.
  bool looks_for_end(const llvm::Loop& loop) const {
    if (!loop.isInnermost()) return false;
    if (const llvm::BasicBlock* exiting = loop.getExitingBlock()) return asks_what_follows(*exiting->getTerminator(), loop);
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) { return leaves_where_equal(*block, loop) && asks_what_follows(*block->getTerminator(), loop); });
  }

  /// Whether `block` leaves `loop` with what it looks for, where others leave it at a bound: not where it leaves with the first difference, which is near more often.
  static bool leaves_where_equal(const llvm::BasicBlock& block, const llvm::Loop& loop) {
    const llvm::ICmpInst* compared = comparison_behind(block);
    return compared && compared->isEquality() && !loop.contains(block.getTerminator()->getSuccessor(compared->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1));
  }

  bool asks_what_follows(const Instruction& branch, const llvm::Loop& loop) const {
    llvm::SmallSetVector<const Value*, 8> made_of;
    made_of.insert(&branch);
    for (unsigned i = 0; i < made_of.size() && i < kMostSources; ++i) {
      const auto* instruction = llvm::dyn_cast<Instruction>(made_of[i]);
      if (!instruction || !loop.contains(instruction) || llvm::isa<llvm::PHINode>(instruction)) continue;
      if (llvm::isa<llvm::LoadInst>(instruction)) {
        const Value& pointer = *llvm::getLoadStorePointerOperand(instruction);
        const Shape lanes = shape(pointer);
        if ((lanes.is_varying() || (lanes.is_affine() && std::abs(lanes.stride) > kRowPiece)) && steps_along(pointer, loop)) return true;
        continue;
      }
      for (const Value* operand : instruction->operand_values()) made_of.insert(operand);
    }
    return false;
  }

  /// Cycles in an iteration of the innermost `loop` for what all lanes keep from one to the next beyond what the vector registers hold: each is loaded
  /// and stored again. Sums of several OpenCL vectors a lane, as filters of many channels have them, are the more part of such.
  double carried_in_memory(const llvm::Loop& loop) const {
    if (!loop.isInnermost()) return 0;
    double carried = target::kTemporaryRegisters;
    for (const llvm::PHINode& phi : loop.getHeader()->phis())
      if (shape(phi).is_varying()) carried += costs.registers(*phi.getType(), kLanes);
    return std::max(0.0, carried - traits.registers) * target::kSpilledBit * traits.register_bits;
  }

  /// How much longer a lane's code takes for the values that the registers do not hold.
  static double spilling(const llvm::Loop& loop) {
    const auto carried = llvm::count_if(loop.getHeader()->phis(), [](const llvm::PHINode& phi) { return phi.getType()->isIntOrPtrTy(); });
    return carried > kCarried ? kSpilling : 1;
  }

  /// How many lanes can run at once where each lane alone would wait for what it has stored itself (widen/lanes_beside.h, which has the last word).
  unsigned lanes_at_once(const llvm::Loop& loop) const {
    Objects stored, loaded;
    llvm::SmallPtrSet<const Value*, 16> varying;
    for (const llvm::BasicBlock* block : loop.blocks()) {
      if (uniformity.hasDivergentTerminator(*block)) return 1;
      for (const Instruction& instruction : *block) {
        if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && is_private(*pointer))
          (llvm::isa<llvm::StoreInst>(instruction) ? stored : loaded).insert(llvm::getUnderlyingObject(pointer, 0));
        if (llvm::isa<llvm::PHINode>(instruction) && uniformity.isDivergent(&instruction)) varying.insert(&instruction);
        for (const Value* operand : instruction.operands())
          if (loop.isLoopInvariant(operand) && !llvm::isa<llvm::Constant>(operand) && uniformity.isDivergent(operand)) varying.insert(operand);
      }
    }
    if (llvm::none_of(stored, [&](const Value* object) { return loaded.contains(object); })) return 1;
    return std::clamp(kMostValuesBeside / std::max(1u, varying.size()), 1u, kMostLanesBeside);
  }

  /// Of `loop`, whose number of iterations is known in front of it, as LoopCosts has it.
  unsigned few_iterations(const llvm::Loop& loop) const {
    Objects objects;
    add_objects(loop, objects);
    if (!loop.isInnermost() || !lanes_leave(loop) || !objects.empty()) return 0;
    double warp = 0, lane = target::kScalarOperation;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block) {
        warp += beside_all(instruction, loop, loop);
        lane += one_lane(instruction, loop);
      }
    // Where lanes leave one by one, they have but a part of the iterations that the longest has.
    const double live = lane_shares.live_lanes(loop, [this](const Value& value) { return shape(value); });
    const double turn = FlatRows::may_serve(loop, traits) ? kFlatRow : kTurn + kSurprisingEnds * target::kMispredicted;
    const double turns = live * turn, more = warp - live * lane / waiting_for(live);
    return more * kMostFew <= turns ? kMostFew : static_cast<unsigned>(turns / more);
  }

  /// Of a loop behind a condition that lanes meet each for themselves: with as much to gather and scatter that asking how many they are is little beside it.
  bool gains_alone(const llvm::Loop& loop) const {
    if (lane_shares.live_lanes(loop, [this](const Value& value) { return shape(value); }) >= kLanes) return false;
    double warp = 0;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const Instruction& instruction : *block)
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) warp += beside(instruction, &loop);
    return warp >= kLeastAlone;
  }

  /// What each lane has to compute for itself. Numbers that make an address hide behind the access.
  double arithmetic(const Instruction& instruction, bool is_scattered) const {
    if (!shape(instruction).is_varying()) return 0;
    if (const auto* component = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(component->getIndexOperand());
      return index && index->isZero() ? 0 : target::kScalarShuffle;
    }
    if (instruction.getType()->isVectorTy()) return vector_arithmetic(instruction);
    if (!llvm::isa<llvm::BinaryOperator, llvm::IntrinsicInst>(instruction)) return 0;
    if (instruction.getType()->isFloatingPointTy()) return target::kScalarFloat;
    return instruction.getType()->isIntegerTy() && !is_scattered ? target::kScalarInteger : 0;
  }
  /// The same of an OpenCL vector.
  double vector_arithmetic(const Instruction& instruction) const {
    if (llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction)) return target::kScalarShuffle;
    if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::IntrinsicInst, llvm::CastInst>(instruction)) return 0;
    return costs.registers(*instruction.getType(), 1) * (instruction.getType()->isFPOrFPVectorTy() ? target::kScalarFloat : target::kScalarInteger);
  }
  /// Whether lanes access memory in all directions in `loop`.
  bool is_scattered(const llvm::Loop& loop) const {
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const Instruction& instruction) {
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        return pointer && (is_private(*pointer) || shape(*pointer).is_varying());
      });
    });
  }

  /// Cycles of a warp for each time that the region runs.
  struct Ways {
    double side_by_side = 0, lane_after_lane = 0;
  };
  Ways weigh(const llvm::Loop& loop) const {
    return weigh(loop, lane_shares.live_lanes(loop, [this](const Value& value) { return shape(value); }));
  }
  Ways weigh(const llvm::Loop& loop, double live) const {
    const bool is_flat = FlatRows::may_serve(loop, traits);
    double warp = 0, lane = (is_flat ? kFlatRow : kTurn) / iterations(loop), computed = 0;
    const bool is_scattered = this->is_scattered(loop);
    const llvm::DenseMap<const llvm::BasicBlock*, double> share = lane_shares.of_blocks(loop, [this](const Value& value) { return shape(value); });
    for (const llvm::BasicBlock* block : loop.blocks()) {
      const llvm::Loop& inner = *loops.getLoopFor(block);
      double block_warp = inner.getHeader() == block ? carried_in_memory(inner) : 0, block_lane = surprises(*block, inner);
      for (const Instruction& instruction : *block) {
        if (const auto* note = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); note && note->isAssumeLikeIntrinsic()) continue;
        block_warp += beside_all(instruction, inner, loop);
        block_lane += one_lane(instruction, inner);
        computed += times(&inner, &loop) * share.lookup(block) * arithmetic(instruction, is_scattered);
      }
      bool waits = false;
      for (const llvm::Loop* around = &inner; around; around = around == &loop ? nullptr : around->getParentLoop())
        waits |= turns(*around).waits;
      double waiting = !waits ? 1 : looks_for_end(inner) ? waiting_for_finds(live) : waiting_for(live);
      if (const Turns& own = turns(inner); own.most) waiting = std::min(waiting, own.most / own.iterations);
      if (inner.getHeader() == block) block_lane += target::kScalarOperation;  // the jump back
      // Of a warp's lanes one alone has to get there, but they go together more often than chance would have it: an interpreter's have one program.
      warp += times(&inner, &loop) * std::sqrt(share.lookup(block)) * block_warp * waiting;
      lane += times(&inner, &loop) * share.lookup(block) * block_lane * spilling(inner);
    }
    llvm::SmallVector<const llvm::Loop*, 4> nest = {&loop};
    double recurrences = 0;
    for (std::size_t i = 0; i < nest.size(); ++i) {
      nest.append(nest[i]->begin(), nest[i]->end());
      if (nest[i]->isInnermost()) recurrences += times(nest[i], &loop) * recurrence_cycles(*nest[i], costs);
    }
    const double all = times(&loop, nullptr);
    return {.side_by_side = all * warp, .lane_after_lane = all * live * std::max({lane, computed, recurrences / lanes_at_once(loop)})};
  }

  /// Of 32 lanes that come to `loop` those up to which one after the other is faster; 32 if all are.
  unsigned few_lanes(const llvm::Loop& loop) const {
    unsigned least = 0, most = kLanes;
    while (least < most) {
      const unsigned lanes = (least + most + 1) / 2;
      const Ways ways = weigh(loop, lanes);
      if (ways.lane_after_lane <= ways.side_by_side)
        least = lanes;
      else
        most = lanes - 1;
    }
    return least;
  }

  /// Whether anything in `loop` takes a warp longer than a lane's part times its lanes: accesses that lie apart, divisions, calls, numbers that no register
  /// has. Of other arithmetic a register never takes as long as its lanes one by one, which LLVM's tables, of the slowest processor of a set of instructions,
  /// do not tell.
  bool has_what_lanes_do_better(const llvm::Loop& loop) const {
    const auto is_better = [&](const Instruction& instruction, const llvm::Loop& inner) {
      llvm::Type& type = *instruction.getType();
      if (instruction.isAtomic() || type.isVectorTy() || instruction.isIntDivRem()) return true;
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
        return beside(instruction, &inner) > kTogether * costs.registers(*llvm::getLoadStoreType(const_cast<Instruction*>(&instruction)), kLanes);
      if (llvm::isa<llvm::CallInst>(instruction)) return !llvm::isa<llvm::IntrinsicInst>(instruction);
      return type.isIntegerTy() && type.getIntegerBitWidth() > 64;
    };
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const Instruction& instruction) { return is_better(instruction, *loops.getLoopFor(block)); });
    });
  }

  bool faster(llvm::ArrayRef<const llvm::Loop*> some) const {
    if (llvm::none_of(some, [&](const llvm::Loop* loop) { return has_what_lanes_do_better(*loop); })) return false;
    double gain = -others(some);
    for (const llvm::Loop* loop : some) {
      const Ways ways = weigh(*loop);
      gain += ways.side_by_side - ways.lane_after_lane;
    }
    return gain > 0;
  }

  llvm::Function& region;
  const Specialization& specialization;
  const llvm::DataLayout& layout;
  target::Costs costs;
  llvm::UniformityInfo& uniformity;
  const DivergentBlocks divergent;
  const llvm::LoopInfo& loops;  ///< as `evolution` knows them
  const llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
  const llvm::TargetTransformInfo& target_info;
  const LaneShares lane_shares;
  Shapes shapes;
  llvm::DenseMap<const Instruction*, unsigned> dots;  ///< find_dot_products
  const unsigned dot_operations;                      ///< of each, on a register (widen/dot_product.h)
  const VectorTraits& traits;
  const llvm::DenseMap<const Instruction*, unsigned> joined;  ///< joined_loads.h
  mutable llvm::DenseMap<const Value*, std::uint64_t> used;  ///< components, a bit each
  mutable llvm::DenseMap<const llvm::Loop*, Turns> turns_;
};

LoopCosts::LoopCosts(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                     llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits, const llvm::TargetMachine& machine, Analyses& analyses)
    : state_(std::make_unique<State>(region, specialization, lanes, private_stride, traits, machine, analyses)) {}

LoopCosts::~LoopCosts() = default;

bool LoopCosts::faster_scalar(llvm::ArrayRef<const llvm::Loop*> some) {
  // As the costs' own analyses know them.
  llvm::SmallVector<const llvm::Loop*, 4> own;
  for (const llvm::Loop* loop : some) own.push_back(state_->loops.getLoopFor(loop->getHeader()));
  return state_->faster(own);
}

unsigned LoopCosts::few_iterations(const llvm::Loop& loop) { return state_->few_iterations(*state_->loops.getLoopFor(loop.getHeader())); }

unsigned LoopCosts::few_lanes(const llvm::Loop& loop) {
  const llvm::Loop& own = *state_->loops.getLoopFor(loop.getHeader());
  State::Objects objects;
  State::add_objects(own, objects);
  return own.isInnermost() && objects.empty() ? state_->few_lanes(own) : 0;
}

bool LoopCosts::gains_alone(const llvm::Loop& loop) { return state_->gains_alone(*state_->loops.getLoopFor(loop.getHeader())); }

bool LoopCosts::share_memory(const llvm::Loop& loop, const llvm::Loop& other) {
  State::Objects objects, others;
  State::add_objects(loop, objects);
  State::add_objects(other, others);
  return llvm::any_of(objects, [&](const Value* object) { return others.contains(object); });
}

}  // namespace weft::compiler::simt
