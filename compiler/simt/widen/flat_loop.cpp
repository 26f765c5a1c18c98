#include "compiler/simt/widen/flat_loop.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

#include "compiler/simt/ir/kept_forms.h"
#include "compiler/simt/memory/flat_rows.h"
#include "compiler/simt/widen/rolled_loop.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Words that are filled at once; as many lie in front of an array, where a lane without elements has its last one.
constexpr unsigned kPadding = 16;
/// Rows that are looked after in an iteration of a loop over lanes.
constexpr unsigned kLanesAtOnce = 4;
/// Instructions for which a row's end stands. (Measured on Zen 4: with two more for an element rows of 16 are as fast either way, with six rows of 10.)
constexpr unsigned kOperationsOfEnd = 48;
/// Elements of a row on average up to which its end matters, whatever one takes.
constexpr unsigned kMostOnAverage = 12;
/// Up to which a number of 32 bits goes on through all elements of a warp without wrapping around.
/// (At most 128 lanes times kMostOnAverage steps of 2^16 are less than 2^27.)
constexpr unsigned kFarthest = 1U << 30;

class FlatLoop {
 public:
  FlatLoop(Widening& w, llvm::CallBase& call, const FlatRows& rows)
      : w_(w), b_(w.builder), call_(call), rows_(rows), one_(*rows.front->getParent()) {
    for (llvm::Argument& argument : one_.args())
      if (w_.is_uniform(passed(argument))) map_[&argument] = w_.values.uniform(passed(argument));
    for (const FlatRows::Sum& sum : rows.sums) has_own_firsts_ |= begins_by_lane(sum);
    average_ = std::clamp(kOperationsOfEnd / operations(), 1U, kMostOnAverage);
    most_ = w.lanes * average_;
  }

  Parts emit(llvm::function_ref<Parts()> turns) {
    for (Instruction& instruction : *rows_.front) {
      const auto is_shared = [&](const Value* operand) { return llvm::isa<llvm::Constant>(operand) || map_.contains(operand); };
      if (instruction.isTerminator() || !llvm::all_of(instruction.operands(), is_shared)) continue;
      // Pointers are plain ones here.
      if (llvm::isa<llvm::AddrSpaceCastInst>(instruction))
        map_[&instruction] = in(map_, instruction.getOperand(0));
      else
        put(instruction, map_);
    }

    auto *near = w_.new_block("rows.near"), *flat = w_.new_block("rows.flat"), *alone = w_.new_block("rows.alone"), *done = w_.new_block("rows.done");
    b_.CreateCondBr(are_short(), near, alone);
    b_.SetInsertPoint(near);
    b_.CreateCondBr(lie_together(), flat, alone);
    b_.SetInsertPoint(flat);
    const Parts of_flat = run();
    BasicBlock* flat_end = b_.GetInsertBlock();
    b_.CreateBr(done);
    b_.SetInsertPoint(alone);
    const Parts of_turns = turns();
    BasicBlock* alone_end = b_.GetInsertBlock();
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    Parts parts;
    for (const auto [one, other] : llvm::zip_equal(of_flat, of_turns)) {
      PHINode* phi = b_.CreatePHI(one->getType(), 2);
      phi->addIncoming(one, flat_end);
      phi->addIncoming(other, alone_end);
      parts.push_back(phi);
    }
    return parts;
  }

 private:
  /// What the function of one lane's values are here.
  using Map = llvm::DenseMap<const Value*, Value*>;
  static Value* in(const Map& map, Value* value) {
    Value* here = map.lookup(value);
    return here ? here : value;
  }
  Instruction* put(const Instruction& instruction, Map& map) {
    Instruction* copy = b_.Insert(instruction.clone(), instruction.getName());
    take_operands(*copy, map);
    map[&instruction] = copy;
    return copy;
  }
  static void take_operands(Instruction& copy, const Map& map) {
    for (llvm::Use& operand : copy.operands()) operand.set(in(map, operand.get()));
  }
  /// In front of the function's own arguments is how many iterations a lane has.
  Value* passed(const llvm::Argument& argument) const { return call_.getArgOperand(argument.getArgNo() + 1); }
  bool is_own(const Value* value) const { return llvm::isa<llvm::Argument>(value) && !map_.contains(value); }

