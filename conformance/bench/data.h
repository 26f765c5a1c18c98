// Inputs of the cases: the same on every machine.
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <vector>

namespace weft::bench {

/// `count` numbers in [low, high).
inline std::vector<float> noise(std::size_t count, unsigned seed, float low, float high) {
  std::vector<float> values(count);
  for (float& v : values) {
    seed = seed * 1664525u + 1013904223u;
    v = low + (high - low) * static_cast<float>(seed >> 8) / 16777216.0f;
  }
  return values;
}

/// `count` integers below `bound`, at most 2^24.
inline std::vector<cl_uint> noise_below(std::size_t count, unsigned seed, cl_uint bound) {
  std::vector<cl_uint> values(count);
  for (cl_uint& v : values) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<cl_uint>((static_cast<cl_ulong>(seed >> 8) * bound) >> 24);
  }
  return values;
}

}  // namespace weft::bench
