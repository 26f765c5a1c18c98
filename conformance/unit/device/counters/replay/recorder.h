// Records what the work-items of a launch access, puts the accesses of 32 neighbours together as a warp's,
// and counts them with the models of compute capability 9.0.
//
// Work-items run on the host, one after the other. A source access is known by its place in the program (a
// return address), the barriers before it and how often the work-item was there since; the k-th visit of one
// work-item is one instruction with the k-th visit of the others of its warp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/counters/access.h"

namespace weft::device::counters::replay {

/// What to run. Sizes are in work-items.
struct Launch {
  std::string kernel;
  int parameter = 0;  ///< the number after "=" of the row
  unsigned global_size[2] = {1, 1}, local_size[2] = {1, 1};
};

/// Counters by the names of the silicon tables.
using Counters = std::map<std::string, std::uint64_t>;

class Recorder {
 public:
  /// Memory regions that count; addresses elsewhere are registers.
  void set_global(void* begin, std::size_t bytes);
  void set_constant(const void* begin, std::size_t bytes);

  /// The launch's own: a reduction of the kernel is joined to one lane a warp (see `joined`).
  void join_reductions(bool join) { join_ = join; }

  /// Runs the work-item function for each work-item of the launch and returns the counts.
  Counters run(const Launch& launch, const std::function<void()>& work_item);

  // --- called by the work-items
  // -------------------------------------------------------------------------------------

  void access(const void* address, unsigned width, Kind kind, const void* site);
  /// An array element that nothing initializes belongs to a private array: its accesses count as such.
  void private_element(const void* address, unsigned width);
  void barrier() { ++phase_; }
  /// The work-group's n-th local array, for the n-th call of a work-item.
  void* local_array(std::size_t bytes);

  int local_id(int d) const { return local_id_[d]; }
  int local_size(int d) const { return local_size_[d]; }
  int group(int d) const { return group_[d]; }
  int groups(int d) const { return groups_[d]; }

 private:
  enum class Space : std::uint8_t { global, local, constant, private_memory };
  struct Range {
    std::uintptr_t begin = 0, end = 0;
    bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
  };
  struct Site {
    unsigned visits = 0;          ///< of the running work-item since the last barrier
    unsigned phase = ~0u;         ///< that `visits` belongs to
    std::uint64_t work_item = 0;  ///< likewise
    std::vector<int> slots;       ///< by phase and visit: index into `warp_`, or -1
  };
  struct Instruction {
    Space space;
    int* slot;
    WarpAccess access;
  };

  void end_work_item();
  void end_warp();
  void count(const Instruction& instruction);

  Range global_, constant_, private_;
  bool join_ = false;
  int local_id_[2], local_size_[2], group_[2], groups_[2];
  unsigned lane_ = 0, phase_ = 0;
  std::uint64_t work_item_ = 0;
  std::size_t local_used_ = 0;
  std::uint64_t forwarded_ = 0;  ///< the private offset that this work-item stored last, plus one
  std::unordered_map<std::uint64_t, Site> sites_;
  std::vector<Instruction> warp_;
  Counters counters_;
};

/// The one that the kernels' accesses go to.
Recorder& recorder();

}  // namespace weft::device::counters::replay
