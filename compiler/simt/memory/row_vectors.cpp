#include "compiler/simt/memory/row_vectors.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/vector_form.h"
#include "compiler/simt/memory/by_lane.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

namespace {

constexpr std::size_t kMostSums = 4, kMostBlocks = 8, kMostInputs = 24;
/// Operations on what is carried: each is there for each element.
constexpr std::size_t kMostCarried = 8;

bool is_number(const llvm::Type& type) {
  return type.isFloatTy() || type.isDoubleTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

/// What has no effect and traps nowhere, whatever its operands are.
bool is_arithmetic(const Instruction& instruction) {
  return is_componentwise(instruction) ||
         llvm::isa<llvm::SelectInst, llvm::FreezeInst, llvm::CmpInst, llvm::CastInst>(instruction);
}

/// In the function of one lane all pointers are plain ones.
llvm::Type* plain(llvm::Type* type) { return type->isPointerTy() ? llvm::PointerType::get(type->getContext(), 0) : type; }

/// The code of one piece.
class Piece {
 public:
  Piece(const RowVectors& row, const llvm::Loop& loop, llvm::Function& region) : row_(row), loop_(loop), builder_(region.getContext()) {
    llvm::SmallVector<llvm::Type*, 16> parameters = {builder_.getInt32Ty()};
    llvm::SmallVector<Value*, 16> given;
    for (const RowVectors::Counter& counter : row.counters()) given.push_back(counter.phi);
    for (llvm::PHINode* sum : row.sums()) given.push_back(sum);
    given.append(row.inputs().begin(), row.inputs().end());
    for (const Value* value : given) parameters.push_back(value->getType());
    llvm::SmallVector<llvm::Type*, 4> results;
    for (const llvm::PHINode* sum : row.sums()) results.push_back(sum->getType());
    llvm::Type* result =
        results.size() == 1 ? results.front() : static_cast<llvm::Type*>(llvm::StructType::get(region.getContext(), results));
    function_ = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false), llvm::GlobalValue::InternalLinkage, "piece",
                                       region.getParent());
    function_->addFnAttr(llvm::Attribute::AlwaysInline);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    builder_.SetInsertPoint(BasicBlock::Create(region.getContext(), "lane.entry", function_));
    for (unsigned i = 0; i < given.size(); ++i) {
      llvm::Argument* argument = function_->getArg(i + 1);
      argument->setName(given[i]->getName());
      scalars_[given[i]] = argument->getType() == plain(argument->getType())
                               ? static_cast<Value*>(argument)
                               : builder_.CreateAddrSpaceCast(argument, plain(argument->getType()));
    }
    Value* again = function_->getArg(0);
    again->setName("again");
    on_ = builder_.CreateICmpULE(numbers(*builder_.getInt32Ty(), 1), builder_.CreateVectorSplat(kRowVector, again), "on");
  }

  llvm::Function* emit() {
    for (const llvm::PHINode* sum : row_.sums()) now_[sum] = scalars_.lookup(sum);
    llvm::DenseMap<const llvm::PHINode*, Value*> together;
    for (const llvm::PHINode* sum : row_.sums())
      if (Value* all = at_once(*sum)) together[sum] = all;
    for (unsigned i = 0; i < kRowVector && together.size() < row_.sums().size(); ++i) {
      for (const Instruction* instruction : row_.carried()) now_[instruction] = of_element(*instruction, i);
      llvm::SmallVector<Value*, 4> next;
      for (const llvm::PHINode* sum : row_.sums()) {
        Value& last = last_of(*sum);
        Value* made = element(last, i);
        next.push_back(kept(last) == sum ? made : builder_.CreateSelect(builder_.CreateExtractElement(on_, i), made, now_.lookup(sum)));
      }
      for (const auto [sum, value] : llvm::zip_equal(row_.sums(), next)) now_[sum] = value;
    }
    for (const auto& [sum, value] : together) now_[sum] = value;
    if (row_.sums().size() == 1) {
      builder_.CreateRet(now_.lookup(row_.sums().front()));
      return function_;
    }
    Value* all = llvm::PoisonValue::get(function_->getReturnType());
    for (const auto [i, sum] : llvm::enumerate(row_.sums()))
      all = builder_.CreateInsertValue(all, now_.lookup(sum), static_cast<unsigned>(i));
    builder_.CreateRet(all);
    return function_;
  }

