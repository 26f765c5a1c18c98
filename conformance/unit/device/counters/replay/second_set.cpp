// kernels2.h of the silicon tables.
#include "cells.h"
#include "kernels.h"

namespace weft::device::counters::replay {

namespace {
#include "cell_types.h"
#include "conformance/silicon/kernels2.h"
#include "plain_types.h"
}  // namespace

std::optional<Counters> run_second_set(const Launch& launch) {
  const int n = launch.parameter;
  auto* const out = static_cast<Cell<float>*>(buffers().buffer[0]);
  auto* const in = static_cast<Cell<float>*>(buffers().buffer[1]);
  auto* const index = static_cast<Cell<int>*>(buffers().buffer[2]);
  auto* const bins = static_cast<Cell<int>*>(buffers().buffer[0]);
  auto* const shorts = static_cast<Cell<short>*>(buffers().buffer[0]);
  const std::map<std::string, std::function<void()>> kernels = {
      {"shared_float2", [=] { shared_float2(out, n); }},
      {"shared_float4", [=] { shared_float4(out, n); }},
      {"shared_short", [=] { shared_short(shorts, n); }},
      {"shared_gather", [=] { shared_gather(out, index); }},
      {"shared_half_warp", [=] { shared_half_warp(out, n); }},
      {"atomic_same", [=] { atomic_same(bins); }},
      {"atomic_modulo", [=] { atomic_modulo(bins, n); }},
      {"atomic_strided", [=] { atomic_strided(bins, n); }},
      {"atomic_shared_modulo", [=] { atomic_shared_modulo(bins, n); }},
      {"private_array", [=] { private_array(out, index); }},
      {"constant_by_lane", [=] { constant_by_lane(out, n); }},
      {"early_return", [=] { early_return(out, in, n); }},
      {"column_sum", [=] { column_sum(out, in, n); }},
  };
  const auto kernel = kernels.find(launch.kernel);
  if (kernel == kernels.end()) return std::nullopt;
  fill_random();
  recorder().set_constant(table, sizeof table);
  recorder().join_reductions(launch.kernel == "atomic_same");
  Counters counters = recorder().run(launch, kernel->second);
  recorder().join_reductions(false);
  return counters;
}

}  // namespace weft::device::counters::replay
