// What strategies ask of loads whose addresses come from coordinates in floating point.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/simt/widen/emitter.h"
#include "compiler/simt/widen/memory/access.h"

namespace weft::compiler::simt {

/// A load of an image that the kernel may only read.
bool is_texel(const Access& access);

/// A load of global or constant memory whose lanes lie evenly but for rounding: the index is a number in floating point cut to an integer,
/// or an integer shifted to the right or divided, of a number that counts by the same step from lane to lane. So programs find pixels of
/// buffers.
bool rounds_evenly(const Widening& w, const Access& access);

/// A load of global or constant memory, of one number of 32 bits or more, whose index is an element, as wide, of a list that lanes read side
/// by side: a neighbour in a mesh, a column of a sparse matrix, a row of an image beside the border.
bool is_listed(const Widening& w, const Access& access);

/// Lanes whose work-items lie side by side along x.
unsigned row_of_lanes(const Widening& w);

struct TexelOffsets {
  llvm::Value* places = nullptr;
  std::uint64_t unit = 1;  ///< bytes of what they count
};

/// The addresses of all lanes as integers, as narrow as they come, but for what is the same in all lanes of a row (row_of_lanes): they are counted from some
/// place. So what is found of one row of an image holds for the others, and is computed once.
TexelOffsets texel_offsets(Widening& w, const Access& access);

/// How many elements lanes are apart in a row of which `access` is, where it has a row as `id % width + id / width * pitch` has one, which ends where a
/// division by what lanes share decides (0: all of a row are one element); none: it has no row.
std::optional<std::int64_t> step_in_row(const Widening& w, const Access& access);

struct PlaceInRow {
  llvm::Value* index = nullptr;
  std::uint64_t bytes = 0;         ///< of what it counts
  llvm::Value* operand = nullptr;  ///< the address's own, of which `index` is what differs
};

/// What of the lanes' addresses differs in a row (row_of_lanes); none if it is not one index.
std::optional<PlaceInRow> place_in_row(const Widening& w, const Access& access);

/// The address of `access` in `lane`, if the operand of its place is `number` there.
llvm::Value* address_at(Widening& w, const Access& access, const PlaceInRow& place, unsigned lane, llvm::Value* number);

/// A texel and its neighbour, as linear reads load them: a vector of two less aligned than it is wide.
inline bool is_wider_than_aligned(const Access& access) { return access.align.value() * 8 < access.bits; }
inline bool is_texel_pair(const Access& access) { return access.count == 2 && is_wider_than_aligned(access); }

/// Strategy "neighbours" (neighbours.cpp): whether it is for `access`, and its code, with `other` where the lanes are none.
bool may_be_neighbours(const Widening& w, const Access& access);
/// Whether loads that lists place (is_listed) are so few that all get code for neighbours.
bool has_few_lists(const Widening& w);
Parts load_neighbours_or(Widening& w, const Access& access, llvm::function_ref<Parts()> other);

}  // namespace weft::compiler::simt
