// Exponentials, logarithms and argument reductions of one type T (see math_each_type.h), on which several
// files of functions stand. Included once a type: no include guard.

#define SIGN_BIT ((U)1 << (sizeof(T) * 8 - 1))
#define MIN_NORMAL PICK(0x1p-126f, 0x1p-1022)
#define INF ((T)INFINITY)
#define QNAN ((T)NAN)
// x + MAGIC rounds |x| < 2^(MANTISSA - 2) to an integer, which lies in the low bits of the sum.
#define MAGIC PICK(0x1.8p23f, 0x1.8p52)
// The same for an exponent n >= -2 BIAS of weft_scale: the lowest bits of the sum are n + 2 BIAS.
#define SCALE_MAGIC (MAGIC + (T)(2 * BIAS))
// BIG + n has the bits AS_U(BIG) | n for 0 <= n < 2^MANTISSA: an unsigned integer to T.
#define BIG PICK(0x1p23f, 0x1p52)
// |x| below it: f(x) = x + O(x^2) is x.
#define TINY PICK(0x1p-26f, 0x1p-55)

#define LOG2E_HI PICK(0x1.715476p+0f, 0x1.71547652b82fep+0)
#define LOG2E_LO PICK(0x1.4ae0cp-26f, 0x1.777d0ffda0d24p-56)
#define LN2_HI PICK(0x1.62e43p-1f, 0x1.62e42fefa39efp-1)
// ln 2 with a head short enough that its product with an exponent is exact. Both are positive, so that e LN2_SHORT + e LN2_REST is
// infinite where e is, and not NaN.
#define LN2_SHORT PICK(0x1.62ep-1f, 0x1.62e42fefa2p-1)
#define LN2_REST PICK(0x1.0bfbe8p-15f, 0x1.9ef35793c7673p-41)
#define LOG10E_HI PICK(0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2)
#define LOG10E_LO PICK(-0x1.5b235ep-27f, 0x1.95355baaafad3p-57)
#define LOG10_2_HI PICK(0x1.344136p-2f, 0x1.34413509f79ffp-2)
// As LN2_SHORT and LN2_REST.
#define LOG10_2_SHORT PICK(0x1.344p-2f, 0x1.34413509f6p-2)
#define LOG10_2_REST PICK(0x1.3509f8p-18f, 0x1.9fef311f12b36p-42)
#define PI_HI PICK(0x1.921fb6p+1f, 0x1.921fb54442d18p+1)
#define PI_LO PICK(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53)
#define PI_REST PICK(-0x1.ee59dap-49f, -0x1.f1976b7ed8fbcp-109)
#define INV_PI_HI PICK(0x1.45f306p-2f, 0x1.45f306dc9c883p-2)
#define INV_PI_LO PICK(0x1.b9391p-27f, -0x1.6b01ec5417056p-56)

// ---- bits -------------------------------------------------------------------------------------------------

/// 2^n for an exponent given biased, in [1, 2 BIAS].
WEFT_CORE T weft_power_of_two(U biased) { return AS_T(biased << MANTISSA); }
#define POWER_OF_TWO(n) weft_power_of_two((U)((n) + BIAS))

/// p 2^n for n + 2 BIAS in [2, 4 BIAS], rounded once. Of u count the lowest bits, as many as an exponent has and one more: those of n + 2 BIAS.
WEFT_CORE T weft_scale(T p, T n, U u) { return PICK(__weft_float_scale_f32, __weft_float_scale_f64)(p, n, u); }

/// lo <= x <= hi; NaN stays.
WEFT_CORE T weft_limit(T x, T lo, T hi) {
  x = hi < x ? hi : x;
  return lo > x ? lo : x;
}

WEFT_CORE bool weft_is_odd(T x) {  // x an integer or infinite
  const T halved = x * C(0.5);
  return TRUNC(halved) != halved;
}

// ---- exponential ------------------------------------------------------------------------------------------

// A sum that rounds to a multiple of 1/16, the lowest bits of the sum.
#define SIXTEENTHS_MAGIC PICK(0x1.8p19f, 0x1.8p48)

/// For k = n + i/16 from a sum t with SIXTEENTHS_MAGIC: 2^(i/16). Of k the integer below is what weft_scale takes; *u as for it.
WEFT_CORE T weft_exp_table(T t, T k, U* u) {
#if WEFT_DOUBLE
  *u = AS_U(FLOOR(k) + SCALE_MAGIC);
  return weft_table_exp2(AS_U(t));
#else
  return C(1.0);
#endif
}

