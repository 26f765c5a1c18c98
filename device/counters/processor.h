// Which of three ways to compile a function suits this processor.
#pragma once

namespace weft::device::counters {

// By hand in place of target_clones, whose resolvers run before a sanitizer's own start.
#define WEFT_SSE42 [[gnu::target("sse4.2")]]
#define WEFT_AVX2 [[gnu::target("avx2,popcnt")]]
#define WEFT_AVX512 [[gnu::target("avx512f,avx512dq,avx512vl,popcnt,prefer-vector-width=512")]]

template <typename F>
F for_this_processor(F sse42, F avx2, F avx512) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return avx512;
  return __builtin_cpu_supports("avx2") ? avx2 : sse42;
}

}  // namespace weft::device::counters
