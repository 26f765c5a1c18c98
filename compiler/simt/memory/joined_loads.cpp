#include "compiler/simt/memory/joined_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/simt/analysis/index_sum.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/target/target.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr std::int64_t kHalf = 2, kWord = 4, kLong = 8, kPair = 8, kPiece = 16, kLine = 64;  ///< bytes
/// Bytes from a lane's to the next one's up to which bytes are shuffled out of registers for less than a gather of words takes.
constexpr std::int64_t kNear = 32;

/// Loads from one base, in order: of bytes and shorts, or of words, or of several words each, as doubles and complex numbers are.
struct Row {
  llvm::SmallVector<FieldAccess, 16> loads;
  llvm::SmallVector<const Value*, 4> parts;  ///< of the index, in order
  bool is_masked = false;  ///< for some lanes
  bool open = true;

  std::int64_t bytes() const { return loads.front().bytes; }
  bool is_of_bytes() const { return bytes() < kWord; }
  /// Whether a load of so many bytes is one of these.
  bool takes(std::int64_t count) const { return is_of_bytes() ? count < kWord : count == bytes(); }
};

/// Loads that together have all `bytes` from `low` on, of those from one base; in order.
struct Joined {
  std::int64_t low = 0, bytes = 0;
  llvm::SmallVector<FieldAccess, 4> loads;
};

