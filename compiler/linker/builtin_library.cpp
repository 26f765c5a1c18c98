#include "compiler/linker/builtin_library.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/linker/sorted_symbols.h"
#include "compiler/support/own_files.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace weft::compiler::linker {
namespace {

constexpr char kFileName[] = "weft-builtins.a";

/// The archive, mapped at first use and kept.
class Library {
 public:
  Library() {
    const std::vector<std::string> places = support::places_of_own_file(kFileName);
    for (const std::string& path : places) {
      auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
      if (!buffer) continue;
      buffer_ = std::move(*buffer);
      auto archive = llvm::object::Archive::create(*buffer_);
      if (!archive) {
        error_ = "error: '" + path + "' is damaged: " + llvm::toString(archive.takeError()) + "\n";
      } else if (!SortedSymbols::are_in(**archive)) {
        error_ = "error: '" + path + "' is of another version\n";
      } else {
        archive_ = std::move(*archive);
      }
      return;
    }
    error_ = "error: cannot read '" + places.front() + "'\n";
  }

  const std::string& error() const { return error_; }
  llvm::StringRef bytes() const { return buffer_ ? buffer_->getBuffer() : llvm::StringRef(); }

  const llvm::object::Archive& archive() const { return *archive_; }

 private:
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::unique_ptr<llvm::object::Archive> archive_;
  std::string error_;
};

const Library& library() {
  static const Library instance;
  return instance;
}

}  // namespace

llvm::Error link_library(llvm::Module& program) {
  if (!library().error().empty()) return llvm::createStringError(library().error());
  const SortedSymbols symbols(library().archive());
  llvm::Linker linker(program);
  // By name, not by member: another overload of a member linked before may be needed later.
  std::set<std::string> looked_up;
  for (bool more = true; more;) {
    more = false;
    std::map<std::uint64_t, llvm::MemoryBufferRef> needed;  // by their places in the archive
    for (const llvm::Function& function : program) {
      if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
      const auto symbol = symbols.find(function.getName());
      if (!symbol || !looked_up.insert(function.getName().str()).second) continue;
      auto member = symbol->getMember();
      if (!member) return member.takeError();
      auto bitcode = member->getMemoryBufferRef();
      if (!bitcode) return bitcode.takeError();
      needed.try_emplace(member->getChildOffset(), *bitcode);
    }
    for (const auto& [place, bitcode] : needed) {
      auto module = llvm::getLazyBitcodeModule(bitcode, program.getContext());
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
