#include "compiler/wide/splittable_range.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/IntEqClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

#include "compiler/target/target.h"
#include "compiler/wide/repeated_work.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

/// So many that a register block has room for all that its sums share.
constexpr unsigned kManyRegisters = 32;
/// Larger pieces take more registers each: not for a few operations.
constexpr double kClearlyFewer = 1.25;
/// A range is worth what follows from masks behind it where that is one instruction of so many.
constexpr std::size_t kMostLeftOut = 8;

/// Whether `type` is a vector of bits, or of numbers of a size that registers have.
bool has_elements(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector) return false;
  const llvm::Type* element = vector->getElementType();
  if (element->isHalfTy() || element->isFloatTy() || element->isDoubleTy()) return true;
  return element->isIntegerTy(1) || element->isIntegerTy(8) || element->isIntegerTy(16) || element->isIntegerTy(32) ||
         element->isIntegerTy(64);
}

}  // namespace

bool is_broadcast(const Value& value) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (!shuffle) return false;
  const auto* source = vector_of(*shuffle->getOperand(0));
  if (shuffle->isZeroEltSplat()) return true;
  return source && registers_of(*shuffle->getOperand(0)->getType()) <= 1 &&
         source->getNumElements() < shuffle->getShuffleMask().size();
}

std::optional<RepeatedRow> repeated_row(const Value& value) {
  const auto* type = vector_of(value);
  if (!type || is_mask(value) || !has_elements(*type)) return std::nullopt;
  const unsigned elements = register_bits() / type->getScalarSizeInBits();
  auto lanes = llvm::to_vector<128>(llvm::seq(0, static_cast<int>(type->getNumElements())));
  const Value* source = &value;
  for (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(source); shuffle; shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(source)) {
    const int count = static_cast<int>(vector_of(*shuffle->getOperand(0))->getNumElements());
    for (int& lane : lanes) {
      lane = shuffle->getMaskValue(static_cast<unsigned>(lane));
      if (lane < 0 || lane >= count) return std::nullopt;
    }
    source = shuffle->getOperand(0);
  }
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(source);
  if (!load || !load->isSimple() || vector_of(*load)->getNumElements() >= lanes.size() || lanes.size() % elements != 0) return std::nullopt;
  RepeatedRow row{load, {}};
  for (unsigned first = 0; first < lanes.size(); first += elements) {
    const auto from = static_cast<unsigned>(lanes[first]);
    for (unsigned i = 0; i < elements; ++i)
      if (static_cast<unsigned>(lanes[first + i]) != from + i) return std::nullopt;
    if (from % elements != 0) return std::nullopt;
    row.sections.push_back(from / elements);
  }
  return row;
}

unsigned register_bits() { return target::vectors().register_bits; }

const llvm::FixedVectorType* vector_of(const Value& value) { return llvm::dyn_cast<llvm::FixedVectorType>(value.getType()); }

bool is_mask(const Value& value) { return value.getType()->getScalarType()->isIntegerTy(1); }

unsigned element_bits(const llvm::Type& type) { return type.isPtrOrPtrVectorTy() ? 64 : type.getScalarSizeInBits(); }

unsigned registers_of(llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || vector->getElementType()->isIntegerTy(1)) return 0;
  return static_cast<unsigned>(llvm::divideCeil(std::uint64_t{element_bits(type)} * vector->getNumElements(), register_bits()));
}

bool SplittableRange::can_split(const Instruction& instruction) {
  if (!has_elements(*instruction.getType())) return false;
  const unsigned count = vector_of(instruction)->getNumElements();
  const auto fits = [&](const Value* operand) {
    if (!operand->getType()->isVectorTy()) return true;
    return has_elements(*operand->getType()) && vector_of(*operand)->getNumElements() == count;
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple() && !is_mask(*load);
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID()) && call->doesNotAccessMemory() &&
           llvm::all_of(call->args(), fits);
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FRem: return false;  // done an element at a time
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::Freeze: break;
    default:
      if (!llvm::isa<llvm::BinaryOperator>(instruction) && !llvm::isa<llvm::UnaryOperator>(instruction) &&
          !llvm::isa<llvm::CastInst>(instruction))
        return false;
  }
  return llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return fits(use.get()); }) &&
         (!llvm::isa<llvm::CastInst>(instruction) || instruction.getOperand(0)->getType()->isVectorTy());
}

