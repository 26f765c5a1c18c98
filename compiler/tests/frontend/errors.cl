// Clang's own message, the source's name, and a failing status.
// RUN: not weftc --emit=frontend %s 2>&1 | FileCheck %s
// CHECK: errors.cl:[[#@LINE+1]]:43: error: use of undeclared identifier 'y'
__kernel void k(__global int* x) { x[0] = y; }
// CHECK: 1 error generated.
