#include "compiler/simt/item/moving_windows.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

/// Shorter ones move in a few instructions.
constexpr std::uint64_t kFewestElements = 16;
/// What a window may take of private memory: of one work-item, or of each of a warp's.
constexpr std::uint64_t kMostBytesOfOne = 256 << 10, kMostBytesOfMany = 8 << 10;

/// A loop that moves all elements of an array by one place.
struct Shift {
  llvm::Loop* loop;
  llvm::LoadInst* load = nullptr;
  llvm::StoreInst* store = nullptr;
  llvm::AllocaInst* array = nullptr;
  llvm::Type* element = nullptr;
  std::uint64_t length = 0;
  bool up = false;  ///< to the next place; the window moves down
};

/// What else is done with an array.
struct Uses {
  llvm::SmallVector<llvm::Instruction*, 16> accesses;  ///< loads and stores
  llvm::SmallVector<llvm::Instruction*, 4> whole;      ///< memory intrinsics
  llvm::SmallVector<llvm::Instruction*, 2> lifetimes;
};

class Windows {
 public:
  Windows(llvm::Function& item, unsigned lanes, Analyses& analyses)
      : item_(item),
        layout_(item.getParent()->getDataLayout()),
        lanes_(lanes),
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(item)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(item)),
        evolution_(analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  /// Makes a window of one array. The analyses are of no use after that.
  bool make_one() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      const std::optional<Shift> shift = shift_of(*loop);
      if (!shift) continue;
      Uses uses;
      if (!collect(*shift, *shift->array, uses) || !only_in_front(*shift, uses)) continue;
      rewrite(*shift, uses);
      return true;
    }
    return false;
  }

 private:
  std::optional<Shift> shift_of(llvm::Loop& loop) {
    if (loop.getNumBlocks() != 1 || !loop.getLoopPreheader() || !loop.getUniqueExitBlock() || !loop.getParentLoop()) return std::nullopt;
    Shift shift{&loop};
    for (llvm::Instruction& instruction : *loop.getHeader()) {
      for (const llvm::User* user : instruction.users())
        if (llvm::cast<llvm::Instruction>(user)->getParent() != loop.getHeader()) return std::nullopt;
      if (!instruction.mayReadOrWriteMemory()) continue;
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load && load->isSimple() && !shift.load)
        shift.load = load;
      else if (store && store->isSimple() && !shift.store && store->getValueOperand() == shift.load)
        shift.store = store;
      else
        return std::nullopt;
    }
    if (!shift.store || !moves_all(shift) || !is_alone_in_loop(loop)) return std::nullopt;
    return shift;
  }

  /// Whether the loop goes through all of an array; fills in what is moved.
  bool moves_all(Shift& shift) {
    const auto* from = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(shift.load->getPointerOperand()));
    const auto* to = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(shift.store->getPointerOperand()));
    const auto* again = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getBackedgeTakenCount(shift.loop));
    if (!from || !to || !again || from->getLoop() != shift.loop || to->getLoop() != shift.loop || !to->isAffine()) return false;
    const auto* base = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_.getPointerBase(to));
    shift.array = base ? llvm::dyn_cast<llvm::AllocaInst>(base->getValue()) : nullptr;
    auto* type = shift.array ? llvm::dyn_cast<llvm::ArrayType>(shift.array->getAllocatedType()) : nullptr;
    if (!type || !shift.array->isStaticAlloca() || shift.array->isArrayAllocation()) return false;
    shift.element = type->getElementType();
    shift.length = type->getNumElements();
    const auto size = static_cast<std::int64_t>(layout_.getTypeAllocSize(shift.element).getFixedValue());
    if (shift.load->getType() != shift.element || shift.length < kFewestElements || again->getAPInt() != shift.length - 2) return false;
    if (2 * shift.length * size > (lanes_ == 1 ? kMostBytesOfOne : kMostBytesOfMany)) return false;
    const auto bytes = [&](const llvm::SCEV* left, const llvm::SCEV* right) -> std::optional<std::int64_t> {
      const auto* difference = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(left, right));
      return difference ? difference->getAPInt().trySExtValue() : std::nullopt;
    };
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(to->getStepRecurrence(evolution_));
    const std::optional<std::int64_t> way = bytes(to, from), first = bytes(to->getStart(), base);
    if (!step || !way || (*way != size && *way != -size) || step->getAPInt().getSExtValue() != -*way) return false;
    shift.up = *way == size;
    return first == (shift.up ? static_cast<std::int64_t>(shift.length - 1) * size : 0);
  }

  /// Whether each iteration of the loop around `loop` runs it once, and lanes agree on how often.
  bool is_alone_in_loop(const llvm::Loop& loop) const {
    const llvm::Loop& around = *loop.getParentLoop();
    const llvm::Loop& outermost = *loop.getOutermostLoop();
    llvm::BasicBlock* latch = around.getLoopLatch();
    return latch && dominators_.dominates(loop.getHeader(), latch) && outermost.getLoopPreheader() &&
           (lanes_ == 1 || &around == &outermost);
  }

  bool collect(const Shift& shift, llvm::Instruction& pointer, Uses& uses) const {
    for (llvm::Use& use : pointer.uses()) {
      auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user->isLifetimeStartOrEnd()) {
        uses.lifetimes.push_back(user);
      } else if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (!collect(shift, *place, uses)) return false;
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple()) return false;
        if (load != shift.load) uses.accesses.push_back(load);
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (!store->isSimple() || use.getOperandNo() != llvm::StoreInst::getPointerOperandIndex()) return false;
        if (store != shift.store) uses.accesses.push_back(store);
      } else if (llvm::isa<llvm::MemIntrinsic>(user)) {
        uses.whole.push_back(user);
      } else {
        return false;
      }
    }
    return true;
  }

  /// Whether what lies outside of the loops comes before them, and no array is set as a whole in them.
  bool only_in_front(const Shift& shift, const Uses& uses) const {
    const llvm::Loop& outermost = *shift.loop->getOutermostLoop();
    const auto is_in_front = [&](const llvm::Instruction* use) {
      return !llvm::isPotentiallyReachable(outermost.getHeader(), use->getParent(), nullptr, &dominators_, &loops_);
    };
    return llvm::all_of(uses.whole, is_in_front) &&
           llvm::all_of(uses.accesses, [&](const llvm::Instruction* use) { return outermost.contains(use) || is_in_front(use); });
  }

  /// `pointer`, a place in `shift`'s array, in front of `user`, with `base` in place of the array.
  static llvm::Value* place_from(const Shift& shift, llvm::Value* pointer, llvm::Value* base, llvm::Instruction& user) {
    if (pointer == shift.array) return base;
    auto* place = llvm::cast<llvm::GetElementPtrInst>(pointer);
    llvm::Value* from = place_from(shift, place->getPointerOperand(), base, user);
    llvm::Instruction* copy = place->clone();
    copy->setOperand(llvm::GetElementPtrInst::getPointerOperandIndex(), from);
    copy->insertBefore(user.getIterator());
    return copy;
  }

  static void set_place(const Shift& shift, llvm::Instruction& access, llvm::Value* base) {
    const unsigned operand =
        llvm::isa<llvm::LoadInst>(access) ? llvm::LoadInst::getPointerOperandIndex() : llvm::StoreInst::getPointerOperandIndex();
    access.setOperand(operand, place_from(shift, access.getOperand(operand), base, access));
  }

  void rewrite(const Shift& shift, const Uses& uses) {
    llvm::BasicBlock& entry = item_.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.begin());
    llvm::IntegerType* integer = builder.getInt32Ty();
    // The window has `length` places to move to from the first.
    llvm::AllocaInst* twice = builder.CreateAlloca(llvm::ArrayType::get(shift.element, 2 * shift.length), nullptr, shift.array->getName());
    twice->setAlignment(shift.array->getAlign());
    llvm::AllocaInst* begin = builder.CreateAlloca(integer, nullptr, "window");
    builder.SetInsertPointPastAllocas(&item_);
    const std::uint64_t first = shift.up ? shift.length : 0, last = shift.length - first;
    builder.CreateStore(builder.getInt32(first), begin);
    const auto element = [&](llvm::Value* place) {
      return builder.CreateInBoundsGEP(shift.element, twice, builder.CreateZExt(place, builder.getInt64Ty()));
    };

    llvm::Value* in_front = element(builder.getInt32(first));
    const llvm::Loop& outermost = *shift.loop->getOutermostLoop();
    for (llvm::Instruction* lifetime : uses.lifetimes) lifetime->eraseFromParent();
    for (llvm::Instruction* access : uses.accesses) {
      builder.SetInsertPoint(access);
      set_place(shift, *access, outermost.contains(access) ? element(builder.CreateLoad(integer, begin)) : in_front);
    }

    // What moved all elements by one place moves them to the other end, where the window has come to its last place.
    const std::int64_t way = shift.up ? static_cast<std::int64_t>(shift.length) : -static_cast<std::int64_t>(shift.length);
    builder.SetInsertPoint(shift.load);
    set_place(shift, *shift.load, element(builder.getInt32(last)));
    builder.SetInsertPoint(shift.store);
    shift.store->setOperand(llvm::StoreInst::getPointerOperandIndex(),
                            builder.CreateInBoundsGEP(shift.element, shift.load->getPointerOperand(), builder.getInt64(way)));

    llvm::BasicBlock* move = shift.loop->getHeader();
    llvm::BasicBlock* in = shift.loop->getLoopPreheader();
    llvm::BasicBlock* out = shift.loop->getUniqueExitBlock();
    llvm::BasicBlock* back = llvm::BasicBlock::Create(item_.getContext(), "window.back", &item_, out);
    llvm::BasicBlock* next = llvm::BasicBlock::Create(item_.getContext(), "window.next", &item_, out);
    builder.SetInsertPoint(in->getTerminator());
    builder.CreateCondBr(builder.CreateICmpEQ(builder.CreateLoad(integer, begin), builder.getInt32(last)), move, next);
    in->getTerminator()->eraseFromParent();
    move->getTerminator()->replaceUsesOfWith(out, back);
    builder.SetInsertPoint(back);
    builder.CreateStore(builder.getInt32(first), begin);
    builder.CreateBr(next);

    // The element that the loop left as it was keeps its value.
    builder.SetInsertPoint(next);
    llvm::Value* before = builder.CreateLoad(integer, begin);
    llvm::Value* after = builder.CreateAdd(before, builder.getInt32(shift.up ? -1 : 1));
    builder.CreateStore(after, begin);
    const std::uint32_t kept = shift.up ? 0 : static_cast<std::uint32_t>(shift.length - 1);
    llvm::Value* value =
        builder.CreateAlignedLoad(shift.element, element(builder.CreateAdd(before, builder.getInt32(kept))), shift.load->getAlign());
    builder.CreateAlignedStore(value, element(builder.CreateAdd(after, builder.getInt32(kept))), shift.store->getAlign());
    builder.CreateBr(out);
    out->replacePhiUsesWith(move, next);

    // Places that nothing reads any more, and what sets the array as a whole.
    shift.array->replaceAllUsesWith(in_front);
    shift.array->eraseFromParent();
    llvm::DominatorTree dominators(item_);
    llvm::PromoteMemToReg({begin}, dominators);
  }

  llvm::Function& item_;
  const llvm::DataLayout& layout_;
  unsigned lanes_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

bool move_windows(llvm::Function& item, unsigned lanes, Analyses& analyses) {
  bool any = false;
  while (Windows(item, lanes, analyses).make_one()) {
    analyses.invalidate(item);
    any = true;
  }
  return any;
}

}  // namespace weft::compiler::simt
