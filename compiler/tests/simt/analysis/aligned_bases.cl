// Multiples of ids of 32 bits do not wrap around within a warp where the warp's first is a multiple of as many: lanes differ in bits that are 0 there.
// RUN: weftc --cpu=haswell --kernel=repeated --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --print-shapes %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: %mul = shl i32 %conv, 4 {{.*}}; stride 16 nsw nuw
// CHECK: zext i32 %add.15 to i64 {{.*}}; stride 16 nsw nuw{{$}}

// So what lies behind it is one piece of memory.
// RUN: weftc --cpu=haswell --kernel=repeated --local-size=64,1,1 --ids-fit-31-bits --aligned-offsets --stop-after=struct-rows %s -o - | FileCheck %s --check-prefix=ROWS
// ROWS: store {{(volatile )?}}<4 x i32>
// ROWS-NOT: store {{(volatile )?}}float

// Groups that begin anywhere may.
// RUN: weftc --cpu=haswell --kernel=repeated --local-size=64,1,1 --ids-fit-31-bits --print-shapes %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE: zext i32 %mul to i64 {{.*}}; stride 16 nsw nuw checked
kernel void repeated(global float* out) {
  const uint i = get_global_id(0);
  for (uint k = 0; k < 16; ++k) out[i * 16 + k] = as_float(i);
}
