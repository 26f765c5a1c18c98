// OpenCL C beside control flow: address spaces, structs, vectors, functions, types (OpenCL C 3.0 §6).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/per_item.h"
#include "common/half_value.h"

namespace weft::conformance {
namespace {

using Language = PerItemTest;

TEST_F(Language, StaticLocal) {
  const Program program = session.build(
      "kernel void k(global const int* in, global int* out) { local int t[64]; local int all; int l = "
      "get_local_id(0);"
      " int n = get_local_size(0); t[l] = in[get_global_id(0)]; if (l == 0) all = n * 3; "
      "barrier(CLK_LOCAL_MEM_FENCE);"
      " out[get_global_id(0)] = t[n - 1 - l] + all; }");
  const Kernel kernel = session.kernel(program, "k");
  for (std::size_t local : {1, 31, 48, 64}) {
    const auto in = iota<cl_int>(local * 4);
    const Mem from = session.upload(in);
    const Mem to = session.buffer(in.size() * 4);
    session.launch(kernel, {{in.size()}, {local}}, from, to);
    const auto got = session.download<cl_int>(to, in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::size_t first = i / local * local;
      ASSERT_EQ(got[i], cl_int(first + local - 1 - i % local + 3 * local)) << i << " of " << local;
    }
  }
}

TEST_F(Language, DynamicLocalArguments) {
  const Program program = session.build(
      "kernel void k(global int* out, local int* a, local float* b, int n) { int l = get_local_id(0);"
      " a[l] = l; b[l] = l * 0.5f; barrier(CLK_LOCAL_MEM_FENCE);"
      " out[get_global_id(0)] = a[(l + 1) % n] * 100 + (int)(2.0f * b[(l + 2) % n]); }");
  const Kernel kernel = session.kernel(program, "k");
  for (std::size_t local : {3, 32, 100}) {
    const Mem out = session.buffer(local * 8);
    session.launch(kernel, {{local * 2}, {local}}, out, LocalBytes{local * 4}, LocalBytes{local * 4},
                   cl_int(local));
    const auto got = session.download<cl_int>(out, local * 2);
    for (std::size_t i = 0; i < local * 2; ++i) {
      const std::size_t l = i % local;
      ASSERT_EQ(got[i], cl_int((l + 1) % local * 100 + (l + 2) % local)) << i;
    }
  }
}

TEST_F(Language, ConstantOfTheProgram) {
  expect_items(
      "constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};\nconstant float2 pairs[2] = {(float2)(1, 2), "
      "(float2)(3, 4)};\n"
      "typedef struct { int a; char b[3]; } rec;\nconstant rec recs[2] = {{7, {1, 2, 3}}, {8, {4, 5, 6}}};\n"
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i];"
      " out[i] = table[v & 7] * 1000 + (int)pairs[v & 1].y * 100 + recs[v & 1].a * 10 + recs[1].b[2]; }",
      [](cl_int v, int) {
        const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
        return table[v & 7] * 1000 + ((v & 1) ? 400 : 200) + ((v & 1) ? 80 : 70) + 6;
      });
}

TEST_F(Language, ConstantBufferArgument) {
  const Program program = session.build(
      "kernel void k(constant int* table, global int* out) { int i = get_global_id(0); out[i] = table[i % "
      "10] + table[0]; }");
  const Mem table = session.upload(std::vector<cl_int>{5, 1, 2, 3, 4, 5, 6, 7, 8, 9}, CL_MEM_READ_ONLY);
  const Mem out = session.buffer(400);
  session.launch(session.kernel(program, "k"), {{100}, {50}}, table, out);
  EXPECT_EQ(session.download<cl_int>(out, 100)[93], 8);
}

TEST_F(Language, PrivateArray) {
  expect_items(
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i]; int "
      "a[10];"
      " for (int j = 0; j < 10; ++j) a[j] = j * j + i; a[v & 7] = 1000; int s = 0;"
      " for (int j = 0; j < 10; ++j) s += a[(j * 3 + v) & 7]; out[i] = s + a[9]; }",
      [](cl_int v, int i) {
        int a[10];
        for (int j = 0; j < 10; ++j) a[j] = j * j + i;
        a[v & 7] = 1000;
        int s = 0;
        for (int j = 0; j < 10; ++j) s += a[cl_uint(j * 3 + (v & 7)) & 7];
        return s + a[9];
      });
}

