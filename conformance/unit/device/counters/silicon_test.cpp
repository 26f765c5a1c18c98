// The models of compute capability 9.0 beside hardware counters: each launch of the silicon tables is
// replayed on the host, and each counter that depends on addresses alone is compared with the row.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include "replay/kernels.h"

namespace weft::device::counters::replay {
namespace {

struct Row {
  Launch launch;
  std::string text;  ///< kernel, parameters and local size, for messages
  Counters measured;
};

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) result.push_back(field);
  return result;
}

void read_size(const std::string& text, unsigned (&size)[2]) {
  char by = 0;
  std::istringstream(text) >> size[0] >> by >> size[1];
}

std::vector<Row> read_table(const std::string& name) {
  std::ifstream in(std::string(WEFT_SILICON) + "/" + name);
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = fields(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> values = fields(line);
    Row row;
    row.launch.kernel = values.at(0);
    const std::size_t equals = values[1].find('=');
    row.launch.parameter = equals == std::string::npos ? 0 : std::stoi(values[1].substr(equals + 1));
    read_size(values[2], row.launch.global_size);
    read_size(values[3], row.launch.local_size);
    row.text = values[0] + " " + values[1] + " " + values[3];
    for (std::size_t i = 4; i < values.size(); ++i) row.measured[names.at(i)] = std::stoull(values[i]);
    rows.push_back(row);
  }
  return rows;
}

/// Counts of rows, by counter. A row in which both sides are zero says nothing and is not counted.
class Tally {
 public:
  void add(const std::string& counter, bool equal, const Row& row, double ours, double measured) {
    auto& [equals, unequals] = counts_[counter];
    ++(equal ? equals : unequals);
    if (equal) return;
    std::ostringstream text;
    text << row.text << ": " << counter << " ours " << ours << " silicon " << measured;
    unequal_.push_back(text.str());
  }
  void print(const std::string& table) const {
    std::cout << table << "\n  equal  unequal  counter\n";
    for (const auto& [counter, count] : counts_) {
      std::printf("  %5u  %7u  %s\n", count.first, count.second, counter.c_str());
    }
    std::fflush(stdout);
    for (const std::string& row : unequal_) std::cout << "  unequal: " << row << "\n";
  }
  const std::map<std::string, std::pair<unsigned, unsigned>>& counts() const { return counts_; }

 private:
  std::map<std::string, std::pair<unsigned, unsigned>> counts_;
  std::vector<std::string> unequal_;
};

std::uint64_t value(const Counters& counters, const std::string& name) {
  const auto found = counters.find(name);
  return found == counters.end() ? 0 : found->second;
}

void compare_exactly(Tally& tally, const Row& row, const Counters& ours, const std::string& name,
                     const std::string& our_name) {
  if (!row.measured.contains(name)) return;
  const std::uint64_t expected = value(row.measured, name), got = value(ours, our_name);
  if (expected || got) tally.add(name, expected == got, row, double(got), double(expected));
}

/// Wavefronts and conflicts where nvcc made as many instructions as the source has accesses; elsewhere, where
/// it merged loads or skipped them by predicate, conflicts for each request.
void compare_local(Tally& tally, const Row& row, const Counters& ours, const std::string& op) {
  const std::string instructions = "smsp__inst_executed_op_shared_" + op + ".sum";
  const std::string wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum";
  const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum";
  if (!row.measured.contains(wavefronts)) return;
  const double measured = double(value(row.measured, instructions)), got = double(value(ours, instructions));
  if (measured == 0 && got == 0) return;
  if (measured == got) {
    compare_exactly(tally, row, ours, wavefronts, wavefronts);
    tally.add(conflicts, value(ours, conflicts) == value(row.measured, conflicts), row,
              double(value(ours, conflicts)), double(value(row.measured, conflicts)));
    return;
  }
  // Two conflicts in 163,840 requests are another warp's doing: equal means within one in ten thousand.
  const double expected_each = double(value(row.measured, conflicts)) / measured;
  const double got_each = double(value(ours, conflicts)) / got;
  tally.add("conflicts a request, shared_op_" + op + ", of other code",
            std::abs(expected_each - got_each) < 1e-4, row, got_each, expected_each);
}