 private:
  bool is_inside(const Value& value) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    return instruction && loop_.contains(instruction);
  }
  bool is_carried(const Value& value) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    return instruction && row_.is_carried(*instruction);
  }
  Value& last_of(const llvm::PHINode& sum) const { return *sum.getIncomingValueForBlock(loop_.getLoopLatch()); }

  // ---- One element's ----------------------------------------------------------------------------------------
  /// From outside of the loop, or where its counters begin.
  Value* scalar(Value& value) {
    if (Value* known = scalars_.lookup(&value)) return known;
    if (!value.getType()->isPointerTy()) return &value;
    return llvm::isa<llvm::ConstantPointerNull>(value) ? static_cast<Value*>(llvm::Constant::getNullValue(plain(value.getType())))
                                                       : llvm::PoisonValue::get(plain(value.getType()));
  }
  /// In the piece's first iteration, of an address or what it is made of.
  Value* first(Value& value) {
    if (!is_inside(value) || scalars_.contains(&value)) return scalar(value);
    auto& instruction = llvm::cast<Instruction>(value);
    if (llvm::isa<llvm::PHINode>(instruction)) return builder_.CreateExtractElement(vector(value), std::uint64_t{0});
    Value* made = nullptr;
    if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      llvm::SmallVector<Value*, 4> indices;
      for (Value* index : place->indices()) indices.push_back(first(*index));
      made = builder_.CreateGEP(place->getSourceElementType(), first(*place->getPointerOperand()), indices);
    } else {
      Instruction* copy = instruction.clone();
      for (llvm::Use& operand : copy->operands())
        if (!llvm::isa<llvm::Function>(operand.get())) operand.set(first(*operand));
      made = insert(*copy);
    }
    return scalars_[&value] = made;
  }
  Instruction* insert(Instruction& copy) {
    copy.dropUnknownNonDebugMetadata();
    copy.dropPoisonGeneratingFlags();
    copy.setDebugLoc(llvm::DebugLoc());
    return builder_.Insert(&copy);
  }
  /// In iteration `i`.
  Value* element(Value& value, unsigned i) {
    if (!is_inside(value)) return scalar(value);
    if (is_carried(value)) return now_.lookup(&value);
    return builder_.CreateExtractElement(vector(value), i);
  }

  // ---- All elements' ----------------------------------------------------------------------------------------
  /// 0, `step`, 2 * `step` and so on.
  static llvm::Constant* numbers(llvm::Type& type, std::int64_t step) {
    llvm::SmallVector<llvm::Constant*, kRowVector> elements;
    for (unsigned i = 0; i < kRowVector; ++i) elements.push_back(llvm::ConstantInt::get(&type, static_cast<std::uint64_t>(step) * i));
    return llvm::ConstantVector::get(elements);
  }
  static llvm::Type* wide(llvm::Type* type) { return llvm::FixedVectorType::get(plain(type), kRowVector); }

  Value* vector(Value& value) {
    if (Value* known = vectors_.lookup(&value)) return known;
    Value* made = is_inside(value) ? make(llvm::cast<Instruction>(value)) : builder_.CreateVectorSplat(kRowVector, scalar(value));
    return vectors_[&value] = made;
  }
  Value* make(Instruction& instruction) {
    for (const RowVectors::Counter& counter : row_.counters()) {
      if (counter.phi != &instruction) continue;
      Value* begin = scalar(instruction);
      if (begin->getType()->isPointerTy())
        return builder_.CreateGEP(builder_.getInt8Ty(), begin, numbers(*builder_.getInt64Ty(), counter.step));
      return builder_.CreateAdd(builder_.CreateVectorSplat(kRowVector, begin), numbers(*begin->getType(), counter.step));
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      llvm::Type* type = wide(load->getType());
      Value *mask = this->mask(*load->getParent()), *none = llvm::Constant::getNullValue(type);
      if (row_.is_gathered(*load))
        return builder_.CreateMaskedGather(type, vector(*load->getPointerOperand()), load->getAlign(), mask, none);
      return builder_.CreateMaskedLoad(type, first(*load->getPointerOperand()), load->getAlign(), mask, none);
    }
    if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      const auto operand = [&](Value& value) { return is_inside(value) ? vector(value) : scalar(value); };
      llvm::SmallVector<Value*, 4> indices;
      for (Value* index : place->indices()) indices.push_back(operand(*index));
      Value* made = builder_.CreateGEP(place->getSourceElementType(), operand(*place->getPointerOperand()), indices);
      return made->getType()->isVectorTy() ? made : builder_.CreateVectorSplat(kRowVector, made);
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      Value* chosen = vector(*phi->getIncomingValue(0));
      for (unsigned i = 1; i < phi->getNumIncomingValues(); ++i)
        chosen = builder_.CreateSelect(edge(*phi->getIncomingBlock(i), *phi->getParent()), vector(*phi->getIncomingValue(i)), chosen);
      return chosen;
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      llvm::SmallVector<Value*, 3> arguments;
      for (Value* argument : call->args()) arguments.push_back(vector(*argument));
      auto* made = llvm::cast<Instruction>(same_of_vectors(builder_, *call, arguments, *wide(call->getType())));
      made->dropPoisonGeneratingFlags();
      return made;
    }
    Instruction* copy = instruction.clone();
    for (llvm::Use& operand : copy->operands()) operand.set(vector(*operand));
    copy->mutateType(wide(instruction.getType()));
    return insert(*copy);
  }

  /// The elements that come to `block`.
  Value* mask(const BasicBlock& block) {
    if (&block == loop_.getHeader()) return on_;
    if (Value* known = masks_.lookup(&block)) return known;
    Value* any = nullptr;
    for (const BasicBlock* before : llvm::predecessors(&block))
      any = any ? builder_.CreateOr(any, edge(*before, block)) : edge(*before, block);
    return masks_[&block] = any;
  }
  Value* edge(const BasicBlock& from, const BasicBlock& to) {
    const auto& branch = llvm::cast<llvm::BranchInst>(*from.getTerminator());
    if (!branch.isConditional()) return mask(from);
    Value* condition = vector(*branch.getCondition());
    return builder_.CreateLogicalAnd(mask(from), branch.getSuccessor(0) == &to ? condition : builder_.CreateNot(condition));
  }

  // ---- What is carried ----------------------------------------------------------------------------------------
  /// An operation that leaves what it carries as it is where its other operand is `none`.
  struct Addition {
    const Instruction* carried = nullptr;
    unsigned opcode = 0;     ///< Call: an order of integers
    Value* added = nullptr;  ///< null: a product
    llvm::Constant* none = nullptr;
  };
  std::optional<Addition> addition(const Value& value) const {
    const auto* operation = llvm::dyn_cast<Instruction>(&value);
    if (!operation || !is_carried(value)) return std::nullopt;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(operation); call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
      if (!is_carried(*call->getArgOperand(2)) || is_carried(*call->getArgOperand(0)) || is_carried(*call->getArgOperand(1)))
        return std::nullopt;
      return Addition{llvm::cast<Instruction>(call->getArgOperand(2)), Instruction::FAdd, nullptr,
                      llvm::ConstantFP::getNegativeZero(call->getType())};
    }
    const auto* order = llvm::dyn_cast<llvm::MinMaxIntrinsic>(operation);
    if (!order && !llvm::isa<llvm::BinaryOperator>(operation)) return std::nullopt;
    const unsigned carried = is_carried(*operation->getOperand(0)) ? 0 : 1;
    if (is_carried(*operation->getOperand(1 - carried)) || (carried == 1 && !operation->isCommutative())) return std::nullopt;
    llvm::Constant* none =
        order ? last_in(*order)
              : llvm::ConstantExpr::getBinOpIdentity(operation->getOpcode(), operation->getType(), /*AllowRHSConstant=*/true);
    if (!none) return std::nullopt;
    return Addition{llvm::cast<Instruction>(operation->getOperand(carried)), operation->getOpcode(), operation->getOperand(1 - carried),
                    none};
  }
  /// Of all numbers the one that never is the least, or the most.
  static llvm::Constant* last_in(const llvm::MinMaxIntrinsic& order) {
    const bool is_signed = order.isSigned(),
               least = order.getIntrinsicID() == llvm::Intrinsic::smin || order.getIntrinsicID() == llvm::Intrinsic::umin;
    const unsigned bits = order.getType()->getIntegerBitWidth();
    const llvm::APInt last = least ? (is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits))
                                   : (is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits));
    return llvm::ConstantInt::get(order.getType(), last);
  }
  /// What `value` is where its block is not come to, or another way to its phi: a value that is carried, or `value` itself.
  const Value* kept(const Value& value) const {
    if (const auto found = addition(value)) return kept(*found->carried);
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    const Value* longer = phi && phi->getParent() != loop_.getHeader() ? longer_way(*phi) : nullptr;
    return longer ? kept(*longer) : &value;
  }
  /// Of two ways to `phi` one of which adds to what the other has, and nothing where it is not taken: what that one gives.
  Value* longer_way(const llvm::PHINode& phi) const {
    if (phi.getNumIncomingValues() != 2) return nullptr;
    for (const unsigned i : {0u, 1u}) {
      const BasicBlock* way = phi.getIncomingBlock(i);
      if (!way->getSingleSuccessor()) continue;
      const Value *made = phi.getIncomingValue(i), *other = phi.getIncomingValue(1 - i);
      while (made != other) {
        const auto found = addition(*made);
        if (!found || llvm::cast<Instruction>(made)->getParent() != way) break;
        made = found->carried;
      }
      if (made == other) return phi.getIncomingValue(i);
    }
    return nullptr;
  }
  /// What `operation` adds for each element; nothing for those that do not come to it.
  Value* added(const Instruction& operation, const Addition& addition) {
    if (Value* known = added_.lookup(&operation)) return known;
    Value* all = addition.added ? vector(*addition.added) : nullptr;
    if (!all) {
      // Apart, as in a function of one lane else (awaited_sums.h).
      llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
      builder_.setFastMathFlags(flags(operation));
      all = builder_.CreateFMul(vector(*operation.getOperand(0)), vector(*operation.getOperand(1)));
    }
    return added_[&operation] = builder_.CreateSelect(
               mask(*operation.getParent()), all, llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(kRowVector), addition.none));
  }
  static llvm::FastMathFlags flags(const Instruction& operation) {
    if (!llvm::isa<llvm::FPMathOperator>(operation)) return {};
    llvm::FastMathFlags flags = operation.getFastMathFlags();
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
    flags.setAllowContract(flags.allowContract() && !llvm::isa<llvm::IntrinsicInst>(operation));
    return flags;
  }
  Value* of_element(const Instruction& instruction, unsigned i) {
    if (const auto found = addition(instruction)) {
      llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
      builder_.setFastMathFlags(flags(instruction));
      Value *before = now_.lookup(found->carried), *more = builder_.CreateExtractElement(added(instruction, *found), i);
      if (found->opcode == Instruction::Call)
        return builder_.CreateBinaryIntrinsic(llvm::cast<llvm::MinMaxIntrinsic>(instruction).getIntrinsicID(), before, more);
      return builder_.CreateBinOp(static_cast<Instruction::BinaryOps>(found->opcode), before, more);
    }
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      if (Value* longer = longer_way(*phi)) return element(*longer, i);
      Value* chosen = element(*phi->getIncomingValue(0), i);
      for (unsigned k = 1; k < phi->getNumIncomingValues(); ++k)
        chosen = builder_.CreateSelect(builder_.CreateExtractElement(edge(*phi->getIncomingBlock(k), *phi->getParent()), i),
                                       element(*phi->getIncomingValue(k), i), chosen);
      return chosen;
    }
    Instruction* copy = instruction.clone();
    for (llvm::Use& operand : copy->operands())
      if (!llvm::isa<llvm::Function>(operand.get())) operand.set(element(*operand, i));
    return insert(*copy);
  }

  /// `sum` behind all elements, whose order does not matter; null where it does.
  Value* at_once(const llvm::PHINode& sum) {
    Value* last = &last_of(sum);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(last); phi && phi != &sum && phi->getParent() != loop_.getHeader()) {
      if (!used_in_loop_once(*phi)) return nullptr;
      last = longer_way(*phi);
    }
    const auto found = last ? addition(*last) : std::nullopt;
    if (!found || found->carried != &sum) return nullptr;
    const auto& operation = llvm::cast<Instruction>(*last);
    const auto* order = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&operation);
    const bool any_order = llvm::isa<llvm::FPMathOperator>(operation) ? operation.hasAllowReassoc()
                                                                      : order || (operation.isAssociative() && operation.isCommutative());
    if (!any_order || !used_in_loop_once(operation)) return nullptr;
    if (llvm::any_of(sum.users(), [&](const llvm::User* user) { return user != &operation && user != &last_of(sum) && is_inside(*user); }))
      return nullptr;
    Value *begin = scalar(const_cast<llvm::PHINode&>(sum)), *all = added(operation, *found);
    llvm::IRBuilder<>::FastMathFlagGuard guard(builder_);
    builder_.setFastMathFlags(flags(operation));
    if (order) return builder_.CreateBinaryIntrinsic(order->getIntrinsicID(), begin, of_all(*order, *all));
    switch (found->opcode) {
      case Instruction::FAdd: return builder_.CreateFAddReduce(begin, all);
      case Instruction::FMul: return builder_.CreateFMulReduce(begin, all);
      case Instruction::Add: return builder_.CreateAdd(begin, builder_.CreateAddReduce(all));
      case Instruction::Mul: return builder_.CreateMul(begin, builder_.CreateMulReduce(all));
      case Instruction::And: return builder_.CreateAnd(begin, builder_.CreateAndReduce(all));
      case Instruction::Or: return builder_.CreateOr(begin, builder_.CreateOrReduce(all));
      case Instruction::Xor: return builder_.CreateXor(begin, builder_.CreateXorReduce(all));
      default: return nullptr;
    }
  }
  Value* of_all(const llvm::MinMaxIntrinsic& order, Value& all) {
    const bool least = order.getIntrinsicID() == llvm::Intrinsic::smin || order.getIntrinsicID() == llvm::Intrinsic::umin;
    return least ? builder_.CreateIntMinReduce(&all, order.isSigned()) : builder_.CreateIntMaxReduce(&all, order.isSigned());
  }
  bool used_in_loop_once(const Instruction& instruction) const {
    return llvm::count_if(instruction.users(), [&](const llvm::User* user) { return is_inside(*user); }) == 1;
  }

  const RowVectors& row_;
  const llvm::Loop& loop_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  Value* on_ = nullptr;  ///< elements of the row
  llvm::DenseMap<const Value*, Value*> scalars_, vectors_, added_, now_;
  llvm::DenseMap<const BasicBlock*, Value*> masks_;
};

}  // namespace

