// Every pass can be stopped after, printed after and left out. A pass that needs what was left out says so; nothing
// crashes. The kernel has of everything: divergent loops, barriers, private arrays, atomics, copies, printf.

// The order of the passes.
// RUN: weftc --list-passes --local-size=64,1,1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: link-builtins
// ORDER-NEXT: retarget
// ORDER-NEXT: component-stores
// ORDER-NEXT: inline
// ORDER-NEXT: sub-group-size
// ORDER-NEXT: promote
// ORDER-NEXT: divergent-exits
// ORDER-NEXT: half-overflow
// ORDER-NEXT: infer-spaces
// ORDER-NEXT: expand-copies
// ORDER-NEXT: pin
// ORDER-NEXT: sided-loops
// ORDER-NEXT: simplify
// ORDER-NEXT: expand-private-copies
// ORDER-NEXT: turned-ids
// ORDER-NEXT: unit-strides
// ORDER-NEXT: buffers-apart
// ORDER-NEXT: lower-images
// ORDER-NEXT: texel-sums
// ORDER-NEXT: texel-tiles
// ORDER-NEXT: row-reads
// ORDER-NEXT: specialize-images
// ORDER-NEXT: loop-tiles
// ORDER-NEXT: restrict-scopes
// ORDER-NEXT: joined-components
// ORDER-NEXT: single-items
// ORDER-NEXT: lower-args
// ORDER-NEXT: lower-printf
// ORDER-NEXT: lower-enqueue
// ORDER-NEXT: simplify-item
// ORDER-NEXT: narrow-orders
// ORDER-NEXT: probes
// ORDER-NEXT: atomic-reads
// ORDER-NEXT: marked-waits
// ORDER-NEXT: retried-updates
// ORDER-NEXT: known-counts
// ORDER-NEXT: dealt-loops
// ORDER-NEXT: moving-windows
// ORDER-NEXT: few-elements
// ORDER-NEXT: copied-tiles
// ORDER-NEXT: kept-results
// ORDER-NEXT: near-loads
// ORDER-NEXT: point-functions
// ORDER-NEXT: byte-tables
// ORDER-NEXT: inside-bounds
// ORDER-NEXT: stacked-rows
// ORDER-NEXT: bounded-counters
// ORDER-NEXT: recombined-indices
// ORDER-NEXT: common-quotients
// ORDER-NEXT: signed-indices
// ORDER-NEXT: near-indices
// ORDER-NEXT: walked-indices
// ORDER-NEXT: padded-rows
// ORDER-NEXT: unroll-barriers
// ORDER-NEXT: simplify-unrolled
// ORDER-NEXT: blend-stores
// ORDER-NEXT: whole-group
// ORDER-NEXT: warp-barriers
// ORDER-NEXT: cut-regions
// ORDER-NEXT: split-regions
// ORDER-NEXT: narrow-phis
// ORDER-NEXT: narrow-sums
// ORDER-NEXT: chosen-bounds
// ORDER-NEXT: settled-sides
// ORDER-NEXT: clamped-windows
// ORDER-NEXT: repeated-loads
// ORDER-NEXT: joined-stores
// ORDER-NEXT: accumulators
// ORDER-NEXT: turned-chunks
// ORDER-NEXT: common-iterations
// ORDER-NEXT: scalarize-loops
// ORDER-NEXT: full-guards
// ORDER-NEXT: walked-rows
// ORDER-NEXT: turned-rows
// ORDER-NEXT: written-walks
// ORDER-NEXT: dot-products
// ORDER-NEXT: join-components
// ORDER-NEXT: threes-as-fours
// ORDER-NEXT: full-iterations
// ORDER-NEXT: exit-values
// ORDER-NEXT: first-iterations
// ORDER-NEXT: full-branches
// ORDER-NEXT: select-cases
// ORDER-NEXT: canonicalize-cfg
// ORDER-NEXT: masked-loads
// ORDER-NEXT: coarsen
// ORDER-NEXT: linearize
// ORDER-NEXT: common-steps
// ORDER-NEXT: promote-local
// ORDER-NEXT: interleave
// ORDER-NEXT: byte-rows
// ORDER-NEXT: struct-rows
// ORDER-NEXT: joined-places
// ORDER-NEXT: worker-copies
// ORDER-NEXT: wide-calls
// ORDER-NEXT: widen
// ORDER-NEXT: group-phases
// ORDER-NEXT: group-runs
// ORDER-NEXT: group-pairs
// ORDER-NEXT: group
// ORDER-NEXT: target-attributes
// ORDER-NEXT: clean-up
// ORDER-NEXT: launch-loads
// ORDER-NEXT: decided-masks
// ORDER-NEXT: loop-vectors
// ORDER-NEXT: optimize
// ORDER-NEXT: rare-values
// ORDER-NEXT: row-values
// ORDER-NEXT: prune
// ORDER-NEXT: unread-local
// ORDER-NEXT: half-floats
// ORDER-NEXT: fused-floats
// ORDER-NEXT: saturated-bytes
// ORDER-NEXT: word-parts
// ORDER-NEXT: long-quotients
// ORDER-NEXT: float-quotients
// ORDER-NEXT: number-extremes
// ORDER-NEXT: lane-orders
// ORDER-NEXT: bits-below
// ORDER-NEXT: shuffled-masks
// ORDER-NEXT: narrow-arithmetic
// ORDER-NEXT: mask-width
// ORDER-NEXT: byte-floats
// ORDER-NEXT: indexed-lanes
// ORDER-NEXT: prefetch
// ORDER-NEXT: group-prefetch
// ORDER-NEXT: late-loads
// ORDER-NEXT: register-blocking
// ORDER-NEXT: piecewise-accesses
// ORDER-NEXT: paired-stores
// ORDER-NEXT: aligned-spills
// ORDER-NEXT: near-places
// ORDER-NEXT: ternary-logic
// ORDER-NEXT: spread-sums
// ORDER-NEXT: byte-indices
// ORDER-NEXT: opaque-groups
// ORDER-NEXT: short-indices
// ORDER-NEXT: wait-calls
// ORDER-NEXT: gather-indices
// ORDER-NEXT: bit-merges
// ORDER-NEXT: high-products
// ORDER-NEXT: constant-rotates
// ORDER-NEXT: known-lanes
// ORDER-NEXT: half-compares
// ORDER-NEXT: short-masks
// ORDER-NEXT: emit

