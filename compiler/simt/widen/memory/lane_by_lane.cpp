// Strategy "lane-by-lane".
// Matches: numbers and OpenCL vectors anywhere. Each lane makes the access of its own; one that is off reads or writes somewhere
// harmless. The accesses are written out, or rolled up in a loop where they run seldom or are too many. Stores under a mask to addresses that
// vary are a loop over the lanes that are on, or written out where all are (conformance/bench/marks.py: 0.3 of the time of a selected address a
// lane where few are on, 0.7 of a half, as long where most are). With mask registers LLVM makes a branch a lane of the selection, which lanes
// that are on or off at random make it guess wrong: the loop takes 0.25 times as long where a half is on, but 1.1 times where most are, and is for
// three quarters at most. Loads of OpenCL vectors under a mask select the addresses of all lanes at once there: no branches.
// Costs: an access for each lane, and the code that looks at the mask.
#include "compiler/simt/widen/memory/lane_by_lane.h"

#include <numeric>

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/lane_words.h"
#include "compiler/simt/widen/memory/gather.h"
#include "compiler/simt/widen/memory/progressions.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/rolled_loop.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// From this much code on, accesses to addresses that vary are rolled up: written out, each is some 150 instructions, and a kernel
/// with 231 of them took LLVM ten seconds. A load of OpenCL vectors is no more than half of it where lanes that are off have no branches.
constexpr unsigned kMostCode = 48, kCodeOfAccess = 2, kCodeOfVectorLoad = 1;

/// Where the compiler knows the addresses, an access is short written out, some two instructions a lane. After so many lanes of
/// them it is rolled up, too.
constexpr unsigned kMostLanesWrittenOut = 2048;

/// Lanes whose mask is a word of the processor: the next one that is on is an instruction away.
constexpr unsigned kMostVisitedByLane = 64;

/// One access for each lane: calls `access` with the lane's pointer, which is a safe one where the lane is off, and its number.
class LaneAccesses {
 public:
  LaneAccesses(Widening& w, const Access& access)
      : w_(w), access_(access), count_(w.mask.known_prefix().value_or(w.lanes)), looks_at_mask_(w.mask && count_ == w.lanes) {}

  using Emit = llvm::function_ref<void(Value* pointer, Value* lane)>;
  void write_out(Emit emit);
  void roll_up(Emit emit);
  void visit_live(Emit emit, bool roll_up);
  void visit_live(llvm::function_ref<Value*(Value*)> at, llvm::function_ref<Value*(Value*)> known_at, unsigned few, Emit emit, bool roll_up);

  /// Has write_out() take lanes' addresses by words out of numbers of 32 bits, where they are such from one place on.
  void by_words();
  /// Has write_out() count lanes' addresses from the first one's, where they lie evenly apart, by whatever distance.
  void by_steps();
  /// Has write_out() take the addresses out of registers in which lanes that are off have a safe one, where these vary and there are mask
  /// registers: of a selection for each lane LLVM makes a branch each. And those of numbers where no lane is off: other loads begin with the same.
  void by_registers();

  bool looks_at_mask() const { return looks_at_mask_; }
  unsigned cost() const { return looks_at_mask_ ? kMaskedLaneCode * count_ : count_; }

 private:
  Value* if_live(Value* pointer, Value* shifted_bits);
  /// All lanes' pointers, in memory.
  llvm::AllocaInst* pointers();
  Value* pointer_of(llvm::AllocaInst* pointers, Value* lane);
  /// Whether the lanes' addresses are the first one's and multiples of one number.
  bool is_even() const { return access_.shape.is_affine() && !access_.shape.checked && access_.shape.segment >= w_.lanes; }

  Value* pointer_of(unsigned lane);

  Widening& w_;
  const Access& access_;
  Value *base_ = nullptr, *words_ = nullptr;  ///< by_words(): lanes' offsets from the one, out of the other
  llvm::SmallVector<Value*, 32> addresses_;   ///< by_steps()
  Value* registers_ = nullptr;                ///< by_registers()
  const unsigned count_;                      ///< lanes behind these are off
  const bool looks_at_mask_;
};

/// `pointer`, or a safe one where the lowest bit of `shifted_bits` is off.
Value* LaneAccesses::if_live(Value* pointer, Value* shifted_bits) {
  return w_.scratch.safe_pointer(pointer, w_.builder.CreateTrunc(shifted_bits, w_.builder.getInt1Ty()), access_.type);
}

void LaneAccesses::by_words() {
  const auto offsets = short_offsets(w_, access_.pointer);
  if (!offsets || !offsets->variables) return;
  base_ = offsets->base;
  words_ = in_words(w_.builder, offsets->sum(w_));
}

void LaneAccesses::by_steps() {
  if (!w_.mask && Progressions(w_, count_).is_one(*access_.pointer)) addresses_ = addresses_of_lanes(w_, access_, count_);
}

