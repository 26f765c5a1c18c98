#include "compiler/simt/ir/transpose.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace weft::compiler::simt {

LaneRegisters::LaneRegisters(unsigned unit, unsigned inner, LanePlaces places)
    : places_(std::move(places)),
      inner_(inner),
      near_(std::min(inner, static_cast<unsigned>(std::countr_zero(std::max(1u, kUnpackedBytes / unit))))) {}

LaneRegisters::LaneRegisters(llvm::IRBuilderBase& builder, Registers registers, unsigned unit, unsigned pieces, unsigned inner,
                             LanePlaces places)
    : LaneRegisters(unit, inner, std::move(places)) {
  builder_ = &builder;
  pieces_ = pieces;
  registers_ = std::move(registers);
}

bool LaneRegisters::can_arrange(unsigned unit, unsigned inner, LanePlaces places, llvm::ArrayRef<unsigned> wanted) {
  return LaneRegisters(unit, inner, std::move(places)).arrange(wanted);
}

unsigned LaneRegisters::lane(unsigned number, unsigned index) const {
  unsigned lane = 0;
  for (unsigned place = 0; place < places_.size(); ++place) {
    const unsigned bit = place < inner_ ? index >> place & 1 : number >> (place - inner_) & 1;
    lane |= bit << places_[place];
  }
  return lane;
}

unsigned LaneRegisters::place_of(unsigned bit) const { return static_cast<unsigned>(llvm::find(places_, bit) - places_.begin()); }

/// Replaces each two registers whose numbers differ only in the bit at `outer` with the two shuffles of them.
void LaneRegisters::shuffle_pairs(unsigned outer, llvm::ArrayRef<int> first, llvm::ArrayRef<int> second) {
  if (!builder_) return;
  const unsigned bit = 1u << (outer - inner_);
  llvm::SmallVector<int, 64> masks[2];
  for (const auto& [units, mask] : {std::pair(first, &masks[0]), std::pair(second, &masks[1])})
    for (const int unit : units)
      for (unsigned piece = 0; piece < pieces_; ++piece) mask->push_back(unit * static_cast<int>(pieces_) + static_cast<int>(piece));
  for (unsigned low = 0; low < registers_.size(); ++low) {
    if ((low & bit) != 0) continue;
    llvm::Value* a = registers_[low];
    llvm::Value* b = registers_[low | bit];
    registers_[low] = builder_->CreateShuffleVector(a, b, masks[0]);
    registers_[low | bit] = builder_->CreateShuffleVector(a, b, masks[1]);
  }
}

/// Moves the bit at `outer` to the lowest place. The others within 16 bytes move up, the last of them out to `outer`.
void LaneRegisters::unpack(unsigned outer) {
  const unsigned units = 1u << inner_, block = 1u << near_;
  llvm::SmallVector<int, 64> masks[2];
  for (unsigned half : {0u, 1u})
    for (unsigned i = 0; i < units; ++i) {
      const unsigned from = i / block * block + half * (block / 2) + i % block / 2;
      masks[half].push_back(static_cast<int>(from + i % 2 * units));
    }
  shuffle_pairs(outer, masks[0], masks[1]);
  const unsigned out = places_[near_ - 1];
  for (unsigned place = near_ - 1; place > 0; --place) places_[place] = places_[place - 1];
  places_[0] = std::exchange(places_[outer], out);
}

/// Swaps the bits at `outer` and `place`; `place` lies within a register.
void LaneRegisters::exchange(unsigned outer, unsigned place) {
  const unsigned units = 1u << inner_, step = 1u << place;
  llvm::SmallVector<int, 64> masks[2];
  for (unsigned half : {0u, 1u})
    for (unsigned i = 0; i < units; ++i) {
      const bool second = (i & step) != 0;
      masks[half].push_back(static_cast<int>((i & ~step) + half * step + (second ? units : 0)));
    }
  shuffle_pairs(outer, masks[0], masks[1]);
  std::swap(places_[outer], places_[place]);
}

/// Splits registers of four times 16 bytes into all even and all odd quarters: the bit at `outer` moves to the highest place,
/// the one there down, and the next one out. Unlike an exchange of neighbouring quarters, this needs no register of indices.
void LaneRegisters::rotate_quarters(unsigned outer) {
  const unsigned units = 1u << inner_, quarter = units / 4;
  llvm::SmallVector<int, 64> masks[2];
  for (unsigned half : {0u, 1u})
    for (unsigned i = 0; i < units; ++i)
      masks[half].push_back(static_cast<int>((2 * (i / quarter) + half) * quarter + i % quarter));
  shuffle_pairs(outer, masks[0], masks[1]);
  const unsigned out = places_[inner_ - 2];
  places_[inner_ - 2] = places_[inner_ - 1];
  places_[inner_ - 1] = std::exchange(places_[outer], out);
}

bool LaneRegisters::arrange(llvm::ArrayRef<unsigned> wanted) {
  const llvm::ArrayRef<unsigned> near = wanted.take_front(near_);
  if (llvm::ArrayRef<unsigned>(places_).take_front(near.size()) != near) {
    for (unsigned bit : near) {
      const unsigned place = place_of(bit);
      if (place >= inner_) continue;
      if (place < near_) return false;
      // Swaps this bit out of the register for one that may be inside.
      unsigned spare = static_cast<unsigned>(places_.size());
      while (spare > inner_ && llvm::is_contained(near, places_[spare - 1])) --spare;
      if (spare == inner_) return false;
      exchange(spare - 1, place);
    }
    for (unsigned bit : llvm::reverse(near)) unpack(place_of(bit));
  }
  const llvm::ArrayRef<unsigned> far = wanted.drop_front(near.size());
  if (far.size() == 2 && inner_ == near_ + 2 && place_of(far[0]) >= inner_ && place_of(far[1]) >= inner_) {
    for (unsigned bit : far) rotate_quarters(place_of(bit));
    return true;
  }
  for (unsigned i = 0; i < far.size(); ++i) {
    const unsigned to = near_ + i;
    unsigned place = place_of(far[i]);
    if (place == to) continue;
    if (place < near_) return false;
    if (place < inner_) {
      if (places_.size() == inner_) return false;
      exchange(inner_, place);
      place = inner_;
    }
    exchange(place, to);
  }
  return true;
}

}  // namespace weft::compiler::simt
