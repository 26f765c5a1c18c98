// Structs too large for a row (struct_rows.cl) are loaded and stored by pieces of 16 bytes, each lane its own.
// RUN: weftc --cpu=sapphirerapids --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=MOVE
// RUN: weftc --cpu=sapphirerapids --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --cpu=znver3 --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=MOVE
// RUN: weftc --cpu=sapphirerapids --kernel=ends --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=ENDS
// RUN: weftc --cpu=sapphirerapids --kernel=apart --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=APART
// RUN: weftc --cpu=sapphirerapids --kernel=some --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --cpu=sapphirerapids --kernel=vectors --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=VECTORS
// RUN: weftc --cpu=sapphirerapids --kernel=doubles --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=DOUBLES
// RUN: weftc --cpu=sapphirerapids --kernel=between --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=BETWEEN

typedef struct { float x, y, z, vx, vy, vz, ax, ay, az, mass, age; int id; } Body;

// Nine fields are loaded as four, four and one, six stored as four and two.
// MOVE-LABEL: @move.region.0(
// MOVE-DAG: load volatile <4 x i32>
// MOVE-DAG: load volatile <4 x i32>
// MOVE-DAG: load volatile float
// MOVE-NOT: load volatile
// MOVE: store volatile <4 x i32>
// MOVE: store volatile <2 x i32>
// MOVE-NOT: store
// MOVE: ret
// WIDE-LABEL: @move.region.0.warp(
// WIDE-NOT: scatter
// WIDE: ret
kernel void move(global Body* bodies, float dt) {
  global Body* b = &bodies[get_global_id(0)];
  b->vx += b->ax * dt, b->vy += b->ay * dt, b->vz += b->az * dt;
  b->x += b->vx * dt, b->y += b->vy * dt, b->z += b->vz * dt;
}

// Nothing behind the last field is read, nor in front of the first: the piece of `mass` and `age` begins at `ay`.
// ENDS-LABEL: @ends.region.0(
// ENDS: load volatile <4 x i32>
// ENDS-DAG: getelementptr {{.*}}i64 -8
// ENDS-DAG: load volatile <4 x i32>
// ENDS-NOT: load volatile
// ENDS: store
kernel void ends(global const Body* bodies, global float* out) {
  global const Body* b = &bodies[get_global_id(0)];
  out[get_global_id(0)] = b->x * b->y + b->mass * b->age;
}

// One field of each 16 bytes.
// APART-LABEL: @apart.region.0(
// APART-COUNT-3: load volatile float
// APART: store
kernel void apart(global const Body* bodies, global float* out) {
  global const Body* b = &bodies[get_global_id(0)];
  out[get_global_id(0)] = b->x + b->vy + b->az;
}

// Where lanes may be off, each would be asked for.
// SOME-LABEL: @some.region.0(
// SOME-NOT: <4 x i32>
// SOME: ret
kernel void some(global const Body* bodies, global float* out) {
  global const Body* b = &bodies[get_global_id(0)];
  if (out[get_global_id(0)] > 0) out[get_global_id(0)] = native_sin(b->x * b->y + b->z * b->vx);
}

typedef struct { float4 place, speed; float rest[7]; int kind; } Part;

// OpenCL vectors are such pieces, and stay packed.
// VECTORS-LABEL: @vectors.region.0(
// VECTORS-COUNT-2: load volatile <4 x float>
// VECTORS: store volatile <4 x float>
// VECTORS-NOT: store volatile <16
// VECTORS: ret
kernel void vectors(global Part* parts, float dt) {
  global Part* p = &parts[get_global_id(0)];
  p->place += p->speed * dt;
  p->rest[0] += dt;
}

// Two of 8 bytes.
// DOUBLES-LABEL: @doubles.region.0(
// DOUBLES: load volatile <2 x i64>
// DOUBLES: load volatile double
// DOUBLES: store
kernel void doubles(global const double* a, global double* out) {
  const size_t i = get_global_id(0);
  out[i] = a[10 * i] * a[10 * i + 1] + a[10 * i + 5];
}

// `other` may be a field: no load moves over its store.
// BETWEEN-LABEL: @between.region.0(
// BETWEEN: load volatile float
// BETWEEN: store volatile i32
// BETWEEN: load volatile float
kernel void between(global Body* bodies, global int* other, global float* out) {
  global Body* b = &bodies[get_global_id(0)];
  const float x = b->x;
  other[get_global_id(0)] = 1;
  out[get_global_id(0)] = b->y + x;
}

// Of twelve bytes in all, two words at once: what stands behind the last field may not be read.
// RUN: weftc --cpu=sapphirerapids --kernel=few --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=FEW
// FEW-LABEL: @few.region.0(
// FEW-NOT: <4 x i32>
// FEW: load volatile <2 x i32>
// FEW: load volatile float
// FEW: store
kernel void few(global const Body* bodies, global float* out) {
  global const Body* b = &bodies[get_global_id(0)];
  out[get_global_id(0)] = b->x * b->y + b->z;
}
