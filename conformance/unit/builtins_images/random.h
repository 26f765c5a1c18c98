// Random numbers, the same on every machine.
#pragma once

#include <cstdint>

namespace weft::test {

class Random {
 public:
  /// Below `bound`, which is at most 2^31.
  std::uint32_t operator()(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state_ >> 33) * bound >> 31);
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace weft::test
