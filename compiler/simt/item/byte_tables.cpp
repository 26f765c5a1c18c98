#include "compiler/simt/item/byte_tables.h"

#include <cstddef>
#include <vector>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/byte_functions.h"
#include "compiler/simt/item/item_copies.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// How many times what it saves a look-up may cost.
constexpr double kGain = 2;
/// Of how many lanes costs are asked for.
constexpr unsigned kLanes = abi::kWarpSize;
/// Larger code is not looked at, which takes each source time by its length.
constexpr std::size_t kMostSources = 16, kMostWithTables = 4000;
/// Work-items that compute for themselves are few beside those that look up.
constexpr std::uint32_t kOften = 1000;

/// One function of a byte, to be replaced.
struct Table {
  Instruction* source;
  ByteFunctions::Root root;
  llvm::Function* function;  ///< of the launch and a byte
  std::uint32_t offset;

  unsigned bits() const { return function->getReturnType()->getIntegerBitWidth(); }
};

/// What floating-point numbers are made of that has 8 bits at most.
llvm::SmallSetVector<Instruction*, 8> sources(llvm::Function& item) {
  llvm::SmallSetVector<Instruction*, 8> found;
  for (Instruction& instruction : llvm::instructions(item)) {
    if (!llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(instruction)) continue;
    Value* source = instruction.getOperand(0);
    while (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(source)) source = llvm::cast<Instruction>(source)->getOperand(0);
    auto* made = llvm::dyn_cast<Instruction>(source);
    const unsigned width = source->getType()->getScalarSizeInBits();
    if (!made || width < 8 || width > 64) continue;
    if (llvm::computeKnownBits(made, item.getDataLayout()).countMaxActiveBits() <= 8) found.insert(made);
  }
  return found;
}

double look_up_cost(const VectorTraits& traits) {
  return kLanes * (traits.native_gather ? target::kGatheredElement : target::kElementByLane);
}

/// The functions of one source that are worth a table each.
class TableChoice {
 public:
  TableChoice(const ByteFunctions& functions, Instruction& source, const target::Costs& costs, double look_up)
      : functions_(functions), source_(source), costs_(costs), look_up_(look_up) {}

  std::vector<ByteFunctions::Root> roots(llvm::SmallPtrSetImpl<const Instruction*>& taken) {
    std::vector<ByteFunctions::Root> chosen;
    llvm::SmallSetVector<Instruction*, 32> used;
    for (const ByteFunctions::Root& root : functions_.roots()) {
      const auto needed = functions_.needed(root);
      if (needed.empty() || llvm::any_of(needed, [&](const Instruction* each) { return taken.contains(each); })) continue;
      double cost = 0;
      for (const Instruction* each : needed) cost += cost_of(*each);
      if (cost < kGain * look_up_) continue;
      chosen.push_back(root);
      used.insert(needed.begin(), needed.end());
    }
    if (saved(chosen, used.getArrayRef()) < kGain * look_up_ * static_cast<double>(chosen.size())) return {};
    taken.insert(used.begin(), used.end());
    return chosen;
  }

 private:
  double cost_of(const Instruction& instruction) const {
    if (&instruction == &source_) return 0;
    if (llvm::isa<llvm::LoadInst>(instruction)) return costs_.scattered(instruction, kLanes);
    return costs_.wide(instruction, kLanes);
  }

  /// What nobody computes any more, of `used`, which stand behind their operands.
  double saved(llvm::ArrayRef<ByteFunctions::Root> chosen, llvm::ArrayRef<Instruction*> used) const {
    llvm::SmallPtrSet<const Instruction*, 32> replaced, dead;
    for (const ByteFunctions::Root& root : chosen) replaced.insert(root.result);
    double cost = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction* each : llvm::reverse(used)) {
        if (each == &source_ || dead.contains(each)) continue;
        const bool is_dead = replaced.contains(each) || llvm::all_of(each->users(), [&](const llvm::User* user) {
          return llvm::isa<llvm::BranchInst>(user) || dead.contains(llvm::cast<Instruction>(user));
        });
        if (!is_dead) continue;
        dead.insert(each);
        cost += cost_of(*each);
        changed = true;
      }
    }
    return cost;
  }

  const ByteFunctions& functions_;
  Instruction& source_;
  const target::Costs& costs_;
  double look_up_;
};