TEST_F(Language, PrivateArraysAtSharedAndOwnIndices) {
  // Vectors, structs and bytes, written under divergent branches at an index that the lanes share and at their own.
  expect_items(
      "typedef struct { short a; short b; int c; } S;\n"
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i];"
      " int4 q[6]; S s[5]; uchar b[11]; int2 whole[4]; int n = (int)get_global_size(0) > 0 ? 5 : 0;"
      " for (int j = 0; j < n; ++j) { q[j] = (int4)(v, j, i, v + j); s[j].a = j; s[j].b = v; s[j].c = i; }"
      " for (int j = 0; j < n * 2; ++j) b[j] = v >> j; for (int j = 0; j < 4; ++j) whole[j] = (int2)(j, v);"
      " for (int j = 0; j < n; ++j) if (v & (1 << j)) { q[j].z += 7; s[j].b += 3; b[j] ^= 5; b[j + 1] += i; }"
      " whole[v & 3] += (int2)(i, 1); uint r = 0;"
      " for (int j = 0; j < n; ++j) r = r * 31 + q[j].x + 3 * q[j].y + 5 * q[j].z + 7 * q[j].w + s[j].a + 3 * "
      "s[j].b + s[(j + i) % 5].c + b[j] + 2 * b[j + 1] + whole[(j + i) & 3].x + whole[j & 3].y; out[i] = r; }",
      [](cl_int v, int i) {
        cl_int q[5][4];
        short a[5];
        short b[5];
        unsigned char bytes[10];
        cl_int whole[4][2];
        for (int j = 0; j < 5; ++j) {
          q[j][0] = v;
          q[j][1] = j;
          q[j][2] = i;
          q[j][3] = static_cast<cl_int>(static_cast<cl_uint>(v) + cl_uint(j));
          a[j] = static_cast<short>(j);
          b[j] = static_cast<short>(v);
        }
        for (int j = 0; j < 10; ++j) bytes[j] = static_cast<unsigned char>(v >> j);
        for (int j = 0; j < 4; ++j) {
          whole[j][0] = j;
          whole[j][1] = v;
        }
        for (int j = 0; j < 5; ++j) {
          if (!(v & (1 << j))) continue;
          q[j][2] += 7;
          b[j] = static_cast<short>(b[j] + 3);
          bytes[j] ^= 5;
          bytes[j + 1] = static_cast<unsigned char>(bytes[j + 1] + i);
        }
        whole[v & 3][0] += i;
        whole[v & 3][1] = static_cast<cl_int>(cl_uint(whole[v & 3][1]) + 1);
        cl_uint r = 0;
        for (int j = 0; j < 5; ++j)
          r = r * 31 + cl_uint(q[j][0]) + 3 * cl_uint(q[j][1]) + 5 * cl_uint(q[j][2]) + 7 * cl_uint(q[j][3]) +
              cl_uint(a[j]) + 3 * cl_uint(b[j]) + cl_uint(i) + bytes[j] + 2u * bytes[j + 1] +
              cl_uint(whole[(j + i) & 3][0]) + cl_uint(whole[j & 3][1]);
        return static_cast<cl_int>(r);
      });
}

