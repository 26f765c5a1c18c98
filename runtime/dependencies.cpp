#include "runtime/dependencies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>

#include "runtime/hash.h"

namespace weft::runtime {
namespace {

using compiler::DependencyKind;

bool has_hash(const compiler::Dependency& dependency) {
  const int file = open(dependency.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return false;
  std::string text;
  struct stat status;
  bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  if (good) {
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t read = 0;
    while (read < text.size()) {
      const ssize_t got = ::read(file, text.data() + read, text.size() - read);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      read += static_cast<std::size_t>(got);
    }
    good = read == text.size();
  }
  close(file);
  return good && content_hash(text) == dependency.content_hash;
}

bool is_unchanged(const compiler::Dependency& dependency) {
  struct stat status;
  switch (dependency.kind) {
    case DependencyKind::kText:
      return has_hash(dependency);
    case DependencyKind::kPresent:
      return stat(dependency.path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
    case DependencyKind::kAbsent:
      return stat(dependency.path.c_str(), &status) != 0;
    case DependencyKind::kWorkingFolder: {
      const std::unique_ptr<char, decltype(&std::free)> here(getcwd(nullptr, 0), &std::free);
      return here && dependency.path == here.get();
    }
    case DependencyKind::kClock:
      return false;
  }
  return false;
}

}  // namespace

bool may_be_kept(const Dependencies& dependencies) {
  return std::none_of(dependencies.begin(), dependencies.end(),
                      [](const auto& dependency) { return dependency.kind == DependencyKind::kClock; });
}

bool are_unchanged(const Dependencies& dependencies) {
  return std::all_of(dependencies.begin(), dependencies.end(), is_unchanged);
}

}  // namespace weft::runtime
