#include "device/counters/access_cost.h"

#include <algorithm>

#include "device/counters/constant_memory.h"
#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "device/counters/private_memory.h"

namespace weft::device::counters {

using abi::CountedKind;
using abi::CountedSpace;

namespace {

/// A texel's number (abi::CountedRecord).
constexpr unsigned kRowShift = 28, kBytesShift = 56;
constexpr std::uint64_t kCoordinate = (std::uint64_t{1} << kRowShift) - 1;

AccessCost of_global(const GlobalCost& cost) {
  return {.requests = cost.requests,
          .transactions = cost.transactions,
          .transactions_32 = cost.transactions_32,
          .transactions_64 = cost.transactions_64,
          .transactions_128 = cost.transactions_128,
          .incoherent = cost.incoherent,
          .sectors = cost.sectors,
          .passes = cost.passes,
          .requested_bytes = cost.requested_bytes,
          .transferred_bytes = cost.transferred_bytes,
          .fewest = cost.fewest};
}

AccessCost of_local(Capability capability, const WarpAccess& access) {
  const LocalCost cost = local_access(capability, access);
  return {.requests = cost.requests,
          .passes = cost.wavefronts,
          .conflicts = cost.conflicts,
          .requested_bytes = requested_bytes(access),
          .fewest = cost.wavefronts - cost.conflicts};
}

AccessCost of_constant(Capability capability, const WarpAccess& access) {
  AccessCost cost{.requests = 1, .passes = constant_passes(capability, access), .requested_bytes = requested_bytes(access)};
  const bool both_halves = access.mask & 0xffff && access.mask >> 16;
  cost.fewest = capability < kCc20 && both_halves ? 2 : 1;
  cost.conflicts = cost.passes - cost.fewest;
  return cost;
}

AccessCost of_image(std::uint32_t mask, const std::uint64_t* address) {
  const WarpTexels texels = texels_of(mask, address);
  const TextureCost cost = texture_read(texels);
  SmallSet<kWarpSize> distinct;
  for_each_lane(mask, [&](unsigned lane) { distinct.insert(address[lane]); });
  constexpr unsigned kSector = 32;
  const unsigned sectors = (distinct.size() * texels.texel_bytes + kSector - 1) / kSector;
  return {.requests = cost.requests,
          .sectors = cost.sectors,
          .passes = 1,
          .requested_bytes = static_cast<unsigned>(std::popcount(mask)) * texels.texel_bytes,
          .transferred_bytes = cost.sectors * kSector,
          .fewest = std::min(sectors, cost.sectors)};
}

}  // namespace

WarpTexels texels_of(std::uint32_t mask, const std::uint64_t* number) {
  WarpTexels texels;
  texels.mask = mask;
  texels.texel_bytes = static_cast<std::uint8_t>(1u << (number[std::countr_zero(mask)] >> kBytesShift & 7));
  for_each_lane(mask, [&](unsigned lane) {
    texels.x[lane] = static_cast<std::uint32_t>(number[lane] & kCoordinate);
    texels.y[lane] = static_cast<std::uint32_t>(number[lane] >> kRowShift & kCoordinate);
  });
  return texels;
}

WarpAccess access_of(const AccessKind& kind, std::uint32_t mask, const std::uint64_t* address) {
  WarpAccess access;
  access.mask = mask;
  access.kind = static_cast<Kind>(kind.kind);
  for_each_lane(mask, [&](unsigned lane) { access.address[lane] = address[lane]; });
  if (kind.joined) access = joined(access);
  access.align = static_cast<std::uint8_t>(std::min<unsigned>(kind.align, 16));
  access.width = static_cast<std::uint8_t>(kind.width);  // of vectors too, at most 128
  return access;
}

AccessKind kind_of(const Model& model, const abi::CountedSite& site) {
  return {site.space, site.kind, site.width, std::max<std::uint16_t>(site.align, 1),
          model.joins_reductions && site.joinable && site.kind == CountedKind::kReduction};
}

AccessCost access_cost(Capability capability, const AccessKind& kind, std::uint32_t mask,
                       const std::uint64_t* address) {
  if (mask == 0) return {};
  if (kind.space == CountedSpace::kImage) return of_image(mask, address);
  const WarpAccess access = access_of(kind, mask, address);
  switch (kind.space) {
    case CountedSpace::kGlobal:
      return of_global(global_access(capability, access));
    case CountedSpace::kLocal:
      return of_local(capability, access);
    case CountedSpace::kConstant:
      return of_constant(capability, access);
    case CountedSpace::kPrivate:
      return of_global(private_access(capability, access));
    case CountedSpace::kImage:
      break;
  }
  return {};
}

std::uint64_t cost_bits(Capability capability, const AccessKind& kind) {
  switch (kind.space) {
    case CountedSpace::kGlobal:
      // Which queue serves an atomic depends on bits up to 28 (global_atomics.cpp).
      if (kind.kind >= CountedKind::kAtomic && capability >= kCc20) return (std::uint64_t{1} << 29) - 1;
      // 1.0 and 1.1: a half-warp of 16-byte words is aligned to 256 bytes.
      return capability < kCc12 ? 255 : 127;
    case CountedSpace::kLocal:
      return 255;  // 3.x: words of one bank side by side in an aligned run of 256 bytes
    case CountedSpace::kConstant:
    case CountedSpace::kPrivate:
      return 15;  // the widest word
    case CountedSpace::kImage:
      return std::uint64_t{0xff} << kBytesShift | std::uint64_t{1} << kRowShift | 15;
  }
  return ~std::uint64_t{0};
}

static_assert(static_cast<int>(CountedKind::kLoad) == static_cast<int>(Kind::load) &&
              static_cast<int>(CountedKind::kStore) == static_cast<int>(Kind::store) &&
              static_cast<int>(CountedKind::kAtomic) == static_cast<int>(Kind::atomic) &&
              static_cast<int>(CountedKind::kReduction) == static_cast<int>(Kind::reduction));

}  // namespace weft::device::counters