// More than fits a thread's stack, were all lanes' there.
TEST_F(Language, LargePrivateArrays) {
  NOT_ON_POCL("has them on its thread's stack, which ends");
  for (const char* const barrier : {"", "barrier(CLK_LOCAL_MEM_FENCE);"}) {
    expect_items(
        std::string("kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int t[30000]; "
                    "int u[1500]; for (int j = 0; j < 40; ++j) { t[(in[i] & 0xffff) % 29960 + j] = j * i; "
                    "u[j * 37] = i - j; }") +
            barrier +
            "int* p = i % 3 ? t + (in[i] & 0xffff) % 29960 : u + 37; out[i] = p[i % 3 ? 39 : 0] + u[37 * 39]; }",
        [](cl_int, int i) { return (i % 3 ? 39 * i : i - 1) + i - 39; }, {64, 7, 1, 40, 256});
  }
}

TEST_F(Language, PrivateArrayOfBytesSeenAsInts) {
  expect_items(
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i]; uchar "
      "b[8];"
      " for (int j = 0; j < 8; ++j) b[j] = (uchar)(v >> j) + j; out[i] = ((int*)b)[v & 1]; }",
      [](cl_int v, int) {
        unsigned char b[8];
        for (int j = 0; j < 8; ++j) b[j] = static_cast<unsigned char>(static_cast<unsigned char>(v >> j) + j);
        cl_int r;
        std::memcpy(&r, b + 4 * (v & 1), 4);
        return r;
      });
}

TEST_F(Language, PointersToPrivateAcrossCalls) {
  expect_items(
      "void bump(int* p, int by) { *p += by; }\nint* pick(int* a, int* b, int c) { return c ? a : b; }\n"
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int x = i; int y = 2 "
      "* i;"
      " int* p = pick(&x, &y, in[i] & 1); bump(p, 100); bump(&x, 3); out[i] = x * 7 + y; }",
      [](cl_int v, int i) {
        int x = i + 3;
        int y = 2 * i;
        (v & 1 ? x : y) += 100;
        return x * 7 + y;
      });
}

TEST_F(Language, FunctionCalls) {
  expect_items(
      "int leaf(int a) { if (a & 1) return a * 3; return a / 2; }\n"
      "int middle(int a, int n) { int s = 0; for (int j = 0; j < n; ++j) { s += leaf(a + j); if (s > 500) "
      "return s; } return -s; }\n"
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0);"
      " out[i] = middle(in[i] & 255, i & 7) + leaf(i); }",
      [](cl_int v, int i) {
        const auto leaf = [](int a) { return a & 1 ? a * 3 : a / 2; };
        const auto middle = [&](int a, int n) {
          int s = 0;
          for (int j = 0; j < n; ++j) {
            s += leaf(a + j);
            if (s > 500) return s;
          }
          return -s;
        };
        return middle(v & 255, i & 7) + leaf(i);
      });
}

TEST_F(Language, StructsByValue) {
  struct Point {
    cl_int x;
    cl_float y;
    cl_char tag[5];
    cl_short z;
  };
  const Program program = session.build(
      "typedef struct { int x; float y; char tag[5]; short z; } point;\n"
      "point shift(point p, int by) { p.x += by; p.y *= 2.0f; p.tag[4] = (char)by; return p; }\n"
      "kernel void k(point p, global point* out) { int i = get_global_id(0); point q = shift(p, i); if (i & "
      "1) q = shift(q, 1);"
      " out[i] = q; }");
  const Mem out = session.buffer(sizeof(Point) * 40);
  session.launch(session.kernel(program, "k"), {{40}, {40}}, Point{10, 1.5f, {1, 2, 3, 4, 5}, -7}, out);
  const auto got = session.download<Point>(out, 40);
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(got[i].x, 10 + i + (i & 1));
    EXPECT_EQ(got[i].y, i & 1 ? 6.0f : 3.0f);
    EXPECT_EQ(got[i].tag[3], 4);
    EXPECT_EQ(got[i].tag[4], i & 1 ? 1 : i);
    EXPECT_EQ(got[i].z, -7);
  }
}

