#include "compiler/linker/link.h"

#include "compiler/frontend/loop_exits.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/linker/blocks.h"
#include "compiler/linker/builtin_library.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/linker/library_products.h"
#include "compiler/linker/library_tables.h"
#include "compiler/linker/supported.h"
#include "compiler/source_names.h"
#include "compiler/target/target.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace weft::compiler::linker {
namespace {

/// Collects LLVM's diagnostics; without it errors would be printed and end the process.
class LogHandler : public llvm::DiagnosticHandler {
 public:
  explicit LogHandler(std::string& log) : log_(log) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error && info.getSeverity() != llvm::DS_Warning) return true;
    llvm::raw_string_ostream stream(log_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
    info.print(printer);
    stream << '\n';
    return true;
  }

 private:
  std::string& log_;
};

void log_diagnostics(llvm::LLVMContext& context, std::string& log) { context.setDiagnosticHandler(std::make_unique<LogHandler>(log)); }

bool is_whole(const llvm::Module& module, std::string& log) {
  std::string faults;
  llvm::raw_string_ostream stream(faults);
  if (!llvm::verifyModule(module, &stream)) return true;
  log += "error: this is nothing that the compiler made\n" + faults;
  return false;
}

/// Functions that the warp compiler itself defines.
bool is_primitive(const llvm::Function& function) {
  return function.isIntrinsic() || function.getName().starts_with("__weft_") ||
         function.getName() == "printf" || function.getName() == simt::primitive::kTranslateSampler;
}

/// What the warp compiler relies on, whatever the declarations in the library say.
void set_primitive_attributes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || !is_primitive(function)) continue;
    function.setDoesNotThrow();
    function.setWillReturn();
    if (function.getName() == "__weft_barrier") {
      function.setConvergent();
      function.setCannotDuplicate();
      function.setMemoryEffects(llvm::MemoryEffects::unknown());
    } else if (const auto primitive = simt::sub_group_primitive(function.getName()); primitive && primitive->is_convergent()) {
      function.setConvergent();
      function.setDoesNotAccessMemory();
      continue;
    } else if (function.getName() == simt::primitive::kPrefetch || function.getName() == simt::primitive::kCountTexel ||
               function.getName() == frontend::kLeaves) {
      function.removeFnAttr(llvm::Attribute::Convergent);
      function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());  // stays where it is, in nobody's way
    } else if (function.getName() == "printf" || simt::is_queue_function(function)) {
      function.removeFnAttr(llvm::Attribute::Convergent);
    } else {
      function.removeFnAttr(llvm::Attribute::Convergent);
      function.setDoesNotAccessMemory();
      function.setSpeculatable();
    }
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (function.getName() != "__weft_barrier") call->removeFnAttr(llvm::Attribute::Convergent);
  }
}

/// The local memory of builtins/work_group.cl, of a kernel that calls what is there.
void provide_group_parts(llvm::Module& module) {
  llvm::Function* asked = module.getFunction("__weft_group_parts");
  if (!asked) return;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), abi::kMaxWorkGroupSize / abi::kWarpSize);
  auto* parts = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type), "group_parts",
                                         nullptr, llvm::GlobalValue::NotThreadLocal, simt::kLocalSpace);
  parts->setAlignment(llvm::Align(8));
  for (llvm::User* user : llvm::make_early_inc_range(asked->users())) {
    user->replaceAllUsesWith(parts);
    llvm::cast<llvm::CallBase>(user)->eraseFromParent();
  }
  asked->eraseFromParent();
}

llvm::Error check_undefined(const llvm::Module& module) {
  std::string names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.use_empty() && !is_primitive(function))
      names += "error: undefined reference to '" + llvm::demangle(function.getName()) + "'\n";
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && !variable.use_empty())
      names += "error: undefined reference to '" + variable.getName().str() + "'\n";
  return names.empty() ? llvm::Error::success() : llvm::createStringError(names);
}

llvm::Error check_recursion(llvm::Module& module) {
  llvm::CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle()) continue;
    std::string names;
    for (const llvm::CallGraphNode* node : *scc)
      if (node->getFunction() != nullptr)
        names += (names.empty() ? "'" : ", '") + llvm::demangle(node->getFunction()->getName()) + "'";
    return llvm::createStringError("error: recursion is not supported: " + names + "\n");
  }
  return llvm::Error::success();
}