  /// Whether each lane begins `sum` with something of its own. What is a constant on one way to the loop is one for all: the other way is that
  /// from a loop that all lanes run together, if they do.
  bool begins_by_lane(const FlatRows::Sum& sum) const {
    if (!is_own(sum.first)) return false;
    const auto* phi = llvm::dyn_cast<PHINode>(passed(*llvm::cast<llvm::Argument>(sum.first)));
    return !phi || llvm::none_of(phi->incoming_values(), [](const Value* one) { return llvm::isa<llvm::Constant>(one); });
  }
  bool goes_by_lanes() const { return !rows_.own.empty() || has_own_firsts_; }

  /// What an element takes beside its iteration, as instructions.
  unsigned operations() const {
    unsigned count = static_cast<unsigned>(rows_.results.size() + rows_.own.size()) + (goes_by_lanes() ? 3 : 0);
    for (const FlatRows::Sum& sum : rows_.sums) count += (sum.phi->getType()->isIntegerTy() ? 3 : 1) + (begins_by_lane(sum) ? 2 : 0);
    return count;
  }

  Value* splat(Value* scalar) { return b_.CreateVectorSplat(w_.lanes, scalar); }
  Value* live_or(Value* lanes, llvm::Constant* other) {
    return w_.mask ? b_.CreateSelect(w_.mask.lanes(), lanes, other) : lanes;
  }