/// e^x = *head (1 + *p) 2^*n, *u as for weft_scale, for x = hi + lo within EXP_LOW and EXP_HIGH. A lo of -0 costs nothing.
WEFT_CORE void weft_exp_parts(T hi, T lo, T* head, T* p, T* n, U* u) {
#if WEFT_DOUBLE
  if (__weft_has_tables()) {
    const T t = MAD(hi, LOG2E_HI, SIXTEENTHS_MAGIC);
    *n = t - SIXTEENTHS_MAGIC;
    const T r = MAD(*n, -LN2_REST, MAD(*n, -LN2_SHORT, hi)) + lo;
    *head = weft_exp_table(t, *n, u);
    *p = MAD(r * r, weft_poly_exp_near(r), r);
    return;
  }
#endif
  const T t = MAD(hi, LOG2E_HI, SCALE_MAGIC);
  *n = t - SCALE_MAGIC;
  const T r = MAD(*n, -LN2_REST, MAD(*n, -LN2_SHORT, hi)) + lo;
  *head = C(1.0);
  *p = MAD(r * r, weft_poly_exp(r), r);
  *u = AS_U(t);
}

// Beyond them e^x rounds to 0 and to infinity.
#define EXP_LOW PICK(-105.0f, -746.0)
#define EXP_HIGH PICK(89.0f, 710.0)

/// e^(hi + lo) for |lo| small beside 1; lo may be anything where hi is out of range.
WEFT_CORE T weft_exp(T hi, T lo) {
  T head, p, n;
  U u;
  const T x = weft_limit(hi, EXP_LOW, EXP_HIGH);
  weft_exp_parts(x, x == hi ? lo : C(0.0), &head, &p, &n, &u);
#if WEFT_DOUBLE
  // What the table's rounded powers leave out: without it a power that is an integer, as 11^2, may come out next to it.
  if (__weft_has_tables()) p += weft_table_exp2_rest(AS_U(n + SIXTEENTHS_MAGIC));
#endif
  return weft_scale(MAD(head, p, head), n, u);
}

/// e^x / 2: finite up to the logarithm of twice the greatest number.
WEFT_CORE T weft_exp_half(T x) {
  T head, p, n;
  U u;
  weft_exp_parts(weft_limit(x, EXP_LOW, EXP_HIGH + C(1.0)), C(-0.0), &head, &p, &n, &u);
  return weft_scale(MAD(head, p, head), n - C(1.0), u - 1);
}

/// (e^x - 1) / 2 = y + *lo for -60 <= x <= EXP_HIGH or NaN. Halves, since 2^n overflows at the end of the range.
WEFT_CORE T weft_expm1_half(T x, T* lo) {
  const T t = MAD(x, LOG2E_HI, MAGIC), n = t - MAGIC;
  const T r = MAD(n, -LN2_REST, MAD(n, -LN2_SHORT, x));
  const T power = weft_power_of_two(AS_U(t) - (AS_U((T)MAGIC) - BIAS + 1));
  // 2^(n-1) (1 + r) - 1/2 first: what e^r - 1 would be rounded to by itself weighs twice where n is 1.
  const T linear = MAD(power, r, power - C(0.5)), square = power * (r * r), rest = weft_poly_exp(r);
  const T y = MAD(square, rest, linear);
  *lo = MAD(square, rest, linear - y);
  return y;
}

/// e^x - 1 for x <= EXP_HIGH or NaN.
WEFT_CORE T weft_expm1(T x) {
  T lo;
  const T y = weft_expm1_half(weft_limit(x, C(-60.0), EXP_HIGH), &lo) * C(2.0);
  return ABS(x) < TINY ? x : y;
}

// ---- logarithm --------------------------------------------------------------------------------------------

#define LOG_LOW PICK(0x1.555556p-1f, 0x1.6a09e667f3bcdp-1)

/// x = *m 2^*e for x > 0, finite, denormal or not, LOG_LOW <= *m < 2 LOG_LOW (which the primitives know).
WEFT_CORE void weft_log_reduce(T x, T* e, T* m) {
  *e = PICK(__weft_float_exponent_f32, __weft_float_exponent_f64)(x);
  *m = PICK(__weft_float_mantissa_f32, __weft_float_mantissa_f64)(x);
}

