// How deep the calling thread may still go.
#pragma once

#include <cstddef>

namespace weft::device {

/// Of the stack of a thread that runs a job, what is not the job's: the engine's calls, and what a job's end calls.
inline constexpr std::size_t kOwnStackBytes = 32 * 1024;

/// Bytes left of the calling thread's stack; 0 if it runs on memory that is not its stack (a fiber, a signal's).
std::size_t stack_left() noexcept;

}  // namespace weft::device
