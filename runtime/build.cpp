#include "runtime/build.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

#include "runtime/cache.h"
#include "runtime/compiler_loader.h"
#include "runtime/dump.h"
#include "runtime/hash.h"
#include "runtime/serialize.h"

namespace weft::runtime {
namespace {

using Dependencies = std::vector<compiler::Dependency>;

bool is_unchanged(const compiler::Dependency& dependency) {
  std::ifstream file(dependency.path, std::ios::binary);
  if (!file) return false;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return content_hash(text) == dependency.content_hash;
}

void store(const Hash& key, const BuildResult& result, const Dependencies& dependencies) {
  Writer out;
  out.value(dependencies);
  out.value(result);
  Cache::instance().put(key, out.take());
}

std::optional<BuildResult> find(const Hash& key) {
  const auto data = Cache::instance().get(key);
  if (!data) return std::nullopt;
  Reader in(*data);
  // An included file that has changed: compile again, which replaces the entry.
  const auto dependencies = in.value<Dependencies>();
  if (!std::all_of(dependencies.begin(), dependencies.end(), is_unchanged)) return std::nullopt;
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

/// What the linker gave, behind the log so far; kept in the cache if it is a program.
BuildResult finish(const Hash& key, std::string log, compiler::LinkResult linked, const Dependencies& dependencies) {
  BuildResult result{linked.ok, std::move(log) + linked.log, std::move(linked.program), std::move(linked.kernels)};
  if (result.ok) store(key, result, dependencies);
  return result;
}

Hasher key_for(std::string_view step) {
  Hasher key;
  key.field(step).field(compiler_identity());
  return key;
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

  const auto& api = compiler_api();
  auto compiled = api.compile(source, {}, options, kLineTables, nullptr);
  if (!compiled.ok) return {false, std::move(compiled.log), {}, {}};
  return finish(key, std::move(compiled.log), api.link({&compiled.object}, "", false, nullptr), compiled.dependencies);
}

BuildResult link(const std::vector<const compiler::Bytes*>& objects, const std::string& options,
                 bool create_library) {
  Hasher hasher = key_for("link");
  hasher.field(options).field(create_library).field(objects.size());
  for (const auto* object : objects) hasher.field(*object);
  const Hash key = hasher.finish();
  if (auto found = find(key)) return *std::move(found);

  return finish(key, "", compiler_api().link(objects, options, create_library, nullptr), {});
}

}  // namespace weft::runtime
