// What a compilation asked of the file system and of the clock: what its result depends on beside its arguments.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "compiler/compiler_api.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace weft::compiler::frontend {

/// Filled while Clang runs, by the file system and the preprocessor that it watches.
class Lookups {
 public:
  /// `below`, with every question that is asked of it noted. This must outlive the result.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> watch(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below);
  void watch(clang::Preprocessor& preprocessor);

  /// Once Clang is done: `sources` are the texts that it read.
  std::vector<Dependency> dependencies(const clang::SourceManager& sources) const;

 private:
  class FileSystem;
  class Macros;

  llvm::StringMap<std::optional<llvm::sys::fs::UniqueID>> found_;  ///< by absolute path: the file that was there
  std::map<llvm::sys::fs::UniqueID, std::uint64_t> embedded_;      ///< hashes of what #embed read
  bool relative_ = false;        ///< a path was one from the working folder
  bool includes_ = false;        ///< the source asked for any file
  bool reads_clock_ = false;     ///< __DATE__ and its like
};

}  // namespace weft::compiler::frontend
