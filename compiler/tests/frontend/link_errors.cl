// RUN: not weftc --emit=scalar %s 2>&1 | FileCheck %s
// RUN: not weftc --emit=scalar --options=-DRECURSE %s 2>&1 | FileCheck --check-prefix=RECURSE %s
// CHECK: error: undefined reference to 'missing'
// RECURSE: error: recursion is not supported: {{.*}}'even'
#ifdef RECURSE
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
__kernel void k(__global int* x) { x[0] = even(x[0]); }
#else
int missing(int x);
__kernel void k(__global int* x) { x[0] = missing(x[0]); }
#endif
