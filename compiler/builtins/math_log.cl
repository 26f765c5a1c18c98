// Logarithms (OpenCL C 3.0 §6.15.2): log, log2, log10, log1p.
#ifndef T
#define WEFT_BODY "math_log.cl"
#include "math_each_type.h"
#else

WEFT_OVERLOAD T log(T x) { return weft_log(x); }

WEFT_OVERLOAD T log2(T x) {
  T e, m;
  weft_log_reduce(x, &e, &m);
  const T f = m - C(1.0);
  // (f + tail) log2(e), f's product doubled.
  const T y = MAD(f, LOG2E_HI, MAD(f, LOG2E_LO, weft_log_tail(f, C(-0.0)) * LOG2E_HI));
  return weft_log_ends(x, e + y);
}

WEFT_OVERLOAD T log10(T x) {
  T e, m;
  weft_log_reduce(x, &e, &m);
  const T f = m - C(1.0);
  const T y = MAD(f, LOG10E_HI, MAD(f, LOG10E_LO, weft_log_tail(f, C(-0.0)) * LOG10E_HI));
  return weft_log_ends(x, MAD(e, LOG10_2_SHORT, MAD(e, LOG10_2_REST, y)));
}

WEFT_OVERLOAD T log1p(T x) { return weft_log1p(x); }

#endif
