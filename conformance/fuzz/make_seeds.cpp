// make_seeds FOLDER SOURCE...: what the targets `binary` and `cache_entry` begin from, made of sources that build: in FOLDER/binary
// and FOLDER/cache_entry, named by number.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/serialize.h"
#include "fuzz/inputs.h"
#include "runtime/build.h"
#include "runtime/compiler_loader.h"
#include "runtime/dependencies.h"
#include "runtime/program_binary.h"

using namespace weft;

namespace {

class Seeds {
 public:
  explicit Seeds(const std::filesystem::path& folder) : folder_(folder) { std::filesystem::create_directories(folder); }

  void add(fuzz::Input kind, const compiler::Bytes& data) {
    std::ofstream file(folder_ / std::to_string(count_++), std::ios::binary);
    file.put(static_cast<char>(kind));
    file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  }

 private:
  std::filesystem::path folder_;
  int count_ = 0;
};

template <class... Values>
compiler::Bytes bytes_of(const Values&... values) {
  compiler::Writer out;
  (out.value(values), ...);
  return out.take();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "make_seeds FOLDER SOURCE...\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  Seeds binaries(folder / "binary"), entries(folder / "cache_entry");
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i]);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    const runtime::BuildResult object = runtime::compile(source, {}, ""), program = runtime::compile_and_link(source, "");
    if (!object.ok || !program.ok) {
      std::fprintf(stderr, "%s: does not build\n", argv[i]);
      continue;
    }
    binaries.add(fuzz::Input::kWhole, bytes_of(runtime::ProgramBinary{CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "-w", program.bitcode}));
    binaries.add(fuzz::Input::kProgram, program.bitcode);
    binaries.add(fuzz::Input::kObject, object.bitcode);
    const runtime::Dependencies dependencies = {{compiler::DependencyKind::kAbsent, "/no/header.h", 0},
                                                {compiler::DependencyKind::kText, "/etc/hostname", 1}};
    entries.add(fuzz::Input::kWhole, bytes_of(dependencies, program));
    for (const compiler::KernelInfo& kernel : program.kernels) {
      const compiler::GenerateResult code = runtime::compiler_api().generate(program.bitcode, kernel.name, {});
      if (!code.ok) continue;
      entries.add(fuzz::Input::kProgram, bytes_of(code));
      entries.add(fuzz::Input::kObject, code.object);
      break;
    }
  }
  return 0;
}
