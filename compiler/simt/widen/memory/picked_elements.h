// Elements of several vectors side by side.
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// An element of one of several vectors.
struct PickedElement {
  unsigned vector = 0, element = 0;
};

/// The elements `picked` of `vectors`, which have as many each, of `units` numbers: a shuffle of two of them at a time, and one that puts what it gives with
/// what is there.
llvm::Value* pick_elements(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> vectors, llvm::ArrayRef<PickedElement> picked, unsigned units = 1);

}  // namespace weft::compiler::simt
