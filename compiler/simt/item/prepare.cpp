#include "compiler/simt/item/prepare.h"

#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/item/asked_values.h"
#include "compiler/simt/item/complete_unroll.h"
#include "compiler/simt/item/divergent_exits.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/loop_elements.h"
#include "compiler/simt/item/narrow_extremes.h"
#include "compiler/simt/item/outside_reads.h"
#include "compiler/simt/item/shared_results.h"
#include "compiler/simt/item/single_elements.h"
#include "compiler/simt/item/single_iterations.h"
#include "compiler/simt/analysis/uniformity.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

namespace weft::compiler::simt {
namespace {

/// Reads and writes of images stay calls until specialize-images; only then is known what they have to do. What large kernels call
/// stays calls to the end.
bool stays_call(const llvm::Function& function) {
  return !function.isDeclaration() && (function.getName().starts_with(primitive::kImageFunction) || is_kept_call(function));
}

/// The functions of the library whose results calls may share are inlined once these do.
void inline_shared_results(llvm::Module& module, Analyses& analyses) {
  bool has_any = false;
  for (llvm::Function& function : module)
    if (has_shared_result(function) && !stays_call(function)) {
      function.addFnAttr(llvm::Attribute::AlwaysInline);
      has_any = true;
    }
  if (!has_any) return;
  const auto forget = [&] {
    analyses.modules().clear();
    analyses.functions().clear();
  };
  forget();  // what calls were inlined to
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) share_results(function, analyses);
  forget();
  llvm::AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses.modules());
}

}  // namespace

llvm::Error check_inlined(const llvm::Module& module) {
  std::string remaining;
  for (const llvm::Function& function : module) {
    if (!is_kernel(function)) continue;
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function* callee = call->getCalledFunction();
              callee && !callee->isDeclaration() && !stays_call(*callee))
            remaining += "error: function '" + callee->getName().str() + "' cannot be inlined\n";
  }
  return remaining.empty() ? llvm::Error::success() : llvm::createStringError(remaining);
}

llvm::Error inline_calls(llvm::Module& module, unsigned most_instructions, Analyses& analyses) {
  // Kernels are the roots; everything that they do not reach goes before work is done on it. Headers of some programs hold hundreds of
  // functions of which a kernel calls a few.
  llvm::GlobalDCEPass().run(module, analyses.modules());
  analyses.modules().clear();
  // What is inlined is copied once for each function on the way to a kernel: without its variables in memory it is small.
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !is_kernel(function) && !stays_call(function)) {
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      llvm::PromotePass().run(function, analyses.functions());
    }
  // Inlining already follows branches that it sees through.
  keep_exits_of_functions(module, analyses);
  keep_calls_of_large_kernels(module, most_instructions);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (is_kernel(function)) {
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      continue;
    }
    if (stays_call(function) || has_shared_result(function)) {
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      for (llvm::User* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->removeFnAttr(llvm::Attribute::AlwaysInline);
      continue;
    }
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) call->removeFnAttr(llvm::Attribute::NoInline);
  }
  analyses.functions().clear();
  llvm::AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses.modules());
  for (llvm::Function& function : module)
    if (is_kernel(function) && !keeps_calls(function)) inline_kept_calls(function);
  inline_shared_results(module, analyses);
  hand_over_asked_values(module);
  analyses.modules().clear();
  analyses.functions().clear();

  if (llvm::Error error = check_inlined(module)) return error;
  // What was inlined goes.
  llvm::GlobalDCEPass().run(module, analyses.modules());
  analyses.modules().clear();
  analyses.functions().clear();
  return llvm::Error::success();
}

namespace {

/// Copies structs passed by value to private variables: they live in the launch's argument block, which all
/// work-items share and may only read. (Promotion drops copies that nothing writes to.)
void copy_by_value_arguments(llvm::Function& kernel) {
  llvm::IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  const llvm::DataLayout& layout = kernel.getDataLayout();
  for (llvm::Argument& argument : kernel.args()) {
    if (!argument.hasByValAttr() || argument.use_empty()) continue;
    llvm::Type* type = argument.getParamByValType();
    llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
    const llvm::Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
    copy->setAlignment(align);
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &argument, align, layout.getTypeAllocSize(type).getFixedValue());
  }
}

