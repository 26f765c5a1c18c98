// What one access of a warp costs, whatever memory it goes to.
#pragma once

#include <bit>
#include <cstdint>

#include "device/counted_code.h"
#include "device/counters/access.h"
#include "device/counters/capability.h"
#include "device/counters/texture.h"

namespace weft::device::counters {

/// Which fields mean anything depends on the memory; the others are 0.
template <class T>
struct CostFields {
  T requests = 0;      ///< instructions of a warp, with one active lane at least; images: parts of a warp
  T transactions = 0;  ///< global and private memory, of any size
  T transactions_32 = 0, transactions_64 = 0, transactions_128 = 0;  ///< by size in bytes
  T incoherent = 0;         ///< global memory, 1.0 and 1.1: transactions of half-warps that did not coalesce
  T sectors = 0;            ///< global and private memory, images
  T passes = 0;             ///< times that the requests are issued; local memory: wavefronts
  T conflicts = 0;          ///< local and constant memory: passes beyond those that had to be
  T requested_bytes = 0;    ///< what the lanes asked for
  T transferred_bytes = 0;  ///< what transactions moved
  T fewest = 0;  ///< transactions, local and constant memory: passes, images: sectors, that would have done

  template <class U>
  CostFields& operator+=(const CostFields<U>& other) {
    return add(other, T{1});
  }
  /// Adds the cost of `times` such accesses.
  template <class U>
  CostFields& add(const CostFields<U>& other, T times) {
    constexpr unsigned kFields = sizeof *this / sizeof(T);
    struct Sums { T field[kFields]; } sums = std::bit_cast<Sums>(*this);
    struct Added { U field[kFields]; };
    const Added added = std::bit_cast<Added>(other);
    for (unsigned i = 0; i < kFields; ++i) sums.field[i] += times * added.field[i];
    return *this = std::bit_cast<CostFields>(sums);
  }
  bool operator==(const CostFields&) const = default;
};
using AccessCost = CostFields<std::uint32_t>;
using CostSums = CostFields<std::uint64_t>;

/// What accesses are counted by.
struct Model {
  Capability capability;
  /// A reduction whose address and operand the compiler knows to be the same in all lanes is one lane's (joined()).
  bool joins_reductions = false;
  /// Accesses come in order, with all addresses (compiler's Specialization::traced): what depends on these is counted too.
  bool traces = false;
  /// Of each place in the code that accesses memory a run is kept (AccessSample).
  bool samples = false;
};

/// What all accesses of a site have in common.
struct AccessKind {
  abi::CountedSpace space = abi::CountedSpace::kGlobal;
  abi::CountedKind kind = abi::CountedKind::kLoad;
  std::uint16_t width = 4;  ///< bytes of one lane
  std::uint16_t align = 16;  ///< abi::CountedSite::align
  bool joined = false;
  bool operator==(const AccessKind&) const = default;
};
AccessKind kind_of(const Model& model, const abi::CountedSite& site);

/// What the models take, of the lanes in `mask`. Addresses, and the numbers of texels, as abi::CountedRecord says; not without lanes.
WarpAccess access_of(const AccessKind& kind, std::uint32_t mask, const std::uint64_t* address);
WarpTexels texels_of(std::uint32_t mask, const std::uint64_t* number);

/// Of the lanes in `mask`; addresses as abi::CountedRecord says. No lane costs nothing.
AccessCost access_cost(Capability capability, const AccessKind& kind, std::uint32_t mask,
                       const std::uint64_t* address);

/// The bits of an address that matter: accesses cost the same if their addresses differ by one multiple of what these bits can
/// express, the same in all lanes.
std::uint64_t cost_bits(Capability capability, const AccessKind& kind);

}  // namespace weft::device::counters
