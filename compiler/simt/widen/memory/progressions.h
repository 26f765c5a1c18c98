// Addresses that lie evenly apart, lane after lane, by a distance that need not be known now.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;
struct Access;

/// Of a value that grows evenly from lane to lane: what it is in the first one, and the distance, of 64 bits, both scalars.
struct Progression {
  llvm::Value* first;
  llvm::Value* step;
};

class Progressions {
 public:
  /// `lanes` of them.
  Progressions(Widening& w, unsigned lanes) : w_(w), lanes_(lanes) {}

  /// Whether `value` is one, as long as nothing in it wraps that says it does not.
  bool is_one(const llvm::Value& value) const { return is_one(value, 0); }
  /// `value`, which is one.
  Progression get(llvm::Value& value);

 private:
  bool is_one(const llvm::Value& value, unsigned depth) const;

  Widening& w_;
  const unsigned lanes_;
};

/// The addresses of the first `count` lanes of `access`: those of a progression as one address and multiples of the distance, as far as the
/// processor's operands can name them.
llvm::SmallVector<llvm::Value*, 32> addresses_of_lanes(Widening& w, const Access& access, unsigned count);

}  // namespace weft::compiler::simt
