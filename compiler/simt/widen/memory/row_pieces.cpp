// Strategy "row-pieces".
// Matches: loads of OpenCL vectors of 16 or 32 bytes, or of 64 where registers have as many or half of it, whose components are used one by one or each on
// its own, and stores of such that are put together of single
// numbers, in all lanes, wherever they lie: what walked-rows, written-walks and byte-rows make of lanes that walk along rows of their own. Each lane's is
// one load or store, and the lanes of a register are transposed by unpacking. Of lanes that repeat the first are loaded alone; addresses that
// lie evenly apart are computed as such, as far as they can be part of the loads. Under a mask, lanes that are off load from somewhere harmless; no
// stores. Costs: an access for each lane that differs, and the code that looks at the mask.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "compiler/simt/analysis/lane_repeats.h"
#include "compiler/simt/widen/memory/progressions.h"
#include "compiler/simt/widen/memory/lane_by_lane.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kPieceBits = 128, kTwoPieces = 256, kLineBits = 512;

/// `rows` of squares that lie side by side, transposed: as many numbers as rows in each.
Parts transpose_squares(Widening& w, llvm::ArrayRef<Value*> rows) {
  auto& builder = w.builder;
  const auto components = static_cast<unsigned>(rows.size());
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(rows.front()->getType())->getNumElements(), groups = lanes / components;
  // Within each 16 bytes: first neighbours, then pairs.
  const auto unpack = [&](Value* a, Value* b, unsigned unit, bool high) {
    llvm::SmallVector<int, 16> mask;
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned i = 0; i < components; ++i) {
        const unsigned pair = i / unit / 2 + (high ? components / unit / 2 : 0), second = i / unit % 2;
        mask.push_back(static_cast<int>(g * components + pair * unit + i % unit + second * lanes));
      }
    return builder.CreateShuffleVector(a, b, mask);
  };
  if (components == 2) return {unpack(rows[0], rows[1], 1, false), unpack(rows[0], rows[1], 1, true)};
  Parts parts;
  for (const bool high : {false, true}) {
    Value *even = unpack(rows[0], rows[1], 1, high), *odd = unpack(rows[2], rows[3], 1, high);
    for (const bool upper : {false, true}) parts.push_back(unpack(even, odd, 2, upper));
  }
  return parts;
}

/// Four registers of four pieces each, whose places and lanes change: register g has the piece g of each.
void transpose_pieces(Widening& w, llvm::MutableArrayRef<Value*> registers) {
  auto& builder = w.builder;
  const unsigned numbers = llvm::cast<llvm::FixedVectorType>(registers.front()->getType())->getNumElements(), each = numbers / 4;
  // Pieces of the first, then of the second.
  const auto pick = [&](Value* a, Value* b, std::array<unsigned, 4> pieces) {
    llvm::SmallVector<int, 16> mask;
    for (const auto& [place, piece] : llvm::enumerate(pieces))
      for (unsigned i = 0; i < each; ++i) mask.push_back(static_cast<int>((place < 2 ? 0 : numbers) + piece * each + i));
    return builder.CreateShuffleVector(a, b, mask);
  };
  Value *lower = pick(registers[0], registers[1], {0, 1, 0, 1}), *upper = pick(registers[0], registers[1], {2, 3, 2, 3});
  Value *more_lower = pick(registers[2], registers[3], {0, 1, 0, 1}), *more_upper = pick(registers[2], registers[3], {2, 3, 2, 3});
  registers[0] = pick(lower, more_lower, {0, 2, 0, 2});
  registers[1] = pick(lower, more_lower, {1, 3, 1, 3});
  registers[2] = pick(upper, more_upper, {0, 2, 0, 2});
  registers[3] = pick(upper, more_upper, {1, 3, 1, 3});
}

/// A square of as many lines of 64 bytes as each has numbers, transposed.
Parts transpose_lines(Widening& w, llvm::ArrayRef<Value*> lines) {
  const auto count = static_cast<unsigned>(lines.size()), each = count / 4;
  // Of `each` lines: register i has of each piece g the number `each` g + i of all of them.
  llvm::SmallVector<Parts, 4> squares;
  for (unsigned q = 0; q < 4; ++q) squares.push_back(transpose_squares(w, lines.slice(q * each, each)));
  Parts parts(count);
  for (unsigned i = 0; i < each; ++i) {
    std::array<Value*, 4> registers = {squares[0][i], squares[1][i], squares[2][i], squares[3][i]};
    transpose_pieces(w, registers);
    for (unsigned g = 0; g < 4; ++g) parts[g * each + i] = registers[g];
  }
  return parts;
}

