// Launches that are counted: who asks for it, by what model, and what becomes of the result.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "device/counters/launch_report.h"
#include "device/launch.h"
#include "runtime/kernel.h"
#include "runtime/ndrange.h"
#include "runtime/performance_counters.h"
#include "runtime/profile.h"

namespace weft::runtime {

using LaunchReport = device::counters::LaunchReport;

/// What launches are counted by. Null: they cannot be, as WEFT_COMPUTE_CAPABILITY names nothing that the models know; stderr
/// says so, once.
const device::counters::Model* counting_model();

/// How one launch is counted.
struct CountingMode {
  bool for_profile = false;  ///< the environment's files want it
  bool for_queue = false;    ///< its queue does
  bool for_record = false;   ///< the record of the run does
  bool traced = false;       ///< so that counters that are traced are known
  bool any() const { return for_profile || for_queue || for_record; }
};
/// Whether launches of this process may be counted by what the environment says: then groups are such as GPUs want.
bool counts_by_environment();
/// Of a launch of `kernel`, which is asked once for each.
CountingMode counting_mode(const QueueCounters& queue, const std::string& kernel);

/// One launch that is to be counted, until it is over.
class Counting {
 public:
  Counting(const Kernel& kernel, const NDRange& range, std::uint64_t local_bytes, const CountingMode& mode);

  /// Groups that run at the same time on the device that is modelled, if it is a traced one: device::Launch::wave.
  std::uint64_t wave() const;

  void begin(std::uint64_t now_ns) { report_->started_ns = now_ns; }
  /// After the launch has ended well. Null if it was not counted after all: there was no code that counts, or no memory.
  /// `others`: its parts beside `launch`, counted with it.
  std::shared_ptr<const LaunchReport> end(device::Launch& launch, std::span<const device::Launch> others) noexcept;

 private:
  std::shared_ptr<LaunchReport> report_;
  ProfilePlace place_;
};

}  // namespace weft::runtime
