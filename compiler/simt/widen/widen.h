// Widening: a linearized per-lane function becomes one that runs W = 32 * J lanes at once.
//
// Uniform values stay scalars; affine ones are a scalar for each segment (shape.h) and become vectors only where one is needed;
// the rest are vectors of W lanes, one for each component (values.h). Loads and stores are widened by the first of an ordered
// list of strategies that takes them (memory/strategies.h). A memory instruction completes for all lanes before the next one
// starts. What has no vector form (atomics, unknown calls) becomes a loop over the live lanes in place (lane_loop.h). Fall-backs
// leave remarks.
#pragma once

#include <llvm/Support/Error.h>

#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"
#include "compiler/simt/barriers/frame.h"
#include "compiler/simt/widen/packed_values.h"
#include "compiler/simt/widen/wide_call.h"
#include "compiler/target/vectors.h"
#include "device/counted_code.h"

namespace llvm {
class Function;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

struct WidenRequest {
  llvm::Function& function;  ///< i32 (ptr launch, ptr group), linearized
  const Specialization& specialization;
  unsigned lanes;    ///< 32 * J
  bool whole_group;  ///< one body runs the group: `warp` is always 0
  bool full_warps;   ///< all lanes have work-items
  const WarpFrame& frame;
  const PackedValues& packed;
  const WideCallees& callees;  ///< functions that run for all lanes at once
  VectorTraits traits;
  abi::CounterTable* counters = nullptr;  ///< of code with probes (item/probes.h): gets records and words
};

/// Makes `i32 NAME.warp(ptr launch, ptr group, ptr frame, i32 warp)` beside `function`, which it leaves as it
/// is. `warp` counts groups of W lanes.
llvm::Expected<llvm::Function*> widen(const WidenRequest& request, passes::PassControl& control);

}  // namespace weft::compiler::simt
