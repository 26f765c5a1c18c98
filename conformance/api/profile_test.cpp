// WEFT_PROFILE, which reports launches of a program that knows nothing of it (docs/options.md). A process reads the variable once,
// so each test runs anew in a process that has it set.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "api/fixture.h"
#include "api/processes.h"

namespace weft::conformance {
namespace {

constexpr char kSource[] =
    "kernel void first(global int* a) {\n"
    "  a[get_global_id(0)] = 1;\n"
    "}\n"
    "kernel void second(global int* a) { a[2 * get_global_id(0)] += 1; }\n";

class Profile : public testing::Test {
 protected:
  Profile() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    folder_ = std::filesystem::temp_directory_path() / "weft-profile-test";
    std::filesystem::create_directories(folder_);
  }
  void SetUp() override { WEFT_ONLY("its environment variables"); }

  /// Set while it lives, for the process that the test starts.
  struct Variable {
    Variable(const char* name, const std::string& value) : name(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name); }
    const char* const name;
  };

  /// In that process: never released, yet no leak to LeakSanitizer.
  template <typename T>
  static T& kept(T&& object) {
    static auto& all = *new std::deque<T>;
    return all.emplace_back(std::move(object));
  }
  /// In that process: exits without releasing anything.
  template <typename F>
  [[noreturn]] static void run(F work) {
    auto& session = *new Session(test_device());
    std::exit(work(session) ? 0 : 1);
  }
  static bool launch_both(const Session& session, int times = 1) {
    auto& program = kept(session.build(kSource));
    auto& first = kept(session.kernel(program, "first"));
    auto& second = kept(session.kernel(program, "second"));
    auto& buffer = kept(session.buffer(1 << 20));
    for (int i = 0; i < times; ++i) {
      session.launch(first, {{1024}, {64}, {}}, buffer);
      session.launch(second, {{64, 4}, {32, 2}, {}}, buffer);
    }
    return session.download<cl_int>(buffer, 1)[0] != 0;
  }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  static nlohmann::json read(const std::string& name) { return nlohmann::json::parse(std::ifstream(name)).at("launches"); }

  std::filesystem::path folder_;
};

TEST_F(Profile, JsonInTheOrderOfEnqueueing) {
  const std::string name = file("order.json");
  const Variable profile("WEFT_PROFILE", name);
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session); }), testing::ExitedWithCode(0), "");
  const nlohmann::json launches = read(name);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0]["kernel"], "first");
  EXPECT_EQ(launches[0]["global_size"], nlohmann::json({1024}));
  EXPECT_EQ(launches[0]["local_size"], nlohmann::json({64}));
  EXPECT_EQ(launches[0]["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 128);
  EXPECT_EQ(launches[1]["kernel"], "second");
  EXPECT_EQ(launches[1]["global_size"], nlohmann::json({64, 4}));
  EXPECT_EQ(launches[1]["counters"]["gld_efficiency"], 50.0);
  bool has_store = false;
  for (const auto& line : launches[0]["lines"]) {
    EXPECT_TRUE(line["file"].is_string());
    has_store |= line["line"] == 2 && line["counters"].value("gst_request", 0) == 32;
  }
  EXPECT_TRUE(has_store) << launches[0]["lines"];
}

TEST_F(Profile, ThousandsOfLaunches) {
  const std::string name = file("many.json");
  const Variable profile("WEFT_PROFILE", name);
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session, 1500); }), testing::ExitedWithCode(0), "");
  EXPECT_EQ(read(name).size(), 3000u);
}

TEST_F(Profile, Csv) {
  const std::string name = file("rows.csv");
  const Variable profile("WEFT_PROFILE", name);
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session); }), testing::ExitedWithCode(0), "");
  std::ifstream in(name);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "launch,kernel,global_size,local_size,file,line,counter,unit,value");
  bool found = false;
  while (std::getline(in, line)) found |= line == "1,\"second\",64x4,32x2,,,warps_launched,events,8";
  EXPECT_TRUE(found);
}

TEST_F(Profile, AnotherCapability) {
  const std::string name = file("older.json");
  const Variable profile("WEFT_PROFILE", name), capability("WEFT_COMPUTE_CAPABILITY", "1.3");
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session); }), testing::ExitedWithCode(0), "");
  EXPECT_EQ(read(name)[0]["counters"]["gst_64b"], 64);
}

