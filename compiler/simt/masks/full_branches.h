// Code behind bounds for warps whose lanes are all inside, apart from that for some lanes.
//
// `if (get_global_id(0) < n)` holds for all lanes of all warps but the last. Where masks have no registers of their own, what stands
// behind it pays for the few: masks are expanded to the width of each access, masked stores take the processor tens of cycles, and accesses
// to bytes, which it cannot mask, go lane by lane. So a copy of that code, behind a uniform branch, is for warps that have all lanes. Where they
// have, only code that loads many bytes or 16-bit numbers gets one: what extends them is part of a load that is not masked; and code that
// accesses fields of large structs, of which warps that have all lanes take 16 bytes at a time (struct_rows.h).
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;
class Shapes;

/// Gives code of `region` behind divergent bounds of the whole range, or of a part of a group of `items` work-items (even_conditions.h), such a
/// copy in front, if it is short and reads or writes places that follow the lanes; where there are `mask_registers`, reads narrow
/// numbers at several, or several fields of large structs.
/// `shapes` are those of `region` as it is. Lanes that run an instruction together do so still.
/// Returns whether anything changed; `analyses` are invalid for `region` then.
bool run_full_branches_first(llvm::Function& region, const Shapes& shapes, std::uint32_t items, bool mask_registers, Analyses& analyses);

}  // namespace weft::compiler::simt