bool SplittableRange::can_move_past(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (call->isAssumeLikeIntrinsic() || call->getIntrinsicID() == llvm::Intrinsic::prefetch) return true;
  return !instruction.isTerminator() && !instruction.mayHaveSideEffects();
}

void SplittableRange::add(Instruction& instruction) {
  has_stores_ |= llvm::isa<llvm::StoreInst>(instruction);
  place_[&instruction] = static_cast<unsigned>(instructions_.size());
  instructions_.push_back(&instruction);
}

bool SplittableRange::feeds(const Instruction& user) const {
  return llvm::any_of(user.operands(), [&](const llvm::Use& use) { return contains(use.get()); });
}

bool SplittableRange::is_result(const Instruction& instruction) const {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) { return !contains(user); });
}

unsigned SplittableRange::group(const Instruction* instruction) const { return group_[place_.lookup(instruction)]; }

/// What is read and converted for one instruction alone comes right in front of it: it takes a register for no longer than that.
void SplittableRange::bring_conversions_to_users() {
  llvm::DenseMap<const Instruction*, llvm::SmallVector<Instruction*, 2>> brought;  // by user, and by what is brought itself
  const auto is_brought = [&](const Instruction& value) {
    if (!value.hasOneUse()) return false;
    const auto* user = llvm::cast<Instruction>(*value.user_begin());
    return contains(user) && !llvm::isa<llvm::PHINode>(user);
  };
  llvm::DenseSet<const Instruction*> conversions;
  for (Instruction* instruction : instructions_) {
    const auto* source = llvm::isa<llvm::CastInst>(instruction) ? llvm::dyn_cast<Instruction>(instruction->getOperand(0)) : nullptr;
    if (!source || !contains(source) || !is_brought(*source) || !is_brought(*instruction)) continue;
    if (llvm::isa<llvm::LoadInst>(source) ? !stores_over(*source).empty() : !conversions.contains(source)) continue;
    conversions.insert(instruction);
    brought[llvm::cast<Instruction>(*instruction->user_begin())].push_back(instruction);
  }
  if (conversions.empty()) return;
  llvm::SmallVector<Instruction*, 64> order;
  const auto place = [&](Instruction* instruction, const auto& self) -> void {
    if (const auto found = brought.find(instruction); found != brought.end())
      for (Instruction* conversion : found->second) self(conversion, self);
    order.push_back(instruction);
  };
  for (Instruction* instruction : instructions_)
    if (!conversions.contains(instruction)) place(instruction, place);
  instructions_ = std::move(order);
  for (unsigned i = 0; i < instructions_.size(); ++i) place_[instructions_[i]] = i;
}

void SplittableRange::find_groups() {
  llvm::IntEqClasses classes(static_cast<unsigned>(instructions_.size()));
  for (unsigned i = 0; i < instructions_.size(); ++i)
    for (const Value* operand : instructions_[i]->operands())
      if (const auto found = place_.find(operand); found != place_.end()) classes.join(i, found->second);
  // A piece is loaded before it is overwritten.
  if (has_stores_)
    for (unsigned i = 0; i < instructions_.size(); ++i)
      if (llvm::isa<llvm::LoadInst>(instructions_[i]))
        for (const Instruction* store : stores_over(*instructions_[i])) classes.join(i, place_.lookup(store));
  classes.compress();
  group_.clear();
  for (unsigned i = 0; i < instructions_.size(); ++i) group_.push_back(classes[i]);
  groups_.assign(classes.getNumClasses(), {});
}

void SplittableRange::find_shared() {
  shared_.clear();
  if (!loop_) return;
  llvm::DenseMap<const Value*, unsigned> readers;
  for (unsigned i = 0; i < instructions_.size(); ++i)
    for (const Value* operand : instructions_[i]->operands()) {
      const bool is_own = !vector_of(*operand) || llvm::isa<llvm::Constant>(operand) || contains(operand) ||
                          llvm::isa<llvm::PHINode>(instructions_[i]);
      if (is_own || (is_mask(*operand) && register_bits() >= 512)) continue;
      if (readers.try_emplace(operand, group_[i]).first->second != group_[i]) shared_.insert(operand);
    }
}

