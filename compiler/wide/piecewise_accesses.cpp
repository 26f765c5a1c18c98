#include "compiler/wide/piecewise_accesses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstdint>
#include <optional>

#include "compiler/wide/loop_analyses.h"
#include "compiler/wide/memory_place.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Blocks between a value's access and its loop.
constexpr unsigned kMostBlocks = 16;

unsigned elements_of(const Value& value) { return llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements(); }

bool fills_registers(const llvm::Type& type) {
  const std::uint64_t bits = type.getPrimitiveSizeInBits().getFixedValue();
  return type.isVectorTy() && bits && bits % register_bits() == 0;
}

/// Of a piece: the first element of what it is a part of, which lies beside its own; none if it is no part of one vector alone.
std::optional<unsigned> first_element(const llvm::ShuffleVectorInst& piece) {
  const llvm::ArrayRef<int> mask = piece.getShuffleMask();
  if (mask.front() < 0 || mask.size() >= elements_of(*piece.getOperand(0))) return std::nullopt;
  for (unsigned i = 0; i < mask.size(); ++i)
    if (mask[i] != mask.front() + static_cast<int>(i)) return std::nullopt;
  if (static_cast<unsigned>(mask.back()) >= elements_of(*piece.getOperand(0))) return std::nullopt;
  return static_cast<unsigned>(mask.front());
}

Value* moved(llvm::IRBuilder<>& builder, Value& pointer, std::uint64_t bytes) {
  return bytes ? builder.CreateConstGEP1_64(builder.getInt8Ty(), &pointer, bytes) : &pointer;
}

class PiecewiseAccesses : LoopAnalyses {
 public:
  explicit PiecewiseAccesses(llvm::Function& function) : LoopAnalyses(function), function_(function) {}

