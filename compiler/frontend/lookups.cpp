#include "compiler/frontend/lookups.h"

#include <tuple>

#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace weft::compiler::frontend {
namespace {

constexpr char kVirtualRoot[] = "/<weft>/";

}  // namespace

class Lookups::FileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  FileSystem(Lookups& lookups, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below)
      : ProxyFileSystem(std::move(below)), lookups_(lookups) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    note(path, status);
    return status;
  }
  bool exists(const llvm::Twine& path) override { return bool(status(path)); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    note(path, file ? (*file)->status() : llvm::ErrorOr<llvm::vfs::Status>(file.getError()));
    return file;
  }

 private:
  void note(const llvm::Twine& path, const llvm::ErrorOr<llvm::vfs::Status>& status) {
    // That a folder is there says nothing yet: files are asked for in it.
    if (status && status->isDirectory()) return;
    llvm::SmallString<256> absolute;
    path.toVector(absolute);
    if (absolute.starts_with(kVirtualRoot)) return;  // embedded headers are arguments
    lookups_.relative_ |= !llvm::sys::path::is_absolute(absolute);
    if (makeAbsolute(absolute)) return;
    lookups_.found_.try_emplace(absolute, status ? std::optional(status->getUniqueID()) : std::nullopt);
  }

  Lookups& lookups_;
};

class Lookups::Macros : public clang::PPCallbacks {
 public:
  Macros(Lookups& lookups, clang::FileManager& files) : lookups_(lookups), files_(files) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition, clang::SourceRange,
                    const clang::MacroArgs*) override {
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (macro == nullptr || !macro->isBuiltinMacro()) return;
    const llvm::StringRef text = name.getIdentifierInfo()->getName();
    lookups_.reads_clock_ |= text == "__DATE__" || text == "__TIME__" || text == "__TIMESTAMP__";
  }
  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef name, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, llvm::StringRef, llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    lookups_.includes_ |= !name.starts_with(kVirtualRoot);
  }
  void EmbedDirective(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef file,
                      const clang::LexEmbedParametersResult&) override {
    lookups_.includes_ = true;
    if (!file) return;
    // No text of the source manager's. What is no regular file has something else the next time.
    const auto status = files_.getVirtualFileSystem().status(file->getName());
    if (status && status->isRegularFile())
      if (const auto text = files_.getBufferForFile(*file)) {
        lookups_.embedded_[file->getUniqueID()] = llvm::xxh3_64bits((*text)->getBuffer());
        return;
      }
    lookups_.reads_clock_ = true;
  }
  void HasEmbed(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef) override { lookups_.includes_ = true; }
  void HasInclude(clang::SourceLocation, llvm::StringRef, bool, clang::OptionalFileEntryRef,
                  clang::SrcMgr::CharacteristicKind) override {
    lookups_.includes_ = true;
  }

 private:
  Lookups& lookups_;
  clang::FileManager& files_;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Lookups::watch(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below) {
  return llvm::makeIntrusiveRefCnt<FileSystem>(*this, std::move(below));
}

void Lookups::watch(clang::Preprocessor& preprocessor) { preprocessor.addPPCallbacks(std::make_unique<Macros>(*this, preprocessor.getFileManager())); }

std::vector<Dependency> Lookups::dependencies(const clang::SourceManager& sources) const {
  std::vector<Dependency> result;
  if (reads_clock_) result.push_back({DependencyKind::kClock, "", 0});
  // The folders of -I are looked at for every source.
  if (!includes_) return result;
  // By identity: Clang knows a file that it has met under two names by one of them.
  std::map<llvm::sys::fs::UniqueID, std::uint64_t> texts = embedded_;
  for (auto i = sources.fileinfo_begin(), end = sources.fileinfo_end(); i != end; ++i)
    if (const std::optional<llvm::StringRef> text = i->second->getBufferDataIfLoaded())
      texts[i->first.getUniqueID()] = llvm::xxh3_64bits(*text);
  for (const auto& file : found_) {
    const std::string path = file.getKey().str();
    if (!file.getValue()) {
      result.push_back({DependencyKind::kAbsent, path, 0});
    } else if (const auto text = texts.find(*file.getValue()); text != texts.end()) {
      result.push_back({DependencyKind::kText, path, text->second});
    } else {
      result.push_back({DependencyKind::kPresent, path, 0});
    }
  }
  if (llvm::SmallString<256> folder; relative_ && !llvm::sys::fs::current_path(folder))
    result.push_back({DependencyKind::kWorkingFolder, folder.str().str(), 0});
  llvm::sort(result, [](const Dependency& a, const Dependency& b) { return std::tie(a.kind, a.path) < std::tie(b.kind, b.path); });
  return result;
}

}  // namespace weft::compiler::frontend
