// Loads, stores and slots: contiguous, segmented, broadcast. Others are gathered and scattered (widen_gather.cpp).
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

const llvm::Align kPackedAlign(64);

/// In front of a masked access, which has no way to be volatile: nothing before it is merged with it. No code.
void keep_apart(llvm::IRBuilder<>& builder) {
  builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

}  // namespace

bool stays_volatile(const llvm::Instruction& access) {
  return access.isVolatile() && !access.hasMetadata(primitive::kNonVolatileMetadata);
}

void copy_alias_metadata(llvm::Instruction& to, const llvm::Instruction& from) {
  for (unsigned kind : {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_tbaa})
    if (llvm::MDNode* node = from.getMetadata(kind)) to.setMetadata(kind, node);
}

/// Lanes [first, first + count) of the mask, each repeated for every component; null where all lanes run.
Value* Widener::segment_of_mask(unsigned first, unsigned count, unsigned components) {
  if (!mask_) return nullptr;
  if (count == lanes_ && components == 1) return mask_;
  llvm::SmallVector<int, 128> lanes;
  for (unsigned lane = first; lane < first + count; ++lane) lanes.append(components, static_cast<int>(lane));
  return builder_.CreateShuffleVector(mask_, lanes);
}

/// `live`, the mask of a row's elements, less those that the program does not access. Of what is only read, all but the last
/// lane's end lies between what the program reads: `ends_only`.
Value* Widener::with_fields(Value* live, const llvm::Instruction& row, unsigned count, bool ends_only) {
  const llvm::MDNode* node = row.getMetadata(primitive::kFieldsMetadata);
  if (!node) return live;
  const std::uint64_t fields = llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
  if (fields + 1 == std::uint64_t{1} << count) return live;
  llvm::SmallVector<llvm::Constant*, 256> accessed;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    for (unsigned i = 0; i < count; ++i)
      accessed.push_back(builder_.getInt1((ends_only && !live && lane + 1 < lanes_) || (fields >> i & 1) != 0));
  llvm::Constant* mask = llvm::ConstantVector::get(accessed);
  return live ? builder_.CreateAnd(live, mask) : mask;
}

Value* Widener::live_bits() {
  return builder_.CreateBitCast(mask_, builder_.getIntNTy(lanes_));
}

/// `pointer` where `condition` holds, else somewhere harmless.
Value* Widener::safe_pointer(Value* pointer, Value* condition, llvm::Type* type) {
  Value*& dummy = dummies_[type];
  if (!dummy) {
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    auto* place = builder_.CreateAlloca(type, nullptr, "nowhere");
    place->setAlignment(llvm::Align(64));
    // Values read from here are thrown away, but must not be poison to an atomic or a division.
    builder_.CreateStore(llvm::Constant::getNullValue(type), place);
    dummy = place;
  }
  return builder_.CreateSelect(condition, pointer, dummy);
}

/// Only one way of accessing memory knows of fields.
void Widener::check_row(llvm::Instruction& row, const Shape& pointer) {
  const bool is_row = pointer.is_affine() && !pointer.checked && pointer.segment == lanes_ &&
                      pointer.stride == static_cast<std::int64_t>(layout_.getTypeStoreSize(llvm::getLoadStoreType(&row)));
  if (!is_row && row.hasMetadata(primitive::kFieldsMetadata)) fail(row, "a row of structs that do not lie side by side");
}

Value* Widener::widen_load(llvm::LoadInst& load) {
  const Shape pointer = shape(load.getPointerOperand());
  check_row(load, pointer);
  const auto by_columns = [&] {
    Value* value = load_tiled(load);
    return value ? value : gather(load);
  };
  if (!pointer.is_affine()) return by_columns();
  if (!pointer.checked) {
    Value* value = load_segments(load, pointer);
    return value ? value : by_columns();
  }
  // Two ways: as the shape says, or a gather where an index wrapped around.
  Value* holds = progression_holds(load.getPointerOperand(), pointer);
  auto* fast = llvm::BasicBlock::Create(context_, "contiguous", wide_);
  auto* slow = llvm::BasicBlock::Create(context_, "wrapped", wide_);
  auto* join = llvm::BasicBlock::Create(context_, "loaded", wide_);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(fast);
  Value* together = load_segments(load, pointer);
  if (!together) {
    builder_.SetInsertPoint(before);
    for (llvm::BasicBlock* block : {fast, slow, join}) block->eraseFromParent();
    return by_columns();
  }
  llvm::BasicBlock* const fast_end = builder_.GetInsertBlock();
  builder_.SetInsertPoint(before);
  builder_.CreateCondBr(holds, fast, slow);
  builder_.SetInsertPoint(fast_end);
  return or_gathered(load, together, slow, join);
}

