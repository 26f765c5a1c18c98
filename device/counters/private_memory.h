// What a warp's access to private arrays costs: CUDA's "local memory", which lies in global memory.
#pragma once

#include "device/counters/global_memory.h"

namespace weft::device::counters {

/// The access's addresses are each lane's own byte offsets into its private memory. The memory is laid out by
/// 32-bit words, lane beside lane, so that lanes which access the same element coalesce (Programming Guide
/// §3.1.2.2; silicon/h200-2.tsv, row private_array: 4 sectors for an element that all lanes share, one for
/// each element and group of 8 lanes otherwise). A request is one instruction; a wider word adds its words'
/// sectors.
GlobalCost private_access(Capability capability, const WarpAccess& access);

}  // namespace weft::device::counters
