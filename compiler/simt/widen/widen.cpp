#include "compiler/simt/widen/widen.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/barriers/regions.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/atomic.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Widens the blocks of one lane's code, in an order in which values are defined before all but phis use them.
class Walk {
 public:
  explicit Walk(Widening& w) : w_(w) {}
  void run();

 private:
  using Blocks = llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*>;

  void start(llvm::BasicBlock& prologue);
  void widen_block(llvm::BasicBlock& block);
  void widen_instruction(llvm::Instruction& instruction);
  void widen_phi(llvm::PHINode& phi);
  void complete_phi(llvm::PHINode& phi);
  llvm::BasicBlock* at_end_of(const llvm::BasicBlock& block, llvm::function_ref<void()> emit);
  void widen_terminator(llvm::Instruction& terminator);
  void widen_return(llvm::ReturnInst& instruction);

  Widening& w_;
  Blocks entry_of_;  ///< where a block's wide code begins
  llvm::SmallVector<llvm::PHINode*, 16> phis_;
};

void Walk::run() {
  auto* prologue = w_.new_block("warp.entry");
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&w_.scalar);
  for (llvm::BasicBlock* block : order) entry_of_[block] = w_.new_block(block->getName());
  start(*prologue);
  for (llvm::BasicBlock* block : order) widen_block(*block);
  for (llvm::PHINode* phi : phis_) complete_phi(*phi);
}

void Walk::start(llvm::BasicBlock& prologue) {
  for (unsigned i = 0; i < 2; ++i) w_.values.set_bases(*w_.scalar.getArg(i), {w_.function.getArg(i)});
  prepare_memory(w_);
  auto& builder = w_.builder;
  builder.SetInsertPoint(&prologue);
  w_.items.set_first(w_.request.whole_group
                         ? static_cast<Value*>(builder.getInt32(0))
                         : builder.CreateMul(w_.function.getArg(3), builder.getInt32(w_.lanes), "first", true, true));
  w_.entry_point = builder.CreateBr(entry_of_[&w_.scalar.getEntryBlock()]);
}

void Walk::widen_block(llvm::BasicBlock& block) {
  w_.mask.set(nullptr, false);
  w_.builder.SetInsertPoint(entry_of_[&block]);
  for (llvm::Instruction& instruction : block) {
    w_.builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (instruction.isTerminator())
      widen_terminator(instruction);
    else
      widen_instruction(instruction);
  }
  w_.ends[&block] = w_.builder.GetInsertBlock();
}

void Walk::widen_instruction(llvm::Instruction& instruction) {
  using llvm::Instruction;
  WideValues& values = w_.values;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return widen_phi(*phi);
  if (called_name(instruction) == primitive::kMask) {
    Value* mask = llvm::cast<llvm::CallBase>(instruction).getArgOperand(0);
    // A block runs only if some lane is live, so a uniform mask is all ones.
    w_.mask.set(w_.is_uniform(mask) ? nullptr : values.vector1(mask), called_name(*mask) == primitive::kLive);
    return;
  }
  const Shape shape = w_.shape(&instruction);
  if (!instruction.getType()->isVoidTy() && shape.is_affine()) {
    WideValues::Bases bases;
    for (unsigned lane = 0; lane < w_.lanes; lane += shape.segment) bases.push_back(values.clone_at(instruction, lane, false));
    values.set_bases(instruction, std::move(bases));
    // Once, and not wherever a loop asks for lanes' own: divisions are long, and may have two ways.
    if (shape.checked && instruction.isIntDivRem()) values.set_vector(instruction, widen_operation(w_, instruction));
    return;
  }
  if (values.keeps_packed(instruction) && !llvm::isa<llvm::LoadInst>(instruction))
    return values.set_packed(instruction, widen_packed(w_, instruction));
  switch (instruction.getOpcode()) {
    case Instruction::Load: return widen_load(w_, llvm::cast<llvm::LoadInst>(instruction));
    case Instruction::Store: return widen_store(w_, llvm::cast<llvm::StoreInst>(instruction));
    case Instruction::AtomicRMW:
      return values.set_vector(instruction, widen_atomic(w_, llvm::cast<llvm::AtomicRMWInst>(instruction)));
    case Instruction::AtomicCmpXchg: return values.set_vector(instruction, lane_loop(w_, instruction));
    case Instruction::Fence: w_.builder.Insert(instruction.clone()); return;
    case Instruction::Alloca: return w_.fail(instruction, "a variable of a size unknown at compile time");
    default: break;
  }
  Parts parts = widen_operation(w_, instruction);
  if (!instruction.getType()->isVoidTy()) values.set_vector(instruction, std::move(parts));
}