llvm::SmallVector<Instruction*, 8> SplittableRange::leave_out_masks() {
  llvm::SmallVector<Instruction*, 8> left;
  if (register_bits() >= 512) return left;
  llvm::SmallPtrSet<const Value*, 16> out;
  const auto is_inside = [&](const Value* value) { return contains(value) && !out.contains(value); };
  const auto is_free_mask = [&](const Value& value) {
    return vector_of(value) && is_mask(value) && !llvm::isa<llvm::Constant>(value) && (!contains(&value) || !llvm::all_of(value.users(), is_inside));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction* instruction : instructions_) {
      if (out.contains(instruction)) continue;
      const bool is_free = is_free_mask(*instruction) || llvm::any_of(instruction->operands(), [&](const llvm::Use& operand) {
        return out.contains(operand) || is_free_mask(*operand);
      });
      if (is_free) changed |= out.insert(instruction).second;
    }
  }
  if (out.size() * kMostLeftOut > instructions_.size()) return left;
  for (Instruction* instruction : instructions_)
    if (out.contains(instruction)) left.push_back(instruction);
  for (const Instruction* instruction : left) place_.erase(instruction);
  llvm::erase_if(instructions_, [&](const Instruction* instruction) { return !contains(instruction); });
  for (unsigned i = 0; i < instructions_.size(); ++i) place_[instructions_[i]] = i;
  return left;
}

/// A piece is a register's worth of the widest elements, or of narrower ones where most of what it computes is of these:
/// bytes that are added in 16 bits would otherwise fill half of a register each time, because floats are made of their sum.
void SplittableRange::size_group(unsigned group) {
  unsigned widest = 0;
  unsigned narrowest = register_bits();
  unsigned count = 0;
  bool whole = false;
  const auto see = [&](const Value& value) {
    const auto* type = vector_of(value);
    if (!type) return;
    count = type->getNumElements();
    if (is_mask(value)) return;
    widest = std::max(widest, type->getScalarSizeInBits());
    narrowest = std::min(narrowest, type->getScalarSizeInBits());
  };
  for (Instruction* instruction : instructions_) {
    if (this->group(instruction) != group) continue;
    see(*instruction);
    // Without mask registers, the users of a mask that enters or leaves the range choose its form.
    if (register_bits() < 512 && is_mask(*instruction) && is_result(*instruction)) whole = true;
    if (llvm::isa<llvm::LoadInst>(instruction)) continue;
    for (const Value* operand : instruction->operands()) {
      see(*operand);
      if (register_bits() < 512 && vector_of(*operand) && is_mask(*operand) && !contains(operand)) whole = true;
    }
  }
  Group& sized = groups_[group];
  sized.elements = widest ? register_bits() / widest : count;
  if (!whole && widest > narrowest)
    sized.elements = elements_of_fewest_operations(group, count, sized.elements, register_bits() / narrowest);
  if (whole || count % sized.elements != 0) sized.elements = count;
  sized.pieces = count / sized.elements;
  sized.registers = peak(&group);
}

/// Of pieces from `least` to `most` of `count` elements, the least of those with which `group` takes the fewest operations,
/// a register at a time.
unsigned SplittableRange::elements_of_fewest_operations(unsigned group, unsigned count, unsigned least,
                                                        unsigned most) const {
  const auto operations_with = [&](unsigned elements) {
    unsigned all = 0;
    for (unsigned i = 0; i < instructions_.size(); ++i)
      if (group_[i] == group) all += operations_of(*instructions_[i], elements) * (count / elements);
    return all;
  };
  unsigned best = least;
  unsigned fewest = count % least == 0 ? operations_with(least) : 0;
  for (unsigned elements = 2 * least; elements <= most && elements < count && count % elements == 0; elements *= 2)
    if (const unsigned all = operations_with(elements); all * kClearlyFewer <= fewest) {
      best = elements;
      fewest = all;
    }
  return best;
}

/// Of a piece of `elements`.
unsigned SplittableRange::operations_of(const Instruction& instruction, unsigned elements) const {
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::PHINode>(instruction)) return 0;
  return std::max(1U, registers_for(instruction, elements));
}

unsigned SplittableRange::operations() const {
  unsigned count = 0;
  for (const Instruction* instruction : instructions_)
    count += operations_of(*instruction, piece_elements(instruction)) * pieces(instruction);
  return count;
}

/// Pieces that read the same register of a repeated row come one after the other, so that a register block reads few of them.
llvm::SmallVector<unsigned, 64> SplittableRange::order_of_pieces(unsigned most_pieces) const {
  auto order = llvm::to_vector<64>(llvm::seq(0u, most_pieces));
  for (const Instruction* instruction : instructions_)
    for (const Value* operand : instruction->operands()) {
      const auto row = repeated_row(*operand);
      if (!row || row->sections.size() != most_pieces) continue;
      llvm::stable_sort(order, [&](unsigned a, unsigned b) { return row->sections[a] < row->sections[b]; });
      return order;
    }
  return order;
}