void LaneAccesses::by_registers() {
  if (!w_.traits.mask_registers || access_.shape.is_affine()) return;
  if (looks_at_mask_)
    registers_ = chosen_pointers(w_, access_);
  else if (!access_.type->isVectorTy())
    registers_ = w_.values.vector1(access_.pointer);
}

Value* LaneAccesses::pointer_of(unsigned lane) {
  if (registers_) return w_.builder.CreateExtractElement(registers_, lane);
  if (!addresses_.empty()) return addresses_[lane];
  if (!words_) return w_.values.value_in_lane(access_.pointer, lane);
  Value* offset = w_.builder.CreateZExt(lane_of_words(w_.builder, words_, 32, lane), w_.builder.getInt64Ty());
  return w_.builder.CreateGEP(w_.builder.getInt8Ty(), base_, offset);
}

void LaneAccesses::write_out(Emit emit) {
  w_.memory.lanes_written_out += registers_ ? count_ : cost();
  Value* bits = looks_at_mask_ && !registers_ ? w_.mask.bits() : nullptr;
  for (unsigned lane = 0; lane < count_; ++lane) {
    Value* pointer = pointer_of(lane);
    if (bits) pointer = if_live(pointer, w_.builder.CreateLShr(bits, lane));
    emit(pointer, w_.builder.getInt64(lane));
  }
}

llvm::AllocaInst* LaneAccesses::pointers() {
  llvm::AllocaInst* pointers = w_.scratch.lane_pointers();
  w_.builder.CreateAlignedStore(w_.values.vector1(access_.pointer), pointers, kScratchAlign);
  return pointers;
}

Value* LaneAccesses::pointer_of(llvm::AllocaInst* pointers, Value* lane) {
  auto* type = w_.builder.getPtrTy();
  return w_.builder.CreateAlignedLoad(type, w_.builder.CreateInBoundsGEP(type, pointers, lane), llvm::Align(8));
}

/// A loop over the lanes that are on; where all are, or most with mask registers, and unless `roll_up` asks for short code, one after the other. These
/// take their addresses from registers: Zen 4 loses track of loads between so many stores that may meet. Of lanes that lie evenly the loop knows each address
/// at once, and is for more of them.
void LaneAccesses::visit_live(Emit emit, bool roll_up) {
  auto& builder = w_.builder;
  if (is_even()) {
    Value* first = w_.values.scalar_at(access_.pointer, 0);
    const auto at = [&](Value* lane) {
      return builder.CreateGEP(builder.getInt8Ty(), first, builder.CreateMul(lane, builder.getInt64(access_.shape.stride)));
    };
    return visit_live(at, at, /*few=*/count_ * 13 / 16, emit, roll_up);
  }
  Value* registers = w_.values.vector1(access_.pointer);
  llvm::AllocaInst* all = pointers();
  const auto in_registers = [&](Value* lane) {
    return words_ ? pointer_of(static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(lane)->getZExtValue())) : builder.CreateExtractElement(registers, lane);
  };
  visit_live([&](Value* lane) { return pointer_of(all, lane); }, in_registers, /*few=*/w_.traits.mask_registers ? count_ * 3 / 4 : count_, emit, roll_up);
}

/// `at` gives the address of a lane in the loop, `known_at` that of one whose number is known. More than `few` lanes that are on
/// are taken one after the other, with a look at each one's bit.
void LaneAccesses::visit_live(llvm::function_ref<Value*(Value*)> at, llvm::function_ref<Value*(Value*)> known_at, unsigned few, Emit emit, bool roll_up) {
  auto& builder = w_.builder;
  const auto loop = [&] { for_each_live_lane(w_, [&](Value* lane) { emit(at(lane), lane); }); };
  if (roll_up) return loop();
  w_.memory.lanes_written_out += count_;
  Value* bits = w_.mask.bits();
  auto* whole = w_.new_block("lanes.all");
  auto* some = w_.new_block("lanes.some");
  auto* after = w_.new_block("lanes.stored");
  const bool asks = few < count_;
  Value* are_most = asks ? builder.CreateICmpUGT(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits),
                                                 llvm::ConstantInt::get(bits->getType(), few))
                         : builder.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
  builder.CreateCondBr(are_most, whole, some);
  builder.SetInsertPoint(whole);
  for (unsigned lane = 0; lane < count_; ++lane) {
    Value* pointer = known_at(builder.getInt64(lane));
    if (asks) pointer = if_live(pointer, builder.CreateLShr(bits, lane));
    emit(pointer, builder.getInt64(lane));
  }
  builder.CreateBr(after);
  builder.SetInsertPoint(some);
  loop();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
}

