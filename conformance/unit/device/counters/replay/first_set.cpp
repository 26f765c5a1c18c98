// kernels.h of the silicon tables.
#include "cells.h"
#include "kernels.h"

namespace weft::device::counters::replay {

namespace {
#include "cell_types.h"
#include "conformance/silicon/kernels.h"
#include "plain_types.h"

template <typename T>
T* as(unsigned index) {
  return static_cast<T*>(buffers().buffer[index]);
}

}  // namespace

std::optional<Counters> run_first_set(const Launch& launch) {
  using Float = Cell<float>;
  const int n = launch.parameter;
  Float *const out = as<Float>(0), *const in = as<Float>(1);
  const std::map<std::string, std::function<void()>> kernels = {
      {"offset_copy", [=] { offset_copy(out, in, n); }},
      {"stride_copy", [=] { stride_copy(out, in, n); }},
      {"stride_copy_char", [=] { stride_copy_char(as<Cell<char>>(0), as<Cell<char>>(1), n); }},
      {"stride_copy_short", [=] { stride_copy_short(as<Cell<short>>(0), as<Cell<short>>(1), n); }},
      {"stride_copy_double", [=] { stride_copy_double(as<Cell<double>>(0), as<Cell<double>>(1), n); }},
      {"stride_copy_float2", [=] { stride_copy_float2(as<float2>(0), as<float2>(1), n); }},
      {"stride_copy_float4", [=] { stride_copy_float4(as<float4>(0), as<float4>(1), n); }},
      {"gather", [=] { gather(out, in, as<Cell<int>>(2)); }},
      {"divergent_copy", [=] { divergent_copy(out, in, n); }},
      {"soa_sum", [=] { soa_sum(out, in, 65536); }},
      {"bank_stride", [=] { bank_stride(out, n); }},
      {"bank_char", [=] { bank_char(as<Cell<char>>(0), n); }},
      {"bank_double", [=] { bank_double(as<Cell<double>>(0), n); }},
      {"bank_store", [=] { bank_store(out, n); }},
      {"transpose_naive", [=] { transpose_naive(out, in, n); }},
      {"transpose_tile16", [=] { transpose_tile16(out, in, n); }},
      {"transpose_tile16_padded", [=] { transpose_tile16_padded(out, in, n); }},
      {"simple_multiply", [=] { simple_multiply(in, in + (1 << 20), out, n); }},
      {"shared_ab_multiply", [=] { shared_ab_multiply(in, in + (1 << 20), out, n); }},
      {"aat_simple", [=] { aat_simple(in, out, n); }},
      {"aat_shared", [=] { aat_shared(in, out, n); }},
      {"aat_shared_padded", [=] { aat_shared_padded(in, out, n); }},
      {"reduce_interleaved", [=] { reduce_interleaved(out, in); }},
      {"reduce_sequential", [=] { reduce_sequential(out, in); }},
      {"branch_by_lane", [=] { branch_by_lane(out, n); }},
      {"histogram_global", [=] { histogram_global(as<uint>(0), as<uchar>(3)); }},
  };
  const auto kernel = kernels.find(launch.kernel);
  if (kernel == kernels.end()) return std::nullopt;
  fill_random();
  return recorder().run(launch, kernel->second);
}

}  // namespace weft::device::counters::replay