/// log(1 + f) - f + plus for LOG_LOW - 1 <= f < 2 LOG_LOW - 1.
WEFT_CORE T weft_log_tail(T f, T plus) {
#if WEFT_DOUBLE
  const T s = f / (C(2.0) + f), z = s * s, halved = C(0.5) * f * f;
  return plus + MAD(s, MAD(z, weft_poly_log(z), halved), -halved);
#else
  return MAD(f * f, MAD(f, weft_poly_log(f), C(-0.5)), plus);
#endif
}

/// e (unit + unit_lo) + log(1 + f) for such an f; e unit is exact.
WEFT_CORE T weft_log_sum(T e, T unit, T unit_lo, T f) {
#if WEFT_DOUBLE
  // The small terms first: next to f each would be rounded as f is.
  const T s = f / (C(2.0) + f), z = s * s, halved = C(0.5) * f * f;
  return MAD(e, unit, f + MAD(s, MAD(z, weft_poly_log(z), halved), MAD(e, unit_lo, -halved)));
#else
  return MAD(e, unit, MAD(e, unit_lo, weft_log_tail(f, f)));
#endif
}

/// Sets y = log(x) right where x is 0, negative, infinite or NaN.
WEFT_CORE T weft_log_special(T x, T y) {
  y = x == INF ? x : y;
  return x > C(0.0) ? y : (x == C(0.0) ? -INF : QNAN);
}

/// The same for a y that the exponent and mantissa of x lead to wherever these are infinite, 1 and NaN.
WEFT_CORE T weft_log_ends(T x, T y) { return PICK(__weft_float_ends_f32, __weft_float_ends_f64)(x, y); }

WEFT_CORE T weft_log(T x) {
  T e, m;
  weft_log_reduce(x, &e, &m);
  const T f = m - C(1.0);
  return weft_log_ends(x, weft_log_sum(e, LN2_SHORT, LN2_REST, f));
}

/// log(1 + x).
WEFT_CORE T weft_log1p(T x) {
  const T u = C(1.0) + x;
  T e, m;
  weft_log_reduce(u, &e, &m);
  // (1 + x) 2^-e - 1 with one rounding, or none where e is 0.
  T f;
  if (__weft_has_tables()) {
    const T scale = weft_scale(C(1.0), -e, AS_U(SCALE_MAGIC - e));
    f = MAD(x, scale, scale - C(1.0));
  } else {
    const T scale = weft_power_of_two((U)BIAS + AS_U((T)MAGIC) - AS_U(MAGIC + e));
    f = e > C(30.0) ? m - C(1.0) : MAD(x, scale, scale - C(1.0));
  }
  return COPYSIGN(weft_log_special(u, weft_log_sum(e, LN2_SHORT, LN2_REST, f)), x);
}

// log(x) = *hi + *lo for x > 0, finite, to some 10 bits more than T has.
WEFT_CORE void weft_log_extended(T x, T* hi, T* lo) {
  T e, m;
  if (__weft_has_tables()) {
    // x = m 2^e, 1 <= m < 2: log(x) = e log(2) + log(c) + log(1 + r), r = m / c - 1, which is exact as e log(2) + log(c) is but for its lower part.
    e = PICK(__weft_float_octave_f32, __weft_float_octave_f64)(x);
    m = PICK(__weft_float_unit_f32, __weft_float_unit_f64)(x);
    const U i = AS_U(m) >> PICK(18, 48);
    const T r = FMA(m, weft_table_log_inverse(i), C(-1.0)), l = FMA(e, LN2_SHORT, weft_table_log_high(i));
    // |l| > |r| or l = 0.
    const T first = l + r, first_lo = (l - first) + r, square = r * r, low = FMA(e, LN2_REST, weft_table_log_low(i));
#if WEFT_DOUBLE
    const T square_lo = FMA(r, r, -square), sum = FMA(square, C(-0.5), first), sum_lo = FMA(square, C(-0.5), first - sum);
    const T rest = FMA(square * r, weft_poly_log_near(r), FMA(square_lo, C(-0.5), low + first_lo) + sum_lo);
#else
    const T sum = first, rest = FMA(square, weft_poly_log_near(r), low + first_lo);
#endif
    *hi = sum + rest;
    *lo = (sum - *hi) + rest;
    return;
  }
  weft_log_reduce(x, &e, &m);
  const T f = m - C(1.0);
  // 2 s + 2/3 s^3 + s^5 P(s^2), s = f / (2 + f), the first two terms doubled.
  const T d = C(2.0) + f, d_lo = f - (d - C(2.0)), r = C(1.0) / d;
  const T s = f * r, s_lo = (FMA(-s, d, f) - s * d_lo) * r;
  const T z = s * s, z_lo = FMA(s, s, -z) + C(2.0) * s * s_lo;
  const T thirds = PICK(0x1.555556p-1f, 0x1.5555555555555p-1), thirds_lo = PICK(-0x1.555556p-26f, 0x1.5555555555555p-55);
  const T u = z * weft_poly_log_rest(z);
  const T w = thirds + u, w_lo = (thirds - w) + u + thirds_lo;
  const T c = s * z, c_lo = FMA(s, z, -c) + FMA(s, z_lo, s_lo * z);
  const T t = c * w, t_lo = FMA(c, w, -t) + FMA(c, w_lo, c_lo * w);
  const T a = C(2.0) * s, b = a + t, b_lo = (a - b) + t + FMA(C(2.0), s_lo, t_lo);
  const T l = e * LN2_SHORT, sum = l + b;
  const T rest = (l - sum) + b + MAD(e, LN2_REST, b_lo);
  // |l| > |b| or l = 0: then the rounding error of the sum is 0, and (l - sum) + b too.
  *hi = sum + rest;
  *lo = (sum - *hi) + rest;
}

