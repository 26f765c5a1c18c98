#include "runtime/fork.h"

#include <pthread.h>

#include "runtime/background.h"
#include "runtime/callbacks.h"
#include "runtime/command.h"
#include "runtime/command_buffer.h"
#include "runtime/compiler_process.h"
#include "runtime/context.h"
#include "runtime/engines.h"
#include "runtime/event.h"
#include "runtime/kept_memory.h"
#include "runtime/kernel.h"
#include "runtime/memory.h"
#include "runtime/profile.h"
#include "runtime/program.h"
#include "runtime/queue.h"
#include "runtime/record.h"
#include "runtime/sampler.h"
#include "runtime/semaphore.h"

namespace weft::runtime {
namespace {

constinit std::atomic<bool> is_child{false};

template <class F>
void each_pool(F use) {
  use(pool<_cl_device_id>), use(pool<_cl_context>), use(pool<_cl_command_queue>), use(pool<_cl_mem>), use(pool<_cl_sampler>);
  use(pool<_cl_program>), use(pool<_cl_kernel>), use(pool<_cl_event>);
  use(pool<_cl_command_buffer_khr>), use(pool<_cl_mutable_command_khr>), use(pool<_cl_semaphore_khr>);
}

/// Nothing that the child may want is left half done by a thread that it does not have.
void before_fork() {
  engines_before_fork();
  each_pool([](auto& one) { one.lock(); });
  lock_kept();
}

void after_fork(void (*release)() noexcept) {
  unlock_kept();
  each_pool([](auto& one) { one.unlock(); });
  release();
}

[[maybe_unused]] const int registered = pthread_atfork(
    before_fork, [] { after_fork(engines_after_fork); },
    [] {
      is_child = true;
      lose_background();
      lose_callbacks();
      lose_awaited_signals();
      lose_compiler_processes();
      Profile::lose_in_child();
      Record::lose_in_child();
      after_fork(engines_after_fork_in_child);
    });

}  // namespace

bool is_forked() noexcept { return is_child; }

}  // namespace weft::runtime
