// Written by tools/minimax.py: do not edit.
#pragma once

#include "math.h"

// exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 2, relative to expm1(r); error 2^-26.0.
WEFT_CORE float weft_poly_exp(float x) {
  return POLY5(x, 0x1p-1f, 0x1.5554aap-3f, 0x1.555536p-5f, 0x1.122c3cp-7f, 0x1.6d02a2p-10f);
}

// 2^r = 1 + r P(r), |r| <= 1/2, relative to 2^r - 1; error 2^-28.0.
WEFT_CORE float weft_poly_exp2(float x) {
  return POLY6(x, 0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6af78p-5f, 0x1.3b2a58p-7f, 0x1.5f0c7ep-10f,
               0x1.4417b6p-13f);
}

// sin(r) = r + r^3 P(r^2), |r| <= pi/4; error 2^-32.5.
WEFT_CORE float weft_poly_sin(float x) {
  return POLY4(x, -0x1.555556p-3f, 0x1.111172p-7f, -0x1.a05636p-13f, 0x1.7b20a4p-19f);
}

// cos(r) = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4; error 2^-32.9.
WEFT_CORE float weft_poly_cos(float x) { return POLY3(x, 0x1.55554ap-5f, -0x1.6c0c08p-10f, 0x1.99d83ap-16f); }

// sinh(r) = r + r^3 P(r^2), |r| <= log(2) / 2; error 2^-34.3.
WEFT_CORE float weft_poly_sinh(float x) { return POLY3(x, 0x1.555556p-3f, 0x1.110fc2p-7f, 0x1.a2d71ep-13f); }

// cosh(r) = 1 + r^2 P(r^2), |r| <= log(2) / 2; error 2^-33.1.
WEFT_CORE float weft_poly_cosh(float x) { return POLY3(x, 0x1p-1f, 0x1.5554e2p-5f, 0x1.6d54bap-10f); }

// asin(r) = r + r^3 P(r^2), |r| <= 1/2; error 2^-27.6.
WEFT_CORE float weft_poly_asin(float x) {
  return POLY5(x, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bbep-5f, 0x1.8c3ddcp-6f, 0x1.595cecp-5f);
}

// sin(pi f) = pi f + f^3 P(f^2), |f| <= 1/2; error 2^-27.2.
WEFT_CORE float weft_poly_sin_pi(float x) { return POLY4(x, -0x1.4abbc6p2f, 0x1.46693ap1f, -0x1.32587cp-1f, 0x1.3e5652p-4f); }

// exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 2, relative to expm1(r); error 2^-59.8.
WEFT_CORE double weft_poly_exp(double x) {
  return POLY11(x, 0x1p-1, 0x1.5555555555559p-3, 0x1.5555555555563p-5, 0x1.111111110f685p-7,
                0x1.6c16c16c0c526p-10, 0x1.a01a01b012e93p-13, 0x1.a01a01d88fe1ep-16, 0x1.71ddf78b2e107p-19,
                0x1.27e47cd78a8dep-22, 0x1.af60a0bc53131p-26, 0x1.1ff259b9bc4acp-29);
}

// 2^r = 1 + r P(r), |r| <= 1/2, relative to 2^r - 1; error 2^-56.7.
WEFT_CORE double weft_poly_exp2(double x) {
  return POLY12(x, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d704a1d5p-5, 0x1.3b2ab6fba4d3cp-7,
                0x1.5d87fe787359dp-10, 0x1.430912f877702p-13, 0x1.ffcbfd50316edp-17, 0x1.62c0253995e08p-20,
                0x1.b52320e87142fp-24, 0x1.e4b420b179b22p-28, 0x1.ec8cd4a2192dfp-32, 0x1.012d77d0f046ap-35);
}

// sin(r) = r + r^3 P(r^2), |r| <= pi/4; error 2^-63.2.
WEFT_CORE double weft_poly_sin(double x) {
  return POLY7(x, -0x1.5555555555555p-3, 0x1.111111111106cp-7, -0x1.a01a019fff61ap-13, 0x1.71de3a35a71bep-19,
               -0x1.ae642fac864adp-26, 0x1.610c4cb0674efp-33, -0x1.a172054a89f64p-41);
}

