// kernels3.h of the silicon tables: one warp, by a pattern of indices.
#include "cells.h"
#include "conformance/silicon/patterns.h"
#include "kernels.h"

namespace weft::device::counters::replay {

namespace {
#include "cell_types.h"
#include "conformance/silicon/kernels3.h"
#include "plain_types.h"
}  // namespace

std::optional<Counters> run_third_set(const Launch& launch) {
  auto* const out = static_cast<Cell<float>*>(buffers().buffer[0]);
  // A small allocation came before it: 512 bytes, which matters to atomics.
  auto* const bins = static_cast<Cell<int>*>(buffers().buffer[0]) + 128;
  auto* const index = static_cast<Cell<int>*>(buffers().buffer[2]);
  const std::map<std::string, std::function<void()>> kernels = {
      {"load2", [=] { load2(out, index); }},
      {"load4", [=] { load4(out, index); }},
      {"store2", [=] { store2(out, index); }},
      {"store4", [=] { store4(out, index); }},
      {"atomic1", [=] { atomic1(bins, index); }},
      {"reduction", [=] { reduction(bins, index); }},
      {"atomic_result", [=] { atomic_result(bins, index); }},
  };
  const auto kernel = kernels.find(launch.kernel);
  if (kernel == kernels.end()) return std::nullopt;
  for (int lane = 0; lane < 32; ++lane) {
    static_cast<int*>(buffers().buffer[2])[lane] = pattern_index(launch.parameter, lane);
  }
  return recorder().run(launch, kernel->second);
}

}  // namespace weft::device::counters::replay
