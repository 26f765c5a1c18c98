#include "compiler/translator/translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <spirv-tools/libspirv.hpp>

#include <memory>
#include <sstream>
#include <string>

#include "compiler/translator/calls.h"
#include "compiler/translator/hints.h"
#include "compiler/translator/lower.h"

namespace weft::translator {
namespace {

std::string validate(const ParsedModule& module) {
  std::string log;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_ERROR) log += std::string("error: SPIR-V: ") + message + "\n";
  });
  if (!tools.IsValid() || (!tools.Validate(to_words(with_whole_interfaces(without_structure(module)))) && log.empty())) log = "error: the SPIR-V module is not valid\n";
  for (const Instruction& instruction : module.instructions)
    if (log.empty() && instruction.op == spv::OpMemoryModel && instruction.words[1] == spv::AddressingModelPhysical32)
      log = "error: the SPIR-V module is for addresses of 32 bits, the device has 64\n";
  return log;
}

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
  const Words words = lower(with_calls(*parsed), static_cast<std::uint32_t>(SPIRV::VersionNumber::MaximumVersion));
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
