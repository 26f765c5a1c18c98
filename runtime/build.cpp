#include "runtime/build.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>

#include "device/code.h"
#include "runtime/cache.h"
#include "runtime/compiler_loader.h"
#include "runtime/dependencies.h"
#include "runtime/dump.h"
#include "runtime/hash.h"
#include "compiler/serialize.h"

namespace weft::runtime {
namespace {

using compiler::Reader;
using compiler::Writer;

void store(const Hash& key, const BuildResult& result, const Dependencies& dependencies) {
  if (!may_be_kept(dependencies)) return;
  Writer out;
  out.value(dependencies);
  out.value(result);
  Cache::instance().put(key, out.take());
}

std::optional<BuildResult> find(const Hash& key) {
  const auto data = Cache::instance().get(key);
  if (!data) return std::nullopt;
  Reader in(*data);
  // What has changed on disk: compile again, which replaces the entry.
  const auto dependencies = in.value<Dependencies>();
  if (!are_unchanged(dependencies)) return std::nullopt;
  auto result = in.value<BuildResult>();
  if (!in.done()) {
    Cache::instance().remove(key);
    return std::nullopt;
  }
  return result;
}

/// Where a search for included files starts; it matters to programs that include any.
void add_working_folder(Hasher& key, const std::string& source,
                        const std::vector<compiler::Header>& headers) {
  bool includes = source.find("include") != source.npos;
  for (const auto& header : headers) includes |= header.text.find("include") != header.text.npos;
  if (!includes) return;
  const std::unique_ptr<char, decltype(&std::free)> here(getcwd(nullptr, 0), &std::free);
  key.field(here ? here.get() : "");
}

/// Fails a build with a kernel that has no code: its launch could only say so when it has long returned.
void try_unusual_kernels(BuildResult& result) {
  compiler::Specialization plain;
  plain.required_only = true;  // what launches run where there is no other code
  for (const compiler::KernelInfo& kernel : result.kernels) {
    if (!kernel.is_unusual) continue;
    const auto generated = compiler_api().generate(result.bitcode, kernel.name, plain);
    std::string error = generated.log;
    if (generated.ok && device::Code::load(generated.object, generated.symbol, {}, &error)) continue;
    result.ok = false;
    result.log += "error: no code can be made of kernel '" + kernel.name + "': " + error + "\n";
  }
  if (result.ok) return;
  result.bitcode.clear();
  result.kernels.clear();
}

/// What the linker gave, behind the log so far; kept in the cache if it is a program.
BuildResult finish(const Hash& key, std::string log, compiler::LinkResult linked) {
  BuildResult result{linked.ok, std::move(log) + linked.log, std::move(linked.program), std::move(linked.kernels), std::move(linked.memory)};
  try_unusual_kernels(result);
  if (result.ok) store(key, result, linked.dependencies);
  return result;
}

Hasher key_for(std::string_view step) {
  Hasher key;
  key.field(step).field(compiler_identity());
  return key;
}

Hash key_for_module(std::string_view step, const compiler::Bytes& module, const std::vector<compiler::SpecConstant>& constants,
                    const std::string& options) {
  Hasher key = key_for(step);
  key.field(module).field(options).field(constants.size());
  for (const auto& constant : constants) key.field(constant);
  return key.finish();
}

/// Always: a queue that asks for counters may come after the build, and lines cost the build 1 % and the machine code nothing.
constexpr bool kLineTables = true;

}  // namespace

BuildResult compile(const std::string& source, const std::vector<compiler::Header>& headers,
                    const std::string& options) {
  Hasher hasher = key_for("compile");
  hasher.field(source).field(options).field(headers.size());
  for (const auto& header : headers) hasher.field(header);
  add_working_folder(hasher, source, headers);
  const Hash key = hasher.finish();
  dump_source(key, source, options);
  if (auto found = find(key)) return *std::move(found);

  BuildResult result;
  auto compiled = compiler_api().compile(source, headers, options, kLineTables, nullptr);
  result.ok = compiled.ok;
  result.log = std::move(compiled.log);
  result.bitcode = std::move(compiled.object);
  if (result.ok) store(key, result, compiled.dependencies);
  return result;
}

BuildResult compile_and_link(const std::string& source, const std::string& options) {
  Hasher hasher = key_for("build");
  hasher.field(source).field(options);
  add_working_folder(hasher, source, {});
  const Hash key = hasher.finish();
  dump_source(key, source, options);
  if (auto found = find(key)) return *std::move(found);

  return finish(key, "", compiler_api().build(source, options, kLineTables, nullptr));
}

BuildResult translate(const compiler::Bytes& module, const std::vector<compiler::SpecConstant>& constants, const std::string& options) {
  const Hash key = key_for_module("translate", module, constants, options);
  if (auto found = find(key)) return *std::move(found);

  auto translated = compiler_api().translate(module, constants, options, nullptr);
  BuildResult result{translated.ok, std::move(translated.log), std::move(translated.object), {}, {}};
  if (result.ok) store(key, result, {});
  return result;
}

BuildResult translate_and_link(const compiler::Bytes& module, const std::vector<compiler::SpecConstant>& constants,
                               const std::string& options) {
  const Hash key = key_for_module("translate and link", module, constants, options);
  if (auto found = find(key)) return *std::move(found);

  const auto& api = compiler_api();
  auto translated = api.translate(module, constants, options, nullptr);
  if (!translated.ok) return {false, std::move(translated.log), {}, {}, {}};
  return finish(key, std::move(translated.log), api.link({&translated.object}, "", false, nullptr));
}

BuildResult link(const std::vector<const compiler::Bytes*>& objects, const std::string& options,
                 bool create_library) {
  Hasher hasher = key_for("link");
  hasher.field(options).field(create_library).field(objects.size());
  for (const auto* object : objects) hasher.field(*object);
  const Hash key = hasher.finish();
  if (auto found = find(key)) return *std::move(found);

  return finish(key, "", compiler_api().link(objects, options, create_library, nullptr));
}

BuildResult describe(const compiler::Bytes& program) {
  const Hash key = key_for("describe").field(program).finish();
  if (auto found = find(key)) return *std::move(found);

  auto described = compiler_api().describe(program);
  if (described.ok) described.program = program;
  return finish(key, "", std::move(described));
}

}  // namespace weft::runtime
