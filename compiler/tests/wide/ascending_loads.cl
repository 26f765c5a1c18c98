// With 32 vector registers, the parts of a vector are loaded from its beginning to its end, whatever waits for them.
// RUN: weftc --cpu=icelake-server --kernel=tree --local-size=256,1,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s | FileCheck %s
// CHECK-LABEL: tree.group:
// CHECK: vmovups ([[AT:%r.*,%r.*]]), %zmm
// CHECK-NEXT: vmovups 64([[AT]]), %zmm
// CHECK-NEXT: vmovups 128([[AT]]), %zmm
// CHECK-NEXT: vmovups 192([[AT]]), %zmm
// CHECK: vmovups 960([[AT]]), %zmm
// CHECK-NEXT: vaddps 1024([[AT]]), %zmm
// CHECK-NEXT: vaddps 1088([[AT]]), %zmm
// CHECK: vaddps 1984([[AT]]), %zmm

// With 16 they would wait in memory.
// RUN: weftc --cpu=haswell --kernel=tree --local-size=256,1,1 --ids-fit-31-bits --aligned-offsets --emit=asm %s | FileCheck %s --check-prefix=FEW
// FEW-LABEL: tree.group:
// FEW-NOT: (%rsp)
// FEW: ret
kernel void tree(global const float* in, global float* out) {
  local float t[256];
  const int l = get_local_id(0);
  const size_t i = get_group_id(0) * 512 + l;
  t[l] = in[i] + in[i + 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 128; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
