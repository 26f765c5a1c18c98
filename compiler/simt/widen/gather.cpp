// Accesses whose lanes lie anywhere: the processor's gathers and scatters, or a load or store a lane.
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <numeric>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

const llvm::Align kPackedAlign(64);

/// Lanes up to which one access after the other is no slower than a gather or a scatter.
constexpr unsigned kFewLanes = 4;

/// From this many on, accesses a lane are loops: written out, each is some 150 instructions, and a kernel with 231 of
/// them took LLVM ten seconds.
constexpr unsigned kMostWrittenOut = 24;

/// Where the compiler knows the addresses, an access is short written out, some two instructions a lane. After so many
/// lanes of them it is a loop, too; a lane that may not be live takes three times the code.
constexpr unsigned kMostLanesWrittenOut = 2048;
constexpr unsigned kMaskedLaneCode = 3;

/// Bytes of all lanes' copies of a private variable up to which an offset is a positive number of 32 bits.
constexpr std::uint64_t kMostOffset = 1u << 30;

}  // namespace

unsigned solid_bits(llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::Type* element = type->getScalarType();
  if (type->isAggregateType() || layout.getTypeSizeInBits(element) != 8 * layout.getTypeAllocSize(element)) return 0;
  return static_cast<unsigned>(layout.getTypeSizeInBits(type));
}

// ---- The processor's own --------------------------------------------------------------------------

/// `pointer` in all lanes; into a private variable as a scalar and offsets of 32 bits, of which a gather takes twice as many
/// at once: its lanes' copies lie together.
Value* Widener::word_pointers(Value* pointer) {
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  Value* base = pointer;
  for (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base); gep && !shape(gep).is_affine();
       gep = llvm::dyn_cast<llvm::GetElementPtrInst>(base)) {
    if (gep->getType()->isVectorTy() || !gep->collectOffset(layout_, 64, variables, constant)) return vector1(pointer);
    base = gep->getPointerOperand();
  }
  const Shape from = shape(base);
  const Value* object = llvm::getUnderlyingObject(base, 0);
  std::uint64_t bytes = kMostOffset + 1;
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(object); alloca && alloca->isStaticAlloca())
    bytes = lanes_ * alloca->getAllocationSize(layout_)->getFixedValue();
  else if (called_name(*object) == primitive::kPrivate)
    bytes = request_.frame.bytes;
  if (base == pointer || bytes > kMostOffset || !from.is_affine() || from.checked || from.segment != lanes_)
    return vector1(pointer);
  auto* type = wide(builder_.getInt32Ty());
  Value* offsets = builder_.CreateAdd(lane_numbers(builder_.getInt32Ty(), lanes_, from.stride),
                                      llvm::ConstantInt::get(type, constant.trunc(32)));
  for (const auto& [variable, scale] : variables) {
    Value* index = builder_.CreateSExtOrTrunc(vector1(variable), type);
    offsets = builder_.CreateAdd(offsets, builder_.CreateMul(index, llvm::ConstantInt::get(type, scale.trunc(32))));
  }
  return builder_.CreateGEP(builder_.getInt8Ty(), scalar_at(base, 0),
                            builder_.CreateSExt(offsets, wide(builder_.getInt64Ty())));
}

/// A gather of 32- or 64-bit words: numbers, pointers, small OpenCL vectors, and parts of words. Null where the
/// processor has none that would serve.
Value* Widener::gather_words(llvm::LoadInst& load) {
  auto* type = lowered(load.getType());
  const unsigned bits = solid_bits(type, layout_);
  // Where there are many, an instruction that is no faster is the shorter code.
  const bool native = mask_ || many_lane_accesses_ ? request_.traits.masked_gather : request_.traits.native_gather;
  if (!native || stays_volatile(load) || known_prefix().value_or(lanes_) <= kFewLanes) return nullptr;
  if ((bits == 8 || bits == 16) && load.getAlign().value() * 8 >= bits) return gather_parts_of_words(load, bits);
  if (bits != 32 && bits != 64) return nullptr;
  llvm::Type* word = type->isVectorTy() ? builder_.getIntNTy(bits) : type;
  llvm::CallInst* words =
      builder_.CreateMaskedGather(wide(word), word_pointers(load.getPointerOperand()), load.getAlign(), mask_);
  copy_alias_metadata(*words, load);
  return type->isVectorTy() ? builder_.CreateBitCast(words, packed_type(type)) : words;
}

