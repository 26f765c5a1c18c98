// Runs cases on platforms in turn and keeps the times.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/case.h"

namespace weft::bench {

/// A platform with one device, and what names it in the tables.
struct Peer {
  std::string name;
  cl_device_id device;
  std::unique_ptr<conformance::Session> session;
};

struct Times {
  double kernel_ms = 0;  ///< median of the events' start to end; 0 when there is none
  double wall_ms = 0;    ///< median from enqueueing to the end of clFinish
  std::string problem;   ///< why there are no times, or what is wrong with the result
};

struct Row {
  std::string name;
  double work = 0;
  std::string unit;
  std::vector<Times> times;  ///< one a peer
};

/// All platforms of the loader that have a device, Weft first.
std::vector<Peer> find_peers(const std::string& only);

/// Runs `c` in `rounds` rounds, each peer once a round, in turn. 0 rounds: only compares the result. `best`:
/// shortest times in place of medians.
Row run_case(const Case& c, std::vector<Peer>& peers, int rounds, bool best);

/// Times in microseconds that are no kernel's: an empty launch one after the other, a launch and a finish,
/// a build from source, the same to the end of the first launch.
std::vector<Row> run_latencies(std::vector<Peer>& peers, int rounds, bool best);

}  // namespace weft::bench
