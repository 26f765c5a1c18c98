#include "compiler/fuzz/batch.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "compiler/support/deep_thread.h"
#include "compiler/fuzz/defined.h"

namespace weft::fuzz {
namespace {

/// What a child says: a job's end, or that it has come as far as a variant (so that a crash has a place).
struct Message {
  enum Kind : std::uint32_t { kVariant, kEnd } kind = kVariant;
  std::uint32_t variant = 0;
  std::uint64_t job = 0;
  Verdict verdict = Verdict::kAgree;
  double slowest_ms = 0;
  char what[400] = {};
};
static_assert(sizeof(Message) <= PIPE_BUF);  // one write is one message

std::uint64_t now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec);
}

void send(int pipe, const Message& message) {
  if (write(pipe, &message, sizeof message) != sizeof message) _exit(3);
}

/// In the child: the jobs from `first` to before `last`.
void work(int pipe, std::size_t first, std::size_t last, const BatchOptions& options, llvm::function_ref<Job(std::size_t)> make) {
  for (std::size_t i = first; i < last; ++i) {
    Message message;
    message.job = i;
    send(pipe, message);
    Outcome outcome;
    std::string error;
    const bool whole = compiler::support::run_on_deep_thread(
        [&] {
          const Job job = make(i);
          CheckOptions check_options;
          check_options.oracle_of_prepared = options.oracle_of_prepared;
          check_options.keep_calls = options.keep_calls;
          check_options.disable = options.disable;
          const auto entering = [&](std::size_t variant) {
            message.variant = static_cast<std::uint32_t>(variant);
            send(pipe, message);
          };
          check_options.entering = entering;
          outcome = job.images             ? check_images(*job.images, job.variants, check_options)
                    : options.only_defined ? check_defined(job.source, job.variants)
                                           : check(job.source, job.variants, check_options);
        },
        error);
    if (!whole) {
      outcome.verdict = Verdict::kBroken;
      outcome.what = error;
      outcome.variant = message.variant;
    }
    message.kind = Message::kEnd;
    message.variant = static_cast<std::uint32_t>(outcome.variant);
    message.verdict = outcome.verdict;
    message.slowest_ms = outcome.slowest_ms;
    std::strncpy(message.what, outcome.what.c_str(), sizeof message.what - 1);
    send(pipe, message);
    // What a fatal error left behind is not to be trusted.
    if (!whole) _exit(0);
  }
}

struct Child {
  pid_t process = -1;
  int pipe = -1;
  std::size_t next = 0, last = 0;  ///< of its jobs, those without a report
  std::uint32_t variant = 0;
  std::uint64_t heard_s = 0;
  bool killed = false;
};

class Batch {
 public:
  Batch(const BatchOptions& options, llvm::function_ref<Job(std::size_t)> job,
        llvm::function_ref<void(std::size_t, const Report&)> report)
      : options_(options), job_(job), report_(report) {}

  void run(std::size_t count) {
    std::size_t given = 0;
    while (given < count || !children_.empty()) {
      while (children_.size() < std::max(1u, options_.children) && given < count) {
        const std::size_t last = std::min<std::size_t>(given + options_.per_child, count);
        start(given, last);
        given = last;
      }
      listen();
    }
  }

 private:
  void start(std::size_t first, std::size_t last) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no process");
    if (process == 0) {
      close(ends[0]);
      work(ends[1], first, last, options_, job_);
      _exit(0);
    }
    close(ends[1]);
    children_.push_back({process, ends[0], first, last, 0, now_s(), false});
  }

  void listen() {
    std::vector<pollfd> polled;
    for (const Child& child : children_) polled.push_back({child.pipe, POLLIN, 0});
    poll(polled.data(), polled.size(), 1000);
    // Backwards: children that end leave the list.
    for (std::size_t i = polled.size(); i-- > 0;) {
      Child& child = children_[i];
      if (polled[i].revents != 0) {
        Message message;
        const ssize_t got = read(child.pipe, &message, sizeof message);
        if (got == static_cast<ssize_t>(sizeof message)) {
          hear(child, message);
        } else {
          end(i);
          continue;
        }
      }
      if (now_s() - child.heard_s > options_.time_out_s && !child.killed) {
        child.killed = true;
        kill(child.process, SIGKILL);
      }
    }
  }

  void hear(Child& child, const Message& message) {
    child.heard_s = now_s();
    child.variant = message.variant;
    if (message.kind != Message::kEnd) return;
    child.next = message.job + 1;
    child.variant = 0;
    report_(message.job, {{message.verdict, message.what, message.variant, message.slowest_ms}, false});
  }

  void end(std::size_t index) {
    const Child child = children_[index];
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(index));
    close(child.pipe);
    int status = 0;
    waitpid(child.process, &status, 0);
    if (child.next == child.last) return;
    std::size_t next = child.next;
    if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
      Report report;
      report.crashed = true;
      // A kernel that traps under check_defined() is none.
      report.outcome.verdict = options_.only_defined ? Verdict::kRejected : Verdict::kDiffer;
      report.outcome.variant = child.variant;
      report.outcome.what = child.killed ? "hangs"
                            : WIFSIGNALED(status)
                                ? std::string("crashes: ") + strsignal(WTERMSIG(status))
                                : "the child ends with status " + std::to_string(WEXITSTATUS(status));
      report_(next++, report);
    }
    if (next < child.last) start(next, child.last);
  }

  const BatchOptions& options_;
  llvm::function_ref<Job(std::size_t)> job_;
  llvm::function_ref<void(std::size_t, const Report&)> report_;
  std::vector<Child> children_;
};

}  // namespace

void run_batch(std::size_t count, const BatchOptions& options, llvm::function_ref<Job(std::size_t)> job,
               llvm::function_ref<void(std::size_t, const Report&)> report) {
  Batch(options, job, report).run(count);
}

Report run_apart(const Job& job, const BatchOptions& options) {
  Report result;
  run_batch(
      1, options, [&](std::size_t) { return job; }, [&](std::size_t, const Report& report) { result = report; });
  return result;
}

}  // namespace weft::fuzz
