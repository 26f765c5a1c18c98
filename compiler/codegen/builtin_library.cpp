#include "compiler/codegen/builtin_library.h"

#include <dlfcn.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace weft::compiler::codegen {
namespace {

constexpr char kFileName[] = "weft-builtins.bc";

struct Library {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::string error;
};

Library open_library() {
  Library library;
  const std::string folder = own_folder();
  // Beside libweft-compiler.so; from weftc in bin, in the lib folder beside it.
  for (const char* relative : {"", "../lib", "../lib/x86_64-linux-gnu"}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, relative, kFileName);
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (buffer) {
      library.buffer = std::move(*buffer);
      return library;
    }
  }
  library.error = "cannot read " + folder + "/" + kFileName;
  return library;
}

const Library& library() {
  static const Library instance = open_library();
  return instance;
}

}  // namespace

std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return ".";
  llvm::SmallString<256> path;
  // A program's own name may be relative to a folder that it has left.
  if (llvm::sys::fs::real_path(info.dli_fname, path) &&
      llvm::sys::fs::real_path("/proc/self/exe", path))
    return ".";
  return llvm::sys::path::parent_path(path).str();
}

llvm::Expected<std::unique_ptr<llvm::Module>> load_builtins(llvm::LLVMContext& context) {
  const Library& file = library();
  if (file.buffer == nullptr) return llvm::createStringError(file.error);
  return llvm::getLazyBitcodeModule(file.buffer->getMemBufferRef(), context, /*ShouldLazyLoadMetadata=*/true);
}

std::uint64_t builtins_hash() {
  const Library& file = library();
  return file.buffer == nullptr ? 0 : llvm::xxh3_64bits(file.buffer->getBuffer());
}

}  // namespace weft::compiler::codegen
