#include "compiler/codegen/ascending_loads.h"

#include <cstdint>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/MachineScheduler.h>

namespace weft::compiler::codegen {
namespace {

/// Of a vector; more are no row but a table.
constexpr std::size_t kFewestParts = 4, kMostParts = 64;
constexpr std::uint64_t kVectorBytes = 16;

class AscendingLoads : public llvm::ScheduleDAGMutation {
 public:
  void apply(llvm::ScheduleDAGInstrs* dag) override {
    llvm::MapVector<const llvm::Value*, llvm::SmallVector<std::pair<std::int64_t, llvm::SUnit*>, 16>> parts;
    for (llvm::SUnit& unit : dag->SUnits) {
      const llvm::MachineInstr& instruction = *unit.getInstr();
      if (!instruction.mayLoad() || instruction.mayStore() || !instruction.hasOneMemOperand()) continue;
      const llvm::MachineMemOperand& memory = **instruction.memoperands_begin();
      const auto size = memory.getSize();
      if (memory.getValue() && size.hasValue() && size.getValue() >= kVectorBytes) parts[memory.getValue()].emplace_back(memory.getOffset(), &unit);
    }
    for (auto& [start, units] : parts) {
      if (units.size() < kFewestParts || units.size() > kMostParts) continue;
      llvm::stable_sort(units, llvm::less_first());
      // Weak: what the scheduler asks behind the question whether registers are left.
      for (std::size_t i = 1; i < units.size(); ++i)
        static_cast<llvm::ScheduleDAGMI*>(dag)->addEdge(units[i].second, llvm::SDep(units[i - 1].second, llvm::SDep::Weak));
    }
  }
};

}  // namespace

std::unique_ptr<llvm::ScheduleDAGMutation> make_ascending_loads() { return std::make_unique<AscendingLoads>(); }

}  // namespace weft::compiler::codegen
