#include "compiler/simt/item/item_copies.h"

#include "compiler/simt/analysis/uniformity.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace weft::compiler::simt {
namespace {

/// Lines of a function are of its own description alone.
void move_lines(llvm::Instruction& instruction, llvm::DISubprogram* program) {
  const auto moved = [&](const llvm::DILocation& place) {
    return llvm::DILocation::get(instruction.getContext(), place.getLine(), place.getColumn(), program);
  };
  if (const llvm::DILocation* place = instruction.getDebugLoc()) instruction.setDebugLoc(program ? moved(*place) : nullptr);
  llvm::updateLoopMetadataDebugLocations(instruction, [&](llvm::Metadata* part) -> llvm::Metadata* {
    const auto* place = llvm::dyn_cast_or_null<llvm::DILocation>(part);
    return !place ? part : program ? moved(*place) : nullptr;
  });
}

}  // namespace

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

llvm::BasicBlock* splice_copy(llvm::Function& to, llvm::Function& from, Analyses& analyses) {
  llvm::BasicBlock* first = &from.getEntryBlock();
  for (llvm::Instruction& instruction : llvm::instructions(from)) move_lines(instruction, to.getSubprogram());
  for (llvm::Argument& argument : from.args()) argument.replaceAllUsesWith(to.getArg(argument.getArgNo()));
  to.splice(to.end(), &from);
  erase_function(from, analyses);
  return first;
}

void replace_item(llvm::Function*& item, llvm::Function& copy, Analyses& analyses) {
  copy.takeName(item);
  erase_function(*item, analyses);
  item = &copy;
}

}  // namespace weft::compiler::simt