// cos(r) = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4; error 2^-69.0.
WEFT_CORE double weft_poly_cos(double x) {
  return POLY7(x, 0x1.5555555555555p-5, -0x1.6c16c16c16b32p-10, 0x1.a01a019ffd5a7p-16, -0x1.27e4fb5b39487p-22,
               0x1.1eed71346de0ap-29, -0x1.9376c41cb211p-37, 0x1.9eff9dc989b41p-45);
}

// sinh(r) = r + r^3 P(r^2), |r| <= log(2) / 2; error 2^-65.1.
WEFT_CORE double weft_poly_sinh(double x) {
  return POLY6(x, 0x1.5555555555555p-3, 0x1.111111111137bp-7, 0x1.a01a019eaea9cp-13, 0x1.71de402a49ea8p-19,
               0x1.ae4e8a71d469fp-26, 0x1.7fb4b9908ae89p-33);
}

// cosh(r) = 1 + r^2 P(r^2), |r| <= log(2) / 2; error 2^-69.7.
WEFT_CORE double weft_poly_cosh(double x) {
  return POLY6(x, 0x1p-1, 0x1.5555555555558p-5, 0x1.6c16c16c14f8ap-10, 0x1.a01a01adc28a4p-16,
               0x1.27e4cb457a059p-22, 0x1.1f8d6689e4b48p-29);
}

// asin(r) = r + r^3 P(r^2), |r| <= 1/2; error 2^-55.9.
WEFT_CORE double weft_poly_asin(double x) {
  return POLY12(x, 0x1.5555555555392p-3, 0x1.333333336e4e5p-4, 0x1.6db6db42974c3p-5, 0x1.f1c72c3067f82p-6,
                0x1.6e89f500baa65p-6, 0x1.1c6bd6e5ac62ep-6, 0x1.c6fe8c5247adp-7, 0x1.8ebe023c366fbp-7,
                0x1.abf8b4bad8172p-8, 0x1.3fd9768ff1e0bp-6, -0x1.09aa13569e196p-6, 0x1.055fdd17fe1b4p-5);
}

// sin(pi f) = pi f + f^3 P(f^2), |f| <= 1/2; error 2^-60.6.
WEFT_CORE double weft_poly_sin_pi(double x) {
  return POLY8(x, -0x1.4abbce625be52p2, 0x1.466bc6775aa36p1, -0x1.32d2cce62530ap-1, 0x1.50783483ec7a2p-4, -0x1.e3074d307cb17p-8,
               0x1.e8f328bfc3942p-12, -0x1.6f70d0a9a2e65p-16, 0x1.9bfcd897764fep-21);
}

// exp(r) = 1 + r + r^2 P(r), |r| <= log(2) / 32, absolute; error 2^-56.2.
WEFT_CORE double weft_poly_exp_near(double x) {
  return POLY5(x, 0x1.0000000000005p-1, 0x1.555555548ebd7p-3, 0x1.5555555462848p-5, 0x1.11123b474b5bep-7, 0x1.6c185ac84bc83p-10);
}

// 2^r = 1 + r P(r), |r| <= 1/32, absolute; error 2^-56.6.
WEFT_CORE double weft_poly_exp2_near(double x) {
  return POLY6(x, 0x1.62e42fefa39fdp-1, 0x1.ebfbdff82c58fp-3, 0x1.c6b08d6e8e72dp-5, 0x1.3b2ab6fb7df09p-7, 0x1.5d89bb72f20fbp-10,
               0x1.4309e9f159273p-13);
}

// 10^r = 1 + r P(r), |r| <= log10(2) / 32, absolute; error 2^-56.9.
WEFT_CORE double weft_poly_exp10_near(double x) {
  return POLY6(x, 0x1.26bb1bbb55521p1, 0x1.53524c73cea69p1, 0x1.0470591ce3dc4p1, 0x1.2bd7609f9cb46p0, 0x1.142b6119abebfp-1,
               0x1.a7eea9f1ca6a1p-3);
}

// float: log(1 + r) = r + r^2 P(r), |r| <= 1/32; double: log(1 + r) = r - r^2/2 + r^3 P(r), |r| <= 1/16; error 2^-31.3.
WEFT_CORE float weft_poly_log_near(float x) { return POLY4(x, -0x1.fffffcp-2f, 0x1.555554p-2f, -0x1.003a72p-2f, 0x1.99dd0ep-3f); }

