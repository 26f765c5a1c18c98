// What calls return for lanes of their own and may be divided by is 0, no poison, for lanes that there are none of: processors divide numbers of 64 bits one by one.
// RUN: weftc --kernel=k --most-inlined=0 --local-size=3,1,1 --verify-each --stop-after=widen %s | FileCheck %s
// CHECK: store <{{[0-9]+}} x i64> zeroinitializer, ptr [[LANES:%.*]], align
// CHECK: call i64 @divisor(
// CHECK: load <{{[0-9]+}} x i64>, ptr [[LANES]]
__attribute__((noinline)) ulong divisor(uint x) { return x * 3ul + 1; }
kernel void k(global const uint* in, global ulong* out) {
  const size_t i = get_global_id(0);
  out[i] = 1000000007ul % divisor(in[i]);
}
