// Disks that are full or may not be written: the cache's and that of the record of a run. Each is a file system of its own, in memory,
// that only a child of the test sees.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "api/cache_folder.h"
#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

/// Whether this process, which has one thread, may mount from now on: as root, or as one in a user namespace of its own.
bool may_mount() {
  if (unshare(CLONE_NEWNS) != 0) {
    const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " + user + " 1";
    std::ofstream("/proc/self/gid_map") << "0 " + group + " 1";
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

class Disk : public testing::Test {
 protected:
  void SetUp() override {
    if (CacheFolder::comes_too_late()) GTEST_SKIP() << "this process has a cache already";
    cache_.emplace();
    folder_ = cache_->path();
    if (records_) setenv("WEFT_RECORD", (folder_ / "%p.jsonl").c_str(), 1);
    WEFT_ONLY("they are Weft's files");
    if (in_processes(1, [](int) { return may_mount(); }) != 0) GTEST_SKIP() << "no file systems of one's own here";
  }
  void TearDown() override { unsetenv("WEFT_RECORD"); }

  /// In a child: an empty disk of so many KiB.
  bool mount_disk(int kib, unsigned long flags = 0) const {
    return may_mount() && mount("tmpfs", folder_.c_str(), "tmpfs", flags, ("mode=0700,size=" + std::to_string(kib) + "k").c_str()) == 0;
  }
  /// All that is free of it.
  void fill() const {
    const int file = open((folder_ / "other").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (file >= 0 && write(file, block.data(), block.size()) > 0) {}
    close(file);
  }
  static bool works(int value) { return answer(Session(test_device()), value) == value + 1; }

  std::optional<CacheFolder> cache_;
  fs::path folder_;
  bool records_ = false;
};

class RecordDisk : public Disk {
 protected:
  RecordDisk() { records_ = true; }
};

TEST_F(Disk, FullCache) {
  EXPECT_EQ(in_processes(1, [this](int) {
    if (!mount_disk(64)) return false;
    fill();
    return works(3) && works(3) && fs::file_size(folder_ / "other") > 60'000;
  }), 0);
}

// Entries end anywhere: what was written of one is not believed, and not left.
TEST_F(Disk, CacheThatBecomesFull) {
  EXPECT_EQ(in_processes(3, [this](int i) {
    if (!mount_disk(8 << 2 * i)) return false;
    for (int value = 0; value < 2; ++value) {
      if (!works(value) || !works(value)) return false;
    }
    return true;
  }), 0);
}

TEST_F(Disk, CacheThatMayNotBeWritten) {
  EXPECT_EQ(in_processes(1, [this](int) { return mount_disk(64, MS_RDONLY) && works(4); }), 0);
}

// What was recorded before stays; the program goes on.
TEST_F(RecordDisk, BecomesFull) {
  EXPECT_EQ(in_processes(2, [this](int is_full) {
    if (!mount_disk(is_full ? 64 : 512)) return false;
    if (is_full) fill();
    if (!works(1) || !works(2)) return false;
    if (!is_full) fill();
    if (!works(3)) return false;
    const fs::path record = folder_ / (std::to_string(getpid()) + ".jsonl");
    return is_full || fs::file_size(record) > 1000;
  }), 0);
}

}  // namespace
}  // namespace weft::conformance
