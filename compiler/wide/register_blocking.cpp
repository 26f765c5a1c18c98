#include "compiler/wide/register_blocking.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <tuple>
#include <utility>

#include "compiler/target/target.h"
#include "compiler/wide/brought_parts.h"
#include "compiler/wide/repeated_work.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

/// So many lines of each row of a tile stay in the nearest cache.
constexpr std::uint64_t kFewToBlock = 64;
/// Of straight code: what caches of decoded instructions hold (tables: 1,500 on Skylake, 4,000 on Golden Cove, 6,750 on Zen 4), where register blocks one
/// after the other keep more in registers than blocks in a loop do. More is decoded each time anew, and from some 32 KiB on comes from the second cache.
constexpr unsigned kMostStraight = 6000;

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

  /// Lets the pieces of the first of `blocks` register blocks stand for those of each, by its `number`. What pieces read from outside of the range and
  /// leave to it goes through memory, written at the end of `before`.
  void roll(Value* number, unsigned blocks, llvm::BasicBlock& before) { rolled_ = {number, blocks, &before}; }

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

  /// Behind the pieces of a block that is rolled: keeps those of `instruction`.
  void keep(Instruction& instruction) {
    const unsigned step = range_.pieces(&instruction) / rolled_.blocks;
    Value* array = kept_[&instruction] = new_array(*instruction.getType());
    for (unsigned i = 0; i < step; ++i) {
      Value* piece = made_[{&instruction, i}];
      builder_.CreateAlignedStore(piece, place_of(array, *piece->getType(), i, step), align_of(*piece->getType()));
    }
  }

  /// The whole value of `instruction`, put together from its pieces.
  Value* whole(Instruction& instruction) {
    if (rolled_.number) return builder_.CreateAlignedLoad(instruction.getType(), kept_[&instruction], llvm::Align(register_bytes()));
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
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value); constant && (!rolled_.number || constant->getSplatValue())) {
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
    const auto [source, mask] = selected(value, index, count);
    if (!rolled_.number) return result = part_of(copy_of(source), mask, *value->getType()->getScalarType());
    const unsigned step = range_.pieces(&user) / rolled_.blocks;
    const bool is_same = llvm::all_of(llvm::seq(1u, rolled_.blocks), [&](unsigned block) {
      return selected(value, index + block * step, count).second == mask;
    });
    if (is_same) return result = builder_.CreateShuffleVector(source, mask);
    Value*& array = read_[value];
    if (!array) {
      array = new_array(*value->getType());
      new llvm::StoreInst(value, array, false, llvm::Align(register_bytes()), rolled_.before->getTerminator()->getIterator());
    }
    auto* type = llvm::FixedVectorType::get(value->getType()->getScalarType(), count);
    return result = builder_.CreateAlignedLoad(type, place_of(array, *type, index, step), align_of(*type));
  }

  /// What the elements of piece `index` of `value` are: a piece of a broadcast is a smaller broadcast.
  static std::pair<Value*, llvm::SmallVector<int, 64>> selected(Value* value, unsigned index, unsigned count) {
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
    return {source, mask};
  }

  /// What `mask` takes of `source`, which may be put together of others: of that one alone which has it. As numbers of type `element`.
  Value* part_of(Value* source, llvm::SmallVector<int, 64> mask, llvm::Type& element) {
    for (;;) {
      if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(source); cast && is_put_together(*cast)) {
        source = cast->getOperand(0);
        continue;
      }
      auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(source);
      if (!shuffle || !shuffle->isConcat()) break;
      const auto half = static_cast<int>(vector_of(*shuffle->getOperand(0))->getNumElements());
      if (llvm::all_of(mask, [&](int lane) { return lane < half; })) {
        source = shuffle->getOperand(0);
      } else if (llvm::all_of(mask, [&](int lane) { return lane < 0 || lane >= half; })) {
        source = shuffle->getOperand(1);
        for (int& lane : mask) lane = lane < 0 ? lane : lane - half;
      } else {
        break;
      }
    }
    const auto all = static_cast<int>(vector_of(*source)->getNumElements());
    Value* part = llvm::ShuffleVectorInst::isIdentityMask(mask, all) ? source : builder_.CreateShuffleVector(source, mask);
    return builder_.CreateBitCast(part, llvm::FixedVectorType::get(&element, static_cast<unsigned>(mask.size())));
  }

  static std::uint64_t bytes_of(const llvm::Type& type) { return type.getPrimitiveSizeInBits().getFixedValue() / 8; }
  static std::uint64_t register_bytes() { return target::vectors().register_bits / 8; }
  /// Of pieces of `type` side by side from a register's alignment on.
  static llvm::Align align_of(const llvm::Type& type) { return llvm::commonAlignment(llvm::Align(register_bytes()), bytes_of(type)); }

  /// Where piece `index` of each `step` of a block that is rolled lies in memory that has all pieces, of `type`.
  Value* place_of(Value* memory, const llvm::Type& type, unsigned index, unsigned step) {
    Value* offset = builder_.CreateMul(rolled_.number, builder_.getInt64(step * bytes_of(type)), "", true, true);
    if (index) offset = builder_.CreateAdd(offset, builder_.getInt64(index * bytes_of(type)), "", true, true);
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), memory, offset);
  }

  llvm::AllocaInst* new_array(llvm::Type& type) {
    llvm::BasicBlock& entry = rolled_.before->getParent()->getEntryBlock();
    auto* array = new llvm::AllocaInst(&type, 0, "pieces", entry.begin());
    array->setAlignment(llvm::Align(register_bytes()));
    return array;
  }

  /// Where `access` has piece `index`, of `type`, and how that is aligned.
  std::pair<Value*, llvm::Align> part_of(Instruction& access, llvm::Align whole, const llvm::Type& type, unsigned index) {
    Value* address = copy_of(llvm::getLoadStorePointerOperand(&access));
    if (rolled_.number) return {place_of(address, type, index, range_.pieces(&access) / rolled_.blocks), llvm::commonAlignment(whole, bytes_of(type))};
    const std::uint64_t offset = index * bytes_of(type);
    if (offset) address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), address, offset);
    return {address, llvm::commonAlignment(whole, offset)};
  }

  Instruction* make_piece_of_store(llvm::StoreInst& store, unsigned index) {
    Value* value = operand(store.getValueOperand(), store, index);
    const auto [address, align] = part_of(store, store.getAlign(), *value->getType(), index);
    llvm::StoreInst* piece = builder_.CreateAlignedStore(value, address, align);
    piece->copyMetadata(store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_nontemporal});
    return piece;
  }

  Value* make_piece(Instruction& instruction, unsigned index, llvm::BasicBlock* before) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return make_piece_of_store(*store, index);
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
      const auto [address, align] = part_of(*load, load->getAlign(), *type, index);
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

  struct Rolled {
    Value* number = nullptr;  ///< null: each register block has code of its own
    unsigned blocks = 0;
    llvm::BasicBlock* before = nullptr;
  };

  const SplittableRange& range_;
  llvm::IRBuilder<>& builder_;
  Rolled rolled_;
  llvm::DenseMap<const Value*, Value*> read_, kept_;  ///< memory of blocks that are rolled
  llvm::DenseMap<std::pair<const Value*, unsigned>, Value*> made_;
  /// Pieces of values from outside the range, by first element and count, for this register block.
  std::map<std::tuple<const Value*, unsigned, unsigned>, Value*> outer_;
};