std::optional<RowVectors> RowVectors::find(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                                           const VectorTraits& traits) {
  if (loop.getNumBlocks() > kMostBlocks) return std::nullopt;
  RowVectors row(loop);
  if (!row.take_phis(evolution)) return std::nullopt;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (!row.may_take(instruction, evolution, traits)) return std::nullopt;
  llvm::LoopBlocksRPO blocks(const_cast<llvm::Loop*>(&loop));
  blocks.perform(&loops);
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      if (row.is_carried(instruction) && !llvm::is_contained(row.sums_, &instruction)) row.order_.push_back(&instruction);
  row.take_inputs();
  if (row.inputs_.size() > kMostInputs ||
      llvm::any_of(row.inputs_, [](const Value* input) { return !has_plain_type(*input->getType()) || input->getType()->isVectorTy(); }))
    return std::nullopt;
  return row;
}

bool RowVectors::take_phis(llvm::ScalarEvolution& evolution) {
  for (llvm::PHINode& phi : loop_->getHeader()->phis()) {
    const auto* counter = evolution.isSCEVable(phi.getType()) ? llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi)) : nullptr;
    const auto* step = counter && counter->getLoop() == loop_ && counter->isAffine()
                           ? llvm::dyn_cast<llvm::SCEVConstant>(counter->getStepRecurrence(evolution))
                           : nullptr;
    if (step && step->getAPInt().getSignificantBits() <= 64)
      counters_.push_back({&phi, step->getAPInt().getSExtValue()});
    else if (is_number(*phi.getType()) && !phi.getType()->isIntegerTy(1))
      sums_.push_back(&phi);
    else
      return false;
  }
  if (sums_.empty() || sums_.size() > kMostSums) return false;
  llvm::SmallSetVector<const Instruction*, 16> made;
  for (const llvm::PHINode* sum : sums_) made.insert(sum);
  for (std::size_t i = 0; i < made.size(); ++i)
    for (const llvm::User* user : made[i]->users()) {
      const auto* next = llvm::cast<Instruction>(user);
      if (!loop_->contains(next) || (llvm::isa<llvm::PHINode>(next) && next->getParent() == loop_->getHeader())) continue;
      if (made.insert(next) && made.size() > sums_.size() + kMostCarried) return false;
    }
  carried_.insert(made.begin(), made.end());
  return true;
}

