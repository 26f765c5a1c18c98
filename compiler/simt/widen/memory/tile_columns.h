// Where the columns of a tiled access lie in memory.
#pragma once

#include <utility>

#include <llvm/ADT/DenseMap.h>

#include "compiler/simt/analysis/tiled_access.h"
#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

class Widening;

/// Emits the addresses of a tiled access's columns, and the test whether the access may go by columns.
class TileColumns {
 public:
  TileColumns(Widening& w, llvm::Value& pointer, const TiledAccess& access, bool is_store);

  /// An i1; null where the access may go by columns for certain.
  llvm::Value* holds() const { return holds_; }
  /// The address of the first column's first row, and the bytes from a column to the next one.
  llvm::Value* first() const { return first_; }
  llvm::Value* pitch() const { return pitch_; }
  /// The addresses of all columns' first rows.
  llvm::SmallVector<llvm::Value*, 32> bases();

 private:
  void require(llvm::Value* condition);
  llvm::Value* value_at(llvm::Value* value, unsigned lane);
  llvm::Value* check_holds(const TileCheck& check);

  Widening& w_;
  const LaneBlock& block_;
  llvm::DenseMap<std::pair<const llvm::Value*, unsigned>, llvm::Value*> values_;  ///< by lane
  llvm::Value* first_ = nullptr;
  llvm::Value* pitch_ = nullptr;  ///< bytes from a column to the next one
  llvm::Value* holds_ = nullptr;
};

}  // namespace weft::compiler::simt
