// What processors share: nodes of memory, caches (OpenCL 3.0 API §4.3, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN).
#pragma once

#include <array>
#include <vector>

#include "runtime/opencl.h"

namespace weft::runtime::topology {

/// The domains that processors may be split by, those of the most processors first: as
/// CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE looks for them.
inline constexpr std::array<cl_device_affinity_domain, 5> kDomains = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};

/// `processors`, by their numbers, as the sets that share a node or a cache (of data) of this level. Empty if the system names none for
/// some of them.
std::vector<std::vector<int>> split(const std::vector<int>& processors, cl_device_affinity_domain domain);

}  // namespace weft::runtime::topology
