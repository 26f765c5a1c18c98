#include "compiler/simt/widen.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/widener.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

Widener::Widener(const WidenRequest& request, PassControl& control)
    : request_(request),
      control_(control),
      scalar_(request.function),
      context_(scalar_.getContext()),
      layout_(scalar_.getParent()->getDataLayout()),
      lanes_(request.lanes),
      shapes_(request.function, request.specialization, request.lanes,
              [&](unsigned index) { return request.frame.privates[index].stride; }),
      block_(lane_block(request.specialization, request.lanes)),
      builder_(context_) {
  if (block_) grids_.emplace(*block_, shapes_, layout_);
}

llvm::Type* Widener::lowered(llvm::Type* type) const {
  if (type->isPointerTy()) return llvm::PointerType::get(context_, 0);
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type); vector && vector->getElementType()->isPointerTy())
    return llvm::FixedVectorType::get(lowered(vector->getElementType()), vector->getNumElements());
  return type;
}

llvm::FixedVectorType* Widener::wide(llvm::Type* scalar) const {
  return llvm::FixedVectorType::get(lowered(scalar), lanes_);
}

llvm::SmallVector<llvm::Type*, 4> Widener::components(llvm::Type* type) const {
  llvm::SmallVector<llvm::Type*, 4> result;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    result.assign(vector->getNumElements(), lowered(vector->getElementType()));
  } else if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    for (llvm::Type* member : structure->elements()) result.append(components(member));
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) result.append(components(array->getElementType()));
  } else {
    result.push_back(lowered(type));
  }
  return result;
}

void Widener::fail(const llvm::Instruction& where, const llvm::Twine& what) {
  std::string text;
  llvm::raw_string_ostream(text) << "widen: " << what << ": " << where;
  error_ = llvm::joinErrors(std::move(error_), llvm::createStringError(text));
}

llvm::Expected<llvm::Function*> Widener::run() {
  auto* pointer = llvm::PointerType::get(context_, 0);
  auto* integer = llvm::Type::getInt32Ty(context_);
  auto* type = llvm::FunctionType::get(integer, {pointer, pointer, pointer, integer}, false);
  wide_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, scalar_.getName() + ".warp",
                                 scalar_.getParent());
  wide_->addFnAttr(llvm::Attribute::NoUnwind);
  for (unsigned i = 0; i < 3; ++i) {
    wide_->addParamAttr(i, llvm::Attribute::NoAlias);
    wide_->addParamAttr(i, llvm::Attribute::NonNull);
  }
  wide_->getArg(0)->setName("launch");
  wide_->getArg(1)->setName("group");
  wide_->getArg(2)->setName("frame");
  wide_->getArg(3)->setName("warp");
  for (unsigned i = 0; i < 2; ++i) bases_[scalar_.getArg(i)] = {wide_->getArg(i)};

  auto* prologue = llvm::BasicBlock::Create(context_, "warp.entry", wide_);
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&scalar_);
  for (llvm::BasicBlock* block : order)
    entry_of_[block] = llvm::BasicBlock::Create(context_, block->getName(), wide_);
  choose_packed();
  count_lane_accesses();
  builder_.SetInsertPoint(prologue);
  first_ = request_.covers_group
               ? static_cast<Value*>(builder_.getInt32(0))
               : builder_.CreateMul(wide_->getArg(3), builder_.getInt32(lanes_), "first", true, true);
  entry_point_ = builder_.CreateBr(entry_of_[&scalar_.getEntryBlock()]);

  for (llvm::BasicBlock* block : order) widen_block(*block);
  complete_phis();
  if (error_) {
    wide_->eraseFromParent();
    return std::move(error_);
  }
  return wide_;
}

void Widener::widen_block(llvm::BasicBlock& block) {
  mask_ = nullptr;
  builder_.SetInsertPoint(entry_of_[&block]);
  for (llvm::Instruction& instruction : block) {
    builder_.SetCurrentDebugLocation(llvm::DebugLoc());
    if (instruction.isTerminator())
      widen_terminator(instruction);
    else
      widen_instruction(instruction);
  }
  exit_of_[&block] = builder_.GetInsertBlock();
}