// ---- trigonometric argument reduction ---------------------------------------------------------------------

// Up to it three terms of pi/2 serve.
#define TRIG_MEDIUM PICK(0x1p17f, 0x1p20)

#if WEFT_DOUBLE
/// 2^300 2/pi in pieces of 24 bits.
static __constant const double weft_two_over_pi[] = {
    0x1.45f306p299,  0x1.b9391p274,   0x1.529fcp248,   0x1.3abe88p225,  0x1.ea69bap203,  0x1.81b6c4p179,
    0x1.2b3278p155,  0x1.0e4104p130,  0x1.fca2c6p107,  0x1.57bd76p83,   0x1.8ac36ep59,   0x1.2371dp33,
    0x1.093748p10,   0x1.c00c92p-13,  0x1.775048p-39,  0x1.a32438p-61,  0x1.fc3bd6p-85,  0x1.cb129p-112,
    0x1.4e7ddp-133,  0x1.046beap-157, 0x1.75da2p-183,  0x1.09d338p-205, 0x1.c09adp-230,  0x1.7df904p-254,
    0x1.cc8ebp-279,  0x1.cc1a98p-303, 0x1.cfa4ep-327,  0x1.08bf16p-349, 0x1.7bf25p-373,  0x1.d8ffcp-399,
    0x1.2fffbcp-421, 0x1.6603cp-450,  0x1.de5e22p-469, 0x1.16b414p-493, 0x1.b47db4p-518, 0x1.b3f678p-543,
    0x1.3e5848p-567, 0x1.6e9e8cp-589, 0x1.fb34fp-615,  0x1.7fa8b4p-638, 0x1.d49ee8p-662, 0x1.8fd7cap-685,
    0x1.e2f67ap-709, 0x1.ce7dcp-738,  0x1.14a524p-757, 0x1.d4d7f6p-781, 0x1.7ec47cp-806, 0x1.1aba1p-829,
    0x1.580ccp-854,  0x1.1bf1ecp-878};

/// Sums up p modulo 4 in *s + *s_lo.
WEFT_CORE void weft_add_quarters(double p, double* s, double* s_lo) {
  p = FMA(-4.0, RINT(p * 0.25), p);
  const double t = *s + p, v = t - *s;
  *s_lo += (*s - (t - v)) + (p - v);
  *s = t;
}

/// x 2/pi = 4 k + q + *hi + *lo for a finite x; returns q modulo 4 in the low bits. Payne and Hanek.
///
/// All pieces of 2/pi are multiplied, one after the other: those whose product with x is a multiple of 4 add
/// nothing, and a constant the same for all lanes is cheaper than a look-up in each.
WEFT_CORE ulong weft_reduce_large(double x, double* hi, double* lo) {
  const double scaled = x * 0x1p-300;
  const double head = as_double(as_ulong(scaled) & ~0x7fffffful), tail = scaled - head;
  double s = 0.0, s_lo = 0.0, quarters = 0.0, whole;
#pragma clang loop unroll(disable)
  for (int i = 0; i < 50; ++i) {
    weft_add_quarters(head * weft_two_over_pi[i], &s, &s_lo);
    weft_add_quarters(tail * weft_two_over_pi[i], &s, &s_lo);
    // The fraction stays within 1/2, so that what is left of it after cancellation is precise.
    whole = RINT(s);
    quarters += whole;
    s -= whole;
    const double t = s + s_lo, v = t - s;
    s_lo = (s - (t - v)) + (s_lo - v);
    s = t;
  }
  whole = RINT(s);
  *hi = s - whole;
  *lo = s_lo;
  return as_ulong(quarters + whole + 0x1.8p52);
}