/// The components of as many pieces as a register of each has.
Parts transpose(Widening& w, llvm::ArrayRef<Value*> pieces, unsigned components) {
  if (components > 4) return transpose_lines(w, pieces);
  const auto groups = static_cast<unsigned>(pieces.size()) / components;
  // Register r has those of lanes r, r + components, ...
  llvm::SmallVector<Value*, 4> rows;
  for (unsigned r = 0; r < components; ++r) {
    llvm::SmallVector<Value*, 4> of_row;
    for (unsigned g = 0; g < groups; ++g) of_row.push_back(pieces[g * components + r]);
    rows.push_back(groups == 1 ? of_row.front() : llvm::concatenateVectors(w.builder, of_row));
  }
  return transpose_squares(w, rows);
}

/// Lanes a register, or all lanes of a body that is narrower.
unsigned lanes_together(const Widening& w, const Access& access) {
  return std::min(w.traits.register_bits / (access.bits / access.count), w.lanes);
}

/// Numbers of a piece or a line that are loaded, stored and transposed together: all of them, or as many as a piece has, of two pieces and where registers
/// have half a line.
unsigned numbers_at_once(const Widening& w, const Access& access) {
  return access.bits == kTwoPieces || access.bits > w.traits.register_bits ? access.count * kPieceBits / access.bits : access.count;
}

Parts load_pieces(Widening& w, const Access& access, unsigned different) {
  auto& builder = w.builder;
  const unsigned each = lanes_together(w, access);
  // Of lanes that lie evenly an address is a sum, and the branch that LLVM makes of a selection is for one condition all along a row.
  const bool varies = !access.shape.is_affine() && !Progressions(w, different).is_one(*access.pointer);
  Value* chosen = w.mask && w.traits.mask_registers && varies ? chosen_pointers(w, access) : nullptr;
  Value* bits = w.mask && !chosen ? w.mask.bits() : nullptr;
  const unsigned at_once = numbers_at_once(w, access), moves = access.count / at_once;
  auto* type = llvm::FixedVectorType::get(access.type->getScalarType(), at_once);
  llvm::SmallVector<Value*, 32> addresses;
  if (!chosen) addresses = addresses_of_lanes(w, access, different);
  // All of the lines of some lanes in turn: those of more may throw each other out.
  llvm::SmallVector<llvm::SmallVector<Value*, 4>, 4> components(access.count);
  llvm::SmallVector<Value*, 32> pieces(different * moves);
  for (unsigned lane = 0; lane < different; ++lane) {
    Value* address = chosen ? builder.CreateExtractElement(chosen, lane) : addresses[lane];
    if (bits) address = w.scratch.safe_pointer(address, builder.CreateTrunc(builder.CreateLShr(bits, lane), builder.getInt1Ty()), access.type);
    for (unsigned move = 0; move < moves; ++move) {
      Value* own = move ? builder.CreateConstGEP1_64(type, address, move) : address;
      const llvm::Align align = llvm::commonAlignment(access.align, move * w.layout.getTypeStoreSize(type));
      llvm::LoadInst* load = builder.CreateAlignedLoad(type, own, align, access.instruction.getName());
      if (!w.mask) copy_alias_metadata(*load, access.instruction);
      pieces[move * different + lane] = load;
    }
    if ((lane + 1) % each != 0) continue;
    for (unsigned move = 0; move < moves; ++move) {
      const auto of_move = llvm::ArrayRef(pieces).slice(move * different + lane + 1 - each, each);
      for (const auto& [number, part] : llvm::enumerate(transpose(w, of_move, at_once))) components[move * at_once + number].push_back(part);
    }
  }
  llvm::SmallVector<int, 256> repeated;
  for (unsigned lane = 0; lane < w.lanes; ++lane) repeated.push_back(static_cast<int>(lane % different));
  Parts parts;
  for (const auto& registers : components) {
    Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder, registers);
    parts.push_back(different == w.lanes ? all : builder.CreateShuffleVector(all, repeated));
  }
  return parts;
}

