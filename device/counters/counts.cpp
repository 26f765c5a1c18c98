#include "device/counters/counts.h"

namespace weft::device::counters {

Counts& Counts::operator+=(const Counts& other) {
  constexpr unsigned kSums = sizeof(Counts) / sizeof(std::uint64_t);
  struct Sums { std::uint64_t sum[kSums]; };
  auto sums = std::bit_cast<Sums>(*this);
  const auto added = std::bit_cast<Sums>(other);
  for (unsigned i = 0; i < kSums; ++i) sums.sum[i] += added.sum[i];
  return *this = std::bit_cast<Counts>(sums);
}

CostSums& Counts::of(abi::CountedSpace space, abi::CountedKind kind) {
  using abi::CountedKind;
  const bool stores = kind != CountedKind::kLoad;
  switch (space) {
    case abi::CountedSpace::kGlobal:
      return kind == CountedKind::kLoad     ? global_load
             : kind == CountedKind::kStore  ? global_store
             : kind == CountedKind::kAtomic ? global_atomic
                                            : global_reduction;
    case abi::CountedSpace::kLocal:
      return kind == CountedKind::kLoad     ? local_load
             : kind == CountedKind::kStore  ? local_store
             : kind == CountedKind::kAtomic ? local_atomic
                                            : local_reduction;
    case abi::CountedSpace::kPrivate:
      return stores ? private_store : private_load;
    case abi::CountedSpace::kImage:
      return stores ? image_store : image_load;
    case abi::CountedSpace::kConstant:
      break;
  }
  return constant_load;
}

}  // namespace weft::device::counters
