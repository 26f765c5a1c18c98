// Limits of control groups, from trees like those that kernels show.
#include "runtime/control_groups.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace fs = std::filesystem;
using weft::runtime::control_group_limits;

namespace {

class ControlGroups : public testing::Test {
 protected:
  ControlGroups() : root_(fs::temp_directory_path() / ("weft-control-groups-" + std::to_string(getpid()))) { fs::create_directories(root_); }
  ~ControlGroups() override { fs::remove_all(root_); }

  void file(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text << '\n';
  }
  const fs::path root_;
};

TEST_F(ControlGroups, NoneLimit) {
  EXPECT_EQ(control_group_limits(root_).processors, 0);
  EXPECT_EQ(control_group_limits(root_).memory_bytes, UINT64_MAX);
  file("proc/self/cgroup", "0::/user.slice");
  file("sys/fs/cgroup/user.slice/cpu.max", "max 100000");
  file("sys/fs/cgroup/user.slice/memory.max", "max");
  EXPECT_EQ(control_group_limits(root_).processors, 0);
  EXPECT_EQ(control_group_limits(root_).memory_bytes, UINT64_MAX);
}

TEST_F(ControlGroups, Version2AndTheGroupsAbove) {
  file("proc/self/cgroup", "0::/job/step");
  file("sys/fs/cgroup/job/cpu.max", "250000 100000");
  file("sys/fs/cgroup/job/step/cpu.max", "max 100000");
  file("sys/fs/cgroup/job/step/memory.max", "1048576");
  EXPECT_EQ(control_group_limits(root_).processors, 2.5);
  EXPECT_EQ(control_group_limits(root_).memory_bytes, 1048576u);
  file("sys/fs/cgroup/job/step/cpu.max", "50000 100000");
  EXPECT_EQ(control_group_limits(root_).processors, 0.5);
}

TEST_F(ControlGroups, ContainerWhoseGroupIsTheMount) {
  file("proc/self/cgroup", "0::/../../elsewhere\n");
  file("sys/fs/cgroup/cpu.max", "150000 100000");
  EXPECT_EQ(control_group_limits(root_).processors, 1.5);
}

TEST_F(ControlGroups, Version1) {
  file("proc/self/cgroup", "5:memory:/docker/a\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/docker/a");
  file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
  file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(control_group_limits(root_).processors, 0);
  file("sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us", "320000");
  file("sys/fs/cgroup/cpu/docker/a/cpu.cfs_period_us", "100000");
  file("sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes", "4096");
  EXPECT_EQ(control_group_limits(root_).processors, 3.2);
  EXPECT_EQ(control_group_limits(root_).memory_bytes, 4096u);
}

}  // namespace
