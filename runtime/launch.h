// A kernel's launch over an index space: what it is compiled for, its code, and what the engine gets.
#pragma once

#include "runtime/event.h"
#include "runtime/kernel.h"
#include "runtime/ndrange.h"

namespace weft::runtime {

/// Makes `command` one that runs `kernel` over `range`, with the arguments that it has now; of no work if the range is
/// empty. Code that is still to be made makes the command ready when it is there. Once warm, allocates nothing (but device::WorkerCopies) and takes no
/// mutex. Throws Error.
void set_launch(Event& command, Kernel& kernel, const NDRange& range);

/// What is left for a command that has its kernel and its arguments. `tree`: of a launch by a kernel, whose code is never made within the
/// call; else null. Throws Error.
void set_code(Event& command, const NDRange& range, const std::shared_ptr<const LaunchTree>& tree);

}  // namespace weft::runtime