/// Bytes and 16-bit elements: of the aligned 32-bit word around each, which lies in the same page whatever the buffer's
/// end, the part that the address says. What else the word holds is not looked at, so it may change meanwhile.
Value* Widener::gather_parts_of_words(llvm::LoadInst& load, unsigned bits) {
  auto* type = lowered(load.getType());
  auto* address_type = wide(builder_.getInt64Ty());
  auto* word_type = wide(builder_.getInt32Ty());
  Value* addresses = builder_.CreatePtrToInt(vector1(load.getPointerOperand()), address_type);
  Value* words_at = builder_.CreateIntToPtr(builder_.CreateAnd(addresses, llvm::ConstantInt::get(address_type, ~std::uint64_t{3})),
                                            wide(builder_.getPtrTy()));
  Value* words = builder_.CreateMaskedGather(word_type, words_at, llvm::Align(4), mask_);
  Value* bytes = builder_.CreateAnd(builder_.CreateTrunc(addresses, word_type), llvm::ConstantInt::get(word_type, 3));
  Value* part = builder_.CreateTrunc(builder_.CreateLShr(words, builder_.CreateShl(bytes, llvm::ConstantInt::get(word_type, 3))),
                                     wide(builder_.getIntNTy(bits)));
  return builder_.CreateBitCast(part, type->isVectorTy() ? packed_type(type) : wide(type));
}

bool Widener::scatter_words(llvm::StoreInst& store) {
  Value* value = store.getValueOperand();
  auto* type = lowered(value->getType());
  const unsigned bits = solid_bits(type, layout_);
  if (!request_.traits.native_scatter || stays_volatile(store) || (bits != 32 && bits != 64) ||
      known_prefix().value_or(lanes_) <= kFewLanes)
    return false;
  Value* words = type->isVectorTy() ? builder_.CreateBitCast(packed(value), wide(builder_.getIntNTy(bits))) : vector1(value);
  copy_alias_metadata(
      *builder_.CreateMaskedScatter(words, word_pointers(store.getPointerOperand()), store.getAlign(), mask_), store);
  return true;
}

// ---- An access a lane -----------------------------------------------------------------------------

/// Memory for a value a lane, without gaps: `count` elements each.
llvm::AllocaInst* Widener::lane_array(llvm::Type* element, unsigned count) {
  auto* type = llvm::ArrayType::get(element, std::uint64_t{lanes_} * count);
  llvm::AllocaInst*& array = lane_arrays_[type];
  if (!array) {
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    array = builder_.CreateAlloca(type, nullptr, "packed");
    array->setAlignment(kPackedAlign);
  }
  return array;
}

Value* Widener::lane_address(Value* array, llvm::Type* type, Value* lane) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const unsigned count = vector ? vector->getNumElements() : 1;
  Value* index = builder_.CreateMul(lane, builder_.getInt64(count), "", true, true);
  return builder_.CreateInBoundsGEP(type->getScalarType(), array, index);
}

/// A lane's pointer for an access of `type`; somewhere harmless where the lane's bit in `bits_live` is off.
Value* Widener::pointer_in_lane(Value* pointer, unsigned lane, Value* bits_live, llvm::Type* type) {
  Value* one = value_in_lane(pointer, lane);
  if (!bits_live) return one;
  Value* live = builder_.CreateTrunc(builder_.CreateLShr(bits_live, lane), builder_.getInt1Ty());
  return safe_pointer(one, live, type);
}

