#include "compiler/simt/memory/turned_rows.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <cstdlib>
#include <optional>

#include "compiler/simt/analysis/row_places.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/by_lane.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/region_loops.h"
#include "compiler/simt/memory/walked_pieces.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Iterations that are worth a turn of each lane. (Measured on Zen 4: rows of 32 floats, scaled in place, take as long either way.)
constexpr std::uint64_t kFewest = 48;
/// As many as make no row longer than an address space.
constexpr std::uint64_t kMostIterations = std::uint64_t{1} << 32;
/// Accesses of a loop: each is compared with each.
constexpr std::size_t kMostAccesses = 12;

/// A load or store of shared memory, which every iteration runs, or some of them: what is asked of places, is asked of all.
struct TurnedAccess {
  Instruction* instruction = nullptr;
  RowPlace place;
  std::int64_t bytes = 0;
  bool differs = false;  ///< between lanes
  bool is_store() const { return llvm::isa<llvm::StoreInst>(instruction); }
  Value* pointer() const { return llvm::getLoadStorePointerOperand(instruction); }
};

/// What a lane accesses in all iterations, as integers.
struct Range {
  Value *begin = nullptr, *end = nullptr;
};

class TurnedRows : RegionLoops {
 public:
  using RegionLoops::RegionLoops;

  /// Of the loops that all lanes leave together, or of those that they leave one by one.
  llvm::SmallVector<llvm::Function*, 2> run(bool lanes_leave) {
    lanes_leave_ = lanes_leave;
    llvm::SmallVector<BasicBlock*, 4> headers;
    for (llvm::Loop* loop : loops().getLoopsInPreorder())
      if (may_take(*loop)) headers.push_back(loop->getHeader());
    llvm::SmallVector<llvm::Function*, 2> turned;
    for (BasicBlock* header : headers)
      if (llvm::Function* function = take(*header)) turned.push_back(function);
    return turned;
  }

 private:
  static bool is_shared(const Instruction& access) {
    const unsigned space = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
    return space == kGlobalSpace || space == kConstantSpace;
  }