/// The kernel's own arguments are constants too, one request each.
void compare_constants(Tally& tally, const Row& row, const Counters& ours) {
  const std::uint64_t own = value(ours, "smsp__inst_executed_op_ldc.sum");
  if (own == 0) return;
  const std::uint64_t arguments = value(row.measured, "smsp__inst_executed_op_ldc.sum") - own;
  const std::uint64_t expected = value(row.measured, "idc__requests.sum") - arguments;
  const std::uint64_t got = value(ours, "idc__requests.sum");
  tally.add("idc__requests.sum beyond arguments", expected == got, row, double(got), double(expected));
}

void compare_within(Tally& tally, const Row& row, const Counters& ours, const std::string& name,
                    double part) {
  const double expected = double(value(row.measured, name)), got = double(value(ours, name));
  if (expected || got) tally.add(name, std::abs(got - expected) <= part * expected, row, got, expected);
}

/// Counters that nvcc decides as well, such as warps' instructions, branches and registers, are not compared.
void compare(Tally& tally, const Row& row, const Counters& ours) {
  const std::string global = "_pipe_lsu_mem_global_op_";
  for (const char* op : {"ld", "st", "red", "atom"}) {
    for (const char* what : {"l1tex__t_requests", "l1tex__t_sectors"}) {
      const std::string name = what + global + op + ".sum";
      compare_exactly(tally, row, ours, name, name);
    }
  }
  compare_exactly(tally, row, ours, "smsp__inst_executed_op_global_red.sum",
                  "l1tex__t_requests" + global + "red.sum");
  for (const char* op : {"ld", "st", "atom"}) compare_local(tally, row, ours, op);
  compare_constants(tally, row, ours);
  for (const char* name :
       {"smsp__warps_launched.sum", "smsp__inst_executed_op_texture.sum",
        "l1tex__t_requests_pipe_tex_mem_texture.sum", "l1tex__t_sectors_pipe_tex_mem_texture.sum",
        "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"}) {
    compare_exactly(tally, row, ours, name, name);
  }
  // The private array's loads come to 0.5 % less than silicon's: the cause is not known.
  compare_within(tally, row, ours, "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 0.1);
  compare_within(tally, row, ours, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 0);
}

/// Those rows of the table that `wanted` picks.
Tally replay(
    const std::string& table, std::optional<Counters> (*run)(const Launch&),
    bool (*wanted)(const Launch&) = [](const Launch&) { return true; }) {
  Tally tally;
  for (const Row& row : read_table(table)) {
    if (!wanted(row.launch)) continue;
    std::optional<Counters> ours = run(row.launch);
    if (!ours) ours = run_image_copy(row.launch);
    if (!ours) {
      ADD_FAILURE() << row.text << ": no such kernel";
      continue;
    }
    compare(tally, row, *ours);
  }
  tally.print(table);
  return tally;
}

void expect_equal(const Tally& tally) {
  EXPECT_FALSE(tally.counts().empty());
  for (const auto& [counter, count] : tally.counts()) EXPECT_EQ(count.second, 0u) << counter;
}

// In two, for the time that they take.
TEST(Silicon, FirstTable) {
  expect_equal(
      replay("h200.tsv", run_first_set, [](const Launch& launch) { return launch.global_size[1] == 1; }));
}
TEST(Silicon, FirstTableMatrices) {
  expect_equal(
      replay("h200.tsv", run_first_set, [](const Launch& launch) { return launch.global_size[1] != 1; }));
}
TEST(Silicon, SecondTable) { expect_equal(replay("h200-2.tsv", run_second_set)); }
TEST(Silicon, ThirdTable) { expect_equal(replay("h200-3.tsv", run_third_set)); }
TEST(Silicon, FourthTable) { expect_equal(replay("h200-4.tsv", run_fourth_set)); }

}  // namespace
}  // namespace weft::device::counters::replay
