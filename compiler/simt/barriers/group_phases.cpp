#include "compiler/simt/barriers/group_phases.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/barriers/group_fields.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// What groups may keep while others run: half of a first-level cache.
constexpr std::uint64_t kNearPhaseBytes = 16 << 10;
constexpr std::uint64_t kMostGroupsOfPhases = 16;

/// Whether `region` goes on with the one of number `next`, whatever its work-items do.
bool always_returns(const llvm::Function& region, std::int64_t next) {
  return llvm::all_of(region, [&](const llvm::BasicBlock& block) {
    const auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    const auto* value = end ? llvm::dyn_cast<llvm::ConstantInt>(end->getReturnValue()) : nullptr;
    return !end || (value && value->getSExtValue() == next);
  });
}

/// Whether the group of `region` is asked for nothing but fields, numbers and pointers as such.
bool asks_for_fields(const llvm::Function& region) {
  return loads_fields_alone(region, [](const llvm::LoadInst& load, std::uint64_t offset) {
    if (is_group_id(offset)) return load.getType()->isIntegerTy();
    return offset != offsetof(abi::GroupInfo, local_memory) || load.getType()->isPointerTy();
  });
}

/// Whether anyone looks at what `update` found: its value from there and from a path without it is joined in any case.
bool is_asked(const llvm::AtomicRMWInst& update) {
  return llvm::any_of(update.users(), [](const llvm::User* user) { return !llvm::isa<llvm::PHINode>(user) || !user->use_empty(); });
}

/// Whether `instruction` asks for the old value of a word that an argument leads to, the same for all groups. Updates of local memory are
/// plain accesses by now.
bool takes_places(const llvm::Instruction& instruction) {
  const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!update || !is_asked(*update)) return false;
  llvm::APInt offset(64, 0);
  const Value* base = update->getPointerOperand()->stripAndAccumulateConstantOffsets(update->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return llvm::isa<llvm::LoadInst>(base) && llvm::cast<llvm::LoadInst>(base)->hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

}  // namespace

std::uint32_t groups_in_phases(llvm::ArrayRef<llvm::Function*> regions, std::uint64_t group_bytes) {
  if (regions.size() < 2 || regions.front()->hasFnAttribute(primitive::kEndsApartAttribute)) return 0;
  for (std::size_t index = 0; index < regions.size(); ++index) {
    const bool is_last = index + 1 == regions.size();
    if (!always_returns(*regions[index], is_last ? -1 : static_cast<std::int64_t>(index) + 1)) return 0;
  }
  if (!llvm::all_of(regions, [](const llvm::Function* region) { return asks_for_fields(*region); })) return 0;
  const auto asks = [](llvm::Function* region) { return llvm::any_of(llvm::instructions(*region), takes_places); };
  if (!llvm::any_of(regions, asks)) return 0;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kNearPhaseBytes / std::max<std::uint64_t>(group_bytes, 1), 1, kMostGroupsOfPhases));
}

llvm::Function* with_group_arguments(llvm::Function& region) {
  llvm::SmallVector<llvm::Type*, 6> types(region.getFunctionType()->params());
  types.push_back(llvm::Type::getInt64Ty(region.getContext()));
  types.push_back(llvm::PointerType::get(region.getContext(), 0));
  auto* type = llvm::FunctionType::get(region.getReturnType(), types, false);
  llvm::Function* made = llvm::Function::Create(type, region.getLinkage(), region.getAddressSpace(), "", region.getParent());
  made->copyAttributesFrom(&region);
  made->takeName(&region);
  made->splice(made->begin(), &region);
  for (auto [old, fresh] : llvm::zip(region.args(), made->args())) {
    fresh.takeName(&old);
    old.replaceAllUsesWith(&fresh);
  }
  region.eraseFromParent();
  Value* id = made->getArg(made->arg_size() - 2);
  Value* local = made->getArg(made->arg_size() - 1);
  id->setName("group.id");
  local->setName("local");
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*made))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto offset = load ? field_offset(*load, *made->getArg(1)) : std::nullopt;
    if (!offset) continue;
    if (is_group_id(*offset))
      replace_group_id(*load, *offset, *id);
    else if (*offset == offsetof(abi::GroupInfo, local_memory)) {
      load->replaceAllUsesWith(local);
      load->eraseFromParent();
    }
  }
  return made;
}

}  // namespace weft::compiler::simt
