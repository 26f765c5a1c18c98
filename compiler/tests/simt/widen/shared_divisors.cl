// Quotients of up to 32 bits by a number that lanes share: by its inverse, which one division makes.
// RUN: weftc --kernel=by_argument --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefixes=ONE,SIGNED
// RUN: weftc --kernel=unsigned_rest --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefixes=ONE,REST
// RUN: weftc --kernel=shorts --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=SHORTS
// RUN: weftc --kernel=by_values --local-size=32,1,1 --verify-each --stop-after=widen --emit=llvm %s | FileCheck %s --check-prefix=VALUES

// By none, it is 1, for lanes that do not run.
// ONE: [[ZERO:%.*]] = icmp eq i32 %{{.*}}, 0
// ONE: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32
// ONE: [[REAL:%.*]] = {{[su]}}itofp i32 [[SAFE]] to double
// ONE: fdiv double 0x3FF0000000000080, [[REAL]]
// ONE-NOT: fdiv
// SIGNED: fmul <32 x double>
// SIGNED: fptosi <32 x double>
// SIGNED: freeze <32 x i32>
kernel void by_argument(global int* values, int by) { values[get_global_id(0)] /= by; }
// REST: fptoui <32 x double>
// REST: mul <32 x i32>
// REST: sub <32 x i32>
kernel void unsigned_rest(global uint* values, uint by) { values[get_global_id(0)] %= by; }

// In float, which has enough bits for them.
// SHORTS: fdiv float 0x3FF0000100000000
// SHORTS-NOT: fdiv <32
kernel void shorts(global short2* values, short by) { values[get_global_id(0)] /= by; }

// VALUES: fdiv <32 x double>
kernel void by_values(global int* values, global const int* by) { values[get_global_id(0)] /= by[get_global_id(0)]; }
