// Loops of a group of one work-item, which runs alone, are vectors along themselves.
// RUN: weftc --cpu=sapphirerapids --kernel=chosen --local-size=1,1,1 --ids-fit-31-bits --verify-each --stop-after=loop-vectors %s | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc --cpu=haswell --kernel=chosen --local-size=1,1,1 --ids-fit-31-bits --verify-each --stop-after=loop-vectors %s | FileCheck %s --check-prefix=CHOSEN
// RUN: weftc --cpu=sapphirerapids --kernel=count --local-size=1,1,1 --ids-fit-31-bits --verify-each --stop-after=loop-vectors %s | FileCheck %s --check-prefix=COUNT
// RUN: weftc --cpu=sapphirerapids --kernel=sum --local-size=1,1,1 --ids-fit-31-bits --stop-after=loop-vectors %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=seen --local-size=1,1,1 --ids-fit-31-bits --stop-after=loop-vectors %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=chosen --local-size=1,1,1 --ids-fit-31-bits --disable=loop-vectors --stop-after=optimize %s | FileCheck %s --check-prefix=STAYS
// RUN: weftc --cpu=sapphirerapids --kernel=chosen --local-size=1,1,1 --ids-fit-31-bits --required-only --stop-after=optimize %s | FileCheck %s --check-prefix=STAYS

// What is read and written under a condition is so under a mask.
// CHOSEN: call <[[LANES:[0-9]+]] x float> @llvm.masked.load
// CHOSEN: call void @llvm.masked.store.v[[LANES]]f32
kernel void chosen(global const float* a, global float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i)
    if (a[i] > 0.5f) b[i] = b[i] * 0.5f + a[i];
}

// COUNT: icmp {{.*}}<[[COUNTED:[0-9]+]] x i32>
// COUNT: call i32 @llvm.vector.reduce.add
kernel void count(global const int* a, global int* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  int s = 0;
  for (int i = begin; i < end; ++i) s += a[i] > 3;
  b[get_global_id(0)] = s;
}

// STAYS-NOT: {{<[0-9]+ x (float|i32)>}}
// The order of the sums is the program's.
kernel void sum(global const float* a, global float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  float s = 0;
  for (int i = begin; i < end; ++i) s += a[i];
  b[get_global_id(0)] = s;
}

// So is the order of accesses that others see.
kernel void seen(global const float* a, global volatile float* b, int n, int chunk) {
  const int begin = (int)get_global_id(0) * chunk, end = min(begin + chunk, n);
  for (int i = begin; i < end; ++i) b[i] = b[i] * 0.5f + a[i];
}