/// Ends the block that has loaded `together`: in `slow` the load is a gather, and `join` has the one or the other.
Value* Widener::or_gathered(llvm::LoadInst& load, Value* together, llvm::BasicBlock* slow, llvm::BasicBlock* join) {
  llvm::BasicBlock* const fast_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(slow);
  off_the_shape_ = true;
  Value* gathered = gather(load);
  off_the_shape_ = false;
  llvm::BasicBlock* const slow_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  llvm::PHINode* phi = builder_.CreatePHI(together->getType(), 2);
  phi->addIncoming(together, fast_end);
  phi->addIncoming(gathered, slow_end);
  return phi;
}

/// All lanes access their units at one index of an interleaved variable. Lanes that are not live have memory there,
/// too, which nothing else uses: no mask is needed.
bool Widener::is_own_row(const llvm::Instruction& access, const Shape& pointer) const {
  const std::uint64_t unit = interleaved_unit(access);
  return unit && pointer.segment == lanes_ && pointer.stride == static_cast<std::int64_t>(unit) && !pointer.checked;
}

llvm::Align Widener::row_align(const llvm::Instruction& access) const {
  return llvm::commonAlignment(kPackedAlign, interleaved_unit(access) * lanes_);
}

/// The forms for which a segment is one access. Null, with nothing emitted, where the stride has none.
Value* Widener::load_segments(llvm::LoadInst& load, const Shape& pointer) {
  auto* type = lowered(load.getType());
  auto* element = type->getScalarType();
  const unsigned count = static_cast<unsigned>(components(type).size());
  const std::uint64_t element_bytes = layout_.getTypeStoreSize(element);
  if (!solid_bits(type, layout_)) return nullptr;
  const bool contiguous = pointer.stride == static_cast<std::int64_t>(element_bytes * count);
  const bool reversed = count == 1 && pointer.stride == -static_cast<std::int64_t>(element_bytes);
  if (!contiguous && !reversed) return load_strided(load, pointer);
  const unsigned segment = pointer.segment;
  if (is_own_row(load, pointer)) {
    auto* row = llvm::FixedVectorType::get(element, lanes_ * count);
    return builder_.CreateAlignedLoad(row, scalar_at(load.getPointerOperand(), 0), row_align(load), load.getName());
  }
  llvm::SmallVector<Value*, 4> segments;
  for (unsigned lane = 0; lane < lanes_; lane += segment) {
    auto* block_type = llvm::FixedVectorType::get(element, segment * count);
    Value* base = scalar_at(load.getPointerOperand(), lane);
    if (reversed)
      base = builder_.CreateGEP(builder_.getInt8Ty(), base,
                                builder_.getInt64(static_cast<std::uint64_t>(pointer.stride * (segment - 1))));
    const llvm::Align align = std::min(load.getAlign(), llvm::Align(element_bytes));
    llvm::Type* word = mask_ ? as_word(element, count) : nullptr;
    Value* live = with_fields(segment_of_mask(lane, segment, word ? 1 : count), load, count, true);
    if (live && reversed) live = builder_.CreateVectorReverse(live);
    if (live && stays_volatile(load)) keep_apart(builder_);
    llvm::Instruction* block =
        live ? load_some(word ? llvm::FixedVectorType::get(word, segment) : block_type, base, align, live,
                         segment == lanes_, !stays_volatile(load))
             : builder_.CreateAlignedLoad(block_type, base, align, stays_volatile(load), load.getName());
    if (!llvm::isa<llvm::PHINode>(block)) copy_alias_metadata(*block, load);
    Value* value = builder_.CreateBitCast(block, block_type);
    segments.push_back(reversed ? builder_.CreateVectorReverse(value) : value);
  }
  return segments.size() == 1 ? segments.front() : llvm::concatenateVectors(builder_, segments);
}

