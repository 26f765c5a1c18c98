// The processors that a program may use change while it runs: by affinity masks (sched_setaffinity(2)), as `taskset -p` and batch systems
// do, and by the CPU time that its control group gives it (cgroups(7)). Every launch ends, with the right result.
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "api/fixture.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::vector<int> processors() {
  cpu_set_t set;
  std::vector<int> list;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return list;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) list.push_back(i);
  }
  return list;
}

/// Of all threads that the process has now, as `taskset -a -p` does from outside.
void bind_all_threads(const std::vector<int>& to) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : to) CPU_SET(processor, &set);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc/self/task", error)) {
    sched_setaffinity(static_cast<pid_t>(std::atol(entry.path().filename().c_str())), sizeof set, &set);  // it may be gone
  }
}

class Processors : public ApiTest {
 protected:
  /// Launches of groups that wait for each other at barriers, short and long ones, while `change(i)` is called again and again.
  void expect_right_while(const std::function<void(int)>& change) {
    const Program program = session.build(R"(
      kernel void turn(global int* a, int rounds) {
        local int s[64];
        const int l = get_local_id(0), i = get_global_id(0);
        int x = a[i];
        for (int r = 0; r < rounds; r++) {
          s[l] = x;
          barrier(CLK_LOCAL_MEM_FENCE);
          x = s[(l + 1) % 64] + 1;
          barrier(CLK_LOCAL_MEM_FENCE);
        }
        a[i] = x;
      })");
    const Kernel turn = session.kernel(program, "turn");
    constexpr int kItems = 1 << 12, kRounds = 64;  // after 64 turns each value is where it was
    const Mem data = session.upload(std::vector<cl_int>(kItems, 0));
    std::atomic<bool> is_over{false};
    int changes = 0;
    std::jthread changing([&] {
      for (; !is_over; ++changes) {
        change(changes);
        std::this_thread::sleep_for(1ms);
      }
    });
    cl_int expected = 0, launches = 0;
    for (const auto until = std::chrono::steady_clock::now() + 2s; std::chrono::steady_clock::now() < until; ++launches) {
      const int rounds = launches % 16 == 15 ? kRounds * 64 : kRounds;
      session.launch(turn, {{kItems}, {64}}, data, rounds);
      expected += rounds;
    }
    is_over = true;
    changing.join();
    EXPECT_EQ(session.download<cl_int>(data, kItems), std::vector<cl_int>(kItems, expected));
    EXPECT_GT(launches, 10);
    EXPECT_GT(changes, 10);
  }
};

TEST_F(Processors, AffinityChangesDuringLaunches) {
  const std::vector<int> all = processors();
  ASSERT_FALSE(all.empty());
  const cl_uint units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  expect_right_while([&](int i) { bind_all_threads(i % 3 == 0 ? all : std::vector<int>{all[static_cast<std::size_t>(i / 3) % all.size()]}); });
  bind_all_threads(all);
  EXPECT_EQ(device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS), units);
}

/// A control group of our own, of version 1 or 2, with this process in it.
class ControlGroup {
 public:
  ControlGroup() {
    const std::string name = "weft-test-" + std::to_string(getpid());
    for (const bool is_v1 : {true, false}) {
      const fs::path parent = is_v1 ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup";
      std::error_code error;
      if (!fs::exists(parent / "cgroup.procs") || !fs::create_directory(parent / name, error)) continue;
      parent_ = parent;
      folder_ = parent / name;
      is_v1_ = is_v1;
      if (allow(100) && write(folder_ / "cgroup.procs", std::to_string(getpid()))) return;
      leave();
    }
  }
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;
  ~ControlGroup() { leave(); }

  bool is_there() const { return !folder_.empty(); }
  /// So much of one processor, of which a period is 10 ms.
  bool allow(int percent) const {
    if (!is_v1_) return write(folder_ / "cpu.max", std::to_string(percent * 100) + " 10000");
    return write(folder_ / "cpu.cfs_period_us", "10000") && write(folder_ / "cpu.cfs_quota_us", std::to_string(percent * 100));
  }

 private:
  static bool write(const fs::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    return !out.fail();
  }
  void leave() {
    if (!is_there()) return;
    write(parent_ / "cgroup.procs", std::to_string(getpid()));
    rmdir(folder_.c_str());
    folder_.clear();
  }

  fs::path parent_, folder_;
  bool is_v1_ = false;
};

TEST_F(Processors, QuotaChangesDuringLaunches) {
  const ControlGroup group;
  if (!group.is_there()) GTEST_SKIP() << "no control group can be made here";
  expect_right_while([&](int i) {
    constexpr int kPercents[] = {30, 250, 100, 20};
    if (i % 50 == 0) group.allow(kPercents[i / 50 % 4]);
  });
}

}  // namespace
}  // namespace weft::conformance