  void run() {
    if (loops_.empty()) return;
    // What one access is replaced by takes others' instructions along, which are unused then.
    llvm::SmallVector<llvm::WeakTrackingVH, 64> accesses;
    for (Instruction& instruction : llvm::instructions(function_))
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) accesses.emplace_back(&instruction);
    for (const llvm::WeakTrackingVH& access : accesses) {
      if (!access) continue;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access)) visit(*load);
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) visit(*store);
    }
  }

 private:
  void visit(llvm::LoadInst& load) {
    if (!load.isSimple() || !load.getType()->isVectorTy() || load.hasMetadata(llvm::LLVMContext::MD_nontemporal)) return;
    llvm::SmallVector<llvm::ShuffleVectorInst*, 8> pieces;
    bool is_elsewhere = false;
    for (llvm::User* user : load.users()) {
      auto* piece = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
      if (!piece || piece->getOperand(0) != &load || !first_element(*piece) || !fills_registers(*piece->getType())) return;
      is_elsewhere |= piece->getParent() != load.getParent();
      pieces.push_back(piece);
    }
    if (!is_elsewhere || !llvm::all_of(pieces, [&](const Instruction* piece) { return reads_the_same(load, *piece); })) return;
    for (llvm::ShuffleVectorInst* piece : pieces) {
      llvm::IRBuilder<> builder(piece);
      const std::uint64_t offset = *first_element(*piece) * layout_.getTypeStoreSize(load.getType()->getScalarType());
      Value* address = moved(builder, *load.getPointerOperand(), offset);
      llvm::LoadInst* own = builder.CreateAlignedLoad(piece->getType(), address, llvm::commonAlignment(load.getAlign(), offset), load.getName());
      own->copyMetadata(load, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load});
      piece->replaceAllUsesWith(own);
      piece->eraseFromParent();
    }
    load.eraseFromParent();
  }

  /// Whether `load` would read the same in front of `place`, and not more often.
  bool reads_the_same(const llvm::LoadInst& load, const Instruction& place) {
    const BasicBlock *from = load.getParent(), *to = place.getParent();
    const llvm::MemoryLocation location = llvm::MemoryLocation::get(&load);
    const auto is_written = [&](BasicBlock::const_iterator first, BasicBlock::const_iterator end) {
      return llvm::any_of(llvm::make_range(first, end), [&](const Instruction& instruction) {
        return instruction.mayWriteToMemory() && llvm::isModSet(aliases_.getModRefInfo(&instruction, location));
      });
    };
    if (from == to) return !is_written(load.getIterator(), place.getIterator());
    if (loops_.getLoopFor(from) != loops_.getLoopFor(to) || is_written(load.getIterator(), from->end()) || is_written(to->begin(), place.getIterator()))
      return false;
    llvm::SmallSetVector<const BasicBlock*, kMostBlocks> between;
    const auto add = [&](const BasicBlock& block) {
      for (const BasicBlock* before : llvm::predecessors(&block))
        if (before != from) between.insert(before);
    };
    add(*to);
    for (unsigned i = 0; i < between.size(); ++i) {
      if (between.size() > kMostBlocks || is_written(between[i]->begin(), between[i]->end())) return false;
      add(*between[i]);
    }
    return true;
  }

  void visit(llvm::StoreInst& store) {
    if (!store.isSimple() || !store.getValueOperand()->getType()->isVectorTy() || store.hasMetadata(llvm::LLVMContext::MD_nontemporal)) return;
    llvm::SmallVector<Instruction*, 8> pieces;
    if (!take_pieces(*store.getValueOperand(), pieces) || pieces.size() < 2) return;
    llvm::SmallVector<std::pair<BasicBlock*, MemoryPlace>, 8> places;
    MemoryPlace next = place_of(*store.getPointerOperand(), 0, layout_);
    for (Instruction* piece : pieces) {
      next.bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(piece->getType()).getFixedValue());
      BasicBlock* block = behind_loop(*piece, store, next);
      if (!block) return;
      if (auto* made = llvm::dyn_cast<Instruction>(next.base); made && !dominators_.dominates(made, &*block->getFirstInsertionPt())) return;
      places.emplace_back(block, next);
      next.offset += next.bytes;
    }
    const std::int64_t first = places.front().second.offset;
    for (const auto& [piece, where] : llvm::zip(pieces, places)) {
      const auto& [block, place] = where;
      llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
      Value* address = moved(builder, *place.base, static_cast<std::uint64_t>(place.offset));
      const auto within = static_cast<std::uint64_t>(place.offset - first);
      llvm::StoreInst* own = builder.CreateAlignedStore(piece, address, llvm::commonAlignment(store.getAlign(), within));
      own->copyMetadata(store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias});
    }
    Value* whole = store.getValueOperand();
    store.eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(whole);
  }

  /// Whether `instruction` accesses no part of `place`, which is one of what `store` writes.
  bool is_apart(const Instruction& instruction, const MemoryPlace& place, const llvm::StoreInst& store) {
    if (llvm::getLoadStorePointerOperand(&instruction) && place_of(instruction).is_apart_from(place))
      return !instruction.isVolatile() && !instruction.isAtomic();
    return !instruction.mayReadOrWriteMemory() || llvm::isNoModRef(aliases_.getModRefInfo(&instruction, llvm::MemoryLocation::get(&store)));
  }

  /// The pieces that `value` puts together, in their order; false if it is anything else.
  static bool take_pieces(Value& value, llvm::SmallVectorImpl<Instruction*>& pieces) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value); phi && phi->getNumIncomingValues() == 1) return take_pieces(*phi->getIncomingValue(0), pieces);
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value))
      if (shuffle->isConcat()) return take_pieces(*shuffle->getOperand(0), pieces) && take_pieces(*shuffle->getOperand(1), pieces);
    auto* piece = llvm::dyn_cast<Instruction>(&value);
    if (!piece || !fills_registers(*piece->getType())) return false;
    pieces.push_back(piece);
    return true;
  }

  /// The block behind the loop that makes `piece`, which leads to `store` alone, past nothing that could tell where the piece is stored; null if there is none.
  BasicBlock* behind_loop(const Instruction& piece, const llvm::StoreInst& store, const MemoryPlace& place) {
    const llvm::Loop* loop = loops_.getLoopFor(piece.getParent());
    if (!loop || loop->contains(&store)) return nullptr;
    BasicBlock* exit = loop->getExitBlock();
    if (!exit || !dominators_.dominates(piece.getParent(), exit) || !dominators_.dominates(exit, store.getParent()) ||
        loops_.getLoopFor(exit) != loops_.getLoopFor(store.getParent()))
      return nullptr;
    const BasicBlock* block = exit;
    for (unsigned i = 0; i < kMostBlocks; ++i) {
      for (const Instruction& instruction : *block) {
        if (&instruction == &store) return exit;
        if (!is_apart(instruction, place, store)) return nullptr;
      }
      const BasicBlock* next = nullptr;
      for (const BasicBlock* successor : llvm::successors(block)) {
        if (successor == block) continue;
        if (next && next != successor) return nullptr;
        next = successor;
      }
      if (!next || next == exit) return nullptr;
      block = next;
    }
    return nullptr;
  }

  llvm::Function& function_;
};

}  // namespace

void access_piecewise(llvm::Function& function) { PiecewiseAccesses(function).run(); }

}  // namespace weft::compiler::wide
