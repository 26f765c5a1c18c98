#include "compiler/codegen/ascending_accesses.h"

#include <cstdint>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PointerIntPair.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstr.h>
#include <llvm/CodeGen/MachineMemOperand.h>
#include <llvm/CodeGen/MachineScheduler.h>

#include "compiler/target/costs.h"

namespace weft::compiler::codegen {
namespace {

/// More are no row but a table.
constexpr std::size_t kFewestParts = 4, kMostParts = 64;
constexpr std::uint64_t kVectorBytes = 16;

class AscendingAccesses : public llvm::ScheduleDAGMutation {
 public:
  void apply(llvm::ScheduleDAGInstrs* dag) override {
    using Row = llvm::PointerIntPair<const llvm::Value*, 1, bool>;  // where it begins, and whether it is stored
    llvm::MapVector<Row, llvm::SmallVector<std::pair<std::int64_t, llvm::SUnit*>, 16>> rows;
    const llvm::DataLayout& layout = dag->MF.getDataLayout();
    for (llvm::SUnit& unit : dag->SUnits) {
      const llvm::MachineInstr& instruction = *unit.getInstr();
      const bool stores = instruction.mayStore();
      if (instruction.mayLoad() == stores || !instruction.hasOneMemOperand() || !(stores || target::orders_loads())) continue;
      const llvm::MachineMemOperand& memory = **instruction.memoperands_begin();
      const auto size = memory.getSize();
      if (!memory.getValue() || !size.hasValue() || size.getValue() < kVectorBytes) continue;
      std::int64_t offset = 0;
      // Loads that are constants apart, as a filter's, are ordered by what they are for.
      const llvm::Value* start = stores ? llvm::GetPointerBaseWithConstantOffset(memory.getValue(), offset, layout) : memory.getValue();
      rows[{start, stores}].emplace_back(offset + memory.getOffset(), &unit);
    }
    for (auto& [start, units] : rows) {
      if (units.size() < kFewestParts || units.size() > kMostParts) continue;
      llvm::stable_sort(units, llvm::less_first());
      // Weak: what the scheduler asks behind the question whether registers are left.
      for (std::size_t i = 1; i < units.size(); ++i)
        static_cast<llvm::ScheduleDAGMI*>(dag)->addEdge(units[i].second, llvm::SDep(units[i - 1].second, llvm::SDep::Weak));
    }
  }
};

}  // namespace

std::unique_ptr<llvm::ScheduleDAGMutation> make_ascending_accesses() { return std::make_unique<AscendingAccesses>(); }

}  // namespace weft::compiler::codegen
