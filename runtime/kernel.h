// Kernels: arguments, their snapshot for a launch, and machine code by local size (OpenCL 3.0 API §5.9).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "compiler/compiler_api.h"
#include "device/spin_lock.h"
#include "runtime/executable.h"
#include "runtime/info.h"
#include "runtime/object.h"

struct _cl_kernel;
struct _cl_mem;
struct _cl_program;

namespace weft::runtime {

/// The arguments of one launch, fixed at its enqueue. Shared by launches between which none was set; they are the
/// kernel's, which uses them again once no launch has them, so that launching allocates nothing. While launches have them, they together
/// hold one reference to the kernel.
struct LaunchArguments {
  struct Free {
    void operator()(std::byte* block) const;
  };
  std::unique_ptr<std::byte[], Free> block;  ///< LaunchInfo::arguments, 128-byte aligned
  std::uint64_t literal_bytes = 0;           ///< room behind the arguments, for a block's literal
  std::uint64_t local_bytes = 0;             ///< of one group: static locals, then `__local` arguments
  std::vector<Ref<_cl_mem>> memory;          ///< what the block points to
  compiler::ArgumentFormats formats;         ///< of its images and samplers

 private:
  friend struct ::_cl_kernel;
  // Guarded by the kernel's lock.
  std::uint32_t users_ = 0;
  LaunchArguments* next_idle_ = nullptr;
};

/// What a launch has until it is over. Keeps the kernel.
struct GiveBack {
  _cl_kernel* kernel;
  void operator()(const LaunchArguments* arguments) const noexcept;
};
using SharedArguments = std::unique_ptr<const LaunchArguments, GiveBack>;

}  // namespace weft::runtime

struct _cl_kernel : public weft::runtime::Object<_cl_kernel> {
 public:
  /// A kernel of `executable`, which a build of `program` made.
  _cl_kernel(_cl_program& program, std::shared_ptr<weft::runtime::Executable> executable,
             weft::runtime::ExecutableKernel& code);
  /// clCloneKernel: `source` with its arguments.
  struct Clone {
    _cl_kernel& source;
    bool is_private = false;  ///< the application never has it, so its program does not count it
  };
  explicit _cl_kernel(const Clone& clone);
  ~_cl_kernel();
  /// The program may be built again once the application holds no kernel of it.
  void on_last_release();

  /// clSetKernelArg. Throws Error.
  void set_argument(cl_uint index, std::size_t size, const void* value);

  /// clSetKernelArgSVMPointer and its relatives: an address for a `__global` or `__constant` pointer. Throws Error.
  void set_address(cl_uint index, const void* address);
  /// Whether there is such an argument and it is a pointer of these.
  bool takes_address(cl_uint index) const;

  /// clSetKernelExecInfo. Kernels reach every address: what they are told that they may reach is checked, not kept. Throws Error.
  void set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value);

  /// The arguments as they are now. Throws Error{CL_INVALID_KERNEL_ARGS} if one was never set or is a
  /// memory object that the application has released.
  weft::runtime::SharedArguments snapshot();

  /// Of a block's kernel: arguments of their own, with a copy of the literal. Throws Error.
  weft::runtime::SharedArguments bind_block(const weft::abi::BlockLiteral& literal, std::span<const std::uint64_t> local_bytes);

  /// The kernel of the program's block of this number, made when it is first asked for; null if there is none. Lives as long as this.
  _cl_kernel* block(std::uint32_t number);

  /// Machine code for a local size (sizes beyond the work dimension are 1; zeros: any). It lives as long as
  /// the kernel. After kMaxLocalSizes different ones the code for any size serves. No lock, no allocation
  /// once made. Null if it is being made, on another thread: `pending` says when and how that ends. Where that
  /// could show that the launch asks for too much, and where it has failed before, the code is made here, and
  /// failure throws Error; the context's callback is told why.
  const weft::device::Code* code(const weft::runtime::LaunchCode& wanted,
                                 std::shared_ptr<const weft::runtime::Generation>& pending) {
    return code_.code(wanted, *context_, pending);
  }

  const weft::compiler::KernelInfo& description() const { return code_.info(); }

  /// The program's variables in global memory, or null.
  std::byte* program_memory() const { return executable_->memory(); }
  _cl_program& program() const { return *program_; }
  const std::shared_ptr<weft::runtime::Executable>& executable() const { return executable_; }
  std::uint64_t record_number() const { return record_number_; }  ///< in the record of the run; 0: none
  _cl_context& context() const { return *context_; }

  /// clGetKernelInfo and its relatives. Throw Error.
  void info(cl_kernel_info name, const weft::runtime::InfoWriter& out) const;
  void argument_info(cl_uint index, cl_kernel_arg_info name, const weft::runtime::InfoWriter& out) const;
  void work_group_info(cl_kernel_work_group_info name, const weft::runtime::InfoWriter& out);
  void sub_group_info(cl_kernel_sub_group_info name, std::size_t input_size, const void* input, const weft::runtime::InfoWriter& out) const;

 private:
  struct Argument {
    bool is_set = false;
    std::size_t local_bytes = 0;  ///< of a `__local` argument
    /// None: `address`, which is also a queue's handle. Setting an argument retains nothing (§5.9.2); a launch does.
    weft::runtime::WeakHandle<_cl_mem> memory;
    const void* address = nullptr;  ///< of a pointer without a memory object
    std::uint32_t sampler = 0;     ///< abi::SamplerBits; the sampler itself need not live
    std::vector<std::byte> value;  ///< KernelArg::size bytes
  };

  std::unique_ptr<weft::runtime::LaunchArguments> make_arguments(std::uint64_t literal_bytes = 0) const;
  std::unique_ptr<weft::runtime::LaunchArguments> take_idle();
  void fill(weft::runtime::LaunchArguments& launch) const;
  std::uint32_t buffers_apart() const;
  friend struct weft::runtime::GiveBack;
  void take_back(weft::runtime::LaunchArguments* arguments) noexcept;

  weft::runtime::Attached<_cl_program> program_;
  weft::runtime::Attached<_cl_context> context_;
  std::shared_ptr<weft::runtime::Executable> executable_;
  weft::runtime::ExecutableKernel& code_;
  const std::uint64_t record_number_;
  mutable weft::device::SpinLock lock_;  ///< guards the rest
  std::vector<Argument> arguments_;
  /// Of the last launch, while it runs and nothing has changed.
  weft::runtime::LaunchArguments* current_ = nullptr;
  weft::runtime::LaunchArguments* idle_ = nullptr;
  unsigned num_idle_ = 0;
  std::mutex blocks_mutex_;
  std::vector<weft::runtime::Ref<_cl_kernel>> blocks_;  ///< by number; guarded by the mutex
};

namespace weft::runtime {
using Kernel = ::_cl_kernel;
}
