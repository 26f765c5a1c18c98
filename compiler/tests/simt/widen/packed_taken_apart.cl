// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=64,1,1 --coarsen=1 --kernel=nearest %s | FileCheck %s
// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=64,1,1 --coarsen=1 --kernel=sum %s | FileCheck %s --check-prefix=SUM
// A point is taken apart where it is loaded, in front of the loop, and not its difference to others, in the loop.

// CHECK: load <128 x float>
// CHECK-COUNT-6: shufflevector <{{64|128}} x float>
// CHECK: for.body:
// CHECK-NOT: <128 x float>
// CHECK: fsub <32 x float>
// CHECK-NOT: <128 x float>
// CHECK: for.end:
kernel void nearest(global const float4* points, constant float4* centres, global float* least, int k) {
  const float4 p = points[get_global_id(0)];
  float found = INFINITY;
  for (int c = 0; c < k; ++c) {
    const float4 d = p - centres[c];
    found = fmin(found, dot(d, d));
  }
  least[get_global_id(0)] = found;
}

// What is only added up and stored stays packed.
// SUM: for.body:
// SUM: fadd <128 x float>
// SUM-NOT: shufflevector
// SUM: store <128 x float>
kernel void sum(global const float4* points, global float4* sums, int k) {
  float4 sum = 0;
  for (int c = 0; c < k; ++c) sum += points[c * get_global_size(0) + get_global_id(0)];
  sums[get_global_id(0)] = sum;
}

// The bytes of a word that are a word again stay where they are.
// RUN: weftc --cpu=icelake-server --stop-after=widen --local-size=64,1,1 --coarsen=1 --kernel=inverted %s | FileCheck %s --check-prefix=WORD
// WORD: define internal {{.*}} @inverted.region
// WORD-NOT: trunc <32 x i32>
// WORD: xor <128 x i8>
// WORD: ret
kernel void inverted(global const uint* in, global uint* out) {
  const int i = get_global_id(0);
  const uchar4 bytes = as_uchar4(in[i] * 3u);
  out[i] = as_uint((uchar4)(~bytes)) + 1u;
}
