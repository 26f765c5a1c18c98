// Sources that break the compiler: the program that builds them lives, gets an error and its log, and builds the next one.
#include "api/fixture.h"

namespace weft::conformance {
namespace {

class Hostile : public ApiTest {
 protected:
  void SetUp() override { WEFT_ONLY("others end the process"); }

  void expect_failure(const std::string& source) {
    const Program program = session.create_program(source);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE) << source.substr(0, 80);
    EXPECT_FALSE(session.build_log(program).empty()) << source.substr(0, 80);
  }
  /// Whatever becomes of it: no crash.
  void expect_end(const std::string& source) {
    const Program program = session.create_program(source);
    const cl_int error = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    EXPECT_TRUE(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE) << error;
    if (error != CL_SUCCESS) EXPECT_FALSE(session.build_log(program).empty()) << source.substr(0, 80);
  }
  void expect_alive() {
    const Mem out = session.upload(std::vector<cl_int>(1, 0));
    session.run("kernel void k(global int* a) { *a = 5; }", "k", {{1}, {1}, {}}, out);
    EXPECT_EQ(session.download<cl_int>(out, 1)[0], 5);
  }
  static std::string repeat(const std::string& what, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += what;
    return text;
  }
};

TEST_F(Hostile, Embed) {
  for (const char* const line :
       {"#embed \"/etc/hostname\"", "#embed </etc/hostname>", "#embed \"/no/such/file\"", "#embed \"/etc/hostname\" limit(2)",
        "#embed \"/etc/hostname\" prefix(1,) suffix(,2) if_empty(3)", "#embed", "#embed \"/dev/zero\" limit(1)", "#embed __FILE__"}) {
    expect_end("constant unsigned char a[] = {\n" + std::string(line) + "\n};\nkernel void k(global int* o) { *o = a[0]; }");
  }
  for (const char* const condition : {"__has_embed(\"/etc/hostname\")", "__has_embed(</etc/hostname>)", "__has_embed(\"/no\")",
                                      "__has_embed(\"/etc/hostname\" limit(0))", "__has_embed", "__has_embed("}) {
    expect_end("#if " + std::string(condition) + "\n#endif\nkernel void k(global int* o) { *o = 1; }");
  }
  expect_alive();
}

TEST_F(Hostile, DebuggingPragmas) {
  for (const char* const what : {"crash", "parser_crash", "llvm_fatal_error", "llvm_unreachable", "overflow_stack", "assert", "dump",
                                 "handle_crash", "captured", "module_map"}) {
    expect_end("#pragma clang __debug " + std::string(what) + "\nkernel void k(global int* o) {\n#pragma clang __debug " + what +
               "\n *o = 1; }");
  }
  expect_alive();
}

TEST_F(Hostile, LongChainsOfOperators) {
  expect_failure("kernel void k(global int* o) { *o = " + repeat("!", 1'000'000) + "o[1]; }");
  expect_failure("kernel void k(global int* o) { *o = " + repeat("-~", 100'000) + "o[1]; }");
  // Short as a text.
  std::string macros = "#define A0 -~\n";
  for (int i = 1; i < 18; ++i) macros += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) + " A" + std::to_string(i - 1) + "\n";
  expect_failure(macros + "kernel void k(global int* o) { *o = A17 o[1]; }");
  expect_end("kernel void k(global int* o) { *o = 1" + repeat("+o[1]", 2'000) + "; }");
  expect_end("kernel void k(global int* o) { *o = " + repeat("o[0]?1:", 1'000) + "2; }");
  expect_alive();
}

TEST_F(Hostile, DeepNesting) {
  constexpr int kDepth = 100'000;
  expect_failure("kernel void k(global int* o) { *o = " + repeat("(", kDepth) + "1" + repeat(")", kDepth) + "; }");
  expect_failure("kernel void k(global int* o) { " + repeat("{", kDepth) + repeat("}", kDepth) + " }");
  expect_failure("constant int a[] = " + repeat("{", kDepth) + "1" + repeat("}", kDepth) + ";\nkernel void k(global int* o) { *o = *a; }");
  expect_failure("kernel void k(global int* o) { *o = " + repeat("sizeof ", kDepth) + "1; }");
  expect_end("kernel void k(global int* o) { " + repeat("if (o[0]) ", 500) + " o[1] = 1; }");
  expect_alive();
}

// What has no code is an error of the build, not of a launch that has long returned.
TEST_F(Hostile, WhatHasNoCodeDoesNotBuild) {
  expect_failure("void f(global int* o) { *o = 1; }\nvoid g(global int* o) __attribute__((alias(\"f\")));\n"
                 "kernel void k(global int* o) { g(o); }");
  expect_failure("kernel void f(global int* o) { *o = 1; }\nkernel void g(global int* o) __attribute__((alias(\"f\")));\n");
  expect_failure("__asm__(\".globl x\");\nkernel void k(global int* o) { *o = 1; }");
  expect_failure("kernel void k(global float* o) { o[0] = __builtin_canonicalizef(o[1]); }");
  expect_failure("kernel void k(global int* o) { private char* p = (private char*)__builtin_alloca_with_align(o[0], 64); p[0] = 1; o[1] = p[o[0]]; }");
  expect_failure("kernel void k(global int* o) { private char* p = (private char*)__builtin_alloca(o[0]); p[0] = 1; o[1] = p[o[0]]; }");
  for (const char* const call : {"o[0] = (int)(size_t)__builtin_return_address(0)", "__builtin_unwind_init()", "__builtin_trap()",
                                 "o[0] = (int)__builtin_readcyclecounter()", "__builtin_debugtrap()"})
    expect_end("kernel void k(global int* o) { if (o[0]) " + std::string(call) + "; }");
  expect_alive();
}

}  // namespace
}  // namespace weft::conformance
