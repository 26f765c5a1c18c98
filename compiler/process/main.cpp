// weft-compiler-process: the compiler in a process of its own, so that whatever a source does to Clang or LLVM (a fatal error, a
// stack that overflows, no memory left) ends this process and not the program that builds it.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <thread>

#include "compiler/process/messages.h"

namespace weft::compiler::process {
namespace {

/// Ends the process with the program, even in the middle of a compilation.
void end_with_program() {
  pollfd socket{kSocket, POLLRDHUP, 0};
  while (poll(&socket, 1, -1) <= 0) {
  }
  _exit(0);
}

/// What the system takes first when memory runs out: not the program.
void offer_to_system() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const auto written = write(file, "1000", 4);
  close(file);
}

/// Half of the machine's memory at most: what asks for all of it gets an error, and others keep theirs.
void bound_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto bytes = static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) / 2;
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= bytes) return;
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

/// What one compilation frees is there for the next: the system would have to clear each page again. And one compilation runs at a time,
/// each in a thread of its own (api.cpp): all have the same memory.
void keep_memory() {
  constexpr int kBytes = 64 << 20;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, kBytes);
  mallopt(M_MMAP_THRESHOLD, kBytes);
}

const Api* start(const char* path, Reader& in, Started& started) {
  const auto version = in.value<std::uint32_t>();
  const auto options = in.value<Options>();
  if (version != kApiVersion || !in.done()) {
    started.error = "the compiler's process is of another version";
    return nullptr;
  }
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    started.error = std::string("no compiler: ") + dlerror();
    return nullptr;
  }
  const auto get = reinterpret_cast<GetApi>(dlsym(library, "weft_compiler_api"));
  std::string error = "it is no compiler of Weft's";
  const Api* api = get ? get(kApiVersion, options, started.refuses_options, error) : nullptr;
  if (api == nullptr) {
    started.error = started.refuses_options ? error : "no compiler (" + std::string(path) + "): " + error;
    return nullptr;
  }
  started.ok = true;
  started.identity = api->identity;
  return api;
}

/// Ends the process where optimized code takes more time than the largest kernels do: there are folds of LLVM's that undo each other for ever. The
/// runtime makes code of required passes alone then, for which there is no limit.
class TimeLimit {
 public:
  explicit TimeLimit(const Specialization& specialization) { set(specialization.required_only ? 0 : kSeconds); }
  ~TimeLimit() { set(0); }

 private:
  /// Of the processor's time, so that a busy machine is no reason; several times what the largest kernels of known programs take. Instrumented
  /// compilers take longer.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr int kSeconds = 1200;
#else
  static constexpr int kSeconds = 60;
#endif

  static void set(int seconds) {
    const itimerval timer{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);  // SIGPROF
  }
};

/// Whatever the program has set, which a process inherits.
void accept_time_limit() {
  signal(SIGPROF, SIG_DFL);
  sigset_t limit;
  sigemptyset(&limit);
  sigaddset(&limit, SIGPROF);
  sigprocmask(SIG_UNBLOCK, &limit, nullptr);
}

/// The answer to a call; nothing if the message makes no sense.
Bytes answer(const Api& api, Step step, Reader& in) {
  Writer out;
  bool invalid_options = false;
  const auto folder = in.value<std::string>();
  // From where #include looks; if it is gone, so are the files.
  if (!folder.empty() && chdir(folder.c_str()) != 0) [[maybe_unused]] const int root = chdir("/");
  switch (step) {
    case Step::kCompile: {
      const auto source = in.value<std::string>();
      const auto headers = in.value<std::vector<Header>>();
      const auto options = in.value<std::string>();
      const auto line_tables = in.value<bool>();
      if (!in.done()) return {};
      out.value(api.compile(source, headers, options, line_tables, &invalid_options));
      break;
    }
    case Step::kTranslate: {
      const auto module = in.value<Bytes>();
      const auto constants = in.value<std::vector<SpecConstant>>();
      const auto options = in.value<std::string>();
      if (!in.done()) return {};
      out.value(api.translate(module, constants, options, &invalid_options));
      break;
    }
    case Step::kLink: {
      const auto objects = in.value<std::vector<Bytes>>();
      const auto options = in.value<std::string>();
      const auto library = in.value<bool>();
      if (!in.done()) return {};
      std::vector<const Bytes*> pointers;
      for (const Bytes& object : objects) pointers.push_back(&object);
      out.value(api.link(pointers, options, library, &invalid_options));
      break;
    }
    case Step::kBuild: {
      const auto source = in.value<std::string>();
      const auto options = in.value<std::string>();
      const auto line_tables = in.value<bool>();
      if (!in.done()) return {};
      out.value(api.build(source, options, line_tables, &invalid_options));
      break;
    }
    case Step::kDescribe: {
      const auto program = in.value<Bytes>();
      if (!in.done()) return {};
      out.value(api.describe(program));
      break;
    }
    case Step::kGenerate:
    case Step::kGenerateAhead: {
      const auto program = in.value<Bytes>();
      const auto kernel = in.value<std::string>();
      const auto specialization = in.value<Specialization>();
      if (!in.done()) return {};
      const TimeLimit limit(specialization);
      out.value((step == Step::kGenerate ? api.generate : api.generate_ahead)(program, kernel, specialization));
      break;
    }
    case Step::kStart:
      return {};
  }
  out.value(invalid_options);
  return out.take();
}

/// What `step`, send or recv, did: 0 if it failed.
template <class Step>
std::size_t some(Step step) {
  for (;;) {
    const ssize_t done = step();
    if (done >= 0 || errno != EINTR) return done > 0 ? static_cast<std::size_t>(done) : 0;
  }
}

std::size_t send_some(const void* data, std::size_t size) {
  return some([&] { return send(kSocket, data, size, MSG_NOSIGNAL); });
}

std::size_t receive_some(void* data, std::size_t size) {
  return some([&] { return recv(kSocket, data, size, 0); });
}

int serve(const char* path) {
  offer_to_system();
  bound_memory();
  keep_memory();
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  accept_time_limit();
  std::thread(end_with_program).detach();
  const Api* api = nullptr;
  for (;;) {
    pollfd socket{kSocket, POLLIN, 0};
    if (poll(&socket, 1, kIdleSeconds * 1000) == 0) return 0;
    const auto message = receive_message(receive_some);
    if (!message) return 0;
    Reader in(*message);
    const Step step = in.value<Step>();
    Bytes out;
    if (step == Step::kStart && !api) {
      Started started;
      api = start(path, in, started);
      Writer writer;
      writer.value(started);
      out = writer.take();
    } else if (api) {
      out = answer(*api, step, in);
    }
    if (out.empty() || !send_message(send_some, out)) return 1;
    if (!api) return 1;
  }
}

}  // namespace
}  // namespace weft::compiler::process

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "weft-compiler-process is started by libweft.so alone\n");
    return 2;
  }
  const int status = weft::compiler::process::serve(argv[1]);
  // Nothing to clean up, and LLVM takes a while.
  _exit(status);
}
