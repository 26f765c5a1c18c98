// Facts of the host: processors, memory, caches. Each is read when asked for, limits of control groups once.
#pragma once

#include <cstdint>
#include <string>

namespace weft::runtime::machine {

/// Processors that this process may run on (its affinity mask) and that its control groups give it time of, rounded up; at least 1.
std::uint32_t processors();
/// Bytes of memory: physical, or the limit of the process's control groups if lower.
std::uint64_t memory();
/// The processor's brand string, trimmed.
std::string processor_name();
/// MHz, 0 if unknown.
std::uint32_t max_clock();
/// Bytes; of one cache, if the processors have several.
std::uint64_t last_level_cache();
std::uint32_t cache_line();

}  // namespace weft::runtime::machine
