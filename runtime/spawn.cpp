#include "runtime/spawn.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <new>

namespace weft::runtime {
namespace {

constexpr int kSocket = 3;
constexpr std::size_t kStackBytes = 64 * 1024;

// ThreadSanitizer stops to watch a process that was cloned, and would so stop to watch this one's thread: with it children have
// memory of their own, but for the mapping that the plan and their stacks are in.
#ifdef __SANITIZE_THREAD__
constexpr int kClone = CLONE_VFORK, kMapping = MAP_SHARED;
#else
constexpr int kClone = CLONE_VM | CLONE_VFORK, kMapping = MAP_PRIVATE;
#endif

// The children's frames are never left: AddressSanitizer would take their memory for a stack's still when another has it.
#define WEFT_UNWATCHED __attribute__((no_sanitize("address")))

/// Shared with the children, which run in this process's memory until they are gone (CLONE_VM | CLONE_VFORK): nothing in them
/// may allocate, and nothing but system calls is safe.
struct Plan {
  char** arguments;
  char** environment;
  int socket;
  std::byte* stack;  ///< of the second child
  bool started = false;
};

WEFT_UNWATCHED int become_helper(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  // Not the group that a terminal's interrupt goes to; the session stays, since schedulers share processors out between sessions first
  // (autogroup), and the low priority of code that nobody waits for would count for nothing.
  setpgid(0, 0);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now;
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) sigaction(signal, &plain, nullptr);
  }
  const int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(plan.socket, kSocket) < 0) _exit(127);
  dup2(null, 0);
  dup2(null, 1);
  if (syscall(SYS_close_range, kSocket + 1, ~0u, 0) != 0) {
    for (int file = kSocket + 1; file < 1024; ++file) close(file);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  plan.started = true;
  execve(plan.arguments[0], plan.arguments, plan.environment);
  plan.started = false;
  _exit(127);
}

/// Between the program and the helper, so that the helper is not the program's child.
WEFT_UNWATCHED int start_helper(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  clone(become_helper, plan.stack + kStackBytes, kClone | SIGCHLD, data);
  _exit(0);
}

std::vector<std::string> environment() {
  // LLVM frees thousands of small pieces at once; glibc's malloc keeps seven of a size at hand unless told otherwise.
  std::vector<std::string> result = {"GLIBC_TUNABLES=glibc.malloc.tcache_count=2000"};
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* value = secure_getenv(name)) result.push_back(std::string(name) + "=" + value);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

int spawn_helper(const std::vector<std::string>& command) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -1;
  std::vector<std::string> words = command, variables = environment();
  const std::vector<char*> arguments = pointers(words), names = pointers(variables);
  // The child's copy must not be descriptor 3 itself, which dup2 would leave with its mark to be closed.
  const int theirs = fcntl(sockets[1], F_DUPFD_CLOEXEC, kSocket + 1);
  close(sockets[1]);
  void* stacks = mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, kMapping | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  bool started = false;
  if (theirs >= 0 && stacks != MAP_FAILED) {
    auto* const stack = static_cast<std::byte*>(stacks);
    // No handler of the program's runs in a child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    Plan& plan = *new (stack) Plan{const_cast<char**>(arguments.data()), const_cast<char**>(names.data()), theirs, stack};
    // Without a signal at its end it is nobody's business but that of who waits for it by number.
    const pid_t child = clone(start_helper, stack + 2 * kStackBytes, kClone, &plan);
    if (child > 0) {
      while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
      }
      started = plan.started;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  if (stacks != MAP_FAILED) munmap(stacks, 2 * kStackBytes);
  if (theirs >= 0) close(theirs);
  if (started) return sockets[0];
  close(sockets[0]);
  return -1;
}

}  // namespace weft::runtime
