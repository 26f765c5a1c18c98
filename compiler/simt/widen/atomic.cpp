#include "compiler/simt/widen/atomic.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "compiler/simt/ir/least_updates.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/lane_ranks.h"
#include "compiler/simt/widen/lane_words.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/rolled_loop.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::AtomicRMWInst;
using llvm::Value;

namespace {

/// Updates of global memory, up to this many, whose turns are written out: each is some hundred instructions.
constexpr unsigned kMostWrittenOut = 8;
/// Lanes that are ranked together: a warp.
constexpr unsigned kChunk = 32;
/// Turns in memory of a thread's own that stand in a loop's body: from 16 on some processors lose track of them.
constexpr unsigned kTurnsAtOnce = 8;

bool is_sum(AtomicRMWInst::BinOp operation) {
  return operation == AtomicRMWInst::Add || operation == AtomicRMWInst::Sub;
}

/// The operand with which `operation` leaves every value as it is; nothing where lanes cannot be combined.
std::optional<llvm::APInt> neutral(AtomicRMWInst::BinOp operation, unsigned bits) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::UMax: return llvm::APInt::getZero(bits);
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin: return llvm::APInt::getAllOnes(bits);
    case AtomicRMWInst::Max: return llvm::APInt::getSignedMinValue(bits);
    case AtomicRMWInst::Min: return llvm::APInt::getSignedMaxValue(bits);
    default: return std::nullopt;
  }
}

Value* combine(llvm::IRBuilder<>& builder, AtomicRMWInst::BinOp operation, Value* lanes) {
  switch (operation) {
    case AtomicRMWInst::And: return builder.CreateAndReduce(lanes);
    case AtomicRMWInst::Or: return builder.CreateOrReduce(lanes);
    case AtomicRMWInst::Xor: return builder.CreateXorReduce(lanes);
    case AtomicRMWInst::Max: return builder.CreateIntMaxReduce(lanes, true);
    case AtomicRMWInst::Min: return builder.CreateIntMinReduce(lanes, true);
    case AtomicRMWInst::UMax: return builder.CreateIntMaxReduce(lanes, false);
    case AtomicRMWInst::UMin: return builder.CreateIntMinReduce(lanes, false);
    default: return builder.CreateAddReduce(lanes);
  }
}

/// A group runs on one thread: nobody else uses its local memory, or its worker's own copy of a buffer, so there is nobody to keep out.
bool is_private_atomic(const llvm::Instruction& atomic) {
  return atomic.getOperand(0)->getType()->getPointerAddressSpace() == kLocalSpace || atomic.hasMetadata(primitive::kOwnMetadata);
}

unsigned count_atomics(llvm::Function& function) {
  return static_cast<unsigned>(
      llvm::count_if(llvm::instructions(function), [](auto& one) { return llvm::isa<AtomicRMWInst>(one); }));
}

/// Whether `update` is one instruction, not a loop around a comparison and exchange. `asked`: the program uses the old value.
bool is_one_instruction(const AtomicRMWInst& update, bool asked) {
  const llvm::Type* type = update.getType();
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64)) return false;
  switch (update.getOperation()) {
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: return true;
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor: return !asked;
    default: return false;
  }
}

/// For each lane, how many live lanes come before it.
Value* rank_of_lanes(Widening& w, llvm::IntegerType* type) {
  if (!w.mask) return w.lane_numbers(type, w.lanes, 1);
  auto* word = w.builder.getInt32Ty();
  const unsigned length = std::min(kChunk, w.lanes);
  Value* bits = w.mask.bits();
  Value* earlier = w.builder.getInt32(0);
  llvm::SmallVector<Value*, 8> chunks;
  for (unsigned lane = 0; lane < w.lanes; lane += kChunk) {
    Value* chunk = w.builder.CreateZExtOrTrunc(w.builder.CreateLShr(bits, lane), word);
    Value* ranks = w.builder.CreateShuffleVector(ranks_in(w, chunk), llvm::createSequentialMask(0, length, 0));
    chunks.push_back(w.builder.CreateAdd(ranks, w.builder.CreateVectorSplat(length, earlier)));
    earlier = w.builder.CreateAdd(earlier, w.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, chunk));
  }
  Value* all = chunks.size() == 1 ? chunks.front() : llvm::concatenateVectors(w.builder, chunks);
  return w.builder.CreateZExtOrTrunc(all, w.wide(type));
}

