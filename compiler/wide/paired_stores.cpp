#include "compiler/wide/paired_stores.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "compiler/wide/loop_analyses.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Of single stores in a row, and of pairs made of them: fewer are not worth the shuffles.
constexpr std::size_t kFewestStores = 8;
constexpr std::size_t kFewestPairs = 4;
/// Places that are asked for their distance from a row's first.
constexpr unsigned kMostBases = 8;

/// A lane and where it is stored.
struct Lane {
  llvm::StoreInst* store;
  Value* vector;
  unsigned number;
  Value* base;
  std::int64_t offset;  ///< from the base of the row's first
};

class StorePairs : LoopAnalyses {
 public:
  explicit StorePairs(llvm::Function& function) : LoopAnalyses(function), function_(function) {}

  void run() {
    for (llvm::BasicBlock& block : function_) {
      for (Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (!instruction.mayReadOrWriteMemory()) continue;
        if (!take(instruction)) {
          finish();
          take(instruction);
        }
      }
      finish();
    }
  }

 private:
  /// Takes a store of 32 bits of a lane into the row, which is of vectors of one type; false if it is another access or cannot be one of the row.
  bool take(Instruction& instruction) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || !store->isSimple() || store->hasMetadata(llvm::LLVMContext::MD_nontemporal)) return false;
    auto* lane = llvm::dyn_cast<llvm::ExtractElementInst>(store->getValueOperand());
    if (!lane || layout_.getTypeSizeInBits(lane->getType()) != 32 || !llvm::isa<llvm::FixedVectorType>(lane->getVectorOperandType())) return false;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(lane->getIndexOperand());
    if (!number || (!row_.empty() && row_.front().vector->getType() != lane->getVectorOperandType())) return false;
    llvm::APInt offset(64, 0);
    Value* base = store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const std::optional<std::int64_t> from_first = distance(*base);
    if (!from_first) return false;
    row_.push_back({store, lane->getVectorOperand(), static_cast<unsigned>(number->getZExtValue()), base, *from_first + offset.getSExtValue()});
    return true;
  }

  /// Of `base` from the row's first, if it is a number.
  std::optional<std::int64_t> distance(Value& base) {
    if (const auto found = bases_.find(&base); found != bases_.end()) return found->second;
    if (bases_.size() >= kMostBases) return std::nullopt;
    std::int64_t result = 0;
    if (!bases_.empty()) {
      Value* first = bases_.front().first;
      if (first->getType() != base.getType()) return std::nullopt;
      const auto* difference = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(evolution_.getSCEV(&base), evolution_.getSCEV(first)));
      if (!difference) return std::nullopt;
      result = difference->getAPInt().getSExtValue();
    }
    bases_.insert({&base, result});
    return result;
  }

  void finish() {
    if (row_.size() >= kFewestStores) join();
    row_.clear();
    bases_.clear();
  }

  void join() {
    llvm::SmallVector<const Lane*, 64> lanes;
    for (const Lane& lane : row_) lanes.push_back(&lane);
    llvm::stable_sort(lanes, [](const Lane* a, const Lane* b) { return a->offset < b->offset; });
    for (std::size_t i = 1; i < lanes.size(); ++i)
      if (lanes[i]->offset - lanes[i - 1]->offset < kBytes) return;  // the order of the two counts
    llvm::SmallVector<Together, 32> fours, pairs;
    for (std::size_t i = 0; i + 1 < lanes.size();) {
      std::size_t count = 1;
      while (count < 4 && i + count < lanes.size() && lanes[i + count]->offset == lanes[i]->offset + static_cast<std::int64_t>(count) * kBytes) ++count;
      if (count == 4) fours.push_back(Together(lanes.begin() + i, lanes.begin() + i + 4));
      else if (count >= 2) pairs.push_back(Together(lanes.begin() + i, lanes.begin() + i + 2));
      i += count == 3 ? 2 : count;
    }
    if (2 * fours.size() + pairs.size() < kFewestPairs) return;
    llvm::IRBuilder<> builder(row_.back().store->getNextNode());
    store(builder, fours);
    store(builder, pairs);
  }

  /// Lanes that follow each other in memory.
  using Together = llvm::SmallVector<const Lane*, 4>;

  void store(llvm::IRBuilder<>& builder, llvm::ArrayRef<Together> all) {
    // Those of the same vectors are brought side by side at once.
    llvm::SmallVector<std::pair<llvm::SmallVector<Value*, 4>, llvm::SmallVector<const Together*, 16>>, 4> by_vectors;
    for (const Together& together : all) {
      llvm::SmallVector<Value*, 4> vectors;
      for (const Lane* lane : together) vectors.push_back(lane->vector);
      auto* found = llvm::find_if(by_vectors, [&](const auto& other) { return other.first == vectors; });
      if (found == by_vectors.end()) found = &by_vectors.emplace_back(std::move(vectors), llvm::SmallVector<const Together*, 16>());
      found->second.push_back(&together);
    }
    for (const auto& [vectors, alike] : by_vectors) {
      Value* pairs = interleave(builder, alike, 0);
      Value* whole = vectors.size() == 2 ? pairs : interleave_pairs(builder, *pairs, *interleave(builder, alike, 2));
      for (const auto& [i, together] : llvm::enumerate(alike)) store_one(builder, *whole, static_cast<unsigned>(i), *together);
    }
  }

  /// The lanes `first` and `first` + 1 of each of `alike` side by side, each two as one double: processors store either half of a register of doubles.
  static Value* interleave(llvm::IRBuilder<>& builder, llvm::ArrayRef<const Together*> alike, unsigned first) {
    const Together& any = *alike.front();
    Value *a = any[first]->vector, *b = any[first + 1]->vector;
    const unsigned second = a == b ? 0 : llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
    llvm::SmallVector<int, 64> mask;
    for (const Together* together : alike) {
      mask.push_back(static_cast<int>((*together)[first]->number));
      mask.push_back(static_cast<int>((*together)[first + 1]->number + second));
    }
    Value* floats = a == b ? builder.CreateShuffleVector(a, mask) : builder.CreateShuffleVector(a, b, mask);
    return builder.CreateBitCast(floats, llvm::FixedVectorType::get(builder.getDoubleTy(), static_cast<unsigned>(alike.size())));
  }

  static Value* interleave_pairs(llvm::IRBuilder<>& builder, Value& a, Value& b) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(a.getType())->getNumElements();
    llvm::SmallVector<int, 32> mask;
    for (unsigned i = 0; i < count; ++i) mask.append({static_cast<int>(i), static_cast<int>(i + count)});
    return builder.CreateShuffleVector(&a, &b, mask);
  }

  static void store_one(llvm::IRBuilder<>& builder, Value& whole, unsigned number, const Together& together) {
    llvm::StoreInst& first = *together.front()->store;
    const auto at = static_cast<int>(2 * number);
    Value* value = together.size() == 2 ? builder.CreateExtractElement(&whole, number) : builder.CreateShuffleVector(&whole, {at, at + 1});
    llvm::StoreInst* joined = builder.CreateAlignedStore(value, first.getPointerOperand(), first.getAlign());
    llvm::AAMDNodes nodes = first.getAAMetadata();
    for (const Lane* lane : together) nodes = nodes.concat(lane->store->getAAMetadata());
    joined->setAAMetadata(nodes);
    for (const Lane* lane : together) {
      auto* taken = llvm::cast<Instruction>(lane->store->getValueOperand());
      lane->store->eraseFromParent();
      if (taken->use_empty()) taken->eraseFromParent();
    }
  }

  static constexpr std::int64_t kBytes = 4;

  llvm::Function& function_;
  llvm::SmallVector<Lane, 64> row_;
  llvm::MapVector<Value*, std::int64_t> bases_;
};

}  // namespace

void pair_stores(llvm::Function& function) { StorePairs(function).run(); }

}  // namespace weft::compiler::wide
