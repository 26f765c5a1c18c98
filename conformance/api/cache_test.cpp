// The cache on disk: many processes with one, its disk full, its writers killed, its entries damaged.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

#include "api/cache_folder.h"
#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    if (CacheFolder::comes_too_late()) GTEST_SKIP() << "this process has a cache already";
    cache_.emplace();
    folder_ = cache_->path();
  }

  /// How often: WEFT_CACHE_ROUNDS, or `usual`.
  static int rounds(int usual) {
    const char* const asked = std::getenv("WEFT_CACHE_ROUNDS");
    return asked ? std::atoi(asked) : usual;
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> result;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.is_regular_file() && entry.file_size() > 0) result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
  }
  static bool works(int value) { return answer(Session(test_device()), value) == value + 1; }

  std::optional<CacheFolder> cache_;
  fs::path folder_;
};

// The parent has not touched OpenCL yet, so its children may.
TEST_F(Cache, ManyProcessesAtOnce) {
  EXPECT_EQ(in_processes(6, [](int i) { return works(i % 2); }), 0);
  EXPECT_EQ(in_processes(4, [](int i) { return works(i % 2); }), 0);
}

TEST_F(Cache, FolderThatCannotBeWritten) {
  setenv("WEFT_CACHE_DIR", "/proc/no/such/folder", 1);
  EXPECT_EQ(in_processes(1, [](int) { return works(8); }), 0);
}

TEST_F(Cache, TurnedOff) {
  setenv("WEFT_CACHE", "0", 1);
  EXPECT_EQ(in_processes(1, [](int) { return works(9); }), 0);
  EXPECT_TRUE(fs::is_empty(folder_));
}

// What a full disk does, too: the file does not grow.
TEST_F(Cache, FilesThatCannotGrow) {
  WEFT_ONLY("it is Weft's cache");
  EXPECT_EQ(in_processes(1, [](int) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {100, 100};
    return setrlimit(RLIMIT_FSIZE, &limit) == 0 && works(7);
  }), 0);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Cache, ProcessesKilledWhileTheyWrite) {
  WEFT_ONLY("it is Weft's cache");
  std::mt19937 random(7);
  for (int round = 0; round < rounds(20); ++round) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        for (int i = 0;; ++i) works(round * 10 + i);
      } catch (...) {
      }
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 150'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  EXPECT_EQ(in_processes(1, [](int) { return works(0) && works(1) && works(10) && works(101); }), 0);
}

/// Of a grid, each work-item reads 4x4x4 places, which lie close together for neighbours, or not: code for all that may be is long. `short_one` reads its own.
constexpr char kLongKernel[] = R"(
#define READ(a, b, c) { int p = ((z + c) * 20 + y + b) * 20 + x + a; s += at[p] * (i + a) + at[p + 8000] * (i ^ b) + at[p + 16000] * c; }
#define ROW(b, c) READ(0, b, c) READ(1, b, c) READ(2, b, c) READ(3, b, c)
#define PLANE(c) ROW(0, c) ROW(1, c) ROW(2, c) ROW(3, c)
#define POSITION int i = get_global_id(0), x = i % 64 / step, y = i / 64 % 64 / step, z = i / 4096 % 64 / step; uint s = 0;
kernel void k(global const uint* at, global uint* out, int step) { POSITION PLANE(0) PLANE(1) PLANE(2) PLANE(3) out[i] = s; }
#define STEP s = s * 1664525u + i; s ^= s >> 7;
kernel void short_one(global const uint* at, global uint* out, int step) { uint i = get_global_id(0), s = step; STEP STEP STEP STEP STEP STEP STEP STEP out[i] = s; })";

constexpr std::size_t kLongItems = 1 << 15;

