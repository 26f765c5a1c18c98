// Register blocks that are alike, of more straight code than a processor keeps decoded, are one loop: a register of each value at a time, from memory, and the result to where it is stored.
// RUN: weftc --cpu=haswell --kernel=rounds --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking --verify-each %s | FileCheck %s
// CHECK-LABEL: define i32 @rounds.group(
// CHECK: store <32 x i32> %{{.*}}, ptr %{{pieces[0-9]*}}, align 32
// CHECK: {{^}}register_blocks:
// CHECK-NEXT: %[[NUMBER:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[NEXT:.*]], %register_blocks ]
// CHECK: load <8 x i32>, ptr %{{.*}}, align 32
// CHECK: call <8 x i32> @llvm.fshl.v8i32(
// CHECK: store <8 x i32> %{{.*}}, ptr %{{.*}}, align 4
// CHECK-NEXT: %[[NEXT]] = add nuw nsw i64 %[[NUMBER]], 1
// CHECK: icmp ult i64 %[[NEXT]], 4
// CHECK: {{^}}register_blocks.exit:

// A few rounds are code for each.
// RUN: weftc --cpu=haswell --kernel=few_rounds --local-size=64,1,1 --ids-fit-31-bits --coarsen=1 --stop-after=register-blocking %s | FileCheck %s --check-prefix=FEW
// FEW-NOT: register_blocks
// FEW: call <8 x i32> @llvm.fshl.v8i32(
// FEW-NOT: register_blocks

#define ROUNDS(count)                                                                                   \
  const size_t i = get_global_id(0);                                                                    \
  uint w[16];                                                                                           \
  for (int t = 0; t < 16; ++t) w[t] = in[t * n + i];                                                    \
  uint a = 1, b = 2;                                                                                    \
  _Pragma("unroll") for (int t = 0; t < count; ++t) {                                                   \
    const uint early = w[(t + 1) & 15], late = w[(t + 14) & 15];                                        \
    uint next = (rotate(a, 7u) ^ rotate(a, 11u) ^ rotate(a, 25u)) + (b ^ w[t & 15]) + (a & b) + k[t];   \
    next += rotate(b, 3u) ^ rotate(b, 9u) ^ rotate(b, 13u);                                             \
    w[t & 15] += (rotate(early, 18u) ^ rotate(early, 7u) ^ early >> 3) + (rotate(late, 17u) ^ rotate(late, 19u) ^ late >> 10); \
    b = a;                                                                                              \
    a = next;                                                                                           \
  }                                                                                                     \
  out[i] = a ^ b;

kernel void rounds(global const uint* in, global uint* out, constant uint* k, const int n) { ROUNDS(64) }
kernel void few_rounds(global const uint* in, global uint* out, constant uint* k, const int n) { ROUNDS(32) }