/// Piece by piece for all groups. But where groups share what is work to make, as rows that are shuffled, those pieces come together that
/// read the same register of the same value: then few register blocks make it.
llvm::SmallVector<Piece, 64> SplittableRange::pieces_in_order(unsigned most_pieces, llvm::function_ref<double(const Value&)> work) const {
  constexpr double kLittleWork = 1.5;
  llvm::SmallVector<Piece, 64> order;
  llvm::SmallDenseSet<std::pair<unsigned, unsigned>, 64> placed;
  for (const unsigned step : order_of_pieces(most_pieces))
    for (unsigned group = 0; group < groups_.size(); ++group) {
      const unsigned index = step * groups_[group].pieces / most_pieces;
      if (placed.insert({group, index}).second) order.push_back({group, index});
    }
  if (!work || shared_.empty()) return order;
  llvm::MapVector<const Value*, double> known;
  llvm::SmallVector<const Value*, 16> costly(groups_.size(), nullptr);
  for (unsigned i = 0; i < instructions_.size(); ++i)
    for (const Value* operand : instructions_[i]->operands()) {
      if (!shared_.contains(operand)) continue;
      if (!known.contains(operand)) known.insert({operand, work(*operand)});
      const Value*& most = costly[group_[i]];
      if (known.lookup(operand) > (most ? known.lookup(most) : kLittleWork)) most = operand;
    }
  if (llvm::is_contained(costly, nullptr)) return order;
  llvm::DenseMap<const Value*, llvm::SmallVector<unsigned, 8>> same;
  const auto key = [&](const Piece& piece) {
    const Value* value = costly[piece.group];
    auto& first = same[value];
    if (first.empty()) first = equal_pieces(*value, groups_[piece.group].elements);
    return std::pair(first[piece.index], std::distance(known.begin(), known.find(value)));
  };
  llvm::stable_sort(order, [&](const Piece& a, const Piece& b) { return key(a) < key(b); });
  return order;
}

/// The registers of rows that groups share and that all warps of a body have alike, in one register block.
class SplittableRange::RowsOfBlock {
 public:
  explicit RowsOfBlock(const SplittableRange& range) : sections_(range.groups_.size()) {
    llvm::SmallDenseSet<std::pair<unsigned, const Value*>, 16> seen;
    for (unsigned i = 0; i < range.instructions_.size(); ++i)
      for (const Value* operand : range.instructions_[i]->operands()) {
        const unsigned group = range.group_[i];
        if (!range.shared_.contains(operand) || !seen.insert({group, operand}).second) continue;
        if (const auto row = repeated_row(*operand); row && row->sections.size() == range.groups_[group].pieces)
          sections_[group].emplace_back(operand, row->sections);
      }
  }
  /// Whether `piece` reads another register of a row than the pieces before it did.
  bool grow_by(const Piece& piece) const {
    return llvm::any_of(sections_[piece.group], [&](const auto& row) {
      return llvm::any_of(taken_, [&](const auto& taken) { return taken.first == row.first && taken.second != row.second[piece.index]; });
    });
  }
  /// How many registers there are with those of `piece`.
  unsigned with(const Piece& piece) const {
    auto all = taken_;
    for (const auto& [row, sections] : sections_[piece.group]) all.insert({row, sections[piece.index]});
    return all.size();
  }
  void add(const Piece& piece) {
    for (const auto& [row, sections] : sections_[piece.group]) taken_.insert({row, sections[piece.index]});
  }
  void clear() { taken_.clear(); }

 private:
  llvm::SmallVector<llvm::SmallVector<std::pair<const Value*, llvm::SmallVector<unsigned, 64>>, 4>, 16> sections_;  ///< by group
  llvm::SmallDenseSet<std::pair<const Value*, unsigned>, 16> taken_;
};

