// One kernel: compiled once, run by the oracle and as warps in several variants, compared.
#pragma once

#include <string>
#include <vector>

#include "compiler/fuzz/launch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::fuzz {

enum class Verdict {
  kAgree,
  kDiffer,     ///< other results than the oracle's, or an error from the group function
  kBroken,     ///< the warp compiler failed: a pass, LLVM's verifier after one, the code generator
  kRejected,   ///< not OpenCL C, or no fair kernel: work-items at different barriers
};

struct Outcome {
  Verdict verdict = Verdict::kAgree;
  std::string what;             ///< one line
  std::size_t variant = 0;      ///< the one it happened in
  double slowest_ms = 0;        ///< of the compilations to machine code
};

struct CheckOptions {
  bool oracle_of_prepared = false;  ///< the oracle runs what prepare_program() left, not what Clang made
  bool keep_calls = false;          ///< all functions stay calls that may (simt/item/kept_calls.h)
  std::vector<std::string> disable;  ///< passes to leave out
  std::uint64_t data_seed = 1;
  llvm::function_ref<void(std::size_t)> entering = nullptr;  ///< told each variant before it runs
};

/// `text` without its line ends, cut where it is long.
std::string one_line(std::string text);

/// What a kernel is to be compiled with: its line `// options: ...`, if it has one.
std::string build_options(const std::string& source);

/// Runs on the calling thread, which needs a deep stack. Stops at the first variant that fails.
Outcome check(const std::string& source, const std::vector<Variant>& variants, const CheckOptions& options);

}  // namespace weft::fuzz
