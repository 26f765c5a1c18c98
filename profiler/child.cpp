#include "profiler/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace weft::profiler {
namespace {

/// Lines of the records in a folder, counted as they come.
class Progress {
 public:
  explicit Progress(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void say() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
      if (entry.path().extension() != ".jsonl") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::streamoff& at = read_[entry.path()];
      in.seekg(at);
      char buffer[1 << 16];
      while (in.read(buffer, sizeof buffer), in.gcount() > 0) {
        lines_ += static_cast<std::size_t>(std::count(buffer, buffer + in.gcount(), '\n'));
        at += in.gcount();
      }
    }
    std::fprintf(stderr, "\rweftprof: %u s, %zu lines of record, %zu processes ", ++seconds_, lines_, read_.size());
    std::fflush(stderr);
  }
  ~Progress() {
    if (seconds_) std::fprintf(stderr, "\r%60s\r", "");
  }

 private:
  const std::filesystem::path folder_;
  std::map<std::filesystem::path, std::streamoff> read_;
  std::size_t lines_ = 0;
  unsigned seconds_ = 0;
};

volatile sig_atomic_t running_child = 0;

/// What asks this process to end (a batch system, an MPI launcher) asks the program; the report of what ran is written after it.
void pass_on(int signal) {
  if (running_child > 0) kill(static_cast<pid_t>(running_child), signal);
}

}  // namespace

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  const char* const meaning = strsignal(signal);
  return (name ? "SIG" + std::string(name) : "signal " + std::to_string(signal)) + (meaning ? " (" + std::string(meaning) + ")" : "");
}

Ending run_program(const std::vector<std::string>& command_line, const std::map<std::string, std::string>& environment,
                   const std::filesystem::path& folder, bool says_progress) {
  std::vector<char*> arguments;
  for (const std::string& word : command_line) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int failure[2];  // tells why exec failed; closed by a good one
  if (pipe2(failure, O_CLOEXEC) != 0) return {126, 0, std::strerror(errno)};
  // What the terminal sends is for the program; the report is written after it.
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  sigset_t held, before;  // until it is known whom to pass them on to
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  sigprocmask(SIG_BLOCK, &held, &before);
  const pid_t child = fork();
  if (child < 0) return {126, 0, std::strerror(errno)};
  if (child > 0) {
    running_child = child;
    struct sigaction action {};
    action.sa_handler = pass_on;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGHUP, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    execvp(arguments[0], arguments.data());
    const int error = errno;
    if (write(failure[1], &error, sizeof error) < 0) _exit(126);
    _exit(error == ENOENT ? 127 : 126);
  }
  close(failure[1]);
  int error = 0;
  const bool failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  int status = 0;
  {
    Progress progress(folder);
    const int handle = says_progress && !failed ? static_cast<int>(syscall(SYS_pidfd_open, child, 0)) : -1;
    if (handle >= 0) {
      pollfd ended{handle, POLLIN, 0};
      while (poll(&ended, 1, 1000) == 0) progress.say();
      close(handle);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    running_child = 0;
  }
  if (failed) return {error == ENOENT ? 127 : 126, 0, std::strerror(error)};
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status), ""};
  return {WEXITSTATUS(status), 0, ""};
}

}  // namespace weft::profiler