// On 1.x, stores down the columns of a matrix go to one partition of memory at a time; loads of rows to all.
TEST_F(Profile, TracesPartitions) {
  const std::string name = file("traced.json");
  const Variable profile("WEFT_PROFILE", name), capability("WEFT_COMPUTE_CAPABILITY", "1.3"), trace("WEFT_PROFILE_TRACE", "1");
  const auto transpose = [](const Session& session) {
    auto& program = kept(session.build("kernel void transpose(global float* out, global const float* in) {\n"
                                               "  const float x = in[get_global_id(1) * 1024 + get_global_id(0)];\n"
                                               "  out[get_global_id(0) * 1024 + get_global_id(1)] = x;\n"
                                               "}\n"));
    auto& kernel = kept(session.kernel(program, "transpose"));
    auto& out = kept(session.buffer(4 << 20));
    auto& in = kept(session.buffer(4 << 20));
    session.launch(kernel, {{1024, 1024}, {16, 16}, {}}, out, in);
    return clFinish(session.queue()) == CL_SUCCESS;
  };
  EXPECT_EXIT(run(transpose), testing::ExitedWithCode(0), "");
  int lines = 0;
  const nlohmann::json launches = read(name);
  for (const auto& line : launches.at(0).at("lines")) {
    const auto& counters = line["counters"];
    if (!counters.contains("weft_partition_camping")) continue;
    ++lines;
    if (line["line"] == 2) EXPECT_LT(counters["weft_partition_camping"], 1.1);
    if (line["line"] == 3) EXPECT_GT(counters["weft_partition_camping"], 4.0);
  }
  EXPECT_EQ(lines, 2);
  const Variable untraced("WEFT_PROFILE_TRACE", "0");
  EXPECT_EXIT(run(transpose), testing::ExitedWithCode(0), "");
  EXPECT_FALSE(read(name).at(0).at("counters").contains("weft_partition_camping"));
}

// What a texture unit does is no instruction: an image read is one, whatever its format and filter.
TEST_F(Profile, ImageReads) {
  const std::string name = file("images.json");
  const Variable profile("WEFT_PROFILE", name), trace("WEFT_PROFILE_TRACE", "1");
  const auto read_twice = [](const Session& session) {
    auto& program = kept(session.build(
        "constant sampler_t edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
        "kernel void twice(read_only image2d_t in, global float4* out) {\n"
        "  const float2 p = (float2)(get_global_id(0), get_global_id(1));\n"
        "  const float4 a = read_imagef(in, edge, p / 64);\n"
        "  const float4 b = read_imagef(in, edge, p / 64);\n"
        "  out[get_global_id(1) * 64 + get_global_id(0)] = a + b;\n"
        "}\n"));
    auto& kernel = kept(session.kernel(program, "twice"));
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 64;
    auto& image = kept(Mem(clCreateImage(session.context(), CL_MEM_READ_ONLY, &format, &description, nullptr, nullptr)));
    auto& out = kept(session.buffer(64 * 64 * 16));
    session.launch(kernel, {{64, 64}, {32, 4}, {}}, image, out);
    return clFinish(session.queue()) == CL_SUCCESS;
  };
  EXPECT_EXIT(run(read_twice), testing::ExitedWithCode(0), "");
  constexpr int kWarps = 128;
  int texture_lines = 0;
  const nlohmann::json launches = read(name);
  for (const auto& line : launches.at(0).at("lines")) {
    EXPECT_NE(line["line"], 0);
    const auto& counters = line["counters"];
    if (!counters.contains("smsp__inst_executed_op_texture.sum")) continue;
    ++texture_lines;
    EXPECT_EQ(counters["smsp__inst_executed_op_texture.sum"], kWarps);
    EXPECT_LE(counters.value("weft_inst_arithmetic", 0), 3 * kWarps) << line;
    EXPECT_FALSE(counters.contains("branch")) << line;
    if (line["line"] == 5) EXPECT_EQ(counters["tex_cache_hit_rate"], 100.0);
  }
  EXPECT_EQ(texture_lines, 2);
}

// A child of a fork leaves its parent's file alone; with %p it has one of its own.
TEST_F(Profile, Forks) {
  const std::string name = file("parent.json");
  const auto fork_and_launch = [](const Session& session) {
    if (!launch_both(session)) return false;
    const int failed = in_processes(1, [&](int) { return launch_both(session); });
    return failed == 0 && launch_both(session);
  };
  const Variable profile("WEFT_PROFILE", name);
  EXPECT_EXIT(run(fork_and_launch), testing::ExitedWithCode(0), "");
  EXPECT_EQ(read(name).size(), 4u);
}

/// The record of a run (docs/weftprof.md): a JSON value a line.
std::vector<nlohmann::json> read_lines(const std::string& name) {
  std::vector<nlohmann::json> lines;
  std::ifstream in(name);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(nlohmann::json::parse(line));  // empty ones end the record of a process that was killed
  }
  return lines;
}

