// Runs cases on platforms in turn and keeps the times.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "bench/case.h"
#include "bench/native_module.h"

namespace weft::bench {

/// A platform with one device, and what names it in the tables; or the native code, which has neither.
struct Peer {
  std::string name;
  cl_device_id device;
  std::unique_ptr<conformance::Session> session;
  std::unique_ptr<NativeModule> native;
  std::string spirv = {};  ///< the command that makes its programs' modules; empty: they are built from source
};

struct Times {
  double kernel_ms = 0;  ///< median of the events' start to end; of what is no kernel, and of native code, as wall_ms
  double wall_ms = 0;    ///< median from enqueueing to the end of clFinish
  /// How many times the first peer's, the median of the rounds' own ratios: a machine whose speed changes between rounds
  /// changes both of a round's times. 0: there are no rounds; the quotient of the medians serves.
  double ratio = 0;
  bool absent = false;   ///< the peer has nothing that could be measured
  std::string problem;   ///< why there are no times, or what is wrong with the result
};

struct Row {
  std::string name;
  double work = 0;           ///< of one launch, in `unit` * 1e-9; 0: only the time counts
  std::string unit;          ///< of the rate; without work, of the time
  std::vector<Times> times;  ///< one a peer
  bool needs_warps = false;  ///< see Case
};

/// Those platforms of the loader with a device in whose name one of `only` occurs (the platform's own or Peer::name), Weft
/// first; none named: all.
std::vector<Peer> find_peers(const std::vector<std::string>& only);

/// Adds each Weft among `peers` once more, its programs from SPIR-V: the standard output of the shell command `command OPTIONS FILE.cl`, with the
/// options of clBuildProgram.
void add_spirv_peers(std::vector<Peer>& peers, const std::string& command);

/// Adds the native code made for `processor`, after the platforms, if there is any and one of `only` occurs in its name.
void add_native_peer(std::vector<Peer>& peers, const std::string& processor, const std::vector<std::string>& only);

/// The median of the values, or the least of them; 0 if there are none.
double summary(std::vector<double> values, bool best);

double ms_since(std::chrono::steady_clock::time_point from);

/// Runs `c` in `rounds` rounds, each peer once a round, in turn. 0 rounds: only compares the result. `best`:
/// shortest times in place of medians.
Row run_case(const Case& c, std::vector<Peer>& peers, int rounds, bool best);

/// An empty launch one after the other; a launch and a finish.
std::vector<Row> run_launches(std::vector<Peer>& peers, int rounds, bool best);

}  // namespace weft::bench
