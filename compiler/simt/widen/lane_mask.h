// The lanes for which a block runs.
#pragma once

#include <optional>

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Emitter;

/// Of the block that is being widened: its mask, and the forms that accesses need of it.
class LaneMask {
 public:
  explicit LaneMask(Emitter& emitter) : emitter_(emitter) {}

  /// From here on all lanes run (`lanes` null), or those in `lanes`, <W x i1>. `is_prefix`: off are only lanes behind the last
  /// work-item of the group.
  void set(llvm::Value* lanes, bool is_prefix);

  /// Some lanes may be off.
  explicit operator bool() const { return lanes_ != nullptr; }
  bool is_prefix() const { return is_prefix_; }
  /// <W x i1>; null where all lanes run.
  llvm::Value* lanes() const { return lanes_; }
  /// The same as one integer, lane 0 in the lowest bit. Not where all lanes run.
  llvm::Value* bits() const;
  /// Lanes [first, first + count), each repeated for every component; null where all lanes run.
  llvm::Value* segment(unsigned first, unsigned count, unsigned components) const;
  /// How many lanes run, where the compiler knows that and no lane in front of them is off.
  std::optional<unsigned> known_prefix() const;
  /// The lanes that run, in order, where the compiler knows which.
  std::optional<llvm::SmallVector<unsigned, 16>> known_lanes() const;

 private:
  Emitter& emitter_;
  llvm::Value* lanes_ = nullptr;
  bool is_prefix_ = false;
};

}  // namespace weft::compiler::simt
