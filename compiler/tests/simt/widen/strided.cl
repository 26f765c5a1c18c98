// Every second to fourth element: whole vectors and shuffles.
// RUN: weftc --cpu=sapphirerapids --kernel=pairs --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefixes=PAIRS,MASKED
// RUN: weftc --cpu=znver3 --kernel=pairs --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefixes=PAIRS,BLENDED
// RUN: weftc --cpu=sapphirerapids --kernel=far --local-size=32,1,1 --ids-fit-31-bits --disable=spaced-lanes --stop-after=widen %s | FileCheck %s --check-prefix=FAR
// RUN: weftc --cpu=sapphirerapids --kernel=known --local-size=32,1,1 --ids-fit-31-bits --disable=promote-local --stop-after=widen %s | FileCheck %s --check-prefix=KNOWN
// RUN: weftc --cpu=sapphirerapids --kernel=few --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FEW
// RUN: weftc --cpu=sapphirerapids --kernel=unknown --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=UNKNOWN
// RUN: weftc --cpu=sapphirerapids --kernel=own --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=OWN

// Elements 0 to 31 and 31 to 62, nothing behind the last one.
// PAIRS-LABEL: @pairs.region.0.warp(
// PAIRS: [[LOW:%.*]] = load <32 x i32>, ptr [[FROM:%.*]], align 4
// PAIRS: shufflevector <32 x i32> {{.*}}, <32 x i32> {{.*}}, <32 x i32> <i32 0, i32 2, {{.*}} i32 30, i32 33, i32 35, {{.*}} i32 63>
// MASKED-COUNT-4: call void @llvm.masked.store.v16i32.p0({{.*}} <16 x i1> <i1 true, i1 false, i1 true,
// BLENDED: select <16 x i1> <i1 true, i1 false, i1 true,
// BLENDED: store <16 x i32>
// BLENDED-NOT: masked
kernel void pairs(global const int* a, local int* s) {
  int l = get_local_id(0);
  s[2 * l] = a[2 * l];
}

// FAR: @llvm.masked.gather.v32i32
// FAR: @llvm.masked.scatter.v32i32
kernel void far(global const int* a, global int* b) {
  int l = get_local_id(0);
  b[9 * l] = a[9 * l];
}

// Eight lanes of three elements each, twelve and twelve.
// KNOWN: load <12 x i32>
// KNOWN: load <12 x i32>
// KNOWN: shufflevector <12 x i32> {{.*}} <i32 0, i32 3, i32 6, i32 9, i32 14, i32 17, i32 20, i32 23, i32 poison
// KNOWN-COUNT-2: call void @llvm.masked.store.v16i32
kernel void known(global const int* a, local int* s, local int* t) {
  int l = get_local_id(0);
  if (l < 8) s[3 * l] = a[3 * l];
  barrier(CLK_LOCAL_MEM_FENCE);
}

// FEW-NOT: gather
// FEW-COUNT-3: load i32, ptr
// FEW-NOT: scatter
// FEW-COUNT-3: store i32
// FEW-NOT: store
// FEW: }
kernel void few(global const int* a, global int* b) {
  int l = get_local_id(0);
  if (l < 3) b[9 * l] = a[9 * l];
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Who runs is known at run time only.
// UNKNOWN: @llvm.masked.gather.v32i32
// UNKNOWN: @llvm.masked.scatter.v32i32
kernel void unknown(global const int* a, global int* b, int n) {
  int l = get_local_id(0);
  if (l < n) b[2 * l] = a[2 * l];
}

// The program's own volatile accesses touch nothing else.
// OWN-NOT: load volatile <
// OWN-NOT: shufflevector
// OWN-NOT: masked
// OWN: }
kernel void own(volatile global const int* a, volatile global int* b) {
  int l = get_local_id(0);
  b[2 * l] = a[2 * l];
}
