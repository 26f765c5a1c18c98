#include "compiler/linker/builtin_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "compiler/linker/library_format.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace weft::compiler::linker {
namespace {

constexpr char kFileName[] = "weft-builtins.bc";

/// Folder of the shared object (or executable) that holds this code.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return ".";
  llvm::SmallString<256> path;
  // A program's own name may be relative to a folder that it has left.
  if (llvm::sys::fs::real_path(info.dli_fname, path) && llvm::sys::fs::real_path("/proc/self/exe", path))
    return ".";
  return llvm::sys::path::parent_path(path).str();
}

/// The archive, mapped at first use and kept.
class Library {
 public:
  Library() {
    const std::string folder = own_folder();
    // Beside libweft-compiler.so; from weftc in bin, in the library folder beside it.
    for (const char* relative : {"", "../lib", "../lib/x86_64-linux-gnu"}) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, relative, kFileName);
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      if (!buffer) continue;
      buffer_ = std::move(*buffer);
      if (!check()) error_ = "error: '" + path.str().str() + "' is damaged or of another version\n";
      return;
    }
    error_ = "error: cannot read '" + folder + "/" + kFileName + "'\n";
  }

  const std::string& error() const { return error_; }
  llvm::StringRef bytes() const { return buffer_ ? buffer_->getBuffer() : llvm::StringRef(); }

  /// Number of the module that defines `name`, or -1.
  int find(llvm::StringRef name) const {
    const std::uint64_t hash = llvm::xxh3_64bits(name);
    const auto* symbol =
        std::lower_bound(symbols_, symbols_ + header_.symbols, hash,
                         [](const library_format::Symbol& s, std::uint64_t h) { return s.hash < h; });
    return symbol != symbols_ + header_.symbols && symbol->hash == hash ? static_cast<int>(symbol->member)
                                                                        : -1;
  }

  llvm::MemoryBufferRef member(int i) const {
    return {bytes().substr(members_[i].offset, members_[i].size), kFileName};
  }

 private:
  bool check() {
    if (bytes().size() < sizeof(header_)) return false;
    std::memcpy(&header_, bytes().data(), sizeof(header_));
    if (std::memcmp(header_.magic, library_format::kMagic, sizeof(header_.magic)) != 0) return false;
    symbols_ = reinterpret_cast<const library_format::Symbol*>(bytes().data() + sizeof(header_));
    members_ = reinterpret_cast<const library_format::Member*>(symbols_ + header_.symbols);
    return reinterpret_cast<const char*>(members_ + header_.members) <= bytes().end();
  }

  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::string error_;
  library_format::Header header_{};
  const library_format::Symbol* symbols_ = nullptr;
  const library_format::Member* members_ = nullptr;
};

const Library& library() {
  static const Library instance;
  return instance;
}

}  // namespace

llvm::Error link_library(llvm::Module& program) {
  if (!library().error().empty()) return llvm::createStringError(library().error());
  llvm::Linker linker(program);
  // By name, not by member: another overload of a member linked before may be needed later.
  std::set<std::string> looked_up;
  for (bool more = true; more;) {
    more = false;
    std::set<int> needed;
    for (const llvm::Function& function : program) {
      if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
      if (const int member = library().find(function.getName());
          member >= 0 && looked_up.insert(function.getName().str()).second)
        needed.insert(member);
    }
    for (const int member : needed) {
      auto module = llvm::getLazyBitcodeModule(library().member(member), program.getContext());
      if (!module) return module.takeError();
      if (linker.linkInModule(std::move(*module), llvm::Linker::LinkOnlyNeeded))
        return llvm::createStringError("error: the builtins cannot be linked\n");
      more = true;
    }
  }
  return llvm::Error::success();
}

std::uint64_t library_hash() { return llvm::xxh3_64bits(library().bytes()); }

}  // namespace weft::compiler::linker
