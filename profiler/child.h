// Runs the program that is profiled.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft::profiler {

/// What ended it: a code as shells have it, 128 + n for signal n. 127: there is no such program; 126: it cannot be run.
struct Ending {
  int code = 0;
  int signal = 0;          ///< 0: it exited
  std::string not_started; ///< why, if it could not be started
};

/// Runs it with the environment beside this process's own; the terminal's interrupts are the program's. `says_progress`: a line on stderr
/// each second, from what processes have written into `folder`.
Ending run_program(const std::vector<std::string>& command_line, const std::map<std::string, std::string>& environment,
                   const std::filesystem::path& folder, bool says_progress);

/// "SIGSEGV (Segmentation fault)".
std::string signal_name(int signal);

}  // namespace weft::profiler
