#include "device/counters/bank_steps.h"

#include <bit>
#include <cstring>

#include "device/counters/processor.h"

namespace weft::device::counters {

namespace {

[[gnu::always_inline]] inline BankSteps count(const std::uint64_t* address, std::uint32_t mask) {
  // Written as vectors: GCC leaves a loop with such shifts as it is.
  using Lanes __attribute__((vector_size(64))) = std::uint64_t;
  constexpr unsigned kLanes = sizeof(Lanes) / sizeof(std::uint64_t);
  const Lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7}, masks = Lanes{} + mask;
  Lanes places{};
  for (unsigned first = 0; first < kWarpSize; first += kLanes) {
    Lanes at;
    std::memcpy(&at, address + first, sizeof at);
    places |= (masks >> (numbers + first) & 1) << (at >> 2 & 63);
  }
  std::uint64_t words = 0;
  for (unsigned i = 0; i < kLanes; ++i) words |= places[i];
  const int lanes = std::popcount(mask);
  if (std::popcount(words) != lanes) return {0, 0};
  const int banks = std::popcount(static_cast<std::uint32_t>(words | words >> 32));
  return {banks == lanes ? 1u : 2u, static_cast<unsigned>(lanes)};
}

WEFT_SSE42 BankSteps count_sse42(const std::uint64_t* address, std::uint32_t mask) { return count(address, mask); }
WEFT_AVX2 BankSteps count_avx2(const std::uint64_t* address, std::uint32_t mask) { return count(address, mask); }
WEFT_AVX512 BankSteps count_avx512(const std::uint64_t* address, std::uint32_t mask) { return count(address, mask); }

}  // namespace

CountBankSteps count_bank_steps() { return for_this_processor(count_sse42, count_avx2, count_avx512); }

bool have_bank_steps(Capability capability, const AccessKind& kind) {
  // 3.x has banks of 64 bits.
  return kind.space == abi::CountedSpace::kLocal && kind.kind <= abi::CountedKind::kStore && kind.width == 4 && kind.align >= 4 &&
         capability >= kCc20 && (capability < kCc30 || capability >= kCc50);
}

}  // namespace weft::device::counters
