// vloada_half and vstorea_half of one element, which Clang does not declare, are vload_half and vstore_half. A program may have functions or macros
// of these names.
// RUN: weftc --options="-cl-std=CL1.2" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL3.0" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL2.0 -DGENERIC" --emit=frontend %s -o - | FileCheck %s --check-prefixes=CHECK,GENERIC
// RUN: weftc --options="-cl-std=CLC++2021" --kernel=k %s -o /dev/null
// RUN: weftc --options="-DOWN=1" --kernel=k %s -o /dev/null
// RUN: weftc --options="-DOWN=2" --kernel=k %s -o /dev/null
// RUN: weftc --options="-DOWN=3" --kernel=k %s -o /dev/null
// RUN: weftc --kernel=k --emit=scalar %s -o - | FileCheck %s --check-prefix=SCALAR
#if OWN == 1
float vloada_half(size_t i, const global half* from) { return vload_half(i, from); }
void vstorea_half(float value, size_t i, global half* to) { vstore_half(value, i, to); }
#elif OWN == 2
float __attribute__((overloadable)) vloada_half(size_t i, const global half* from) { return vload_half(i, from); }
float __attribute__((overloadable)) vloada_half(size_t i, const local half* from) { return vload_half(i, from); }
void __attribute__((overloadable)) vstorea_half(float value, size_t i, global half* to) { vstore_half(value, i, to); }
#elif OWN == 3
#define vloada_half(i, from) vload_half(i, from)
#define vstorea_half(value, i, to) vstore_half(value, i, to)
#endif
// CHECK: call spir_func {{.*}}float @_Z11vloada_halfmPU3AS1KDh(
// CHECK: call spir_func {{.*}}void @_Z12vstorea_halffmPU3AS1Dh(
// SCALAR-NOT: call {{.*}}v{{load|store}}a
// SCALAR: fptrunc float %{{.*}} to half
// SCALAR-NOT: call {{.*}}v{{load|store}}a
kernel void k(global const half* a, global half* b) {
  const size_t i = get_global_id(0);
  vstorea_half(vloada_half(i, a) + 1, i, b);
}
#if !OWN
// CHECK: call spir_func {{.*}}float @_Z11vloada_halfmPU3AS2KDh(
// CHECK: call spir_func {{.*}}void @_Z16vstorea_half_rtzdmPU3AS3Dh(
kernel void of_spaces(constant half* a, local half* b) { vstorea_half_rtz((double)vloada_half(1, a), 2, b); }
#if GENERIC
// GENERIC: call spir_func {{.*}}float @_Z11vloada_halfmPU3AS4KDh(
float from_any(const half* a) { return vloada_half(3, a); }
kernel void of_any_space(global const half* a, global float* b) { b[0] = from_any(a); }
#endif
#endif