// float: log(1 + r) = r + r^2 P(r), |r| <= 1/32; double: log(1 + r) = r - r^2/2 + r^3 P(r), |r| <= 1/16; error 2^-63.7.
WEFT_CORE double weft_poly_log_near(double x) {
  return POLY11(x, 0x1.5555555555555p-2, -0x1.0000000000028p-2, 0x1.999999999a09dp-3, -0x1.5555555510ab7p-3, 0x1.24924923c30ebp-3,
                -0x1.00000124482f7p-3, 0x1.c71c6c52f44d5p-4, -0x1.99955cb434dbp-4, 0x1.746b501051652p-4, -0x1.58ee914d95977p-4,
                0x1.34207c8a9e125p-4);
}

// 2^r = 1 + r P(r), 0 <= r < 1; error 2^-28.8.
WEFT_CORE float weft_poly_exp2_of_rest(float x) {
  return POLY6(x, 0x1.62e42cp-1f, 0x1.ebfd3ap-3f, 0x1.c68af6p-5f, 0x1.3cfd82p-7f, 0x1.473738p-10f,
               0x1.c4458p-13f);
}

// 2^r = 1 + r P(r), 0 <= r < 1; error 2^-23.5.
WEFT_CORE float weft_poly_relaxed_exp2(float x) {
  return POLY5(x, 0x1.62e4bap-1f, 0x1.ebdb68p-3f, 0x1.c91c38p-5f, 0x1.277b22p-7f, 0x1.e96cfp-10f);
}

// log2(1 + f) = f P(f), -1/4 <= f <= 1/2; error 2^-23.5.
WEFT_CORE float weft_poly_relaxed_log2(float x) {
  return POLY9(x, 0x1.715476p0f, -0x1.71549p-1f, 0x1.ec71a6p-2f, -0x1.713bb4p-2f, 0x1.2713a6p-2f,
               -0x1.f13d12p-3f, 0x1.bc5ef8p-3f, -0x1.650a6ap-3f, 0x1.3a59c6p-4f);
}

// sin(r) = r + r^3 P(r^2), |r| <= pi/2, absolute; error 2^-27.6.
WEFT_CORE float weft_poly_relaxed_sin(float x) {
  return POLY4(x, -0x1.555548p-3f, 0x1.110e56p-7f, -0x1.9f5c24p-13f, 0x1.5cc1ecp-19f);
}

// atan(r) = r + r^3 P(r^2), |r| <= 1; error 2^-20.4.
WEFT_CORE float weft_poly_relaxed_atan(float x) {
  return POLY6(x, -0x1.5548a6p-2f, 0x1.97825p-3f, -0x1.156536p-3f, 0x1.5b849ep-4f, -0x1.35a584p-5f,
               0x1.09a664p-7f);
}

// asin(r) = r + r^3 P(r^2), |r| <= 1/2; error 2^-23.4.
WEFT_CORE float weft_poly_relaxed_asin(float x) {
  return POLY4(x, 0x1.554fa2p-3f, 0x1.34dc68p-4f, 0x1.47f406p-5f, 0x1.993f8ep-5f);
}

// float: log(1 + f) = f - f^2/2 + f^3 P(f), |f| <= 1/3; double: log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2),
// |s| <= 3 - sqrt(8); error 2^-28.7.
WEFT_CORE float weft_poly_log(float x) {
  return POLY9(x, 0x1.555558p-2f, -0x1.ffff16p-3f, 0x1.999668p-3f, -0x1.559b24p-3f, 0x1.25069p-3f,
               -0x1.f31f1ap-4f, 0x1.b8b516p-4f, -0x1.083b8cp-3f, 0x1.e3dab4p-4f);
}

// float: log(1 + f) = f - f^2/2 + f^3 P(f), |f| <= 1/3; double: log((1 + s) / (1 - s)) = 2 s + s^3 P(s^2),
// |s| <= 3 - sqrt(8); error 2^-65.6.
WEFT_CORE double weft_poly_log(double x) {
  return POLY8(x, 0x1.5555555555555p-1, 0x1.9999999999d11p-2, 0x1.24924924397c8p-2, 0x1.c71c724b6e029p-3,
               0x1.745ce1c59d219p-3, 0x1.3b20252d64c44p-3, 0x1.0f6732795319dp-3, 0x1.0f0e8778d3ec3p-3);
}

// log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + s^5 P(s^2), |s| <= 1/5; error 2^-33.5.
WEFT_CORE float weft_poly_log_rest(float x) {
  return POLY3(x, 0x1.999aap-2f, 0x1.241a42p-2f, 0x1.e8e778p-3f);
}

