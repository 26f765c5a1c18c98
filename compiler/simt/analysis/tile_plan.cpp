#include "compiler/simt/analysis/tile_plan.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <bit>

namespace weft::compiler::simt {
namespace {

/// Bytes of a column below which a vector of it is no better than its elements one by one.
constexpr std::int64_t kSmallestColumn = 8;

unsigned log2(std::uint64_t value) { return static_cast<unsigned>(std::countr_zero(value)); }

/// A store has lanes in their order, and wants them by columns.
std::optional<TilePlan> plan_store(const LaneBlock& block, unsigned unit, unsigned inner) {
  const unsigned column_bits = log2(block.columns), row_bits = log2(block.rows);
  TilePlan plan{.inner = inner, .run = std::min(inner, row_bits), .places = {}, .wanted = {}};
  for (unsigned bit = 0; bit < column_bits + row_bits; ++bit) plan.places.push_back(bit);
  for (unsigned i = 0; i < plan.run; ++i) plan.wanted.push_back(column_bits + i);
  if (!LaneRegisters::can_arrange(unit, inner, plan.places, plan.wanted)) return std::nullopt;
  return plan;
}

/// A load has columns, and wants them in the order of the lanes.
std::optional<TilePlan> plan_load(const LaneBlock& block, unsigned unit, unsigned inner) {
  const unsigned column_bits = log2(block.columns), row_bits = log2(block.rows);
  TilePlan plan{.inner = inner, .run = std::min(inner, row_bits), .places = {}, .wanted = {}};
  for (unsigned i = 0; i < plan.inner; ++i) plan.wanted.push_back(i);
  for (unsigned i = 0; i < plan.run; ++i) plan.places.push_back(column_bits + i);
  // A register holds several columns: those that need not be moved apart again, if there are such.
  for (unsigned place = plan.run; place < plan.inner; ++place) {
    const auto is_free = [&](unsigned bit) { return bit < column_bits && !llvm::is_contained(plan.places, bit); };
    unsigned bit = place;
    if (!is_free(bit) || unit << place < LaneRegisters::kUnpackedBytes)
      for (bit = column_bits - 1; bit > 0 && !is_free(bit);) --bit;
    if (!is_free(bit)) return std::nullopt;
    plan.places.push_back(bit);
  }
  for (unsigned bit = 0; bit < column_bits + row_bits; ++bit)
    if (!llvm::is_contained(plan.places, bit)) plan.places.push_back(bit);
  if (!LaneRegisters::can_arrange(unit, inner, plan.places, plan.wanted)) return std::nullopt;
  return plan;
}

}  // namespace

std::optional<TilePlan> plan_tile(const LaneBlock& block, const TiledAccess& access, bool is_store, unsigned register_bits) {
  if (block.rows * access.unit < kSmallestColumn) return std::nullopt;
  const auto unit = static_cast<unsigned>(access.unit);
  // Narrower registers serve where there are no shuffles for wide ones.
  for (unsigned bytes = register_bits / 8; bytes >= LaneRegisters::kUnpackedBytes; bytes /= 2) {
    const unsigned inner = std::min(log2(bytes / unit), log2(block.rows * block.columns));
    if (auto plan = is_store ? plan_store(block, unit, inner) : plan_load(block, unit, inner)) return plan;
  }
  return std::nullopt;
}

}  // namespace weft::compiler::simt