/// Launches `name` for `seconds`; whether each launch has done what it should.
bool launches_alike(const char* name, double seconds) {
  const Session session(test_device());
  const Program program = session.build(kLongKernel);
  const Kernel kernel = session.kernel(program, name);
  std::vector<cl_uint> at(24000), expected(kLongItems);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = static_cast<cl_uint>(i * 2654435761u) >> 7;
  for (cl_uint i = 0; i < kLongItems; ++i) {
    if (std::string_view(name) == "short_one") {
      cl_uint& s = expected[i] = 4;
      for (int step = 0; step < 8; ++step) {
        s = s * 1664525u + i;
        s ^= s >> 7;
      }
      continue;
    }
    for (cl_uint c = 0; c < 4; ++c)
      for (cl_uint b = 0; b < 4; ++b)
        for (cl_uint a = 0; a < 4; ++a) {
          const cl_uint p = ((i / 4096 % 64 / 4 + c) * 20 + i / 64 % 64 / 4 + b) * 20 + i % 64 / 4 + a;
          expected[i] += at[p] * (i + a) + at[p + 8000] * (i ^ b) + at[p + 16000] * c;
        }
  }
  const Mem in = session.upload(at), out = session.buffer(kLongItems * sizeof(cl_uint));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  do {
    session.launch(kernel, {{kLongItems}, {64}, {}}, in, out, cl_int{4});
    if (session.download<cl_uint>(out, kLongItems) != expected) return false;
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

// First code that leaves nothing out is made once, and found again; that of a long kernel may be followed by other.
TEST_F(Cache, CodeOfFirstLaunchesAndBetter) {
  EXPECT_EQ(in_processes(1, [&](int) { return launches_alike("short_one", 0.6); }), 0);
  const std::size_t of_short = entries().size();
  EXPECT_EQ(in_processes(1, [&](int) { return launches_alike("short_one", 0.1); }), 0);
  if (testing_weft()) EXPECT_EQ(of_short, 2u);  // the program and its code
  if (testing_weft()) EXPECT_EQ(entries().size(), of_short);
}

TEST_F(Cache, CodeOfALongKernel) {
  EXPECT_EQ(in_processes(1, [&](int) { return launches_alike("k", 3); }), 0);
  EXPECT_EQ(in_processes(1, [&](int) { return launches_alike("k", 0.1); }), 0);
}

using Bytes = std::vector<char>;

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Another text than `bytes`.
Bytes damaged(const Bytes& bytes, const Bytes& other, std::mt19937& random) {
  Bytes result = bytes;
  while (result == bytes) {
    const auto place = [&] { return random() % result.size(); };
    switch (random() % 6) {
      case 0: result[place()] ^= static_cast<char>(1 << random() % 8); break;
      case 1: result[place()] = static_cast<char>(random()); break;
      case 2: result.resize(place()); break;
      case 3: result.insert(result.end(), 1 + random() % 100, static_cast<char>(random())); break;
      case 4: {
        const std::size_t from = place();
        std::fill_n(result.data() + from, std::min<std::size_t>(16, result.size() - from), 0);
        break;
      }
      case 5: result = other; break;
    }
    if (result.empty()) result.assign(1, 'x');
  }
  return result;
}

TEST_F(Cache, NoDamagedEntryIsBelieved) {
  WEFT_ONLY("it is Weft's cache");
  const int count = rounds(100);
  const pid_t child = fork();
  if (child == 0) {
    int wrong = 0;
    try {
      std::mt19937 random(11);
      const Session session(test_device());
      const auto right = [&] { return answer(session, 5) == 6; };
      if (!right()) ++wrong;
      for (int round = 0; round < count; ++round) {
        const std::vector<fs::path> files = entries();
        if (files.empty()) break;  // another platform's cache is elsewhere
        const fs::path& path = files[random() % files.size()];
        const Bytes text = damaged(read(path), read(files[random() % files.size()]), random);
        std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
        if (!right() || read(path) == text) ++wrong;
      }
    } catch (...) {
      ++wrong;
    }
    _exit(wrong ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace weft::conformance
