// Works around a fault of LLVM 19: integers beyond half's range that go through half on their way to float.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// InstCombine makes one conversion of `fpext (uitofp i32 %x to half) to float`, also of `fpext (fptrunc (uitofp i32 %x to float) to
/// half) to float`, where it knows that no more than 11 bits of %x are significant. It forgets that half ends at 65504: 1 << 31 is
/// infinity there and stays 2^31. So an integer of more than 16 bits that is converted this way is compared with half's range first.
void keep_half_overflow(llvm::Function& function);

}  // namespace weft::compiler::simt
