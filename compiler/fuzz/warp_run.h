// A kernel's machine code run as the engine runs it, on memory with guards.
#pragma once

#include <cstddef>

#include "compiler/fuzz/launch.h"
#include "device/code.h"
#include "device/counters/counted_kernel.h"

namespace weft::fuzz {

/// Runs all groups of `variant`. Null when they ran to their end, else what happened. `arguments`: LaunchInfo::arguments;
/// `local_bytes`: static variables and __local arguments. `copies`: GroupInfo::copies.
const char* run_warps(const device::Code& code, const std::byte* arguments, std::size_t local_bytes, const Variant& variant,
                      device::counters::WorkerCounts* counts = nullptr, const std::uint64_t* copies = nullptr);

}  // namespace weft::fuzz
