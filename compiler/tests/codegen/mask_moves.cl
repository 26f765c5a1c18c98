// A mask's extension is no move between mask registers, which LLVM would take for one of all their bits.
// RUN: weftc --cpu=skylake-avx512 --local-size=3,5,7 --coarsen=4 --emit asm %S/../../fuzz/regressions/spilled_short_masks.cl | FileCheck %s --implicit-check-not 'kmov{{[bwd]}} %k{{[0-7]}}, %k'
// CHECK: korb
