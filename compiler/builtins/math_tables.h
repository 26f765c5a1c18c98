// Written by tools/minimax.py tables: do not edit.
#pragma once

#include "math.h"

// 2^(i/16), for i modulo 16.
WEFT_CORE double weft_table_exp2(ulong i) {
  return __weft_float_table16_f64(i, 0x1p0, 0x1.0b5586cf9890fp0, 0x1.172b83c7d517bp0, 0x1.2387a6e756238p0, 0x1.306fe0a31b715p0,
                                  0x1.3dea64c123422p0, 0x1.4bfdad5362a27p0, 0x1.5ab07dd485429p0, 0x1.6a09e667f3bcdp0, 0x1.7a11473eb0187p0,
                                  0x1.8ace5422aa0dbp0, 0x1.9c49182a3f09p0, 0x1.ae89f995ad3adp0, 0x1.c199bdd85529cp0, 0x1.d5818dcfba487p0,
                                  0x1.ea4afa2a490dap0);
}

// what weft_table_exp2 leaves out of 2^(i/16), as a part of that, for i modulo 16.
WEFT_CORE double weft_table_exp2_rest(ulong i) {
  return __weft_float_table16_f64(i, 0x0p0, 0x1.79aa65d837b6dp-54, -0x1.01b15eaa59348p-55, 0x1.68efde3a8a894p-54, 0x1.34d754db0abb6p-55,
                                  0x1.59f48a72a4c6dp-55, 0x1.690cebb7aafbp-56, 0x1.063e1e21c5409p-54, -0x1.3b3efbf5e2228p-54,
                                  -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56, 0x1.c1a7792cb3387p-55,
                                  0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391fp-55);
}

// 1 / c for m in [1 + i/32, 1 + (i + 1)/32), of 6 bits: m / c - 1 is exact, for i modulo 32.
WEFT_CORE float weft_table_log_inverse(uint i) {
  return __weft_float_table32_f32(i, 0x1p0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f, 0x1.cp-1f, 0x1.b8p-1f, 0x1.a8p-1f, 0x1.ap-1f, 0x1.98p-1f,
                                  0x1.88p-1f, 0x1.8p-1f, 0x1.78p-1f, 0x1.7p-1f, 0x1.68p-1f, 0x1.6p-1f, 0x1.58p-1f, 0x1.5p-1f, 0x1.48p-1f,
                                  0x1.48p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.3p-1f, 0x1.3p-1f, 0x1.28p-1f, 0x1.2p-1f, 0x1.2p-1f, 0x1.18p-1f,
                                  0x1.1p-1f, 0x1.1p-1f, 0x1.08p-1f, 0x1.08p-1f, 0x1p-1f);
}

// log(c) but for weft_table_log_low, a multiple of 2^-16, for i modulo 32.
WEFT_CORE float weft_table_log_high(uint i) {
  return __weft_float_table32_f32(i, 0x0p0f, 0x1.894p-5f, 0x1.4d3p-4f, 0x1.933p-4f, 0x1.1178p-3f, 0x1.366p-3f, 0x1.824p-3f, 0x1.a94p-3f,
                                  0x1.d1p-3f, 0x1.1178p-2f, 0x1.2698p-2f, 0x1.3c24p-2f, 0x1.522cp-2f, 0x1.68acp-2f, 0x1.7fbp-2f,
                                  0x1.973cp-2f, 0x1.af54p-2f, 0x1.c8p-2f, 0x1.c8p-2f, 0x1.e148p-2f, 0x1.fb34p-2f, 0x1.0ae8p-1f,
                                  0x1.0ae8p-1f, 0x1.188ep-1f, 0x1.2696p-1f, 0x1.2696p-1f, 0x1.3502p-1f, 0x1.43dap-1f, 0x1.43dap-1f,
                                  0x1.5322p-1f, 0x1.5322p-1f, 0x1.62ep-1f);
}

