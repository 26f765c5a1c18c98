// Required passes alone: no optimization runs, one warp is a body, groups keep their barriers, and each of the program's own
// accesses has its source line to the end, without -g.

// RUN: weftc --required-only --list-passes --local-size=64,1,1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: {{^}}simplify{{$}}
// TRACE: restrict-scopes (left out)
// TRACE: {{^}}lower-args{{$}}
// TRACE: unroll-barriers (left out)
// TRACE: whole-group (left out)
// TRACE: {{^}}split-regions{{$}}
// TRACE: coarsen (left out)
// TRACE: promote-local (left out)
// TRACE: {{^}}widen{{$}}
// TRACE: {{^}}optimize{{$}}
// TRACE: register-blocking (left out)
// TRACE: {{^}}bit-merges{{$}}

// RUN: weftc --list-passes | grep " optimization " | sed 's/ .*//' >%t.optimizations
// RUN: weftc --required-only --list-passes --local-size=64,1,1 %s -o /dev/null 2>%t.trace
// RUN: for pass in $(grep -v left %t.trace); do if grep -qx -- $pass %t.optimizations; then exit 1; fi; done

// RUN: weftc --required-only --local-size=64,1,1 --emit=llvm %s -o %t.ll
// RUN: FileCheck %s --check-prefix=BODY <%t.ll
// BODY: define i32 @k.group(
// BODY: region
// BODY: <32 x i32>
// BODY-NOT: <64 x i32>

// What has no line is of the compiler: the launch's and the group's descriptors, slots.
// RUN: weftc --required-only --local-size=64,1,1 --stop-after=group %s -o %t.group
// RUN: grep -E "^ .*(load|store|gather|scatter|atomicrmw)" %t.group | grep -v "!dbg" | grep -vE "invariant.load|%frames|frame" >%t.bare || true
// RUN: not test -s %t.bare
// RUN: FileCheck %s --check-prefix=LINES <%t.group
// LINES-DAG: !DILocation(line: [[#@LINE+6]],
// LINES-DAG: !DILocation(line: [[#@LINE+10]],
// LINES-DAG: !DILocation(line: [[#@LINE+14]],
// LINES-DAG: !DILocation(line: [[#@LINE+17]],

float twice(global const float* p, int i) {
  return p[i] * 2;
}
kernel void k(global int* a, local float* s, global float* v, int n) {
  int i = get_local_id(0);
  int mine[8];
  for (int j = 0; j < 8; ++j) mine[(j * i) & 7] = a[j];
  s[i] = twice(v, i);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[i] > 3) {
    for (int j = 0; j < a[i]; ++j)
      atomic_add(&a[j], mine[j & 7]);
    v[i] = s[63 - i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = mine[a[n - i] & 7];
}
