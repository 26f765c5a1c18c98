// Integers known in every lane before the kernel runs: those that follow from local ids and constants alone.
//
// A local id is known only in a whole-group body, where lane l is work-item l of the group.
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

  /// Analyses the linearized `function`, which runs for `lanes` work-items at once.
  LaneValues(llvm::Function& function, const Specialization& specialization, unsigned lanes);

  /// The integer `value` in each lane, zero-extended; null if some lane's is unknown.
  const Lanes* of(const llvm::Value& value);
  /// Whether `instruction` is an integer that is known in every lane.
  bool knows(const llvm::Instruction& instruction) const;
  unsigned lanes() const { return lanes_; }

 private:
  bool compute(const llvm::Instruction& instruction, Lanes& result);
  bool of_call(const llvm::Instruction& instruction, Lanes& result) const;

  const unsigned lanes_;
  const Specialization& specialization_;
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<Lanes>> known_;  ///< by pointer, so results of `of` stay valid
};

}  // namespace weft::compiler::simt
