#include "compiler/simt/memory/joined_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
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

constexpr std::int64_t kWord = 4, kLong = 8, kPair = 8, kPiece = 16;  ///< bytes
/// Bytes from a lane's to the next one's up to which bytes are shuffled out of registers for less than a gather of words takes.
constexpr std::int64_t kNear = 32;

/// Loads from one base, in order: of bytes and shorts, of words, or of numbers of 64 bits.
struct Row {
  llvm::SmallVector<FieldAccess, 16> loads;
  bool is_masked = false;  ///< for some lanes
  bool open = true;

  bool is_of_words() const { return loads.front().bytes == kWord; }
  bool is_of_longs() const { return loads.front().bytes == kLong; }
  /// Whether a load of so many bytes is of these.
  bool takes(std::int64_t bytes) const { return is_of_words() == (bytes == kWord) && is_of_longs() == (bytes == kLong); }
};

/// Loads that together have all `bytes` from `low` on, of those from one base; in order.
struct Joined {
  std::int64_t low = 0, bytes = 0;
  llvm::SmallVector<FieldAccess, 4> loads;
};

class JoinedLoads {
 public:
  JoinedLoads(llvm::Function& function, const Shapes& shapes)
      : shapes_(shapes), layout_(function.getParent()->getDataLayout()) {}

  std::vector<Joined> find(BasicBlock& block) {
    std::vector<Row> rows;
    bool is_masked = false;
    for (Instruction& instruction : block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      if (llvm::isa<llvm::LoadInst>(instruction)) {
        if (const auto access = access_of(instruction)) join(rows, *access, is_masked);
        continue;
      }
      if (called_name(instruction) == primitive::kMask) {
        is_masked = true;
        for (Row& row : rows) row.open = false;  // other lanes
      }
      for (Row& row : rows) row.open &= !writes(instruction, row);
    }
    std::vector<Joined> found;
    for (const Row& row : rows) find(row, found);
    return found;
  }

 private:
  std::optional<FieldAccess> access_of(Instruction& instruction) const {
    const auto bytes = byte_access(instruction, shapes_, layout_, /*may_vary=*/true);
    if (!bytes) return word_access(instruction, shapes_, layout_);
    return bytes->stride == 0 || bytes->stride % kWord == 0 || bytes->stride > kNear ? bytes : std::nullopt;
  }

  static void join(std::vector<Row>& rows, const FieldAccess& access, bool is_masked) {
    for (Row& row : rows)
      if (row.open && row.loads.front().base == access.base && row.loads.front().space() == access.space() &&
          row.loads.front().stride == access.stride && row.takes(access.bytes)) {
        row.loads.push_back(access);
        return;
      }
    rows.push_back({{access}, is_masked});
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

  /// Empty if loads of `row` are not all of these bytes, or one has others, too.
  static Joined joined_at(const Row& row, std::int64_t low, std::int64_t size) {
    Joined joined{.low = low, .bytes = size, .loads = {}};
    unsigned bytes = 0;
    for (const FieldAccess& load : row.loads) {
      const std::int64_t at = load.offset - low;
      if (at + load.bytes <= 0 || at >= size) continue;
      if (at < 0 || at + load.bytes > size) return {};
      joined.loads.push_back(load);
      bytes |= ((1u << load.bytes) - 1) << at;
    }
    return bytes == (1u << size) - 1 ? joined : Joined();
  }

  static void find(const Row& row, std::vector<Joined>& found) {
    llvm::SmallVector<std::int64_t, 16> offsets;
    for (const FieldAccess& load : row.loads) offsets.push_back(load.offset);
    llvm::sort(offsets);
    std::int64_t end = offsets.front();
    for (const std::int64_t low : offsets) {
      if (low < end) continue;
      Joined joined;
      if (!row.is_of_words() && !row.is_of_longs()) joined = joined_at(row, low, kWord);
      // Of some lanes pieces are loaded one by one with a question each, pairs are gathered.
      if (!row.is_masked && (row.is_of_words() || row.is_of_longs())) joined = joined_at(row, low, kPiece);
      if (row.is_of_words() && joined.loads.empty()) joined = joined_at(row, low, kPair);
      if (joined.loads.empty()) continue;
      end = low + joined.bytes;
      found.push_back(std::move(joined));
    }
  }

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
};

/// A load of all, in the place of the first.
llvm::LoadInst* load_joined(const Joined& joined, llvm::Type& type) {
  const FieldAccess& first = joined.loads.front();
  llvm::IRBuilder<> builder(first.instruction);
  Value* pointer = llvm::getLoadStorePointerOperand(first.instruction);
  llvm::Align align = llvm::getLoadStoreAlignment(first.instruction);
  if (joined.low != first.offset) {
    pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(joined.low - first.offset)));
    align = llvm::commonAlignment(align, static_cast<std::uint64_t>(std::abs(joined.low - first.offset)));
  }
  llvm::AAMDNodes scopes = first.instruction->getAAMetadata();
  for (const FieldAccess& load : joined.loads) scopes = scopes.merge(load.instruction->getAAMetadata());
  llvm::LoadInst* all = builder.CreateAlignedLoad(&type, pointer, align, /*isVolatile=*/true, "joined");
  all->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(builder.getContext(), {}));
  all->setAAMetadata(scopes);
  return all;
}

void combine(const Joined& joined) {
  llvm::IRBuilder<> builder(joined.loads.front().instruction);
  const bool is_word = joined.bytes == kWord;
  const std::int64_t unit = is_word || joined.loads.front().bytes < kLong ? kWord : kLong;
  llvm::Type* type = builder.getIntNTy(static_cast<unsigned>(8 * unit));
  if (!is_word) type = llvm::FixedVectorType::get(type, static_cast<unsigned>(joined.bytes / unit));
  llvm::LoadInst* all = load_joined(joined, *type);
  for (const FieldAccess& load : joined.loads) {
    builder.SetInsertPoint(load.instruction);
    const auto at = static_cast<std::uint64_t>(load.offset - joined.low);
    Value* part = is_word ? builder.CreateTrunc(builder.CreateLShr(all, 8 * at), builder.getIntNTy(static_cast<unsigned>(8 * load.bytes)))
                          : builder.CreateExtractElement(all, at / static_cast<std::uint64_t>(unit));
    load.instruction->replaceAllUsesWith(builder.CreateBitCast(part, load.instruction->getType()));
    load.instruction->eraseFromParent();
  }
}

}  // namespace

bool join_loads(llvm::Function& function, const Shapes& shapes) {
  JoinedLoads loads(function, shapes);
  bool changed = false;
  for (BasicBlock& block : function)
    for (const Joined& joined : loads.find(block)) {
      combine(joined);
      changed = true;
    }
  return changed;
}

llvm::DenseMap<const llvm::Instruction*, unsigned> joined_loads(llvm::Function& function, const Shapes& shapes) {
  JoinedLoads loads(function, shapes);
  llvm::DenseMap<const llvm::Instruction*, unsigned> found;
  for (BasicBlock& block : function)
    for (const Joined& joined : loads.find(block))
      for (const FieldAccess& load : joined.loads) found[load.instruction] = static_cast<unsigned>(joined.loads.size());
  return found;
}

}  // namespace weft::compiler::simt
