// Sums of bytes that loops add up, in 16 bits.
//
// `for (y...16) for (x...16) sum += abs_diff(a[..], b[..])` adds in int, as OpenCL C does: a register has half the lanes that it would have of the 16 bits which
// hold the sum of 256 bytes. Code without loops needs no help: wide/narrow_arithmetic.h finds what its registers may hold. What a loop carries has no range that
// can be seen in its body; here it follows from the counts of the loops.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Makes sums of 32 bits that differ between lanes sums of 16 where the loops that carry them have known counts, they begin at constants, and what is
/// added is made of numbers of 16 or fewer bits and cannot add up to more than 65535. True if `region` changed; `analyses` are invalid for it then.
bool narrow_sums(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
