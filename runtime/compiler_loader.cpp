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
#include "runtime/error.h"
#include "runtime/options.h"

namespace weft::runtime {
namespace {

std::string folder_of_this_library() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&folder_of_this_library), &info) || !info.dli_fname) return ".";
  const std::string_view path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : std::string(path.substr(0, slash));
}

std::string compiler_path() {
  const std::string& asked = options().compiler;
  return asked.empty() ? folder_of_this_library() + "/libweft-compiler.so" : asked;
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

const compiler::Api* load() {
  const std::string path = compiler_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "weft: no compiler: %s\n", dlerror());
    return nullptr;
  }
  const auto get = reinterpret_cast<compiler::GetApi>(dlsym(library, "weft_compiler_api"));
  std::string error = "it is no compiler of Weft's";
  const compiler::Api* api = get ? get(compiler::kApiVersion, compiler_options(), error) : nullptr;
  if (!api) std::fprintf(stderr, "weft: no compiler (%s): %s\n", path.c_str(), error.c_str());
  return api;
}

}  // namespace

const compiler::Api& compiler_api() {
  static const compiler::Api* const api = load();
  require(api != nullptr, CL_COMPILER_NOT_AVAILABLE);
  return *api;
}

const Hash& compiler_identity() {
  static const Hash identity = [] {
    Hasher hasher;
    hasher.field(compiler::kApiVersion).field(abi::kAbiVersion);
    const std::string path = compiler_path();
    add_file(hasher, path);
    add_file(hasher, path.substr(0, path.rfind('/') + 1) + "weft-builtins.a");
    add_processor(hasher);
    return hasher.field(compiler_options()).finish();
  }();
  return identity;
}

}  // namespace weft::runtime