bool RowVectors::may_take(const Instruction& instruction, llvm::ScalarEvolution& evolution, const VectorTraits& traits) {
  if (is_note(instruction)) return true;
  const bool carried = carried_.contains(&instruction);
  const bool leaves =
      llvm::any_of(instruction.users(), [&](const llvm::User* user) { return !loop_->contains(llvm::cast<Instruction>(user)); });
  if (leaves &&
      llvm::none_of(sums_, [&](const llvm::PHINode* sum) { return sum->getIncomingValueForBlock(loop_->getLoopLatch()) == &instruction; }))
    return false;
  if (instruction.isTerminator()) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    return branch && !carried && (!branch->isConditional() || branch->getSuccessor(0) != branch->getSuccessor(1));
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const unsigned bits = load->getType()->getScalarSizeInBits(), space = load->getPointerAddressSpace();
    if (carried || !is_plain_access(*load) || !is_number(*load->getType()) || space == kPrivateSpace || space == kGenericSpace)
      return false;
    const llvm::SCEV* place = evolution.getSCEV(const_cast<Value*>(load->getPointerOperand()));
    const auto* walk = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    const auto* step = walk && walk->getLoop() == loop_ ? llvm::dyn_cast<llvm::SCEVConstant>(walk->getStepRecurrence(evolution)) : nullptr;
    if (step && step->getAPInt() == bits / 8 && llvm::isPowerOf2_32(bits) && bits >= 8 && bits / 8 >= traits.masked_bytes) {
      rows_.insert(load);
      return true;
    }
    return bits == 32 || bits == 64;
  }
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) return !carried && !instruction.getType()->isVectorTy();
  if (llvm::isa<llvm::PHINode>(instruction)) return is_number(*instruction.getType());
  return is_number(*instruction.getType()) && is_arithmetic(instruction) &&
         llvm::all_of(instruction.operands(),
                      [&](const llvm::Use& operand) { return is_number(*operand->getType()) || llvm::isa<llvm::Function>(operand.get()); });
}

