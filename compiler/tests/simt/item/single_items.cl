// Groups of one work-item with barriers and local memory run side by side: what all fill alike stays in local memory, once; what differs
// becomes private.
//
// RUN: weftc --kernel=table --local-size=1 --ids-fit-31-bits --fuse-groups=8 --stop-after=single-items %s | FileCheck %s --check-prefix=TABLE
// RUN: weftc --kernel=own --local-size=1 --ids-fit-31-bits --fuse-groups=8 --stop-after=single-items %s | FileCheck %s --check-prefix=OWN
// RUN: weftc --kernel=copy --local-size=1 --ids-fit-31-bits --fuse-groups=8 --stop-after=single-items %s | FileCheck %s --check-prefix=COPY
// RUN: weftc --kernel=seldom --local-size=1 --ids-fit-31-bits --fuse-groups=8 --stop-after=single-items %s | FileCheck %s --check-prefix=SELDOM
// RUN: weftc --kernel=own --local-size=1 --ids-fit-31-bits --disable=loop-vectors --emit=llvm %s | FileCheck %s --check-prefix=ALONE
// RUN: weftc --info --emit=scalar -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=INFO

// INFO: kernel table: {{.*}}fusible as groups of one
// TABLE-LABEL: define {{.*}}@table(
// TABLE-NOT: alloca
// TABLE-NOT: call {{.*}}@__weft_barrier
// TABLE: store volatile i32 {{.*}}ptr addrspace(3)
kernel void table(global uint* out, global const uint* in) {
  local uint t[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) t[i] = in[i] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[in[get_global_id(0)] % 256];
}

// INFO: kernel own: {{.*}}fusible as groups of one
// OWN-LABEL: define {{.*}}@own(
// OWN: alloca [256 x i32]
// OWN-NOT: ptr addrspace(3)
// OWN-NOT: call {{.*}}@__weft_barrier
// OWN: {{^}}}

// Alone, the work-item is scalar code.
// ALONE-LABEL: define {{.*}}@own.group(
// ALONE-NOT: <{{[0-9]+}} x i32>
kernel void own(global uint* out, global const uint* in) {
  local uint t[256];
  const uint g = get_global_id(0);
  for (uint i = 0; i < 256; ++i) t[i] = in[i] * g;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint i = 0; i < 256; ++i) sum = sum * 5 + t[sum % 256];
  out[g] = sum;
}

// What is read from memory of one's own is one's own.
// COPY-LABEL: define {{.*}}@copy(
// COPY-DAG: alloca i32
// COPY-DAG: alloca [64 x i32]
// COPY-NOT: ptr addrspace(3)
// COPY: {{^}}}
kernel void copy(global uint* out, global const uint* in, int n) {
  local uint first;
  local uint t[64];
  first = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 64; ++i) t[i] = first + i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[n & 63];
}

// Some groups write and others do not.
// SELDOM-LABEL: define {{.*}}@seldom(
// SELDOM: alloca [64 x i32]
// SELDOM-NOT: ptr addrspace(3)
// SELDOM: {{^}}}
kernel void seldom(global uint* out, global const uint* in, int n) {
  local uint t[64];
  for (uint i = 0; i < 64; ++i) t[i] = 1;
  if (in[get_global_id(0)] > 3)
    for (uint i = 0; i < 64; ++i) t[i] = 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[n & 63];
}

// The size of an argument's memory is not known.
// INFO: kernel argument:
// INFO-NOT: fusible
// INFO-SAME: []
kernel void argument(global uint* out, local uint* t) {
  t[0] = out[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[0] + 1;
}
