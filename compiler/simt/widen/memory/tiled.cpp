// Strategy "tiled-access".
// Matches: a block of lanes of which the rows are neighbours in memory (tiled_access.h), as `out[x * height + y]`. Columns are
// accessed as whole vectors, and transposed in registers (tile_plan.h).
// Costs: a vector for each run of neighbours in a column, and shuffles.
#include <cstdlib>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/tile_plan.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/streams.h"
#include "compiler/simt/widen/memory/tile_columns.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// The elements of registers of `type`: those that the processor can shuffle.
llvm::Type* register_element(Widening& w, llvm::Type* type) {
  if (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) return type;
  return w.builder.getIntNTy(std::min(64u, static_cast<unsigned>(w.layout.getTypeSizeInBits(type))));
}

/// An access and how its lanes go through registers.
struct Tile {
  Tile(Widening& w, const TiledAccess& tiled, TilePlan plan, llvm::Type* type)
      : tiled(tiled),
        plan(std::move(plan)),
        element(register_element(w, type)),
        pieces(static_cast<unsigned>(static_cast<std::uint64_t>(tiled.unit) / w.layout.getTypeStoreSize(element))),
        block(*w.memory.block) {}

  unsigned units() const { return 1u << plan.inner; }  ///< of a register: values of a lane
  unsigned run() const { return 1u << plan.run; }      ///< units of a register that are neighbours in memory
  LaneRegisters lanes(Widening& w, LaneRegisters::Registers registers) const {
    return LaneRegisters(w.builder, std::move(registers), static_cast<unsigned>(tiled.unit), pieces, plan.inner, plan.places);
  }
  /// Of the run that begins with `lane`.
  Value* address(Widening& w, llvm::ArrayRef<Value*> columns, unsigned lane) const {
    return w.builder.CreateConstGEP1_64(element, columns[lane % block.columns], lane / block.columns * pieces);
  }

  TiledAccess tiled;
  TilePlan plan;
  llvm::Type* element;
  unsigned pieces;  ///< elements of a unit
  const LaneBlock& block;
};

void store_columns(Widening& w, const Access& access, const Tile& tile, Value* value, TileColumns& columns) {
  const unsigned units = tile.units(), run = tile.run();
  const auto part = [&](Value* from, unsigned first, unsigned count) {
    llvm::SmallVector<int, 64> elements;
    for (unsigned i = 0; i < count * tile.pieces; ++i) elements.push_back(static_cast<int>(first * tile.pieces + i));
    return w.builder.CreateShuffleVector(from, elements);
  };
  LaneRegisters::Registers registers;
  for (unsigned first = 0; first < w.lanes; first += units) registers.push_back(part(value, first, units));
  LaneRegisters lanes = tile.lanes(w, std::move(registers));
  lanes.arrange(tile.plan.wanted);
  // Column by column, from the first row on.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 64> runs(w.lanes / run);
  for (unsigned number = 0; number < lanes.registers().size(); ++number)
    for (unsigned first = 0; first < units; first += run) {
      const unsigned lane = lanes.lane(number, first);
      runs[(lane % tile.block.columns * tile.block.rows + lane / tile.block.columns) / run] = {number, first};
    }
  const auto bases = columns.bases();
  const llvm::Align align = std::min(access.align, llvm::Align(static_cast<std::uint64_t>(tile.tiled.unit)));
  const auto store = [&](bool past_caches) {
    for (const auto& [number, first] : runs) {
      Value* from = lanes.registers()[number];
      Value* address = tile.address(w, bases, lanes.lane(number, first));
      if (past_caches)
        store_past_caches(w, access, from, address);
      else
        copy_alias_metadata(*w.builder.CreateAlignedStore(run == units ? from : part(from, first, run), address, align),
                            access.instruction);
    }
  };
  if (run != units || !may_stream(w, access, tile.block.rows * static_cast<std::uint64_t>(tile.tiled.unit))) return store(false);
  stream_or(
      w, {columns.first(), columns.pitch()}, [&] { store(true); }, [&] { store(false); });
}

Value* load_columns(Widening& w, const Access& access, const Tile& tile, TileColumns& columns) {
  const unsigned units = tile.units(), run = tile.run();
  const auto bases = columns.bases();
  const llvm::Align align = std::min(access.align, llvm::Align(static_cast<std::uint64_t>(tile.tiled.unit)));
  const LaneRegisters places = tile.lanes(w, {});
  auto* type = llvm::FixedVectorType::get(tile.element, run * tile.pieces);
  LaneRegisters::Registers registers;
  for (unsigned number = 0; number < w.lanes / units; ++number) {
    llvm::SmallVector<Value*, 8> runs;
    for (unsigned first = 0; first < units; first += run) {
      Value* address = tile.address(w, bases, places.lane(number, first));
      llvm::LoadInst* made = w.builder.CreateAlignedLoad(type, address, align, access.instruction.getName());
      copy_alias_metadata(*made, access.instruction);
      runs.push_back(made);
    }
    registers.push_back(runs.size() == 1 ? runs.front() : llvm::concatenateVectors(w.builder, runs));
  }
  LaneRegisters lanes = tile.lanes(w, std::move(registers));
  lanes.arrange(tile.plan.wanted);
  llvm::SmallVector<Value*, 32> ordered(w.lanes / units);
  for (unsigned number = 0; number < ordered.size(); ++number) ordered[lanes.lane(number, 0) / units] = lanes.registers()[number];
  Value* whole = ordered.size() == 1 ? ordered.front() : llvm::concatenateVectors(w.builder, ordered);
  return w.builder.CreateBitCast(whole, access.type->isVectorTy() ? w.packed_type(access.type) : w.wide(access.type));
}

Parts emit(Widening& w, const Access& access, const Tile& tile) {
  Value* value = nullptr;
  if (!access.is_load())
    value = w.builder.CreateBitCast(w.values.as_in_memory(access.value),
                                    llvm::FixedVectorType::get(tile.element, w.lanes * tile.pieces));
  TileColumns columns(w, *access.pointer, tile.tiled, !access.is_load());
  const auto by_columns = [&]() -> Parts {
    if (access.is_load()) return {load_columns(w, access, tile, columns)};
    store_columns(w, access, tile, value, columns);
    return {};
  };
  if (!columns.holds()) return by_columns();
  const TwoWays ways{.usual = "columns", .other = "apart", .join = access.is_load() ? "loaded" : "stored"};
  return emit_two_ways(w, columns.holds(), ways, by_columns, [&] { return emit_otherwise(w, access); });
}

}  // namespace

std::optional<AccessPlan> plan_tiled(Widening& w, const Access& access) {
  if (!w.memory.tiled || access.is_seldom) return std::nullopt;
  const std::optional<TiledAccess> tiled = w.memory.tiled->access(access.instruction);
  if (!tiled) return std::nullopt;
  const bool overlap = tiled->pitch && std::abs(*tiled->pitch) < w.memory.block->rows * tiled->unit;
  if (!access.is_load() && overlap) return std::nullopt;
  std::optional<TilePlan> columns = plan_tile(*w.memory.block, *tiled, !access.is_load(), w.traits.register_bits);
  if (!columns) return std::nullopt;
  AccessPlan plan{.cost = w.lanes >> columns->run, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, tile = Tile(w, *tiled, std::move(*columns), access.type)] { return emit(w, access, tile); };
  return plan;
}

}  // namespace weft::compiler::simt
