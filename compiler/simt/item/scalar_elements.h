// Elements of vectors as scalars of their own.
//
// Shapes (analysis/shape.h) know scalars. A kernel's `p + (int2)(1, 0)` is one vector's arithmetic, of which each element may
// still be a neighbour's plus a constant.
#pragma once

#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class ScalarElements {
 public:
  /// Element `index` of `vector`, a value of an OpenCL vector type. Computes it element by element as far as the vector is made
  /// so; the instructions stand beside the vector's.
  llvm::Value* element(llvm::Value& vector, unsigned index);

  /// `vector` again, made of its elements in front of `user`. What these elements are computed from, as scalars, is taken from vectors in
  /// the same way: `at.x + i`, where `at` is a vector's arithmetic.
  llvm::Value* rebuild(llvm::Value& vector, llvm::Instruction& user);

 private:
  llvm::Value* compute(llvm::Instruction& vector, unsigned index);
  llvm::Value* extract(llvm::Value& vector, unsigned index);
  void take_operands(llvm::Value& scalar);

  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, llvm::Value*> known_;
  llvm::DenseSet<llvm::Value*> taken_;
};

}  // namespace weft::compiler::simt
