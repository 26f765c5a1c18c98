// Whether small work-groups may share a warp.
//
// A kernel launched with a local size below a warp would leave lanes idle. Where a group keeps nothing to itself (no
// local memory, no barrier) and never waits for another one, groups side by side along x run as one group of their
// summed size: nothing orders work-groups (OpenCL 3.0 API §3.2.2), so no program can tell. Groups of a single work-item may
// have barriers and local memory, too (single_items.h).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Whether `kernel` has a barrier, local memory or a sub-group's functions.
bool has_group_state(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
