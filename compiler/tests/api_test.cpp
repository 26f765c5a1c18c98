// The compiler through its one exported symbol, as the runtime uses it.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compiler/compiler_api.h"
#include "compiler/serialize.h"

namespace weft::compiler {
namespace {

const Api& api() {
  static const Api& instance = [&]() -> const Api& {
    void* library = dlopen(WEFT_COMPILER_PATH, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::abort();
    }
    std::string error;
    bool refuses = false;
    const Api* made = reinterpret_cast<GetApi>(dlsym(library, "weft_compiler_api"))(kApiVersion, {}, refuses, error);
    if (made == nullptr) {
      std::fprintf(stderr, "%s\n", error.c_str());
      std::abort();
    }
    return *made;
  }();
  return instance;
}

CompileResult compile(const std::string& source, const std::string& options = "",
                      const std::vector<Header>& headers = {}) {
  bool invalid = false;
  CompileResult result = api().compile(source, headers, options, false, &invalid);
  EXPECT_FALSE(invalid) << options;
  return result;
}

LinkResult build(const std::string& source, const std::string& options = "") {
  const CompileResult object = compile(source, options);
  EXPECT_TRUE(object.ok) << object.log;
  bool invalid = false;
  return api().link({&object.object}, "", false, &invalid);
}

constexpr char kAxpy[] = R"(
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((vec_type_hint(float4)))
void axpy(float a, __global const float* restrict x, __global float* y, __local double* l, __constant int* c) {
  __local int shared[100];
  size_t i = get_global_id(0);
  shared[get_local_id(0)] = c[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] += a * x[i] + shared[0];
}
__kernel void empty(void) {}
)";

TEST(CompilerApi, VersionMismatchGivesNull) {
  void* library = dlopen(WEFT_COMPILER_PATH, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr);
  std::string error;
  bool refuses = true;
  EXPECT_EQ(reinterpret_cast<GetApi>(dlsym(library, "weft_compiler_api"))(kApiVersion + 1, {}, refuses, error), nullptr);
  EXPECT_FALSE(refuses);
  EXPECT_NE(error.find("version"), error.npos);
}

TEST(CompilerApi, CompilesLinksAndGenerates) {
  const LinkResult program = build(kAxpy);
  ASSERT_TRUE(program.ok) << program.log;
  ASSERT_EQ(program.kernels.size(), 2u);
  const GenerateResult code = api().generate(program.program, "axpy", {{64, 1, 1}, true});
  ASSERT_TRUE(code.ok) << code.log;
  ASSERT_GT(code.object.size(), 64u);
  EXPECT_EQ(std::string(code.object.begin() + 1, code.object.begin() + 4), "ELF");
  EXPECT_FALSE(code.symbol.empty());
  EXPECT_TRUE(api().generate(program.program, "empty", {}).ok);
  EXPECT_FALSE(api().generate(program.program, "absent", {}).ok);
  EXPECT_FALSE(api().generate({1, 2, 3}, "axpy", {}).ok);
}

/// Groups that stay by themselves, though a block was asked for, may have rows with idle lanes, which are warps more than their size says.
TEST(CompilerApi, GroupsThatStayAloneHaveScratchForTheirIdleLanes) {
  const LinkResult program = build(R"(
kernel void k(global const uint4* a, global const ushort* b, int n, global uint4* restrict out) {
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const uint row = get_local_id(1) * 16, id = row + get_local_id(0);
  local uint4 first[512], second[512];
  uint4 s = (uint4)1;
  for (int t = 0; t < (n & 3); ++t) {
    first[id] = (uint4)((uint)b[i * 32]);
    second[id] = a[i * 4 + (t % 4)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q = 0; q < 8; ++q) s += first[row + q] * second[row + q];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = s;
})");
  ASSERT_TRUE(program.ok) << program.log;
  ASSERT_TRUE(program.kernels[0].may_lose_tiles);
  Specialization spec;
  spec.local_size[0] = 16;
  spec.local_size[1] = 8;
  spec.local_size[2] = 1;
  const GenerateResult alone = api().generate(program.program, "k", spec);
  spec.groups = 2;
  const GenerateResult asked = api().generate(program.program, "k", spec);
  ASSERT_TRUE(alone.ok && asked.ok) << alone.log << asked.log;
  EXPECT_EQ(asked.groups, 1u);
  EXPECT_EQ(asked.scratch_fixed_bytes, alone.scratch_fixed_bytes);
  EXPECT_EQ(asked.scratch_warp_bytes, alone.scratch_warp_bytes);
}

TEST(CompilerApi, DescribesKernels) {
  const LinkResult program = build(kAxpy);
  ASSERT_EQ(program.kernels.size(), 2u);
  const KernelInfo& kernel = program.kernels[0];
  EXPECT_EQ(kernel.name, "axpy");
  EXPECT_EQ(kernel.attributes, "reqd_work_group_size(64,1,1) vec_type_hint(float4)");
  EXPECT_EQ(kernel.reqd_work_group_size[0], 64u);
  EXPECT_EQ(kernel.local_bytes, 400u);
  EXPECT_TRUE(kernel.uses_barrier);
  EXPECT_FALSE(kernel.uses_printf);
  ASSERT_EQ(kernel.args.size(), 5u);
  EXPECT_EQ(kernel.args[0].kind, ArgKind::kValue);
  EXPECT_EQ(kernel.args[0].size, 4u);
  EXPECT_EQ(kernel.args[0].type_name, "float");
  EXPECT_EQ(kernel.args[1].kind, ArgKind::kGlobalPointer);
  EXPECT_EQ(kernel.args[1].type_qualifiers, kQualConst | kQualRestrict);
  EXPECT_EQ(kernel.args[1].type_name, "float*");
  EXPECT_EQ(kernel.args[1].name, "x");
  EXPECT_EQ(kernel.args[3].kind, ArgKind::kLocalPointer);
  EXPECT_EQ(kernel.args[3].align, 8u);
  EXPECT_EQ(kernel.args[4].kind, ArgKind::kConstantPointer);
  EXPECT_EQ(program.kernels[1].args.size(), 0u);
}

TEST(CompilerApi, CodeIsTheSameWhateverWasCompiledBefore) {
  const LinkResult program = build(kAxpy);
  ASSERT_TRUE(program.ok) << program.log;
  const auto object = [&] { return api().generate(program.program, "axpy", {{64, 1, 1}, true}).object; };
  const Bytes first = object();
  // So many branches run block by block, and are compiled at another level (docs/architecture.md).
  std::string large = "kernel void large(global int* o) { int v = o[get_global_id(0)]; switch (v) {";
  for (int i = 0; i < 300; ++i) large += "case " + std::to_string(i) + ": v = v * " + std::to_string(i * 7 + 3) + " + 5; break;";
  const LinkResult other = build(large + "} o[get_global_id(0)] = v; }");
  ASSERT_TRUE(other.ok) << other.log;
  ASSERT_TRUE(api().generate(other.program, "large", {{64, 1, 1}, true}).ok);
  EXPECT_EQ(object(), first);
}

TEST(CompilerApi, ReportsErrors) {
  const CompileResult bad = compile("__kernel void k(__global int* x) { x[0] = ; }");
  EXPECT_FALSE(bad.ok);
  EXPECT_NE(bad.log.find("expected expression"), std::string::npos) << bad.log;
  const CompileResult warned = compile("#warning look here\n");
  EXPECT_TRUE(warned.ok);
  EXPECT_NE(warned.log.find("look here"), std::string::npos);
  EXPECT_FALSE(compile("#warning look here\n", "-Werror").ok);
  EXPECT_TRUE(compile("#warning look here\n", "-w -Werror").ok);
  const LinkResult missing = build("void f(int); __kernel void k(int x) { f(x); }");
  EXPECT_FALSE(missing.ok);
  EXPECT_NE(missing.log.find("'f'"), std::string::npos) << missing.log;
  bool invalid = false;
  for (const char* option : {"-cl-no-such-option", "-cl-std=CL2.3"}) {
    EXPECT_FALSE(api().compile("", {}, option, false, &invalid).ok);
    EXPECT_TRUE(invalid);
  }
  const CompileResult object = compile("");
  EXPECT_FALSE(api().link({&object.object}, "-no-such-option", false, &invalid).ok);
  EXPECT_TRUE(invalid);
  const Bytes garbage(100, 7);
  EXPECT_FALSE(api().link({&garbage}, "", false, &invalid).ok);
}

// What both calls say, in one.
TEST(CompilerApi, BuildsInOneCall) {
  const std::string source = std::string("#include \"one_call.h\"\n#warning said\n") + kAxpy;
  const auto folder = std::filesystem::temp_directory_path() / ("weft-api-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "one_call.h") << "#define ONE 1\n";
  const std::string options = "-I " + folder.string();
  const CompileResult object = compile(source, options);
  bool invalid = true;
  const LinkResult linked = api().link({&object.object}, "", false, &invalid);
  const LinkResult built = api().build(source, options, false, &invalid);
  EXPECT_FALSE(invalid);
  ASSERT_TRUE(built.ok) << built.log;
  EXPECT_EQ(built.log, object.log + linked.log);
  EXPECT_NE(built.log.find("said"), std::string::npos);
  // Not the same bytes, as an object written and read has its parts in another order, but the same code.
  ASSERT_EQ(built.kernels.size(), linked.kernels.size());
  for (const KernelInfo& kernel : built.kernels)
    EXPECT_EQ(api().generate(built.program, kernel.name, {}).object, api().generate(linked.program, kernel.name, {}).object) << kernel.name;
  EXPECT_EQ(built.dependencies.size(), object.dependencies.size());
  EXPECT_FALSE(built.dependencies.empty());
  std::filesystem::remove_all(folder);

  const LinkResult wrong = api().build("kernel void k() { nonesuch }", "", false, &invalid);
  EXPECT_FALSE(wrong.ok);
  EXPECT_NE(wrong.log.find("nonesuch"), std::string::npos);
  EXPECT_TRUE(wrong.program.empty());
  EXPECT_FALSE(api().build("", "-no-such-option", false, &invalid).ok);
  EXPECT_TRUE(invalid);
}

TEST(CompilerApi, EmptySourceIsAProgram) {
  const LinkResult program = build("");
  EXPECT_TRUE(program.ok) << program.log;
  EXPECT_TRUE(program.kernels.empty());
}

TEST(CompilerApi, LinksLibrariesAndFindsDuplicates) {
  const CompileResult a = compile("int f(int x) { return x + 1; }");
  const CompileResult b = compile("int f(int x); __kernel void k(__global int* p) { p[0] = f(p[0]); }");
  bool invalid = false;
  const LinkResult library = api().link({&a.object}, "-create-library", false, &invalid);
  ASSERT_TRUE(library.ok) << library.log;
  const LinkResult program = api().link({&library.program, &b.object}, "", false, &invalid);
  EXPECT_TRUE(program.ok) << program.log;
  EXPECT_EQ(program.kernels.size(), 1u);
  const LinkResult twice = api().link({&a.object, &a.object}, "", false, &invalid);
  EXPECT_FALSE(twice.ok);
  EXPECT_NE(twice.log.find("f"), std::string::npos) << twice.log;
}

// For programs that come from outside: what describes them is in their bitcode.
TEST(CompilerApi, DescribesWhatItHasLinked) {
  const LinkResult linked = build(kAxpy);
  const LinkResult described = api().describe(linked.program);
  ASSERT_TRUE(described.ok) << described.log;
  Writer before, after;
  before.value(linked.kernels);
  after.value(described.kernels);
  EXPECT_EQ(before.take(), after.take());
  const LinkResult unlinked = api().describe(compile(kAxpy).object);
  EXPECT_FALSE(unlinked.ok);
  EXPECT_FALSE(unlinked.log.empty());
  const LinkResult garbage = api().describe(Bytes(100, 'x'));
  EXPECT_FALSE(garbage.ok);
  EXPECT_FALSE(garbage.log.empty());
}

TEST(CompilerApi, FindsEmbeddedHeadersAndFiles) {
  const std::vector<Header> headers = {{"deep/one.h", "#include \"two.h\"\n"},
                                       {"deep/two.h", "#define VALUE 2\n"}};
  const std::string source = "#include <deep/one.h>\n__kernel void k(__global int* p) { p[0] = VALUE; }";
  const CompileResult embedded = compile(source, "", headers);
  EXPECT_TRUE(embedded.ok) << embedded.log;
  // Clang looks for a folder of its own headers in the working folder.
  for (const Dependency& dependency : embedded.dependencies)
    if (dependency.kind == DependencyKind::kText || dependency.kind == DependencyKind::kPresent) ADD_FAILURE() << static_cast<int>(dependency.kind) << ' ' << dependency.path;

  const auto folder = std::filesystem::temp_directory_path() / ("weft api test " + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "on disk.h") << "#define VALUE 3\n";
  const std::string option = "-I \"" + folder.string() + "\"";
  const CompileResult on_disk = compile("#include \"on disk.h\"\nint value = 0 * VALUE;", option);
  EXPECT_FALSE(on_disk.ok);  // a global variable outside __constant
  const CompileResult read = compile("#include \"on disk.h\"\n__constant int value = VALUE;", option);
  EXPECT_TRUE(read.ok) << read.log;
  const auto of_kind = [&](const CompileResult& result, DependencyKind kind) {
    std::vector<Dependency> found;
    for (const Dependency& dependency : result.dependencies)
      if (dependency.kind == kind) found.push_back(dependency);
    return found;
  };
  const auto texts = of_kind(read, DependencyKind::kText);
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].path, (folder / "on disk.h").string());
  EXPECT_EQ(texts[0].content_hash, 0xc42bfac5ff10bd4cu);  // XXH3, as the runtime computes it
  EXPECT_EQ(of_kind(read, DependencyKind::kPresent).size(), 0u);
  EXPECT_EQ(of_kind(read, DependencyKind::kClock).size(), 0u);

  const CompileResult looked = compile("#if __has_include(\"absent.h\") || __has_include(\"on disk.h\")\n#endif\n", option);
  EXPECT_TRUE(looked.ok) << looked.log;
  const auto present = of_kind(looked, DependencyKind::kPresent);
  ASSERT_EQ(present.size(), 1u);
  EXPECT_EQ(present[0].path, texts[0].path);
  const auto absent = of_kind(looked, DependencyKind::kAbsent);
  EXPECT_TRUE(std::any_of(absent.begin(), absent.end(), [&](const Dependency& d) { return d.path == (folder / "absent.h").string(); }));

  const CompileResult embeds = compile("__constant unsigned char text[] = {\n#embed \"" + texts[0].path + "\"\n};");
  EXPECT_TRUE(embeds.ok) << embeds.log;
  ASSERT_EQ(of_kind(embeds, DependencyKind::kText).size(), 1u);
  EXPECT_EQ(of_kind(embeds, DependencyKind::kText)[0].content_hash, texts[0].content_hash);

  const CompileResult timed = compile("__constant char now[] = __TIME__;", option);
  EXPECT_TRUE(timed.ok) << timed.log;
  ASSERT_EQ(timed.dependencies.size(), 1u);
  EXPECT_EQ(timed.dependencies[0].kind, DependencyKind::kClock);
  std::filesystem::remove_all(folder);
}

TEST(CompilerApi, DeepExpressionsNeedNoDeepStackOfTheCaller) {
  std::string sum = "x[0]";
  for (int i = 0; i < 3000; ++i) sum += " + x[" + std::to_string(i % 7) + "]";
  const LinkResult program = build("__kernel void k(__global int* x) { x[0] = " + sum + "; }");
  EXPECT_TRUE(program.ok) << program.log;
}

TEST(CompilerApi, ServesManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t] {
      const LinkResult program = build("__kernel void k(__global float* p) { p[get_global_id(0)] = sqrt(p[" +
                                       std::to_string(t) + "]); }");
      EXPECT_TRUE(program.ok) << program.log;
      const GenerateResult code = api().generate(program.program, "k", {{32, 1, 1}, true});
      EXPECT_TRUE(code.ok) << code.log;
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft::compiler
