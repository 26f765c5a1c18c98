// See models.h.
#include <algorithm>

#include "models.h"

namespace weft::device::counters::reference {

namespace {

constexpr unsigned kBanks = 32;

/// How many distinct rows each bank must deliver.
class Banks {
 public:
  void add(unsigned bank, std::uint64_t row) {
    if (rows_.insert(row * kBanks + bank)) most_ = std::max(most_, ++in_bank_[bank]);
  }
  unsigned wavefronts() const { return most_; }

 private:
  SmallSet<kWarpSize * 2> rows_;  // A part of a warp asks for 64 words at most.
  std::array<unsigned, kBanks> in_bank_{};
  unsigned most_ = 0;
};

/// Wavefronts of some of the lanes, with words of 32 bits in 32 banks.
unsigned wavefronts(const WarpAccess& access, std::uint32_t lanes) {
  Banks banks;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned offset = 0; offset < access.width; offset += 4) {
      const std::uint64_t word = (access.address[lane] + offset) / 4;
      banks.add(word % kBanks, word / kBanks);
    }
  });
  return banks.wavefronts();
}

unsigned wavefronts_3x(const WarpAccess& access, std::uint32_t lanes, BankWidth bank_width) {
  Banks banks;
  for_each_lane(lanes, [&](unsigned lane) {
    for (unsigned offset = 0; offset < access.width; offset += 4) {
      const std::uint64_t address = access.address[lane] + offset;
      const unsigned bank = address / (bank_width == BankWidth::bits_64 ? 8 : 4) % kBanks;
      banks.add(bank, address / 256);
    }
  });
  return banks.wavefronts();
}

/// Whether every two active lanes whose numbers differ by `bit` ask for the same address.
bool pairs_agree(const WarpAccess& access, unsigned bit) {
  bool agree = true;
  for_each_lane(access.mask, [&](unsigned lane) {
    const unsigned other = lane ^ bit;
    agree &= !access.active(other) || access.address[lane] == access.address[other];
  });
  return agree;
}

/// The lanes that one request of the hardware serves.
unsigned part_of_warp(Capability capability, const WarpAccess& access) {
  if (access.width <= 4) return kWarpSize;
  if (capability >= kCc30 && capability < kCc50) return access.width == 8 ? kWarpSize : kWarpSize / 2;
  const unsigned part = kWarpSize * 4 / access.width;
  const bool joined =
      capability >= kCc50 && access.kind == Kind::load && (pairs_agree(access, 1) || pairs_agree(access, 2));
  return joined ? 2 * part : part;
}

}  // namespace

LocalCost local_banks(Capability capability, const WarpAccess& access, BankWidth bank_width) {
  LocalCost cost;
  cost.requests = 1;
  const unsigned part = part_of_warp(capability, access);
  for (unsigned first = 0; first < kWarpSize; first += part) {
    const std::uint32_t lanes = access.mask & lanes_of(first, part);
    if (lanes == 0) continue;
    unsigned served = 0;
    if (capability < kCc30) {
      served = wavefronts(access, lanes) + (access.width == 16 ? 1 : 0);
    } else if (capability < kCc50) {
      served = wavefronts_3x(access, lanes, bank_width);
    } else {
      served = wavefronts(access, lanes);
    }
    cost.wavefronts += served;
    cost.conflicts += served - 1;
  }
  return cost;
}

}  // namespace weft::device::counters::reference