void Walk::widen_phi(llvm::PHINode& phi) {
  auto& builder = w_.builder;
  const Shape shape = w_.shape(&phi);
  const unsigned incoming = phi.getNumIncomingValues();
  if (shape.is_affine()) {
    WideValues::Bases bases;
    for (unsigned lane = 0; lane < w_.lanes; lane += shape.segment)
      bases.push_back(builder.CreatePHI(w_.lowered(phi.getType()), incoming, phi.getName()));
    w_.values.set_bases(phi, std::move(bases));
  } else if (w_.values.keeps_packed(phi)) {
    w_.values.set_packed(phi, builder.CreatePHI(w_.packed_type(phi.getType()), incoming, phi.getName()));
  } else {
    Parts parts;
    for (llvm::Type* type : w_.components(phi.getType()))
      parts.push_back(builder.CreatePHI(w_.wide(type), incoming, phi.getName()));
    w_.values.set_vector(phi, std::move(parts));
  }
  phis_.push_back(&phi);
}

/// Gives a phi its incoming values, which are all defined by now.
void Walk::complete_phi(llvm::PHINode& phi) {
  WideValues& values = w_.values;
  const Shape shape = w_.shape(&phi);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (!w_.wide_end(*phi.getIncomingBlock(i))) continue;  // unreachable
    Value* value = phi.getIncomingValue(i);
    if (shape.is_affine()) {
      const WideValues::Bases bases(values.bases(phi));
      WideValues::Bases incoming;
      llvm::BasicBlock* from = at_end_of(*phi.getIncomingBlock(i), [&] {
        for (unsigned b = 0; b < bases.size(); ++b)
          incoming.push_back(llvm::isa<llvm::UndefValue>(value) ? llvm::PoisonValue::get(bases[b]->getType()) : values.scalar_at(value, b * shape.segment));
      });
      for (unsigned b = 0; b < bases.size(); ++b) llvm::cast<llvm::PHINode>(bases[b])->addIncoming(incoming[b], from);
    } else if (values.keeps_packed(phi)) {
      Value* incoming = nullptr;
      llvm::BasicBlock* from = at_end_of(*phi.getIncomingBlock(i), [&] { incoming = values.packed(value); });
      llvm::cast<llvm::PHINode>(values.packed(&phi))->addIncoming(incoming, from);
    } else {
      Parts incoming;
      llvm::BasicBlock* from = at_end_of(*phi.getIncomingBlock(i), [&] { incoming = values.vector(value); });
      const Parts parts = values.vector(&phi);
      for (unsigned p = 0; p < parts.size(); ++p) llvm::cast<llvm::PHINode>(parts[p])->addIncoming(incoming[p], from);
    }
  }
}

/// Runs `emit` at the end of what became of `block`, which may make blocks: values whose shapes are checked are computed where they are asked for.
/// Returns the block that leads to those behind it from there on.
llvm::BasicBlock* Walk::at_end_of(const llvm::BasicBlock& block, llvm::function_ref<void()> emit) {
  llvm::BasicBlock* const end = w_.wide_end(block);
  llvm::Instruction* const terminator = end->getTerminator();
  w_.mask.set(nullptr, false);  // no block's own
  w_.builder.SetCurrentDebugLocation(terminator->getDebugLoc());
  terminator->removeFromParent();
  w_.builder.SetInsertPoint(end);
  emit();
  llvm::BasicBlock* const last = w_.builder.GetInsertBlock();
  terminator->insertInto(last, last->end());
  if (last != end) {
    last->replaceSuccessorsPhiUsesWith(end, last);
    w_.ends[&block] = last;
  }
  return last;
}