TEST_F(Language, UnionsAndNestedStructs) {
  expect_items(
      "typedef union { int i; uchar b[4]; short2 s; } word; typedef struct { word w[2]; struct { int a, b; } "
      "in; } box;\n"
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); box x; x.w[0].i = "
      "in[i];"
      " x.w[1].i = 0; x.w[1].b[2] = x.w[0].b[1]; x.in.a = x.w[1].i; x.in.b = x.w[0].s.y; out[i] = x.in.a ^ "
      "x.in.b; }",
      [](cl_int v, int) { return ((v >> 8 & 0xff) << 16) ^ cl_int(cl_short(v >> 16)); });
}

TEST_F(Language, Vectors) {
  expect_items(
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); int v = in[i] & "
      "0xffff;"
      " int4 a = (int4)(v, v + 1, v + 2, v + 3); int4 b = a.wzyx * 2 - a; int2 h = b.hi; h.x += a.s0; a.yw = "
      "h;"
      " int3 t = a.xyz; a = (b > a) ? b : a; int8 e = (int8)(a, b);"
      " out[i] = a.x + a.y * 3 + a.z * 5 + a.w * 7 + t.z + e.s7 + e.even.y; }",
      [](cl_int in, int) {
        const int v = in & 0xffff;
        int a[4] = {v, v + 1, v + 2, v + 3};
        int b[4];
        for (int j = 0; j < 4; ++j) b[j] = a[3 - j] * 2 - a[j];
        const int h0 = b[2] + a[0];
        const int h1 = b[3];
        a[1] = h0;
        a[3] = h1;
        const int tz = a[2];
        for (int j = 0; j < 4; ++j) a[j] = std::max(a[j], b[j]);
        return a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + tz + b[3] + a[2];
      });
}

TEST_F(Language, VectorLoadsAndStores) {
  const Program program = session.build(
      "kernel void k(global const float* in, global float* out) { int i = get_global_id(0); float3 a = "
      "vload3(i, in);"
      " float4 b = vload4(0, in + i); vstore3(a * b.xyz, i, out); }");
  std::vector<float> in(400);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i % 17) + 0.5f;
  const Mem from = session.upload(in);
  const Mem to = session.buffer(4 * 300);
  session.launch(session.kernel(program, "k"), {{100}, {50}}, from, to);
  const auto got = session.download<float>(to, 300);
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 3; ++j) ASSERT_EQ(got[3 * i + j], in[3 * i + j] * in[i + j]) << i;
}

TEST_F(Language, AlignedAccessesOfOneHalf) {
  WEFT_ONLY("others declare vloada_half and vstorea_half of vectors alone");
  std::vector<float> in(500);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = (i % 2 ? -1.0f : 1.0f) * std::ldexp(1.0f + float(i) / 911.0f, int(i % 45) - 27);
  for (const std::string mode : {"", "_rte", "_rtz", "_rtp", "_rtn"})
    for (const std::string type : {"float", "double"}) {
      const Program program = session.build(
          "kernel void k(global const float* in, global half* r, global half* want, global float* loaded) { size_t i = get_global_id(0);"
          " local ushort of_group[50]; ushort own[1]; local half* x = (local half*)of_group; half* y = (half*)own; size_t l = get_local_id(0);"
          " vstorea_half" + mode + "((" + type + ")in[i], i, r); vstore_half" + mode + "((" + type + ")in[i], i, want);"
          " vstorea_half(vloada_half(i, r), l, x); vstorea_half(vloada_half(l, x), 0, y); loaded[i] = vloada_half(0, y); }");
      const Mem from = session.upload(in), to = session.buffer(2 * in.size()), want = session.buffer(2 * in.size());
      const Mem loaded = session.buffer(4 * in.size());
      session.launch(session.kernel(program, "k"), {{in.size()}, {50}}, from, to, want, loaded);
      const auto got = session.download<cl_half>(to, in.size()), expected = session.download<cl_half>(want, in.size());
      const auto values = session.download<float>(loaded, in.size());
      for (std::size_t i = 0; i < in.size(); ++i) {
        ASSERT_EQ(got[i], expected[i]) << in[i] << ' ' << mode << ' ' << type;
        ASSERT_EQ(values[i], float(half_value(got[i]))) << in[i];
      }
    }
}

