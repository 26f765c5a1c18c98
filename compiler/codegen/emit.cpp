#include "compiler/codegen/emit.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
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

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                FileKind kind) {
  if (llvm::Error error = check_complete(module)) return error;
  // Only remarks of the passes need source lines; nobody reads them in a loaded object.
  llvm::StripDebugInfo(module);
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  // The loader knows memcpy and its like; code may call no other function of the C library.
  llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  const auto file_type =
      kind == FileKind::kObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, file_type, /*DisableVerify=*/true))
    return llvm::createStringError("error: the host's target cannot emit code\n");
  passes.run(module);
  return buffer;
}

}  // namespace weft::compiler::codegen