void Widener::widen_store(llvm::StoreInst& store) {
  if (store.isAtomic()) {
    lane_loop(store);
    return;
  }
  Value* target = store.getPointerOperand();
  if (is_uniform(target)) {
    store_last_lane(store);
    return;
  }
  const Shape pointer = shape(target);
  check_row(store, pointer);
  const auto by_columns = [&] {
    if (!store_tiled(store)) scatter(store);
  };
  if (!pointer.is_affine()) return by_columns();
  if (!pointer.checked) {
    if (!store_segments(store, pointer)) by_columns();
    return;
  }
  Value* holds = progression_holds(target, pointer);
  auto* fast = llvm::BasicBlock::Create(context_, "contiguous", wide_);
  auto* slow = llvm::BasicBlock::Create(context_, "wrapped", wide_);
  auto* join = llvm::BasicBlock::Create(context_, "stored", wide_);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(fast);
  const bool segments = store_segments(store, pointer);
  if (!segments) {
    builder_.SetInsertPoint(before);
    for (llvm::BasicBlock* block : {fast, slow, join}) block->eraseFromParent();
    return by_columns();
  }
  llvm::BasicBlock* const fast_end = builder_.GetInsertBlock();
  builder_.SetInsertPoint(before);
  builder_.CreateCondBr(holds, fast, slow);
  builder_.SetInsertPoint(fast_end);
  or_scattered(store, slow, join);
}

/// Ends the block that has stored: in `slow` the store is a scatter, and `join` follows both.
void Widener::or_scattered(llvm::StoreInst& store, llvm::BasicBlock* slow, llvm::BasicBlock* join) {
  builder_.CreateBr(join);
  builder_.SetInsertPoint(slow);
  off_the_shape_ = true;
  scatter(store);
  off_the_shape_ = false;
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

/// Of one store of all structs LLVM would take values from local memory again by shifting integers of thousands of bits.
void Widener::store_row_by_registers(Value* block, Value* base, llvm::Align align, Value* live, const llvm::StoreInst& store) {
  auto* type = llvm::cast<llvm::FixedVectorType>(block->getType());
  const unsigned each = request_.traits.register_bits / type->getScalarSizeInBits();
  for (unsigned first = 0; first < type->getNumElements(); first += each) {
    llvm::SmallVector<int, 16> elements;
    for (unsigned i = 0; i < std::min(each, type->getNumElements() - first); ++i) elements.push_back(static_cast<int>(first + i));
    Value* part = builder_.CreateShuffleVector(block, elements);
    Value* address = builder_.CreateConstGEP1_64(type->getElementType(), base, first);
    Value* mask = live ? builder_.CreateShuffleVector(live, elements) : nullptr;
    if (const auto* known = llvm::dyn_cast_or_null<llvm::Constant>(mask); known && known->isAllOnesValue()) mask = nullptr;
    if (mask)
      store_some(part, address, align, mask, store);
    else
      builder_.CreateAlignedStore(part, address, align);
  }
}

bool Widener::store_segments(llvm::StoreInst& store, const Shape& pointer) {
  auto* type = lowered(store.getValueOperand()->getType());
  auto* element = type->getScalarType();
  const unsigned count = static_cast<unsigned>(components(type).size());
  const std::uint64_t element_bytes = layout_.getTypeStoreSize(element);
  if (!solid_bits(type, layout_)) return false;
  const bool reversed = count == 1 && pointer.stride == -static_cast<std::int64_t>(element_bytes);
  if (pointer.stride != static_cast<std::int64_t>(element_bytes * count) && !reversed) return store_strided(store, pointer);
  const unsigned segment = pointer.segment;
  Value* value = type->isVectorTy() ? packed(store.getValueOperand()) : vector1(store.getValueOperand());
  if (is_own_row(store, pointer)) {
    Value* row = scalar_at(store.getPointerOperand(), 0);
    if (Value* live = segment_of_mask(0, lanes_, count))
      value = builder_.CreateSelect(live, value, builder_.CreateAlignedLoad(value->getType(), row, row_align(store)));
    builder_.CreateAlignedStore(value, row, row_align(store));
    return true;
  }
  for (unsigned lane = 0; lane < lanes_; lane += segment) {
    Value* base = scalar_at(store.getPointerOperand(), lane);
    if (reversed)
      base = builder_.CreateGEP(builder_.getInt8Ty(), base,
                                builder_.getInt64(static_cast<std::uint64_t>(pointer.stride * (segment - 1))));
    Value* block = value;
    if (segment != lanes_) {
      llvm::SmallVector<int, 64> elements;
      for (unsigned i = 0; i < segment * count; ++i) elements.push_back(static_cast<int>(lane * count + i));
      block = builder_.CreateShuffleVector(value, elements);
    }
    llvm::Type* word = mask_ ? as_word(element, count) : nullptr;
    if (word) block = builder_.CreateBitCast(block, llvm::FixedVectorType::get(word, segment));
    Value* live = with_fields(segment_of_mask(lane, segment, word ? 1 : count), store, count, false);
    if (reversed) {
      block = builder_.CreateVectorReverse(block);
      if (live) live = builder_.CreateVectorReverse(live);
    }
    const llvm::Align align = std::min(store.getAlign(), llvm::Align(element_bytes));
    if (live && stays_volatile(store)) keep_apart(builder_);
    if (store.hasMetadata(primitive::kFieldsMetadata))
      store_row_by_registers(block, base, align, live, store);
    else if (live)
      store_some(block, base, align, live, store);
    else
      copy_alias_metadata(*builder_.CreateAlignedStore(block, base, align, stays_volatile(store)), store);
  }
  return true;
}

/// The value of the first (`scan` = cttz) or last (ctlz) live lane.
Value* Widener::in_live_lane(Value* value, llvm::Intrinsic::ID scan) {
  if (!mask_) return value_in_lane(value, scan == llvm::Intrinsic::ctlz ? lanes_ - 1 : 0);
  Value* bits = live_bits();
  Value* lane = builder_.CreateBinaryIntrinsic(scan, bits, builder_.getFalse());
  auto* last = llvm::ConstantInt::get(bits->getType(), lanes_ - 1);
  if (scan == llvm::Intrinsic::ctlz) lane = builder_.CreateSub(last, lane);
  lane = builder_.CreateAnd(lane, last);  // in range when no lane is live, too
  const Parts parts = vector(value);
  if (!value->getType()->isVectorTy()) return builder_.CreateExtractElement(parts.front(), lane);
  Value* result = llvm::PoisonValue::get(lowered(value->getType()));
  for (unsigned c = 0; c < parts.size(); ++c)
    result = builder_.CreateInsertElement(result, builder_.CreateExtractElement(parts[c], lane), c);
  return result;
}

/// All lanes write one place: the last live one is the one that stays.
void Widener::store_last_lane(llvm::StoreInst& store) {
  Value* value = store.getValueOperand();
  Value* pointer = uniform(store.getPointerOperand());
  Value* result = is_uniform(value) ? uniform(value) : in_live_lane(value, llvm::Intrinsic::ctlz);
  llvm::StoreInst* made = builder_.CreateAlignedStore(result, pointer, store.getAlign(), stays_volatile(store));
  copy_alias_metadata(*made, store);
}

// ---- slots ----------------------------------------------------------------------------------------

Value* Widener::slot_address(unsigned slot) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), wide_->getArg(2), request_.frame.slots[slot].offset);
}

