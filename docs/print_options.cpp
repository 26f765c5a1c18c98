// Prints docs/options.md from the one list of options (target `docs-options`).
#include <cstdio>

#include "runtime/options.h"

int main() {
  std::puts("# Options\n");
  std::puts("Environment variables that the platform reads, made from `runtime/options.def` and");
  std::puts("`compiler/options.def` (target `docs-options`). `WEFT_HELP=1` prints the same list from any OpenCL program.\n");
  std::fputs(weft::runtime::describe_options(true).c_str(), stdout);
}
