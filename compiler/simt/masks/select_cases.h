// Switches whose cases are a few operations each, without branches.
//
// Where lanes take different cases, nearly every warp takes most of them: with a branch around each, it asks for each whether a lane takes it,
// and no other warp can share its body. So all lanes compute all cases, and select.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Makes selections of the divergent switches of `region` whose cases meet in one block, access no memory and have together no more than some
/// operations, none of them slow. Returns whether anything changed; `analyses` are invalid for `region` then.
bool select_cases(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