/// Where the lanes' turns find their addresses: as the numbers that the program computed them from where it took an element of something
/// that is the same for all lanes, and these, if they are no longer than 32 bits, in registers that are turned on after each `kTurnsAtOnce`, else in
/// memory. A load a turn would keep the places busy where a processor looks which stores a load depends on: a histogram of 4 Mi bytes took 1.92 ms
/// so, and takes 1.38 (Zen 4). Registers of 256 bits, since those of 512 are turned on slowly.
class TurnPointers {
 public:
  TurnPointers(Widening& w, Value* pointer);

  /// Words of the numbers, those of the next turns first, a register after the other; none where they are in memory.
  llvm::ArrayRef<Value*> words() const { return words_; }
  /// The pointer of lane `first` + `turn`, of which the first of `words` has the number if there are any.
  Value* load(Value* first, unsigned turn, llvm::ArrayRef<Value*> words);
  /// `words` for the turns behind these.
  Carried turn_on(llvm::ArrayRef<Value*> words) const;

 private:
  Value* number(Value* first, unsigned turn, llvm::ArrayRef<Value*> words);
  unsigned turns_of_word() const { return kWordBits / number_->getType()->getIntegerBitWidth(); }

  static constexpr unsigned kWordsOfRegister = 4;

  Widening& w_;
  llvm::GetElementPtrInst* element_ = nullptr;  ///< of the scalar code; nothing where whole addresses are kept
  Value* number_ = nullptr;                     ///< the last index of `element_`, before any extension
  llvm::AllocaInst* array_ = nullptr;
  Carried words_;
  Value* word_ = nullptr;  ///< of several turns, from memory
};

TurnPointers::TurnPointers(Widening& w, Value* pointer) : w_(w) {
  element_ = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (element_ && llvm::all_of(llvm::drop_end(element_->operands()), [&](Value* one) { return w.is_uniform(one); })) {
    number_ = element_->operands().end()[-1];
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(number_)) number_ = llvm::cast<llvm::CastInst>(number_)->getOperand(0);
    if (!solid_bits(number_->getType(), w.layout)) number_ = element_->operands().end()[-1];
    Value* numbers = w.values.vector1(number_);
    const unsigned bits = number_->getType()->getIntegerBitWidth();
    if (bits == 8 || bits == 16 || bits == 32) {
      const unsigned count = w.lanes * bits / kWordBits;
      Value* words = in_words(w.builder, numbers);
      for (unsigned first = 0; first < count; first += kWordsOfRegister)
        words_.push_back(w.builder.CreateShuffleVector(words, llvm::createSequentialMask(first, std::min(count, kWordsOfRegister), 0)));
      return;
    }
    array_ = w.scratch.lane_array(number_->getType(), 1);
    w.builder.CreateAlignedStore(numbers, array_, kScratchAlign);
  } else {
    element_ = nullptr;
    array_ = w.scratch.lane_pointers();
    w.builder.CreateAlignedStore(w.values.vector1(pointer), array_, kScratchAlign);
  }
}

Value* TurnPointers::number(Value* first, unsigned turn, llvm::ArrayRef<Value*> words) {
  auto& builder = w_.builder;
  if (!words.empty()) {
    return lane_of_words(builder, words.front(), number_->getType()->getIntegerBitWidth(), turn);
  }
  llvm::Type* type = element_ ? number_->getType() : builder.getPtrTy();
  Value* lane = builder.CreateAdd(first, builder.getInt64(turn), "", true, true);
  if (type->isIntegerTy(16) || type->isIntegerTy(32)) {
    const unsigned each = turns_of_word();
    if (turn % each == 0) word_ = builder.CreateAlignedLoad(builder.getInt64Ty(), builder.CreateInBoundsGEP(type, array_, lane), llvm::Align(8));
    return part_of_word(builder, word_, kWordBits / each, turn % each);
  }
  return builder.CreateAlignedLoad(type, builder.CreateInBoundsGEP(type, array_, lane), w_.layout.getABITypeAlign(type));
}

