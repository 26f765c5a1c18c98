// The working folder's ./include is no folder of Clang's.
// RUN: mkdir -p %t/include && echo '#define VALUE 7' > %t/include/value.h && cp %s %t/source.cl
// RUN: cd %t && not weftc --emit=frontend source.cl 2>&1 | FileCheck %s
// RUN: cd %t && weftc --emit=frontend --options=-Iinclude source.cl | FileCheck --check-prefix=ASKED %s
// CHECK: 'value.h' file not found
// ASKED: store i32 7
#include <value.h>
kernel void k(global int* a) { *a = VALUE; }
