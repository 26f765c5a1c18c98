// What lanes of a group give each other through local memory, once that is in registers: blocks of lanes that are turned share their steps.
// RUN: weftc --options=-DT=float4 --cpu=sapphirerapids --local-size=8,8,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=VECTORS
// RUN: weftc --options=-DT=float --cpu=sapphirerapids --local-size=8,8,1 --ids-fit-31-bits --emit=asm %s | FileCheck %s --check-prefix=NUMBERS

// OpenCL vectors go from lane to lane as memory has them. 64 of 16 bytes are 16 registers, turned in two steps.
// VECTORS-LABEL: turned.group:
// VECTORS-NOT: vperm
// VECTORS-NOT: {{vinsert|vextract}}
// VECTORS-COUNT-32: {{vshuff64x2|vshufi64x2|vshuff32x4|vshufi32x4}}
// VECTORS-NOT: {{vshuff64x2|vshufi64x2|vshuff32x4|vshufi32x4}}
// VECTORS: retq
kernel void turned(global const T* a, global T* out, int pitch) {
  local T tile[8][9];
  const int x = get_local_id(0), y = get_local_id(1), at = (int)get_group_id(0) * 8, row = (int)get_group_id(1) * 8;
  tile[y][x] = a[(row + y) * pitch + at + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(at + y) * pitch + row + x] = tile[x][y];
}
// 64 words are four registers.
// NUMBERS-LABEL: turned.group:
// NUMBERS-NOT: {{vperm|gather}}
// NUMBERS: vunpcklps
// NUMBERS-NOT: {{vperm|gather}}
// NUMBERS: retq
