#include "compiler/codegen/kept_order.h"

#include "compiler/codegen/ascending_accesses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineScheduler.h"
#include "llvm/CodeGen/ScheduleDAGInstrs.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/CommandLine.h"

namespace weft::compiler::codegen {
namespace {

constexpr char kKeptOrderAttribute[] = "weft-kept-order";
/// Of functions that have such blocks, and of these blocks' terminators.
constexpr char kKeptBlocksAttribute[] = "weft-kept-blocks", kKeptOrderMetadata[] = "weft.kept_order";

class KeptOrder : public llvm::ScheduleDAGInstrs {
 public:
  explicit KeptOrder(llvm::MachineFunction& function, const llvm::MachineLoopInfo* loops) : ScheduleDAGInstrs(function, loops) {}
  void schedule() override {}
};

class KeptBlocks : public llvm::ScheduleDAGMILive {
 public:
  explicit KeptBlocks(llvm::MachineSchedContext* context) : ScheduleDAGMILive(context, std::make_unique<llvm::GenericScheduler>(context)) {}
  void schedule() override {
    const llvm::BasicBlock* block = BB->getBasicBlock();
    if (!block || !block->getTerminator() || !block->getTerminator()->hasMetadata(kKeptOrderMetadata)) ScheduleDAGMILive::schedule();
  }
};

/// For each copy between registers LLVM asks of what uses either of them whether it may wait for the other, and walks through the block for
/// each answer: minutes for 16,000 copies among 69,000 instructions, as a loop over the rounds of Fugue-512 comes out, and a third of a
/// second for 3,900 among 16,000.
bool has_blocks_of_many_copies(const llvm::MachineFunction& function) {
  constexpr std::size_t kMost = std::size_t{1} << 27;
  return llvm::any_of(function, [](const llvm::MachineBasicBlock& block) {
    return block.size() * static_cast<std::size_t>(llvm::count_if(block, [](const llvm::MachineInstr& instruction) { return instruction.isCopy(); })) > kMost;
  });
}

llvm::ScheduleDAGInstrs* make_scheduler(llvm::MachineSchedContext* context) {
  if (context->MF->getFunction().hasFnAttribute(kKeptOrderAttribute)) return new KeptOrder(*context->MF, context->MLI);
  // Without the constraints that come of these questions, which only save moves.
  if (has_blocks_of_many_copies(*context->MF))
    return new llvm::ScheduleDAGMILive(context, std::make_unique<llvm::GenericScheduler>(context));
  // As without an option, but for blocks that stay.
  llvm::ScheduleDAGInstrs* scheduler = context->MF->getFunction().hasFnAttribute(kKeptBlocksAttribute) ? new KeptBlocks(context)
                                                                                                      : context->PassConfig->createMachineScheduler(context);
  if (!scheduler) scheduler = llvm::createGenericSchedLive(context);
  static_cast<llvm::ScheduleDAGMI*>(scheduler)->addMutation(make_ascending_accesses());
  return scheduler;
}

}  // namespace

void keep_order(llvm::Function& function) { function.addFnAttr(kKeptOrderAttribute); }

void keep_order(llvm::BasicBlock& block) {
  block.getParent()->addFnAttr(kKeptBlocksAttribute);
  block.getTerminator()->setMetadata(kKeptOrderMetadata, llvm::MDNode::get(block.getContext(), {}));
}

void let_functions_keep_order() {
  using Option = llvm::cl::opt<llvm::MachineSchedRegistry::ScheduleDAGCtor, false, llvm::RegisterPassParser<llvm::MachineSchedRegistry>>;
  auto& options = llvm::cl::getRegisteredOptions();
  if (const auto option = options.find("misched"); option != options.end())
    static_cast<Option*>(option->second)->setValue(make_scheduler);
}

}  // namespace weft::compiler::codegen
