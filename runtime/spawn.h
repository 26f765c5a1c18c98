// Starts a helper process that the program does not notice.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace weft::runtime {

/// Runs `arguments[0]`, an absolute path, with one end of a socket as descriptor 3, and returns the other end; negative where
/// that cannot be. The process is no child of this one: no SIGCHLD, nothing that `wait` returns. It has a session of its own, so
/// that no key pressed at the terminal ends it, /dev/null for input and output, no other descriptor, and of the environment what
/// the dynamic loader and the sanitizers read, and a malloc that is set for LLVM. The other end's closing tells it that this process is gone.
int spawn_helper(const std::vector<std::string>& arguments);

}  // namespace weft::runtime
