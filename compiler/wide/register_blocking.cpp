#include "compiler/wide/register_blocking.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <tuple>

#include "compiler/target/target.h"
#include "compiler/wide/repeated_work.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

/// So many lines of each row of a tile stay in the nearest cache.
constexpr std::uint64_t kFewIterations = 64;

/// How often the loop `block`, which ends with `branch`, runs where its counter's numbers are constants; else as often as can be.
std::uint64_t iterations_of(const llvm::BasicBlock& block, const llvm::BranchInst& branch) {
  using namespace llvm::PatternMatch;
  constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
  const llvm::APInt *last = nullptr, *step = nullptr;
  Value* counter = nullptr;
  if (!compare || !compare->isEquality() || !match(compare->getOperand(1), m_APInt(last))) return kUnknown;
  if (!match(compare->getOperand(0), m_Add(m_Value(counter), m_APInt(step)))) return kUnknown;
  const auto* phi = llvm::dyn_cast<llvm::PHINode>(counter);
  if (!phi || phi->getParent() != &block || phi->getNumIncomingValues() != 2) return kUnknown;
  const unsigned back = phi->getIncomingBlock(0) == &block ? 0 : 1;
  const auto* first = llvm::dyn_cast<llvm::ConstantInt>(phi->getIncomingValue(1 - back));
  if (!first || phi->getIncomingValue(back) != compare->getOperand(0)) return kUnknown;
  return step->isZero() ? kUnknown : (*last - first->getValue()).udiv(*step).getLimitedValue();
}

/// Emits the pieces of one range.
class PieceBuilder {
 public:
  PieceBuilder(const SplittableRange& range, llvm::IRBuilder<>& builder) : range_(range), builder_(builder) {}

  /// Values outside the range that each register block copies (a loop's counter).
  llvm::DenseMap<const Value*, Value*> copies;

  /// Emits one register block at the builder's place; `before` is the block that enters a loop, or null.
  void make(llvm::ArrayRef<Piece> register_block, llvm::BasicBlock* before) {
    outer_.clear();
    for (Instruction* instruction : range_.instructions())
      for (const Piece& piece : register_block)
        if (range_.group(instruction) == piece.group)
          made_[{instruction, piece.index}] = make_piece(*instruction, piece.index, before);
    if (!before) return;
    for (Instruction* instruction : range_.instructions()) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
      if (!phi) continue;
      Value* next = phi->getIncomingValueForBlock(phi->getParent());
      for (const Piece& piece : register_block)
        if (range_.group(phi) == piece.group)
          llvm::cast<llvm::PHINode>(made_[{phi, piece.index}])
              ->addIncoming(operand(next, *phi, piece.index), builder_.GetInsertBlock());
    }
  }

  /// The whole value of `instruction`, put together from its pieces.
  Value* whole(Instruction& instruction) {
    llvm::SmallVector<Value*, 32> pieces;
    for (unsigned i = 0; i < range_.pieces(&instruction); ++i) pieces.push_back(made_[{&instruction, i}]);
    return llvm::concatenateVectors(builder_, pieces);
  }

 private:
  Value* copy_of(Value* value) const {
    const auto found = copies.find(value);
    return found == copies.end() ? value : found->second;
  }

  /// The part of `value` that piece `index` of `user` reads.
  Value* operand(Value* value, const Instruction& user, unsigned index) {
    if (!value->getType()->isVectorTy()) return copy_of(value);
    if (const auto found = made_.find({value, index}); found != made_.end()) return found->second;
    const unsigned count = range_.piece_elements(&user);
    if (range_.pieces(&user) == 1) return copy_of(value);
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      llvm::SmallVector<llvm::Constant*, 64> elements;
      bool known = true;
      for (unsigned i = 0; i < count; ++i) {
        elements.push_back(constant->getAggregateElement(index * count + i));
        known &= elements.back() != nullptr;
      }
      if (known) return llvm::ConstantVector::get(elements);
    }
    Value*& result = outer_[{value, index * count, count}];
    if (result) return result;
    // A piece of a broadcast is a smaller broadcast.
    Value* source = value;
    llvm::SmallVector<int, 64> mask;
    for (unsigned i = 0; i < count; ++i) mask.push_back(static_cast<int>(index * count + i));
    for (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(source);
         shuffle && llvm::isa<llvm::UndefValue>(shuffle->getOperand(1)); shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(source)) {
      const auto elements = static_cast<int>(llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      for (int& lane : mask) lane = lane < 0 ? lane : shuffle->getMaskValue(static_cast<unsigned>(lane));
      for (int& lane : mask) lane = lane >= elements ? -1 : lane;
      source = shuffle->getOperand(0);
    }
    return result = builder_.CreateShuffleVector(copy_of(source), mask);
  }

  Value* make_piece(Instruction& instruction, unsigned index, llvm::BasicBlock* before) {
    auto* type = llvm::FixedVectorType::get(instruction.getType()->getScalarType(), range_.piece_elements(&instruction));
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      llvm::PHINode* piece = nullptr;
      {
        const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
        builder_.SetInsertPoint(builder_.GetInsertBlock(), builder_.GetInsertBlock()->getFirstNonPHIIt());
        piece = builder_.CreatePHI(type, 2, phi->getName());
        builder_.SetInsertPoint(before->getTerminator());
        const int entry = phi->getBasicBlockIndex(phi->getParent()) == 0 ? 1 : 0;
        piece->addIncoming(operand(phi->getIncomingValue(entry), *phi, index), before);
      }
      return piece;
    }
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const std::uint64_t offset = index * (type->getPrimitiveSizeInBits().getFixedValue() / 8);
      Value* address = copy_of(load->getPointerOperand());
      if (offset) address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), address, offset);
      const llvm::Align align = llvm::commonAlignment(load->getAlign(), offset);
      llvm::LoadInst* piece = builder_.CreateAlignedLoad(type, address, align, load->getName());
      piece->copyMetadata(*load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias,
                                  llvm::LLVMContext::MD_invariant_load});
      return piece;
    }
    llvm::SmallVector<Value*, 4> operands;
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    for (unsigned i = 0, count = call ? call->arg_size() : instruction.getNumOperands(); i < count; ++i) {
      // Operands from outside a loop are taken apart once, in front of it.
      const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
      Value* value = instruction.getOperand(i);
      if (before && !range_.contains(value) && !copies.contains(value)) builder_.SetInsertPoint(before->getTerminator());
      operands.push_back(operand(value, instruction, index));
    }
    Instruction* piece = nullptr;
    if (call) {
      llvm::SmallVector<llvm::Type*, 3> overloads;
      const auto id = call->getIntrinsicID();
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(type);
      for (unsigned i = 0; i < operands.size(); ++i)
        if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
          overloads.push_back(operands[i]->getType());
      piece = builder_.CreateCall(llvm::Intrinsic::getDeclaration(call->getModule(), id, overloads), operands);
    } else {
      piece = instruction.clone();
      for (unsigned i = 0; i < operands.size(); ++i) piece->setOperand(i, operands[i]);
      piece->mutateType(type);
      builder_.Insert(piece);
    }
    piece->copyIRFlags(&instruction);
    return piece;
  }

  const SplittableRange& range_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<std::pair<const Value*, unsigned>, Value*> made_;
  /// Pieces of values from outside the range, by first element and count, for this register block.
  std::map<std::tuple<const Value*, unsigned, unsigned>, Value*> outer_;
};