TEST_F(Language, WideVectorsOfAllTypes) {
  for (const char* type :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}) {
    for (const char* width : {"2", "3", "4", "8", "16"}) {
      if (type[0] != 'i' && std::string(width) != "16" && std::string(width) != "3") continue;
      const std::string t = std::string(type) + width;
      const std::string source = "kernel void k(global int* out) { int i = get_global_id(0); " + t +
                                 " a = (" + t + ")((" + type + ")(i & 15)); " + t + " b = a + (" + t + ")((" +
                                 type + ")2); b *= a; out[i] = (int)b.s0 * 1000 + (int)b.s1; }";
      const Mem out = session.buffer(4 * 40);
      session.run(source, "k", {{40}, {40}}, out);
      const auto got = session.download<cl_int>(out, 40);
      for (int i = 0; i < 40; ++i) {
        int want = ((i & 15) + 2) * (i & 15);
        if (std::string(type) == "char") want = static_cast<signed char>(want);
        if (std::string(type) == "uchar") want = static_cast<unsigned char>(want);
        ASSERT_EQ(got[i], want * 1000 + want) << t << " item " << i;
      }
    }
  }
}

TEST_F(Language, SmallTypesInMemory) {
  const Program program = session.build(
      "kernel void k(global char* c, global ushort* s, global uchar* u) { int i = get_global_id(0);"
      " c[i] = (char)(c[i] + 1); s[i] = s[i] * 3; if (i & 1) u[i] = (uchar)i; }");
  const std::size_t n = 100;
  const Mem c = session.upload(std::vector<cl_char>(n, 127));
  const Mem s = session.upload(std::vector<cl_ushort>(n, 40000));
  const Mem u = session.upload(std::vector<cl_uchar>(n, 200));
  session.launch(session.kernel(program, "k"), {{n}, {50}}, c, s, u);
  for (cl_char x : session.download<cl_char>(c, n)) ASSERT_EQ(x, -128);
  for (cl_ushort x : session.download<cl_ushort>(s, n)) ASSERT_EQ(x, cl_ushort(120000));
  const auto bytes = session.download<cl_uchar>(u, n);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(bytes[i], i & 1 ? i : 200);
}

TEST_F(Language, Doubles) {
  const Program program = session.build(
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
      "kernel void k(global double* a) { int i = get_global_id(0); double x = a[i]; for (int j = 0; j < i % "
      "5; ++j) x = x / 3.0 + 1.0;"
      " a[i] = x > 1.4 ? sqrt(x) : -x; }");
  std::vector<double> in(64);
  for (int i = 0; i < 64; ++i) in[i] = i * 0.37;
  const Mem buffer = session.upload(in);
  session.launch(session.kernel(program, "k"), {{64}, {64}}, buffer);
  const auto got = session.download<double>(buffer, 64);
  for (int i = 0; i < 64; ++i) {
    double x = in[i];
    for (int j = 0; j < i % 5; ++j) x = x / 3.0 + 1.0;
    EXPECT_DOUBLE_EQ(got[i], x > 1.4 ? std::sqrt(x) : -x) << i;
  }
}

