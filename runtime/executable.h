// What a successful build leaves: linked bitcode, its kernels, and their machine code as launches ask for it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler_api.h"
#include "runtime/context.h"
#include "runtime/hash.h"

namespace weft::device {
class Code;
}

namespace weft::runtime {

class Executable;

/// One kernel of an executable and all the code compiled for it so far. Shared by its cl_kernel objects.
class ExecutableKernel {
 public:
  ExecutableKernel(Executable& owner, compiler::KernelInfo info) : owner_(owner), info_(std::move(info)) {}
  ~ExecutableKernel();
  ExecutableKernel(const ExecutableKernel&) = delete;
  ExecutableKernel& operator=(const ExecutableKernel&) = delete;

  const compiler::KernelInfo& info() const { return info_; }
  Executable& owner() const { return owner_; }

  /// See Kernel::code.
  const std::shared_ptr<const device::Code>& code(const compiler::Specialization& spec,
                                                  const Context& context);

  /// Different local sizes that get code of their own.
  static constexpr unsigned kMaxLocalSizes = 16;

 private:
  struct Entry {
    compiler::Specialization spec;
    std::shared_ptr<const device::Code> code;
    const Entry* next;
  };
  const Entry* find(const compiler::Specialization& spec) const;
  std::shared_ptr<const device::Code> generate(const compiler::Specialization& spec,
                                               const Context& context) const;

  Executable& owner_;
  compiler::KernelInfo info_;
  std::atomic<const Entry*> entries_{nullptr};  ///< only ever pushed to, under mutex_
  std::mutex mutex_;
  unsigned num_specialized_ = 0;
};

/// A linked program. Immutable but for the code that its kernels gather.
class Executable {
 public:
  Executable(compiler::Bytes program, std::vector<compiler::KernelInfo> kernels);

  const compiler::Bytes& program() const { return program_; }
  const Hash& program_hash() const { return hash_; }
  const std::vector<std::unique_ptr<ExecutableKernel>>& kernels() const { return kernels_; }
  ExecutableKernel* find(std::string_view name) const;

 private:
  compiler::Bytes program_;
  Hash hash_;
  std::vector<std::unique_ptr<ExecutableKernel>> kernels_;
};

}  // namespace weft::runtime
