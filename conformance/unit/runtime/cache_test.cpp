// The cache on disk: whole entries or none, whatever happens to the files.
#include "runtime/cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

namespace weft::runtime {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    std::string name = (fs::temp_directory_path() / "weft-cache-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CacheTest() override { fs::remove_all(folder_); }

  static Hash key(int number) { return Hasher().field(static_cast<std::uint64_t>(number)).finish(); }
  static compiler::Bytes data(int number, std::size_t size) {
    compiler::Bytes bytes(size);
    std::iota(bytes.begin(), bytes.end(), static_cast<std::uint8_t>(number));
    return bytes;
  }
  std::string entry(int number) const { return folder_ + "/" + to_hex(key(number)); }
  std::size_t files() const {
    const auto all = std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    return static_cast<std::size_t>(all) - (fs::exists(folder_ + "/measured") ? 1 : 0);
  }

  std::string folder_;
};

TEST_F(CacheTest, GivesBackWhatWasPut) {
  Cache cache(folder_ + "/made/when/needed", 1 << 20);
  EXPECT_FALSE(cache.get(key(1)));
  cache.put(key(1), data(1, 1000));
  cache.put(key(2), {});
  EXPECT_EQ(cache.get(key(1)), data(1, 1000));
  EXPECT_EQ(cache.get(key(2)), data(0, 0));
  EXPECT_FALSE(cache.get(key(3)));
  cache.put(key(1), data(7, 10));
  EXPECT_EQ(cache.get(key(1)), data(7, 10));
  cache.remove(key(1));
  EXPECT_FALSE(cache.get(key(1)));
}

TEST_F(CacheTest, DamagedEntriesAreAbsentAndRemoved) {
  Cache cache(folder_, 1 << 20);
  for (const std::size_t at : {0, 3, 9, 20, 31, 32, 60, 131}) {
    cache.put(key(1), data(1, 100));
    std::fstream file(entry(1), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char changed = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(changed);
    file.close();
    EXPECT_FALSE(cache.get(key(1))) << at;
    EXPECT_FALSE(fs::exists(entry(1))) << at;
  }
  for (const std::size_t size : {0, 5, 31, 32, 100, 131, 133, 1000}) {
    cache.put(key(1), data(1, 100));
    fs::resize_file(entry(1), size);
    EXPECT_FALSE(cache.get(key(1))) << size;
  }
}

TEST_F(CacheTest, FoldersThatCannotBeUsedAreNoError) {
  Cache none("", 1 << 20);
  none.put(key(1), data(1, 10));
  EXPECT_FALSE(none.get(key(1)));
  std::ofstream(folder_ + "/file").put('x');
  for (const std::string& folder : {folder_ + "/file/below", std::string("/proc/no/such")}) {
    Cache cache(folder, 1 << 20);
    cache.put(key(1), data(1, 10));
    EXPECT_FALSE(cache.get(key(1)));
    cache.remove(key(1));
  }
}

TEST_F(CacheTest, WhatOthersCouldHaveWrittenIsAbsent) {
  Cache cache(folder_, 1 << 20);
  cache.put(key(1), data(1, 100));
  ASSERT_TRUE(cache.get(key(1)));
  for (const mode_t mode : {0620, 0602, 0666, 0777}) {
    ASSERT_EQ(chmod(entry(1).c_str(), mode), 0);
    EXPECT_FALSE(cache.get(key(1))) << std::oct << mode;
  }
  ASSERT_EQ(chmod(entry(1).c_str(), 0644), 0);
  EXPECT_TRUE(cache.get(key(1)));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(entry(1).c_str(), 12345, 0), 0);
    EXPECT_FALSE(cache.get(key(1)));
    ASSERT_EQ(chown(entry(1).c_str(), 0, 0), 0);
  }
  for (const mode_t mode : {0770, 0707, 01777}) {
    ASSERT_EQ(chmod(folder_.c_str(), mode), 0);
    EXPECT_FALSE(cache.get(key(1))) << std::oct << mode;
    Cache(folder_, 1 << 20).put(key(2), data(2, 10));
    EXPECT_FALSE(fs::exists(entry(2))) << std::oct << mode;
  }
  if (geteuid() == 0) {
    ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
    ASSERT_EQ(chown(folder_.c_str(), 12345, 0), 0);
    EXPECT_FALSE(cache.get(key(1)));
    ASSERT_EQ(chown(folder_.c_str(), 0, 0), 0);
  }
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  EXPECT_TRUE(cache.get(key(1)));
}

