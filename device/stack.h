// How deep the calling thread may still go.
#pragma once

#include <cstddef>

namespace weft::device {

/// Bytes left of the calling thread's stack; 0 if it runs on memory that is not its stack (a fiber, a signal's).
std::size_t stack_left() noexcept;

}  // namespace weft::device
