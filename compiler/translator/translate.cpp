#include "compiler/translator/translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <sstream>
#include <string>

#include "compiler/translator/calls.h"
#include "compiler/translator/hints.h"
#include "compiler/translator/loop_names.h"
#include "compiler/translator/lower.h"
#include "compiler/translator/validate.h"

namespace weft::translator {
namespace {

SPIRV::TranslatorOpts options(const Module& module) {
  SPIRV::TranslatorOpts result;
  result.enableAllExtensions();
  result.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL20);
  result.enableGenArgNameMD();
  for (std::size_t i = 0; i < module.num_constants; ++i) result.setSpecConst(module.constants[i].id, module.constants[i].value);
  return result;
}

}  // namespace
}  // namespace weft::translator

__attribute__((visibility("default"))) bool weft_translate_spirv(const weft::translator::Module& module,
                                                                 const weft::translator::Sink& sink) {
  using namespace weft::translator;
  std::string error;
  const Words read = without_hints(module.words, module.num_words);
  const auto parsed = parse(read.data(), read.size(), error);
  if (parsed) error = validate(*parsed);
  if (!error.empty()) {
    sink.log(sink.to, error.data(), error.size());
    return false;
  }
  const Words words = lower(with_named_loops(with_calls(*parsed)), static_cast<std::uint32_t>(SPIRV::VersionNumber::MaximumVersion));
  std::istringstream stream(std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)));
  llvm::LLVMContext context;
#if LLVM_VERSION_MAJOR < 17
  context.setOpaquePointers(false);  // the translator finds types by what pointers point to
#endif
  llvm::Module* translated = nullptr;
  const bool is_read = llvm::readSpirv(context, options(module), stream, translated, error);
  const std::unique_ptr<llvm::Module> owner(translated);
  if (!is_read || !translated) {
    error = "error: the SPIR-V module cannot be translated: " + error + "\n";
    sink.log(sink.to, error.data(), error.size());
    return false;
  }
  std::string bitcode;
  llvm::raw_string_ostream out(bitcode);
  llvm::WriteBitcodeToFile(*translated, out);
  out.flush();
  sink.bitcode(sink.to, bitcode.data(), bitcode.size());
  return true;
}