/// GroupInfo::tables, as a pointer into `space`.
llvm::LoadInst* load_tables(llvm::IRBuilder<>& builder, llvm::Function& item, unsigned space) {
  Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), item.getArg(1), offsetof(abi::GroupInfo, tables));
  auto* load = builder.CreateLoad(llvm::PointerType::get(item.getContext(), space), field, "tables");
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(item.getContext(), {}));
  return load;
}

Value* call(llvm::IRBuilder<>& builder, const Table& table, llvm::Function& item, Value* byte, std::vector<llvm::CallInst*>& calls) {
  calls.push_back(builder.CreateCall(table.function, {item.getArg(0), byte}));
  return calls.back();
}

llvm::Function* local_id_function(llvm::Module& module) {
  const std::string name = (primitive::kLocalId + "x").str();
  if (llvm::Function* known = module.getFunction(name)) return known;  // of 32 or of 64 bits
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(module.getContext()), false);
  auto* made = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  made->setDoesNotAccessMemory();
  made->setDoesNotThrow();
  made->setWillReturn();
  return made;
}

/// The function that fills the tables: one group of kByteValues.
llvm::Function* make_fill(llvm::Function& item, llvm::ArrayRef<Table> tables, std::vector<llvm::CallInst*>& calls) {
  llvm::Module& module = *item.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* fill = llvm::Function::Create(item.getFunctionType(), item.getLinkage(), item.getName() + ".fill", module);
  fill->copyAttributesFrom(&item);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", fill));
  llvm::LoadInst* memory = load_tables(builder, *fill, kGlobalSpace);
  Value* id = builder.CreateZExtOrTrunc(builder.CreateCall(local_id_function(module)), builder.getInt64Ty());
  id = builder.CreateAnd(id, kByteValues - 1);
  llvm::SmallPtrSet<const llvm::Function*, 8> filled;
  for (const Table& table : tables) {
    if (!filled.insert(table.function).second) continue;
    Value* result = call(builder, table, *fill, builder.CreateTrunc(id, table.function->getArg(1)->getType()), calls);
    Value* place = builder.CreateInBoundsGEP(result->getType(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, table.offset), id);
    llvm::StoreInst* store = builder.CreateAlignedStore(result, place, llvm::Align(table.bits() / 8), /*isVolatile=*/true);
    store->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(context, {}));
  }
  builder.CreateRet(builder.getInt32(~0u));
  return fill;
}

void look_up(llvm::Function& item, llvm::ArrayRef<Table> tables, std::vector<llvm::CallInst*>& calls) {
  llvm::IRBuilder<> builder(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt());
  llvm::LoadInst* memory = load_tables(builder, item, kConstantSpace);
  Value* is_filled = builder.CreateIsNotNull(memory, "is_filled");
  llvm::MDNode* weights = llvm::MDBuilder(item.getContext()).createBranchWeights(kOften, 1);
  for (const Table& table : tables) {
    Instruction* result = table.root.result;
    const auto behind = result->getInsertionPointAfterDef();
    Instruction *filled = nullptr, *computed = nullptr;
    builder.SetInsertPoint(result->getParent(), *behind);
    Value* byte = table.source;
    if (byte->getType()->isVectorTy()) byte = builder.CreateExtractElement(byte, table.root.element);
    Instruction* here = builder.GetInsertPoint() == result->getParent()->end() ? nullptr : &*builder.GetInsertPoint();
    llvm::SplitBlockAndInsertIfThenElse(is_filled, here, &filled, &computed, weights);
    builder.SetInsertPoint(filled);
    Value* index = builder.CreateZExt(builder.CreateTrunc(byte, builder.getInt8Ty()), builder.getInt64Ty());
    llvm::Type* type = table.function->getReturnType();
    Value* base = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, table.offset);
    auto* known = builder.CreateAlignedLoad(type, builder.CreateInBoundsGEP(type, base, index), llvm::Align(table.bits() / 8));
    known->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(item.getContext(), {}));
    builder.SetInsertPoint(computed);
    Value* own = call(builder, table, item, byte, calls);
    builder.SetInsertPoint(here);
    llvm::PHINode* either = builder.CreatePHI(type, 2);
    either->addIncoming(known, filled->getParent());
    either->addIncoming(own, computed->getParent());
    builder.SetInsertPoint(here->getParent(), here->getParent()->getFirstInsertionPt());
    result->replaceAllUsesWith(builder.CreateBitCast(either, result->getType()));
  }
}

}  // namespace

