// Loops in which some work-items of a group have an iteration more than others, by their local ids alone, are unrolled.
// RUN: weftc --kernel=rim --local-size=16,16,1 --ids-fit-31-bits --stop-after=dealt-loops --verify-each %s | FileCheck %s --check-prefix=RIM
// RIM-LABEL: @rim.item(
// RIM-NOT: phi i32
// RIM: store volatile float {{.*}} addrspace(3)
// RIM: icmp ult i32 {{.*}}, 324
// RIM-NEXT: br i1
// RIM-NOT: phi i32
// RIM: store volatile float {{.*}} addrspace(3)
// RIM-NOT: phi i32
// RIM: call void @__weft_barrier

// One in another: the outer one is unrolled when the inner one is.
// RUN: weftc --kernel=rows --local-size=16,16,1 --ids-fit-31-bits --stop-after=dealt-loops --verify-each %s | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: @rows.item(
// ROWS-NOT: phi i32
// ROWS-COUNT-4: store volatile float {{.*}} addrspace(3)
// ROWS-NOT: phi i32
// ROWS: call void @__weft_barrier

// The count depends on an argument, is large, or the group's size is not known.
// RUN: weftc --kernel=argument --local-size=16,16,1 --ids-fit-31-bits --stop-after=dealt-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=longer --local-size=16,16,1 --ids-fit-31-bits --stop-after=dealt-loops %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --kernel=rim --ids-fit-31-bits --stop-after=dealt-loops %s | FileCheck %s --check-prefix=STAYS
// STAYS: phi i32

kernel void rim(global const float* in, global float* out, const int pitch) {
  local float t[18][18];
  const int x = get_local_id(0), y = get_local_id(1);
  for (int i = y * 16 + x; i < 324; i += get_local_size(0) * get_local_size(1)) t[i / 18][i % 18] = in[i / 18 * pitch + i % 18];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * pitch + x] = t[y + 2][x + 1];
}

kernel void rows(global const float* in, global float* out, const int pitch) {
  local float t[20][20];
  const int x = get_local_id(0), y = get_local_id(1);
  for (int j = y; j < 20; j += 16)
    for (int i = x; i < 20; i += 16) t[j][i] = in[j * pitch + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * pitch + x] = t[y + 2][x + 1];
}

kernel void argument(global const float* in, global float* out, const int n) {
  local float t[324];
  const int l = get_local_id(1) * 16 + get_local_id(0);
  for (int i = l; i < min(n, 324); i += 256) t[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l ^ 1];
}

kernel void longer(global const float* in, global float* out) {
  const int l = get_local_id(1) * 16 + get_local_id(0);
  float sum = 0;
  for (int i = l; i < 5000; i += 256) sum += in[i];
  out[l] = sum;
}
