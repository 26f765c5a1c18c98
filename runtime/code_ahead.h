// Machine code that is made before a launch asks for it, on processors that are free.
//
// A kernel's code is made for a local size, which its first launch brings. But a program that has made kernels mostly launches them, and
// mostly with the local size of others, of the same program above all. So while a launch waits for its code, that of other kernels is made
// for its local size. Of kernels that require a local size code is begun when they are made; and while another program is built, which
// takes one processor, that of kernels whose largest group was asked for, since whoever asks may take it. All at a low priority, one
// at a time, the smallest first, or two where a processor is free, of which the second takes the largest. What was guessed wrongly costs
// time of an idle processor, within a bound; a launch gets code for what it asks for in any case.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/background.h"
#include "runtime/ndrange.h"

struct _cl_context;
struct _cl_kernel;

namespace weft::runtime {

class Executable;
class ExecutableKernel;

/// A context's kernels that no launch has asked for yet.
class CodeAhead {
 public:
  /// A kernel object was made. Throws std::bad_alloc.
  void add(_cl_context& context, const std::shared_ptr<Executable>& executable, ExecutableKernel& kernel);

  /// The application was told how large a group of `kernel` may be.
  void asked_for_size(const ExecutableKernel& kernel, std::size_t size);

  /// The application's thread begins to build a program.
  void building(_cl_context& context);

  /// A launch of `kernel` over `range` waits for code.
  void launched(_cl_kernel& kernel, const NDRange& range);

  /// The calling thread, which made code that a launch asked for, is about to end.
  void processor_is_free(_cl_context& context);

 private:
  struct Candidate {
    std::weak_ptr<Executable> executable;
    ExecutableKernel* kernel;
    std::size_t asked_size = 0;  ///< of a group; 0: nobody asked
  };
  struct Launched {
    std::weak_ptr<Executable> executable;
    NDRange range;
  };
  /// What a thread takes first. One of each kind: two that both took the largest would be at a large kernel that no launch asks for each
  /// while launches come to wait for small ones.
  enum class Takes { kSmallest, kLargest };
  bool find_code(const Candidate& candidate, const std::shared_ptr<Executable>& executable, LaunchCode& code) const;
  void start(_cl_context& context, int about_to_end = 0);
  bool make_next(_cl_context& context, Takes takes);
  bool& is_running(Takes takes) { return is_running_[takes == Takes::kLargest]; }

  std::mutex mutex_;
  std::vector<Candidate> candidates_;  ///< in the order in which they were made
  std::vector<Launched> launched_;     ///< of each executable the last launch that waited, in order
  NDRange first_;                      ///< of the first launch that waited
  unsigned num_launches_ = 0;          ///< that waited
  unsigned num_made_ = 0;
  std::array<bool, kMostAhead> is_running_{};  ///< the thread of each kind
  bool is_building_ = false;           ///< a build has begun, and no launch has come since
};

}  // namespace weft::runtime
