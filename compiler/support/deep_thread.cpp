#include "compiler/support/deep_thread.h"

#include <pthread.h>

#include <exception>
#include <new>
#include <stdexcept>

#include "llvm/Support/ErrorHandling.h"

namespace weft::compiler::support {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 20;

struct FatalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// LLVM's frames have unwind tables but no cleanups, so exceptions pass through them.
[[noreturn]] void throw_fatal_error(void*, const char* reason, bool) { throw FatalError(reason); }
[[noreturn]] void throw_bad_alloc(void*, const char*, bool) { throw std::bad_alloc(); }

void install_handlers() {
  static const bool installed = [] {
    llvm::install_fatal_error_handler(throw_fatal_error);
    llvm::install_bad_alloc_error_handler(throw_bad_alloc);
    return true;
  }();
  (void)installed;
}

struct Job {
  llvm::function_ref<void()> work;
  std::string& error;
  bool ok = false;
};

void* run_job(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  try {
    job.work();
    job.ok = true;
  } catch (const FatalError& fatal) {
    job.error = std::string("error: internal compiler error: ") + fatal.what() + "\n";
  } catch (const std::bad_alloc&) {
    job.error = "error: the compiler ran out of memory\n";
  } catch (const std::exception& exception) {
    job.error = std::string("error: internal compiler error: ") + exception.what() + "\n";
  }
  return nullptr;
}

}  // namespace

bool run_on_deep_thread(llvm::function_ref<void()> work, std::string& error) {
  install_handlers();
  Job job{work, error};
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
