// GPUs by name, and launches that would not run on them.
#include "device/counters/gpus.h"

#include <gtest/gtest.h>

using namespace weft::device::counters;

namespace {

std::string reason(const char* gpu, KernelResources kernel, std::uint64_t x = 64, std::uint64_t groups = 1) {
  const std::uint64_t local[3] = {x, 1, 1}, count[3] = {groups, 1, 1};
  return refusal(*find_gpu(gpu), kernel, local, count).value_or("");
}

TEST(Gpus, Names) {
  ASSERT_TRUE(find_gpu("GeForce GTX 280"));
  EXPECT_EQ(find_gpu("GeForce GTX 280"), find_gpu("gtx280"));
  EXPECT_EQ(find_gpu("GeForce GTX 280"), find_gpu("NVIDIA GeForce GTX-280"));
  EXPECT_EQ(find_gpu("8800 GTX")->capability, kCc10);
  EXPECT_NE(find_gpu("8800 GTS"), find_gpu("8800 GTS 512"));
  EXPECT_NE(find_gpu("9800 GTX"), find_gpu("9800 GTX+"));
  EXPECT_EQ(find_gpu("C1060")->multiprocessors, 30u);
  EXPECT_EQ(find_gpu(""), nullptr);
  EXPECT_EQ(find_gpu("GeForce"), nullptr);
  for (const Gpu& one : known_gpus()) EXPECT_EQ(find_gpu(one.name), &one);
}

TEST(Gpus, Limits) {
  EXPECT_EQ(reason("GTX 280", {512, 16, 1024, 32}), "");
  EXPECT_EQ(reason("GTX 280", {513, 16, 0, 0}), "work-groups of 513 work-items; at most 512 on a GeForce GTX 280");
  EXPECT_EQ(reason("C2050", {1024, 16, 0, 0}), "");
  EXPECT_NE(reason("GTX 280", {512, 16, 0, 0}, 1, 65536), "");
  EXPECT_EQ(reason("GTX 280", {512, 16, 0, 0}, 1, 65535), "");
  // 16 bytes of the system's, and the arguments.
  EXPECT_EQ(reason("GTX 280", {64, 16, 16384 - 16 - 32, 32}), "");
  EXPECT_NE(reason("GTX 280", {64, 16, 16384 - 16 - 31, 32}), "");
  EXPECT_EQ(reason("C2050", {64, 16, 48 * 1024, 32}), "");
  EXPECT_NE(reason("C2050", {64, 16, 48 * 1024 + 1, 32}), "");
  // 512 × 20 registers of 8192.
  EXPECT_NE(reason("8800 GTX", {512, 20, 0, 0}), "");
  EXPECT_EQ(reason("8800 GTX", {256, 20, 0, 0}), "");
  EXPECT_EQ(reason("GTX 280", {512, 20, 0, 0}), "");
}

}  // namespace
