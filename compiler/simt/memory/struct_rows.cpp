#include "compiler/simt/memory/struct_rows.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/least.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr std::int64_t kMostUnits = 16;    // in a row
constexpr std::int64_t kMostInStruct = 64;  // bits of weft.fields
/// The same for structs that are loaded: with more, shuffles delay arithmetic more than gathers do (SHA-256 of 64-byte blocks).
constexpr unsigned kMostLoaded = 8;
/// Bytes of what each lane loads or stores of a larger struct, and the fewest units of those that are worth it: a load a lane
/// and unpacking cost a gather and a half.
constexpr std::int64_t kStructPieceBytes = 16;
constexpr unsigned kFewestOfPiece = 2;
/// Instructions for each unit that is loaded beside which gathers are done in time: SHA-256 of 64-byte blocks, some 160, took 6 %
/// longer by pieces. Up to Zen 4 a gather is many steps, in whose time nothing else begins: there it took 30 % longer by gathers.
constexpr unsigned kMostWork = 64;
/// A struct is loaded if at least one of so many units is used: a unit costs a gather, the whole struct not much more.
constexpr unsigned kUnitsForOne = 4;

constexpr unsigned kFewUnits = 4;
/// Bytes of a struct of which one part is loaded as a row.
constexpr std::int64_t kMostAlone = 32;

struct Group {
  llvm::SmallVector<FieldAccess, 8> members;
  llvm::SmallVector<FieldAccess, 8> written;  ///< if the group loads: fields stored behind its first load, or moved there
  bool open = true;
  bool matches(const FieldAccess& access) const {
    return members.front().base == access.base && members.front().space() == access.space();
  }
};

class Rows {
 public:
  Rows(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors)
      : function_(function),
        shapes_(shapes),
        vectors_(vectors),
        layout_(function.getParent()->getDataLayout()),
        dominators_(function),
        post_dominators_(function),
        loops_(dominators_) {}