// what weft_table_log_high leaves out of log(c), for i modulo 32.
WEFT_CORE float weft_table_log_low(uint i) {
  return __weft_float_table32_f32(i, 0x0p0f, 0x1.54294p-18f, 0x1.15d208p-20f, 0x1.797566p-18f, 0x1.d044fcp-20f, -0x1.a7f538p-22f,
                                  -0x1.f4d572p-18f, -0x1.2c3752p-19f, 0x1.bf932ap-18f, 0x1.d044fcp-19f, -0x1.deecb2p-18f, 0x1.277334p-18f,
                                  -0x1.1f8c76p-18f, 0x1.07d38ep-19f, -0x1.7109fap-20f, -0x1.cbcecap-18f, -0x1.6adb74p-18f, -0x1.8e2eaap-20f,
                                  -0x1.8e2eaap-20f, 0x1.4344e4p-19f, 0x1.8af7a4p-18f, -0x1.23a5f6p-18f, -0x1.23a5f6p-18f, 0x1.c81e48p-18f,
                                  0x1.089a6ep-20f, 0x1.089a6ep-20f, 0x1.15b3b2p-18f, -0x1.a0db88p-26f, -0x1.a0db88p-26f, 0x1.c4d0dp-18f,
                                  0x1.c4d0dp-18f, 0x1.0bfbe8p-15f);
}

// 1 / c for m in [1 + i/16, 1 + (i + 1)/16), of 5 bits: m / c - 1 is exact, for i modulo 16.
WEFT_CORE double weft_table_log_inverse(ulong i) {
  return __weft_float_table16_f64(i, 0x1p0, 0x1.dp-1, 0x1.cp-1, 0x1.ap-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1, 0x1.6p-1, 0x1.5p-1, 0x1.4p-1,
                                  0x1.3p-1, 0x1.3p-1, 0x1.2p-1, 0x1.1p-1, 0x1.1p-1, 0x1p-1);
}

// log(c) but for weft_table_log_low, a multiple of 2^-42, for i modulo 16.
WEFT_CORE double weft_table_log_high(ulong i) {
  return __weft_float_table16_f64(i, 0x0p0, 0x1.9335e5d594p-4, 0x1.1178e8227ep-3, 0x1.a93ed3c8aep-3, 0x1.f991c6cb3cp-3, 0x1.269621134ep-2,
                                  0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.af5295248dp-2, 0x1.e148a1a272p-2, 0x1.0ae76e2d058p-1,
                                  0x1.0ae76e2d058p-1, 0x1.269621134d8p-1, 0x1.43d9ff2f92p-1, 0x1.43d9ff2f92p-1, 0x1.62e42fefa2p-1);
}

// what weft_table_log_high leaves out of log(c), for i modulo 16.
WEFT_CORE double weft_table_log_low(ulong i) {
  return __weft_float_table16_f64(i, 0x0p0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45, -0x1.90d04cd7cc834p-44,
                                  -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45,
                                  0x1.b36537e3375b2p-44, -0x1.82de51de06076p-44, -0x1.82de51de06076p-44, 0x1.c93c1df5bb3b6p-44,
                                  0x1.e267b0b7efae1p-44, 0x1.e267b0b7efae1p-44, 0x1.9ef35793c7673p-41);
}

