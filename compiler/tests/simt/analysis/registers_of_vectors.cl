// A vector's elements are registers of their own: taking it apart and putting it together takes none beside them. 16 of x, 16 of y, and
// 5 for the pointer, the counter and a.
// RUN: weftc --counted --info --options=-cl-mad-enable %s --emit=obj -o /dev/null 2>&1 | FileCheck %s
// CHECK: kernel chain: {{.*}} registers 37,
kernel void chain(global float* out, float a) {
  float16 x = (float16)(a, a + 1, a + 2, a + 3, a + 4, a + 5, a + 6, a + 7, a + 8, a + 9, a + 10, a + 11, a + 12, a + 13, a + 14, a + 15);
  float16 y = (float16)get_local_id(0);
  for (int i = 0; i < 8; i++) {
    x = mad(y, x, y);
    y = mad(x, y, x);
    x = mad(y, x, y);
    y = mad(x, y, x);
  }
  float2 t = y.s01 + y.s23 + y.s45 + y.s67 + y.s89 + y.sab + y.scd + y.sef;
  out[get_global_id(0)] = t.s0 + t.s1;
}
