// Prints docs/counters.md from the one list of counters (target `docs-counters`).
#include <cstdio>

#include "device/counters/counter_list.h"

int main() {
  std::puts("# Counters\n");
  std::puts("What a GPU would have counted, made from `device/counters/counter_list.def` (target `docs-counters`). A launch has the");
  std::puts("counters of the compute capability that it is counted by (`WEFT_COMPUTE_CAPABILITY`); a source line those \"of lines\". The");
  std::puts("rules are in `device/counters/`, each with its source; where a rule and silicon differ, `conformance/silicon/README.md`");
  std::puts("says so. Formulas name fields of `device/counters/counts.h`.\n");
  std::puts("- *Warp* and *lane*: an instruction counts once a warp with one active lane at least, or once for each active lane.");
  std::puts("  Instructions are operations of the program's code after the clean-up that a GPU's compiler does too, not machine code;");
  std::puts("  loads, stores and branches correspond, the sum does not.");
  std::puts("- Counters of a GPU's profiler for 1.x are of one multiprocessor or cluster; here they are of the whole launch.");
  std::puts("- A reduction is an atomic whose result is not used.");
  std::puts("- Counters that are \"traced\" depend on the order of accesses: a launch has them if its queue asks for one, or with");
  std::puts("  `WEFT_PROFILE_TRACE=1` ([how](counting.md#traced-launches)).");
  std::puts("- Not counted: what depends on time (achieved occupancy, stalls), and the reads of a kernel's own arguments.");
  std::puts("- A line without a counter has 0 of it in `WEFT_PROFILE`'s files.\n");
  std::fputs(weft::device::counters::describe_counters().c_str(), stdout);
}