// erf(25/64 i + r), for i modulo 16, |r| <= 0.1953125; error 2^-52.1 and the coefficients' rounding.
WEFT_CORE double weft_pieces_erf(ulong i, double r) {
  const double q = r * r;
  return MAD(
      r,
      PAIRS12(r, q,
              __weft_float_table16_f64(i, 0x1.20dd750429b6cp0, 0x1.eff8c4b1375dfp-1, 0x1.39ccc1b136d6p-1, 0x1.24a55399ea23p-2,
                                       0x1.92470a61b6961p-4, 0x1.978ae8b55ce4fp-6, 0x1.30499b5039566p-8, 0x1.4ee1429bf7bb9p-11,
                                       0x1.0f9e1b4dd3802p-14, 0x1.44ba864671568p-18, 0x1.1e1e857adc35fp-22, 0x1.7397c5a6582d3p-27,
                                       0x1.63ac6b4e5752fp-32, 0x1.f5cc7714fa116p-38, 0x1.04e15ec730a1bp-43, 0x1.8fd4e0010fc7ep-50),
              __weft_float_table16_f64(i, 0x0p0, -0x1.837a59aa7340dp-2, -0x1.ea4feea4e5ae1p-2, -0x1.56f1bdf85e61cp-2, -0x1.3a47801c56a53p-3,
                                       -0x1.8dfda7411cb4bp-5, -0x1.649642020333dp-7, -0x1.c9d7f9113cc66p-10, -0x1.a8670aa99a57bp-13,
                                       -0x1.1d67f003e8f8p-16, -0x1.1769ce59fb5aep-20, -0x1.8f2c0951c739ap-25, -0x1.a0ce0dc05dc69p-30,
                                       -0x1.3e864998919b6p-35, -0x1.64ac1f9ad3538p-41, -0x1.24d86a2015d03p-47),
              __weft_float_table16_f64(i, -0x1.812746b035bd7p-2, -0x1.cb7bf78e30647p-3, 0x1.715e595332b35p-5, 0x1.54c0d66d7acfp-3,
                                       0x1.0453f90d3c3a2p-3, 0x1.c24b2053de899p-5, 0x1.fa73d7eb1daf5p-7, 0x1.856614216d312p-9,
                                       0x1.a3737e2a2225ap-12, 0x1.40ee07ac066f7p-15, 0x1.5fe5d4756c3c3p-19, 0x1.161fb53d09af4p-23,
                                       0x1.3e380def2b24ap-28, 0x1.085b86a79e12ap-33, 0x1.3fa8311dc3766p-39, 0x1.19d1221420c31p-45),
              __weft_float_table16_f64(i, 0x0p0, 0x1.5c0fc7760f861p-3, 0x1.22cdbdb4ce765p-3, 0x1.cf82bac1b508p-7, -0x1.8a7c6a2395579p-5,
                                       -0x1.33137b26e191cp-5, -0x1.daa3005c2b98bp-7, -0x1.c812e602c7646p-9, -0x1.24544f02d5916p-11,
                                       -0x1.02488b68be0d3p-14, -0x1.405da04854d97p-18, -0x1.1a2239f401b35p-22, -0x1.638bc4ff8a42ep-27,
                                       -0x1.42569944af0cbp-32, -0x1.a62b70cf143eap-38, -0x1.909da76faccc3p-44),
              __weft_float_table16_f64(i, 0x1.ce2f2197b2709p-4, 0x1.4dd7b2d620836p-5, -0x1.da50ae47139dbp-5, -0x1.cf38b9a47abc3p-5,
                                       -0x1.075c088571ccbp-7, 0x1.a342ba1dcb735p-7, 0x1.250942c13fbd1p-7, 0x1.7e02d8b295afcp-9,
                                       0x1.2e7e764287d3dp-11, 0x1.3b124fcfae72dp-14, 0x1.bfc96a8dfb13ap-18, 0x1.bb32dd3622193p-22,
                                       0x1.357535f6e591fp-26, 0x1.338c3b3c96b21p-31, 0x1.b5c5e77b5c2a2p-37, 0x1.c0556f3a20e63p-43),
              __weft_float_table16_f64(i, 0x0p0, -0x1.9ebc1de0cc762p-5, -0x1.75578f487b934p-6, 0x1.2c172705ce4f4p-6, 0x1.16f9c9c67869bp-6,
                                       0x1.b4bbc4f94fe2ep-10, -0x1.997578ceebfbfp-9, -0x1.c522939827651p-10, -0x1.da496e4e9210cp-12,
                                       -0x1.2c5950409bb71p-14, -0x1.f19ff5ff783e7p-18, -0x1.17c6eee0d1a15p-21, -0x1.b41f31f11d288p-26,
                                       -0x1.dd9c4aaa1391ap-31, -0x1.72de23cdfc922p-36, -0x1.9b1e88e4e481cp-42),
              __weft_float_table16_f64(i, -0x1.b82cd4c9d1d58p-6, -0x1.09978eb1ffd8ap-8, 0x1.353311e6eb5a5p-6, 0x1.e06ba396d076bp-8,
                                       -0x1.74c2f8efed87ep-8, -0x1.0493893ae5231p-8, -0x1.39033894edfabp-15, 0x1.58342128476d8p-11,
                                       0x1.176cf2a61c0ep-12, 0x1.c558560ed6e01p-15, 0x1.c0c4dd1206951p-18, 0x1.22b736eed14a3p-21,
                                       0x1.fe6b026f1072ap-26, 0x1.35e0b8efafd4dp-30, 0x1.07b31646e952bp-35, 0x1.3d7aeba9af603p-41),
              __weft_float_table16_f64(i, 0x0p0, 0x1.707486de603a6p-7, 0x1.39c8263491f7dp-10, -0x1.8df7e72b9cf29p-8, -0x1.760c6ffc5da9dp-10,
                                       0x1.9f5a26add57fap-10, 0x1.6a6d87f7791fp-11, -0x1.48c1ce8087a81p-14, -0x1.d2ac7336c1d77p-14,
                                       -0x1.0dba1f6514d77p-15, -0x1.4b9dedbdd5d88p-18, -0x1.f8ad97ee1fe48p-22, -0x1.f8afa71b6db5ep-26,
                                       -0x1.563828ea97fb3p-30, -0x1.40c7069bab7a5p-35, -0x1.a4fad135c5524p-41),
              __weft_float_table16_f64(i, 0x1.565105ba0b894p-8, -0x1.89e50611ac0a2p-13, -0x1.fc2a29d406006p-9, 0x1.4673bfe99cb8ep-13,
                                       0x1.a3cb3837a4994p-10, 0x1.66cb79bfd9c53p-14, -0x1.71ef45cb30089p-12, -0x1.4fbbee2c1ae34p-14,
                                       0x1.ab07f97e0b91dp-16, 0x1.ea5a026cceb95p-17, 0x1.91334ddbb6f01p-19, 0x1.70bece16d06ffp-22,
                                       0x1.aa2cf43be1e6dp-26, 0x1.4580c7161198dp-30, 0x1.51d07528b056ap-35, 0x1.e4c46fc94beafp-41),
              __weft_float_table16_f64(i, 0x0p0, -0x1.040f2e1de7c89p-9, 0x1.9bfb59dc344c8p-12, 0x1.116861e0150b7p-10,
                                       -0x1.02af6c36ed852p-12, -0x1.4a5fbe9783c28p-12, 0x1.64313807b3535p-15, 0x1.e411117f7b1dcp-15,
                                       0x1.040512efa9a34p-18, -0x1.31e6d9c632adbp-18, -0x1.871685b590e3bp-20, -0x1.c67717c234aa2p-23,
                                       -0x1.35fabe865529bp-26, -0x1.0df9a4c91436dp-30, -0x1.38d774febce33p-35, -0x1.ee18f59edf6fcp-41),
              __weft_float_table16_f64(i, -0x1.b8aafa67cc7a6p-11, 0x1.5d63e3da47699p-13, 0x1.2b25af4b1adefp-11, -0x1.f97a48d87c485p-13,
                                       -0x1.90eae6443bbefp-13, 0x1.90ffdfe1025b8p-14, 0x1.4ec3b4f2e8b73p-15, -0x1.ff1a90a7af998p-17,
                                       -0x1.ae8e6d8da27fap-18, 0x1.059552c45dbcep-21, 0x1.2518427403b29p-21, 0x1.dcc874fdb748cp-24,
                                       0x1.91170063cb9bfp-27, 0x1.99edab1841d29p-31, 0x1.0f606c3703df4p-35, 0x1.e1a427b1f965p-41),
              __weft_float_table16_f64(i, 0x0p0, 0x1.2ae73aba50b2dp-12, -0x1.146eb03ce42ep-13, -0x1.c915df7a3093bp-14,
                                       0x1.67d11e9074d7cp-14, 0x1.108730cda9bf6p-16, -0x1.6b43fb8252b16p-16, -0x1.d5a4b6754f942p-20,
                                       0x1.6b42030ad28adp-19, 0x1.a8ec6352b2d09p-22, -0x1.1c7e3ca9d112p-23, -0x1.8f461cfc73fc9p-25,
                                       -0x1.ad175e84cac4fp-28, -0x1.02bc04a2f4eb3p-31, -0x1.8578758f5a339p-36, -0x1.806374ed4216p-41)),
      __weft_float_table16_f64(i, 0x0p0, 0x1.ad68966569a87p-2, 0x1.762870f720c6fp-1, 0x1.ce1962c0e0d8bp-1, 0x1.f21c9f12f0677p-1,
                               0x1.fd0f5317f582fp-1, 0x1.ff87b1913e853p-1, 0x1.fff18ebe2b0e1p-1, 0x1.fffeb3ebb267bp-1, 0x1.ffffe9bf4098cp-1,
                               0x1.fffffee3cc32cp-1, 0x1.fffffff57632dp-1, 0x1.ffffffffb5be5p-1, 0x1.fffffffffe7cp-1, 0x1.fffffffffffa2p-1,
                               0x1.fffffffffffffp-1));
}

