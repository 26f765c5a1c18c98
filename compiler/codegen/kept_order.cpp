#include "compiler/codegen/kept_order.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/CommandLine.h"

namespace weft::compiler::codegen {
namespace {

constexpr char kKeptOrderAttribute[] = "weft-kept-order";

class KeptOrder : public llvm::ScheduleDAGInstrs {
 public:
  explicit KeptOrder(llvm::MachineFunction& function, const llvm::MachineLoopInfo* loops) : ScheduleDAGInstrs(function, loops) {}
  void schedule() override {}
};

llvm::ScheduleDAGInstrs* make_scheduler(llvm::MachineSchedContext* context) {
  if (context->MF->getFunction().hasFnAttribute(kKeptOrderAttribute)) return new KeptOrder(*context->MF, context->MLI);
  // As without an option.
  if (llvm::ScheduleDAGInstrs* of_target = context->PassConfig->createMachineScheduler(context)) return of_target;
  return llvm::createGenericSchedLive(context);
}

}  // namespace

void keep_order(llvm::Function& function) { function.addFnAttr(kKeptOrderAttribute); }

void let_functions_keep_order() {
  using Option = llvm::cl::opt<llvm::MachineSchedRegistry::ScheduleDAGCtor, false, llvm::RegisterPassParser<llvm::MachineSchedRegistry>>;
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto option = options.find("misched"); option != options.end())
    static_cast<Option*>(option->second)->setValue(make_scheduler);
}

}  // namespace weft::compiler::codegen
