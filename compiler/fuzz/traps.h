// Traps in front of what C leaves undefined.
#pragma once

namespace llvm {
class Module;
}

namespace weft::fuzz {

/// `module` is Clang's, not yet linked nor optimized: there signed arithmetic has `nsw`, and arrays are allocas and globals. Traps
/// where such arithmetic overflows, a divisor is zero or a quotient does not fit, and an access lies outside of its array.
void trap_where_undefined(llvm::Module& module);

}  // namespace weft::fuzz
