#include "runtime/compiler_loader.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "device/kernel_abi.h"
#include "runtime/compiler_process.h"
#include "runtime/error.h"
#include "runtime/options.h"

namespace weft::runtime {

std::string folder_of_this_library() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&folder_of_this_library), &info) || !info.dli_fname) return ".";
  const std::string_view path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : std::string(path.substr(0, slash));
}

namespace {

std::string compiler_path() {
  const std::string& asked = options().compiler;
  return asked.empty() ? folder_of_this_library() + "/libweft-compiler.so" : asked;
}

constexpr const char* kTranslator = "libweft-spirv.so";

std::string beside_compiler(const char* file) {
  const std::string path = compiler_path();
  return path.substr(0, path.rfind('/') + 1) + file;
}

/// Adds the linker's build-id note of an ELF file, if it has one, to the hash.
void add_build_id(Hasher& hasher, int file) {
  Elf64_Ehdr elf;
  if (pread(file, &elf, sizeof elf, 0) != sizeof elf || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0)
    return;
  if (elf.e_phentsize != sizeof(Elf64_Phdr)) return;
  for (unsigned i = 0; i < elf.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (pread(file, &segment, sizeof segment, static_cast<off_t>(elf.e_phoff + i * sizeof segment)) !=
        sizeof segment)
      return;
    if (segment.p_type != PT_NOTE || segment.p_filesz > 4096) continue;
    std::vector<std::uint8_t> notes(segment.p_filesz);
    const ssize_t got = pread(file, notes.data(), notes.size(), static_cast<off_t>(segment.p_offset));
    if (got == static_cast<ssize_t>(notes.size())) hasher.field(notes);
  }
}

void add_file(Hasher& hasher, const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    hasher.field("absent");
    if (file >= 0) close(file);
    return;
  }
  hasher.field(static_cast<std::uint64_t>(status.st_size));
  hasher.field(static_cast<std::uint64_t>(status.st_mtim.tv_sec))
      .field(static_cast<std::uint64_t>(status.st_mtim.tv_nsec));
  add_build_id(hasher, file);
  close(file);
}

void add_processor(Hasher& hasher) {
  const auto leaf = [&](unsigned number, unsigned sub_leaf) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(number, sub_leaf, &a, &b, &c, &d);
    if (number == 1) b = 0;  // names the core that asks
    hasher.field(a).field(b).field(c).field(d);
  };
  leaf(0, 0);
  leaf(1, 0);
  leaf(7, 0);
  leaf(7, 1);
  leaf(0x80000001, 0);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE)) {
    // Registers that the operating system saves: without them AVX is of no use.
    unsigned low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    hasher.field(low).field(high);
  }
}

compiler::Options compiler_options() {
  compiler::Options result;
#define WEFT_OPTION(type, name, variable, fallback, meaning) result.name = options().name;
#include "compiler/options.def"
#undef WEFT_OPTION
  return result;
}

/// The compiler, or why there is none.
struct Loaded {
  const compiler::Api* api = nullptr;
  NoCompiler problem{{CL_COMPILER_NOT_AVAILABLE}, false, {}};
};

Loaded load() {
  Loaded loaded;
  const std::string path = compiler_path();
  std::string error;
  auto process = options().compiler_process ? start_compiler_process(path, compiler_options()) : std::nullopt;
  if (process) {
    loaded.api = process->api;
    loaded.problem.refuses_options = process->refuses_options;
    error = process->error;
  } else if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    error = "it is no compiler of Weft's";
    if (const auto get = reinterpret_cast<compiler::GetApi>(dlsym(library, "weft_compiler_api")))
      loaded.api = get(compiler::kApiVersion, compiler_options(), loaded.problem.refuses_options, error);
    if (!loaded.problem.refuses_options) error = "no compiler (" + path + "): " + error;
  } else {
    error = std::string("no compiler: ") + dlerror();
  }
  if (loaded.api) return loaded;
  std::fprintf(stderr, "weft: %s\n", error.c_str());
  loaded.problem.text = "error: " + error + "\n";
  return loaded;
}

}  // namespace

const compiler::Api& compiler_api() {
  static const Loaded& loaded = *new Loaded(load());  // never destroyed: threads may build while the process exits
  if (!loaded.api) throw loaded.problem;
  return *loaded.api;
}

bool reads_spirv() {
  static const bool result = access(beside_compiler(kTranslator).c_str(), R_OK) == 0;
  return result;
}

const Hash& compiler_identity() {
  static const Hash identity = [] {
    Hasher hasher;
    hasher.field(compiler::kApiVersion).field(abi::kAbiVersion);
    const std::string path = compiler_path();
    add_file(hasher, path);
    add_file(hasher, beside_compiler("weft-builtins.a"));
    add_file(hasher, beside_compiler(kTranslator));
    add_processor(hasher);
    return hasher.field(compiler_options()).finish();
  }();
  return identity;
}

}  // namespace weft::runtime
