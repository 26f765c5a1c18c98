#include "runtime/compiler_process.h"

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "compiler/process/messages.h"
#include "runtime/background.h"
#include "runtime/compiler_loader.h"
#include "runtime/device.h"
#include "runtime/fork.h"
#include "runtime/spawn.h"

namespace weft::runtime {
namespace {

using compiler::Bytes;
using compiler::process::Started;
using compiler::process::Step;

/// As whom this process reads files: one that was started as another must not read them for it.
struct Identity {
  uid_t user = geteuid();
  gid_t group = getegid();
  std::vector<gid_t> groups;
  dev_t root_device = 0;
  ino_t root = 0;

  Identity() {
    groups.resize(static_cast<std::size_t>(std::max(0, getgroups(0, nullptr))));
    groups.resize(static_cast<std::size_t>(std::max(0, getgroups(static_cast<int>(groups.size()), groups.data()))));
    struct stat status;
    if (stat("/", &status) == 0) root_device = status.st_dev, root = status.st_ino;
  }
  bool operator==(const Identity&) const = default;
};

/// Held while a socket's number is used, and while there comes to be a socket: programs close descriptors that are not theirs, and the next
/// socket has the number of one that a thread may still wait at. It would take the answer that another waits for.
constinit OnePerProcess<std::mutex> numbers;

/// How long a thread waits before it looks whether its socket still is what has the number.
constexpr int kLookMilliseconds = 500;

struct Socket {
  int number = -1;
  ino_t inode = 0;  ///< the program may have closed it and opened something else by its number

  static Socket of(int number) {
    struct stat status;
    return {number, fstat(number, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0};
  }
  bool is_open() const { return inode != 0 && of(number).inode == inode; }
  /// Some bytes by `step`, which takes the number, as send and recv do, and does not wait; waits until `events` say that it can. 0: the
  /// socket is gone, or its other end.
  template <class Step>
  std::size_t some(short events, Step step) const {
    for (;;) {
      {
        std::lock_guard lock(numbers.get());
        const ssize_t done = is_open() ? step(number) : 0;
        if (done > 0) return static_cast<std::size_t>(done);
        if (done == 0 || (errno != EAGAIN && errno != EINTR)) return 0;
      }
      pollfd state{number, events, 0};
      poll(&state, 1, kLookMilliseconds);
    }
  }
  bool send(const Bytes& message) const {
    return compiler::process::send_message(
        [this](const void* data, std::size_t size) {
          return some(POLLOUT, [&](int socket) { return ::send(socket, data, size, MSG_NOSIGNAL | MSG_DONTWAIT); });
        },
        message);
  }
  std::optional<Bytes> receive() const {
    return compiler::process::receive_message(
        [this](void* data, std::size_t size) { return some(POLLIN, [&](int socket) { return recv(socket, data, size, MSG_DONTWAIT); }); });
  }

  void shut_down() const {
    std::lock_guard lock(numbers.get());
    if (is_open()) shutdown(number, SHUT_RDWR);
  }
  /// In one word; 0: none.
  std::uint64_t packed() const { return std::uint64_t{inode} << 20 | static_cast<std::uint64_t>(number + 1); }
  static Socket unpacked(std::uint64_t word) { return {static_cast<int>(word & 0xfffff) - 1, static_cast<ino_t>(word >> 20)}; }
};

struct Process {
  Socket socket;
  Identity identity;
  bool was_used = false;
};

/// Of the processes that make code ahead; 0: none. And whether the program's end no longer waits for them.
constinit std::array<std::atomic<std::uint64_t>, kMostAhead> ahead_sockets{};
constinit std::atomic<bool> ahead_is_over{false};

/// All sockets, for the child of a fork, which may find everything else half changed.
constinit std::array<std::atomic<std::uint64_t>, 256> sockets{};

void note(std::uint64_t from, std::uint64_t to, std::span<std::atomic<std::uint64_t>> among = sockets) {
  for (auto& socket : among) {
    std::uint64_t expected = from;
    if (socket.compare_exchange_strong(expected, to)) return;
  }
}

/// No longer one of those that make code ahead.
void forget_ahead(const Process& process) { note(process.socket.packed(), 0, ahead_sockets); }

/// Processes that one call starts or asks, but for the first, where the program closes their sockets again and again.
constexpr unsigned kMostTries = 4;

/// Of start_compiler_process.
const std::string* library_path = nullptr;
const compiler::Options* used_options = nullptr;

class Processes {
 public:
  /// One that is idle, unless `fresh`, or a new one. None if there can be none.
  std::optional<Process> take(bool fresh, Started& started) {
    {
      std::unique_lock lock(mutex_);
      // More than processors: what is made ahead keeps nobody waiting.
      const unsigned most = std::clamp(Device::num_workers(), 2u, static_cast<unsigned>(sockets.size()) - kMostAhead) + kMostAhead;
      changed_.wait(lock, [&] { return busy_ < most; });
      ++busy_;
      const Identity now;
      while (!fresh && !idle_.empty()) {
        Process process = idle_.back();
        idle_.pop_back();
        if (process.socket.is_open() && process.identity == now) return process;
        end(process);
      }
    }
    auto process = start(started);
    if (!process) give_back(std::nullopt);
    return process;
  }

