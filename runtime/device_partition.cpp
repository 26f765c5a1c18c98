#include "runtime/device_partition.h"

#include <algorithm>

#include "runtime/error.h"
#include "runtime/topology.h"

namespace weft::runtime {
namespace {

/// The next of the processors, as many as workers; none if there are none to tell apart.
DeviceShare next_share(const DeviceShare& whole, std::size_t first, std::size_t workers) {
  DeviceShare share;
  share.workers = static_cast<std::uint32_t>(workers);
  share.is_bound = whole.is_bound;
  if (!whole.processors.empty()) {
    const auto begin = whole.processors.begin() + static_cast<std::ptrdiff_t>(first);
    share.processors.assign(begin, begin + static_cast<std::ptrdiff_t>(workers));
  }
  return share;
}

Partition equally(const DeviceShare& whole, cl_device_partition_property count) {
  require(count > 0, CL_INVALID_VALUE);
  const auto workers = static_cast<std::size_t>(count);
  require(workers <= whole.workers, CL_INVALID_DEVICE_PARTITION_COUNT);
  require(workers < whole.workers, CL_DEVICE_PARTITION_FAILED);
  Partition result;
  for (std::size_t first = 0; first + workers <= whole.workers; first += workers)
    result.shares.push_back(next_share(whole, first, workers));
  result.how = {CL_DEVICE_PARTITION_EQUALLY, count, 0};
  return result;
}

Partition by_counts(const DeviceShare& whole, const cl_device_partition_property* counts) {
  require(*counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, CL_INVALID_VALUE);
  Partition result;
  result.how.push_back(CL_DEVICE_PARTITION_BY_COUNTS);
  std::size_t first = 0;
  for (; *counts != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++counts) {
    require(*counts > 0 && static_cast<std::size_t>(*counts) <= whole.workers - first, CL_INVALID_DEVICE_PARTITION_COUNT);
    result.shares.push_back(next_share(whole, first, static_cast<std::size_t>(*counts)));
    first += static_cast<std::size_t>(*counts);
    result.how.push_back(*counts);
  }
  result.how.insert(result.how.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  return result;
}

std::vector<std::vector<int>> parts_of(const DeviceShare& whole, cl_device_affinity_domain domain) {
  auto parts = whole.processors.empty() ? std::vector<std::vector<int>>() : topology::split(whole.processors, domain);
  if (parts.size() < 2) parts.clear();
  return parts;
}

Partition by_affinity(const DeviceShare& whole, cl_device_affinity_domain domain) {
  const bool is_next = domain == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  require(is_next || std::ranges::find(topology::kDomains, domain) != topology::kDomains.end(), CL_INVALID_VALUE);
  // What CL_DEVICE_PARTITION_PROPERTIES does not name is not supported, which is another error than a device that is too small.
  require(affinity_domains(whole) != 0, CL_INVALID_VALUE);
  std::vector<std::vector<int>> parts;
  for (const cl_device_affinity_domain each : topology::kDomains) {
    if (!parts.empty() || (!is_next && each != domain)) continue;
    parts = parts_of(whole, each);
    domain = parts.empty() ? domain : each;
  }
  require(!parts.empty(), CL_DEVICE_PARTITION_FAILED);
  Partition result;
  for (std::vector<int>& part : parts) {
    const auto workers = static_cast<std::uint32_t>(part.size());
    result.shares.push_back({workers, std::move(part), /*is_bound=*/true});
  }
  result.how = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, static_cast<cl_device_partition_property>(domain), 0};
  return result;
}

}  // namespace

cl_device_affinity_domain affinity_domains(const DeviceShare& share) {
  cl_device_affinity_domain domains = 0;
  for (const cl_device_affinity_domain each : topology::kDomains) {
    if (!parts_of(share, each).empty()) domains |= each | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  }
  return domains;
}

std::vector<cl_device_partition_property> partition_kinds(const DeviceShare& share) {
  if (share.workers < 2) return {0};
  std::vector<cl_device_partition_property> kinds = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (affinity_domains(share) != 0) kinds.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return kinds;
}

Partition partition(const DeviceShare& share, const cl_device_partition_property* properties) {
  require(properties, CL_INVALID_VALUE);
  switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
      require(properties[1] == 0 || properties[2] == 0, CL_INVALID_VALUE);
      return equally(share, properties[1]);
    case CL_DEVICE_PARTITION_BY_COUNTS:
      return by_counts(share, properties + 1);
    case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
      require(properties[1] == 0 || properties[2] == 0, CL_INVALID_VALUE);
      return by_affinity(share, static_cast<cl_device_affinity_domain>(properties[1]));
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

}  // namespace weft::runtime