bool leads_to_tables(const Value& pointer) {
  const auto* tables = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(&pointer));
  if (!tables || tables->getFunction()->arg_size() < 2) return false;
  const llvm::DataLayout& layout = tables->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(tables->getPointerOperandType()), 0);
  const Value* object = tables->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return object == tables->getFunction()->getArg(1) && offset == offsetof(abi::GroupInfo, tables);
}

llvm::Function* make_byte_tables(llvm::Function& item, const llvm::TargetMachine& machine, const VectorTraits& traits, bool always,
                                 Analyses& analyses) {
  const auto found = sources(item);
  if (found.empty() || found.size() > kMostSources || item.getInstructionCount() > kMostWithTables) return nullptr;
  const llvm::DominatorTree dominators(item);
  const target::Costs costs(item, machine, traits);
  LaunchValues launch;
  std::vector<Table> tables;
  std::uint32_t bytes = 0;
  llvm::SmallPtrSet<const Instruction*, 32> taken;
  for (Instruction* source : found) {
    const ByteFunctions functions(*source, launch, dominators);
    for (const ByteFunctions::Root& root : TableChoice(functions, *source, costs, always ? 0 : look_up_cost(traits)).roots(taken)) {
      llvm::Function* function = functions.outline(root, (item.getName() + ".of_byte").str());
      simplify_kernel(*function, analyses);
      // The elements of a vector often have the same function.
      const auto same = llvm::find_if(tables, [&](const Table& other) {
        llvm::GlobalNumberState numbers;
        return llvm::FunctionComparator(function, other.function, &numbers).compare() == 0;
      });
      if (same != tables.end()) {
        erase_function(*function, analyses);
        tables.push_back({source, root, same->function, same->offset});
        continue;
      }
      const std::uint32_t size = function->getReturnType()->getIntegerBitWidth() / 8 * kByteValues;
      const auto offset = static_cast<std::uint32_t>(llvm::alignTo(bytes, size));
      tables.push_back({source, root, function, offset});
      bytes = offset + size;
    }
  }
  llvm::Function* fill = nullptr;
  if (!tables.empty() && bytes <= abi::kMostTableBytes) {
    std::vector<llvm::CallInst*> calls;
    fill = make_fill(item, tables, calls);
    look_up(item, tables, calls);
    // What looks up does not compute; while its copy is a call, nothing takes them for the same.
    analyses.invalidate(item);
    llvm::ADCEPass().run(item, analyses.functions());
    for (llvm::CallInst* each : calls) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*each, info);
    }
    analyses.invalidate(item);
    simplify_kernel(item, analyses);
    simplify_kernel(*fill, analyses);
  }
  llvm::SmallSetVector<llvm::Function*, 8> functions;
  for (const Table& table : tables) functions.insert(table.function);
  for (llvm::Function* function : functions) erase_function(*function, analyses);
  return fill;
}

void fill_tables_first(llvm::Function& group, llvm::Function& fill) {
  fill.setLinkage(llvm::GlobalValue::InternalLinkage);
  fill.addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> builder(&group.getEntryBlock(), group.getEntryBlock().getFirstInsertionPt());
  const auto field = [&](unsigned argument, std::uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group.getArg(argument), offset);
  };
  Value* tables = builder.CreateLoad(builder.getPtrTy(), field(1, offsetof(abi::GroupInfo, tables)), "tables");
  Value* number = builder.CreateLoad(builder.getInt64Ty(), field(0, offsetof(abi::LaunchInfo, tables)), "number");
  llvm::Instruction* next = &*builder.GetInsertPoint();
  llvm::MDNode* weights = llvm::MDBuilder(group.getContext()).createBranchWeights(kOften, 1);
  Instruction* has_tables = llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(tables), next, /*Unreachable=*/false, weights);
  builder.SetInsertPoint(has_tables);
  Value* filled_for = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), tables, abi::kMostTableBytes);
  Value* is_other = builder.CreateICmpNE(builder.CreateLoad(builder.getInt64Ty(), filled_for), number);
  weights = llvm::MDBuilder(group.getContext()).createBranchWeights(1, kOften);
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_other, has_tables, /*Unreachable=*/false, weights));
  builder.CreateCall(&fill, {group.getArg(0), group.getArg(1)});
  builder.CreateStore(number, filled_for);
}

}  // namespace weft::compiler::simt