  bool run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (BasicBlock* block : order)
      if (!followed_.contains(block)) follow(*block);
    for (Group& group : groups_) {
      if (!is_enough(group)) continue;
      if (group.members.front().is_store()) store_rows(group);
      else load_rows(group);
    }
    for (llvm::WeakTrackingVH& pointer : pointers_)
      if (pointer) llvm::RecursivelyDeleteTriviallyDeadInstructions(pointer);
    return changed_;
  }

 private:
  // ---- blocks in the order in which lanes pass them --------------------------------------------------------------

  /// The mask of a block; null if all lanes with a work-item run it.
  static const Value* mask_of(const BasicBlock& block) {
    for (const Instruction& instruction : block)
      if (called_name(instruction) == primitive::kMask) {
        const Value* mask = llvm::cast<llvm::CallBase>(instruction).getArgOperand(0);
        return called_name(*mask) == primitive::kLive ? nullptr : mask;
      }
    return nullptr;
  }

  /// Visits `block` and the blocks behind it that the same lanes run.
  void follow(BasicBlock& block) {
    const Value* mask = mask_of(block);
    for (BasicBlock* at = &block; at;) {
      followed_.insert(at);
      for (Instruction& instruction : llvm::make_early_inc_range(*at)) visit(instruction);
      const auto* node = post_dominators_.getNode(at);
      BasicBlock* next = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      if (!next || followed_.contains(next) || !dominators_.dominates(at, next) || mask_of(*next) != mask ||
          loops_.getLoopFor(next) != loops_.getLoopFor(at))
        break;
      close_stores();
      if (!visit_between(*at, *next, mask == nullptr)) break;
      at = next;
    }
    for (Group& group : groups_) group.open = false;
    stored_.clear();
  }

  void close_stores() {
    stored_.clear();
    for (Group& group : groups_)
      if (group.members.front().is_store()) group.open = false;
  }

  /// Visits the blocks that some lanes may pass between `from` and `to`. Their order does not matter, since there may be
  /// loops. False if lanes may pass `from` again before `to`.
  bool visit_between(BasicBlock& from, BasicBlock& to, bool all_lanes) {
    llvm::SmallPtrSet<BasicBlock*, 8> between;
    llvm::SmallVector<BasicBlock*, 8> pending(llvm::successors(&from));
    while (!pending.empty()) {
      BasicBlock* block = pending.pop_back_val();
      if (!dominators_.properlyDominates(&from, block)) return false;
      if (block == &to || !between.insert(block).second) continue;
      llvm::append_range(pending, llvm::successors(block));
    }
    for (BasicBlock* block : between)
      for (Instruction& instruction : *block)
        if (instruction.mayWriteToMemory()) close_conflicting(instruction, access_of(instruction));
    if (!all_lanes) return true;
    for (BasicBlock* block : between)
      for (Instruction& instruction : *block)
        if (std::optional<FieldAccess> access = access_of(instruction); access && !access->is_store()) {
          access->certain = false;
          join(*access, false);
        }
    return true;
  }

  // ---- accesses --------------------------------------------------------------------------------------------------

  std::optional<FieldAccess> access_of(Instruction& instruction) const { return field_access(instruction, shapes_, layout_); }

  void visit(Instruction& instruction) {
    if (claimed_.contains(&instruction)) return;
    const std::optional<FieldAccess> access = access_of(instruction);
    if (access && !access->is_store()) {
      if (forward(*access)) return;
      close_conflicting(instruction, access);
      join(*access, true);
    } else if (instruction.mayReadOrWriteMemory()) {
      close_conflicting(instruction, access);
      if (!access) return;
      join(*access, true);
      stored_.push_back(*access);
    }
  }

  /// Replaces a load by the value that the same lane has just stored, if there is one.
  bool forward(const FieldAccess& access) {
    for (const FieldAccess& store : llvm::reverse(stored_)) {
      if (!(store.base == access.base) || store.space() != access.space()) continue;
      Value* value = llvm::cast<llvm::StoreInst>(store.instruction)->getValueOperand();
      if (store.offset == access.offset && value->getType() == access.instruction->getType()) {
        access.instruction->replaceAllUsesWith(value);
        pointers_.emplace_back(llvm::getLoadStorePointerOperand(access.instruction));
        access.instruction->eraseFromParent();
        return changed_ = true;
      }
      if (fields_overlap(store, access)) return false;
    }
    return false;
  }

  static bool touches_shared_memory(const Instruction& instruction) {
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      return instruction.isAtomic() || (space != kPrivateSpace && space != kConstantSpace);
    }
    const llvm::StringRef name = called_name(instruction);
    return !(name == primitive::kAny || name == primitive::kAll || name == primitive::kLeast || name == primitive::kFew || name == primitive::kLive || name == primitive::kMask ||
             name.starts_with(primitive::kSlotLoad) || name.starts_with(primitive::kSlotStore) ||
             name == primitive::kPrivate || name.starts_with(primitive::kLanes) || name.starts_with(primitive::kLocalId) || name.starts_with(primitive::kGlobalId));
  }

  /// Closes each group whose accesses must not move over `instruction`.
  void close_conflicting(Instruction& instruction, const std::optional<FieldAccess>& access) {
    if (!touches_shared_memory(instruction)) return;
    const bool writes = instruction.mayWriteToMemory() && !(access && !access->is_store());
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    const bool spaced = pointer && !instruction.isAtomic();
    const auto apart = [&](const FieldAccess& other) {
      if (access && other.base == access->base && other.space() == access->space()) return !fields_overlap(other, *access);
      const unsigned space = spaced ? pointer->getType()->getPointerAddressSpace() : 0;
      return (space == kGlobalSpace || space == kLocalSpace) && space != other.space();
    };
    for (Group& group : groups_) {
      if (!group.open) continue;
      const bool stores = group.members.front().is_store();
      if (!stores && !writes) continue;
      if (access && group.matches(*access)) {
        if (!stores) group.written.push_back(*access);
        else if (llvm::any_of(group.members, [&](const FieldAccess& m) { return fields_overlap(m, *access); })) group.open = false;
      } else if (!llvm::all_of(group.members, apart)) {
        group.open = false;
      }
    }
    if (writes) llvm::erase_if(stored_, [&](const FieldAccess& store) { return !apart(store); });
  }

  void join(const FieldAccess& access, bool may_begin) {
    for (Group& group : groups_) {
      if (!group.open || !group.matches(access) || group.members.front().is_store() != access.is_store()) continue;
      const auto meets = [&](const FieldAccess& other) { return fields_overlap(other, access); };
      if (llvm::any_of(group.written, meets)) continue;
      std::int64_t low = access.offset, high = access.offset + access.bytes;
      for (const FieldAccess& member : group.members) {
        low = std::min(low, member.offset);
        high = std::max(high, member.offset + member.bytes);
      }
      if (high - low > access.stride) continue;
      claimed_.insert(access.instruction);
      group.members.push_back(access);
      return;
    }
    if (!may_begin) return;
    Group group;
    group.members.push_back(access);
    // Earlier stores may yet move behind this load.
    for (const Group& other : groups_)
      if (other.open && !access.is_store() && other.matches(access) && other.members.front().is_store())
        llvm::append_range(group.written, other.members);
    groups_.push_back(std::move(group));
  }

  // ---- rows ------------------------------------------------------------------------------------------------------

  struct Row {
    std::int64_t low = 0;   ///< where it begins, bytes from the base
    std::int64_t unit = 0;  ///< bytes of an element
    unsigned count = 0;     ///< elements
    std::uint64_t fields = 0;
  };

  std::uint64_t units_of(const FieldAccess& access, const Row& row) const {
    const std::uint64_t unit_bits = (std::uint64_t{1} << (access.bytes / row.unit)) - 1;
    return unit_bits << ((access.offset - row.low) / row.unit);
  }

  /// Whether `group` is one load of a part of the struct, as an OpenCL vector, by some lanes: without a row those load it one after the other. Of what AVX2
  /// masks, a row took 0.85 of the time on Zen 4 and 1.23 of it on Emerald Rapids.
  bool is_row_alone(const Group& group) const {
    const FieldAccess& access = group.members.front();
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(llvm::getLoadStoreType(access.instruction));
    return (vectors_.mask_registers || vectors_.slow_gather) && !access.is_store() && type && type->getScalarSizeInBits() >= 32 &&
           access.bytes < access.stride && access.stride <= kMostAlone && mask_of(*access.instruction->getParent());
  }

  /// Accesses that a row is worth.
  bool is_enough(const Group& group) const { return group.members.size() >= 2 || is_row_alone(group); }

  /// None if the members do not make a row.
  std::optional<Row> row_of(Group& group) const {
    Row row;
    row.low = INT64_MAX;
    std::int64_t high = INT64_MIN;
    for (const FieldAccess& member : group.members)
      if (member.certain) {
        row.low = std::min(row.low, member.offset);
        high = std::max(high, member.offset + member.bytes);
      }
    llvm::erase_if(group.members, [&](const FieldAccess& member) {
      return member.offset < row.low || member.offset + member.bytes > high;
    });
    row.unit = 8;
    const std::int64_t stride = group.members.front().stride;
    const auto whole = [&](const FieldAccess& member) {
      const std::uint64_t bits = llvm::getLoadStoreType(member.instruction)->getScalarSizeInBits();
      return (member.offset - row.low) % row.unit == 0 && bits % static_cast<std::uint64_t>(8 * row.unit) == 0;
    };
    if (stride % 8 != 0 || !llvm::all_of(group.members, whole)) row.unit = kSmallestUnit;
    if (stride / row.unit > kMostInStruct || !llvm::all_of(group.members, whole)) return std::nullopt;
    row.count = static_cast<unsigned>(stride / row.unit);
    for (const FieldAccess& member : group.members) row.fields |= units_of(member, row);
    return row;
  }

  /// Strided access (widen/memory/strided.cpp) already makes whole vectors and shuffles of few fields in local memory, and later
  /// passes find those values in registers again.
  static bool is_strided(const Group& group, const Row& row) {
    return group.members.front().space() == kLocalSpace && row.count <= kFewUnits;
  }

  /// Rows of a group that a warp has several of are accessed as OpenCL vectors are, which have all elements.
  bool is_segmented(const Group& group) const { return group.members.front().segment != shapes_.lanes(); }

  llvm::FixedVectorType* type_of(const Row& row) const {
    return llvm::FixedVectorType::get(llvm::Type::getIntNTy(function_.getContext(), static_cast<unsigned>(8 * row.unit)), row.count);
  }

  /// The address of the row that holds the field of `access`.
  static Value* address(llvm::IRBuilder<>& builder, const FieldAccess& access, const Row& row) {
    Value* pointer = llvm::getLoadStorePointerOperand(access.instruction);
    const std::int64_t distance = row.low - access.offset;
    if (!distance) return pointer;
    return builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(distance)));
  }
  static llvm::Align align(const FieldAccess& access, const Row& row) {
    const llvm::Align known = llvm::getLoadStoreAlignment(access.instruction);
    return std::min(llvm::commonAlignment(known, static_cast<std::uint64_t>(std::abs(row.low - access.offset))),
                    llvm::Align(static_cast<std::uint64_t>(row.unit)));
  }
  void mark(Instruction& access, std::uint64_t fields, const Group& group) const {
    llvm::LLVMContext& context = function_.getContext();
    access.setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(context, {}));
    if (is_segmented(group)) return;
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), fields);
    access.setMetadata(primitive::kFieldsMetadata, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  }

  void load_rows(Group& group) {
    const std::optional<Row> row = row_of(group);
    if (!row || !is_enough(group)) return;
    if (row->count > kMostLoaded) return load_pieces(group, *row);
    const auto used = static_cast<unsigned>(llvm::popcount(row->fields));
    if (used < 2 || used * kUnitsForOne < row->count || is_strided(group, *row)) return;
    if (is_segmented(group) && static_cast<unsigned>(std::bit_width(row->fields)) != row->count) return;
    const FieldAccess first = group.members.front();
    llvm::IRBuilder<> builder(first.instruction);
    llvm::LoadInst* load = builder.CreateAlignedLoad(type_of(*row), address(builder, first, *row), align(first, *row),
                                                     /*isVolatile=*/true, "row");
    const std::uint64_t read = (std::uint64_t{2} << llvm::Log2_64(row->fields)) - 1;
    mark(*load, read, group);
    for (const FieldAccess& member : group.members) {
      builder.SetInsertPoint(member.instruction);
      member.instruction->replaceAllUsesWith(field(builder, *load, member, *row));
    }
    remove(group);
  }

  /// Of a struct that is too large for a row, 16 bytes at a time wherever at least two units of these are loaded: each lane loads its own
  /// (widen/memory/row_pieces.cpp), which are unpacked. Between fields that all lanes read all can be read.
  void load_pieces(Group& group, const Row& row) {
    if (mask_of(*group.members.front().instruction->getParent())) return;
    if (!vectors_.slow_gather && function_.getInstructionCount() > kMostWork * static_cast<unsigned>(llvm::popcount(row.fields))) return;
    const std::int64_t end = row.low + row.unit * static_cast<std::int64_t>(std::bit_width(row.fields));
    // Of less than 16 bytes in all, two words at once, which may be one gather.
    const std::int64_t bytes = end - row.low < kStructPieceBytes ? kStructPieceBytes / 2 : kStructPieceBytes;
    if (bytes < 2 * row.unit) return;
    const auto units = static_cast<unsigned>(bytes / row.unit);
    llvm::SmallVector<FieldAccess, 8> left = group.members;
    // OpenCL vectors of 16 bytes are pieces by themselves.
    llvm::erase_if(left, [](const FieldAccess& member) { return member.bytes >= kStructPieceBytes; });
    Group done;
    while (!left.empty()) {
      const std::int64_t first = llvm::min_element(left, [](auto& a, auto& b) { return a.offset < b.offset; })->offset;
      Row piece{.low = std::min(first, end - bytes), .unit = row.unit, .count = units, .fields = 0};
      if (piece.low < row.low) break;
      Group members;
      llvm::erase_if(left, [&](const FieldAccess& member) {
        const bool is_in = member.offset >= piece.low && member.offset + member.bytes <= piece.low + bytes;
        if (is_in) members.members.push_back(member), piece.fields |= units_of(member, piece);
        return is_in || member.offset == first;
      });
      if (static_cast<unsigned>(llvm::popcount(piece.fields)) < kFewestOfPiece) continue;
      const FieldAccess place = members.members.front().certain ? members.members.front() : group.members.front();
      llvm::IRBuilder<> builder(place.instruction);
      llvm::LoadInst* load = builder.CreateAlignedLoad(type_of(piece), address(builder, place, piece), align(place, piece),
                                                       /*isVolatile=*/true, "piece");
      load->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(function_.getContext(), {}));
      for (const FieldAccess& member : members.members) {
        builder.SetInsertPoint(member.instruction);
        member.instruction->replaceAllUsesWith(field(builder, *load, member, piece));
      }
      llvm::append_range(done.members, members.members);
    }
    if (!done.members.empty()) remove(done);
  }

  Value* field(llvm::IRBuilder<>& builder, Value& load, const FieldAccess& access, const Row& row) const {
    llvm::Type* type = access.instruction->getType();
    const auto first = static_cast<unsigned>((access.offset - row.low) / row.unit);
    const auto count = static_cast<unsigned>(access.bytes / row.unit);
    if (count == 1) return builder.CreateBitCast(builder.CreateExtractElement(&load, first), type);
    Value* units = llvm::PoisonValue::get(llvm::FixedVectorType::get(load.getType()->getScalarType(), count));
    for (unsigned i = 0; i < count; ++i)
      units = builder.CreateInsertElement(units, builder.CreateExtractElement(&load, first + i), i);
    return builder.CreateBitCast(units, type);
  }

  /// What `members` store of `row`, together.
  Value* stored_units(llvm::IRBuilder<>& builder, llvm::ArrayRef<FieldAccess> members, const Row& row) const {
    Value* value = llvm::PoisonValue::get(type_of(row));
    for (const FieldAccess& member : members) {
      Value* stored = llvm::cast<llvm::StoreInst>(member.instruction)->getValueOperand();
      llvm::Type* unit = value->getType()->getScalarType();
      const auto count = static_cast<unsigned>(member.bytes / row.unit);
      Value* units = builder.CreateBitCast(stored, count == 1 ? unit : llvm::FixedVectorType::get(unit, count));
      for (unsigned i = 0; i < count; ++i) {
        const std::int64_t at = (member.offset - row.low) / row.unit + i;
        if (at < 0 || at >= row.count) continue;
        value = builder.CreateInsertElement(value, count == 1 ? units : builder.CreateExtractElement(units, i), static_cast<std::uint64_t>(at));
      }
    }
    return value;
  }

  /// Of a struct that is too large for a row, units side by side by pieces of 16 bytes or 8, each lane its own; OpenCL
  /// vectors of 16 bytes are such. False if there are none.
  bool store_pieces(Group& group, const Row& row) {
    if (mask_of(*group.members.back().instruction->getParent())) return false;
    Group parts;
    std::uint64_t fields = 0;
    for (const FieldAccess& member : group.members)
      if (member.bytes < kStructPieceBytes) parts.members.push_back(member), fields |= units_of(member, row);
    const FieldAccess last = group.members.back();
    llvm::IRBuilder<> builder(last.instruction);
    std::uint64_t stored = 0;
    for (const FieldPiece& part : field_pieces(fields, static_cast<unsigned>(kStructPieceBytes / row.unit))) {
      if (part.count == 1) continue;
      const Row piece{.low = row.low + part.first * row.unit, .unit = row.unit, .count = part.count, .fields = 0};
      llvm::StoreInst* store = builder.CreateAlignedStore(stored_units(builder, parts.members, piece), address(builder, last, piece),
                                                          align(last, piece), /*isVolatile=*/true);
      store->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(function_.getContext(), {}));
      stored |= ((std::uint64_t{1} << part.count) - 1) << part.first;
    }
    // What is left of them stands alone.
    llvm::erase_if(parts.members, [&](const FieldAccess& member) { return (units_of(member, row) & ~stored) != 0; });
    if (!parts.members.empty()) remove(parts);
    return stored != 0 || llvm::any_of(group.members, [](const FieldAccess& member) { return member.bytes >= kStructPieceBytes; });
  }

  void store_rows(Group& group) {
    const std::optional<Row> row = row_of(group);
    if (!row) return;
    if (row->count > kMostLoaded && store_pieces(group, *row)) return;
    if (row->count > kMostUnits) return;
    const auto used = static_cast<unsigned>(llvm::popcount(row->fields));
    const bool gaps = used < row->count;
    if (gaps && is_segmented(group)) return;
    if (used < 2 || (gaps && (2 * used < row->count || !stores_parts(*row))) || is_strided(group, *row)) return;
    const FieldAccess last = group.members.back();
    llvm::IRBuilder<> builder(last.instruction);
    Value* value = stored_units(builder, group.members, *row);
    llvm::StoreInst* store =
        builder.CreateAlignedStore(value, address(builder, last, *row), align(last, *row), /*isVolatile=*/true);
    mark(*store, row->fields, group);
    remove(group);
  }

  /// Whether storing some fields of `row` alone is cheap.
  bool stores_parts(const Row& row) const {
    if (vectors_.mask_registers) return true;
    const auto pieces = field_pieces(row.fields, vectors_.register_bits / 8 / static_cast<unsigned>(row.unit)).size();
    return row.count <= kMostLoaded && 2 * pieces <= static_cast<unsigned>(llvm::popcount(row.fields));
  }

  void remove(const Group& group) {
    changed_ = true;
    for (const FieldAccess& member : group.members) {
      pointers_.emplace_back(llvm::getLoadStorePointerOperand(member.instruction));
      member.instruction->eraseFromParent();
    }
  }

  llvm::Function& function_;
  const Shapes& shapes_;
  const VectorTraits& vectors_;
  const llvm::DataLayout& layout_;
  const llvm::DominatorTree dominators_;
  const llvm::PostDominatorTree post_dominators_;
  const llvm::LoopInfo loops_;
  llvm::SmallPtrSet<const BasicBlock*, 16> followed_;
  llvm::SmallPtrSet<const Instruction*, 16> claimed_;  ///< loads in later blocks that have joined a group
  std::vector<Group> groups_;
  llvm::SmallVector<FieldAccess, 8> stored_;  ///< in this block, and not overwritten since
  llvm::SmallVector<llvm::WeakTrackingVH, 16> pointers_;
  bool changed_ = false;
};

}  // namespace

bool make_struct_rows(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors) {
  return Rows(function, shapes, vectors).run();
}

}  // namespace weft::compiler::simt