  void give_back(std::optional<Process> process) {
    {
      std::lock_guard lock(mutex_);
      --busy_;
      if (process) idle_.push_back(*process);
    }
    changed_.notify_one();
  }

  static void end(const Process& process) {
    note(process.socket.packed(), 0);
    std::lock_guard lock(numbers.get());
    if (process.socket.is_open()) close(process.socket.number);
  }

 private:
  std::optional<Process> start(Started& started) const {
    compiler::Writer out;
    out.value(Step::kStart);
    out.value(compiler::kApiVersion);
    out.value(options_);
    const Bytes message = out.take();
    for (unsigned tries = 0; tries <= kMostTries; ++tries) {
      Process process;
      {
        std::lock_guard lock(numbers.get());
        const int number = spawn_helper({folder_of_this_library() + "/weft-compiler-process", library_});
        if (number < 0) return std::nullopt;
        process.socket = Socket::of(number);
      }
      note(0, process.socket.packed());
      std::optional<Bytes> answer;
      if (process.socket.send(message)) answer = process.socket.receive();
      if (answer) {
        compiler::Reader in(*answer);
        started = in.value<Started>();
        if (in.done() && started.ok) return process;
      }
      const bool was_closed = !answer && !process.socket.is_open();
      end(process);
      if (!was_closed) break;
    }
    return std::nullopt;
  }