Carried TurnPointers::turn_on(llvm::ArrayRef<Value*> words) const {
  Carried following;
  const unsigned taken = words.empty() ? 0 : kTurnsAtOnce / turns_of_word();
  for (unsigned i = 0; i < words.size(); ++i) {
    Value* next = words[(i + 1) % words.size()];
    const unsigned count = llvm::cast<llvm::FixedVectorType>(next->getType())->getNumElements();
    following.push_back(w_.builder.CreateShuffleVector(words[i], next, llvm::createSequentialMask(taken, count, 0)));
  }
  return following;
}

Value* TurnPointers::load(Value* first, unsigned turn, llvm::ArrayRef<Value*> words) {
  auto& builder = w_.builder;
  Value* one = number(first, turn, words);
  if (!element_) return one;
  llvm::SmallVector<Value*, 4> indices;
  for (Value* index : llvm::drop_begin(llvm::drop_end(element_->operands()))) indices.push_back(w_.values.uniform(index));
  Value* last = element_->operands().end()[-1];
  indices.push_back(last == number_ ? one : builder.CreateCast(llvm::cast<llvm::CastInst>(last)->getOpcode(), one, last->getType()));
  return builder.CreateGEP(element_->getSourceElementType(), w_.values.uniform(element_->getPointerOperand()), indices);
}

/// The lanes' turns of an update in memory that nobody else uses, in a loop of a few at a time. Written out at once, each turn has a
/// load of its own that may depend on the store of any turn before, and a processor predicts such dependences from tables of few
/// places: Zen 4 takes 20 times as long from some 20 turns on. From memory the next turns' addresses come early, too.
Parts update_own_in_turn(Widening& w, AtomicRMWInst& update) {
  auto& builder = w.builder;
  const bool asked = !update.use_empty();
  llvm::Type* type = w.lowered(update.getType());
  TurnPointers pointers(w, update.getPointerOperand());
  const bool same = w.is_uniform(update.getValOperand());
  // Not scratch, where the pointers' numbers may be of the same type.
  llvm::AllocaInst* array = same && !asked ? nullptr : w.new_variable(llvm::ArrayType::get(type, w.lanes), kScratchAlign, "turns");
  if (!same) builder.CreateAlignedStore(w.values.vector1(update.getValOperand()), array, kScratchAlign);
  Value* operand = same ? w.values.uniform(update.getValOperand()) : nullptr;

  llvm::SmallVector<AtomicRMWInst*, kTurnsAtOnce> turns;
  rolled_loop(w, w.lanes, kTurnsAtOnce, pointers.words(), [&](Value* first, llvm::ArrayRef<Value*> words) {
    for (unsigned turn = 0; turn < kTurnsAtOnce; ++turn) {
      Value* lane = builder.CreateAdd(first, builder.getInt64(turn), "", true, true);
      Value* place = array ? builder.CreateInBoundsGEP(type, array, lane) : nullptr;
      Value* pointer = pointers.load(first, turn, words);
      Value* own = operand ? operand : builder.CreateAlignedLoad(type, place, w.layout.getABITypeAlign(type));
      turns.push_back(builder.CreateAtomicRMW(update.getOperation(), pointer, own, update.getAlign(), update.getOrdering(),
                                              update.getSyncScopeID()));
      // Its operand has been read: what it found takes the same place.
      if (asked) builder.CreateAlignedStore(turns.back(), place, w.layout.getABITypeAlign(type));
    }
    return pointers.turn_on(words);
  });
  for (AtomicRMWInst* turn : turns) relax_private_atomic(*turn, update);
  if (!asked) return {llvm::PoisonValue::get(w.wide(type))};
  return {builder.CreateAlignedLoad(w.wide(type), array, kScratchAlign)};
}

