// Weft, PoCL, Mesa and Oclgrind in one process: each brings an LLVM of its own. In every order of loading a
// kernel is built and run on each platform that offers a device.
//
// A loader reads its list once, so each order runs in a child process, which starts this program again with
// OCL_ICD_VENDORS set to a folder whose .icd files are named in the wanted order, and builds in that order
// too.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "common/session.h"

namespace weft::conformance {
namespace {

namespace fs = std::filesystem;

struct Vendor {
  std::string name;      ///< for people
  std::string library;   ///< as an .icd file names it; empty when absent
  std::string platform;  ///< part of the platform's name
};

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string existing(const std::string& path) { return fs::exists(path) ? path : ""; }

std::vector<Vendor> vendors() {
  const fs::path system = "/etc/OpenCL/vendors";
  const char* weft = std::getenv("WEFT_LIBRARY");
#ifdef WEFT_LIBRARY
  if (!weft) weft = WEFT_LIBRARY;
#endif
  return {{"Weft", weft ? existing(weft) : first_line(system / "weft.icd"), "Weft"},
          {"PoCL", first_line(system / "pocl.icd"), "Portable Computing"},
          {"Clover", first_line(system / "mesa.icd"), "Clover"},
          {"rusticl", first_line(system / "rusticl.icd"), "rusticl"},
          {"Oclgrind", existing("/usr/lib/oclgrind/liboclgrind-rt-icd.so"), "Oclgrind"}};
}

/// Builds and runs a kernel on the first device of `platform`; what happened.
std::string exercise(cl_platform_id platform, int salt) {
  const auto devices = all_devices(platform);
  if (devices.empty()) return "offers no device";
  const Session session(devices.front(), 0);
  const Program program = session.build(
      "kernel void k(global int* a, local int* t) { int l = get_local_id(0); int n = get_local_size(0); t[l] "
      "= a[get_global_id(0)];"
      " barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[n - 1 - l] * 3 + " +
      std::to_string(salt) + "; }");
  const Kernel kernel = session.kernel(program, "k");
  std::vector<cl_int> in(128);
  for (int i = 0; i < 128; ++i) in[std::size_t(i)] = i;
  const Mem buffer = session.upload(in);
  session.launch(kernel, {{128}, {64}, {}}, buffer, LocalBytes{256});
  const auto got = session.download<cl_int>(buffer, 128);
  for (int i = 0; i < 128; ++i) {
    if (got[std::size_t(i)] != (i / 64 * 64 + 63 - i % 64) * 3 + salt) return "WRONG at " + std::to_string(i);
  }
  return "ran a kernel";
}

/// In the child: all platforms in the loader's order, twice over, so that each is used after every other was
/// loaded.
int exercise_all() {
  int wrong = 0;
  for (int round = 0; round < 2; ++round) {
    for (cl_platform_id platform : all_platforms()) {
      const std::string name = platform_string(platform, CL_PLATFORM_NAME);
      std::string outcome;
      try {
        outcome = exercise(platform, 5 + round);
      } catch (const std::exception& error) {
        outcome = std::string("FAILED: ") + error.what();
      }
      std::cout << name << ": " << outcome << std::endl;
      // What the others do alone, too, is theirs: only Weft must run, and nobody may bring the process down.
      if (name == "Weft" && outcome != "ran a kernel") ++wrong;
    }
  }
  return wrong;
}

struct Ended {
  int status;
  std::string output;
};

/// This program again, as a child that calls exercise_all(), with the vendors in this order.
Ended run_child(const std::vector<Vendor>& order) {
  const fs::path folder = fs::temp_directory_path() / ("weft-coexist-" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ofstream(folder / (std::to_string(i) + "-" + order[i].name + ".icd")) << order[i].library << "\n";
  }
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string command =
      "OCL_ICD_VENDORS='" + folder.string() + "' WEFT_COEXIST_CHILD=1 timeout 100 '" + self + "' 2>&1";
  Ended ended{-1, ""};
  if (FILE* pipe = popen(command.c_str(), "r")) {
    char buffer[4096];
    for (std::size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) ended.output.append(buffer, n);
    ended.status = pclose(pipe);
  }
  fs::remove_all(folder);
  return ended;
}

void expect_order_works(const std::vector<std::string>& names) {
  std::vector<Vendor> order;
  for (const std::string& name : names) {
    const auto all = vendors();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Vendor& v) { return v.name == name; });
    if (found->library.empty()) {
      if (name == "Weft") GTEST_SKIP() << "Weft is neither built here nor installed";
      std::cout << name << " is not installed: left out\n";
      continue;
    }
    order.push_back(*found);
  }
  const Ended ended = run_child(order);
  std::cout << ended.output;
  EXPECT_TRUE(WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) << "status " << ended.status;
  for (const Vendor& vendor : order) {
    EXPECT_NE(ended.output.find(vendor.platform), std::string::npos)
        << vendor.name << " was not found by the loader";
  }
  EXPECT_EQ(ended.output.find("WRONG"), std::string::npos);
  EXPECT_EQ(ended.output.find("registered more than once"), std::string::npos);
}

TEST(Coexist, WeftFirst) { expect_order_works({"Weft", "PoCL", "Clover", "rusticl", "Oclgrind"}); }
TEST(Coexist, WeftLast) { expect_order_works({"Oclgrind", "rusticl", "Clover", "PoCL", "Weft"}); }
TEST(Coexist, WeftBetween) { expect_order_works({"PoCL", "Weft", "Oclgrind", "Clover", "rusticl"}); }
TEST(Coexist, PoclThenWeft) { expect_order_works({"PoCL", "Weft"}); }
TEST(Coexist, WeftThenPocl) { expect_order_works({"Weft", "PoCL"}); }
TEST(Coexist, MesaThenWeft) { expect_order_works({"Clover", "rusticl", "Weft"}); }
TEST(Coexist, OclgrindThenWeft) { expect_order_works({"Oclgrind", "Weft"}); }
TEST(Coexist, WeftThenOclgrind) { expect_order_works({"Weft", "Oclgrind"}); }

// Listing the platform and its device needs no LLVM: the compiler is loaded at the first build.
TEST(Coexist, ListingLoadsNoLlvm) {
  if (platform_string(test_platform(), CL_PLATFORM_NAME) != "Weft") GTEST_SKIP() << "Weft only";
  (void)device_string(test_device(), CL_DEVICE_NAME);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find("libLLVM"), std::string::npos) << line;
    EXPECT_EQ(line.find("libclang"), std::string::npos) << line;
    EXPECT_EQ(line.find("libweft-compiler"), std::string::npos) << line;
  }
}

}  // namespace

int coexist_child() { return exercise_all(); }

}  // namespace weft::conformance

int main(int argc, char** argv) {
  if (std::getenv("WEFT_COEXIST_CHILD")) return weft::conformance::coexist_child();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