// log((1 + s) / (1 - s)) = 2 s + 2/3 s^3 + s^5 P(s^2), |s| <= 1/5; error 2^-65.3.
WEFT_CORE double weft_poly_log_rest(double x) {
  return POLY7(x, 0x1.9999999999b31p-2, 0x1.2492492457b74p-2, 0x1.c71c722d93293p-3, 0x1.745ce9d33cb3ep-3,
               0x1.3b1eef1722568p-3, 0x1.0f7f9f565887cp-3, 0x1.0e457ac18bcap-3);
}

// tan(r) = r + r^3 P(r^2), |r| <= pi/4; error 2^-29.4.
WEFT_CORE float weft_poly_tan(float x) {
  return POLY7(x, 0x1.55556p-2f, 0x1.110d98p-3f, 0x1.badb6ep-5f, 0x1.5cab48p-6f, 0x1.634bbp-7f,
               0x1.4203bep-14f, 0x1.1f51c2p-8f);
}

// tan(r) = r + r^3 P(r^2), |r| <= pi/4; error 2^-59.9.
WEFT_CORE double weft_poly_tan(double x) {
  return POLY15(x, 0x1.555555555555ep-2, 0x1.11111111105d2p-3, 0x1.ba1ba1babf3c8p-5, 0x1.664f485d2134fp-6,
                0x1.226e3a822bb13p-7, 0x1.d6d2e7863593ep-9, 0x1.7db1919a053c2p-10, 0x1.34bbfcd128f31p-11,
                0x1.ff306118836b6p-13, 0x1.5e6e974b04097p-14, 0x1.1a09d00cabc81p-14, -0x1.ae9a0f66d6a06p-16,
                0x1.983f80d5282a7p-15, -0x1.978a9a6675609p-16, 0x1.48f258f3a3446p-17);
}

// atan(r) = r + r^3 P(r^2), float: |r| <= 1, double: |r| <= tan(pi/8); error 2^-28.5.
WEFT_CORE float weft_poly_atan(float x) {
  return POLY9(x, -0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.2420a8p-3f, 0x1.c08f5ap-4f, -0x1.5816dp-4f,
               0x1.da6888p-5f, -0x1.fe1792p-6f, 0x1.64e6acp-7f, -0x1.d4e55ap-10f);
}

// atan(r) = r + r^3 P(r^2), float: |r| <= 1, double: |r| <= tan(pi/8); error 2^-59.4.
WEFT_CORE double weft_poly_atan(double x) {
  return POLY11(x, -0x1.555555555553dp-2, 0x1.9999999995856p-3, -0x1.24924922ac917p-3, 0x1.c71c70e5aa346p-4,
                -0x1.745cf8cf6ac96p-4, 0x1.3b11181fd773dp-4, -0x1.10ebac59bea41p-4, 0x1.df0e954ea17ap-5,
                -0x1.9ccf69b8fed38p-5, 0x1.37ccebf3e11eep-5, -0x1.2556b5bbe276bp-6);
}

// erf(x) = x + x P(x^2), |x| <= 1; error 2^-29.2.
WEFT_CORE float weft_poly_erf(float x) {
  return POLY7(x, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f, 0x1.53f22cp-8f,
               -0x1.a351cp-11f, 0x1.47736ep-14f);
}

// erf(x) = x + x P(x^2), |x| <= 1; error 2^-56.2.
WEFT_CORE double weft_poly_erf(double x) {
  return POLY13(x, 0x1.06eba8214db69p-3, -0x1.812746b037a25p-2, 0x1.ce2f21a0458d8p-4, -0x1.b82ce31354cbcp-6,
                0x1.565bcd2c619e6p-8, -0x1.c02db932a279bp-11, 0x1.f9a3b93db8935p-14, -0x1.f4dcef1e34d8cp-17,
                0x1.ba68effdb2bb2p-20, -0x1.638f4c525c4b8p-23, 0x1.1317597dd566cp-26, -0x1.c47825c263a9p-30,
                0x1.3b3cb283e5ff9p-33);
}

// erf(x) = 1 - exp(x P(x)), 0.9 <= x <= 4, absolute; error 2^-30.2.
WEFT_CORE float weft_poly_erf_tail(float x) {
  return POLY7(x, -0x1.20ee9ep0f, -0x1.45367cp-1f, -0x1.b2f21cp-4f, 0x1.84a2cp-6f, -0x1.dae09cp-9f,
               0x1.4d8832p-12f, -0x1.6932a2p-17f);
}