void LaneAccesses::roll_up(Emit emit) {
  auto& builder = w_.builder;
  Value* bits = looks_at_mask_ ? w_.mask.bits() : nullptr;
  llvm::AllocaInst* all = pointers();
  rolled_loop(w_, count_, 1, [&](Value* lane) {
    Value* pointer = pointer_of(all, lane);
    if (bits) pointer = if_live(pointer, builder.CreateLShr(bits, builder.CreateZExtOrTrunc(lane, bits->getType())));
    emit(pointer, lane);
  });
}

/// Where a lane's value lies in an array of all lanes' that has no gaps.
Value* lane_address(Widening& w, const Access& access, Value* array, Value* lane) {
  Value* index = w.builder.CreateMul(lane, w.builder.getInt64(access.count), "", true, true);
  return w.builder.CreateInBoundsGEP(access.element, array, index);
}

/// The packed form of OpenCL vectors of `type`, one a lane for as many lanes as there are `vectors`.
Value* side_by_side(Widening& w, llvm::SmallVectorImpl<Value*>& vectors, llvm::FixedVectorType& type) {
  const unsigned count = type.getNumElements();
  const auto room = static_cast<unsigned>(llvm::PowerOf2Ceil(count));
  // Three components have a gap behind them until all are together: halves of whole registers move as one.
  if (room != count)
    for (Value*& vector : vectors) {
      llvm::SmallVector<int, 4> mask(room, llvm::PoisonMaskElem);
      std::iota(mask.begin(), mask.begin() + count, 0);
      vector = w.builder.CreateShuffleVector(vector, mask);
    }
  vectors.resize(w.lanes, llvm::PoisonValue::get(llvm::FixedVectorType::get(type.getElementType(), room)));
  Value* result = llvm::concatenateVectors(w.builder, vectors);
  if (room == count) return result;
  llvm::SmallVector<int, 256> kept;
  for (unsigned lane = 0; lane < w.lanes; ++lane)
    for (unsigned i = 0; i < count; ++i) kept.push_back(static_cast<int>(lane * room + i));
  return w.builder.CreateShuffleVector(result, kept);
}

llvm::LoadInst* load_lane(Widening& w, const Access& access, Value* pointer) {
  llvm::LoadInst* load = w.builder.CreateAlignedLoad(access.type, pointer, access.align, access.is_volatile);
  if (!w.mask) copy_alias_metadata(*load, access.instruction);
  return load;
}

/// Numbers are put into a vector one after the other, OpenCL vectors side by side two by two.
Value* load_written_out(Widening& w, const Access& access) {
  LaneAccesses lanes(w, access);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(access.type)) {
    llvm::SmallVector<Value*, 32> loaded;
    lanes.by_steps();
    lanes.by_registers();
    lanes.write_out([&](Value* pointer, Value*) { loaded.push_back(load_lane(w, access, pointer)); });
    return side_by_side(w, loaded, *vector);
  }
  lanes.by_registers();
  Value* result = llvm::PoisonValue::get(w.wide(access.type));
  lanes.write_out(
      [&](Value* pointer, Value* lane) { result = w.builder.CreateInsertElement(result, load_lane(w, access, pointer), lane); });
  return result;
}

/// In a loop lanes go through memory. (Written out they do not: of memory that is not indexed in a loop SROA makes a blend of the
/// whole for each lane, work that grows with the square of the lanes.)
Value* load_rolled_up(Widening& w, const Access& access) {
  Value* array = w.scratch.lane_array(access.element, access.count);
  LaneAccesses(w, access).roll_up([&](Value* pointer, Value* lane) {
    llvm::LoadInst* one = load_lane(w, access, pointer);
    w.builder.CreateAlignedStore(one, lane_address(w, access, array, lane), w.layout.getABITypeAlign(access.element));
  });
  auto* whole = access.type->isVectorTy() ? w.packed_type(access.type) : w.wide(access.type);
  return w.builder.CreateAlignedLoad(whole, array, kScratchAlign);
}