void Widener::count_lane_accesses() {
  unsigned count = 0;
  for (llvm::Instruction& instruction : llvm::instructions(scalar_)) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || shape(pointer).is_affine()) continue;
    auto* type = lowered(llvm::getLoadStoreType(&instruction));
    const unsigned bits = solid_bits(type, layout_);
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    const bool native = is_load ? request_.traits.native_gather : request_.traits.native_scatter;
    if (native && (bits == 32 || bits == 64 || (is_load && (bits == 8 || bits == 16)))) continue;
    ++count;
  }
  many_lane_accesses_ = count > kMostWrittenOut;
}

/// Whether an access a lane is a loop: where it runs seldom, and where there are too many to write them all out.
bool Widener::loops_over_lanes(const Value& pointer, llvm::Type* type) const {
  if (solid_bits(type, layout_) == 0) return false;
  if (off_the_shape_ || lanes_written_out_ > kMostLanesWrittenOut) return true;
  return many_lane_accesses_ && !shape(&pointer).is_affine();
}

/// Calls `access` with the pointer and the number of one lane that may be live: all written out, or once, in a loop.
void Widener::for_each_lane(Value* pointer, llvm::Type* type, bool in_loop,
                            llvm::function_ref<void(Value* pointer, Value* lane)> access) {
  const unsigned last = known_prefix().value_or(lanes_);
  Value* bits_live = mask_ && last == lanes_ ? live_bits() : nullptr;
  if (!in_loop) {
    lanes_written_out_ += bits_live ? kMaskedLaneCode * last : last;
    for (unsigned lane = 0; lane < last; ++lane)
      access(pointer_in_lane(pointer, lane, bits_live, type), builder_.getInt64(lane));
    return;
  }
  auto* pointer_type = builder_.getPtrTy();
  llvm::AllocaInst*& pointers = lane_pointers_;
  if (!pointers) {
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    pointers = builder_.CreateAlloca(llvm::ArrayType::get(pointer_type, lanes_), nullptr, "pointers");
    pointers->setAlignment(kPackedAlign);
  }
  builder_.CreateAlignedStore(vector1(pointer), pointers, kPackedAlign);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context_, "lane", wide_);
  auto* after = llvm::BasicBlock::Create(context_, "lanes.done", wide_);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* lane = builder_.CreatePHI(builder_.getInt64Ty(), 2, "lane");
  lane->addIncoming(builder_.getInt64(0), before);
  Value* one = builder_.CreateAlignedLoad(pointer_type, lane_address(pointers, pointer_type, lane), llvm::Align(8));
  if (bits_live) {
    Value* shifted = builder_.CreateLShr(bits_live, builder_.CreateZExtOrTrunc(lane, bits_live->getType()));
    one = safe_pointer(one, builder_.CreateTrunc(shifted, builder_.getInt1Ty()), type);
  }
  access(one, lane);
  Value* next = builder_.CreateAdd(lane, builder_.getInt64(1), "", true, true);
  lane->addIncoming(next, loop);
  llvm::BranchInst* back = builder_.CreateCondBr(builder_.CreateICmpEQ(next, builder_.getInt64(last)), after, loop);
  // It is a loop to be short.
  auto* plain = llvm::MDNode::get(context_, llvm::MDString::get(context_, "llvm.loop.unroll.disable"));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context_, {nullptr, plain});
  id->replaceOperandWith(0, id);
  back->setMetadata(llvm::LLVMContext::MD_loop, id);
  builder_.SetInsertPoint(after);
}

