// What a program's start costs: its build from source and each kernel's first launch.
#pragma once

#include "bench/runner.h"

namespace weft::bench {

/// Builds of a source that no cache has seen, in this process; and a program of 25 kernels, built and each
/// launched once in a process of its own, first with nothing of it in the caches on disk, then with all.
std::vector<Row> run_builds(std::vector<Peer>& peers, int rounds, bool best);

/// The word with which this program runs itself for that: `weft-bench kFirstRun PEER SALT`.
inline constexpr const char* kFirstRun = "--first-run";

/// What such a process does: builds and launches on the peer, prints the milliseconds. Throws.
void first_run(const std::string& peer, const std::string& salt);

}  // namespace weft::bench
