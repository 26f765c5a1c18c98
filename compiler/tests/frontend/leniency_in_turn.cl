// What is refused for `asm` alone is compiled without the overloads that others need; what a second attempt is refused for gets a third.
// RUN: weftc --emit=frontend -o %t.ll %s 2> %t.log
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=LOG --implicit-check-not=warning: %s < %t.log
// RUN: not weftc --options=-DWRONG --emit=frontend %s 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG-NOT: warning:
// WRONG: error: use of undeclared identifier 'asm'
// WRONG-NOT: warning:

// CHECK-LABEL: define {{.*}}void @parts(
kernel void parts(global uint* u, global int* i) {
#ifdef cl_nv_pragma_unroll
  // LOG: [[#@LINE+1]]:3: warning: use of undeclared identifier 'asm'; compiled without cl_nv_pragma_unroll
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(u[0]) : "r"(u[1]), "r"(i[0]));
#else
  // LOG: [[#@LINE+1]]:10: warning: call to 'mul24' is ambiguous; its arguments are converted to one type
  u[0] = mul24(u[1], i[0]);
#ifdef WRONG
  unknown();
#endif
#endif
}
