// What lanes of a group give each other through local memory, once that is in registers.
// RUN: weftc --cpu=sapphirerapids --kernel=vectors --local-size=8,8,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=ASM
// RUN: weftc --cpu=sapphirerapids --kernel=numbers --local-size=8,8,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=NUMBERS

// OpenCL vectors go from lane to lane as memory has them. 64 of 16 bytes are 16 registers, turned in two steps.
// ASM-LABEL: vectors.group:
// ASM-NOT: vperm
// ASM-NOT: {{vinsert|vextract}}
// ASM-COUNT-32: {{vshuff64x2|vshufi64x2|vshuff32x4|vshufi32x4}}
// ASM-NOT: {{vshuff64x2|vshufi64x2|vshuff32x4|vshufi32x4}}
// ASM: retq
kernel void vectors(global const float4* a, global float4* out, int pitch) {
  local float4 tile[8][8];
  const int x = get_local_id(0), y = get_local_id(1), at = (int)get_group_id(0) * 8, row = (int)get_group_id(1) * 8;
  tile[y][x] = a[(row + y) * pitch + at + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(at + y) * pitch + row + x] = tile[x][y];
}

// 64 words are four registers.
// NUMBERS-LABEL: numbers.group:
// NUMBERS-NOT: vpgather
// NUMBERS: retq
kernel void numbers(global const float* a, global float* out, int pitch) {
  local float tile[8][9];
  const int x = get_local_id(0), y = get_local_id(1), at = (int)get_group_id(0) * 8, row = (int)get_group_id(1) * 8;
  tile[y][x] = a[(row + y) * pitch + at + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(at + y) * pitch + row + x] = tile[x][y];
}
