// What has to be known before lanes are accessed one by one.
#pragma once

namespace weft::compiler::simt {

class Widening;

/// Whether so many accesses of the function go lane by lane that all of them written out would take LLVM too long.
bool has_many_lane_accesses(const Widening& w);

}  // namespace weft::compiler::simt
