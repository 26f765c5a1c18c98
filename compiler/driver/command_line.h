// What weftc is asked for.
#pragma once

#include <optional>
#include <string>

#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"

namespace weft::compiler::driver {

struct Settings {
  std::string input;
  std::string output = "-";
  std::string kernel;
  std::string options;
  std::string emit = "llvm";
  Specialization specialization;
  passes::PassOptions passes;
  bool pack_builtins = false;
  bool info = false;
  bool time = false;
  std::string list_passes;  ///< "lines" or "markdown"; empty: not asked for
  std::string cpu;
};

/// Sets what the arguments say. Returns the exit status if the program is to end: 0 after the help, 2 after a message about
/// arguments that cannot be understood.
std::optional<int> read_command_line(int argc, char** argv, Settings& settings);

}  // namespace weft::compiler::driver
