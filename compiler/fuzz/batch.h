// Many kernels, checked by child processes: a kernel that crashes or hangs the compiler or itself costs its child only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/fuzz/image_check.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft::fuzz {

struct Job {
  std::string source;
  std::vector<Variant> variants;
  std::shared_ptr<const ImageKernel> images = nullptr;  ///< null but of image kernels, which check_images() looks at
};

/// How a job ended; a crash or a hang is kBroken or kDiffer by where it happened.
struct Report {
  Outcome outcome;
  bool crashed = false;
};

struct BatchOptions {
  unsigned children = 1;        ///< at once
  unsigned per_child = 50;      ///< jobs before a child makes room for a fresh one
  unsigned time_out_s = 60;     ///< a variant
  bool oracle_of_prepared = false;
  bool keep_calls = false;
  std::vector<std::string> disable;  ///< passes to leave out
  bool only_defined = false;    ///< check_defined() alone
};

/// `job(i)` is asked for in a child, `report(i, ...)` told in this process, in no order.
void run_batch(std::size_t count, const BatchOptions& options, llvm::function_ref<Job(std::size_t)> job,
               llvm::function_ref<void(std::size_t, const Report&)> report);

/// One job in a child.
Report run_apart(const Job& job, const BatchOptions& options);

}  // namespace weft::fuzz
