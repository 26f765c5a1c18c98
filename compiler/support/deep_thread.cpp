#include "compiler/support/deep_thread.h"

#include <pthread.h>

#include <csetjmp>
#include <exception>
#include <new>

#include "llvm/Support/ErrorHandling.h"

namespace weft::compiler::support {
namespace {

struct Job {
  llvm::function_ref<void()> work;
  std::string& error;
  bool ok = false;
  std::jmp_buf end;
  const char* start = nullptr;  ///< of the stack
};

/// The calling thread's.
constinit thread_local Job* own_job = nullptr;

/// Some of LLVM's and Clang's frames are noexcept, and an exception that meets one ends the process. Nothing that a frame owns is freed,
/// so that the text is put together where it stays.
void leave(const char* error, const char* reason) {
  if (own_job == nullptr) return;  // not one of this file's threads: LLVM ends the process
  own_job->error.assign(error).append(reason).append("\n");
  std::longjmp(own_job->end, 1);
}

void leave_at_fatal_error(void*, const char* reason, bool) { leave("error: internal compiler error: ", reason); }
void leave_without_memory(void*, const char*, bool) { leave("error: the compiler ran out of memory", ""); }

void install_handlers() {
  static const bool installed = [] {
    llvm::install_fatal_error_handler(leave_at_fatal_error);
    llvm::install_bad_alloc_error_handler(leave_without_memory);
    return true;
  }();
  (void)installed;
}

void* run_job(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  job.start = static_cast<const char*>(__builtin_frame_address(0));
  own_job = &job;
  if (setjmp(job.end) != 0) return nullptr;
  try {
    job.work();
    job.ok = true;
  } catch (const std::bad_alloc&) {
    job.error = "error: the compiler ran out of memory\n";
  } catch (const std::exception& exception) {
    job.error = std::string("error: internal compiler error: ") + exception.what() + "\n";
  }
  return nullptr;
}

}  // namespace

std::size_t stack_used() {
  return own_job ? static_cast<std::size_t>(own_job->start - static_cast<const char*>(__builtin_frame_address(0))) : 0;
}

bool run_on_deep_thread(llvm::function_ref<void()> work, std::string& error) {
  install_handlers();
  Job job{work, error, false, {}, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int status = pthread_create(&thread, &attributes, run_job, &job);
  pthread_attr_destroy(&attributes);
  if (status != 0) {
    error = "error: the compiler could not start a thread\n";
    return false;
  }
  pthread_join(thread, nullptr);
  return job.ok;
}

}  // namespace weft::compiler::support