// Launches with equal counts share a line of them; what was over before a crash is there.
TEST_F(Profile, RecordOfARunThatCrashes) {
  const std::string name = file("crash.jsonl");
  const Variable record("WEFT_RECORD", name), kernels("WEFT_RECORD_KERNELS", "first,sec*:1-1");
  EXPECT_EXIT(
      {
        auto& session = *new Session(test_device());
        launch_both(session, 3);
        raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  const auto lines = read_lines(name);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].at("weft_record"), 4);
  int counted = 0, launches = 0, counts = 0, reads = 0;
  std::map<std::uint64_t, nlohmann::json> commands;  // by their number
  for (const auto& line : lines) {
    if (line.is_object() && line.contains("source")) EXPECT_EQ(line.at("source"), kSource);
    if (line.is_object()) {
      if (line.contains("command")) commands[line.at("number")] = line;
      continue;
    }
    if (line.at(0) == 0) {
      counts += line.at(1) != 0;  // or an access
      continue;
    }
    const nlohmann::json& command = commands.at(line.at(0));
    const auto times = line.get<std::vector<std::uint64_t>>();
    ASSERT_TRUE(times.size() == 5 || times.size() == 6) << line;
    EXPECT_TRUE(times[1] && std::is_sorted(times.begin() + 1, times.begin() + 5)) << line;
    if (command.at("command") == "kernel") {
      ++launches;
      counted += times.size() == 6;  // the number of its counts
    }
    if (command.at("command") == "read_buffer") {
      ++reads;
      EXPECT_EQ(command.at("bytes"), sizeof(cl_int));
      EXPECT_TRUE(command.value("blocking", false));
      EXPECT_FALSE(command.value("pinned", false));
    }
  }
  EXPECT_EQ(launches, 6);
  EXPECT_EQ(counted, 4);  // all of the first kernel, one of the second
  EXPECT_EQ(counts, 2);
  EXPECT_EQ(reads, 1);
}

// NVIDIA's command-line profiler, by its own variables.
TEST_F(Profile, LogOfTheCommandLineProfiler) {
  const std::string name = file("profile.log"), configuration = file("profile.cfg");
  std::ofstream(configuration) << "gpustarttimestamp\nworkgroupsize # of a group\ngst_64b\n";
  const Variable on("OPENCL_PROFILE", "1"), log("OPENCL_PROFILE_LOG", name), config("OPENCL_PROFILE_CONFIG", configuration),
      capability("WEFT_COMPUTE_CAPABILITY", "1.3");
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session); }), testing::ExitedWithCode(0), "^$");
  std::vector<std::string> lines;
  std::ifstream in(name);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0], "# OPENCL_PROFILE_LOG_VERSION 2.0");
  EXPECT_EQ(lines[4], "gpustarttimestamp,method,gputime,cputime,occupancy,workgroupsize,gst_64b");
  EXPECT_THAT(lines[5], testing::MatchesRegex("gpustarttimestamp=\\[ [0-9a-f]+ \\] method=\\[ first \\] gputime=\\[ [0-9.]+ \\] "
                                              "cputime=\\[ [0-9.]+ \\] occupancy=\\[ [01].[0-9]+ \\] "
                                              "workgroupsize=\\[ 64, 1, 1 \\] gst_64b=\\[ 64 \\]"));

  const Variable csv("OPENCL_PROFILE_CSV", "1");
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session); }), testing::ExitedWithCode(0), "^$");
  std::ifstream again(name);
  std::string last;
  for (std::string line; std::getline(again, line);) last = line;
  EXPECT_THAT(last, testing::MatchesRegex("[0-9a-f]+,second,[0-9.]+,[0-9.]+,[01].[0-9]+,32,2,1,0"));
}

struct Refused {
  const char* file;
  const char* capability;
  const char* message;
};

class RefusedProfile : public Profile, public testing::WithParamInterface<Refused> {};

TEST_P(RefusedProfile, SaysSoAndGoesOn) {
  const Variable profile("WEFT_PROFILE", GetParam().file), capability("WEFT_COMPUTE_CAPABILITY", GetParam().capability);
  // All of what is written to stderr: once, however many launches there are.
  EXPECT_EXIT(run([](const Session& session) { return launch_both(session, 3); }), testing::ExitedWithCode(0),
              std::string("^weft: WEFT_[^\n]*") + GetParam().message + "[^\n]*\n$");
}

INSTANTIATE_TEST_SUITE_P(Each, RefusedProfile,
                         testing::Values(Refused{"/nonexistent/folder/p.json", "9.0", "p.json: No such file"},
                                         Refused{"/tmp/profile.xml", "9.0", "neither in .json nor in .csv"},
                                         Refused{"/tmp/weft-never-made.json", "4.2", "no model of 4.2.*Known: 1.0"}));

}  // namespace
}  // namespace weft::conformance