// exp(x^2) erfc(x) (x + 4) / 4, 4 / (x + 4) = i/16 + r, i > 0, for i modulo 16, |r| <= 0.03125; error 2^-52.9 and the coefficients'
// rounding.
WEFT_CORE double weft_pieces_erfcx(ulong i, double r) {
  const double q = r * r;
  return MAD(r,
             PAIRS8(r, q,
                    __weft_float_table16_f64(i, 0x1.c1baea08536f6p1, 0x1.4728bb7e9ca9cp-3, 0x1.7537bc65ac8dbp-3, 0x1.ad27bd37001a4p-3,
                                             0x1.f1cc3ba337fc5p-3, 0x1.237ae220faec9p-2, 0x1.58eb34f526ac3p-2, 0x1.9cc80108478b5p-2,
                                             0x1.f3fe31ecb49aap-2, 0x1.32b1220caf344p-1, 0x1.7d37febba8337p-1, 0x1.e02663394188cp-1,
                                             0x1.3246e839fbc0ap0, 0x1.8b6c0fc99c1f6p0, 0x1.01f5534e4b33bp1, 0x1.537faa3d8897bp1),
                    __weft_float_table16_f64(i, 0x1.fe4515f7ac91cp2, 0x1.4efaa7500d019p-3, 0x1.94c08ba9b09fcp-3, 0x1.edfae15c43bf4p-3,
                                             0x1.30aaf5bfa1c49p-2, 0x1.7c0eb24dc2b0ep-2, 0x1.dfaa8d4210c3ap-2, 0x1.3250885b9c783p-1,
                                             0x1.8be202d26c727p-1, 0x1.02bfff5f3fe91p0, 0x1.55cd6f8f2a6a9p0, 0x1.c7a2eaeefcb8fp0,
                                             0x1.31e68b45c0588p1, 0x1.9cd290889ff23p1, 0x1.1749b91a7c549p2, 0x1.79f0a6ac1f3d2p2),
                    __weft_float_table16_f64(i, 0x1.95e94a4705c28p3, 0x1.497a7664c691bp-3, 0x1.a301c51f0b3d4p-3, 0x1.0d4f7b580b922p-2,
                                             0x1.5e00c5a00470dp-2, 0x1.cbdea38a75532p-2, 0x1.31535b2ab009ep-1, 0x1.9971e8cea4cf3p-1,
                                             0x1.14eacb1ae17a7p0, 0x1.792f364cd796bp0, 0x1.021e2de159e15p1, 0x1.6218188fa4e77p1,
                                             0x1.e5917d485cf9ap1, 0x1.4be37d7736c02p2, 0x1.c3198ce5e6317p2, 0x1.3019c722b5dc3p3),
                    __weft_float_table16_f64(i, 0x1.cbd0aaf4429e6p3, 0x1.35dbff5915cbdp-3, 0x1.9bcd5385c7952p-3, 0x1.1467014f3c0d7p-2,
                                             0x1.7698e5ecca5c6p-2, 0x1.000971562017ap-1, 0x1.608ba025aa31ep-1, 0x1.e8084acd12674p-1,
                                             0x1.52cac236d7d32p0, 0x1.d671b460800adp0, 0x1.45ab5d11e94f1p1, 0x1.c0287abd7ccd2p1,
                                             0x1.318faff52c151p2, 0x1.9bc5b594d078cp2, 0x1.118f49808de85p3, 0x1.65bbe46d8a9e3p3),
                    __weft_float_table16_f64(i, 0x1.643a296757baap3, 0x1.14f5c9bd13dd7p-3, 0x1.7d7da15d09f69p-3, 0x1.08c3dd78872aep-2,
                                             0x1.71cbabbe7f9d5p-2, 0x1.03528e9f9b415p-1, 0x1.6c4416eacc04bp-1, 0x1.fedb388a7961ep-1,
                                             0x1.645fd7ac5fc26p0, 0x1.eccbcd4c64c2dp0, 0x1.506f0960f4ca6p1, 0x1.c404723e46991p1,
                                             0x1.29e45a8b8b71dp2, 0x1.803be9ad4d743p2, 0x1.e413b18498ecep2, 0x1.2970b3e5c3b87p3),
                    __weft_float_table16_f64(i, 0x1.3dcc1c61c2f93p2, 0x1.d2c4ac8875815p-4, 0x1.49e013e454857p-3, 0x1.d3d1c23bd206dp-3,
                                             0x1.4be7e54feb006p-2, 0x1.d5947e794438bp-2, 0x1.49da39065c8ap-1, 0x1.ca0dcfa87faf8p-1,
                                             0x1.38dbd5f15dae8p0, 0x1.a267a62c183cfp0, 0x1.10ace4553ae8fp1, 0x1.58fa978623d0cp1,
                                             0x1.a62329cee6c69p1, 0x1.f20443921dab1p1, 0x1.1a5c83b736e3bp2, 0x1.32b8b100fab6ep2),
                    __weft_float_table16_f64(i, 0x1.ca5e936c1f0afp-4, 0x1.6ef52093685a9p-4, 0x1.06ba459402febp-3, 0x1.76c5237897208p-3,
                                             0x1.090b551372854p-2, 0x1.71af43961fap-2, 0x1.f94dc123f6ddap-2, 0x1.501d6a5b2c99p-1,
                                             0x1.b0165c20fbb8ap-1, 0x1.0a5dcc0e6e09cp0, 0x1.386e6a842478bp0, 0x1.59522d14e490bp0,
                                             0x1.62fc2b7eac57dp0, 0x1.4c1fb72f0ca97p0, 0x1.0e53674212ecbp0, 0x1.4fbb5adf843e4p-1),
                    __weft_float_table16_f64(i, -0x1.35cf790f672c9p0, 0x1.07dffdfb1b7fp-4, 0x1.77f555f04b33dp-4, 0x1.07a98dfba7144p-3,
                                             0x1.69339ba353e97p-3, 0x1.deb176906f44p-3, 0x1.2f56d82accb23p-2, 0x1.6a6837cb1336ap-2,
                                             0x1.904c0a4bfde67p-2, 0x1.8c32198705e9cp-2, 0x1.4903de6586862p-2, 0x1.6f9f4219fc9c5p-3,
                                             -0x1.4d32ba23e2c84p-5, -0x1.4cc4747b4b2c3p-2, -0x1.4931da13dcbc5p-1, -0x1.e7eafa5dccdfcp-1)),
             __weft_float_table16_f64(i, 0x1p0, 0x1.341478511b20bp-3, 0x1.49ebde7878139p-3, 0x1.62efffe707cc7p-3, 0x1.7fd46c5e0864dp-3,
                                      0x1.a181644211727p-3, 0x1.c9269e94ebbb3p-3, 0x1.f85591cd5e7cep-3, 0x1.18932bf08e154p-2,
                                      0x1.3b35b725c71c9p-2, 0x1.65fd02f9f1fb5p-2, 0x1.9b87260dc6a86p-2, 0x1.df6a7891d7325p-2,
                                      0x1.1b4940111075dp-1, 0x1.53dda447a8c14p-1, 0x1.9e08e79c4ec78p-1));
}
