// A kernel that would be too large to compile even without the calls of functions that write private memory alone keeps those of functions that
// write any, which get ids as arguments, and is made of required passes alone.
// RUN: weftc --emit=scalar --kernel=many --most-inlined=2000 %s | FileCheck %s
// RUN: weftc --emit=scalar --kernel=many --most-inlined=20000 %s | FileCheck %s --check-prefix=INLINED
// RUN: weftc --emit=llvm --kernel=many --most-inlined=2000 --local-size=64,1,1 --verify-each %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --kernel=many --most-inlined=2000 --local-size=64,1,1 --verify-each --list-passes=lines -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: weftc --kernel=few --most-inlined=2000 --local-size=64,1,1 --list-passes=lines -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=ALL

// CHECK-LABEL: define {{.*}}spir_kernel void @many(
// CHECK: %[[ID:[0-9]+]] = {{.*}}call i64 @__weft_global_id_x(){{$}}
// CHECK-NEXT: call void @push(ptr addrspace(1) {{.*}}, i64 %[[ID]])
// CHECK: call void @push512(ptr addrspace(1) {{.*}}, i64 %
// CHECK: ret void
// CHECK: define internal {{.*}}void @push(ptr addrspace(1) {{.*}}%stack, float {{.*}}, i64 %
// CHECK-NOT: call {{.*}}__weft_global_id
// CHECK: ret void
// INLINED-LABEL: define {{.*}}spir_kernel void @many(
// INLINED-NOT: call void @push(
// INLINED: ret void

// WIDE-NOT: __weft_
// WIDE-LABEL: define {{.*}} @many.group(
// WIDE: lane{{.*}}:
// WIDE: call void @push512(
// WIDE-NOT: __weft_
// PASSES: {{^}}prefetch (left out)
// ALL: {{^}}prefetch{{$}}

static void push(global float* stack, float x) {
  const size_t i = get_global_id(0);
  const uint top = as_uint(stack[i]);
  for (int k = 0; k < 3; ++k) stack[i + 64 * (k + 1)] += native_exp(x + k) * native_rsqrt(x);
  stack[i] = as_float(top + 1);
}
#define EIGHT(x) x x x x x x x x
static void push8(global float* stack, float x) { EIGHT(push(stack, x);) }
static void push64(global float* stack, float x) { EIGHT(push8(stack, x);) }
static void push512(global float* stack, float x) { EIGHT(push64(stack, x);) }
kernel void many(global float* stack, global const float* p) {
  const float x = p[get_global_id(0)];
  push(stack, x);
  push512(stack, x);
  push512(stack, x + 1);
}
kernel void few(global float* stack) { stack[get_global_id(0)] *= 2; }
