#include "compiler/codegen/emit.h"

#include "compiler/codegen/kept_order.h"
#include "compiler/codegen/mask_moves.h"
#include "compiler/codegen/reassignment.h"
#include "compiler/codegen/sunk_addresses.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

namespace weft::compiler::codegen {
namespace {

/// No linker follows, so every function in use must be defined, and there must be an entry. Leaving out passes may break both.
llvm::Error check_complete(const llvm::Module& module) {
  bool entry = false;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration())
      entry |= function.hasExternalLinkage();
    else if (!function.isIntrinsic() && !function.use_empty())
      return llvm::createStringError("error: nothing defines '" + function.getName() + "'\n");
  }
  return entry ? llvm::Error::success() : llvm::createStringError("error: no group function was made\n");
}

/// Adds up what LLVM says of functions' frames, which it says of those that take more than their "warn-stack-size".
class StackMeter : public llvm::DiagnosticHandler {
 public:
  explicit StackMeter(std::uint64_t& bytes) : bytes_(bytes) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* size = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      bytes_ += size->getStackSize();
      return true;
    }
    return false;
  }

 private:
  std::uint64_t& bytes_;
};

/// Instructions of a function from which on it is long, and large.
constexpr unsigned kLong = 2'000, kLarge = 10'000;

/// More than so many.
bool has_function_of(const llvm::Module& module, unsigned instructions) {
  return llvm::any_of(module, [&](const llvm::Function& function) { return function.getInstructionCount() > instructions; });
}

/// Leaves out what takes long for large functions and hardly finds anything there: moving what is computed of masks from general registers to mask
/// registers, an eighth of all of machine code's time for tens of thousands of instructions.
class LargeFunctionGate : public llvm::OptPassGate {
 public:
  explicit LargeFunctionGate(const llvm::Module& module)
      : is_large_(has_function_of(module, kLarge)) {}
  bool isEnabled() const override { return is_large_; }
  bool shouldRunPass(const llvm::StringRef pass, llvm::StringRef) override { return pass != "X86 Domain Reassignment Pass"; }

 private:
  bool is_large_;
};

/// What `addPassesToEmitFile` adds, and passes of ours: LLVM lets none be put into its list otherwise. False if the target cannot emit
/// code.
bool add_passes(llvm::legacy::PassManager& passes, llvm::LLVMTargetMachine& machine, llvm::raw_pwrite_stream& stream,
                const FileKind kind) {
  llvm::TargetPassConfig* config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  order_sunk_addresses(*config);
  config->insertPass(&llvm::PHIEliminationID, make_mask_moves_pass());
  passes.add(config);
  auto* functions = new llvm::MachineModuleInfoWrapperPass(&machine);
  passes.add(functions);
  if (config->addISelPasses()) return false;
  config->addMachinePasses();
  config->setInitialized();
  const auto type = kind == FileKind::kObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addAsmPrinter(passes, stream, nullptr, type, functions->getMMI().getContext())) return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

}  // namespace

llvm::Expected<MachineCode> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                FileKind kind) {
  if (llvm::Error error = check_complete(module)) return error;
  [[maybe_unused]] static const bool once = (let_functions_keep_order(), true);
  // Only remarks of the passes need source lines; nobody reads them in a loaded object.
  llvm::StripDebugInfo(module);
  MachineCode code;
  llvm::raw_svector_ostream stream(code.bytes);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("warn-stack-size", "0");
  llvm::legacy::PassManager passes;
  // The loader knows memcpy and its like; code may call no other function of the C library.
  llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  if (!add_passes(passes, static_cast<llvm::LLVMTargetMachine&>(machine), stream, kind))
    return llvm::createStringError("error: the host's target cannot emit code\n");
  llvm::LLVMContext& context = module.getContext();
  auto handler = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<StackMeter>(code.stack_bytes));
  LargeFunctionGate gate(module);
  llvm::OptPassGate& own_gate = context.getOptPassGate();
  context.setOptPassGate(gate);
  const Reassignment reassignment(/*is_left_out=*/has_function_of(module, kLong));
  passes.run(module);
  context.setOptPassGate(own_gate);
  context.setDiagnosticHandler(std::move(handler));
  return code;
}

}  // namespace weft::compiler::codegen