void Widener::widen_instruction(llvm::Instruction& instruction) {
  using llvm::Instruction;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return widen_phi(*phi);
  if (called_name(instruction) == primitive::kMask) {
    Value* mask = llvm::cast<llvm::CallBase>(instruction).getArgOperand(0);
    // A block runs only if some lane is live, so a uniform mask is all ones.
    mask_ = is_uniform(mask) ? nullptr : vector1(mask);
    mask_is_prefix_ = called_name(*mask) == primitive::kLive;
    return;
  }
  const Shape shape = this->shape(&instruction);
  if (!instruction.getType()->isVoidTy() && shape.is_affine()) {
    llvm::SmallVector<Value*, 2> bases;
    for (unsigned lane = 0; lane < lanes_; lane += shape.segment) bases.push_back(clone_at(instruction, lane, false));
    bases_[&instruction] = std::move(bases);
    return;
  }
  if (packed_form_.contains(&instruction) && !llvm::isa<llvm::LoadInst>(instruction)) {
    packed_[&instruction] = packed_operation(instruction);
    return;
  }
  switch (instruction.getOpcode()) {
    case Instruction::Load: {
      auto& load = llvm::cast<llvm::LoadInst>(instruction);
      // A vector of single bits, say, which instcombine makes of `popcount(v << 31)`, has no packed form.
      const bool is_number = load.getType()->isSingleValueType() && !load.getType()->isVectorTy();
      if (load.isAtomic() || (!is_number && !solid_bits(lowered(load.getType()), layout_))) return set_vector(load, lane_loop(load));
      Value* value = widen_load(load);
      if (load.getType()->isVectorTy())
        packed_[&load] = value;
      else
        set_vector(load, {value});
      return;
    }
    case Instruction::Store: return widen_store(llvm::cast<llvm::StoreInst>(instruction));
    case Instruction::Call: {
      Parts parts = widen_call(llvm::cast<llvm::CallBase>(instruction));
      if (!instruction.getType()->isVoidTy()) set_vector(instruction, std::move(parts));
      return;
    }
    case Instruction::AtomicRMW: return set_vector(instruction, widen_atomic(llvm::cast<llvm::AtomicRMWInst>(instruction)));
    case Instruction::AtomicCmpXchg: return set_vector(instruction, lane_loop(instruction));
    case Instruction::Fence:
      builder_.Insert(instruction.clone());
      return;
    case Instruction::GetElementPtr: return set_vector(instruction, widen_gep(instruction));
    case Instruction::BitCast: return set_vector(instruction, widen_bitcast(instruction));
    case Instruction::ExtractElement:
    case Instruction::ExtractValue: return set_vector(instruction, widen_extract(instruction));
    case Instruction::InsertElement:
    case Instruction::InsertValue: return set_vector(instruction, widen_insert(instruction));
    case Instruction::ShuffleVector: return set_vector(instruction, widen_shuffle(instruction));
    case Instruction::Alloca: return fail(instruction, "a variable of a size unknown at compile time");
    default: return set_vector(instruction, elementwise(instruction));
  }
}

void Widener::widen_phi(llvm::PHINode& phi) {
  const Shape shape = this->shape(&phi);
  const unsigned incoming = phi.getNumIncomingValues();
  if (shape.is_affine()) {
    llvm::SmallVector<Value*, 2> bases;
    for (unsigned lane = 0; lane < lanes_; lane += shape.segment)
      bases.push_back(builder_.CreatePHI(lowered(phi.getType()), incoming, phi.getName()));
    bases_[&phi] = std::move(bases);
  } else if (packed_form_.contains(&phi)) {
    packed_[&phi] = builder_.CreatePHI(packed_type(phi.getType()), incoming, phi.getName());
  } else {
    Parts parts;
    for (llvm::Type* type : components(phi.getType()))
      parts.push_back(builder_.CreatePHI(wide(type), incoming, phi.getName()));
    set_vector(phi, std::move(parts));
  }
  phis_.push_back(&phi);
}

void Widener::complete_phis() {
  for (llvm::PHINode* phi : phis_) {
    const Shape shape = this->shape(phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock* from = exit_of_.lookup(phi->getIncomingBlock(i));
      if (!from) continue;  // unreachable
      builder_.SetInsertPoint(from->getTerminator());
      Value* value = phi->getIncomingValue(i);
      if (shape.is_affine()) {
        auto& bases = bases_[phi];
        for (unsigned b = 0; b < bases.size(); ++b)
          llvm::cast<llvm::PHINode>(bases[b])->addIncoming(
              llvm::isa<llvm::UndefValue>(value) ? llvm::PoisonValue::get(bases[b]->getType())
                                                 : scalar_at(value, b * shape.segment),
              from);
      } else if (packed_form_.contains(phi)) {
        llvm::cast<llvm::PHINode>(packed_[phi])->addIncoming(packed(value), from);
      } else {
        const Parts values = vector(value);
        const Parts parts = vectors_[phi];
        for (unsigned p = 0; p < parts.size(); ++p)
          llvm::cast<llvm::PHINode>(parts[p])->addIncoming(values[p], from);
      }
    }
  }
}