/// Whether all lanes add to one float that nobody else uses, and none asks what it found.
bool adds_to_own_place(const Widening& w, const AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  return is_private_atomic(update) && (operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FSub) && update.use_empty() &&
         (update.getType()->isFloatTy() || update.getType()->isDoubleTy()) && w.is_uniform(update.getPointerOperand());
}

/// The lanes' turns of such an update, one after the other in a register.
Parts add_to_own_place(Widening& w, AtomicRMWInst& update) {
  auto& builder = w.builder;
  Value* pointer = w.values.uniform(update.getPointerOperand());
  Value* terms = w.values.vector1(update.getValOperand());
  if (update.getOperation() == AtomicRMWInst::FSub) terms = builder.CreateFNeg(terms);
  Value* before = builder.CreateAlignedLoad(update.getType(), pointer, update.getAlign());
  builder.CreateAlignedStore(builder.CreateFAddReduce(before, terms), pointer, update.getAlign());
  return {llvm::PoisonValue::get(w.wide(update.getType()))};
}

/// An update by all lanes, whose turns are written out.
Parts update_in_turn(Widening& w, AtomicRMWInst& update) {
  if (adds_to_own_place(w, update)) return add_to_own_place(w, update);
  if (is_private_atomic(update)) return update_own_in_turn(w, update);
  const bool asked = !update.use_empty();
  llvm::Type* type = w.lowered(update.getType());
  Value* result = llvm::PoisonValue::get(w.wide(type));
  for (unsigned lane = 0; lane < w.lanes; ++lane) {
    AtomicRMWInst* turn = w.builder.CreateAtomicRMW(
        update.getOperation(), w.values.value_in_lane(update.getPointerOperand(), lane),
        w.values.value_in_lane(update.getValOperand(), lane), update.getAlign(), update.getOrdering(), update.getSyncScopeID());
    turn->setVolatile(update.isVolatile());
    if (asked) result = w.builder.CreateInsertElement(result, turn, lane);
  }
  return {result};
}

/// One update with the operands of all live lanes combined. A lane that asks for the old value gets what it would have found in
/// its turn.
Parts update_once(Widening& w, AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  Value* operand = update.getValOperand();
  auto* type = llvm::cast<llvm::IntegerType>(operand->getType());
  Value* pointer = w.values.uniform(update.getPointerOperand());
  Value* rank = nullptr;
  Value* count = llvm::ConstantInt::get(type, w.lanes);
  const bool asked = !update.use_empty();
  const bool multiplies = is_sum(operation) && w.is_uniform(operand);
  if (multiplies) {
    if (asked) rank = rank_of_lanes(w, type);
    if (w.mask) count = w.builder.CreateZExtOrTrunc(w.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, w.mask.bits()), type);
  }
  Value* total;
  if (multiplies) {
    total = w.builder.CreateMul(w.values.uniform(operand), count);
  } else {
    Value* lanes = w.values.vector1(operand);
    if (w.mask)
      lanes = w.builder.CreateSelect(w.mask.lanes(), lanes,
                                     llvm::ConstantInt::get(lanes->getType(), *neutral(operation, type->getBitWidth())));
    total = combine(w.builder, operation, lanes);
  }

  // The address may be anything where no lane is live.
  llvm::BasicBlock* before = w.builder.GetInsertBlock();
  llvm::BasicBlock* after = nullptr;
  if (w.mask) {
    Value* any = w.builder.CreateIsNotNull(w.mask.bits());
    auto* once = w.new_block("once");
    after = w.new_block("updated");
    w.builder.CreateCondBr(any, once, after);
    w.builder.SetInsertPoint(once);
  }
  Value* old =
      w.builder.CreateAtomicRMW(operation, pointer, total, update.getAlign(), update.getOrdering(), update.getSyncScopeID());
  llvm::AtomicRMWInst* made = llvm::cast<AtomicRMWInst>(old);
  if (w.mask) {
    w.builder.CreateBr(after);
    w.builder.SetInsertPoint(after);
    llvm::PHINode* phi = w.builder.CreatePHI(type, 2);
    phi->addIncoming(old, made->getParent());
    phi->addIncoming(llvm::Constant::getNullValue(type), before);
    old = phi;
  }
  Value* result = llvm::PoisonValue::get(w.wide(type));
  if (asked) {
    Value* first = w.builder.CreateVectorSplat(w.lanes, old);
    Value* taken = w.builder.CreateMul(rank, w.builder.CreateVectorSplat(w.lanes, w.values.uniform(operand)));
    result = operation == AtomicRMWInst::Add ? w.builder.CreateAdd(first, taken) : w.builder.CreateSub(first, taken);
  }
  relax_private_atomic(*made, update);
  return {result};
}

}  // namespace

