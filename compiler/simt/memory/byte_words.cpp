#include "compiler/simt/memory/byte_words.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr std::int64_t kWord = 4;  ///< bytes
/// Bytes from a lane's to the next one's up to which bytes are shuffled out of registers for less than a gather of words takes.
constexpr std::int64_t kNear = 32;

/// Loads from one base, in order.
struct Row {
  llvm::SmallVector<FieldAccess, 16> loads;
  bool open = true;
};

/// Loads that together have all bytes from `low` on, of those from one base; in order.
struct Word {
  std::int64_t low = 0;
  llvm::SmallVector<FieldAccess, 4> loads;
};

class ByteWords {
 public:
  ByteWords(llvm::Function& function, const Shapes& shapes)
      : shapes_(shapes), layout_(function.getParent()->getDataLayout()) {}

  std::vector<Word> find(BasicBlock& block) {
    std::vector<Row> rows;
    for (Instruction& instruction : block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      if (llvm::isa<llvm::LoadInst>(instruction)) {
        const auto access = byte_access(instruction, shapes_, layout_, /*may_vary=*/true);
        if (access && (access->stride == 0 || access->stride % kWord == 0 || access->stride > kNear)) join(rows, *access);
        continue;
      }
      for (Row& row : rows) row.open &= !writes(instruction, row);
    }
    std::vector<Word> words;
    for (const Row& row : rows) find(row, words);
    return words;
  }

 private:
  static void join(std::vector<Row>& rows, const FieldAccess& access) {
    for (Row& row : rows)
      if (row.open && row.loads.front().base == access.base && row.loads.front().space() == access.space() &&
          row.loads.front().stride == access.stride) {
        row.loads.push_back(access);
        return;
      }
    rows.push_back({{access}});
  }

  /// Whether `instruction` may write what is loaded of `row`, by any lane.
  bool writes(const Instruction& instruction, const Row& row) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store) {
      const llvm::StringRef name = called_name(instruction);
      return name != primitive::kAny && name != primitive::kAll && name != primitive::kMask && name != primitive::kLive;
    }
    if (store->isAtomic()) return true;
    const unsigned space = store->getPointerAddressSpace(), own = row.loads.front().space();
    if (space == kPrivateSpace || (space != own && (space == kGlobalSpace || space == kLocalSpace))) return false;
    return llvm::any_of(row.loads, [&](const FieldAccess& load) { return may_meet(*load.instruction, *store); });
  }

  /// Empty if loads of `row` are not all of a word's bytes, or one has others, too.
  static Word word_at(const Row& row, std::int64_t low) {
    Word word{.low = low, .loads = {}};
    unsigned bytes = 0;
    for (const FieldAccess& load : row.loads) {
      const std::int64_t at = load.offset - low;
      if (at + load.bytes <= 0 || at >= kWord) continue;
      if (at < 0 || at + load.bytes > kWord) return {};
      word.loads.push_back(load);
      bytes |= ((1u << load.bytes) - 1) << at;
    }
    return bytes == (1u << kWord) - 1 ? word : Word();
  }

  static void find(const Row& row, std::vector<Word>& words) {
    llvm::SmallVector<std::int64_t, 16> offsets;
    for (const FieldAccess& load : row.loads) offsets.push_back(load.offset);
    llvm::sort(offsets);
    std::int64_t end = offsets.front();
    for (const std::int64_t low : offsets) {
      if (low < end) continue;
      Word word = word_at(row, low);
      if (word.loads.empty()) continue;
      words.push_back(std::move(word));
      end = low + kWord;
    }
  }

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
};

void combine(const Word& word) {
  const FieldAccess& first = word.loads.front();
  llvm::IRBuilder<> builder(first.instruction);
  Value* pointer = llvm::getLoadStorePointerOperand(first.instruction);
  llvm::Align align = llvm::getLoadStoreAlignment(first.instruction);
  if (word.low != first.offset) {
    pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(word.low - first.offset)));
    align = llvm::commonAlignment(align, static_cast<std::uint64_t>(std::abs(word.low - first.offset)));
  }
  llvm::AAMDNodes scopes = first.instruction->getAAMetadata();
  for (const FieldAccess& load : word.loads) scopes = scopes.merge(load.instruction->getAAMetadata());
  llvm::LoadInst* all = builder.CreateAlignedLoad(builder.getInt32Ty(), pointer, align, /*isVolatile=*/true, "word");
  all->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(builder.getContext(), {}));
  all->setAAMetadata(scopes);
  for (const FieldAccess& load : word.loads) {
    builder.SetInsertPoint(load.instruction);
    Value* part = builder.CreateLShr(all, static_cast<std::uint64_t>(8 * (load.offset - word.low)));
    part = builder.CreateTrunc(part, builder.getIntNTy(static_cast<unsigned>(8 * load.bytes)));
    load.instruction->replaceAllUsesWith(builder.CreateBitCast(part, load.instruction->getType()));
    load.instruction->eraseFromParent();
  }
}

}  // namespace

bool make_byte_words(llvm::Function& function, const Shapes& shapes) {
  ByteWords words(function, shapes);
  bool changed = false;
  for (BasicBlock& block : function)
    for (const Word& word : words.find(block)) {
      combine(word);
      changed = true;
    }
  return changed;
}

llvm::DenseMap<const llvm::Instruction*, unsigned> loads_of_words(llvm::Function& function, const Shapes& shapes) {
  ByteWords words(function, shapes);
  llvm::DenseMap<const llvm::Instruction*, unsigned> found;
  for (BasicBlock& block : function)
    for (const Word& word : words.find(block))
      for (const FieldAccess& load : word.loads) found[load.instruction] = static_cast<unsigned>(word.loads.size());
  return found;
}

}  // namespace weft::compiler::simt
