#include "compiler/simt/item/item_copies.h"

#include "compiler/simt/analysis/uniformity.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace weft::compiler::simt {

llvm::Function* copy_item(llvm::Function& item, llvm::StringRef suffix) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&item, map);
  copy->setName(item.getName() + suffix);
  return copy;
}

void erase_function(llvm::Function& function, Analyses& analyses) {
  analyses.functions().clear(function, function.getName());
  function.eraseFromParent();
}

void replace_item(llvm::Function*& item, llvm::Function& copy, Analyses& analyses) {
  copy.takeName(item);
  erase_function(*item, analyses);
  item = &copy;
}

}  // namespace weft::compiler::simt
