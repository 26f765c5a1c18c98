// A swizzle of a value beside a constant in a vector literal: Clang alone would crash on it or not end.
// RUN: weftc %s --kernel=pair --emit=scalar | FileCheck %s --check-prefix=PAIR
// RUN: weftc %s --kernel=odd --emit=scalar | FileCheck %s --check-prefix=ODD
// RUN: weftc %s --kernel=nested --emit=scalar | FileCheck %s --check-prefix=NESTED

// PAIR: shufflevector <4 x float> <float 0.000000e+00, float 0.000000e+00, float poison, float poison>, <4 x float> {{%.*}}, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
kernel void pair(global float4* p, float4 a) { p[0] = (float4)((float2)(0.0f), (a + p[1]).xy); }

// ODD: shufflevector <8 x double> <double 1.002500e+02, {{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
kernel void odd(global double8* p, ulong2 a) { p[0] = (double8)((double4)(100.25), (convert_double8(a.s10011001)).odd); }

// NESTED: store
kernel void nested(global float8* p, float4 a) { p[0] = (float8)((float4)((float2)(1.0f), (a * 2.0f).xy), ((float8)(a, a) + p[1]).even); }
