#include "runtime/profile_text.h"

#include <nlohmann/json.hpp>

namespace weft::runtime {

using device::counters::CostSums;
using device::counters::Counts;
using device::counters::LaunchReport;
using Json = nlohmann::ordered_json;

namespace {

Json counters_of(const Counts& counts) {
  Json json = Json::object();
  const auto add = [&](const char* name, std::uint64_t value) { json[name] = value; };
  const auto global = [&](const std::string& op, const CostSums& sums) {
    add(("l1tex__t_requests_pipe_lsu_mem_global_op_" + op + ".sum").c_str(), sums.requests);
    add(("l1tex__t_sectors_pipe_lsu_mem_global_op_" + op + ".sum").c_str(), sums.sectors);
  };
  global("ld", counts.global_load);
  global("st", counts.global_store);
  global("red", counts.global_reduction);
  global("atom", counts.global_atomic);
  const auto local = [&](const std::string& op, const CostSums& sums) {
    add(("smsp__inst_executed_op_shared_" + op + ".sum").c_str(), sums.requests);
    add(("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum").c_str(), sums.passes);
    add(("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum").c_str(), sums.conflicts);
  };
  local("ld", counts.local_load);
  local("st", counts.local_store);
  add("smsp__inst_executed.sum", counts.warp_instructions());
  add("smsp__thread_inst_executed.sum", counts.lane_instructions());
  add("smsp__sass_branch_targets.sum", counts.branches);
  add("smsp__sass_branch_targets_threads_divergent.sum", counts.divergent_branches);
  return json;
}

}  // namespace

std::string json_text(const LaunchReport& report) {
  Json json;
  json["kernel"] = report.kernel;
  json["global_size"] = Json(std::vector(report.global_size.begin(), report.global_size.begin() + report.work_dim));
  json["local_size"] = Json(std::vector(report.local_size.begin(), report.local_size.begin() + report.work_dim));
  json["counters"] = counters_of(report.counts.total);
  json["lines"] = Json::array();
  for (const auto& line : report.counts.lines) {
    json["lines"].push_back({{"file", line.file}, {"line", line.line}, {"counters", counters_of(line.counts)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_heading() { return "launch\n"; }

std::string csv_text(const LaunchReport& report) { return report.kernel + "\n"; }

}  // namespace weft::runtime
