// What a warp's access to local (CUDA: shared) memory costs, by compute capability.
#pragma once

#include "device/counters/access.h"
#include "device/counters/capability.h"

namespace weft::device::counters {

/// Sums over accesses are sums of the fields.
struct LocalCost {
  unsigned requests = 0;    ///< instructions of a warp, with one active lane at least
  unsigned wavefronts = 0;  ///< steps, each free of conflicts, that serve the requests
  unsigned conflicts = 0;   ///< wavefronts beyond those that an access of this width needs without a conflict

  LocalCost& operator+=(const LocalCost& other);
};

/// Which word a 1.x device broadcasts in a step is unspecified (Programming Guide §3.1.2.5): the one that
/// serves most, or the one that serves least.
enum class Broadcast : std::uint8_t { best, worst };

/// Whether a 3.x device's banks hold successive 32-bit words, its default, or 64-bit words (CUDA C Best
/// Practices Guide §9.2.2.1). A bank delivers 64 bits in either mode.
enum class BankWidth : std::uint8_t { bits_32, bits_64 };

struct LocalOptions {
  Broadcast broadcast = Broadcast::best;
  BankWidth bank_width = BankWidth::bits_32;
};

/// Chooses the capability's rule. An access that is no aligned word counts as the instructions that it needs.
LocalCost local_access(Capability capability, const WarpAccess& access, LocalOptions options = {});

// The rules, for an aligned word. Each is in the file of its name.

/// 1.x: 16 banks for a half-warp, one broadcast word a step (local_half_warps.cpp).
LocalCost local_half_warps(const WarpAccess& access, Broadcast broadcast);
/// 2.x and higher, loads and stores: 32 banks, a word reaches all lanes that ask for it (local_banks.cpp).
LocalCost local_banks(Capability capability, const WarpAccess& access, BankWidth bank_width);
/// 2.x and higher, atomics (local_atomics.cpp).
LocalCost local_atomics(const WarpAccess& access);

}  // namespace weft::device::counters