  const std::string library_ = *library_path;
  const compiler::Options options_ = *used_options;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Process> idle_;
  unsigned busy_ = 0;
};

constinit OnePerProcess<Processes> processes;

constexpr char kEnded[] =
    "error: the compiler ended before it was done: this program met a fault of the compiler, or asked for more memory, a deeper stack or "
    "more time than there is\n";

/// What ends sooner may have ended before it was asked.
constexpr std::chrono::seconds kSoon{5};

template <class Result, class... Arguments>
Result call_once(Step step, const std::string& folder, bool* invalid_options, const Arguments&... arguments) {
  compiler::Writer out;
  out.value(step);
  out.value(folder);
  (out.value(arguments), ...);
  const Bytes message = out.take();
  Result result;
  for (unsigned tries = 0;; ++tries) {
    const bool fresh = tries != 0;
    Started started;
    auto process = processes.get().take(fresh, started);
    if (!process) {
      result.log = "error: the compiler's process could not be started" + (started.error.empty() ? "" : ": " + started.error) + "\n";
      return result;
    }
    std::optional<Bytes> answer;
    const auto begin = std::chrono::steady_clock::now();
    const bool is_ahead = step == Step::kGenerateAhead;
    try {
      if (is_ahead) note(0, process->socket.packed(), ahead_sockets);
      if (is_ahead && ahead_is_over) process->socket.shut_down();
      if (process->socket.send(message)) answer = process->socket.receive();
    } catch (...) {
      if (is_ahead) forget_ahead(*process);
      Processes::end(*process);
      processes.get().give_back(std::nullopt);
      throw;
    }
    if (is_ahead) forget_ahead(*process);
    const bool was_used = std::exchange(process->was_used, true);
    if (answer) {
      processes.get().give_back(process);
      compiler::Reader in(*answer);
      in.read(result);
      const bool invalid = in.template value<bool>();
      if (invalid_options) *invalid_options = invalid;
      if (in.done()) return result;
      result = Result();
      result.log = kEnded;
      return result;
    }
    const bool was_closed = !process->socket.is_open();
    Processes::end(*process);
    processes.get().give_back(std::nullopt);
    // One that has waited for long may have ended for another reason.
    if (was_closed && !is_ahead && tries < kMostTries) continue;
    if (was_used && !is_ahead && std::chrono::steady_clock::now() - begin < kSoon) continue;
    result.log = kEnded;
    return result;
  }
}

template <class Result, class... Arguments>
Result call(Step step, const std::string& folder, bool* invalid_options, const Arguments&... arguments) noexcept {
  if (invalid_options) *invalid_options = false;
  try {
    return call_once<Result>(step, folder, invalid_options, arguments...);
  } catch (...) {
    return Result();
  }
}

std::string working_folder() {
  const std::unique_ptr<char, decltype(&std::free)> here(getcwd(nullptr, 0), &std::free);
  return here ? here.get() : "/";
}

compiler::CompileResult compile(const std::string& source, const std::vector<compiler::Header>& headers, const std::string& options,
                                bool line_tables, bool* invalid_options) {
  return call<compiler::CompileResult>(Step::kCompile, working_folder(), invalid_options, source, headers, options, line_tables);
}

compiler::CompileResult translate(const Bytes& module, const std::vector<compiler::SpecConstant>& constants, const std::string& options,
                                  bool* invalid_options) {
  return call<compiler::CompileResult>(Step::kTranslate, "", invalid_options, module, constants, options);
}

compiler::LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                          bool* invalid_options) {
  std::vector<Bytes> copies;
  for (const Bytes* object : objects) copies.push_back(*object);
  return call<compiler::LinkResult>(Step::kLink, "", invalid_options, copies, options, create_library);
}

compiler::LinkResult build(const std::string& source, const std::string& options, bool line_tables, bool* invalid_options) {
  return call<compiler::LinkResult>(Step::kBuild, working_folder(), invalid_options, source, options, line_tables);
}

compiler::LinkResult describe(const Bytes& program) {
  return call<compiler::LinkResult>(Step::kDescribe, "", nullptr, program);
}

compiler::GenerateResult generate(const Bytes& program, const std::string& kernel, const compiler::Specialization& specialization) {
  return call<compiler::GenerateResult>(Step::kGenerate, "", nullptr, program, kernel, specialization);
}

compiler::GenerateResult generate_ahead(const Bytes& program, const std::string& kernel, const compiler::Specialization& specialization) {
  return call<compiler::GenerateResult>(Step::kGenerateAhead, "", nullptr, program, kernel, specialization);
}

}  // namespace

void give_up_ahead() noexcept {
  ahead_is_over = true;
  for (const auto& ahead : ahead_sockets)
    if (const std::uint64_t word = ahead) Socket::unpacked(word).shut_down();
}

std::optional<CompilerProcess> start_compiler_process(const std::string& library, const compiler::Options& options) {
  library_path = new std::string(library);
  used_options = new compiler::Options(options);
  Started started;
  auto process = processes.get().take(/*fresh=*/true, started);
  CompilerProcess result;
  if (!process) {
    if (started.error.empty()) return std::nullopt;
    result.refuses_options = started.refuses_options;
    result.error = started.error;
    return result;
  }
  processes.get().give_back(process);
  static const std::string& identity = *new std::string(started.identity);
  static const compiler::Api api = {compiler::kApiVersion, identity.c_str(), compile, translate, link, build, describe, generate, generate_ahead};
  result.api = &api;
  return result;
}

void lose_compiler_processes() noexcept {
  for (auto& ahead : ahead_sockets) ahead = 0;
  numbers.lose();
  for (auto& socket : sockets)
    if (const std::uint64_t word = socket.exchange(0))
      if (const Socket lost = Socket::unpacked(word); lost.is_open()) close(lost.number);
  processes.lose();
}

}  // namespace weft::runtime
