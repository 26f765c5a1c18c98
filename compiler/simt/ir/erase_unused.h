// Values that nobody asks for any more.
#pragma once

namespace llvm {
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Erases `value`, if it is an unused instruction without effect, and what it alone was made of: loads of shared memory too, which `pin` marks as `volatile`,
/// but not those of which the program says so.
void erase_unused(llvm::Value& value);

}  // namespace weft::compiler::simt
