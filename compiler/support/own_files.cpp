#include "compiler/support/own_files.h"

#include <dlfcn.h>
#include <unistd.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace weft::compiler::support {
namespace {

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

}  // namespace

std::vector<std::string> places_of_own_file(const char* name) {
  const std::string folder = own_folder();
  std::vector<std::string> places;
  for (const char* relative : {"", "../lib", "../" WEFT_LIBRARY_FOLDER}) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, relative, name);
    places.push_back(path.str().str());
  }
  return places;
}

bool has_translator() {
  static const bool result = llvm::any_of(places_of_own_file(kTranslator), [](const std::string& path) { return access(path.c_str(), R_OK) == 0; });
  return result;
}

}  // namespace weft::compiler::support
