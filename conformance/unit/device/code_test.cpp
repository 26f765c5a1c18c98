// The object loader: what the code generator emits loads and runs; what is damaged is refused.
#include "device/code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "device/launch.h"

namespace weft::device {
namespace {

std::vector<std::uint8_t> object_bytes() {
  std::ifstream file(WEFT_TEST_OBJECTS "/group.o", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<const Code> load(const std::vector<std::uint8_t>& bytes, const char* symbol,
                                 std::string* error = nullptr) {
  return Code::load(bytes, symbol, {}, error);
}

TEST(Code, ResolvesEveryKindOfReference) {
  std::string error;
  const auto code = load(object_bytes(), "references", &error);
  ASSERT_TRUE(code) << error;
  std::uint64_t out[8] = {};
  std::uint64_t* argument = out;
  abi::LaunchInfo launch{};
  launch.arguments = reinterpret_cast<const std::byte*>(&argument);
  abi::GroupInfo group{};
  group.group_id[0] = 1;
  group.run = 1;
  EXPECT_EQ(code->entry()(&launch, &group), abi::GroupStatus::kDone);
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[1], std::uint64_t{'o'});
  EXPECT_EQ(out[2], 5u);
  EXPECT_EQ(out[3], 5u);
  EXPECT_EQ(out[4], 1025u);
}

TEST(Code, RefusesUnknownSymbol) {
  std::string error;
  EXPECT_FALSE(load(object_bytes(), "nothing", &error));
  EXPECT_NE(error.find("nothing"), std::string::npos);
  EXPECT_FALSE(load(object_bytes(), "table", &error));
}

TEST(Code, RefusesEveryTruncation) {
  const auto bytes = object_bytes();
  for (std::size_t size = 0; size < bytes.size(); size += size < 128 ? 1 : 37) {
    const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    std::string error;
    // The section headers are at the end.
    EXPECT_FALSE(load(part, "references", &error)) << size << " of " << bytes.size();
    EXPECT_FALSE(error.empty()) << size;
  }
}

TEST(Code, SurvivesDamage) {
  const auto bytes = object_bytes();
  std::mt19937 random(7);
  int loaded = 0;
  for (int round = 0; round < 20000; ++round) {
    auto damaged = bytes;
    const int places = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < places; ++i) {
      // Half of them where the tables are.
      const std::size_t place =
          random() % 2 ? random() % damaged.size() : damaged.size() - 1 - random() % (damaged.size() / 2);
      damaged[place] = static_cast<std::uint8_t>(random() % 3 ? random() : 0xff);
    }
    // Not run: code may be damaged without notice.
    std::string error;
    if (load(damaged, "references", &error)) {
      ++loaded;
    } else {
      EXPECT_FALSE(error.empty());
    }
  }
  // Both: what is damaged is seen, and it is more than the name of the function that is.
  EXPECT_GT(loaded, 100);
  EXPECT_LT(loaded, 20000 - 100);
}

}  // namespace
}  // namespace weft::device