TEST_F(Language, LongsAndShifts) {
  expect_items(
      "kernel void k(global const int* in, global int* out) { int i = get_global_id(0); long v = in[i];"
      " ulong m = (ulong)v * 0x9e3779b97f4a7c15UL; int s = in[i] & 63; out[i] = (int)(m >> s) ^ (int)((v << "
      "20) / 7)"
      " ^ (in[i] << (s & 31)) ^ (int)mul_hi(in[i], 77777); }",
      [](cl_int in, int) {
        const cl_long v = in;
        const cl_ulong m = cl_ulong(v) * 0x9e3779b97f4a7c15UL;
        const int s = in & 63;
        return cl_int(m >> s) ^ cl_int(cl_long(cl_ulong(v) << 20) / 7) ^ cl_int(cl_uint(in) << (s & 31)) ^
               cl_int((cl_long(in) * 77777) >> 32);
      });
}

TEST_F(Language, FloatBasics) {
  const Program program = session.build(
      "kernel void k(global float* a) { int i = get_global_id(0); float x = a[i];"
      " a[i] = fma(x, x, 1.0f) / (fabs(x) + 0.25f) - floor(x) + clamp(x, -1.0f, 1.0f) * min(x, 2.0f) + "
      "(float)(int)x; }");
  std::vector<float> in(96);
  for (int i = 0; i < 96; ++i) in[i] = (i - 48) * 0.13f;
  const Mem buffer = session.upload(in);
  session.launch(session.kernel(program, "k"), {{96}, {96}}, buffer);
  const auto got = session.download<float>(buffer, 96);
  for (int i = 0; i < 96; ++i) {
    const float x = in[i];
    const float want = std::fma(x, x, 1.0f) / (std::fabs(x) + 0.25f) - std::floor(x) +
                       std::clamp(x, -1.0f, 1.0f) * std::min(x, 2.0f) + float(int(x));
    EXPECT_NEAR(got[i], want, 1e-5f * (1 + std::fabs(want))) << i;
  }
}

TEST_F(Language, Printf) {
  NOT_ON_POCL("writes to stdout at another time");
  const Program program = session.build(
      "kernel void k(global int* a) { int i = get_global_id(0); if (i == 3) printf(\"item %d has %s %.2f "
      "%v4d\\n\", i, \"text\","
      " 1.5f, (int4)(1, 2, 3, 4)); a[i] = i; }");
  const Mem out = session.buffer(4 * 40);
  testing::internal::CaptureStdout();
  session.launch(session.kernel(program, "k"), {{40}, {40}}, out);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "item 3 has text 1.50 1,2,3,4\n");
}

TEST_F(Language, ManyArguments) {
  std::string parameters;
  std::string sum;
  for (int i = 0; i < 100; ++i) {
    parameters += ", " +
                  std::string(i % 3 == 0   ? "char"
                              : i % 3 == 1 ? "long"
                                           : "short") +
                  " p" + std::to_string(i);
    sum += " + p" + std::to_string(i);
  }
  const Program program =
      session.build("kernel void k(global int* out" + parameters + ") { *out = 0" + sum + "; }");
  const Kernel kernel = session.kernel(program, "k");
  const Mem out = session.buffer(4);
  set_arg(kernel, 0, out);
  int want = 0;
  for (int i = 0; i < 100; ++i) {
    want += i;
    if (i % 3 == 0) set_arg(kernel, cl_uint(i + 1), cl_char(i));
    if (i % 3 == 1) set_arg(kernel, cl_uint(i + 1), cl_long(i));
    if (i % 3 == 2) set_arg(kernel, cl_uint(i + 1), cl_short(i));
  }
  session.finish(session.enqueue(kernel, {{1}}));
  EXPECT_EQ(session.download<cl_int>(out, 1)[0], want);
}