// exp(x^2) erfc(x) = u P(1 - 2 u), u = 4 / (x + 4), x >= 0; error 2^-27.0.
WEFT_CORE float weft_poly_erfcx(float x) {
  return POLY11(x, 0x1.18932cp-2f, -0x1.f3fe32p-3f, 0x1.8be1f8p-3f, -0x1.14eacp-3f, 0x1.52cc26p-4f,
                -0x1.6462d2p-5f, 0x1.38b706p-6f, -0x1.af8942p-8f, 0x1.9981aap-10f, -0x1.3f9434p-14f,
                -0x1.78a77ap-13f);
}

// exp(x^2) erfc(x) = u P(1 - 2 u), u = 4 / (x + 4), x >= 0; error 2^-53.2.
WEFT_CORE double weft_poly_erfcx(double x) {
  return POLY23(x, 0x1.18932bf08e154p-2, -0x1.f3fe31ecb49bfp-3, 0x1.8be202d26c7a6p-3, -0x1.14eacb1ad038ep-3,
                0x1.52cac2370c18cp-4, -0x1.645fd8a4b967cp-5, 0x1.38dbd2ca1e98cp-6, -0x1.b00c052cc7641p-8,
                0x1.908f465b331fdp-10, -0x1.269b5388e4277p-14, -0x1.dd27fb0626d5dp-14, 0x1.72cdd90c21ad1p-15,
                -0x1.e86fbc7255856p-21, -0x1.3c77f30a2205bp-18, 0x1.3ba170c9dac97p-20, 0x1.8011162e5cc04p-22,
                -0x1.cc912722181d1p-23, -0x1.7540ed947aa3p-26, 0x1.1b658b80b323ep-25, 0x1.837f01da4b678p-29,
                -0x1.1d7526534423ep-28, -0x1.04cf6b4d5c4bp-30, 0x1.989ce18e675fp-36);
}

// (1 + d)^(-1/3), |d| <= 0.104: corrects an inverse cube root good to 3.5%; error 2^-18.8.
WEFT_CORE float weft_poly_cbrt(float x) {
  return POLY4(x, 0x1.ffffb8p-1f, -0x1.555368p-2f, 0x1.ca5726p-3f, -0x1.6622d6p-3f);
}

// (1 + d)^(-1/3), |d| <= 0.104: corrects an inverse cube root good to 3.5%; error 2^-30.6.
WEFT_CORE double weft_poly_cbrt(double x) {
  return POLY7(x, 0x1.ffffffffd3dc1p-1, -0x1.5555564549d5ap-2, 0x1.c71c77f243933p-3, -0x1.61f2f5529378fp-3,
               0x1.26f1cfa19845ep-3, -0x1.041214beb3381p-3, 0x1.cf8088d989276p-4);
}

// log(gamma(x)) = (x - 1/2) log(x) - x + log(2 pi) / 2 + P(1 / x^2) / x, x >= 8; error 2^-64.5.
WEFT_CORE double weft_poly_stirling(double x) {
  return POLY8(x, 0x1.5555555555555p-4, -0x1.6c16c16c10775p-9, 0x1.a01a015b5d4f3p-11, -0x1.38132e2d37b93p-11,
               0x1.b91e164aa36f9p-11, -0x1.ede8cf81cbce8p-10, 0x1.407813347b4efp-8, 0x1.b53fac1c9f7b1p-10);
}

// log(gamma(2 + t)) = t P(t), |t| <= 1/2; error 2^-56.1.
WEFT_CORE double weft_poly_lgamma2(double x) {
  return POLY19(x, 0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557527p-4, 0x1.51322ac7d8456p-6,
                -0x1.e404fc21e9bccp-8, 0x1.7add6eadc8e5cp-9, -0x1.38ac5bf3afe8bp-10, 0x1.0b36af7543d88p-11,
                -0x1.d3fd6f8ce1659p-13, 0x1.a127bf0afdf4ep-14, -0x1.78d83a934ed35p-15, 0x1.580abad4dfac1p-16,
                -0x1.3d5cf5cd03b9dp-17, 0x1.25f83c663bd78p-18, -0x1.083bb727e073ap-19, 0x1.f37d2acf6b63fp-21,
                -0x1.3c7f09fb6d41bp-21, 0x1.20367bcc727b5p-22, 0x1.3011bfb2b8bb4p-28);
}
