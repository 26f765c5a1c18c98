// Which of a launch's buffers its workers may have copies of.
#pragma once

#include <span>

#include "compiler/compiler_api.h"
#include "device/worker_copies.h"
#include "runtime/kernel.h"

namespace weft::runtime {

/// `updated`, as `arguments` have them: all of it, since the code takes all or none. None unless each is a buffer whose memory no other
/// argument shows, an address that is no memory object's (shared virtual memory) among them. Allocates nothing.
device::WorkerCopies::Buffers updated_buffers(std::span<const abi::UpdatedBuffer> updated, const compiler::KernelInfo& kernel,
                                              const LaunchArguments& arguments);

}  // namespace weft::runtime