TEST_F(Language, FieldsOfBits) {
  if (!has_extension("cl_khr_extended_bit_ops")) GTEST_SKIP() << "no cl_khr_extended_bit_ops";
  const auto reversed = [](std::uint32_t x) {
    std::uint32_t r = 0;
    for (unsigned bit = 0; bit < 32; ++bit) r |= (x >> bit & 1) << (31 - bit);
    return r;
  };
  expect_items("kernel void k(global const int* in, global int* out) { size_t i = get_global_id(0); out[i] = bit_reverse(in[i]); }",
               [&](cl_int x, int) { return static_cast<cl_int>(reversed(static_cast<std::uint32_t>(x))); });
  // Fields of every width at every place, empty and whole ones too.
  expect_items("kernel void k(global const int* in, global int* out) { size_t i = get_global_id(0); uint count = i % 33, at = (33 - count) * (i % 7) / 7;"
               " out[i] = bitfield_insert(in[i], (int)0x5a5a5a5a, at, count) ^ (bitfield_extract_signed(in[i], at, count) * 3) ^"
               " (int)(bitfield_extract_unsigned((uint)in[i], at, count) * 5); }",
               [](cl_int in, int item) {
                 const unsigned count = static_cast<unsigned>(item) % 33, at = (33 - count) * (static_cast<unsigned>(item) % 7) / 7;
                 const std::uint64_t x = static_cast<std::uint32_t>(in), ones = (std::uint64_t{1} << count) - 1;
                 const std::uint64_t inserted = (x & ~(ones << at)) | ((0x5a5a5a5a & ones) << at);
                 const std::uint64_t field = x >> at & ones;
                 const std::int64_t value = count && field >> (count - 1) & 1 ? static_cast<std::int64_t>(field) - static_cast<std::int64_t>(ones) - 1
                                                                             : static_cast<std::int64_t>(field);
                 return static_cast<cl_int>(static_cast<std::uint32_t>(inserted) ^ static_cast<std::uint32_t>(value * 3) ^
                                            static_cast<std::uint32_t>(field * 5));
               });
}

TEST_F(Language, DotProductsOfBytes) {
  if (!has_extension("cl_khr_integer_dot_product")) GTEST_SKIP() << "no cl_khr_integer_dot_product";
  expect_items("kernel void k(global const int* in, global int* out) { size_t i = get_global_id(0); uint a = in[i], b = a * 2654435761u;"
               " out[i] = dot_4x8packed_ss_int(a, b) + 3 * dot(as_uchar4(a), as_char4(b)) ^"
               " dot_acc_sat(as_char4(a), as_uchar4(b), 2147483000) ^ (int)dot_acc_sat_4x8packed_uu_uint(a, b, 4294960000u); }",
               [](cl_int in, int) {
                 const auto a = static_cast<std::uint32_t>(in), b = a * 2654435761u;
                 std::int64_t ss = 0, us = 0, su = 0, uu = 0;
                 for (unsigned shift = 0; shift < 32; shift += 8) {
                   const std::int64_t ua = a >> shift & 255, ub = b >> shift & 255, sa = static_cast<std::int8_t>(ua), sb = static_cast<std::int8_t>(ub);
                   ss += sa * sb;
                   us += ua * sb;
                   su += sa * ub;
                   uu += ua * ub;
                 }
                 const std::int64_t top = std::min<std::int64_t>(su + 2147483000, 2147483647), whole = std::min<std::int64_t>(uu + 4294960000, 4294967295);
                 return static_cast<cl_int>(static_cast<std::uint32_t>(ss + 3 * us) ^ static_cast<std::uint32_t>(top) ^ static_cast<std::uint32_t>(whole));
               });
}

// Vectors of fewer lanes than a register has.
TEST_F(Language, ExpAndLogInSmallGroups) {
  for (const char* prefix : {"", "native_"}) {
    const std::string p = prefix;
    expect_items("kernel void k(global const int* in, global int* out) { int i = get_global_id(0); float x = (in[i] & 63) / 8.0f;"
                 "out[i] = convert_int_rte(" + p + "log(" + p + "exp(x)) * 64); }",
                 [](cl_int in, int) { return (in & 63) * 8; }, {1, 2, 3, 4, 8, 12, 16, 24});
  }
}

}  // namespace
}  // namespace weft::conformance
