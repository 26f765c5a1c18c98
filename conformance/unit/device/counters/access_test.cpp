// What all models stand on: words, masks and bytes of an access.
#include "device/counters/access.h"

#include <gtest/gtest.h>

#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "device/counters/texture.h"
#include "patterns.h"

namespace weft::device::counters {
namespace {

using test::by_lane;
using test::strided;

TEST(Access, WidestWord) {
  EXPECT_EQ(widest_word(strided(16, 1)), 16u);
  EXPECT_EQ(widest_word(strided(12, 1)), 4u);
  EXPECT_EQ(widest_word(strided(32, 1)), 16u);
  EXPECT_EQ(widest_word(by_lane(16, [](unsigned k) { return 8 + 16 * k; })), 8u);
  EXPECT_EQ(widest_word(by_lane(
                4, [](unsigned k) { return 5 * k; }, Kind::load, 1)),
            4u)
      << "active lanes only";
  EXPECT_EQ(widest_word(by_lane(4, [](unsigned k) { return 5 * k; })), 1u);
}

TEST(Access, DistinctBytes) {
  EXPECT_EQ(distinct_bytes(strided(4, 1)), 128u);
  EXPECT_EQ(distinct_bytes(strided(4, 0)), 4u);
  EXPECT_EQ(distinct_bytes(strided(4, 5)), 128u);
  EXPECT_EQ(distinct_bytes(by_lane(4, [](unsigned k) { return 2 * k; })), 66u) << "overlapping";
  EXPECT_EQ(distinct_bytes(by_lane(
                4, [](unsigned k) { return 4 * (31 - k); }, Kind::load, 0xff)),
            32u);
  EXPECT_EQ(distinct_bytes(by_lane(
                4, [](unsigned) { return 0; }, Kind::load, 0)),
            0u);
}

TEST(Access, NoActiveLaneCostsNothing) {
  for (const Capability& capability : known_capabilities()) {
    const WarpAccess none = strided(4, 1, 0, Kind::load, 0);
    EXPECT_EQ(global_access(capability, none).requests, 0u);
    EXPECT_EQ(local_access(capability, none).requests, 0u);
  }
}

// Bounds that hold for every capability, kind, width and pattern.
TEST(Access, Bounds) {
  std::uint64_t state = 1;
  const auto random = [&] {
    return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33;
  };
  for (unsigned round = 0; round < 20000; ++round) {
    const unsigned width = 1u << random() % 5;
    const std::uint64_t range = 1 + random() % 300;
    const Kind kind = static_cast<Kind>(random() % 4);
    if (kind >= Kind::atomic && (width < 4 || width > 8)) continue;
    const std::uint32_t mask = static_cast<std::uint32_t>(random() ^ random() << 16) | 1u << random() % 32;
    const WarpAccess access = by_lane(
        width, [&](unsigned) { return random() % range * width; }, kind, mask);
    for (const Capability& capability : known_capabilities()) {
      const GlobalCost global = global_access(capability, access);
      EXPECT_EQ(global.requests, 1u);
      EXPECT_EQ(global.requested_bytes, access.lanes() * width);
      EXPECT_GE(global.transferred_bytes, distinct_bytes(access));
      EXPECT_GE(global.transactions, global.fewest);
      EXPECT_EQ(global.transactions,
                global.transactions_32 + global.transactions_64 + global.transactions_128);
      const LocalCost local = local_access(capability, access);
      EXPECT_GE(local.wavefronts, 1u);
      EXPECT_LT(local.conflicts, local.wavefronts);
      EXPECT_LE(local.wavefronts, 32u * (width > 4 ? width / 4 : 1) + 4);
      const LocalCost worst = local_access(capability, access, {.broadcast = Broadcast::worst});
      EXPECT_GE(worst.wavefronts, local.wavefronts);
    }
  }
}

TEST(Texture, TilesOfSixteenBytesByTwoRows) {
  WarpTexels rows, columns;
  for (unsigned k = 0; k < kWarpSize; ++k) {
    rows.x[k] = columns.y[k] = k;
  }
  EXPECT_EQ(texture_read(rows).requests, 8u);
  EXPECT_EQ(texture_read(rows).sectors, 8u);
  EXPECT_EQ(texture_read(columns).sectors, 16u);
  rows.mask = 0xf;
  EXPECT_EQ(texture_read(rows).requests, 1u);
}

}  // namespace
}  // namespace weft::device::counters