// A FIFO would have its reader wait for a writer.
TEST_F(CacheTest, OnlyRegularFilesAreEntries) {
  Cache cache(folder_, 1 << 20);
  cache.put(key(1), data(1, 100));
  ASSERT_EQ(mkfifo(entry(2).c_str(), 0600), 0);
  fs::create_symlink(entry(1), entry(3));
  fs::create_directory(entry(4));
  alarm(20);
  for (const int number : {2, 3, 4}) EXPECT_FALSE(cache.get(key(number))) << number;
  fs::remove(folder_ + "/measured");
  ASSERT_EQ(mkfifo((folder_ + "/measured").c_str(), 0600), 0);
  fs::last_write_time(folder_ + "/measured", fs::file_time_type::clock::now() - std::chrono::hours(2));
  Cache(folder_, 1 << 20).put(key(5), data(5, 10));
  alarm(0);
}

TEST_F(CacheTest, AnEntryHoldsUnderItsOwnNameOnly) {
  Cache cache(folder_, 1 << 20);
  cache.put(key(1), data(1, 100));
  fs::rename(entry(1), entry(2));
  EXPECT_FALSE(cache.get(key(2)));
}

TEST_F(CacheTest, FoldersAreMadeForThisUserAlone) {
  const mode_t before = umask(0);
  Cache(folder_ + "/made/here", 1 << 20).put(key(1), data(1, 10));
  umask(before);
  for (const char* made : {"/made", "/made/here"}) {
    EXPECT_EQ(fs::status(folder_ + made).permissions(), fs::perms::owner_all) << made;
  }
}

TEST_F(CacheTest, StaysBelowItsBoundAndKeepsTheLastUsed) {
  constexpr std::uint64_t kBound = 1 << 20;
  Cache cache(folder_, kBound);
  std::ofstream(folder_ + "/not-ours.txt") << "stays";
  cache.put(key(0), data(0, 50'000));
  for (int i = 1; i < 100; ++i) {
    cache.put(key(i), data(i, 50'000));
    // Ages in order; entry 0 is used all the time.
    const auto age = std::chrono::hours(200 - i);
    fs::last_write_time(entry(i), fs::file_time_type::clock::now() - age);
    fs::last_write_time(entry(0), fs::file_time_type::clock::now() - std::chrono::hours(2));
    ASSERT_TRUE(cache.get(key(0))) << i;  // a hit makes it young
  }
  std::uint64_t total = 0;
  for (const auto& file : fs::directory_iterator(folder_)) total += file.file_size();
  EXPECT_LE(total, kBound + kBound / 8);
  EXPECT_TRUE(cache.get(key(99)));
  EXPECT_FALSE(cache.get(key(1)));
  EXPECT_TRUE(fs::exists(folder_ + "/not-ours.txt"));
  cache.put(key(200), data(1, 2 * kBound));
  EXPECT_FALSE(cache.get(key(200)));  // larger than the bound
}

TEST_F(CacheTest, AbandonedTemporaryFilesGo) {
  std::ofstream(folder_ + "/new-abcdef") << "half";
  fs::last_write_time(folder_ + "/new-abcdef", fs::file_time_type::clock::now() - std::chrono::hours(3));
  std::ofstream(folder_ + "/new-ghijkl") << "being written";
  Cache cache(folder_, 1 << 20);
  cache.put(key(1), data(1, 10));
  EXPECT_FALSE(fs::exists(folder_ + "/new-abcdef"));
  EXPECT_TRUE(fs::exists(folder_ + "/new-ghijkl"));
}

TEST_F(CacheTest, AProcessTakesAnothersWordForAMinute) {
  const auto abandon = [&] {
    std::ofstream(folder_ + "/new-abcdef") << "half";
    fs::last_write_time(folder_ + "/new-abcdef", fs::file_time_type::clock::now() - std::chrono::hours(3));
  };
  Cache(folder_, 1 << 20).put(key(1), data(1, 10));
  abandon();
  Cache(folder_, 1 << 20).put(key(2), data(2, 10));
  EXPECT_TRUE(fs::exists(folder_ + "/new-abcdef"));
  fs::last_write_time(folder_ + "/measured", fs::file_time_type::clock::now() - std::chrono::minutes(2));
  Cache(folder_, 1 << 20).put(key(3), data(3, 10));
  EXPECT_FALSE(fs::exists(folder_ + "/new-abcdef"));
}

TEST_F(CacheTest, ManyProcessesAtOnceSeeWholeEntriesOnly) {
  constexpr int kProcesses = 6;
  for (int p = 0; p < kProcesses; ++p) {
    if (fork() != 0) continue;
    Cache cache(folder_, 600'000);  // small enough that they also evict each other's entries
    int wrong = 0;
    for (int round = 0; round < 60; ++round) {
      const int number = (round * 7 + p) % 20;
      if (round % 3 == 0) cache.put(key(number), data(number, 30'000 + static_cast<std::size_t>(number)));
      if (const auto found = cache.get(key(number))) {
        wrong += *found != data(number, 30'000 + static_cast<std::size_t>(number));
      }
    }
    _exit(wrong);
  }
  for (int p = 0; p < kProcesses; ++p) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(files(), 20u);  // no temporary file is left
}

}  // namespace
}  // namespace weft::runtime