Parts Widener::load_slot(llvm::CallBase& call) {
  const unsigned slot = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Value* address = slot_address(slot);
  Parts parts;
  std::uint64_t offset = 0;
  for (llvm::Type* type : components(call.getType())) {
    auto* memory = type->isIntegerTy(1) ? builder_.getInt8Ty() : type;
    Value* value = builder_.CreateAlignedLoad(
        wide(memory), builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), address, offset), llvm::Align(32),
        call.getName());
    parts.push_back(type->isIntegerTy(1) ? builder_.CreateTrunc(value, wide(type)) : value);
    offset += lanes_ * layout_.getTypeAllocSize(memory);
  }
  return parts;
}

void Widener::store_slot(llvm::CallBase& call) {
  const unsigned slot = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Value* address = slot_address(slot);
  Value* value = call.getArgOperand(1);
  if (request_.frame.slots[slot].uniform) {
    // Uniform in fact, if not provably here: any live lane's value serves.
    Value* scalar = is_uniform(value) ? uniform(value) : in_live_lane(value, llvm::Intrinsic::cttz);
    if (scalar->getType()->isIntegerTy(1)) scalar = builder_.CreateZExt(scalar, builder_.getInt8Ty());
    builder_.CreateStore(scalar, address);
    return;
  }
  std::uint64_t offset = 0;
  for (Value* part : vector(value)) {
    if (part->getType()->getScalarType()->isIntegerTy(1)) part = builder_.CreateZExt(part, wide(builder_.getInt8Ty()));
    Value* place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), address, offset);
    // Lanes that are not here keep what they stored on another way to this barrier.
    if (mask_)
      part = builder_.CreateSelect(mask_, part, builder_.CreateAlignedLoad(part->getType(), place, llvm::Align(32)));
    builder_.CreateAlignedStore(part, place, llvm::Align(32));
    offset += lanes_ * layout_.getTypeAllocSize(part->getType()->getScalarType());
  }
}

}  // namespace weft::compiler::simt
