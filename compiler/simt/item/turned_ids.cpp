#include "compiler/simt/item/turned_ids.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/analysis/waiting_loops.h"
#include "compiler/simt/analysis/row_access.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/kept_calls.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::StringLiteral kFields[] = {"local_id",   "global_id",           "group_id",    "num_groups",
                                           "local_size", "enqueued_local_size", "global_size", "global_offset"};

/// Of a primitive that asks for a field along a dimension, that dimension; -1 for any other name.
int dimension_asked(llvm::StringRef name) {
  if (!name.consume_front("__weft_") || name.size() < 2 || name[name.size() - 2] != '_') return -1;
  const int dimension = name.back() - 'x';
  return dimension >= 0 && dimension < 3 && llvm::is_contained(kFields, name.drop_back(2)) ? dimension : -1;
}

/// Whether `call` tells its work-item nothing but what turn_ids exchanges.
bool may_stay(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) return false;
  if (callee->isIntrinsic() || is_arithmetic_primitive(call)) return true;
  return dimension_asked(callee->getName()) >= 0 || callee->getName() == primitive::kPrefetch;
}

}  // namespace

bool may_turn(const llvm::Function& kernel) {
  if (kernel.getMetadata("reqd_work_group_size") || has_group_state(kernel) || keeps_shared_calls(kernel)) return false;
  const bool knows_more = llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !may_stay(*call);
  });
  return !knows_more && !groups_may_wait(kernel);
}

unsigned dimension_to_turn(const llvm::Function& kernel) {
  const unsigned dimension = nearest_dimension(kernel);
  return dimension != 0 && may_turn(kernel) ? dimension : 0;
}

void turn_ids(llvm::Function& kernel, unsigned dimension) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const int asked = call ? dimension_asked(called_name(*call)) : -1;
    if (asked != 0 && asked != static_cast<int>(dimension)) continue;
    const llvm::Function& callee = *call->getCalledFunction();
    const std::string name = (callee.getName().drop_back(1) + llvm::Twine("xyz"[asked == 0 ? dimension : 0])).str();
    llvm::FunctionCallee other = kernel.getParent()->getOrInsertFunction(name, callee.getFunctionType());
    auto* function = llvm::cast<llvm::Function>(other.getCallee());
    function->copyAttributesFrom(&callee);
    call->setCalledFunction(function);
  }
}

}  // namespace weft::compiler::simt
