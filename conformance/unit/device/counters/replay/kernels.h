// The kernels of the silicon tables, replayed on the host.
#pragma once

#include <optional>

#include "recorder.h"

namespace weft::device::counters::replay {

/// Four buffers of 256 MiB, of zeros until somebody writes.
struct Buffers {
  void* buffer[4];
};
const Buffers& buffers();

/// Buffer 2: index[i] = (s >> 8) % 65536; buffer 3: byte[i] = (s >> 16) & 255; s = s * 1664525 + 1013904223
/// from 12345.
void fill_random();

/// Runs the kernel; nothing for a name that the set does not hold. The launch's arguments are those that the
/// silicon README gives.
std::optional<Counters> run_first_set(const Launch& launch);
std::optional<Counters> run_second_set(const Launch& launch);
std::optional<Counters> run_third_set(const Launch& launch);
std::optional<Counters> run_fourth_set(const Launch& launch);
std::optional<Counters> run_image_copy(const Launch& launch);

}  // namespace weft::device::counters::replay