  Value* are_short() {
    llvm::Type* word = b_.getInt32Ty();
    llvm::Type* all = w_.wide(word);
    // More than all lanes may have together is too much for any, and sums of that do not wrap around.
    Value* counts = w_.values.vector1(call_.getArgOperand(0));
    counts = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, counts, llvm::ConstantInt::get(all, most_ + 1));
    counts_ = live_or(counts, llvm::Constant::getNullValue(all));
    Value* live = w_.mask ? w_.mask.bits() : llvm::Constant::getAllOnesValue(b_.getIntNTy(w_.lanes));
    Value* running = b_.CreateZExtOrTrunc(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, live), word);
    first_ = b_.CreateZExtOrTrunc(b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, live, b_.getFalse()), b_.getInt64Ty());
    Value* together = b_.CreateAddReduce(counts_);
    elements_ = b_.CreateZExt(together, b_.getInt64Ty());
    Value* are_few = b_.CreateICmpULE(together, b_.CreateMul(running, b_.getInt32(average_)));
    Value* differ = b_.CreateICmpNE(together, b_.CreateMul(running, b_.CreateIntMaxReduce(counts_)));
    return b_.CreateLogicalAnd(are_few, differ);
  }

  /// Whether the lanes' rows, one behind the other, are one, and each begins with the same.
  Value* lie_together() {
    llvm::Type* all = w_.wide(b_.getInt32Ty());
    Value* up_to = counts_;
    for (unsigned distance = 1; distance < w_.lanes; distance *= 2) {
      llvm::SmallVector<int, 64> from;
      for (unsigned lane = 0; lane < w_.lanes; ++lane) from.push_back(static_cast<int>(lane < distance ? w_.lanes : lane - distance));
      up_to = b_.CreateAdd(up_to, b_.CreateShuffleVector(up_to, llvm::Constant::getNullValue(all), from));
    }
    ends_ = b_.CreateSub(up_to, llvm::ConstantInt::get(all, 1), "row.ends");
    Value* in_front = b_.CreateSub(up_to, counts_);
    Value* holds = b_.getTrue();
    const auto all_equal = [&](Value* lanes) {
      Value* one = b_.CreateExtractElement(lanes, first_);
      Value* equal = b_.CreateICmpEQ(lanes, splat(one));
      if (w_.mask) equal = b_.CreateOr(equal, b_.CreateNot(w_.mask.lanes()));
      holds = b_.CreateAnd(holds, w_.reduce(equal, /*any=*/false));
      return one;
    };
    for (const FlatRows::Counter& counter : rows_.counters) {
      llvm::Type* type = counter.phi->getType();
      Value* first = is_own(counter.first) ? w_.values.vector1(passed(*llvm::cast<llvm::Argument>(counter.first))) : splat(in(map_, counter.first));
      Value* way = b_.CreateMul(b_.CreateZExtOrTrunc(in_front, first->getType()), llvm::ConstantInt::getSigned(first->getType(), counter.step));
      Value* base = all_equal(b_.CreateSub(first, way));
      if (type->isIntegerTy(32)) holds = b_.CreateAnd(holds, b_.CreateICmpULT(base, b_.getInt32(kFarthest)));
      bases_.push_back(base);
    }
    for (const FlatRows::Sum& sum : rows_.sums) {
      if (!is_own(sum.first)) {
        firsts_.push_back(in(map_, sum.first));
        continue;
      }
      if (begins_by_lane(sum)) {
        firsts_.push_back(nullptr);
        continue;
      }
      Value* lanes = w_.values.vector1(passed(*llvm::cast<llvm::Argument>(sum.first)));
      llvm::Type* type = lanes->getType();
      if (type->isFPOrFPVectorTy()) lanes = b_.CreateBitCast(lanes, llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(type)));
      firsts_.push_back(b_.CreateBitCast(all_equal(lanes), type->getScalarType()));
    }
    return holds;
  }

  Value* number(std::uint64_t value) { return b_.getInt64(value); }

  /// A word for each element.
  struct Array {
    llvm::Type* type;
    Value* begin;
  };
  /// Arrays of these types, one behind the other: so one register leads to all whose words are as large.
  llvm::SmallVector<Array, 4> arrays(llvm::ArrayRef<llvm::Type*> types) {
    const auto bytes = [&](llvm::Type* type) { return w_.layout.getTypeStoreSize(type) * (most_ + 2 * kPadding); };
    std::uint64_t all = 0;
    for (llvm::Type* type : types) all += bytes(type);
    auto* memory = w_.new_variable(llvm::ArrayType::get(b_.getInt8Ty(), all), llvm::Align(64), "elements");
    llvm::SmallVector<Array, 4> arrays;
    std::uint64_t place = 0;
    for (llvm::Type* type : types) {
      arrays.push_back({type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), memory, place + kPadding * w_.layout.getTypeStoreSize(type))});
      place += bytes(type);
    }
    return arrays;
  }
  Value* at(const Array& array, Value* index) { return b_.CreateInBoundsGEP(array.type, array.begin, index); }

  Parts run() {
    unsigned bits = 32;
    for (const FlatRows::Sum& sum : rows_.sums) bits = std::max(bits, static_cast<unsigned>(sum.phi->getType()->getPrimitiveSizeInBits()));
    llvm::SmallVector<llvm::Type*, 4> types{b_.getIntNTy(bits)};
    for (const Value* result : rows_.results) types.push_back(result->getType());
    left_ = arrays(types);
    // Of a lane without elements where none is in front of it.
    for (const Array& array : left_) b_.CreateStore(llvm::Constant::getNullValue(array.type), at(array, number(~std::uint64_t{0})));
    ends_at_ = left_.front();
    left_.erase(left_.begin());
    fill();
    Value* places = b_.CreateSExt(ends_, w_.wide(b_.getInt64Ty()));
    const LaneWords ends(*this, places);
    rolled_loop(w_, w_.lanes, kLanesAtOnce, [&](Value* lane) {
      for (unsigned i = 0; i < kLanesAtOnce; ++i) {
        Value* behind = b_.CreateAdd(lane, number(i + 1));
        b_.CreateStore(b_.CreateTrunc(behind, ends_at_.type), at(ends_at_, ends.load(b_.CreateAdd(lane, number(i)))));
      }
    });
    for (llvm::Argument* argument : rows_.own) own_.emplace_back(*this, w_.values.vector1(passed(*argument)));
    for (const auto [sum, first] : llvm::zip_equal(rows_.sums, firsts_))
      if (!first) own_firsts_.try_emplace(sum.phi, *this, w_.values.vector1(passed(*llvm::cast<llvm::Argument>(sum.first))));
    // The lanes whose rows end in the first half of the elements go in front.
    llvm::Type* all = w_.wide(b_.getInt32Ty());
    Value* half = splat(b_.CreateTrunc(b_.CreateLShr(elements_, 1), b_.getInt32Ty()));
    Value* in_front = b_.CreateSelect(b_.CreateICmpSLT(ends_, half), ends_, llvm::Constant::getAllOnesValue(all));
    Value* cut = b_.CreateAdd(b_.CreateSExt(b_.CreateIntMaxReduce(in_front, /*IsSigned=*/true), b_.getInt64Ty()), number(1), "cut");

    State state = first_state(number(0));
    const auto length = state.size();
    state.append(first_state(cut));
    state = while_less("elements", b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, cut, b_.CreateSub(elements_, cut)), state, [&](llvm::ArrayRef<Value*> both) {
      State next = step(both.take_front(length));
      next.append(step(both.drop_front(length)));
      return next;
    });
    const auto alone = [&](llvm::ArrayRef<Value*> from, Value* end) {
      while_less("rest", end, State(from), [&](llvm::ArrayRef<Value*> one) { return step(one); });
    };
    alone(llvm::ArrayRef(state).take_front(length), cut);
    alone(llvm::ArrayRef(state).drop_front(length), elements_);
    return results(places, ends);
  }

  /// A word of each lane, in memory.
  class LaneWords {
   public:
    LaneWords(FlatLoop& loop, Value* lanes) : b_(loop.b_), type_(lanes->getType()->getScalarType()) {
      // Behind the last row begins none, with anything.
      const unsigned count = loop.w_.lanes + 1;
      memory_ = loop.w_.new_variable(llvm::ArrayType::get(type_, count), loop.w_.layout.getABITypeAlign(lanes->getType()), "lanes");
      b_.CreateStore(lanes, memory_);
    }
    Value* load(Value* lane) const { return b_.CreateLoad(type_, b_.CreateInBoundsGEP(type_, memory_, lane)); }

   private:
    llvm::IRBuilder<>& b_;
    llvm::Type* type_;
    Value* memory_;
  };

  void fill() {
    auto* type = llvm::FixedVectorType::get(ends_at_.type, kPadding);
    while_less("fill", elements_, {number(0)}, [&](llvm::ArrayRef<Value*> state) -> State {
      b_.CreateAlignedStore(llvm::Constant::getAllOnesValue(type), at(ends_at_, state[0]), llvm::Align(64));
      return {b_.CreateAdd(state[0], number(kPadding), "", true, true)};
    });
  }

  /// Where one of the two loops is: an element, its lane where lanes have values of their own, and what the element before has left.
  using State = llvm::SmallVector<Value*, 8>;

  State first_state(Value* element) {
    State state{element};
    Value* lane = b_.CreateZExt(b_.CreateLoad(ends_at_.type, at(ends_at_, b_.CreateSub(element, number(1)))), b_.getInt64Ty());
    if (goes_by_lanes()) state.push_back(lane);
    for (const auto [sum, first] : llvm::zip_equal(rows_.sums, firsts_)) state.push_back(first ? first : own_firsts_.at(sum.phi).load(lane));
    return state;
  }

  /// Runs one element, and returns where the loop is then.
  State step(llvm::ArrayRef<Value*> state) {
    Value* element = state[0];
    const llvm::ArrayRef<Value*> sums = state.take_back(rows_.sums.size());
    Map map(map_);
    for (const auto [argument, lanes] : llvm::zip_equal(rows_.own, own_)) map[argument] = lanes.load(state[1]);
    for (const auto [counter, base] : llvm::zip_equal(rows_.counters, bases_)) put_counter(counter, base, element, map);
    for (const auto [sum, value] : llvm::zip_equal(rows_.sums, sums)) map[sum.phi] = value;
    put_body(map);
    for (const auto [result, values] : llvm::zip_equal(rows_.results, left_)) b_.CreateStore(in(map, result), at(values, element));
    Value* end = b_.CreateLoad(ends_at_.type, at(ends_at_, element));
    Value* goes_on = b_.CreateICmpSLT(end, llvm::Constant::getNullValue(ends_at_.type));
    State next{b_.CreateAdd(element, number(1), "", true, true)};
    if (goes_by_lanes()) next.push_back(kept_choice(b_, goes_on, state[1], b_.CreateZExtOrTrunc(end, b_.getInt64Ty())));
    for (const auto [sum, shared] : llvm::zip_equal(rows_.sums, firsts_)) {
      Value* left = in(map, sum.next);
      Value* first = shared ? shared : own_firsts_.at(sum.phi).load(next[1]);
      next.push_back(left->getType()->isIntegerTy() ? kept_choice(b_, goes_on, left, first) : blend(end, left, first));
    }
    return next;
  }

  /// The number that `counter` is at `element`, and as it is where it is extended to index memory: it is far from where it would wrap around.
  void put_counter(const FlatRows::Counter& counter, Value* base, Value* element, Map& map) {
    Value* step = llvm::ConstantInt::getSigned(b_.getInt64Ty(), counter.step);
    Value* here = b_.CreateAdd(b_.CreateZExt(base, b_.getInt64Ty()), b_.CreateMul(element, step));
    map[counter.phi] = b_.CreateTrunc(here, counter.phi->getType());
    for (llvm::User* user : counter.phi->users()) {
      auto* extension = llvm::dyn_cast<llvm::SExtInst>(user);
      if (extension && extension->getType()->isIntegerTy(64)) map[extension] = here;
    }
  }

  /// `left` where the number `sign` is negative, else `first`. Of a choice between floats LLVM 19 makes a branch where processors have no mask registers.
  Value* blend(Value* sign, Value* left, Value* first) {
    llvm::Type* type = left->getType();
    const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
    const auto in_register = [&](Value* value) {
      return b_.CreateInsertElement(llvm::PoisonValue::get(llvm::FixedVectorType::get(value->getType(), 128 / bits)), value, std::uint64_t{0});
    };
    // Of all ones and of a lane's number 32 bits of 64 have the sign, too.
    Value* signs = b_.CreateBitCast(in_register(b_.CreateTrunc(sign, b_.getIntNTy(bits))), llvm::FixedVectorType::get(type, 128 / bits));
    Value* either = b_.CreateIntrinsic(bits == 32 ? llvm::Intrinsic::x86_sse41_blendvps : llvm::Intrinsic::x86_sse41_blendvpd, {},
                                       {in_register(first), in_register(left), signs});
    return b_.CreateExtractElement(either, std::uint64_t{0});
  }

  /// What is needed of the loop's blocks, without its end.
  void put_body(Map& map) {
    const bool is_block = rows_.blocks.size() == 1;
    for (BasicBlock* block : rows_.blocks) map[block] = is_block ? b_.GetInsertBlock() : w_.new_block(block->getName());
    if (!is_block) b_.CreateBr(llvm::cast<BasicBlock>(map[rows_.header]));
    llvm::SmallVector<Instruction*, 32> copies;
    for (BasicBlock* block : rows_.blocks) {
      b_.SetInsertPoint(llvm::cast<BasicBlock>(map[block]));
      for (Instruction& instruction : *block) {
        if (!rows_.needed.contains(&instruction) && !(instruction.isTerminator() && block != rows_.latch)) continue;
        Instruction* copy = b_.Insert(instruction.clone(), instruction.getName());
        copies.push_back(copy);
        map.try_emplace(&instruction, copy);  // but for a counter's extension, which is known
      }
    }
    for (Instruction* copy : copies) {
      take_operands(*copy, map);
      if (auto* phi = llvm::dyn_cast<PHINode>(copy))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) phi->setIncomingBlock(i, llvm::cast<BasicBlock>(in(map, phi->getIncomingBlock(i))));
    }
    b_.SetInsertPoint(llvm::cast<BasicBlock>(map[rows_.latch]));
  }

  /// Runs `body` as long as what it carries first is less than `end`, and returns what it carries then.
  State while_less(llvm::StringRef name, Value* end, State state, llvm::function_ref<State(llvm::ArrayRef<Value*>)> body) {
    BasicBlock* before = b_.GetInsertBlock();
    auto *loop = w_.new_block(name), *done = w_.new_block(name + ".done");
    b_.CreateCondBr(b_.CreateICmpULT(state[0], end), loop, done);
    b_.SetInsertPoint(loop);
    State carried, left;
    for (Value* value : state) {
      PHINode* phi = b_.CreatePHI(value->getType(), 2);
      phi->addIncoming(value, before);
      carried.push_back(phi);
    }
    const State next = body(carried);
    for (const auto [phi, value] : llvm::zip_equal(carried, next)) llvm::cast<PHINode>(phi)->addIncoming(value, b_.GetInsertBlock());
    BasicBlock* behind = b_.GetInsertBlock();
    keep_rolled(*b_.CreateCondBr(b_.CreateICmpULT(next[0], end), loop, done));
    b_.SetInsertPoint(done);
    for (const auto [from, to] : llvm::zip_equal(state, next)) {
      PHINode* phi = b_.CreatePHI(from->getType(), 2);
      phi->addIncoming(from, before);
      phi->addIncoming(to, behind);
      left.push_back(phi);
    }
    return left;
  }

  /// Each lane's: what its row's last element has left.
  Parts results(Value* places, const LaneWords& ends) {
    Parts parts;
    for (const Array& values : left_) {
      llvm::FixedVectorType* type = w_.wide(values.type);
      if (w_.traits.masked_gather) {
        Value* addresses = b_.CreateInBoundsGEP(values.type, values.begin, places);
        parts.push_back(b_.CreateMaskedGather(type, addresses, llvm::Align(values.type->getPrimitiveSizeInBits() / 8)));
        continue;
      }
      auto* lanes = w_.new_variable(type, w_.layout.getABITypeAlign(type), "lanes");
      rolled_loop(w_, w_.lanes, kLanesAtOnce, [&](Value* lane) {
        for (unsigned i = 0; i < kLanesAtOnce; ++i) {
          Value* own = b_.CreateAdd(lane, number(i));
          b_.CreateStore(b_.CreateLoad(values.type, at(values, ends.load(own))), b_.CreateInBoundsGEP(values.type, lanes, own));
        }
      });
      parts.push_back(b_.CreateLoad(type, lanes));
    }
    return parts;
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  llvm::CallBase& call_;
  const FlatRows& rows_;
  llvm::Function& one_;
  Map map_;                    ///< of what the lanes share
  bool has_own_firsts_ = false;
  unsigned average_ = 0;       ///< elements of a row up to which its end matters
  unsigned most_ = 0;          ///< of all
  Value *counts_ = nullptr, *elements_ = nullptr, *first_ = nullptr, *ends_ = nullptr;
  llvm::SmallVector<Value*, 4> bases_, firsts_;  ///< null of sums that each lane begins with its own
  Array ends_at_{};  ///< of a row's last element the lane of the next row, of others all ones
  llvm::SmallVector<LaneWords, 4> own_;
  llvm::DenseMap<const PHINode*, LaneWords> own_firsts_;
  llvm::SmallVector<Array, 4> left_;
};

}  // namespace

Parts flat_loop(Widening& w, llvm::CallBase& call, llvm::Function& one, llvm::function_ref<Parts()> turns) {
  if (w.lanes % kLanesAtOnce) return {};
  llvm::SmallVector<bool, 8> is_shared;
  for (const llvm::Use& argument : llvm::drop_begin(call.args())) is_shared.push_back(w.is_uniform(argument.get()));
  const auto rows = FlatRows::find(one, is_shared);
  return rows ? FlatLoop(w, call, *rows).emit(turns) : Parts{};
}

}  // namespace weft::compiler::simt
