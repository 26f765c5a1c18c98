// Passes can be stopped after, left out, printed and listed.
// RUN: weftc --emit=scalar --stop-after=promote %s | FileCheck --check-prefix=STOP %s
// RUN: weftc --emit=scalar --disable=pin %s | FileCheck --check-prefix=DISABLE %s
// RUN: weftc --emit=scalar --print-after=inline,pin %s -o /dev/null 2>&1 | FileCheck --check-prefix=PRINT %s
// RUN: weftc --emit=scalar --list-passes --verify-each %s -o /dev/null 2>&1 | FileCheck --check-prefix=LIST %s
// The whole list, without an input.
// RUN: weftc --list-passes | FileCheck --check-prefix=ALL %s
// ALL: {{^}}relax-calls program optimization
// ALL: {{^}}link-builtins program required before all that looks into functions
// ALL: {{^}}whole-group kernel optimization
// ALL: {{^}}bit-merges code guard
// ALL: {{^}}emit code required
// A name that no pass has is refused.
// RUN: not weftc --disable=jumble %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not weftc --stop-after=jumble %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: pass{{.*}}jumble
// STOP: load i32, ptr addrspace(1)
// DISABLE: load i32, ptr addrspace(1)
// PRINT: --- after inline ---
// PRINT: load i32
// PRINT: --- after pin ---
// PRINT: load volatile i32
// PRINT-NOT: --- after
// LIST: link-builtins
// LIST-NEXT: retarget
// LIST-NEXT: component-stores
// LIST-NEXT: inline
// LIST-NEXT: sub-group-size
// LIST-NEXT: promote
// LIST-NEXT: divergent-exits
// LIST-NEXT: half-overflow
// LIST-NEXT: infer-spaces
// LIST-NEXT: expand-copies
// LIST-NEXT: pin
// LIST-NEXT: sided-loops
// LIST-NEXT: simplify
__kernel void k(__global int* x) { x[0] += 3; }
