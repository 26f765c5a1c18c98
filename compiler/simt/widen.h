// Widening: a linearized per-lane function becomes one that runs W = 32 * J lanes at once.
//
// Uniform values stay scalars; affine ones are a scalar for each segment (shape.h) and become vectors only
// where one is needed; the rest are vectors of W lanes, an OpenCL vector one of them a component. A memory
// instruction completes for all lanes before the next one starts. What has no vector form (atomics,
// unknown calls) becomes a loop over the live lanes in place, with a remark.
#pragma once

#include <llvm/Support/Error.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/pass_control.h"

namespace llvm {
class Function;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

/// Where the values that live across barriers lie in a warp's part of GroupInfo::scratch.
struct WarpFrame {
  struct Field {
    std::uint64_t offset = 0;  ///< bytes from the warp's part
    bool uniform = false;      ///< one scalar; otherwise W lanes, a component of a vector after the other
  };
  std::vector<Field> slots;
  struct Private {
    std::uint64_t offset = 0;  ///< bytes from the warp's part, of lane 0's copy
    std::uint64_t stride = 0;  ///< bytes from a lane's copy to the next one's
  };
  std::vector<Private> privates;
  std::uint64_t bytes = 0;  ///< of all, a multiple of 128
};

/// What the processor does well.
struct VectorTraits {
  bool native_gather = false;   ///< a gather is faster than loads a lane
  bool masked_gather = false;   ///< a gather of some lanes is faster than loads that look at their lane's bit
  bool native_scatter = false;
  unsigned register_bits = 128;
  unsigned masked_bytes = 4;    ///< the smallest elements that contiguous accesses can mask
  unsigned estimate_bits = 0;   ///< of a vector whose reciprocal roots are estimated (reciprocal_root.h)
};

struct WidenRequest {
  llvm::Function& function;  ///< i32 (ptr launch, ptr group), linearized
  const Specialization& specialization;
  unsigned lanes;            ///< 32 * J
  bool covers_group;         ///< `warp` is 0 always
  bool full_warps;
  const WarpFrame& frame;
  VectorTraits traits;
};

/// Returned by a region in place of the next one when its lanes disagree.
inline constexpr int kDivergentRegion = -2;

/// Makes `i32 NAME.warp(ptr launch, ptr group, ptr frame, i32 warp)` beside `function`, which it leaves as it
/// is. `warp` counts groups of W lanes.
llvm::Expected<llvm::Function*> widen(const WidenRequest& request, PassControl& control);

}  // namespace weft::compiler::simt
