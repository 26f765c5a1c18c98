// A run of a program, as its record tells it (docs/weftprof.md): of all processes that wrote one.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "device/counters/capability.h"
#include "device/counters/counts.h"
#include "device/counters/gpus.h"
#include "device/counters/occupancy.h"

namespace weft::profiler {

inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Process {
  std::uint64_t number = 0;
  std::string label;  ///< "rank 3"; may be empty
  std::vector<std::string> command_line;
};

struct Queue {
  std::size_t process = 0;
  std::uint64_t number = 0;
  bool in_order = true;
};

struct SourceFile {
  std::string name;  ///< as lines' counts have it
  std::string text;
};

struct Program {
  std::string source, options;
  bool has_source = false;
  std::vector<SourceFile> files;  ///< of a linked program: the sources and headers that it was compiled from

  /// Of a file that lines are of; null: not known.
  const std::string* text_of(const std::string& file) const;
};

/// Whether lines of that name are of a text of the program's own, not of a file.
inline bool is_program_source(const std::string& file) { return file.empty() || file.front() == '<'; }

struct Kernel {
  std::string name;
  std::size_t program = 0;
  std::uint64_t registers = 0, local_bytes = 0, private_bytes = 0, argument_bytes = 0, arguments = 0;
};

/// One warp's run of an access. Addresses are bytes, from a multiple of 256.
struct Access {
  std::string file;
  std::uint32_t line = 0;
  std::string space, kind;  ///< as of its site
  std::uint32_t width = 0, mask = 0;
  std::array<std::uint64_t, 32> address{};
  device::counters::CostSums cost;
};

/// What launches have in common whose counts are told by the same sums.
struct CountedShape {
  std::size_t kernel = 0;
  bool traced = false;
  device::counters::KernelResources resources;
  struct Line {
    std::string file;
    std::uint32_t line = 0;
    std::size_t first = 0, num_sums = 0;  ///< among `places`
  };
  std::vector<Line> lines;
  /// A memory instruction.
  struct Site {
    std::size_t line = 0;     ///< of `lines`
    std::string space, kind;  ///< "global", "store"
    std::uint32_t width = 0;
  };
  std::vector<Site> sites;
  std::size_t of_launch = 0;        ///< so many of `places`, the first, are of the launch as a whole
  std::vector<std::size_t> places;  ///< of each sum, in names_of_sums; kNone: one that is not known here
};

/// What one launch, or several equal ones, counted.
struct Counted {
  std::size_t shape = 0;
  std::size_t first_sum = 0;                      ///< in Run::sums; as many as the shape has places
  std::size_t first_access = 0, num_accesses = 0;  ///< in Run::counted_accesses
};

/// What a program asked for: all of a command but when it ran and what it counted.
struct Request {
  std::string kind;  ///< "kernel", "write_buffer", ...
  std::size_t queue = 0;
  std::uint64_t bytes = 0;
  bool pinned = false, blocking = false;
  int status = 0;
  // Of a launch:
  std::size_t kernel = kNone;
  std::vector<std::uint64_t> global_size, local_size;
  std::uint64_t memory_bytes = 0;  ///< of all buffers and images among its arguments

  bool is_kernel() const { return kernel != kNone; }
  /// Between host and device, as a GPU would have to.
  bool is_transfer() const { return kind.starts_with("read_") || kind.starts_with("write_"); }
};

struct Command {
  std::size_t request = 0;
  std::size_t counted = kNone;              ///< of a launch
  std::array<std::uint64_t, 4> times_ns{};  ///< queued, submitted, started, ended

  std::uint64_t ran_ns() const { return times_ns[2] && times_ns[3] > times_ns[2] ? times_ns[3] - times_ns[2] : 0; }
};

struct Run {
  device::counters::Capability capability;
  const device::counters::Gpu* gpu = nullptr;  ///< that the run was modelled on, if it had one
  std::string processor;
  std::uint64_t workers = 0;
  std::int64_t time = 0;  ///< seconds since 1970
  std::vector<Process> processes;
  std::vector<Queue> queues;
  std::vector<Program> programs;
  std::vector<Kernel> kernels;  ///< the same of several processes once
  std::vector<Access> accesses;
  std::vector<CountedShape> shapes;
  std::vector<Counted> counted;
  std::vector<std::uint64_t> sums;
  std::vector<std::size_t> counted_accesses;
  std::vector<Request> requests;
  std::vector<Command> commands;  ///< by start
  const Request& request(const Command& command) const { return requests[command.request]; }
  std::size_t broken_lines = 0;  ///< of a process that was ended while it wrote
};

/// Adds a process's record. Throws std::runtime_error for what is no record.
void read_record(const std::filesystem::path& file, Run& run);

/// To be called once all records are read.
void finish_reading(Run& run);

}  // namespace weft::profiler
