// Ways to widen loads and stores are tried in the order of the list. One that is left out makes room for the next.
// RUN: weftc --list-passes | FileCheck %s --check-prefix=ORDER
// ORDER: last-lane-store {{.*}} required
// ORDER-NEXT: own-row {{.*}} required
// ORDER-NEXT: field-rows {{.*}} required
// ORDER-NEXT: contiguous {{.*}} required
// ORDER-NEXT: strided {{.*}} required
// ORDER-NEXT: overlapping-lanes {{.*}} optimization
// ORDER-NEXT: few-lanes {{.*}} optimization
// ORDER-NEXT: checked-shapes {{.*}} required
// ORDER-NEXT: flipped-lanes {{.*}} optimization
// ORDER-NEXT: lane-patterns {{.*}} optimization
// ORDER-NEXT: tiled-access {{.*}} optimization
// ORDER-NEXT: lane-runs {{.*}} optimization
// ORDER-NEXT: texel-window {{.*}} optimization
// ORDER-NEXT: neighbours {{.*}} optimization
// ORDER-NEXT: two-rows {{.*}} optimization
// ORDER-NEXT: two-places {{.*}} optimization
// ORDER-NEXT: row-pieces {{.*}} optimization
// ORDER-NEXT: spaced-lanes {{.*}} optimization
// ORDER-NEXT: ranked {{.*}} optimization
// ORDER-NEXT: table-permutes {{.*}} optimization
// ORDER-NEXT: bounded-window {{.*}} optimization
// ORDER-NEXT: gather {{.*}} required
// ORDER-NEXT: gather-parts {{.*}} required
// ORDER-NEXT: lane-by-lane {{.*}} required
// ORDER-NEXT: lane-loop {{.*}} required

// RUN: weftc --cpu=sapphirerapids --kernel=last --local-size=32,1,1 --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=LAST
// RUN: weftc --cpu=sapphirerapids --kernel=last --local-size=32,1,1 --disable=last-lane-store --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-LAST
// LAST-LABEL: @last.region.0.warp(
// LAST: {{^}}if.then:
// LAST: [[BITS:%.*]] = bitcast <32 x i1> {{%.*}} to i32
// LAST: [[ZEROS:%.*]] = call i32 @llvm.ctlz.i32(i32 [[BITS]], i1 false)
// LAST: [[LANE:%.*]] = sub i32 31, [[ZEROS]]
// LAST: [[LAST:%.*]] = extractelement <32 x i32>
// LAST: store i32 [[LAST]], ptr %b, align 4
// NO-LAST-LABEL: @last.region.0.warp(
// NO-LAST: call void @llvm.masked.scatter.v32i32
kernel void last(global const int* a, global int* b) {
  int l = get_local_id(0);
  if (a[l] > 3) *b = a[l];
}

// RUN: weftc --cpu=sapphirerapids --kernel=rows --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=OWN-ROW
// RUN: weftc --cpu=sapphirerapids --kernel=rows --local-size=32,1,1 --ids-fit-31-bits --disable=own-row --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-OWN-ROW
// OWN-ROW-LABEL: @rows.region.0.warp(
// OWN-ROW: {{^}}if.then:
// OWN-ROW: [[OLD:%.*]] = load <32 x i32>, ptr [[ROW:%.*]], align 64
// OWN-ROW: [[NEW:%.*]] = select <32 x i1> {{%.*}}, <32 x i32> <i32 1, {{.*}}>, <32 x i32> [[OLD]]
// OWN-ROW: store <32 x i32> [[NEW]], ptr [[ROW]], align 64
// OWN-ROW-NOT: masked
// NO-OWN-ROW-LABEL: @rows.region.0.warp(
// NO-OWN-ROW: {{^}}if.then:
// NO-OWN-ROW: call void @llvm.masked.store.v32i32
kernel void rows(global const int* a, global int* b, int n) {
  int mine[10];
  int l = get_local_id(0);
  for (int i = 0; i < n; ++i) mine[i] = a[i * 32 + l];
  if (a[l] > 3) mine[n] = 1;
  for (int i = 0; i < n; ++i) b[i * 32 + l] = mine[n - i];
}

// Rows of fields have one form only.
// RUN: weftc --cpu=sapphirerapids --kernel=fields --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=FIELDS
// RUN: not weftc --cpu=sapphirerapids --kernel=fields --local-size=32,1,1 --ids-fit-31-bits --disable=field-rows --stop-after=widen %s 2>&1 | FileCheck %s --check-prefix=NO-FIELDS
// FIELDS-LABEL: @fields.region.0.warp(
// FIELDS: load <64 x i32>
// FIELDS-COUNT-4: store <16 x i32>
// NO-FIELDS: widen: no strategy is left for this access:
struct pair { int x, y; };
kernel void fields(global struct pair* a) {
  global struct pair* p = &a[get_global_id(0)];
  int x = p->x;
  p->x = p->y;
  p->y = x;
}

