// Where wide code is put, and the types that it has.
#pragma once

#include <cstdint>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/target/vectors.h"

namespace llvm {
class DataLayout;
}

namespace weft::compiler::simt {

/// A value of W lanes: a vector of W elements for each component. A scalar has one component, an OpenCL vector of k elements has
/// k, a struct those of its members.
using Parts = llvm::SmallVector<llvm::Value*, 4>;

/// The function that receives wide code, the place in it and the form of its types. Knows nothing of the values in it.
class Emitter {
 public:
  /// Code goes into `function`, once the builder has an insertion point. `lanes` is W = 32 * J.
  Emitter(llvm::Function& function, unsigned lanes, const VectorTraits& traits);

  /// `type` with all pointers in address space 0.
  llvm::Type* lowered(llvm::Type* type) const;
  /// <W x scalar>
  llvm::FixedVectorType* wide(llvm::Type* scalar) const;
  /// The elements of the vectors of a value's Parts.
  llvm::SmallVector<llvm::Type*, 4> components(llvm::Type* type) const;
  /// The packed form of an OpenCL vector: lane after lane, each with all its components.
  llvm::FixedVectorType* packed_type(llvm::Type* type) const;
  /// `stride` * (l mod `segment`) for each lane l, as <W x integer>.
  llvm::Constant* lane_numbers(llvm::Type* integer, unsigned segment, std::int64_t stride) const;

  /// A block at the function's end.
  llvm::BasicBlock* new_block(const llvm::Twine& name) { return llvm::BasicBlock::Create(context, name, &function); }
  /// A variable of the function.
  llvm::AllocaInst* new_variable(llvm::Type* type, llvm::Align align, const llvm::Twine& name);
  /// Whether any, or all, of the bits of `mask` (<n x i1>) are set.
  llvm::Value* reduce(llvm::Value* mask, bool any);

  llvm::Function& function;
  llvm::LLVMContext& context;
  const llvm::DataLayout& layout;
  const unsigned lanes;
  const VectorTraits traits;
  llvm::IRBuilder<> builder;
  llvm::Instruction* entry_point = nullptr;  ///< variables and values of the whole body go in front of this
};

}  // namespace weft::compiler::simt
