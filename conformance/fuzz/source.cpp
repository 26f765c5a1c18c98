// Sources, built by the compiler's process: this one must live, and a failure must say why. A text as it is,
// or, behind a first byte that no text begins with, the decisions of a small grammar, which nests and repeats what breaks compilers.
#include <cstdlib>
#include <string>

#include "runtime/build.h"

using namespace weft;

namespace {

constexpr std::uint8_t kGrammar = 8;

class Grammar {
 public:
  Grammar(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  std::string source() {
    std::string text;
    while (at_ < end_ && text.size() < 200'000) text += declaration();
    return text + "kernel void k(global int* o, local float4* l, int n) {" + statements(0) + "}\n";
  }

 private:
  unsigned choose(unsigned count) { return at_ < end_ ? *at_++ % count : 0; }
  std::string pick(std::initializer_list<const char*> of) { return of.begin()[choose(static_cast<unsigned>(of.size()))]; }
  std::string repeat(const std::string& what, const std::string& middle, const std::string& after = "") {
    static constexpr unsigned kTimes[] = {1, 3, 30, 300, 3000, 30000};
    const unsigned times = kTimes[choose(6)];
    std::string text;
    for (unsigned i = 0; i < times && text.size() < 100'000; ++i) text += what;
    text += middle;
    for (unsigned i = 0; i < times && text.size() < 200'000; ++i) text += after;
    return text;
  }

  std::string type() {
    return pick({"int", "uint", "float", "double", "half", "char", "long", "float4", "uchar16", "int3", "bool", "void", "size_t", "event_t",
                 "image2d_t", "sampler_t", "global int*", "local float*", "__int128", "_BitInt(200)", "struct s", "_Complex float"});
  }
  std::string expression(int depth) {
    if (depth > 12 || at_ >= end_) return pick({"1", "n", "o[n]", "1.5f", "'a'", "\"s\"", "l[0].x", "get_global_id(0)", "x", "0xffffffffffffffff"});
    switch (choose(12)) {
      case 0: return repeat("(", expression(depth + 4), ")");
      case 1: return repeat(pick({"!", "-~", "*&", "- ", "++", "sizeof "}), expression(depth + 4));
      case 2: return expression(depth + 1) + pick({"+", "-", "*", "/", "%", "<<", ">>", "&&", "||", ",", "=", "==", "<", "^"}) + expression(depth + 1);
      case 3: return expression(depth + 1) + "?" + expression(depth + 1) + ":" + expression(depth + 1);
      case 4: return "(" + type() + ")(" + expression(depth + 1) + ")";
      case 5: return pick({"sin", "clamp", "as_int", "convert_uchar4_sat", "vload4", "shuffle", "atomic_add", "f", "k", "printf", "__builtin_alloca",
                           "__builtin_canonicalizef", "read_imagef", "async_work_group_copy", "__builtin_trap", "sub_group_reduce_add"}) +
                      "(" + expression(depth + 1) + "," + expression(depth + 1) + ")";
      case 6: return repeat(expression(depth + 6) + "+", "1");
      case 7: return "l[" + expression(depth + 1) + "]." + pick({"x", "xyzw", "s0123", "wwww", "hi", "nothing"});
      case 8: return "(int4)(" + repeat(expression(depth + 6) + ",", "1") + ")";
      case 9: return repeat("n?1:", "2");
      default: return pick({"n", "o[n]", "1", "l->x"});
    }
  }
  std::string statements(int depth) {
    std::string text;
    for (unsigned i = 0, count = 1 + choose(4); i < count && text.size() < 100'000; ++i) text += statement(depth);
    return text;
  }
  std::string statement(int depth) {
    if (depth > 8) return "o[n]=1;";
    switch (choose(13)) {
      case 0: return "if(" + expression(4) + "){" + statements(depth + 1) + "}else{" + statements(depth + 1) + "}";
      case 1: return "for(int i=0;i<" + expression(6) + ";++i){" + statements(depth + 1) + "}";
      case 2: return "while(" + expression(6) + "){" + statements(depth + 1) + pick({"break;", "continue;", ""}) + "}";
      case 3: return "barrier(CLK_LOCAL_MEM_FENCE);";
      case 4: return type() + " x" + repeat("[2]", "") + "=" + repeat("{", expression(6), "}") + ";";
      case 5: return repeat("{", statements(depth + 3), "}");
      case 6: return "switch(n){" + repeat("case 1:", "") + "default:" + statements(depth + 1) + "}";
      case 7: return "a" + std::to_string(choose(3)) + ":" + "goto a" + std::to_string(choose(3)) + ";";
      case 8: return "local " + type() + " t[" + expression(8) + "];";
      case 9: return repeat("if(n)", "o[n]=2;");
      case 10: return "__asm__(\"nop\");";
      default: return "o[" + expression(6) + "]=" + expression(2) + ";";
    }
  }
  std::string declaration() {
    switch (choose(12)) {
      case 0: return "#pragma clang __debug " + pick({"crash", "assert", "parser_crash", "llvm_fatal_error", "overflow_stack", "dump"}) + "\n";
      case 1: return "#pragma " + pick({"unroll 100", "OPENCL EXTENSION all : enable", "clang loop unroll(full)", "pack(push, 1)", "weak f"}) + "\n";
      case 2: return "#embed " + pick({"\"/etc/hostname\"", "</etc/hostname>", "__FILE__", "\"/no\""}) + "\n";
      case 3: return "#if __has_embed(\"/etc/hostname\") || __has_include(\"x.h\")\n#endif\n";
      case 4: return "#define A" + std::to_string(choose(4)) + "(x) A" + std::to_string(choose(4)) + "(x) x\n";
      case 5: return "A" + std::to_string(choose(4)) + "(" + expression(8) + ")\n";
      case 6: return "typedef " + type() + " t" + repeat("[2]", "") + ";\n";
      case 7: return "struct s{" + type() + " a; struct s* b;} " + repeat("__attribute__((packed))", "") + ";\n";
      case 8: return type() + " f(" + type() + " n, " + type() + " x){" + statements(4) + "}\n";
      case 9: return "__attribute__((alias(\"k\"))) void g(void);\n";
      case 10: return "constant int c[] = " + repeat("{", "1", "}") + ";\n";
      default: return "kernel void k" + std::to_string(choose(9)) + "(global " + type() + "* o, " + type() + " n){" + statements(5) + "}\n";
    }
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::string source =
      data[0] <= kGrammar ? Grammar(data + 1, size - 1).source() : std::string(reinterpret_cast<const char*>(data), size);
  const runtime::BuildResult built = runtime::compile_and_link(source, "");
  if (!built.ok && built.log.empty()) std::abort();
  return 0;
}
