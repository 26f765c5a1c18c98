#include "bench/builds.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern char** environ;

namespace weft::bench {
namespace {

using namespace conformance;
using Clock = std::chrono::steady_clock;

/// A number that no earlier run has used, nor another call of this one.
std::string unique_number() {
  static int calls = 0;
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  return std::to_string((now % 1'000'000) * 1000 + calls++ % 1000);
}

std::string kernel_text(const char* file) { return read_text(std::string(WEFT_BENCH_KERNELS "/") + file); }

/// Runs this program again as `first_run`; the milliseconds that it prints.
double run_again(const std::string& peer, const std::string& salt) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const char* const arguments[] = {"weft-bench", kFirstRun, peer.c_str(), salt.c_str(), nullptr};
  pid_t child = 0;
  const int error =
      posix_spawn(&child, "/proc/self/exe", &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char block[256];
  for (ssize_t got; error == 0 && (got = read(ends[0], block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (error == 0) waitpid(child, &status, 0);
  // A platform may print something of its own before.
  const std::size_t mark = text.rfind("ms=");
  if (error != 0 || status != 0 || mark == text.npos)
    throw std::runtime_error("a first run in a process of its own failed: " + text);
  return std::atof(text.c_str() + mark + 3);
}

}  // namespace

void first_run(const std::string& name, const std::string& salt) {
  setenv("WEFT_CACHE", "1", 1);
  auto peers = find_peers({name});
  if (peers.empty()) throw std::runtime_error("no platform " + name);
  const Session& session = *peers[0].session;
  constexpr cl_int kElements = 1024;
  const std::string source = "#define SALT " + salt + "\n" + kernel_text("library.cl");
  const Mem in = session.upload(std::vector<float>(kElements, 0.5f));
  const Mem out = session.buffer(kElements * sizeof(float));
  const auto start = Clock::now();
  const Program program = session.build(source);
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> kernels(count);
  check(clCreateKernelsInProgram(program, count, kernels.data(), nullptr), "clCreateKernelsInProgram");
  std::vector<Event> events;
  for (cl_kernel kernel : kernels) {
    set_args(kernel, in, out, kElements);
    events.push_back(session.enqueue(kernel, {{256}, {64}, {}}));
  }
  for (const Event& event : events) session.finish(event);
  const double time = ms_since(start);
  for (cl_kernel kernel : kernels) clReleaseKernel(kernel);
  if (count != 25) throw std::runtime_error(std::to_string(count) + " kernels in library.cl");
  std::printf("ms=%.3f\n", time);
}

std::vector<Row> run_builds(std::vector<Peer>& peers, int rounds, bool best) {
  const std::size_t n = peers.size();
  std::vector<Row> rows = {{"build of matmul.cl, cold", 0, "ms", std::vector<Times>(n)},
                           {"the same and a launch", 0, "ms", std::vector<Times>(n)},
                           {"25 kernels, first run, cold", 0, "ms", std::vector<Times>(n)},
                           {"25 kernels, caches warm", 0, "ms", std::vector<Times>(n)}};
  for (std::size_t i = 0; i < n; ++i)
    for (Row& row : rows) row.times[i].absent = !peers[i].session;
  std::vector<std::vector<std::vector<double>>> times(rows.size(), std::vector<std::vector<double>>(n));
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      if (rows[0].times[i].absent || !rows[0].times[i].problem.empty()) continue;
      try {
        const Session& session = *peers[i].session;
        // A new name of a kernel, not a comment: caches may look at the text after the preprocessor, or at
        // the program's intermediate form.
        const std::string name = "matmul_" + unique_number();
        const std::string source = "#define matmul_tiled " + name + "\n" + kernel_text("matmul.cl");
        const Mem buffer = session.buffer(4 * 64 * 64);
        const auto start = Clock::now();
        const Program program = session.build(source);
        times[0][i].push_back(ms_since(start));
        const Kernel kernel = session.kernel(program, name);
        session.launch(kernel, {{64, 64}, {16, 16}, {}}, buffer, buffer, buffer, cl_int{64});
        times[1][i].push_back(ms_since(start));

        const std::string salt = unique_number();
        times[2][i].push_back(run_again(peers[i].name, salt));
        times[3][i].push_back(run_again(peers[i].name, salt));
      } catch (const std::exception& error) {
        for (Row& row : rows) row.times[i].problem = error.what();
      }
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < n; ++i)
      rows[r].times[i].wall_ms = rows[r].times[i].kernel_ms = summary(times[r][i], best);
  return rows;
}

}  // namespace weft::bench