void store_pieces(Widening& w, const Access& access) {
  auto& builder = w.builder;
  const unsigned each = lanes_together(w, access);
  const Parts components = w.values.vector(access.value);
  const auto part_of = [&](Value* vector, unsigned first, unsigned count) {
    llvm::SmallVector<int, 16> mask(count);
    std::iota(mask.begin(), mask.end(), static_cast<int>(first));
    return builder.CreateShuffleVector(vector, mask);
  };
  const auto addresses = addresses_of_lanes(w, access, w.lanes);
  const unsigned at_once = numbers_at_once(w, access);
  for (unsigned first = 0; first < w.lanes; first += each)
    for (unsigned begin = 0; begin < access.count; begin += at_once) {
      llvm::SmallVector<Value*, 4> rows;
      for (Value* component : llvm::ArrayRef(components).slice(begin, at_once)) rows.push_back(part_of(component, first, each));
      const bool is_line = at_once > 4;
      const Parts lanes = is_line ? transpose_lines(w, rows) : transpose_squares(w, rows);
      for (unsigned lane = 0; lane < each; ++lane) {
        Value* piece = is_line ? lanes[lane] : part_of(lanes[lane % at_once], lane / at_once * at_once, at_once);
        Value* address = begin ? builder.CreateConstGEP1_64(piece->getType(), addresses[first + lane], begin / at_once) : addresses[first + lane];
        const llvm::Align align = llvm::commonAlignment(access.align, begin / at_once * w.layout.getTypeStoreSize(piece->getType()));
        copy_alias_metadata(*builder.CreateAlignedStore(piece, address, align), access.instruction);
      }
    }
}

/// Whether `user` takes the components of a vector apart: one of them, or each on its own.
bool takes_apart(const Widening& w, const llvm::User& user) {
  if (llvm::isa<llvm::ExtractElementInst>(user)) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  const bool by_elements = llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst>(user) ||
                           (call && llvm::isTriviallyVectorizable(call->getIntrinsicID()));
  return by_elements && !w.values.keeps_packed(user);
}

/// Whether the components of what is loaded are used one by one, or those of what is stored come one by one.
bool is_of_single_numbers(const Widening& w, const Access& access) {
  if (access.is_load())
    return llvm::all_of(access.instruction.users(), [&](const llvm::User* user) { return takes_apart(w, *user); });
  return llvm::isa<llvm::InsertElementInst>(access.value) && !w.values.keeps_packed(*access.value);
}

/// Whether `access` is as long as a piece or pieces. Of two that fill a register LLVM makes squares of whole registers, which load in less time.
bool has_pieces(const Widening& w, const Access& access) {
  if (access.bits == kTwoPieces) return !access.is_load() || w.traits.register_bits > kTwoPieces;
  return access.bits == kPieceBits || (access.bits == kLineBits && w.traits.register_bits >= kLineBits / 2);
}

}  // namespace

std::optional<AccessPlan> plan_row_pieces(Widening& w, const Access& access) {
  const bool is_line = access.bits == kLineBits;
  if (w.mask && (!access.is_load() || (w.mask.known_prefix() && !is_line))) return std::nullopt;
  if (access.is_volatile || access.is_seldom || !access.type->isVectorTy()) return std::nullopt;
  const unsigned bits = access.bits / access.count;
  if ((bits != 32 && bits != 64) || !has_pieces(w, access)) return std::nullopt;
  if (!is_of_single_numbers(w, access) || is_one_of_many(w, access)) return std::nullopt;
  const unsigned each = lanes_together(w, access);
  // Lanes and numbers change places: squares of numbers, or a whole one of lines.
  const unsigned at_once = numbers_at_once(w, access);
  if (at_once > 4 ? each != at_once : each % at_once != 0) return std::nullopt;
  if (!access.is_load()) {
    AccessPlan plan{.cost = w.lanes, .emit = {}, .fall_back = "one lane after the other"};
    plan.emit = [&w, &access]() -> Parts { return store_pieces(w, access), Parts{}; };
    return plan;
  }
  // Of lanes that repeat, the first may be off.
  const unsigned different = w.mask ? w.lanes : std::max(repeats_after(*access.pointer, w.shapes, w.request.specialization), each);
  AccessPlan plan{.cost = w.mask ? kMaskedLaneCode * different : different,
                  .emit = {},
                  .fall_back = different == w.lanes ? "one lane after the other" : "one lane after the other, until they repeat"};
  plan.emit = [&w, &access, different]() -> Parts { return load_pieces(w, access, different); };
  return plan;
}

}  // namespace weft::compiler::simt