class RegisterBlocker {
 public:
  RegisterBlocker(llvm::Function& function, const llvm::TargetMachine& machine)
      : function_(function), builder_(function.getContext()), costs_(function, machine, target::vectors()) {}

  /// The blocks that it ordered.
  llvm::SmallVector<llvm::BasicBlock*, 4> run() {
    if (!has_large_values()) return {};
    llvm::SmallVector<llvm::BasicBlock*, 32> blocks;
    for (llvm::BasicBlock& block : function_) blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks)
      if (!split_loop(*block))
        for (llvm::BasicBlock* rest = block; rest;) rest = split_block(*rest);
    return std::move(ordered_);
  }

 private:
  bool has_large_values() const {
    for (const llvm::BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (registers_of(*instruction.getType()) > 1) return true;
    return false;
  }

  /// Splits the ranges of `block`, up to one that becomes a loop. Returns the block behind that, or null.
  llvm::BasicBlock* split_block(llvm::BasicBlock& block) {
    SplittableRange range(nullptr, costs_);
    for (Instruction& instruction : llvm::make_early_inc_range(block)) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const bool fits = store ? range.can_store(*store) : !llvm::isa<llvm::PHINode>(instruction) && SplittableRange::can_split(instruction);
      // What is loaded behind a store is another range's: few streams of memory at once, and no load of what has been stored.
      const bool begins = range.has_stores() && instruction.mayReadFromMemory();
      if (begins || (!fits && (range.feeds(instruction) || !SplittableRange::can_move_past(instruction)))) {
        split_range(range, instruction);
        if (instruction.getParent() != &block) return instruction.getParent();
        range = SplittableRange(nullptr, costs_);
      }
      if (fits) range.add(instruction);
    }
    return nullptr;
  }

  /// Splits `range`, which ends in front of `place`, if that is worth it.
  void split_range(SplittableRange& range, Instruction& place) {
    const llvm::SmallVector<Instruction*, 8> left = range.leave_out_masks();
    const auto register_blocks = range.register_blocks();
    if (register_blocks.empty()) return;
    PieceBuilder pieces(range, builder_);
    if (range.operations() > kMostStraight && are_alike(range, register_blocks)) {
      roll(range, register_blocks, pieces, place);
    } else {
      builder_.SetInsertPoint(&place);
      for (const RegisterBlock& register_block : register_blocks) pieces.make(register_block, nullptr);
    }
    replace(range, pieces);
    for (Instruction* instruction : left) instruction->moveBefore(&place);
    for (Instruction* instruction : llvm::reverse(range.instructions())) instruction->eraseFromParent();
    if (!range.has_lines()) return;
    bring_to_users(*place.getParent());
    if (!llvm::is_contained(ordered_, place.getParent())) ordered_.push_back(place.getParent());
  }

  /// Whether the same code serves all register blocks: each has as many pieces of each group, which follow those of the block before, and no masks,
  /// whose form in memory is another, come from outside or go there.
  static bool are_alike(const SplittableRange& range, llvm::ArrayRef<RegisterBlock> blocks) {
    llvm::DenseMap<unsigned, unsigned> steps;
    for (const Piece& piece : blocks.front()) ++steps[piece.group];
    for (unsigned b = 0; b < blocks.size(); ++b) {
      if (blocks[b].size() != blocks.front().size()) return false;
      for (const auto& [first, piece] : llvm::zip(blocks.front(), blocks[b]))
        if (piece.group != first.group || first.index >= steps[first.group] || piece.index != first.index + b * steps[first.group]) return false;
    }
    const auto is_mask = [](const Value& value) { return value.getType()->isVectorTy() && value.getType()->getScalarType()->isIntegerTy(1); };
    return llvm::none_of(range.instructions(), [&](const Instruction* instruction) {
      if (range.pieces(instruction) != blocks.size() * steps[range.group(instruction)]) return true;
      if (is_mask(*instruction) && range.is_result(*instruction)) return true;
      return llvm::any_of(instruction->operands(), [&](const llvm::Use& use) { return is_mask(*use) && !range.contains(use) && !llvm::isa<llvm::Constant>(use); });
    });
  }

  /// Emits all register blocks as a loop of one's code, in front of `place`.
  void roll(const SplittableRange& range, llvm::ArrayRef<RegisterBlock> blocks, PieceBuilder& pieces, Instruction& place) {
    llvm::BasicBlock* before = place.getParent();
    llvm::BasicBlock* after = before->splitBasicBlock(place.getIterator(), "register_blocks.exit");
    llvm::BasicBlock* body = new_block("register_blocks", *after);
    before->getTerminator()->setSuccessor(0, body);
    builder_.SetInsertPoint(body);
    llvm::PHINode* number = builder_.CreatePHI(builder_.getInt64Ty(), 2, "number");
    pieces.roll(number, static_cast<unsigned>(blocks.size()), *before);
    pieces.make(blocks.front(), nullptr);
    for (Instruction* instruction : range.instructions())
      if (range.is_result(*instruction)) pieces.keep(*instruction);
    Value* next = builder_.CreateAdd(number, builder_.getInt64(1), "", true, true);
    number->addIncoming(builder_.getInt64(0), before);
    number->addIncoming(next, body);
    builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt64(blocks.size())), body, after);
    builder_.SetInsertPoint(&place);
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
    RepeatedWork work(block);
    work.leave_shared_loads(block);
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

    const bool is_short = iterations_of(block, *branch) <= kFewToBlock;
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
  llvm::SmallVector<llvm::BasicBlock*, 4> ordered_;
};

}  // namespace

llvm::SmallVector<llvm::BasicBlock*, 4> apply_register_blocking(llvm::Function& function, const llvm::TargetMachine& machine) {
  return RegisterBlocker(function, machine).run();
}

}  // namespace weft::compiler::wide
