// Third set: wide local accesses and atomics of one warp by a list of indices. Same text for CUDA C++ and OpenCL C.
// A lane whose index is negative is inactive.
#include "portable.h"
#ifdef __OPENCL_VERSION__
#define ATOMIC_ADD_RET(p, v) atomic_add(p, v)
#define ATOMIC_ADD_LOCAL(p, v) atomic_add(p, v)
#else
#define ATOMIC_ADD_RET(p, v) atomicAdd(p, v)
#define ATOMIC_ADD_LOCAL(p, v) atomicAdd(p, v)
#endif

KERNEL void load2(GLOBAL float* out, GLOBAL const int* index)
{ LOCAL_ARRAY(float2, buf, [512]); int t = LID(0); for (int i = t; i < 512; i += LSZ(0)) buf[i] = F2((float)i, 1.f); BARRIER(); int k = index[t]; if (k >= 0) { float2 v = buf[k]; out[t] = v.x + v.y; } }
KERNEL void load4(GLOBAL float* out, GLOBAL const int* index)
{ LOCAL_ARRAY(float4, buf, [512]); int t = LID(0); for (int i = t; i < 512; i += LSZ(0)) buf[i] = F4((float)i, 1.f, 2.f, 3.f); BARRIER(); int k = index[t]; if (k >= 0) { float4 v = buf[k]; out[t] = v.x + v.y + v.z + v.w; } }
KERNEL void store2(GLOBAL float* out, GLOBAL const int* index)
{ LOCAL_ARRAY(float2, buf, [512]); int t = LID(0); int k = index[t]; if (k >= 0) { buf[k] = F2((float)t, 1.f); } BARRIER(); float2 v = buf[t]; out[t] = v.x + v.y; }
KERNEL void store4(GLOBAL float* out, GLOBAL const int* index)
{ LOCAL_ARRAY(float4, buf, [512]); int t = LID(0); int k = index[t]; if (k >= 0) { buf[k] = F4((float)t, 1.f, 2.f, 3.f); } BARRIER(); float4 v = buf[t]; out[t] = v.x + v.y + v.z + v.w; }
KERNEL void atomic1(GLOBAL int* out, GLOBAL const int* index)
{ LOCAL_ARRAY(int, bins, [512]); int t = LID(0); for (int i = t; i < 512; i += LSZ(0)) bins[i] = 0; BARRIER(); int k = index[t]; if (k >= 0) { ATOMIC_ADD_LOCAL(&bins[k], t); } BARRIER(); out[t] = bins[t]; }
KERNEL void reduction(GLOBAL int* out, GLOBAL const int* index)
{ int t = LID(0); int k = index[t]; if (k >= 0) { ATOMIC_ADD_GLOBAL(&out[k], t); } }
KERNEL void atomic_result(GLOBAL int* out, GLOBAL const int* index)
{ int t = LID(0); int k = index[t]; if (k >= 0) { out[t + 1024] = ATOMIC_ADD_RET(&out[k], t); } }