void store(Widening& w, const Access& access, bool roll_up) {
  LaneAccesses lanes(w, access);
  const bool visits_even = w.traits.mask_registers && !access.type->isVectorTy();
  const bool visits_live = lanes.looks_at_mask() && (!access.shape.is_affine() || visits_even) && access.bits && w.lanes <= kMostVisitedByLane;
  Value* uniform = visits_live && !access.type->isVectorTy() && w.is_uniform(access.value) ? w.values.uniform(access.value) : nullptr;
  Value* array = nullptr;
  if (!uniform && (access.type->isVectorTy() || roll_up || visits_live)) {
    array = w.scratch.lane_array(access.element, access.count);
    w.builder.CreateAlignedStore(w.values.as_in_memory(access.value), array, kScratchAlign);
  }
  Value* registers = visits_live && !uniform && !access.type->isVectorTy() ? w.values.vector1(access.value) : nullptr;
  // Where loads leave whole vectors: those of lanes one by one would be put together first.
  const bool by_words = (!array || visits_live) && (!uniform || visits_live) && !roll_up && w.traits.native_gather &&
                        (access.bits == 8 || access.bits == 16) && !access.shape.is_affine() && !access.type->isVectorTy() &&
                        w.lanes * access.bits % kWordBits == 0;
  Value* words = nullptr;
  if (by_words) {
    lanes.by_words();
    if (!w.is_uniform(access.value)) words = in_words(w.builder, w.values.as_in_memory(access.value));
  }
  if (access.type->isVectorTy() && !visits_live && !roll_up) lanes.by_steps();
  const auto store_lane = [&](Value* pointer, Value* lane) {
    Value* one = uniform;
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(lane);
    if (words && known) one = lane_of_words(w.builder, words, access.bits, static_cast<unsigned>(known->getZExtValue()));
    if (!one && registers && known)
      one = w.builder.CreateExtractElement(registers, lane);
    else if (!one)
      one = array ? w.builder.CreateAlignedLoad(access.type, lane_address(w, access, array, lane), w.layout.getABITypeAlign(access.element))
                  : w.values.value_in_lane(access.value, static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(lane)->getZExtValue()));
    llvm::StoreInst* made = w.builder.CreateAlignedStore(one, pointer, access.align, access.is_volatile);
    if (!w.mask) copy_alias_metadata(*made, access.instruction);
  };
  if (visits_live)
    lanes.visit_live(store_lane, roll_up);
  else if (roll_up)
    lanes.roll_up(store_lane);
  else
    lanes.write_out(store_lane);
}

bool rolls_up(const Widening& w, const Access& access) {
  if (!access.bits) return false;
  if (access.is_seldom || w.memory.lanes_written_out > kMostLanesWrittenOut) return true;
  return is_one_of_many(w, access) && !access.shape.is_affine();
}

}  // namespace

Value* chosen_pointers(Widening& w, const Access& access) {
  Value* nowhere = w.builder.CreateVectorSplat(w.lanes, w.scratch.nowhere(access.type));
  return w.builder.CreateSelect(w.mask.lanes(), w.values.vector1(access.pointer), nowhere);
}

llvm::SmallPtrSet<const llvm::BasicBlock*, 8> blocks_with_loops_over_lanes(const Widening& w) {
  const bool gathers_words = w.control.is_on(passes::Pass::kGather), gathers_parts = w.control.is_on(passes::Pass::kGatherParts);
  llvm::MapVector<const llvm::BasicBlock*, unsigned> of_blocks;
  unsigned code = 0;
  for (llvm::Instruction& instruction : llvm::instructions(w.scalar)) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || w.shape(pointer).is_affine()) continue;
    const unsigned bits = solid_bits(w.lowered(llvm::getLoadStoreType(&instruction)), w.layout);
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    const bool native = is_load ? w.traits.native_gather : w.traits.native_scatter;
    const bool is_word = bits == 32 || bits == 64, is_part = is_load && (bits == 8 || bits == 16);
    if (!native || !((is_word && gathers_words) || (is_part && gathers_parts))) {
      const bool is_short = is_load && instruction.getType()->isVectorTy() && w.traits.mask_registers;
      const unsigned its_code = is_short ? kCodeOfVectorLoad : kCodeOfAccess;
      code += its_code;
      of_blocks[instruction.getParent()] += its_code;
    }
  }
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> with_loops;
  if (code <= kMostCode) return with_loops;
  llvm::DominatorTree dominators(w.scalar);
  const llvm::LoopInfo loops(dominators);
  for (unsigned depth = 0; code > kMostCode; ++depth)
    for (const auto& [block, its_code] : of_blocks) {
      if (loops.getLoopDepth(block) != depth) continue;
      code -= its_code;
      with_loops.insert(block);
    }
  return with_loops;
}

bool is_one_of_many(const Widening& w, const Access& access) { return w.memory.with_loops_over_lanes.contains(access.instruction.getParent()); }

std::optional<AccessPlan> plan_lane_by_lane(Widening& w, const Access& access) {
  if (!access.type->isSingleValueType() || (access.type->isVectorTy() && !access.bits)) return std::nullopt;
  const bool roll_up = rolls_up(w, access);
  AccessPlan plan{.cost = LaneAccesses(w, access).cost(), .emit = {}, .fall_back = "one lane after the other"};
  if (roll_up) plan.fall_back += ", in a loop";
  plan.emit = [&w, &access, roll_up]() -> Parts {
    if (access.is_load()) return {roll_up ? load_rolled_up(w, access) : load_written_out(w, access)};
    store(w, access, roll_up);
    return {};
  };
  return plan;
}

}  // namespace weft::compiler::simt