void Widener::widen_terminator(llvm::Instruction& terminator) {
  if (auto* instruction = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) return widen_return(*instruction);
  if (llvm::isa<llvm::UnreachableInst>(terminator)) {
    builder_.CreateUnreachable();
    return;
  }
  for (unsigned i = 0; i < terminator.getNumOperands(); ++i)
    if (!llvm::isa<llvm::BasicBlock>(terminator.getOperand(i)) && !is_uniform(terminator.getOperand(i))) {
      fail(terminator, "a divergent branch");
      builder_.CreateUnreachable();
      return;
    }
  llvm::Instruction* copy = builder_.Insert(terminator.clone());
  for (llvm::Use& operand : copy->operands()) {
    if (auto* block = llvm::dyn_cast<llvm::BasicBlock>(operand))
      operand.set(entry_of_[block]);
    else {
      builder_.SetInsertPoint(copy);
      operand.set(uniform(operand));
    }
  }
}

void Widener::widen_return(llvm::ReturnInst& instruction) {
  Value* next = instruction.getReturnValue();
  if (is_uniform(next)) {
    builder_.CreateRet(uniform(next));
    return;
  }
  // Lanes without a work-item have no say; the others must agree.
  Value* value = vector1(next);
  Value* live = request_.full_warps
                    ? nullptr
                    : builder_.CreateICmpULT(
                          builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, first_),
                                             lane_numbers(builder_.getInt32Ty(), lanes_, 1)),
                          builder_.CreateVectorSplat(
                              lanes_, builder_.CreateMul(local_size(0), builder_.CreateMul(local_size(1), local_size(2)))));
  Value* first = builder_.CreateExtractElement(value, std::uint64_t{0});
  Value* other = builder_.CreateICmpNE(value, builder_.CreateVectorSplat(lanes_, first));
  if (live) other = builder_.CreateAnd(other, live);
  builder_.CreateRet(builder_.CreateSelect(reduce(other, true), builder_.getInt32(kDivergentRegion), first));
}

llvm::Constant* Widener::lane_numbers(llvm::Type* integer, unsigned segment, std::int64_t stride) const {
  llvm::SmallVector<llvm::Constant*, 64> lanes;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    lanes.push_back(llvm::ConstantInt::get(integer, static_cast<std::uint64_t>(stride * (lane % segment)), true));
  return llvm::ConstantVector::get(lanes);
}

Value* Widener::scalar_at(Value* value, unsigned lane) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!constant->getType()->isPtrOrPtrVectorTy() || constant->getType() == lowered(constant->getType()))
      return constant;
    if (constant->isNullValue()) return llvm::Constant::getNullValue(lowered(constant->getType()));
    return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(constant, lowered(constant->getType()));
  }
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value)) return value;  // metadata
  const Shape shape = this->shape(value);
  const auto& bases = bases_[value];
  if (bases.empty()) {
    fail(*llvm::cast<llvm::Instruction>(value), "no scalar form");
    return llvm::PoisonValue::get(lowered(value->getType()));
  }
  Value* base = bases.size() == 1 ? bases.front() : bases[lane / shape.segment];
  const std::int64_t distance = bases.size() == 1 && !llvm::isa<llvm::Instruction>(value)
                                    ? 0
                                    : shape.stride * (lane % shape.segment);
  if (!distance) return base;
  if (base->getType()->isPointerTy()) return builder_.CreateGEP(builder_.getInt8Ty(), base, builder_.getInt64(distance));
  return builder_.CreateAdd(base, llvm::ConstantInt::get(base->getType(), static_cast<std::uint64_t>(distance), true));
}

Value* Widener::exact_at(Value* value, unsigned lane) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !shape(value).checked) return scalar_at(value, lane);
  return clone_at(*instruction, lane, true);
}

