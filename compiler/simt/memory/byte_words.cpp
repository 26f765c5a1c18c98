#include "compiler/simt/memory/byte_words.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <vector>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
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

class ByteWords {
 public:
  ByteWords(llvm::Function& function, const Shapes& shapes)
      : shapes_(shapes), layout_(function.getParent()->getDataLayout()), library_(llvm::Triple(function.getParent()->getTargetTriple())),
        library_info_(library_, &function), aliases_(library_info_) {
    aliases_.addAAResult(scopes_);
  }

  bool run(BasicBlock& block) {
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
    bool changed = false;
    for (Row& row : rows) changed |= combine(row);
    return changed;
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
    // By scopes alone: what LLVM knows of addresses, it knows of one lane.
    const llvm::MemoryLocation there = llvm::MemoryLocation::get(store);
    return llvm::any_of(row.loads, [&](const FieldAccess& load) {
      return aliases_.alias(llvm::MemoryLocation::get(load.instruction), there) != llvm::AliasResult::NoAlias;
    });
  }

  /// Of the loads that have bytes in the word at `low`; none if these are not all of its bytes, or one has others, too.
  static llvm::SmallVector<unsigned, 8> of_word(const Row& row, std::int64_t low) {
    llvm::SmallVector<unsigned, 8> found;
    unsigned bytes = 0;
    for (const auto& [i, load] : llvm::enumerate(row.loads)) {
      const std::int64_t at = load.offset - low;
      if (at + load.bytes <= 0 || at >= kWord) continue;
      if (at < 0 || at + load.bytes > kWord) return {};
      found.push_back(static_cast<unsigned>(i));
      bytes |= ((1u << load.bytes) - 1) << at;
    }
    return bytes == (1u << kWord) - 1 ? found : llvm::SmallVector<unsigned, 8>();
  }

  bool combine(const Row& row) {
    llvm::SmallVector<std::int64_t, 16> offsets;
    for (const FieldAccess& load : row.loads) offsets.push_back(load.offset);
    llvm::sort(offsets);
    bool changed = false;
    std::int64_t end = offsets.front();
    for (const std::int64_t low : offsets) {
      if (low < end) continue;
      const auto loads = of_word(row, low);
      if (loads.size() < 2) continue;
      load_word(row, loads, low);
      end = low + kWord;
      changed = true;
    }
    return changed;
  }

  void load_word(const Row& row, llvm::ArrayRef<unsigned> loads, std::int64_t low) {
    const FieldAccess& first = row.loads[loads.front()];
    llvm::IRBuilder<> builder(first.instruction);
    Value* pointer = llvm::getLoadStorePointerOperand(first.instruction);
    llvm::Align align = llvm::getLoadStoreAlignment(first.instruction);
    if (low != first.offset) {
      pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(low - first.offset)));
      align = llvm::commonAlignment(align, static_cast<std::uint64_t>(std::abs(low - first.offset)));
    }
    llvm::AAMDNodes scopes = first.instruction->getAAMetadata();
    for (const unsigned i : loads) scopes = scopes.merge(row.loads[i].instruction->getAAMetadata());
    llvm::LoadInst* word = builder.CreateAlignedLoad(builder.getInt32Ty(), pointer, align, /*isVolatile=*/true, "word");
    word->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(builder.getContext(), {}));
    word->setAAMetadata(scopes);
    for (const unsigned i : loads) {
      const FieldAccess& load = row.loads[i];
      builder.SetInsertPoint(load.instruction);
      Value* part = builder.CreateLShr(word, static_cast<std::uint64_t>(8 * (load.offset - low)));
      part = builder.CreateTrunc(part, builder.getIntNTy(static_cast<unsigned>(8 * load.bytes)));
      load.instruction->replaceAllUsesWith(builder.CreateBitCast(part, load.instruction->getType()));
      load.instruction->eraseFromParent();
    }
  }

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::TargetLibraryInfo library_info_;
  llvm::AAResults aliases_;
  llvm::ScopedNoAliasAAResult scopes_;
};

}  // namespace

bool make_byte_words(llvm::Function& function, const Shapes& shapes) {
  ByteWords words(function, shapes);
  bool changed = false;
  for (BasicBlock& block : function) changed |= words.run(block);
  return changed;
}

}  // namespace weft::compiler::simt
