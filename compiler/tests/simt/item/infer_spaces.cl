// Generic pointers whose origin is seen are pointers of its space; what is asked of the others is asked of the address.
// RUN: weftc --emit=scalar --options="-cl-std=CL3.0" %s | FileCheck %s
int through(int* p) { return *p; }

// CHECK-LABEL: @known(
// CHECK-NOT: addrspace(4)
// CHECK: ret void
kernel void known(global int* out, local int* shared) {
  int own[4];
  for (int i = 0; i < 4; ++i) own[i] = out[i];
  *shared = 1;
  float whole;
  out[0] = through(out + 1) + through(shared) + through(&own[out[7] & 3]) + (to_local(shared) ? 1 : 0) + (to_global(&own[0]) ? 2 : 0) +
           (int)fract(2.5f, &whole);
}

// CHECK-LABEL: @one_of_two(
// CHECK: load volatile i32, ptr addrspace(4)
// CHECK: call {{.*}}@__weft_local_memory()
kernel void one_of_two(global int* out, local int* shared, int which) {
  int* p = which ? (int*)out : (int*)shared;
  out[0] = *p + (to_local(p) ? 1 : 0);
}