Value* Widener::clone_at(llvm::Instruction& instruction, unsigned lane, bool exact) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (Value* value = scalar_primitive(*call, lane)) return value;
  if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    // Lane after lane, each with a whole copy, so that any access through any pointer finds its own; or as many
    // bytes with the lanes' units side by side.
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    const std::uint64_t bytes = alloca->getAllocationSize(layout_)->getFixedValue();
    const std::uint64_t unit = std::max<std::uint64_t>(1, interleaved_unit(*alloca));
    auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), llvm::alignTo(bytes, unit) * lanes_);
    auto* copy = builder_.CreateAlloca(type, nullptr, alloca->getName());
    copy->setAlignment(std::max(alloca->getAlign(), llvm::Align(64)));
    return copy;
  }
  auto operand = [&](unsigned i) {
    Value* value = instruction.getOperand(i);
    return exact ? exact_at(value, lane) : scalar_at(value, lane);
  };
  const unsigned opcode = instruction.getOpcode();
  if (opcode == llvm::Instruction::AddrSpaceCast) return operand(0);
  // In a lane that is not live the operands need not be disjoint, and the base of a segment may be such a lane.
  if (opcode == llvm::Instruction::Or && shape(&instruction).stride != 0)
    return builder_.CreateAdd(operand(0), operand(1), instruction.getName());
  if (opcode == llvm::Instruction::ZExt && instruction.hasNonNeg() && shape(&instruction).stride != 0)
    return builder_.CreateSExt(operand(0), instruction.getType(), instruction.getName());
  const bool everyone = mask_ == nullptr || is_uniform(&instruction);
  if ((opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SRem ||
       opcode == llvm::Instruction::URem) && !instruction.getType()->isVectorTy())
    return divide(instruction, operand(0), operand(1));
  llvm::SmallVector<Value*, 4> operands;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
    operands.push_back(llvm::isa<llvm::Function>(instruction.getOperand(i)) ? instruction.getOperand(i) : operand(i));
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !is_uniform(load)) {
    // A segment of which no lane is live may hold any address.
    Value* live = segment_of_mask(lane, shape(load).segment, 1);
    if (live) operands[0] = safe_pointer(operands[0], reduce(live, true), lowered(load->getType()));
  }
  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  if (copy->getType() != lowered(copy->getType())) copy->mutateType(lowered(copy->getType()));
  if (!everyone) copy->dropPoisonGeneratingAnnotations();
  if (llvm::isa<llvm::LoadInst>(copy)) {
    auto* load = llvm::cast<llvm::LoadInst>(copy);
    if (load->hasMetadata(primitive::kNonVolatileMetadata)) load->setVolatile(false);
    load->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  }
  copy->setDebugLoc(llvm::DebugLoc());
  builder_.Insert(copy, instruction.getName());
  return copy;
}

Value* Widener::value_in_lane(Value* value, unsigned lane, unsigned depth) {
  const Shape shape = this->shape(value);
  if (llvm::isa<llvm::Constant>(value) || (shape.is_affine() && !shape.checked)) return scalar_at(value, lane);
  if (shape.checked) return exact_at(value, lane);
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  constexpr unsigned kDeepest = 3;
  if (depth < kDeepest && !value->getType()->isVectorTy()) {
    switch (instruction->getOpcode()) {
      case llvm::Instruction::GetElementPtr: {
        auto* gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        if (!is_uniform(gep->getPointerOperand()) && !llvm::isa<llvm::Instruction>(gep->getPointerOperand())) break;
        llvm::SmallVector<Value*, 4> indices;
        for (Value* index : gep->indices()) indices.push_back(value_in_lane(index, lane, depth + 1));
        return builder_.CreateGEP(gep->getSourceElementType(),
                                  value_in_lane(gep->getPointerOperand(), lane, depth + 1), indices);
      }
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
        return builder_.CreateCast(static_cast<llvm::Instruction::CastOps>(instruction->getOpcode()),
                                   value_in_lane(instruction->getOperand(0), lane, depth + 1), instruction->getType());
      default: break;
    }
  }
  const Parts parts = vector(value);
  if (auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
    Value* result = llvm::PoisonValue::get(lowered(type));
    for (unsigned i = 0; i < parts.size(); ++i)
      result = builder_.CreateInsertElement(result, builder_.CreateExtractElement(parts[i], lane), i);
    return result;
  }
  return builder_.CreateExtractElement(parts.front(), lane);
}