Value* insert_update(Widening& w, AtomicRMWInst& update, const llvm::Instruction& scalar) {
  auto& builder = w.builder;
  const auto stays = keeping(update.getOperation());
  if (!stays || update.getOrdering() != llvm::AtomicOrdering::Monotonic || is_private_atomic(scalar)) return builder.Insert(&update);
  const auto [found, remains] = look_first(update, *stays, builder);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto *changes = w.new_block("changes"), *done = w.new_block("changed");
  builder.CreateCondBr(remains, done, changes);
  builder.SetInsertPoint(changes);
  builder.Insert(&update);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  llvm::PHINode* old = builder.CreatePHI(found->getType(), 2);
  old->addIncoming(found, before);
  old->addIncoming(&update, changes);
  return old;
}

void relax_private_atomic(llvm::Instruction& atomic, const llvm::Instruction& scalar) {
  if (!is_private_atomic(scalar)) return;
  // Either ends the instruction's life.
  if (auto* update = llvm::dyn_cast<AtomicRMWInst>(&atomic)) {
    llvm::lowerAtomicRMWInst(update);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
    llvm::lowerAtomicCmpXchgInst(exchange);
  }
}

Parts widen_atomic(Widening& w, AtomicRMWInst& update) {
  Value* operand = update.getValOperand();
  const bool asked = !update.use_empty();
  const auto operation = update.getOperation();
  const bool possible = w.is_uniform(update.getPointerOperand()) && operand->getType()->isIntegerTy() &&
                        neutral(operation, operand->getType()->getIntegerBitWidth()) &&
                        (!asked || (is_sum(operation) && w.is_uniform(operand)));
  if (possible) return update_once(w, update);
  // Updates that are nobody else's become plain accesses, so short that the lane loop around them costs more than they do. Behind an
  // atomic instruction loads have to wait, and the lane loop loads the next lane's operands there; written out they are in
  // registers before.
  const bool is_short = is_private_atomic(update) ||
                        (is_one_instruction(update, asked) && count_atomics(w.scalar) <= kMostWrittenOut);
  if (!is_short || (w.lanes != kChunk && !adds_to_own_place(w, update))) return lane_loop(w, update);
  if (!w.mask) {
    w.control.remark(&update, "atomicrmw: one lane after the other");
    return update_in_turn(w, update);
  }
  auto* all = w.new_block("all");
  auto* some = w.new_block("some");
  auto* join = w.new_block("updated");
  w.builder.CreateCondBr(w.builder.CreateIsNull(w.builder.CreateNot(w.mask.bits())), all, some);
  w.builder.SetInsertPoint(all);
  Value* from_all = update_in_turn(w, update).front();
  llvm::BasicBlock* all_end = w.builder.GetInsertBlock();
  w.builder.CreateBr(join);
  w.builder.SetInsertPoint(some);
  Value* from_some = lane_loop(w, update).front();
  llvm::BasicBlock* some_end = w.builder.GetInsertBlock();
  w.builder.CreateBr(join);
  w.builder.SetInsertPoint(join);
  llvm::PHINode* phi = w.builder.CreatePHI(from_all->getType(), 2);
  phi->addIncoming(from_all, all_end);
  phi->addIncoming(from_some, some_end);
  return {phi};
}

}  // namespace weft::compiler::simt
