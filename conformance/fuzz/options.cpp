// Option strings of clBuildProgram, clCompileProgram and clLinkProgram.
#include <cstdlib>

#include "compiler/frontend/options.h"

using namespace weft::compiler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string log;
  const auto compile = frontend::parse_compile_options(text, log);
  if (!compile && log.empty()) std::abort();
  log.clear();
  if (!frontend::parse_link_options(text, log) && log.empty()) std::abort();
  return 0;
}
