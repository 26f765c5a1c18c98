// Work in children of this process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace weft::conformance {

/// Runs `work(i)` in so many children at once; how many of them did not say true within half a minute.
template <typename F>
int in_processes(int count, F work) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      int result = 1;
      try {
        result = work(i) ? 0 : 2;
      } catch (...) {
      }
      _exit(result);
    }
    children.push_back(child);
  }
  int failed = 0;
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ++failed;
  }
  return failed;
}

}  // namespace weft::conformance