class RegisterBlocker {
 public:
  RegisterBlocker(llvm::Function& function, const llvm::TargetMachine& machine)
      : function_(function), builder_(function.getContext()), costs_(function, machine, target::vectors()) {}

  void run() {
    if (!has_large_values()) return;
    llvm::SmallVector<llvm::BasicBlock*, 32> blocks;
    for (llvm::BasicBlock& block : function_) blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks)
      if (!split_loop(*block)) split_block(*block);
  }

 private:
  bool has_large_values() const {
    for (const llvm::BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (registers_of(*instruction.getType()) > 1) return true;
    return false;
  }

  void split_block(llvm::BasicBlock& block) {
    SplittableRange range(nullptr, costs_);
    for (Instruction& instruction : llvm::make_early_inc_range(block)) {
      if (!llvm::isa<llvm::PHINode>(instruction) && SplittableRange::can_split(instruction)) {
        range.add(instruction);
      } else if (range.feeds(instruction) || !SplittableRange::can_move_past(instruction)) {
        split_range(range, instruction);
        range = SplittableRange(nullptr, costs_);
      }
    }
  }

  /// Splits `range`, which ends in front of `place`, if that is worth it.
  void split_range(SplittableRange& range, Instruction& place) {
    const auto register_blocks = range.register_blocks();
    if (register_blocks.empty()) return;
    builder_.SetInsertPoint(&place);
    PieceBuilder pieces(range, builder_);
    for (const RegisterBlock& register_block : register_blocks) pieces.make(register_block, nullptr);
    replace(range, pieces);
    for (Instruction* instruction : llvm::reverse(range.instructions())) instruction->eraseFromParent();
  }

  /// Puts the results of `range` together at the builder's place and replaces their uses outside of it.
  void replace(const SplittableRange& range, PieceBuilder& pieces) {
    for (Instruction* instruction : range.instructions()) {
      if (!range.is_result(*instruction)) continue;
      Value* whole = pieces.whole(*instruction);
      instruction->replaceUsesWithIf(whole, [&](const llvm::Use& use) { return !range.contains(use.getUser()); });
    }
  }

  /// If `block` is a loop of pure instructions, replaces it by a loop for each register block.
  bool split_loop(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || llvm::pred_size(&block) != 2) return false;
    const unsigned back = branch->getSuccessor(0) == &block ? 0 : 1;
    llvm::BasicBlock* exit = branch->getSuccessor(1 - back);
    if (branch->getSuccessor(back) != &block || exit == &block) return false;
    SplittableRange range(&block, costs_);
    llvm::SmallVector<Instruction*, 16> beside;
    const RepeatedWork work(block);
    for (Instruction& instruction : block) {
      if (!work.is_beside(instruction)) {
        range.add(instruction);
      } else if (&instruction != branch) {
        // Each register block copies the counters: all copies must count alike.
        if (!SplittableRange::can_move_past(instruction) || llvm::isa<llvm::FreezeInst>(instruction)) return false;
        beside.push_back(&instruction);
      }
    }
    if (llvm::any_of(beside, [&](const Instruction* instruction) { return range.feeds(*instruction); })) return false;
    const auto register_blocks = range.register_blocks([&](const Value& value) { return work.to_make({&value}); });
    if (register_blocks.empty()) return false;
    // The copied work must be little beside the range's own, or beside what spills would cost.
    const auto work_of = [&](llvm::function_ref<bool(const Instruction&)> is_part) {
      llvm::SmallVector<const Value*, 32> read{branch->getCondition()};
      for (const Instruction* instruction : range.instructions())
        if (is_part(*instruction)) read.append(instruction->op_begin(), instruction->op_end());
      return work.to_make(read);
    };
    const double once = work_of([](const Instruction&) { return true; });
    double all = 0;
    for (const RegisterBlock& register_block : register_blocks)
      all += work_of([&](const Instruction& instruction) {
        return llvm::any_of(register_block, [&](const Piece& piece) { return piece.group == range.group(&instruction); });
      });
    if (all > range.operations() && all - once > range.spills()) return false;

    const bool is_short = iterations_of(block, *branch) <= kFewIterations;
    llvm::BasicBlock* entry = *llvm::pred_begin(&block);
    if (entry == &block) entry = *std::next(llvm::pred_begin(&block));
    llvm::BasicBlock* before = new_block("register_block.entry", block);
    entry->getTerminator()->replaceSuccessorWith(&block, before);
    PieceBuilder pieces(range, builder_);
    llvm::SmallVector<Instruction*, 64> copied;
    for (const RegisterBlock& register_block : register_blocks) {
      llvm::BasicBlock* body = new_block("register_block", block);
      llvm::BasicBlock* after = new_block("register_block.exit", block);
      llvm::BranchInst::Create(body, before);
      builder_.SetInsertPoint(body);
      pieces.copies.clear();
      // What the first block has asked for is still near in the others.
      const bool has_lines = is_short && &register_block != &register_blocks.front();
      for (Instruction* instruction : beside) {
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
        if (has_lines && call && call->getIntrinsicID() == llvm::Intrinsic::prefetch) continue;
        Instruction* copy = builder_.Insert(instruction->clone());
        pieces.copies[instruction] = copy;
        copied.push_back(copy);
      }
      for (Instruction* instruction : beside) {
        auto* copy = llvm::cast_or_null<Instruction>(pieces.copies.lookup(instruction));
        if (!copy) continue;
        for (llvm::Use& use : copy->operands())
          if (const auto found = pieces.copies.find(use.get()); found != pieces.copies.end()) use.set(found->second);
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(copy)) {
          phi->replaceIncomingBlockWith(&block, body);
          phi->replaceIncomingBlockWith(entry, before);
        }
      }
      pieces.make(register_block, before);
      Value* condition = branch->getCondition();
      if (const auto found = pieces.copies.find(condition); found != pieces.copies.end()) condition = found->second;
      builder_.CreateCondBr(condition, back == 0 ? body : after, back == 0 ? after : body);
      before = after;
    }
    builder_.SetInsertPoint(llvm::BranchInst::Create(exit, before));
    replace(range, pieces);
    for (Instruction* instruction : beside)
      instruction->replaceUsesWithIf(pieces.copies[instruction], [&](const llvm::Use& use) {
        return llvm::cast<Instruction>(use.getUser())->getParent() != &block;
      });
    exit->replacePhiUsesWith(&block, before);
    for (Instruction* copy : llvm::reverse(copied))
      if (llvm::isInstructionTriviallyDead(copy)) copy->eraseFromParent();
    block.dropAllReferences();
    block.eraseFromParent();
    return true;
  }

  llvm::BasicBlock* new_block(const char* name, llvm::BasicBlock& before) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_, &before);
  }

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  const target::Costs costs_;
};

}  // namespace

void apply_register_blocking(llvm::Function& function, const llvm::TargetMachine& machine) { RegisterBlocker(function, machine).run(); }

}  // namespace weft::compiler::wide