/// The same for floats: 8 pieces, exact products.
WEFT_CORE ulong weft_reduce_large_float(double x, double* hi, double* lo) {
  const double scaled = x * 0x1p-300;
  double s = 0.0, s_lo = 0.0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < 8; ++i) weft_add_quarters(scaled * weft_two_over_pi[i], &s, &s_lo);
  const double whole = RINT(s);
  *hi = s - whole;
  *lo = s_lo;
  return as_ulong(whole + 0x1.8p52);
}
#endif

/// weft_trig_reduce_extended beyond TRIG_MEDIUM.
WEFT_CORE U weft_trig_reduce_beyond(T x, T* r, T* r_lo) {
  double hi, lo;
  const double finite = x < INF ? x : C(0.0);
#if WEFT_DOUBLE
  const ulong quarter = weft_reduce_large(finite, &hi, &lo);
  const double a = hi * 0x1.921fb54442d18p+0;
  const double b =
      FMA(hi, 0x1.921fb54442d18p+0, -a) + FMA(hi, 0x1.1a62633145c07p-54, lo * 0x1.921fb54442d18p+0);
#else
  // Up to 2^40 two terms of pi/2 serve: the first difference is exact, and no such float is nearer to a multiple than 2^-29.
  const double t = FMA(finite, 0x1.45f306dc9c883p-1, 0x1.8p52), k = t - 0x1.8p52;
  double a = FMA(k, -0x1.1a62633145c07p-54, FMA(k, -0x1.921fb54442d18p+0, finite)), b = 0.0;
  ulong quarter = as_ulong(t);
  if (finite > 0x1p40) {
    quarter = weft_reduce_large_float(finite, &hi, &lo);
    a = hi * 0x1.921fb54442d18p+0;
    b = FMA(hi, 0x1.921fb54442d18p+0, -a) + FMA(hi, 0x1.1a62633145c07p-54, lo * 0x1.921fb54442d18p+0);
  }
#endif
  *r = x < INF ? (T)(a + b) : QNAN;
  *r_lo = (T)((a - *r) + b);
  return (U)quarter;
}

/// x = q pi/2 + *r, |*r| <= pi/4 or little more, for x >= 0; returns q modulo 4 in the low bits. NaN for
/// infinity. *r_lo is to be added to *r, which by itself is rounded.
WEFT_CORE U weft_trig_reduce_extended(T x, T* r, T* r_lo) {
  const T t = FMA(x, C(2.0) * INV_PI_HI, MAGIC), k = t - MAGIC;
  const T head = FMA(k, C(-0.5) * PI_HI, x);  // exact: a multiple of the last place of pi or x, and less than 1
  const T p = k * (C(0.5) * PI_LO), p_lo = FMA(k, C(0.5) * PI_LO, -p);
  // Where p is the greater, half a last place of y stays out.
  T y = head - p, lo = FMA(k, C(-0.5) * PI_REST, ((head - y) - p) - p_lo);
  U q = AS_U(t);
  if (!(x <= TRIG_MEDIUM)) q = weft_trig_reduce_beyond(x, &y, &lo);
  *r = y;
  *r_lo = lo;
  return q;
}

WEFT_CORE T weft_sin_quarter(T r) {
  const T z = r * r;
  return MAD(r * z, weft_poly_sin(z), r);
}
WEFT_CORE T weft_cos_quarter(T r) {
  const T z = r * r;
  return MAD(z, MAD(z, weft_poly_cos(z), C(-0.5)), C(1.0));
}
/// sin(q pi/2 + r), with its sign turned if the sign bit of `turn` is set.
WEFT_CORE T weft_sin_of(U q, T r, U turn) {
  const T c = weft_cos_quarter(r), s = weft_sin_quarter(r), y = q & 1 ? c : s;
  return AS_T(AS_U(y) ^ ((q << (sizeof(T) * 8 - 2) ^ turn) & SIGN_BIT));
}
