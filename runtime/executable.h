// What a successful build leaves: linked bitcode, its kernels, and their machine code as launches ask for it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler_api.h"
#include "device/code.h"
#include "runtime/context.h"
#include "runtime/hash.h"
#include "runtime/ndrange.h"
#include "runtime/object.h"

struct _cl_event;

namespace weft::runtime {

class Executable;

/// One attempt to make a kernel's machine code, which goes on beside the commands that wait for it.
struct Generation {
  Ref<::_cl_event> over;  ///< what they follow; a user event that the application never sees
  // Known once that is complete.
  const device::Code* code = nullptr;  ///< null: it failed; the context's callback was told why
  cl_int status = CL_SUCCESS;          ///< what a command fails with then
  bool is_awaited = true;  ///< under the kernel's mutex: false while code is made ahead that no launch has asked for
  bool has_other = false;  ///< launches run other code meanwhile
};

/// One kernel of an executable and all the code compiled for it so far. Shared by its cl_kernel objects.
class ExecutableKernel {
 public:
  ExecutableKernel(Executable& owner, compiler::KernelInfo info) : owner_(owner), info_(std::move(info)) {}
  ~ExecutableKernel();
  ExecutableKernel(const ExecutableKernel&) = delete;
  ExecutableKernel& operator=(const ExecutableKernel&) = delete;

  const compiler::KernelInfo& info() const { return info_; }
  Executable& owner() const { return owner_; }

  /// See Kernel::code. A launch starts with the best code that there is: better code is made beside it, for those that follow. Where any groups serve
  /// the launch, its code may be of groups of another size (CodeTraits::local_x).
  const device::Code* code(const LaunchCode& wanted, Context& context, std::shared_ptr<const Generation>& pending) {
    if (const Entry* entry = find(wanted.best)) {
      if (const device::Code* code = entry->code.load(std::memory_order_acquire)) return code;
    }
    return make(wanted, context, pending);
  }

  /// Code for a launch that may come, unless some was asked for. On the calling thread, at a low priority; a launch that asks for it meanwhile
  /// waits for it.
  void make_ahead(const LaunchCode& wanted, Context& context);
  bool has_entries() const { return entries_.load(std::memory_order_relaxed) != nullptr; }

  /// Different local sizes that get code of their own, counted and not.
  static constexpr unsigned kMaxLocalSizes = 16;
  /// Different lists of images' formats and samplers that get code of their own.
  static constexpr unsigned kMaxFormats = 32;

 private:
  struct Entry {
    compiler::Specialization spec;
    Entry* next = nullptr;
    std::atomic<const device::Code*> code{nullptr};
    // Under the mutex.
    std::shared_ptr<const device::Code> owner;     ///< of `code`
    std::shared_ptr<Generation> generation;        ///< in progress
    std::chrono::steady_clock::duration time_to_make{};
    bool has_failed = false;
    unsigned launches = 0;                         ///< that ran other code, since this one was not worth making yet
    std::chrono::steady_clock::time_point first_launch;  ///< of these
  };
  Entry* find(const compiler::Specialization& spec) const;
  compiler::Specialization bounded(const compiler::Specialization& wanted) const;
  const Entry* next_best(const compiler::Specialization& wanted, std::size_t any_groups_of) const;
  Entry& add(const compiler::Specialization& spec);
  bool find_on_disk(Entry& entry);
  void begin_better(const Entry& entry, bool leaves_out);
  const device::Code* make(const LaunchCode& wanted, Context& context, std::shared_ptr<const Generation>& pending);
  void generate(Entry& entry, const std::shared_ptr<Generation>& generation, const Context& context, bool ahead = false);
  std::shared_ptr<const device::Code> compile(const compiler::Specialization& spec, const Context& context, bool ahead, bool has_other,
                                              bool& leaves_out) const;
  bool may_be_refused(const compiler::Specialization& spec) const;

  Executable& owner_;
  compiler::KernelInfo info_;
  std::atomic<Entry*> entries_{nullptr};  ///< only ever pushed to, under mutex_
  std::mutex mutex_;
  // Different ones among the entries.
  unsigned num_local_sizes_[2] = {0, 0};  ///< by Specialization::counted
  unsigned num_formats_ = 0;
};

/// A linked program. Immutable but for the code that its kernels gather and what they write to its variables.
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  Executable(compiler::Bytes program, std::vector<compiler::KernelInfo> kernels, const compiler::ProgramMemory& memory);

  const compiler::Bytes& program() const { return program_; }
  const Hash& program_hash() const { return hash_; }
  const std::vector<std::unique_ptr<ExecutableKernel>>& kernels() const { return kernels_; }
  ExecutableKernel* find(std::string_view name) const;
  /// A kernel of a block that the program enqueues on the device, which is none of kernels(); null if there is none of this number.
  ExecutableKernel* block(std::uint32_t number) const;
  /// The program's variables in global memory; null if it has none. A kernel object keeps them.
  std::byte* memory() const { return memory_.get(); }
  std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };

  compiler::Bytes program_;
  Hash hash_;
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t memory_bytes_ = 0;
  std::vector<std::unique_ptr<ExecutableKernel>> kernels_;
  std::vector<std::unique_ptr<ExecutableKernel>> blocks_;  ///< by number
};

}  // namespace weft::runtime