/// A SimplifyCFG that does not thread jumps over shared memory accesses (volatile by then), sink or hoist common
/// code, or make tables.
llvm::SimplifyCFGPass simplify_cfg() {
  return llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                   .convertSwitchToLookupTable(false)
                                   .convertSwitchRangeToICmp(true)
                                   .hoistCommonInsts(false)
                                   .sinkCommonInsts(false)
                                   .needCanonicalLoops(true));
}

/// LICM promotes no memory in kernels of more instructions: LLVM 19 rebuilds its MemorySSA for each promoted place, in time
/// quadratic in the function's size (hashcat's MD5-crypt, 170,000 instructions once inlined: 15 s without promotion, not
/// done after 5 minutes with it).
constexpr unsigned kMaxInstructionsForPromotion = 20'000;

llvm::LICMPass hoist_invariants(const llvm::Function& kernel) {
  llvm::LICMOptions options;
  if (kernel.getInstructionCount() > kMaxInstructionsForPromotion) options.MssaNoAccForPromotionCap = 0;
  return llvm::LICMPass(options);
}

/// Nobody else sees a private variable, so `volatile` says nothing of an integer or a pointer there: programs write it against some
/// compiler's registers, and an index out of memory has no known shape. That of floating-point numbers stays: it may keep roundings from relaxed math.
void drop_volatile_privates(llvm::Function& kernel) {
  for (llvm::BasicBlock& block : kernel)
    for (llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || !instruction.isVolatile() || llvm::getLoadStoreType(&instruction)->isFPOrFPVectorTy()) continue;
      if (!llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) continue;
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(false);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(false);
    }
}

bool is_shared(const llvm::Value* pointer) {
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  return space == kGlobalSpace || space == kLocalSpace || space == kGenericSpace;
}

void mark_nonvolatile(llvm::Instruction& access) {
  access.setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(access.getContext(), {}));
}

/// Whether `instruction` accesses shared memory, and the program itself calls that volatile or it has lost its mark.
bool is_unmarked_volatile(const llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && is_shared(pointer) && asked_volatile(instruction);
}

}  // namespace

void promote_privates(llvm::Function& kernel, Analyses& analyses) {
  if (is_kernel(kernel)) copy_by_value_arguments(kernel);
  drop_volatile_privates(kernel);
  llvm::FunctionPassManager passes;
  passes.addPass(OutsideReadsPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.run(kernel, analyses.functions());
  fold_component_permutes(kernel);
}

void simplify_kernel(llvm::Function& kernel, Analyses& analyses) {
  const bool asks_for_volatile = llvm::any_of(llvm::instructions(kernel), is_unmarked_volatile);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(simplify_cfg());
  passes.addPass(llvm::InstCombinePass());
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(hoist_invariants(kernel));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  }
  passes.addPass(SingleIterationsPass());
  passes.addPass(PaddedTablesPass());
  passes.addPass(CompleteUnrollPass());
  passes.addPass(OutsideReadsPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(LoopElementsPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(NarrowExtremesPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(simplify_cfg());
  passes.addPass(SingleElementsPass());
  passes.addPass(llvm::ADCEPass());
  passes.run(kernel, analyses.functions());
  fold_component_permutes(kernel);
  // One load of what two sides of a branch load, as InstCombine makes it, has no mark, whatever theirs were.
  if (asks_for_volatile) return;
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (is_unmarked_volatile(instruction)) mark_nonvolatile(instruction);
}

namespace {

/// Local memory is the group's alone, whose accesses complete one after the other for all lanes: what the program calls volatile there
/// is no more than that.
template <typename Access>
void pin(Access& access) {
  if (access.isVolatile() && access.getPointerAddressSpace() != kLocalSpace) return;
  access.setVolatile(true);
  mark_nonvolatile(access);
}

}  // namespace

void pin_shared_memory(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_shared(pointer)) pin(*load);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && is_shared(pointer))
        pin(*store);
      if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) pin(*update);
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) pin(*exchange);
    }
  }
}

void drop_unused_declarations(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty()) function.eraseFromParent();
}

}  // namespace weft::compiler::simt
