#include "recorder.h"

#include <stdexcept>

#include "device/counters/constant_memory.h"
#include "device/counters/global_memory.h"
#include "device/counters/local_memory.h"
#include "device/counters/private_memory.h"

namespace weft::device::counters::replay {

namespace {

constexpr unsigned kVisits = 128;  ///< most of one place by a work-item between two barriers
alignas(4096) char local_memory[64 * 1024];

const std::string kTransactions = "l1tex__t_", kLocalData = "l1tex__data_";

std::string operation(Kind kind) {
  return kind == Kind::load ? "ld" : kind == Kind::store ? "st" : kind == Kind::reduction ? "red" : "atom";
}

}  // namespace

Recorder& recorder() {
  static Recorder the;
  return the;
}

void Recorder::set_global(void* begin, std::size_t bytes) {
  global_ = {reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(begin) + bytes};
}

void Recorder::set_constant(const void* begin, std::size_t bytes) {
  constant_ = {reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(begin) + bytes};
}

void* Recorder::local_array(std::size_t bytes) {
  void* const array = local_memory + local_used_;
  local_used_ += (bytes + 127) / 128 * 128;
  if (local_used_ > sizeof local_memory) throw std::length_error("local memory");
  return array;
}

void Recorder::private_element(const void* address, unsigned width) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at != private_.end) private_.begin = at;
  private_.end = at + width;
}

void Recorder::access(const void* pointer, unsigned width, Kind kind, const void* site_address) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Space space;
  std::uint64_t at = address;
  if (global_.holds(address)) {
    space = Space::global;
    at -= global_.begin;  // As on the device, where a buffer starts at a multiple of its size.
  } else if (address - reinterpret_cast<std::uintptr_t>(local_memory) < sizeof local_memory) {
    space = Space::local;
    at -= reinterpret_cast<std::uintptr_t>(local_memory);
  } else if (constant_.holds(address)) {
    space = Space::constant;
  } else if (private_.holds(address)) {
    space = Space::private_memory;
    at -= private_.begin;
    // A compiler hands a value on from a store to the load of the same element that follows it.
    const bool forwarded = kind == Kind::load && forwarded_ == at + 1;
    forwarded_ = kind == Kind::store ? at + 1 : 0;
    if (forwarded) return;
  } else {
    return;
  }
  Site& site = sites_[reinterpret_cast<std::uintptr_t>(site_address) * 4 + static_cast<unsigned>(kind)];
  if (site.work_item != work_item_ || site.phase != phase_) {
    site.work_item = work_item_;
    site.phase = phase_;
    site.visits = 0;
  }
  if (site.visits == kVisits) throw std::length_error("visits");
  const std::size_t index = phase_ * kVisits + site.visits++;
  if (index >= site.slots.size()) site.slots.resize((phase_ + 1) * kVisits, -1);
  int& slot = site.slots[index];
  if (slot < 0) {
    slot = static_cast<int>(warp_.size());
    warp_.push_back({space, nullptr, {}});
    warp_.back().access.mask = 0;
    warp_.back().access.width = static_cast<std::uint8_t>(width);
    warp_.back().access.kind = kind;
  }
  WarpAccess& access = warp_[slot].access;
  access.address[lane_] = at;
  access.mask |= 1u << lane_;
}

void Recorder::end_work_item() {
  ++work_item_;
  ++lane_;
  phase_ = 0;
  local_used_ = 0;
  forwarded_ = 0;
  private_ = {};
}

void Recorder::end_warp() {
  for (const Instruction& instruction : warp_) count(instruction);
  for (auto& [address, site] : sites_) std::fill(site.slots.begin(), site.slots.end(), -1);
  warp_.clear();
  lane_ = 0;
  ++counters_["smsp__warps_launched.sum"];
}

void Recorder::count(const Instruction& instruction) {
  const WarpAccess& access = instruction.access;
  const std::string op = operation(access.kind) + ".sum";
  if (instruction.space == Space::local) {
    const std::string local = access.is_atomic() ? "atom.sum" : op;
    const LocalCost cost = local_access(kCc90, access);
    counters_["smsp__inst_executed_op_shared_" + local] += cost.requests;
    counters_[kLocalData + "pipe_lsu_wavefronts_mem_shared_op_" + local] += cost.wavefronts;
    counters_[kLocalData + "bank_conflicts_pipe_lsu_mem_shared_op_" + local] += cost.conflicts;
  } else if (instruction.space == Space::constant) {
    counters_["idc__requests.sum"] += constant_passes(kCc90, access);
    counters_["smsp__inst_executed_op_ldc.sum"] += 1;
  } else {
    const bool own = instruction.space == Space::private_memory;
    const bool join = join_ && access.kind == Kind::reduction;
    const GlobalCost cost =
        own ? private_access(kCc90, access) : global_access(kCc90, join ? joined(access) : access);
    const std::string of = std::string("_pipe_lsu_mem_") + (own ? "local" : "global") + "_op_" + op;
    counters_[kTransactions + "requests" + of] += cost.requests;
    counters_[kTransactions + "sectors" + of] += cost.sectors;
  }
}

Counters Recorder::run(const Launch& launch, const std::function<void()>& work_item) {
  counters_.clear();
  sites_.clear();
  for (int d = 0; d < 2; ++d) {
    local_size_[d] = static_cast<int>(launch.local_size[d]);
    groups_[d] = static_cast<int>(launch.global_size[d] / launch.local_size[d]);
  }
  for (group_[1] = 0; group_[1] < groups_[1]; ++group_[1]) {
    for (group_[0] = 0; group_[0] < groups_[0]; ++group_[0]) {
      for (local_id_[1] = 0; local_id_[1] < local_size_[1]; ++local_id_[1]) {
        for (local_id_[0] = 0; local_id_[0] < local_size_[0]; ++local_id_[0]) {
          work_item();
          end_work_item();
          if (lane_ == kWarpSize) end_warp();
        }
      }
      if (lane_ != 0) end_warp();
    }
  }
  return counters_;
}

}  // namespace weft::device::counters::replay