  /// What one lane does alone as well, and LLVM on vectors.
  static bool may_stand(Instruction& instruction) {
    if (is_note(instruction)) return true;
    const llvm::Type* type = instruction.getType();
    if (type->isVectorTy() || type->isAggregateType()) return false;
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
      return is_shared(instruction) && !instruction.isAtomic() && !asked_volatile(instruction) &&
             !llvm::getLoadStoreType(&instruction)->isVectorTy() && !llvm::getLoadStoreType(&instruction)->isPointerTy();
    if (is_arithmetic_primitive(instruction)) return true;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      return intrinsic && llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
    }
    return !instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::SwitchInst>(instruction);
  }

  /// Innermost, of a known number of iterations that depend on nothing but their number, and leaves nothing but what it stores.
  bool may_take(llvm::Loop& loop) {
    if (!may_take_pieces(loop, evolution()) || !loop.getLoopPredecessor() || !loop.getUniqueExitBlock()) return false;
    const unsigned known = evolution().getSmallConstantTripCount(&loop);
    if (known && known < kFewest) return false;
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      const auto* counter = evolution().isSCEVable(phi.getType()) ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution().getSCEV(&phi)) : nullptr;
      if (!counter || counter->getLoop() != &loop || !counter->isAffine()) return false;
    }
    bool stores = false;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (!may_stand(instruction)) return false;
        stores |= llvm::isa<llvm::StoreInst>(instruction);
        if (llvm::any_of(instruction.users(), [&](const llvm::User* user) { return !loop.contains(llvm::cast<Instruction>(user)); })) return false;
      }
    return stores;
  }

  llvm::Function* take(BasicBlock& header) {
    llvm::Loop* loop = loops().getLoopFor(&header);
    if (analyses_.uniformity(region_).hasDivergentTerminator(*loop->getLoopLatch()) != lanes_leave_) return nullptr;
    auto accesses = accesses_of(*loop);
    if (!accesses) return nullptr;
    const llvm::SCEV* repetitions = repetitions_in_front(*loop, evolution(), manager_.getResult<llvm::TargetIRAnalysis>(region_));
    if (!repetitions) return nullptr;
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    if (llvm::any_of(*accesses, [&](const TurnedAccess& access) { return access.is_store() && !lies_far(access, shapes); })) return nullptr;
    Assumed assumed;
    LaneSteps steps(shapes, analyses_.uniformity(region_), loops(), *loop, &assumed);
    llvm::SmallVector<std::optional<LaneStep>, 16> lane_steps;
    for (const TurnedAccess& access : *accesses) {
      lane_steps.push_back(steps.of(access.place));
      if (!lane_steps.back() && has_rivals(access, *accesses)) return nullptr;
      if (access.is_store() && llvm::any_of(*accesses, [&](const TurnedAccess& other) { return &access != &other && waits_for(other, access); })) return nullptr;
    }

    llvm::simplifyLoop(loop, &dominators(), &loops(), &evolution(), nullptr, nullptr, /*PreserveLCSSA=*/false);
    Instruction& end = *loop->getLoopPreheader()->getTerminator();
    llvm::IRBuilder<> builder(&end);
    Value* again = builder.CreateZExtOrTrunc(&emit_repetitions(*repetitions, evolution(), end), builder.getInt64Ty());
    Value* lanes_agree = lanes_leave_ ? builder.CreateICmpULT(again, builder.getInt64(kMostIterations)) : builder.getTrue();
    Value* condition = lanes_leave_ ? any_has(*builder.CreateICmpUGE(again, builder.getInt64(kFewest - 1)), builder)
                                   : builder.CreateICmpULT(builder.CreateSub(again, builder.getInt64(kFewest - 1)), builder.getInt64(kMostIterations), "are.many");
    lanes_agree = builder.CreateAnd(lanes_agree, assumed.emit(builder));
    for (std::size_t i = 0; i < accesses->size(); ++i) {
      const TurnedAccess& store = (*accesses)[i];
      if (!store.is_store()) continue;
      Range own = range_of(store, *again, builder);
      Range all = own;
      Value* step = lane_steps[i]->emit(builder);
      for (std::size_t j = 0; j < accesses->size(); ++j) {
        const TurnedAccess& other = (*accesses)[j];
        if (i == j || !may_meet(*store.instruction, *other.instruction)) continue;
        const Range range = range_of(other, *again, builder);
        const bool in_order = reads_before_write(store, other);
        if (!in_order) lanes_agree = builder.CreateAnd(lanes_agree, apart(own, range, builder));
        if (!other.differs) continue;
        condition = builder.CreateAnd(condition, builder.CreateICmpEQ(step, lane_steps[j]->emit(builder)));
        all.begin = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, all.begin, range.begin);
        all.end = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, all.end, range.end);
      }
      Value* distance = builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, step, builder.getFalse());
      lanes_agree = builder.CreateAnd(lanes_agree, builder.CreateICmpULE(builder.CreateSub(all.end, all.begin), distance));
    }
    if (!llvm::isa<llvm::ConstantInt>(lanes_agree)) {
      const auto vote = region_.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
      condition = builder.CreateAnd(condition, builder.CreateCall(vote, lanes_agree, "apart"), "turns");
    }
    copy_loop(*loop, *condition, "side.by.side", analyses_);
    loop = loops().getLoopFor(&header);
    mark_parallel(*loop);
    llvm::Function* function = outline_by_lane(region_, *loop, dominators(), loops(), analyses_.uniformity(region_), false,
                                               [](const Instruction&) { return false; });
    analyses_.invalidate(region_);
    return function;
  }

  /// Of shared memory; none where one of them goes another way than along a row.
  std::optional<llvm::SmallVector<TurnedAccess, 16>> accesses_of(llvm::Loop& loop) {
    const llvm::DataLayout& layout = region_.getParent()->getDataLayout();
    llvm::SmallVector<TurnedAccess, 16> accesses;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) continue;
        TurnedAccess access;
        access.instruction = &instruction;
        auto place = row_place(*access.pointer(), loop, evolution());
        access.bytes = bytes_in_rows(*llvm::getLoadStoreType(&instruction), layout);
        if (!place || !place->is_even(loop) || !access.bytes) return std::nullopt;
        access.place = std::move(*place);
        access.differs = analyses_.uniformity(region_).isDivergent(access.pointer());
        const bool walks = std::abs(access.place.step) == access.bytes;
        if (!walks && (access.is_store() || access.place.step != 0)) return std::nullopt;
        accesses.push_back(std::move(access));
      }
    if (accesses.size() > kMostAccesses) return std::nullopt;
    return accesses;
  }

  /// Lanes that lie side by side are vectors as they are; what all of them store in one place, only one of them need.
  static bool lies_far(const TurnedAccess& store, const Shapes& shapes) {
    const Shape shape = shapes[*store.pointer()];
    return store.differs && !(shape.is_affine() && std::abs(shape.stride) <= kNearLanes * store.bytes);
  }

  static bool has_rivals(const TurnedAccess& access, llvm::ArrayRef<TurnedAccess> accesses) {
    return llvm::any_of(accesses, [&](const TurnedAccess& other) {
      if (!access.is_store() && !other.is_store()) return false;
      if (&access == &other) return access.is_store();
      return may_meet(*access.instruction, *other.instruction);
    });
  }

  /// Whether a lane accesses by `other` what it stores in another iteration, or in front in the same one.
  bool waits_for(const TurnedAccess& other, const TurnedAccess& store) {
    return may_meet(*store.instruction, *other.instruction) && other.place.behind(store.place) && !reads_before_write(store, other);
  }

  /// Whether of one lane's own no iteration loads what it, or one before, has stored: some iterations together may load before they store.
  bool reads_before_write(const TurnedAccess& store, const TurnedAccess& load) {
    if (load.is_store() || store.bytes != load.bytes || !comes_first(*load.instruction, *store.instruction)) return false;
    const auto distance = load.place.behind(store.place);
    return distance && (*distance == 0 || (*distance > 0) == (store.place.step > 0));
  }

  /// Whether no iteration comes from `later` to `first`, in one loop.
  bool comes_first(const Instruction& first, const Instruction& later) {
    if (dominators().dominates(&first, &later)) return true;
    llvm::SmallPtrSet<BasicBlock*, 1> others = {loops().getLoopFor(first.getParent())->getHeader()};
    return !llvm::isPotentiallyReachable(&later, &first, &others, &dominators());
  }

  /// LLVM need not ask again what was asked in front of the loop, nor could it answer all of it.
  static void mark_parallel(llvm::Loop& loop) {
    llvm::LLVMContext& context = loop.getHeader()->getContext();
    llvm::MDNode* group = llvm::MDNode::getDistinct(context, {});
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block)
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    llvm::MDNode* accesses = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, accesses});
    id->replaceOperandWith(0, id);
    loop.setLoopID(id);
  }

  static Range range_of(const TurnedAccess& access, Value& again, llvm::IRBuilder<>& builder) {
    Value* first = builder.CreatePtrToInt(access.place.emit_first(builder), builder.getInt64Ty());
    Value* last = builder.CreateAdd(first, builder.CreateMul(&again, builder.getInt64(static_cast<std::uint64_t>(access.place.step))));
    if (access.place.step < 0) std::swap(first, last);
    return {first, builder.CreateAdd(last, builder.getInt64(static_cast<std::uint64_t>(access.bytes)))};
  }

  /// Whether a lane that comes to the loop has `is_so`.
  Value* any_has(Value& is_so, llvm::IRBuilder<>& builder) {
    const auto vote = region_.getParent()->getOrInsertFunction(primitive::kAny, builder.getInt1Ty(), builder.getInt1Ty());
    return builder.CreateCall(vote, &is_so, "are.many");
  }

  static Value* apart(const Range& a, const Range& b, llvm::IRBuilder<>& builder) {
    return builder.CreateOr(builder.CreateICmpULE(a.end, b.begin), builder.CreateICmpULE(b.end, a.begin));
  }

  bool lanes_leave_ = false;
};

}  // namespace

llvm::SmallVector<llvm::Function*, 2> turn_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                                llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  return TurnedRows(region, specialization, lanes, private_stride, analyses).run(false);
}

llvm::SmallVector<llvm::Function*, 2> turn_chunks(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                                  llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  return TurnedRows(region, specialization, lanes, private_stride, analyses).run(true);
}

}  // namespace weft::compiler::simt
