// Tables in the OpenCL C library.
//
// A function of the library may be written in two ways: with tables of two registers, and without. Which is less work depends on
// whether the processor looks up a table in registers by one permutation:
//
//   %t = call zeroext i1 @__weft_has_tables()
//   br i1 %t, label %by.table, label %by.polynomial
//   =>
//   br label %by.table                                                ; AVX-512, of 512 bits
//   br label %by.polynomial                                           ; else
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// Puts `has_tables` in place of the calls, and leaves out the code that does not run then.
void choose_tables(llvm::Module& module, bool has_tables);

}  // namespace weft::compiler::linker
