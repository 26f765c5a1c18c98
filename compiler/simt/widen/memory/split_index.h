// Indices that loops count, as strategies compare them in front of the loop.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CastInst;
class Instruction;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// An index as the sum of what differs from lane to lane, which does not change in a loop, and of what all lanes share.
class SplitIndex {
 public:
  /// `index` may be an extension of one of 32 bits. `loop`: null where the access is in none.
  SplitIndex(Widening& w, llvm::Value& index, const llvm::Loop* loop);

  /// Whether it is such a sum.
  bool may_be() const { return may_be(*index_); }
  bool is_unsigned() const;

  struct Parts {
    llvm::Value* shared = nullptr;  ///< null: nothing
    llvm::Value* own = nullptr;     ///< of all lanes
  };
  Parts parts() { return split(index_); }

  /// The index as it was given, of what parts() is of.
  llvm::Value* whole(llvm::Value* number);
  /// Whether a part of a narrow index (i1, or one a lane) is so small that the sum of two such does not wrap around.
  llvm::Value* is_small(llvm::Value* number);

 private:
  bool is_constant(const llvm::Value& value) const;
  bool may_be(llvm::Value& value, unsigned steps = 0) const;
  bool is_sum(llvm::Value& value, unsigned steps) const;
  bool is_factor(llvm::Value& value) const;
  Parts split(llvm::Value* value, unsigned steps = 0);

  Widening& w_;
  const llvm::Loop* loop_;
  llvm::Value* index_;
  llvm::CastInst* extension_ = nullptr;
};

}  // namespace weft::compiler::simt
