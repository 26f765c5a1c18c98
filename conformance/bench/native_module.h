// The cases in C++ for a processor (native/), loaded as a module, as one more peer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/case.h"
#include "bench/native/native.h"

namespace weft::bench {

/// A shared module of native code, open as long as the process.
class NativeModule {
 public:
  /// Null if weft-bench was built without, or this machine cannot run code for `processor` (native, haswell or nehalem). Throws
  /// std::runtime_error if there is no module for it.
  static std::unique_ptr<NativeModule> load(const std::string& processor);

  /// The code for the case's kernel, or null if nobody wrote any.
  native::Function* function_of(const Case& c) const;
  /// Around a round of a peer's calls: OpenMP's threads may spin between regions within it, and sleep after it.
  void begin_round() const { begin_(); }
  void end_round() const { end_(); }

  struct Free {
    void operator()(void* memory) const;
  };
  using Block = std::unique_ptr<void, Free>;
  /// A copy of its own, or zeros if `from` is null; pages lie by the threads of a static loop.
  Block copy(const void* from, std::size_t bytes) const;

 private:
  NativeModule() = default;
  void* library_ = nullptr;
  void (*begin_)() = nullptr;
  void (*end_)() = nullptr;
  void* (*copy_)(const void*, std::size_t) = nullptr;
};

/// One case made ready: its buffers, images and values where the native code finds them.
class NativeCase {
 public:
  NativeCase(const Case& c, const NativeModule& module);
  void run() const { function_({arguments_.data(), {global_[0], global_[1], global_[2]}, {local_[0], local_[1], local_[2]}}); }
  std::vector<std::byte> output(const Case& c) const;

 private:
  native::Function* function_;
  std::vector<NativeModule::Block> buffers_, texels_;
  std::vector<native::Image> images_;
  std::vector<Bytes> values_;
  std::vector<void*> arguments_;
  std::size_t global_[3] = {1, 1, 1}, local_[3] = {1, 1, 1};
};

}  // namespace weft::bench