/// Bytes of the words that a joined load of `type` is of.
std::int64_t word_bytes(const llvm::Type& type) { return type.getScalarSizeInBits() == 64 ? kLong : kWord; }

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
    if (!bytes) {
      const auto words = word_access(instruction, shapes_, layout_);
      return words && words->bytes != kWord && words->stride != 0 && std::abs(words->stride) <= kNear ? std::nullopt : words;
    }
    return bytes->stride == 0 || bytes->stride % kWord == 0 || bytes->stride > kNear ? bytes : std::nullopt;
  }

  static void join(std::vector<Row>& rows, FieldAccess access, bool is_masked) {
    // `row * n + (first + 2)` is two behind `row * n + first`, whatever of it was added first.
    IndexSum sum;
    if (access.base.index && access.base.is_signed) {
      sum.add(*access.base.index);
      llvm::sort(sum.parts);
      access.offset += sum.constant * access.base.scale;
      access.base.index = nullptr;
    }
    for (Row& row : rows)
      if (row.open && row.loads.front().base == access.base && row.parts == sum.parts && row.loads.front().space() == access.space() &&
          row.loads.front().stride == access.stride &&
          word_bytes(*llvm::getLoadStoreType(row.loads.front().instruction)) == word_bytes(*llvm::getLoadStoreType(access.instruction)) && row.takes(access.bytes)) {
        row.loads.push_back(access);
        return;
      }
    rows.push_back({{access}, std::move(sum.parts), is_masked});
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
    std::uint64_t bytes = 0;
    for (const FieldAccess& load : row.loads) {
      const std::int64_t at = load.offset - low;
      if (at + load.bytes <= 0 || at >= size) continue;
      if (at < 0 || at + load.bytes > size) return {};
      joined.loads.push_back(load);
      bytes |= ((std::uint64_t{1} << load.bytes) - 1) << at;
    }
    return joined.loads.size() > 1 && bytes == ~std::uint64_t{0} >> (kLine - size) ? joined : Joined();
  }

  /// Whether lanes lie evenly apart, as rows of a matrix do, if nothing wraps around: what code to make follows from it, and nothing that has to be right.
  bool lies_evenly(const Value& value, unsigned depth = 0) const {
    const Shape shape = shapes_[value];
    if (shape.is_affine()) return true;
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || depth > 8) return false;
    const auto all = [&] { return llvm::all_of(instruction->operands(), [&](const llvm::Use& use) { return lies_evenly(*use, depth + 1); }); };
    switch (instruction->getOpcode()) {
      case Instruction::GetElementPtr:
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::SExt:
      case Instruction::ZExt: return all();
      case Instruction::Or: return llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint() && all();
      case Instruction::Mul:
      case Instruction::Shl: {
        const bool may_be_second = instruction->getOpcode() == Instruction::Mul;
        return all() && (shapes_.is_uniform(*instruction->getOperand(1)) || (may_be_second && shapes_.is_uniform(*instruction->getOperand(0))));
      }
      default: return false;
    }
  }

  /// As much as a line has, which is a register of each lane, transposed with those of the others: where rows of a matrix lie a large power of two
  /// apart, few of their lines are in the first-level cache together, and each piece would bring the line again.
  Joined whole_line(const Row& row, std::int64_t low) const {
    const FieldAccess& first = row.loads.front();
    if (target::vectors().register_bits != 8 * kLine || (first.stride != 0 && std::abs(first.stride) < kLine)) return {};
    const std::int64_t word = word_bytes(*llvm::getLoadStoreType(first.instruction));
    if (shapes_.lanes() < kLine / word || !lies_evenly(*llvm::getLoadStorePointerOperand(first.instruction))) return {};
    return joined_at(row, low, kLine);
  }

  void find(const Row& row, std::vector<Joined>& found) const {
    llvm::SmallVector<std::int64_t, 16> offsets;
    for (const FieldAccess& load : row.loads) offsets.push_back(load.offset);
    llvm::sort(offsets);
    std::int64_t end = offsets.front();
    for (const std::int64_t low : offsets) {
      if (low < end) continue;
      Joined joined;
      if (row.is_of_bytes()) joined = joined_at(row, low, kWord);
      // Of some lanes lines and pieces are loaded one by one with a question each, which is little for a line; pairs are gathered.
      else joined = whole_line(row, low);
      if (joined.loads.empty() && !row.is_masked && (row.bytes() == kWord || row.bytes() == kLong)) joined = joined_at(row, low, kPiece);
      if (joined.loads.empty() && row.bytes() == kWord) joined = joined_at(row, low, kPair);
      if (joined.loads.empty()) continue;
      end = low + joined.bytes;
      found.push_back(std::move(joined));
    }
    if (row.is_of_bytes()) find_pairs(row, offsets, found);
  }

  /// Of bytes that are in no word: the two ends of an interpolation.
  void find_pairs(const Row& row, llvm::ArrayRef<std::int64_t> offsets, std::vector<Joined>& found) const {
    llvm::SmallPtrSet<const Instruction*, 16> in_words;
    for (const Joined& joined : found)
      for (const FieldAccess& load : joined.loads) in_words.insert(load.instruction);
    std::int64_t end = offsets.front();
    for (const std::int64_t low : offsets) {
      if (low < end) continue;
      Joined joined = joined_at(row, low, kHalf);
      if (joined.loads.empty() || llvm::any_of(joined.loads, [&](const FieldAccess& load) { return in_words.contains(load.instruction); })) continue;
      end = low + kHalf;
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
  const bool is_word = joined.bytes <= kWord;
  const auto word = static_cast<std::uint64_t>(is_word ? joined.bytes : word_bytes(*llvm::getLoadStoreType(joined.loads.front().instruction)));
  llvm::Type* type = builder.getIntNTy(static_cast<unsigned>(8 * word));
  if (!is_word) type = llvm::FixedVectorType::get(type, static_cast<unsigned>(joined.bytes) / static_cast<unsigned>(word));
  llvm::LoadInst* all = load_joined(joined, *type);
  for (const FieldAccess& load : joined.loads) {
    builder.SetInsertPoint(load.instruction);
    const auto at = static_cast<std::uint64_t>(load.offset - joined.low), words = static_cast<std::uint64_t>(load.bytes) / word;
    Value* part = nullptr;
    if (is_word) {
      part = builder.CreateTrunc(builder.CreateLShr(all, 8 * at), builder.getIntNTy(static_cast<unsigned>(8 * load.bytes)));
    } else if (words == 1) {
      part = builder.CreateExtractElement(all, at / word);
    } else {
      part = llvm::PoisonValue::get(llvm::FixedVectorType::get(type->getScalarType(), static_cast<unsigned>(words)));
      for (std::uint64_t i = 0; i < words; ++i) part = builder.CreateInsertElement(part, builder.CreateExtractElement(all, at / word + i), i);
    }
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