void RowVectors::take_inputs() {
  llvm::SmallSetVector<Value*, 16> inputs;
  for (const BasicBlock* block : loop_->blocks())
    for (const Instruction& instruction : *block) {
      // The piece has no end of the row to compare to.
      const Instruction* end = loop_->getLoopLatch()->getTerminator();
      const bool tells_end =
          !instruction.use_empty() && llvm::all_of(instruction.users(), [&](const llvm::User* user) { return user == end; });
      if (is_note(instruction) || tells_end || &instruction == end) continue;
      for (const llvm::Use& operand : instruction.operands()) {
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction); phi && !loop_->contains(phi->getIncomingBlock(operand)))
          continue;
        Value* value = operand.get();
        // Constants that are addresses keep their address space where they are.
        const bool is_address = llvm::isa<llvm::GlobalVariable, llvm::ConstantExpr>(value) && value->getType()->isPointerTy();
        const bool is_outside =
            llvm::isa<llvm::Argument>(value) || (llvm::isa<Instruction>(value) && !loop_->contains(llvm::cast<Instruction>(value)));
        if (is_address || is_outside) inputs.insert(value);
      }
    }
  inputs_.assign(inputs.begin(), inputs.end());
}

llvm::Function* RowVectors::emit(llvm::Function& region) const { return Piece(*this, *loop_, region).emit(); }

}  // namespace weft::compiler::simt
