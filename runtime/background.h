// Builds that the application does not wait for.
#pragma once

#include <functional>

namespace weft::runtime {

/// Runs `build`, then `after`, on a thread of its own. No more builds than processors run at once. If the
/// program exits, builds that have not begun are left out. `after` may block and may start further builds.
/// Neither throws. Without a thread to be had, both run here.
void run_in_background(std::function<void()> build, std::function<void()> after);

/// For the end of the program: no build begins any more, and those that run are waited for, some seconds at
/// most.
void end_background_builds() noexcept;

}  // namespace weft::runtime