Value* Widener::spread(llvm::ArrayRef<Value*> bases, llvm::Type* type) {
  if (bases.size() == 1) return builder_.CreateVectorSplat(lanes_, bases.front());
  const auto segment = static_cast<unsigned>(lanes_ / bases.size());
  if (type->isIntegerTy(1) && segment <= 64 && request_.traits.native_scatter) {
    // With masks in registers, the bits that a segment shares are a number. LLVM would put them together one by one.
    auto* bits = builder_.getIntNTy(segment);
    Value* numbers = llvm::PoisonValue::get(llvm::FixedVectorType::get(bits, static_cast<unsigned>(bases.size())));
    for (unsigned i = 0; i < bases.size(); ++i)
      numbers = builder_.CreateInsertElement(numbers, builder_.CreateSExt(bases[i], bits), i);
    return builder_.CreateBitCast(numbers, wide(type));
  }
  auto* few = llvm::FixedVectorType::get(type, static_cast<unsigned>(bases.size()));
  Value* packed = llvm::PoisonValue::get(few);
  for (unsigned i = 0; i < bases.size(); ++i) packed = builder_.CreateInsertElement(packed, bases[i], i);
  llvm::SmallVector<int, 64> mask;
  for (unsigned lane = 0; lane < lanes_; ++lane) mask.push_back(static_cast<int>(lane / (lanes_ / bases.size())));
  return builder_.CreateShuffleVector(packed, mask);
}

Parts Widener::from_segments(llvm::ArrayRef<Value*> bases, const Shape& shape, llvm::Type* type) {
  Parts parts;
  if (type->isVectorTy() || type->isAggregateType()) {
    const auto types = components(type);
    for (unsigned c = 0; c < types.size(); ++c) {
      llvm::SmallVector<Value*, 4> elements;
      for (Value* base : bases)
        elements.push_back(type->isVectorTy() ? builder_.CreateExtractElement(base, c)
                                              : builder_.CreateExtractValue(base, c));
      parts.push_back(spread(elements, types[c]));
    }
    return parts;
  }
  Value* value = spread(bases, lowered(type));
  if (shape.stride) {
    if (type->isPointerTy())
      value = builder_.CreateGEP(builder_.getInt8Ty(), value,
                                 lane_numbers(builder_.getInt64Ty(), shape.segment, shape.stride));
    else
      value = builder_.CreateAdd(value, lane_numbers(type, shape.segment, shape.stride));
  }
  parts.push_back(value);
  return parts;
}

Parts Widener::vector(Value* value) {
  if (const auto found = vectors_.find(value); found != vectors_.end()) return found->second;
  if (const auto found = packed_.find(value); found != packed_.end())
    return vectors_[value] = unpack(*value, found->second);
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    Parts parts;
    const auto types = components(constant->getType());
    const bool whole = !constant->getType()->isVectorTy() && !constant->getType()->isAggregateType();
    for (unsigned i = 0; i < types.size(); ++i) {
      auto* element = whole ? llvm::cast<llvm::Constant>(scalar_at(constant, 0)) : constant->getAggregateElement(i);
      parts.push_back(element ? builder_.CreateVectorSplat(lanes_, element)
                              : static_cast<Value*>(llvm::PoisonValue::get(wide(types[i]))));
    }
    return parts;
  }
  const Shape shape = this->shape(value);
  // Where an extension may wrap, only the operation itself knows what the other lanes hold.
  if (shape.checked && shape.stride != 0) {
    auto& instruction = *llvm::cast<llvm::Instruction>(value);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return widen_call(*call);
    return instruction.getOpcode() == llvm::Instruction::GetElementPtr ? widen_gep(instruction)
                                                                       : elementwise(instruction);
  }
  const auto& bases = bases_[value];
  if (bases.empty()) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) fail(*instruction, "used before it is defined");
    Parts parts;
    for (llvm::Type* type : components(value->getType())) parts.push_back(llvm::PoisonValue::get(wide(type)));
    return parts;
  }
  const llvm::SmallVector<Value*, 2> copy = bases;
  return from_segments(copy, llvm::isa<llvm::Instruction>(value) ? shape : Shape::uniform(lanes_), value->getType());
}

llvm::Expected<llvm::Function*> widen(const WidenRequest& request, PassControl& control) {
  return Widener(request, control).run();
}

}  // namespace weft::compiler::simt
