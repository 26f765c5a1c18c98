// What has to be known before lanes are accessed one by one.
#pragma once

namespace weft::compiler::simt {

class Widening;

/// A lane that may be off takes so many times the code of one that is on.
inline constexpr unsigned kMaskedLaneCode = 3;

/// Whether so many accesses of the function go lane by lane that all of them written out would take LLVM too long.
bool has_many_lane_accesses(const Widening& w);

}  // namespace weft::compiler::simt