void Walk::widen_terminator(llvm::Instruction& terminator) {
  if (auto* instruction = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) return widen_return(*instruction);
  if (llvm::isa<llvm::UnreachableInst>(terminator)) {
    w_.builder.CreateUnreachable();
    return;
  }
  for (unsigned i = 0; i < terminator.getNumOperands(); ++i)
    if (!llvm::isa<llvm::BasicBlock>(terminator.getOperand(i)) && !w_.is_uniform(terminator.getOperand(i))) {
      w_.fail(terminator, "a divergent branch");
      w_.builder.CreateUnreachable();
      return;
    }
  llvm::Instruction* copy = w_.builder.Insert(terminator.clone());
  for (llvm::Use& operand : copy->operands()) {
    if (auto* block = llvm::dyn_cast<llvm::BasicBlock>(operand))
      operand.set(entry_of_[block]);
    else {
      w_.builder.SetInsertPoint(copy);
      operand.set(w_.values.uniform(operand));
    }
  }
}

/// Lanes without a work-item have no say in which region runs next, nor have those that have ended, where some may; the others must agree.
void Walk::widen_return(llvm::ReturnInst& instruction) {
  auto& builder = w_.builder;
  Value* next = instruction.getReturnValue();
  if (w_.is_uniform(next)) {
    builder.CreateRet(w_.values.uniform(next));
    return;
  }
  Value* value = w_.values.vector1(next);
  Value* live = w_.request.full_warps
                    ? nullptr
                    : builder.CreateICmpULT(w_.items.linear_ids(), builder.CreateVectorSplat(w_.lanes, w_.items.group_size()));
  // Of lanes without a work-item it may be poison, which masks do not hold back.
  if (live) value = builder.CreateFreeze(value);
  if (w_.scalar.hasFnAttribute(primitive::kEndsApartAttribute)) {
    Value* waits = builder.CreateICmpSGE(value, llvm::Constant::getNullValue(value->getType()));
    Value* ends = builder.CreateNot(waits);
    if (live) {
      waits = builder.CreateAnd(waits, live);
      ends = builder.CreateAnd(ends, live);
    }
    Value* region = builder.CreateIntMaxReduce(
        builder.CreateSelect(waits, value, llvm::Constant::getAllOnesValue(value->getType())), /*IsSigned=*/true);
    Value* other = builder.CreateAnd(builder.CreateICmpNE(value, builder.CreateVectorSplat(w_.lanes, region)), waits);
    // Of all that have ended, -1 stays.
    Value* next = builder.CreateOr(region, builder.CreateSelect(w_.reduce(ends, true), builder.getInt32(kSomeEnded), builder.getInt32(0)));
    builder.CreateRet(builder.CreateSelect(w_.reduce(other, true), builder.getInt32(kDivergentRegion), next));
    return;
  }
  Value* first = builder.CreateExtractElement(value, std::uint64_t{0});
  Value* other = builder.CreateICmpNE(value, builder.CreateVectorSplat(w_.lanes, first));
  if (live) other = builder.CreateAnd(other, live);
  builder.CreateRet(builder.CreateSelect(w_.reduce(other, true), builder.getInt32(kDivergentRegion), first));
}

llvm::Function* new_wide_function(llvm::Function& scalar) {
  llvm::LLVMContext& context = scalar.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* integer = llvm::Type::getInt32Ty(context);
  auto* type = llvm::FunctionType::get(integer, {pointer, pointer, pointer, integer}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, scalar.getName() + ".warp", scalar.getParent());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (const llvm::Attribute apart = scalar.getFnAttribute(primitive::kEndsApartAttribute); apart.isValid()) function->addFnAttr(apart);
  for (unsigned i = 0; i < 3; ++i) {
    function->addParamAttr(i, llvm::Attribute::NoAlias);
    function->addParamAttr(i, llvm::Attribute::NonNull);
  }
  const char* const names[] = {"launch", "group", "frame", "warp"};
  for (unsigned i = 0; i < std::size(names); ++i) function->getArg(i)->setName(names[i]);
  return function;
}

}  // namespace

llvm::Expected<llvm::Function*> widen(const WidenRequest& request, passes::PassControl& control) {
  llvm::Function* function = new_wide_function(request.function);
  Widening w(request, control, *function);
  Walk(w).run();
  w.counting.finish();
  if (llvm::Error error = w.take_error()) {
    function->eraseFromParent();
    return error;
  }
  return function;
}

}  // namespace weft::compiler::simt
