// Integers that are known in every lane before the kernel runs: what follows from local ids and constants alone.
//
// Only where one body runs the whole group is a local id a number: lane l is the work-item l of the group.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <llvm/ADT/DenseMap.h>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class LaneValues {
 public:
  using Lanes = std::vector<std::uint64_t>;

  /// Of a linearized `function` that `lanes` work-items run at once.
  LaneValues(llvm::Function& function, const Specialization& specialization, unsigned lanes);

  /// The integer `value` in each lane, zero-extended; null where some lane's is not known.
  const Lanes* of(const llvm::Value& value);
  /// Whether `instruction` is an integer that is known in every lane.
  bool knows(const llvm::Instruction& instruction) const;
  unsigned lanes() const { return lanes_; }

 private:
  bool compute(const llvm::Instruction& instruction, Lanes& result);
  bool of_call(const llvm::Instruction& instruction, Lanes& result) const;

  const unsigned lanes_;
  const Specialization& specialization_;
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<Lanes>> known_;  ///< what `of` hands out stays where it is
};

}  // namespace weft::compiler::simt
