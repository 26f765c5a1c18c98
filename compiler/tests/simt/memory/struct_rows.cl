// Accesses to fields of adjacent structs become one load and one store of whole structs.
// RUN: weftc --cpu=sapphirerapids --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=MOVE
// RUN: weftc --cpu=sapphirerapids --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WIDE
// RUN: weftc --cpu=znver3 --kernel=move --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=NARROW
// RUN: weftc --cpu=sapphirerapids --kernel=between --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=BETWEEN
// RUN: weftc --cpu=sapphirerapids --kernel=neighbours --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=NEIGHBOURS
// RUN: weftc --cpu=sapphirerapids --kernel=sides --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=SIDES
// RUN: weftc --cpu=sapphirerapids --kernel=tail --local-size=32,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TAIL
// RUN: weftc --cpu=sapphirerapids --kernel=rows --local-size=32,1,1 --ids-fit-31-bits --disable=promote-local --stop-after=struct-rows %s | FileCheck %s --check-prefix=ROWS
// RUN: weftc --cpu=sapphirerapids --kernel=both --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=BOTH
// RUN: weftc --cpu=sapphirerapids --kernel=doubles --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=DOUBLES
// RUN: weftc --cpu=znver3 --kernel=pieces --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PIECES
// RUN: weftc --cpu=znver3 --kernel=some --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOME
// RUN: weftc --cpu=sapphirerapids --kernel=square --local-size=8,8,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=SQUARE
// RUN: weftc --cpu=sapphirerapids --kernel=square --local-size=8,8,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SQUAREWIDE
// RUN: weftc --cpu=sapphirerapids --kernel=uneven --local-size=8,8,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=UNEVEN
// RUN: weftc --cpu=sapphirerapids --kernel=above --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=struct-rows %s | FileCheck %s --check-prefix=ABOVE
// RUN: weftc --cpu=sapphirerapids --kernel=above --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=SOMEWIDE
// RUN: weftc --cpu=haswell --kernel=above --local-size=32,1,1 --ids-fit-31-bits --stop-after=struct-rows %s | FileCheck %s --check-prefix=ALONE

typedef struct { float x, y, vx, vy; } Point;

// A value that is stored and loaded again stays in a register; `vy` is read but not written.
// MOVE-LABEL: @move.region.0(
// MOVE: load volatile <4 x i32>, {{.*}}, align 4, !weft.nonvolatile [[EMPTY:![0-9]+]], !weft.fields [[ALL:![0-9]+]]
// MOVE-NOT: load
// MOVE: store volatile <4 x i32> {{.*}} !weft.fields [[THREE:![0-9]+]]
// MOVE-NOT: store
// MOVE-DAG: [[ALL]] = !{i64 15}
// MOVE-DAG: [[THREE]] = !{i64 7}
// WIDE-LABEL: @move.region.0.warp(
// WIDE: load <128 x i32>
// WIDE-COUNT-8: call void @llvm.masked.store.v16i32.p0({{.*}} <16 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true
// WIDE-NOT: scatter
// WIDE: ret
// Without cheap masked stores of a part of a register, only whole structs are stored.
// NARROW-LABEL: @move.region.0(
// NARROW: load volatile <4 x i32>
// NARROW: store volatile float
kernel void move(global Point* points) {
  global Point* p = &points[get_global_id(0)];
  p->vx = p->vx * 0.5f + p->vy;
  p->x += p->vx;
  p->y += p->vy;
}

// `other` may point to a field: nothing moves across the store.
// BETWEEN-LABEL: @between.region.0(
// BETWEEN: load volatile float
// BETWEEN: store volatile i32
// BETWEEN: load volatile float
// BETWEEN: store volatile float
kernel void between(global Point* points, global int* other) {
  global Point* p = &points[get_global_id(0)];
  const float x = p->x;
  other[get_global_id(0)] = 1;
  p->y = x + p->y;
}

// The fields of the next struct belong to the next lane.
// NEIGHBOURS-LABEL: @neighbours.region.0(
// NEIGHBOURS: load volatile float
// NEIGHBOURS: store volatile float
// NEIGHBOURS: load volatile float
kernel void neighbours(global Point* points, global float* out) {
  global Point* p = &points[get_global_id(0)];
  const float x = p->x;
  p->y = 1;
  out[get_global_id(0)] = p[1].y + x;
}

// A field that only some lanes read lies between fields that all lanes read.
// SIDES-LABEL: @sides.region.0(
// SIDES: load volatile <4 x i32>
// SIDES: weft.any
// SIDES-NOT: load volatile
// SIDES: store
kernel void sides(global const Point* points, global float* out) {
  global const Point* p = &points[get_global_id(0)];
  float sum = p->x;
  if (sum > 0) sum += native_sqrt(native_sin(p->y));
  out[get_global_id(0)] = sum + p->vy;
}

// Behind the last field of the last lane, nothing may be mapped.
// TAIL-LABEL: @tail.region.0.warp(
// TAIL: call <128 x i32> @llvm.masked.load.v128i32.p0({{.*}}, i1 true, i1 true, i1 true, i1 false>, <128 x i32> poison)
kernel void tail(global const Point* points, global float* out) {
  global const Point* p = &points[get_global_id(0)];
  out[get_global_id(0)] = p->x + p->y + p->vx;
}

