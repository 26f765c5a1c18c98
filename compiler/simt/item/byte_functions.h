// What an item function computes of one byte alone, and of what is the same in all of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Values that are the same in all of a launch and may be computed anywhere: constants, the launch, what is loaded by way of it, as far as
/// that is there whatever the program does, and arithmetic on such.
class LaunchValues {
 public:
  bool contains(const llvm::Value& value);

 private:
  bool is_one(const llvm::Instruction& instruction);
  llvm::DenseMap<const llvm::Instruction*, bool> known_;
};

class ByteFunctions {
 public:
  /// `source`: of at most 8 bits, or a vector of such.
  ByteFunctions(llvm::Instruction& source, LaunchValues& launch, const llvm::DominatorTree& dominators);

  /// A function of one byte: an instruction, and which element of the source it depends on.
  struct Root {
    llvm::Instruction* result;
    unsigned element;
  };
  /// Those of 8, 16 or 32 bits that others than such functions use, in their order.
  std::vector<Root> roots() const;

  /// What `root` needs of the source's functions, its branches' conditions included; empty if it cannot be made by itself.
  llvm::SmallVector<llvm::Instruction*, 32> needed(const Root& root) const;

  /// A function of the launch and a byte, of the source's element's type, that computes `root` as a number of its bits.
  llvm::Function* outline(const Root& root, llvm::StringRef name) const;

 private:
  /// Of an element: which of the source's it depends on.
  static constexpr int kNone = -1, kMany = -2;
  using Elements = llvm::SmallVector<int, 4>;

  static int only(const Elements& elements);
  bool elements_of(const llvm::Value& value, Elements& elements) const;
  bool classify(const llvm::Instruction& instruction, Elements& elements) const;
  bool controls(const llvm::BasicBlock& block, int& element) const;
  bool path_to(const llvm::BasicBlock& end, llvm::SmallVectorImpl<llvm::BasicBlock*>& blocks) const;

  llvm::Instruction& source_;
  LaunchValues& launch_;
  const llvm::DominatorTree& dominators_;
  llvm::MapVector<const llvm::Instruction*, Elements> members_;  ///< each behind its operands
};

}  // namespace weft::compiler::simt