/// Of a loop whose groups all read the same rows, each times numbers of its own: register blocks of some groups and some registers of the rows, so that
/// both serve several products. None where they are no such, or blocks of one register of all groups read as little.
llvm::SmallVector<RegisterBlock, 8> SplittableRange::tiles(unsigned budget) const {
  if (!loop_ || shared_.empty()) return {};
  const auto count = static_cast<unsigned>(groups_.size()), pieces = groups_.front().pieces, registers = groups_.front().registers;
  std::vector<llvm::SmallPtrSet<const Value*, 4>> rows(count), numbers(count);
  for (unsigned i = 0; i < instructions_.size(); ++i)
    for (const Value* operand : instructions_[i]->operands()) {
      if (!vector_of(*operand) || llvm::isa<llvm::Constant>(operand) || contains(operand) || llvm::isa<llvm::PHINode>(instructions_[i])) continue;
      if (repeated_row(*operand) || (shared_.contains(operand) && is_broadcast(*operand))) return {};
      (is_broadcast(*operand) ? numbers : rows)[group_[i]].insert(operand);
    }
  for (unsigned group = 0; group < count; ++group)
    if (groups_[group].pieces != pieces || groups_[group].registers != registers || rows[group] != rows[0] || numbers[group].empty() ||
        numbers[group].size() != numbers[0].size())
      return {};
  const unsigned row_count = rows[0].size(), number_count = numbers[0].size();
  unsigned least = 0, high = 0, wide = 0;
  for (unsigned width = 1; width <= pieces && width * registers <= budget; width *= 2) {
    if (pieces % width != 0) break;
    const unsigned down = llvm::divideCeil(count, std::min(count, budget / (width * registers))), height = llvm::divideCeil(count, down);
    if (height * width * registers + width * row_count + 1 > register_count()) continue;
    const unsigned reads = down * (pieces / width) * (width * row_count + height * number_count);
    if (least && reads >= least) continue;
    least = reads;
    high = height;
    wide = width;
  }
  if (wide < 2) return {};
  llvm::SmallVector<RegisterBlock, 8> blocks;
  for (unsigned top = 0; top < count; top += high)
    for (unsigned left = 0; left < pieces; left += wide) {
      RegisterBlock& block = blocks.emplace_back();
      for (unsigned group = top; group < std::min(count, top + high); ++group)
        for (unsigned index = left; index < left + wide; ++index) block.push_back({group, index});
    }
  return blocks;
}

llvm::SmallVector<RegisterBlock, 8> SplittableRange::register_blocks(llvm::function_ref<double(const Value&)> work) {
  bring_conversions_to_users();
  find_groups();
  find_shared();
  unsigned total = 0;
  unsigned most_pieces = 1, all_pieces = 0;
  for (unsigned group = 0; group < groups_.size(); ++group) {
    size_group(group);
    total += groups_[group].registers * groups_[group].pieces;
    most_pieces = std::max(most_pieces, groups_[group].pieces);
    all_pieces += groups_[group].pieces;
  }
  // Of rows and columns that groups share, the ones live as long as the others take. Where registers are many, room for all costs little.
  const auto shared = static_cast<unsigned>(shared_.size());
  const unsigned taken = register_count() < kManyRegisters ? std::max(target::kTemporaryRegisters, shared / 2)
                                                           : target::kTemporaryRegisters + shared;
  const unsigned budget = register_count() - std::min(taken, register_count() / 2);
  const unsigned whole = peak(nullptr);
  has_lines_ = reads_lines();
  if (!has_lines_ && (total <= budget || (whole <= register_count() && !has_stores_))) return {};
  if (!computes_enough()) return {};
  // Keep the same lanes of all groups together, in register blocks of equal size.
  const auto least = static_cast<unsigned>(llvm::divideCeil(total, budget));
  const unsigned blocks = has_lines_ ? std::max(least, most_pieces) : blocks_with_chains_beside(least, all_pieces, total);
  if (blocks < 2) return {};
  if (auto tiled = tiles(budget); tiled.size() > 1 && worth_splitting(static_cast<unsigned>(tiled.size()))) return tiled;
  const unsigned target = static_cast<unsigned>(llvm::divideCeil(total, blocks));
  llvm::SmallVector<RegisterBlock, 8> register_blocks(1);
  unsigned filled = 0;
  RowsOfBlock rows(*this);
  for (const Piece& piece : pieces_in_order(most_pieces, work)) {
    const unsigned registers = groups_[piece.group].registers;
    const unsigned with_rows = filled + registers + rows.with(piece) + target::kTemporaryRegisters;
    if (filled > 0 && (filled + registers > target || (rows.grow_by(piece) && with_rows > register_count()))) {
      register_blocks.emplace_back();
      filled = 0;
      rows.clear();
    }
    rows.add(piece);
    register_blocks.back().push_back(piece);
    filled += registers;
  }
  if (register_blocks.size() < 2) return {};
  return worth_splitting(static_cast<unsigned>(register_blocks.size())) ? register_blocks : llvm::SmallVector<RegisterBlock, 8>();
}

}  // namespace weft::compiler::wide