// RUN: weftc --cpu=sapphirerapids --kernel=pairs --local-size=32,1,1 --ids-fit-31-bits --disable=strided,spaced-lanes --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-STRIDED
// RUN: weftc --cpu=sapphirerapids --kernel=pairs --local-size=32,1,1 --ids-fit-31-bits --disable=contiguous,strided,spaced-lanes --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-CONTIGUOUS
// NO-STRIDED-LABEL: @pairs.region.0.warp(
// NO-STRIDED: call <32 x i32> @llvm.masked.gather.v32i32
// NO-STRIDED: store <32 x i32>
// NO-CONTIGUOUS-LABEL: @pairs.region.0.warp(
// NO-CONTIGUOUS: call <32 x i32> @llvm.masked.gather.v32i32
// NO-CONTIGUOUS: call void @llvm.masked.scatter.v32i32
kernel void pairs(global const int* a, global int* b) {
  int l = get_local_id(0);
  b[l] = a[2 * l];
}

// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=WRAPS
// RUN: weftc --cpu=sapphirerapids --kernel=wraps --local-size=32,1,1 --ids-fit-31-bits --disable=checked-shapes --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-WRAPS
// WRAPS-LABEL: @wraps.region.0.warp(
// WRAPS: br i1 {{%.*}}, label %contiguous, label %wrapped
// WRAPS: store <32 x i32>
// NO-WRAPS-LABEL: @wraps.region.0.warp(
// NO-WRAPS-NOT: br i1
// NO-WRAPS: call void @llvm.masked.scatter.v32i32
// NO-WRAPS-NOT: store
kernel void wraps(global int* b, uint n) {
  b[(uint)get_local_id(0) + n] = 1;
}

// RUN: weftc --cpu=sapphirerapids --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=TILE
// RUN: weftc --cpu=sapphirerapids --kernel=tile --local-size=16,16,1 --ids-fit-31-bits --disable=tiled-access --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-TILE
// TILE-LABEL: @tile.region.0.warp(
// TILE: br i1 {{%.*}}, label %columns, label %apart
// TILE-COUNT-16: store <16 x i32>
// NO-TILE-LABEL: @tile.region.0.warp(
// NO-TILE-NOT: store
// NO-TILE: call void @llvm.masked.scatter.v256i32
kernel void tile(global int* b, int height) {
  b[get_global_id(0) * height + get_global_id(1)] = 1;
}

// RUN: weftc --cpu=sapphirerapids --kernel=anywhere --local-size=32,1,1 --ids-fit-31-bits --disable=gather --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-GATHER
// RUN: weftc --cpu=sapphirerapids --kernel=anywhere --local-size=32,1,1 --ids-fit-31-bits --disable=gather,lane-by-lane --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-LANES
// RUN: not weftc --cpu=sapphirerapids --kernel=anywhere --local-size=32,1,1 --ids-fit-31-bits --disable=gather,lane-by-lane,lane-loop --stop-after=widen %s 2>&1 | FileCheck %s --check-prefix=NOTHING
// NO-GATHER-LABEL: @anywhere.region.0.warp(
// NO-GATHER-COUNT-32: load i32, ptr
// NO-GATHER-COUNT-32: store i32 {{.*}}, ptr
// NO-LANES-LABEL: @anywhere.region.0.warp(
// NO-LANES: lane:
// NO-LANES: load volatile i32, ptr
// NO-LANES: lane{{[0-9]+}}:
// NO-LANES: store volatile i32 {{.*}}, ptr
// NOTHING: widen: no strategy is left for this access: {{.*}} load volatile i32
kernel void anywhere(global const int* a, global int* b) {
  int l = get_local_id(0);
  b[b[l]] = a[a[l]];
}

// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=32,1,1 --ids-fit-31-bits --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PARTS
// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=32,1,1 --ids-fit-31-bits --disable=gather-parts --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=NO-PARTS
// RUN: weftc --cpu=sapphirerapids --kernel=bytes --local-size=32,1,1 --ids-fit-31-bits --required-only --verify-each --stop-after=widen %s | FileCheck %s --check-prefix=PARTS
// PARTS-LABEL: @bytes.region.0.warp(
// PARTS: call <32 x i32> @llvm.masked.gather.v32i32
// NO-PARTS-LABEL: @bytes.region.0.warp(
// NO-PARTS-COUNT-32: load i8, ptr
kernel void bytes(global const uchar* a, global uchar* b) {
  int l = get_local_id(0);
  b[l] = a[a[l]];
}
