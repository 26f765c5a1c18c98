// What a front end notes on kernels, as `kernel_arg_type` and its like.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Metadata.h"

namespace weft::compiler::simt {

/// Operand `i` of `node`; empty if there is none or it is no string.
inline llvm::StringRef metadata_string(const llvm::MDNode* node, unsigned i) {
  if (node == nullptr || i >= node->getNumOperands()) return {};
  const auto* text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(i));
  return text ? text->getString() : llvm::StringRef();
}

}  // namespace weft::compiler::simt