/// Gives an object's source a name of its own, so that line 5 of two sources that are linked is not one line.
void tell_source_apart(llvm::Module& module, llvm::StringRef bytes) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  llvm::SmallPtrSet<llvm::DIFile*, 4> files;
  for (const llvm::DIScope* scope : finder.scopes()) files.insert(scope->getFile());
  for (const llvm::DISubprogram* function : finder.subprograms()) files.insert(function->getFile());
  for (const llvm::DICompileUnit* unit : finder.compile_units()) files.insert(unit->getFile());
  const std::string name = source_name_of_object(llvm::xxh3_64bits(bytes));
  for (llvm::DIFile* file : files) {
    if (file && file->getFilename() == kSourceName) file->replaceOperandWith(0, llvm::MDString::get(module.getContext(), name));
  }
}

}  // namespace

std::string to_log(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  if (!llvm::StringRef(text).starts_with("error: ")) text = "error: " + text;
  if (text.back() != '\n') text += '\n';
  return text;
}

bool check_object(llvm::Module& module, std::string& log) {
  log_diagnostics(module.getContext(), log);
  return is_whole(module, log);
}

std::unique_ptr<llvm::Module> link_objects(const std::vector<const Bytes*>& objects,
                                           llvm::LLVMContext& context, std::string& log) {
  log_diagnostics(context, log);
  std::unique_ptr<llvm::Module> program;
  for (const Bytes* object : objects) {
    const llvm::StringRef bytes(reinterpret_cast<const char*>(object->data()), object->size());
    auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "object"), context);
    if (!module) {
      log += to_log(module.takeError());
      return nullptr;
    }
    if (!is_whole(**module, log)) return nullptr;
    if (objects.size() > 1) tell_source_apart(**module, bytes);
    if (program == nullptr) {
      program = std::move(*module);
    } else if (llvm::Linker::linkModules(*program, std::move(*module))) {
      if (log.empty()) log = "error: objects cannot be linked\n";
      return nullptr;
    }
  }
  if (program == nullptr) log += "error: nothing to link\n";
  return program;
}

llvm::Error link_builtins(llvm::Module& module) {
  if (llvm::Error error = check_objects(module)) return error;
  number_blocks(module);
  const bool needs_any = llvm::any_of(module, [](const llvm::Function& f) {
    return f.isDeclaration() && !f.use_empty() && !is_primitive(f);
  });
  if (needs_any) {
    llvm::SmallPtrSet<const llvm::Function*, 16> own;
    for (const llvm::Function& function : module)
      if (!function.isDeclaration()) own.insert(&function);
    if (llvm::Error error = link_library(module)) return error;
    for (llvm::Function& function : module)
      if (!function.isDeclaration() && !own.contains(&function)) settle_products(function, target::vectors().fused_products);
    choose_tables(module, target::vectors().estimate_bits == 512);
  }
  if (llvm::Error error = check_undefined(module)) return error;
  if (llvm::Error error = check_recursion(module)) return error;
  set_primitive_attributes(module);
  provide_group_parts(module);
  return llvm::Error::success();
}

void retarget(llvm::Module& module) {
  target::set_host_layout(module);
  llvm::SmallVector<llvm::Function*, 8> kernels;
  for (llvm::Function& function : module)
    if (simt::is_kernel(function)) kernels.push_back(&function);

  for (llvm::Function* kernel : kernels) {
    if (kernel->use_empty()) continue;
    llvm::ValueToValueMapTy map;
    llvm::Function* callee = llvm::CloneFunction(kernel, map);
    callee->setName(kernel->getName() + ".called");
    callee->setCallingConv(llvm::CallingConv::C);
    kernel->replaceUsesWithIf(callee,
                              [](llvm::Use& use) { return llvm::isa<llvm::CallBase>(use.getUser()); });
  }
  for (llvm::Function& function : module) {
    if (!simt::is_kernel(function)) {
      function.setCallingConv(llvm::CallingConv::C);
      if (!function.isDeclaration()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          call->setCallingConv(llvm::CallingConv::C);
  }
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration()) variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace weft::compiler::linker
