// Indices that loops count, as strategies compare them in front of the loop.
#pragma once

#include <optional>

#include "compiler/simt/widen/emitter.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/memory/texels.h"

namespace llvm {
class CastInst;
class Instruction;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// The index of an access as the sum of what differs from lane to lane, which does not change in a loop, and of what all lanes share.
class SplitIndex {
 public:
  struct Parts {
    llvm::Value* shared = nullptr;  ///< null: nothing
    llvm::Value* own = nullptr;     ///< of all lanes; lanes that are off have one number, too
  };

  /// With the outermost loop in which it is such a sum, or none where the access is in none; nothing if it is no such sum.
  static std::optional<SplitIndex> find(Widening& w, const Access& access);

  /// Where the code looks; address() is of these.
  Parts parts();
  /// The address of lane `lane`.
  llvm::Value* address(const Access& access, const Parts& parts, unsigned lane);
  /// Whether a part of a narrow index (i1, or one a lane) is so small that the sum of two such does not wrap around.
  llvm::Value* is_small(llvm::Value* number);
  /// Bytes of what the index counts.
  std::uint64_t unit() const { return place_.bytes; }

 private:
  /// The index may be an extension of one of 32 bits.
  SplitIndex(Widening& w, const PlaceInRow& place, const llvm::Loop* loop);

  bool is_unsigned() const;
  bool is_constant(const llvm::Value& value) const;
  bool may_be(llvm::Value& value, unsigned steps = 0) const;
  bool is_sum(llvm::Value& value, unsigned steps) const;
  bool is_factor(llvm::Value& value) const;
  Parts split(llvm::Value* value, unsigned steps = 0);

  Widening& w_;
  PlaceInRow place_;
  const llvm::Loop* loop_;
  llvm::Value* index_;
  llvm::CastInst* extension_ = nullptr;
};

}  // namespace weft::compiler::simt
