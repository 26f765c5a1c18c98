// Partition camping on 1.x devices: transactions that crowd into few of the memory's partitions.
#pragma once

#include <array>
#include <cstdint>

#include "device/counters/capability.h"

namespace weft::device::counters {

/// Memory is dealt out to the partitions in runs of 256 bytes (NVIDIA's "Optimizing Matrix Transpose in
/// CUDA"; the "Optimizing CUDA" tutorial, "Partition camping"): 6 of them on a GeForce 8800 GTX (1.0), 8 on a
/// GTX 280 (1.3).
struct PartitionLayout {
  unsigned partitions = 8;
  unsigned run_bytes = 256;

  unsigned of(std::uint64_t address) const { return static_cast<unsigned>(address / run_bytes % partitions); }
};

/// Multiprocessors that work at the same time: 16 on a GeForce 8800 GTX, 30 on a GTX 280 (Programming Guide, Appendix A).
inline unsigned multiprocessors_1x(Capability capability) { return capability < kCc12 ? 16 : 30; }

inline PartitionLayout partition_layout(Capability capability) {
  return {.partitions = capability < kCc12 ? 6u : 8u};
}

/// Counts transactions by partition, of accesses that are under way at the same time (one "wave" of
/// work-groups, say).
class PartitionSpread {
 public:
  explicit PartitionSpread(PartitionLayout layout) : layout_(layout) {}

  void add(std::uint64_t address, unsigned transactions = 1) {
    count_[layout_.of(address)] += transactions;
    total_ += transactions;
  }
  PartitionSpread& operator+=(const PartitionSpread& other) {
    for (unsigned i = 0; i < layout_.partitions; ++i) count_[i] += other.count_[i];
    total_ += other.total_;
    return *this;
  }
  unsigned partitions() const { return layout_.partitions; }
  std::uint64_t count(unsigned partition) const { return count_[partition]; }
  std::uint64_t total() const { return total_; }
  std::uint64_t fullest() const {
    std::uint64_t most = 0;
    for (unsigned i = 0; i < layout_.partitions; ++i) most = count_[i] > most ? count_[i] : most;
    return most;
  }
  /// 1 where all partitions are equally busy; 1/partitions where one does all the work; 1 for no
  /// transactions.
  double balance() const {
    return total_ ? static_cast<double>(total_) / (static_cast<double>(fullest()) * layout_.partitions) : 1;
  }

 private:
  static constexpr unsigned kMost = 16;
  PartitionLayout layout_;
  std::array<std::uint64_t, kMost> count_{};
  std::uint64_t total_ = 0;
};

}  // namespace weft::device::counters
