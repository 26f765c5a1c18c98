#include "compiler/simt/widen/widen.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/widen/widener.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

Widener::Widener(const WidenRequest& request, passes::PassControl& control)
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
  if (block_ && control.is_on(passes::Pass::kTiledAccess)) tiled_.emplace(*block_, shapes_, layout_);
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
  if (control_.is_on(passes::Pass::kPackVectors)) choose_packed();
  count_lane_accesses();
  builder_.SetInsertPoint(prologue);
  first_ = request_.whole_group
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
    builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
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

llvm::Expected<llvm::Function*> widen(const WidenRequest& request, passes::PassControl& control) {
  return Widener(request, control).run();
}

}  // namespace weft::compiler::simt
