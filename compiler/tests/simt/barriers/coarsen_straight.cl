// Straight code that waits for itself gets several warps a body; short or wide code, or few registers, one.
// RUN: weftc --cpu=icelake-server --kernel=chain --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=FOUR
// RUN: weftc --cpu=icelake-server --kernel=chain --local-size=64,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=TWO
// RUN: weftc --cpu=icelake-server --kernel=chain --local-size=96,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=znver3 --kernel=chain --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=icelake-server --kernel=saxpy --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE
// RUN: weftc --cpu=icelake-server --kernel=branch --local-size=128,1,1 --ids-fit-31-bits --stop-after=widen %s | FileCheck %s --check-prefix=ONE

// FOUR: %first = mul nuw nsw i32 %warp, 128{{$}}
// TWO: %first = mul nuw nsw i32 %warp, 64{{$}}
// ONE: %first = mul nuw nsw i32 %warp, 32{{$}}
kernel void chain(global float* a, float rate) {
  int i = get_global_id(0);
  float x = a[i];
  x = log(x / rate) / sqrt(x);
  x = exp(1 / (1 + x * x));
  a[i] = exp(-x * rate) / (x + 2);
}

kernel void saxpy(global const float* x, global float* y, float a) {
  int i = get_global_id(0);
  y[i] += a * x[i];
}

kernel void branch(global float* a, float rate) {
  int i = get_global_id(0);
  float x = a[i];
  if (x > 0) a[i + 1] = exp(log(x) / sqrt(x)) + exp(log(x + 1) / rate);
}