Value* Widener::gather(llvm::LoadInst& load) {
  if (Value* words = gather_words(load)) return words;
  auto* type = lowered(load.getType());
  const bool in_loop = loops_over_lanes(*load.getPointerOperand(), type);
  const unsigned count = static_cast<unsigned>(components(type).size());
  // OpenCL vectors are put side by side two by two; in a loop they go through memory. (Memory that is not indexed in a loop SROA
  // would make a blend of the whole of for each lane, work that grows with the square of the lanes.)
  const bool in_pairs = type->isVectorTy() && !in_loop;
  Value* packed = in_loop ? lane_array(type->getScalarType(), count) : nullptr;
  auto* whole = type->isVectorTy() ? packed_type(type) : wide(type);
  Value* result = llvm::PoisonValue::get(whole);
  llvm::SmallVector<Value*, 32> pairs;
  for_each_lane(load.getPointerOperand(), type, in_loop, [&](Value* pointer, Value* lane) {
    llvm::LoadInst* one = builder_.CreateAlignedLoad(type, pointer, load.getAlign(), stays_volatile(load));
    if (!mask_) copy_alias_metadata(*one, load);
    if (in_pairs)
      pairs.push_back(one);
    else if (in_loop)
      builder_.CreateAlignedStore(one, lane_address(packed, type, lane), layout_.getABITypeAlign(type->getScalarType()));
    else
      result = builder_.CreateInsertElement(result, one, lane);
  });
  if (in_pairs) return side_by_side(pairs, *llvm::cast<llvm::FixedVectorType>(type));
  return in_loop ? builder_.CreateAlignedLoad(whole, packed, kPackedAlign) : result;
}

/// The packed form of OpenCL vectors of `type`, one a lane for as many lanes as there are `vectors`.
Value* Widener::side_by_side(llvm::SmallVectorImpl<Value*>& vectors, llvm::FixedVectorType& type) {
  const unsigned count = type.getNumElements();
  const auto room = static_cast<unsigned>(llvm::PowerOf2Ceil(count));
  // Three components have a gap behind them until all are together: halves of whole registers move as one.
  if (room != count)
    for (Value*& vector : vectors) {
      llvm::SmallVector<int, 4> mask(room, llvm::PoisonMaskElem);
      std::iota(mask.begin(), mask.begin() + count, 0);
      vector = builder_.CreateShuffleVector(vector, mask);
    }
  vectors.resize(lanes_, llvm::PoisonValue::get(llvm::FixedVectorType::get(type.getElementType(), room)));
  Value* result = llvm::concatenateVectors(builder_, vectors);
  if (room == count) return result;
  llvm::SmallVector<int, 256> kept;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    for (unsigned i = 0; i < count; ++i) kept.push_back(static_cast<int>(lane * room + i));
  return builder_.CreateShuffleVector(result, kept);
}

void Widener::scatter(llvm::StoreInst& store) {
  Value* value = store.getValueOperand();
  auto* type = lowered(value->getType());
  if (!type->isSingleValueType() || (type->isVectorTy() && !solid_bits(type, layout_))) {
    lane_loop(store);
    return;
  }
  if (scatter_words(store)) return;
  const bool in_loop = loops_over_lanes(*store.getPointerOperand(), type);
  const bool in_memory = type->isVectorTy() || in_loop;
  const unsigned count = static_cast<unsigned>(components(type).size());
  Value* packed = in_memory ? lane_array(type->getScalarType(), count) : nullptr;
  if (packed) builder_.CreateAlignedStore(type->isVectorTy() ? this->packed(value) : vector1(value), packed, kPackedAlign);
  for_each_lane(store.getPointerOperand(), type, in_loop, [&](Value* pointer, Value* lane) {
    Value* one = packed ? builder_.CreateAlignedLoad(type, lane_address(packed, type, lane),
                                                     layout_.getABITypeAlign(type->getScalarType()))
                        : value_in_lane(value, static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(lane)->getZExtValue()));
    llvm::StoreInst* made = builder_.CreateAlignedStore(one, pointer, store.getAlign(), stays_volatile(store));
    if (!mask_) copy_alias_metadata(*made, store);
  });
}

}  // namespace weft::compiler::simt
