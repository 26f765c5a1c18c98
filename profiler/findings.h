// What a run shows that the guides advise against.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/kernel_use.h"
#include "profiler/source_texts.h"

namespace weft::profiler {

enum class AdviceId {
#define WEFT_ADVICE(id, title, section, severity, text) id,
#include "profiler/advice.def"
#undef WEFT_ADVICE
};

struct Advice {
  AdviceId id;
  const char* name;
  const char* title;
  const char* section;
  int severity;  ///< 1 to 3
  const char* text;
};
const Advice& advice(AdviceId id);

struct Finding {
  AdviceId id;
  std::size_t use = kNone;  ///< of uses_of(); none: of the run
  std::string file;
  std::uint32_t line = 0;  ///< 0: of the whole kernel
  double steps = 0;        ///< wasted_steps() of it; 0 where steps say nothing
  std::string detail;      ///< figures, in one sentence
};

/// All, the gravest first: by severity, then by steps; those of kernels with less than a hundredth of the time last.
std::vector<Finding> findings_of(const Run& run, const std::vector<KernelUse>& uses);

// Its parts.
void find_by_counters(const Run& run, const KernelUse& use, std::size_t number, SourceTexts& texts, std::vector<Finding>& found);
void find_in_run(const Run& run, const std::vector<KernelUse>& uses, std::vector<Finding>& found);
void find_in_source(const Run& run, const KernelUse& use, std::size_t number, SourceTexts& texts, std::vector<Finding>& found);

/// "12.3", "1,234".
std::string spelled(double value);

}  // namespace weft::profiler
