// Programs: source or binary, what building made of it, the kernels made from that (OpenCL 3.0 API §5.8).
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/build.h"
#include "runtime/context.h"
#include "runtime/executable.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/program_binary.h"

struct _cl_program : public weft::runtime::Object<_cl_program> {
 public:
  using Context = weft::runtime::Context;

  struct SourceFile {
    std::string name;
    std::shared_ptr<const std::string> text;
  };

  /// clCreateProgramWithSource.
  _cl_program(Context& context, std::string source);
  /// clCreateProgramWithBinary, for these devices.
  _cl_program(Context& context, Context::DeviceList devices, weft::runtime::ProgramBinary binary);
  /// clCreateProgramWithIL: a SPIR-V module.
  _cl_program(Context& context, weft::compiler::Bytes module);
  /// What clLinkProgram fills in.
  _cl_program(Context& context, Context::DeviceList devices);

  /// What is left of a step that has begun: to be called once, on any thread. Sets status and log, and
  /// returns the code of the entry point. Keeps the program alive.
  using Step = std::function<cl_int()>;

  // Steps begin here: CL_BUILD_IN_PROGRESS. One at a time: they throw Error{CL_INVALID_OPERATION} while
  // another runs, or if kernels are attached (§5.8.2); bad options are an error at once, which the log
  // explains.

  /// clBuildProgram.
  Step begin_build(const std::string& options);
  /// clCompileProgram.
  Step begin_compile(const std::string& options, std::vector<weft::compiler::Header> headers);
  /// clLinkProgram, into this program. CL_LINK_PROGRAM_FAILURE leaves a program whose log says why.
  Step begin_link(const std::vector<_cl_program*>& inputs, const std::string& options);

  /// clSetProgramSpecializationConstant, for the builds that begin after it. Throws Error.
  void set_spec_constant(std::uint32_t id, std::span<const std::uint8_t> value);

  // clGetProgramInfo and clGetProgramBuildInfo. Throw Error.
  void info(cl_program_info name, const weft::runtime::InfoWriter& out) const;
  void build_info(cl_program_build_info name, const weft::runtime::InfoWriter& out) const;

  /// The kernels of a successful build; throws Error{CL_INVALID_PROGRAM_EXECUTABLE} without one.
  std::shared_ptr<weft::runtime::Executable> executable() const;

  /// Those of the last build.
  std::string build_options() const;

  Context& context() const { return *context_; }
  /// All devices run the same code, so a step is for all of these.
  const Context::DeviceList& devices() const { return devices_; }
  bool has(const weft::runtime::Device* device) const {
    return std::ranges::any_of(devices_, [device](const auto& each) { return each.get() == device; });
  }
  bool has_source() const { return source_.has_value(); }
  /// What the last step was made of beside the program's own source: of a linked program the sources and headers of what was compiled
  /// here. By the names that line tables have for them (compiler/source_names.h).
  std::vector<SourceFile> source_files() const;
  const std::string& source() const { return *source_; }

  // Kernel objects that the application holds.
  void attach_kernel();
  void detach_kernel();

 private:
  /// What the last step left. The parts are immutable and shared, so that kernels outlive a rebuild.
  struct State {
    cl_build_status status = CL_BUILD_NONE;
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::string options;
    std::string log;
    std::shared_ptr<const weft::compiler::Bytes> object;  ///< a compiled object or library
    std::vector<SourceFile> files;                        ///< what it was made of, as far as that is known
    std::shared_ptr<weft::runtime::Executable> executable;
  };

  /// The specialization constants that were set.
  std::vector<weft::compiler::SpecConstant> spec_values() const;

  using Work = std::function<weft::runtime::BuildResult()>;

  void begin(const std::string& options, std::vector<SourceFile> files = {});
  /// `made` if it succeeds, or else the code to return.
  Step step(cl_program_binary_type made, cl_int failure, Work work);
  cl_int run(cl_program_binary_type made, cl_int failure, const Work& work);
  [[noreturn]] void refuse(std::string log, cl_int code);
  weft::compiler::Bytes binary() const;

  weft::runtime::Attached<Context> context_;
  const Context::DeviceList devices_;
  std::optional<std::string> source_;
  std::optional<weft::compiler::Bytes> module_;         ///< SPIR-V
  std::map<std::uint32_t, std::size_t> spec_sizes_;     ///< of the module's specialization constants, by their ids
  std::optional<weft::runtime::ProgramBinary> loaded_;  ///< given by clCreateProgramWithBinary
  mutable std::mutex mutex_;                            ///< guards the rest
  State state_;
  std::map<std::uint32_t, std::uint64_t> spec_values_;
  unsigned num_kernels_ = 0;
};

namespace weft::runtime {
using Program = ::_cl_program;
}
