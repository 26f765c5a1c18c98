#include "compiler/spirv/read.h"

#include <dlfcn.h>

#include "compiler/frontend/compile.h"
#include "compiler/frontend/loop_exits.h"
#include "compiler/frontend/options.h"
#include "compiler/frontend/plain_types.h"
#include "compiler/spirv/aggregates.h"
#include "compiler/spirv/blocks.h"
#include "compiler/spirv/loop_constructs.h"
#include "compiler/spirv/math_options.h"
#include "compiler/spirv/opaque_types.h"
#include "compiler/spirv_words.h"
#include "compiler/support/own_files.h"
#include "compiler/translator/translate.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace weft::compiler::spirv {
namespace {

/// The translator, loaded at the first module; null, with the reason in `error`, where it is not installed.
translator::Translate load_translator(std::string& error) {
  struct Loaded {
    translator::Translate function = nullptr;
    std::string error;
  };
  static const Loaded loaded = [] {
    Loaded result;
    for (const std::string& path : support::places_of_own_file(support::kTranslator)) {
      void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!library) {
        if (result.error.empty()) result.error = dlerror();
        continue;
      }
      result.function = reinterpret_cast<translator::Translate>(dlsym(library, "weft_translate_spirv"));
      break;
    }
    return result;
  }();
  if (!loaded.function) error = "error: no translator of SPIR-V: " + loaded.error + "\n";
  return loaded.function;
}

/// What the translator makes of the module, as bitcode; empty, with a log, if nothing.
std::string translated(const Bytes& bytes, const std::vector<SpecConstant>& constants, std::string& log) {
  const std::vector<std::uint32_t> words = spirv_words(bytes);
  if (words.empty()) {
    log = "error: this is no SPIR-V\n";
    return {};
  }
  const translator::Translate translate = load_translator(log);
  if (!translate) return {};
  std::vector<translator::SpecConstant> values;
  for (const SpecConstant& constant : constants) values.push_back({constant.id, constant.bits});
  struct Results {
    std::string bitcode;
    std::string& log;
  } results{{}, log};
  const translator::Sink sink = {&results,
                                 [](void* to, const char* data, std::size_t size) { static_cast<Results*>(to)->bitcode.assign(data, size); },
                                 [](void* to, const char* text, std::size_t size) { static_cast<Results*>(to)->log.assign(text, size); }};
  if (!translate({words.data(), words.size(), values.data(), values.size()}, sink)) results.bitcode.clear();
  return results.bitcode;
}

llvm::Error adopt(llvm::Module& module) {
  frontend::lower_to_plain_types(module);  // of translators that have types of their own for pipes
  if (llvm::Error error = make_block_kernels(module)) return error;
  if (llvm::Error error = give_opaque_types(module)) return error;
  keep_exits_in_constructs(module);
  for (llvm::Function& function : module) {
    split_aggregates(function);
    // As -fno-builtin has it for sources: what a C library has by a name, as printf, LLVM would make puts and putchar of.
    if (!function.isDeclaration()) function.addFnAttr("no-builtins");
    // The library's definitions say what they do.
    if (function.isDeclaration() && !function.isIntrinsic()) function.setMemoryEffects(llvm::MemoryEffects::unknown());
  }
  std::string faults;
  llvm::raw_string_ostream stream(faults);
  if (llvm::verifyModule(module, &stream)) return llvm::createStringError("error: the SPIR-V module cannot be translated: " + faults);
  return llvm::Error::success();
}

}  // namespace

std::unique_ptr<llvm::Module> translate_to_module(const Bytes& bytes, const std::vector<SpecConstant>& constants, llvm::LLVMContext& context,
                                                  std::string& log) {
  const std::string bitcode = translated(bytes, constants, log);
  if (bitcode.empty()) return nullptr;
  // Names of blocks tell of loops.
  const bool drops_names = context.shouldDiscardValueNames();
  context.setDiscardValueNames(false);
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "SPIR-V"), context);
  llvm::Error error = module ? adopt(**module) : module.takeError();
  context.setDiscardValueNames(drops_names);
  if (!error) {
    if (drops_names) frontend::drop_names(**module);
    return std::move(*module);
  }
  log += llvm::toString(std::move(error));
  return nullptr;
}

CompileResult translate(const Bytes& bytes, const std::vector<SpecConstant>& constants, const std::string& options, bool* invalid_options) {
  CompileResult result;
  const auto parsed = frontend::parse_compile_options(options, result.log);
  if (invalid_options != nullptr) *invalid_options = !parsed.has_value();
  if (!parsed) return result;
  llvm::LLVMContext context;
  context.setDiscardValueNames(true);
  const auto module = translate_to_module(bytes, constants, context, result.log);
  if (module == nullptr) return result;
  apply_math_options(*module, *parsed);
  frontend::write_object(*module, *parsed, result);
  return result;
}

}  // namespace weft::compiler::spirv
