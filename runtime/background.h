// Compiler work that no API call waits for: builds with a callback, and the machine code of kernels.
#pragma once

#include <functional>

namespace weft::runtime {

/// What becomes of work that has not begun when the program exits.
enum class AtExit {
  kLeaveOut,
  kRun,  ///< commands wait for it, and other static objects may wait for those
};

/// Whether anything waits for work.
enum class Urgency {
  kWaitedFor,
  kBetter,  ///< launches run other code meanwhile: begins where a processor is free
};

/// Runs `work`, then `after`, on another thread; first come, first served, but what is waited for before the rest. No more work than
/// processors runs at
/// once, `after` not counted: it may block and may add work. Neither throws. Without a thread to be had, and
/// once the program has begun to exit, what is to be run runs here. Throws std::bad_alloc; nothing has been added
/// then.
void run_in_background(std::function<void()> work, std::function<void()> after, AtExit at_exit,
                       Urgency urgency = Urgency::kWaitedFor);

/// Runs `work` on a thread of its own, at most kMostAhead at a time. It is not waited for at the end of the program but until
/// give_up_ahead() ends it.
/// Throws std::bad_alloc; without a thread to be had nothing runs.
inline constexpr unsigned kMostAhead = 2;
void run_ahead(std::function<void()> work);

/// Processors less the work that runs, in the background and ahead.
int free_processors();

/// For the end of the program: what has begun, and what is to be run, is waited for, some seconds at most.
void end_background() noexcept;

/// For the child of a fork: what waits and what runs is the parent's.
void lose_background() noexcept;

/// Whether those seconds did not suffice: what begins now had better fail at once.
bool is_background_late() noexcept;

}  // namespace weft::runtime
