// Machine code that is made before a launch asks for it, on processors that are free.
//
// A kernel's code is made for a local size, which its first launch brings. But a program that has made kernels mostly launches them, and
// mostly with the local size of others, of the same program above all. So while a launch waits for its code, that of other kernels is made
// for its local size, one at a time and at a low priority. What was guessed wrongly costs time of an idle processor, within a bound; a
// launch gets code for what it asks for in any case.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

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
  void add(const std::shared_ptr<Executable>& executable, ExecutableKernel& kernel);

  /// A launch of `kernel` over `range` waits for code.
  void launched(_cl_kernel& kernel, const NDRange& range);

 private:
  struct Candidate {
    std::weak_ptr<Executable> executable;
    ExecutableKernel* kernel;
  };
  struct Launched {
    std::weak_ptr<Executable> executable;
    NDRange range;
  };
  void start(_cl_context& context);
  bool make_next(_cl_context& context);

  std::mutex mutex_;
  std::vector<Candidate> candidates_;  ///< in the order in which they were made
  std::vector<Launched> launched_;     ///< of each executable the last launch that waited, in order
  NDRange first_;                      ///< of the first launch that waited
  unsigned num_launches_ = 0;          ///< that waited
  unsigned num_made_ = 0;
  bool is_running_ = false;
};

}  // namespace weft::runtime
