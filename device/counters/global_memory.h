// What a warp's access to global memory costs, by compute capability.
#pragma once

#include <functional>

#include "device/counters/access.h"
#include "device/counters/capability.h"

namespace weft::device::counters {

/// Whether loads pass through the 128-byte lines of a 2.x device's first-level cache ("-dlcm=ca", its
/// default) or go to the second level alone (CUDA C Best Practices Guide §9.2.1). Other capabilities ignore
/// it.
enum class GlobalCaching : std::uint8_t { first_level, second_level };

/// Sums over accesses are sums of the fields.
struct GlobalCost {
  unsigned requests = 0;      ///< instructions of a warp, with one active lane at least
  unsigned transactions = 0;  ///< of any size
  unsigned transactions_32 = 0, transactions_64 = 0, transactions_128 = 0;  ///< by size in bytes
  unsigned incoherent =
      0;                 ///< transactions of half-warps that did not coalesce (1.0 and 1.1: gld_incoherent)
  unsigned sectors = 0;  ///< 32-byte sectors touched, once for each pass (2.x and higher)
  unsigned passes =
      0;  ///< times that the request is issued: 1, or for an atomic the most repeats of an address
  unsigned requested_bytes = 0;    ///< what the lanes asked for
  unsigned transferred_bytes = 0;  ///< what the transactions moved
  unsigned fewest = 0;  ///< transactions that would have done, were the same distinct bytes side by side

  GlobalCost& operator+=(const GlobalCost& other);
};

/// Is told of each transaction: its address, a multiple of its size or of 32, and its bytes.
using TransactionSink = std::function<void(std::uint64_t address, unsigned bytes)>;

/// Chooses the capability's rule. An access that is no aligned word counts as the instructions that it needs.
GlobalCost global_access(Capability capability, const WarpAccess& access,
                         GlobalCaching caching = GlobalCaching::first_level);

/// The transactions of 1.x devices, whose memory has partitions (partitions.h).
void for_each_transaction(Capability capability, const WarpAccess& access, const TransactionSink& sink);

// The rules, for an aligned word. Each is in the file of its name.

/// 1.0 and 1.1: the k-th lane of a half-warp accesses the k-th word (global_in_order.cpp).
GlobalCost global_in_order(const WarpAccess& access, const TransactionSink* sink = nullptr);
/// 1.2 and 1.3: the segments of a half-warp, each shrunk to what is used (global_segments.cpp).
GlobalCost global_segments(const WarpAccess& access, const TransactionSink* sink = nullptr);
/// 2.x loads through the first-level cache: its 128-byte lines (global_sectors.cpp).
GlobalCost global_lines(const WarpAccess& access);
/// 2.x past that cache, 3.x, 5.x and 9.0: 32-byte sectors (global_sectors.cpp).
GlobalCost global_sectors(const WarpAccess& access);
/// 2.x and higher, atomics with and without result (global_atomics.cpp).
GlobalCost global_atomics(const WarpAccess& access);

}  // namespace weft::device::counters
