// A program's own functions of a builtin's name stand beside the builtin (Clang's `overloadable`, with which OpenCL C's builtins
// are declared).
#include "api/images.h"
#include "api/per_item.h"

namespace weft::conformance {
namespace {

/// A builtin's name and a statement that sets `r` by it. `v` is an int of [0, 255], `f` a float, `i` the item, `l` its local id.
struct Use {
  const char* name;
  const char* statement;
};

/// Some of each kind.
const Use kUses[] = {
    // math
    {"sqrt", "r = (int)(sqrt(f) * 1024);"},
    {"pow", "r = (int)pow(f, 2.0f);"},
    {"fract", "float whole; r = (int)(fract(f, &whole) * 8) + (int)whole;"},
    {"native_exp", "r = (int)native_exp(f * 0.0625f);"},
    {"fma", "r = (int)fma(f, 2.0f, 1.0f);"},
    {"ldexp", "r = (int)ldexp(f, 3);"},
    // integers
    {"mul24", "r = mul24(v, 3);"},
    {"max", "r = max(v, 100) + (int)max(f, 3.0f);"},
    {"abs_diff", "r = abs_diff(v, 100);"},
    {"add_sat", "r = add_sat((uchar)v, (uchar)100);"},
    {"clz", "r = clz(v) + clz((short)v);"},
    {"rotate", "r = rotate((uint)v, 5u);"},
    {"popcount", "r = popcount(v);"},
    {"upsample", "r = upsample((short)v, (ushort)3);"},
    // common
    {"clamp", "r = clamp(v, 5, 90) + (int)clamp(f, 0.0f, 2.0f);"},
    {"mix", "r = (int)mix(f, 8.0f, 0.25f);"},
    {"smoothstep", "r = (int)(smoothstep(0.0f, 32.0f, f) * 64);"},
    {"sign", "r = (int)sign(f - 3.0f);"},
    // geometric
    {"dot", "r = (int)dot((float4)(f, 1, 2, 3), (float4)(2));"},
    {"length", "r = (int)length((float2)(f, 0));"},
    {"cross", "r = (int)cross((float3)(f, 0, 0), (float3)(0, 2, 0)).z;"},
    // relational
    {"isnan", "r = isnan(f - f);"},
    {"isgreater", "r = isgreater(f, 4.0f);"},
    {"select", "r = select(v, 7, v > 40);"},
    {"any", "r = any((int2)(v - 128, v));"},
    {"bitselect", "r = bitselect(v, 0x5555, 0x0f0f);"},
    // atomics
    {"atomic_add", "r = atomic_add(words + i, 3u); r += words[i];"},
    {"atom_add", "r = atom_add(words + i, 5u); r += words[i];"},
    {"atomic_cmpxchg", "r = atomic_cmpxchg(words + i, words[i], 77u) + words[i];"},
    {"atomic_inc", "r = atomic_inc(words + i);"},
    // work-items, synchronization
    {"get_global_id", "r = get_global_id(0) * 2;"},
    {"get_local_size", "r = get_local_size(0);"},
    {"get_work_dim", "r = get_work_dim();"},
    {"barrier", "shared[l] = v; barrier(CLK_LOCAL_MEM_FENCE); r = shared[l ^ 1]; barrier(CLK_LOCAL_MEM_FENCE);"},
    {"mem_fence", "mem_fence(CLK_GLOBAL_MEM_FENCE); r = v;"},
    // vectors in memory, shuffles
    {"vload4", "int4 four = vload4(i / 8, in); r = four.x + four.w;"},
    {"vstore2", "vstore2((uint2)(v, 9u), i, words + 64); r = words[64 + 2 * i];"},
    {"vstore_half", "vstore_half(f, i, (global half*)(words + 256)); r = (int)vload_half(i, (global half*)(words + 256));"},
    {"vload_half", "vstore_half(f, i, (global half*)(words + 256)); r = (int)vload_half(i, (global half*)(words + 256));"},
    {"shuffle", "r = shuffle((int4)(v, 1, 2, 3), (uint4)(3, 2, 1, 0)).w;"},
    // asynchronous copies
    {"async_work_group_copy",
     "event_t e = async_work_group_copy(shared, in, 32, 0); wait_group_events(1, &e); r = shared[l]; barrier(CLK_LOCAL_MEM_FENCE);"},
    {"wait_group_events",
     "event_t e = async_work_group_copy(shared, in, 32, 0); wait_group_events(1, &e); r = shared[l]; barrier(CLK_LOCAL_MEM_FENCE);"},
    {"prefetch", "prefetch(in, 4); r = v;"},
    // conversions
    {"convert_int_sat", "r = convert_int_sat(f * 1e9f);"},
    {"convert_uchar_sat_rte", "r = convert_uchar_sat_rte(f * 9);"},
    {"convert_float4", "r = (int)convert_float4((int4)(v)).y;"},
};

/// How a program's own function of a name is written before and after the kernel.
struct Form {
  const char* what;
  const char* before;
  const char* after;
};

const Form kForms[] = {
    {"overloadable", "int __attribute__((overloadable)) NAME(own a, own b) { return a.x - b.x; }\n", ""},
    {"static", "static int __attribute__((overloadable)) NAME(own a, own b) { return a.x - b.x; }\n", ""},
    {"declared first", "int __attribute__((overloadable)) NAME(own a, own b);\n",
     "int __attribute__((overloadable)) NAME(own a, own b) { return a.x - b.x; }\n"},
    {"not overloadable", "int NAME(own a, own b) { return a.x - b.x; }\n", ""},
};

std::string with_name(std::string text, const std::string& name) {
  for (std::size_t at; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
  return text;
}

class Overloads : public ImageApiTest {
 protected:
  static constexpr std::size_t kItems = 32;

  /// All uses in one kernel; with the own functions of `form`, called too, unless null. Some builtins are called before those.
  std::vector<cl_int> run(const Form* form) {
    std::string later, calls, own_calls;
    std::string source =
        "typedef struct { int x; } own;\n"
        "int early(int v) { float f = v; return clamp(v, 1, 9) + max(v, 3) + (int)sqrt(f) + clz(v) + (int)dot((float2)(f), (float2)(f)); }\n";
    int number = 0;
    for (const Use& use : kUses) {
      if (form) source += with_name(form->before, use.name), later += with_name(form->after, use.name);
      calls += std::string("  { int r; ") + use.statement + " out[i + " + std::to_string(32 * number++) + "] = r; }\n";
      own_calls += form ? with_name("  sum += NAME(a, b);\n", use.name) : "  sum += a.x - b.x;\n";
    }
    source += "kernel void k(global const int* in, global int* out, global uint* words, local int* shared) {\n"
              "  const int i = get_global_id(0), l = get_local_id(0), v = in[i] & 255; const float f = v * 0.125f + 0.5f;\n" +
              calls + "  own a, b; a.x = v; b.x = i; int sum = early(v);\n" + own_calls + "  out[i + " + std::to_string(32 * number) +
              "] = sum;\n}\n" + later;
    const Program program = session.build(source);
    EXPECT_EQ(session.build_log(program).find("warning"), std::string::npos) << session.build_log(program);
    const std::size_t count = kItems * (std::size(kUses) + 1);
    std::vector<cl_int> input(kItems * 4);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<cl_int>(i * 37 % 251);
    const Mem in = session.upload(input), out = session.upload(std::vector<cl_int>(count, -1));
    const Mem words = session.upload(std::vector<cl_uint>(512, 11));
    session.launch(session.kernel(program, "k"), {{kItems}, {kItems}}, in, out, words, LocalBytes{kItems * 4});
    return session.download<cl_int>(out, count);
  }
};

TEST_F(Overloads, StandBesideTheBuiltins) {
  const std::vector<cl_int> wanted = run(nullptr);
  for (const Form& form : kForms) {
    const auto got = run(&form);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], wanted[i]) << form.what << ", " << (i / kItems < std::size(kUses) ? kUses[i / kItems].name : "own") << ", item "
                                   << i % kItems;
  }
}

TEST_F(Overloads, MayCallTheBuiltins) {
  const Program program = session.build(
      "float2 __attribute__((overloadable)) clamp(float2 x, int most) { return clamp(x, (float2)(0), (float2)(most)); }\n"
      "float __attribute__((overloadable)) max(float a, float b, float c) { return max(a, max(b, c)); }\n"
      "kernel void k(global float* x) { x[0] = clamp(3.5f, 0.f, 2.f); x[1] = clamp((float2)(x[1], x[2]), 4).y; x[2] = max(1.f, 2.f, 3.f);"
      " x[3] = max(7, 5); }");
  const Mem x = session.upload(std::vector<float>{0, 1, 9, 0});
  session.launch(session.kernel(program, "k"), {{1}, {1}}, x);
  EXPECT_EQ(session.download<float>(x, 4), (std::vector<float>{2, 4, 3, 7}));
}

// OpenMM's, for devices without 64-bit atomics: of 32 bits they stay atomic, and what they were.
TEST_F(Overloads, AtomicsOfAnotherWidth) {
  const Program program = session.build(
      "__attribute__((overloadable)) ulong atom_add(volatile global ulong* p, ulong v) {\n"
      "  volatile global uint* words = (volatile global uint*)p;\n"
      "  const uint low = atomic_add(words, (uint)v);\n"
      "  const uint carry = low + (uint)v < low ? 1 : 0;\n"
      "  atomic_add(words + 1, (uint)(v >> 32) + carry);\n"
      "  return 0; }\n"
      "kernel void k(global uint* count, global uint* seen, global ulong* sum) {\n"
      "  const uint at = atom_add(count, 1u); seen[at] = 1; atom_add(sum, 0x80000001ul); }");
  EXPECT_EQ(session.build_log(program).find("warning"), std::string::npos) << session.build_log(program);
  const std::size_t items = 256;
  const Mem count = session.upload(std::vector<cl_uint>{0}), seen = session.upload(std::vector<cl_uint>(items, 0));
  const Mem sum = session.upload(std::vector<cl_ulong>{0});
  session.launch(session.kernel(program, "k"), {{items}, {64}}, count, seen, sum);
  EXPECT_EQ(session.download<cl_uint>(count, 1)[0], items);
  EXPECT_EQ(session.download<cl_uint>(seen, items), std::vector<cl_uint>(items, 1));
  EXPECT_EQ(session.download<cl_ulong>(sum, 1)[0], items * 0x80000001ul);
}

TEST_F(Overloads, OfImageFunctions) {
  const Program program = session.build(
      "typedef struct { int x; } own;\n"
      "float4 __attribute__((overloadable)) read_imagef(read_only image2d_t i, own o) { return read_imagef(i, (int2)(o.x, 0)) * 2; }\n"
      "void __attribute__((overloadable)) write_imagef(own o, global float* x) { x[1] = o.x; }\n"
      "int __attribute__((overloadable)) get_image_width(own o) { return o.x; }\n"
      "kernel void k(read_only image2d_t i, global float* x) { own o; o.x = 1; const sampler_t s = CLK_FILTER_NEAREST | "
      "CLK_ADDRESS_CLAMP_TO_EDGE;\n"
      "  x[0] = read_imagef(i, o).x; write_imagef(o, x); x[2] = get_image_width(i) + get_image_width(o); x[3] = get_image_height(i);\n"
      "  x[4] = read_imagef(i, s, (int2)(0, 0)).x; x[5] = read_imagef(i, s, (float2)(1.5f, 0.5f)).x; }\n"
      "kernel void w(write_only image2d_t i) { write_imagef(i, (int2)(0, 0), (float4)(0.5f)); }");
  const Mem image = create(image_2d(2, 1, {CL_R, CL_FLOAT}, 4));
  const std::vector<float> texels = {3, 5};
  write(image, {0, 0, 0}, {2, 1, 1}, texels.data());
  const Mem x = session.upload(std::vector<float>(6, 0));
  session.launch(session.kernel(program, "k"), {{1}, {1}}, image, x);
  EXPECT_EQ(session.download<float>(x, 6), (std::vector<float>{10, 1, 3, 1, 3, 5}));
  session.launch(session.kernel(program, "w"), {{1}, {1}}, image);
}

}  // namespace
}  // namespace weft::conformance