// A row of an array in place of a struct.
// ROWS-LABEL: @rows.region.0(
// ROWS: store volatile <8 x i32>
// ROWS-NOT: store
// ROWS: load volatile <2 x float>
kernel void rows(global float2* a) {
  local float2 t[128];
  const int l = get_local_id(0);
  for (int k = 0; k < 4; ++k) t[4 * l + (k ^ 1)] = a[l + 32 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 5];
}

// DOUBLES-LABEL: @doubles.region.0(
// DOUBLES: load volatile <3 x i64>
kernel void doubles(global const double* a, global double* out) {
  const size_t i = get_global_id(0);
  out[i] = a[3 * i] + a[3 * i + 1] * a[3 * i + 2];
}

// `vx` is stored before the first load, in one row with `vy` after it: the later read of `vx` is not in the first row.
// BOTH-LABEL: @both.region.0(
// BOTH: [[FIRST:%.*]] = load volatile <4 x i32>
// BOTH-NOT: extractelement <4 x i32> [[FIRST]], i64 2
// BOTH: store volatile <4 x i32>
// BOTH-NOT: extractelement <4 x i32> [[FIRST]], i64 2
// BOTH: ret
kernel void both(global Point* points, global float* out) {
  global Point* p = &points[get_global_id(0)];
  p->vx = get_global_id(0);
  const float sum = p->x + p->y;
  p->vy = sum;
  float more = 0;
  for (int i = 0; i < ((int)sum & 3); ++i) more += sum * i;
  out[get_global_id(0)] = p->vx + more;
}

typedef struct { float position[4], speed, rest; int kind; } Part;

// Five fields of seven in two pieces.
// PIECES-LABEL: @pieces.region.0.warp(
// PIECES: store <4 x i32>
// PIECES: store <1 x i32>
// PIECES-COUNT-31: store <4 x i32>
// PIECES-NOT: store <4 x i32>
// PIECES: ret
kernel void pieces(global Part* parts) {
  global Part* p = &parts[get_global_id(0)];
  for (int i = 0; i < 4; ++i) p->position[i] += p->rest;
  p->speed *= p->rest;
}
// Some lanes' structs are stored one after the other, the same pieces of each.
// SOME-LABEL: @some.region.0.warp(
// SOME: fields:
// SOME-COUNT-32: store <4 x i32>
// SOME: some_fields:
// SOME: store <224 x i32>
// SOME: store <4 x i32>
// SOME: store <1 x i32>
// SOME: icmp ne i32 %{{.*}}, 0
kernel void some(global Part* parts) {
  global Part* p = &parts[get_global_id(0)];
  const float rest = p->rest;
  if (p->kind) {
    for (int i = 0; i < 4; ++i) p->position[i] += rest;
    p->speed *= rest;
  }
}

// Of the rows of a group that a warp has several of, too, as OpenCL vectors: all fields of each.
// SQUARE-LABEL: @square.region.0(
// SQUARE: load volatile <4 x i32>, {{.*}}, align 4, !weft.nonvolatile !{{[0-9]+$}}
// SQUARE-NOT: load
// SQUARE: store volatile <4 x i32> {{.*}}, align 4, !weft.nonvolatile !{{[0-9]+$}}
// SQUAREWIDE-LABEL: @square.region.0.warp(
// SQUAREWIDE-COUNT-4: load <32 x i32>
// SQUAREWIDE-COUNT-4: store <32 x i32>
kernel void square(global const Point* a, global Point* out, int pitch) {
  const int i = (int)get_global_id(1) * pitch + (int)get_global_id(0);
  const Point p = a[i];
  out[i] = (Point){p.x + p.vx, p.y + p.vy, p.vx * 2, p.vy * 2};
}

// Rows that are no whole structs apart could lie one field beside another; and rows in which a field is missing stay apart.
// UNEVEN-LABEL: @uneven.region.0(
// UNEVEN-NOT: <4 x i32>
// UNEVEN: ret
kernel void uneven(global const char* a, global Point* out, int pitch) {
  const global Point* p = (const global Point*)(a + get_global_id(1) * (ulong)pitch) + get_global_id(0);
  global Point* to = out + (int)get_global_id(1) * pitch + (int)get_global_id(0);
  to->x = p->x + p->vx;
  to->y = p->y * p->vy;
  to->vy = p->vy;
}

// A part of each struct, by some lanes: masked registers of whole structs, where there are such or gathers take long.
// ABOVE-LABEL: @above.region.0(
// ABOVE: load volatile <8 x i32>, {{.*}} !weft.fields [[HIGH:![0-9]+]]
// ABOVE: [[HIGH]] = !{i64 15}
// SOMEWIDE-LABEL: @above.region.0.warp(
// SOMEWIDE: call <256 x i32> @llvm.masked.load.v256i32.p0(
// ALONE-LABEL: @above.region.0(
// ALONE-NOT: <8 x i32>
// ALONE: load volatile <4 x float>
typedef struct { float4 low, high; } Box;
kernel void above(global const Box* boxes, global const int* which, global float* out) {
  const int i = get_global_id(0);
  if (which[i]) {
    const float4 high = boxes[i].high;
    out[i] = high.x * high.y + high.z;
  }
}
