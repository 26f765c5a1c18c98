// The silicon tables: rows, and how far what we count agrees with them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft::conformance::silicon {

/// Counters by the names of the tables.
using Counters = std::map<std::string, std::uint64_t>;

/// One launch that was measured. Sizes in work-items.
struct Row {
  std::string kernel;
  int parameter = 0;  ///< the number after "=" in the table
  std::vector<std::size_t> global_size, local_size;
  std::string text;  ///< kernel, parameter and local size, for messages
  Counters measured;
};

/// Throws std::runtime_error if the file is not there.
std::vector<Row> read_table(const std::string& path);

/// Counts of rows, by counter. A row in which both sides are zero says nothing and is not counted.
class Tally {
 public:
  /// Compares the counters that depend on addresses alone. Not compared is what nvcc decides as well, such as the number of
  /// instructions, branches and registers.
  void compare(const Row& row, const Counters& ours);
  void print(const std::string& title) const;
  /// Equal and unequal rows.
  const std::map<std::string, std::pair<unsigned, unsigned>>& counts() const { return counts_; }

 private:
  void add(const std::string& counter, bool equal, const Row& row, double ours, double measured);
  void compare_exactly(const Row& row, const Counters& ours, const std::string& name, const std::string& our_name);
  void compare_local(const Row& row, const Counters& ours, const std::string& op);
  void compare_constants(const Row& row, const Counters& ours);
  void compare_within(const Row& row, const Counters& ours, const std::string& name, double part);

  std::map<std::string, std::pair<unsigned, unsigned>> counts_;
  std::vector<std::string> unequal_;
  std::vector<double> instructions_;  ///< of warps, ours by nvcc's: printed, as the estimate of time stands on them
};

}  // namespace weft::conformance::silicon
