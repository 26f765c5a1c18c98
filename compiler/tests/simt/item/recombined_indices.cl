// Places that are taken apart by divisions and put together again are the id and what all lanes share.
// RUN: weftc %s --kernel=of_constants --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=CONST
// RUN: weftc %s --kernel=of_arguments --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=ARGS
// RUN: weftc %s --kernel=of_longs --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=CONST
// RUN: weftc %s --kernel=in_turn --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=TURN
// RUN: weftc %s --kernel=of_arguments --local-size=64,1,1 --ids-fit-31-bits --verify-each --cpu=skylake-avx512 --emit=llvm | FileCheck %s --check-prefix=CODE
// RUN: weftc %s --kernel=other_rows --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=OTHER
// RUN: weftc %s --kernel=may_wrap --local-size=64,1,1 --ids-fit-31-bits --verify-each --stop-after=recombined-indices | FileCheck %s --check-prefix=WRAP

// CONST: [[ID:%.*]] = call {{.*}}i64 @__weft_global_id_x
// CONST-NOT: mul
// CONST: getelementptr {{.*}}ptr addrspace(1) %in, i64 [[ID]]
// CONST-NOT: mul
// CONST: ret i32
kernel void of_constants(global const float* in, global float* out) {
  const int i = get_global_id(0), x = i / (71 * 70), y = i % (71 * 70) / 71, z = i % 71;
  if (y < 69) out[(x * 70 + y) * 71 + z] = in[(x * 70 + y + 1) * 71 + z];
}
kernel void of_longs(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  const int x = i / (71 * 70), y = i % (71 * 70) / 71, z = i % 71;
  if (y < 69) out[((size_t)x * 70 + y) * 71 + z] = in[((size_t)x * 70 + y + 1) * 71 + z];
}

// y is of quotients of the id, one of which is there, and only compared.
// ARGS: [[MUL:%.*]] = mul nsw i32 %n{{[yz]}}, %n{{[yz]}}
// ARGS: [[X:%.*]] = sdiv i32 [[ID:%.*]], [[MUL]]
// ARGS: [[Y:%.*]] = sdiv i32 [[ID]], %nz
// ARGS: mul nsw i32 [[X]], %ny
// ARGS: sub nsw i32 [[Y]],
// ARGS-NOT: {{[us](div|rem) i32}}
// ARGS: ret i32
// Vectors of places, and a scalar division for each divisor.
// CODE: udiv i32
// CODE: call {{.*}}@llvm.masked.load.v32f32
kernel void of_arguments(global const float* in, global float* out, int nx, int ny, int nz) {
  const int i = get_global_id(0), x = i / (ny * nz), y = i % (ny * nz) / nz, z = i % nz;
  if (x >= nx || y >= ny - 1) return;
  out[(x * ny + y) * nz + z] = in[(x * ny + y + 1) * nz + z];
}

// TURN: [[ID:%.*]] = call {{.*}}i64 @__weft_global_id_x
// TURN-NOT: {{[us](div|rem) i32}}
// TURN: getelementptr {{.*}}%out, i64 [[ID]]
kernel void in_turn(global float* out, int ny, int nz) {
  int t = get_global_id(0);
  const int z = t % nz;
  t /= nz;
  const int y = t % ny;
  t /= ny;
  out[(t * ny + y) * nz + z] = 1;
}

// Rows of another length are no ids.
// OTHER: udiv i32
// OTHER: getelementptr
kernel void other_rows(global const float* in, global float* out, uint width, uint pitch) {
  const uint i = get_global_id(0);
  out[i] = in[i / width * pitch + i % width];
}

// Products that wrap around are not what quotients in turn divide by.
// WRAP: urem i32 {{.*}}, [[ALL:%.*]]
// WRAP: udiv i32
// WRAP: getelementptr
kernel void may_wrap(global float* out, uint ny, uint nz) {
  const uint i = get_global_id(0), all = ny * nz;
  out[i % all / nz] = i % all;
}
