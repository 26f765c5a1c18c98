// A cache on disk of a test's own.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "api/fixture.h"

namespace weft::conformance {

/// An empty folder that is Weft's cache, turned on, while this lives. The platform reads where its cache lies when it is first asked:
/// a test with this skips itself where `comes_too_late`.
class CacheFolder {
 public:
  CacheFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-cache-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no folder can be made at " + name);
    path_ = name;
    folder_.set(path_.c_str());
    turned_on_.set("1");
  }
  ~CacheFolder() {
    std::error_code error;  // what a test mounted or forbade may stay
    std::filesystem::remove_all(path_, error);
  }

  static bool comes_too_late() { return platform_was_asked(); }

  const std::filesystem::path& path() const { return path_; }

 private:
  /// A variable of the environment that has another value for a while.
  class Variable {
   public:
    explicit Variable(const char* name) : name_(name) {
      if (const char* const value = std::getenv(name)) before_ = value;
    }
    ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    void set(const char* value) { setenv(name_, value, 1); }

   private:
    const char* name_;
    std::optional<std::string> before_;
  };

  Variable folder_{"WEFT_CACHE_DIR"}, turned_on_{"WEFT_CACHE"};
  std::filesystem::path path_;
};

}  // namespace weft::conformance