// RUN: weftc --list-passes --local-size=64,1,1 %s -o /dev/null 2>%t.reached; sed 's/ .*//' %t.reached >%t.passes
// RUN: for pass in $(cat %t.passes); do \
// RUN:   weftc --verify-each --local-size=50,1,1 --stop-after=$pass %s -o %t.ll || exit 1; \
// RUN:   test -s %t.ll || exit 1; \
// RUN: done

// RUN: weftc --verify-each --local-size=50,1,1 --print-after=all --emit=obj %s -o /dev/null 2>%t.all
// RUN: for pass in $(cat %t.passes); do grep -q "^; --- after $pass ---" %t.all || exit 1; done
// RUN: weftc --local-size=50,1,1 --print-after=linearize,widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: --- after linearize ---
// PRINT: define internal i32 @k.region.0(
// PRINT: --- after widen ---
// PRINT: define internal i32 @k.region.0.warp(
// PRINT-NOT: --- after

// Left out: code all the same, or one message.
// RUN: for pass in $(cat %t.passes); do \
// RUN:   status=0; weftc --verify-each --local-size=50,1,1 --disable=$pass --emit=obj %s -o /dev/null 2>%t.log || status=$?; \
// RUN:   test $status -le 1 || exit 1; \
// RUN:   test $status -eq 0 || test -s %t.log || exit 1; \
// RUN: done
// RUN: not weftc --local-size=50,1,1 --disable=link-builtins --emit=obj %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: nothing defines '
// RUN: not weftc --local-size=50,1,1 --disable=inline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INLINE
// INLINE: error: kernel 'k' is not whole
// RUN: not weftc --local-size=50,1,1 --disable=lower-args %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARGS
// ARGS: error: no item function
// RUN: not weftc --local-size=50,1,1 --disable=split-regions %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: error: no regions to widen
// RUN: not weftc --local-size=50,1,1 --disable=canonicalize-cfg %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=CFG
// CFG: linearize: a divergent
// RUN: not weftc --local-size=50,1,1 --disable=linearize %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINEARIZE
// LINEARIZE: widen: a divergent branch
// RUN: not weftc --local-size=50,1,1 --disable=widen %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIDEN
// WIDEN: error: no widened regions
// RUN: not weftc --local-size=50,1,1 --disable=group --emit=obj %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: no group function was made

// What could not be widened is said, at its line where the program is built with -g.
// RUN: weftc --local-size=64,1,1 --remarks --options=-g %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: weftc --local-size=64,1,1 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// REMARK: each_pass.cl:[[#@LINE+21]]: remark: atomicrmw: one live lane after the other, in a loop [widen]
// QUIET-NOT: remark

struct pair { int a; float b; };
constant int table[4] = {3, 1, 4, 1};
float sum(float x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += sin(x * i);
  return s;
}
kernel void k(global int* a, local float* s, int n, struct pair p, global float4* v) {
  local int shared[64];
  int i = get_local_id(0);
  int mine[8];
  for (int k = 0; k < 8; ++k) mine[(k * i) & 7] = a[k] + table[k & 3];
  s[i] = sum(p.b, i & 7);
  shared[i] = mine[i & 7];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[i] > 3) {
    for (int k = 0; k < a[i]; ++k) {
      if (a[k] == i) break;
      atomic_add(&shared[(k + i) & 63], mine[k & 7]);
    }
    v[i] = v[i] * s[63 - i];
  } else if (n > 2) {
    printf("%d %f\n", i, s[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  async_work_group_copy(a + 64, shared, 64, 0);
  a[i] = mine[shared[i] & 7] / (n - i);
}
