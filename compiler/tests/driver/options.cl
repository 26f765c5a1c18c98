// Options of programs: each is taken; quotes and blanks; unknown ones are named.
// RUN: weftc --emit=frontend %s -o /dev/null --options='-D A=1 -DB="2 + 1" -D "TEXT=\"x y\"" -I . -I%S -cl-single-precision-constant -cl-denorms-are-zero -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable -cl-strict-aliasing -cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-mad-enable -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -cl-kernel-arg-info -w -Werror -g -O3'
// RUN: not weftc --emit=frontend %s --options=-cl-frobnicate 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not weftc --emit=frontend %s --options=-O9 2>&1 | FileCheck --check-prefix=LEVEL %s
// RUN: not weftc --emit=frontend %s --options=-D 2>&1 | FileCheck --check-prefix=VALUE %s
// RUN: not weftc --emit=frontend %s --options=-cl-std=CL9 2>&1 | FileCheck --check-prefix=STD %s
// RUN: not weftc --bogus %s 2>&1 | FileCheck --check-prefix=BOGUS %s
// UNKNOWN: error: unknown option '-cl-frobnicate'
// LEVEL: error: unknown option '-O9'
// VALUE: error: option '-D' lacks its value
// STD: error: unknown language version in option '-cl-std=CL9'
// BOGUS: weftc: The following argument was not expected: --bogus
__constant char text[] = TEXT;
#if A != 1 || B != 3
#error macros
#endif
__kernel void k(__global char* x) { x[0] = text[0]; }
