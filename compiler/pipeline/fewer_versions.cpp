#include "compiler/pipeline/fewer_versions.h"

#include <cstdint>

#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/target/target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

namespace weft::compiler::pipeline {
namespace {

using passes::Pass;

/// Passes that have code twice or more, of which a run takes one.
constexpr Pass kTakeCopies[] = {
    Pass::kChosenBounds, Pass::kSettledSides,   Pass::kCommonIterations, Pass::kFullGuards,
    Pass::kWalkedRows,   Pass::kFullIterations, Pass::kFirstIterations,  Pass::kFullBranches,
};
/// Ways to widen an access that ask how lanes lie, with another way for where they do not.
constexpr Pass kAskLanes[] = {Pass::kLaneRuns, Pass::kTexelWindow, Pass::kNeighbours, Pass::kBoundedWindow};

/// Registers' worth of instructions before LLVM's passes, from which code takes so long to make that a launch should not wait for it: about a
/// tenth of a second on a processor of 2020.
constexpr std::uint64_t kLong = 3'000;
/// The part of them that may be left: else all would be made twice for little.
constexpr double kMostLeft = 0.6;
/// The part of a work-item's instructions that copies are, and the branches of widened accesses, below which nothing is tried.
constexpr double kFewestCopied = 0.2;
constexpr unsigned kFewestBranches = 8;

/// Registers that an instruction's result takes, or what it stores.
std::uint64_t registers_of(const llvm::Instruction& instruction, const llvm::DataLayout& layout, const VectorTraits& traits) {
  if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction)) return 1;
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(store ? store->getValueOperand()->getType() : instruction.getType());
  if (!type) return 1;
  const std::uint64_t bits = layout.getTypeSizeInBits(type->getElementType()).getFixedValue();
  // Masks are as wide as what they select where they have no registers of their own.
  return llvm::divideCeil(type->getNumElements() * (bits == 1 && !traits.mask_registers ? 32 : bits), traits.register_bits);
}

std::uint64_t registers_of(const llvm::Module& module) {
  std::uint64_t result = 0;
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) result += registers_of(instruction, module.getDataLayout(), target::vectors());
  return result;
}

unsigned blocks_of(const llvm::Module& module) {
  unsigned result = 0;
  for (const llvm::Function& function : module) result += static_cast<unsigned>(function.size());
  return result;
}

}  // namespace

llvm::Error Versions::counted(Pass pass, const llvm::Module& module, llvm::function_ref<llvm::Error()> run) {
  const bool copies = llvm::is_contained(kTakeCopies, pass);
  if (!copies && pass != Pass::kWiden) return run();
  const unsigned before = copies ? module.getInstructionCount() : blocks_of(module);
  if (llvm::Error error = run()) return error;
  const unsigned after = copies ? module.getInstructionCount() : blocks_of(module);
  if (copies) instructions = after;
  (copies ? copied : branches) += after > before ? after - before : 0;
  return llvm::Error::success();
}

bool Versions::are_many() const { return branches >= kFewestBranches || copied >= kFewestCopied * instructions; }

llvm::Expected<std::unique_ptr<FewerVersions>> with_fewer_versions(const Compilation& whole, const Bytes& program, const Specialization& specialization) {
  if (!specialization.soon || whole.plain || !whole.group || !whole.versions.are_many()) return nullptr;
  const std::uint64_t registers = registers_of(whole.module);
  if (registers < kLong) return nullptr;
  passes::PassOptions options = whole.control.options();
  for (const llvm::ArrayRef<Pass> list : {llvm::ArrayRef(kTakeCopies), llvm::ArrayRef(kAskLanes)})
    for (const Pass pass : list) options.disable.push_back(passes::info(pass).name.str());
  auto fewer = std::make_unique<FewerVersions>(std::move(options));
  auto module = extract_kernel(program, whole.kernel, whole.module.getContext());
  if (!module) return module.takeError();
  fewer->module = std::move(*module);
  fewer->compilation = std::make_unique<Compilation>(*fewer->module, whole.kernel, specialization, *whole.machine, fewer->control);
  fewer->compilation->file_kind = whole.file_kind;
  fewer->compilation->leaves_out = true;
  if (llvm::Error error = run_passes(passes::Scope::kKernel, *fewer->compilation)) return error;
  if (static_cast<double>(registers_of(*fewer->module)) > kMostLeft * static_cast<double>(registers)) return nullptr;
  return fewer;
}

}  // namespace weft::compiler::pipeline
