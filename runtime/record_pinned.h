// Host memory that a GPU's driver would have pinned, for the record of the run.
#pragma once

#include <cstddef>

namespace weft::runtime {

/// Memory of a buffer with CL_MEM_ALLOC_HOST_PTR or CL_MEM_USE_HOST_PTR, for as long as it lives: what transfers from there are
/// told apart by. Costs nothing where no record is asked for.
class RecordedPinned {
 public:
  RecordedPinned(const std::byte* start, std::size_t size) noexcept;
  RecordedPinned(const RecordedPinned&) = delete;
  RecordedPinned& operator=(const RecordedPinned&) = delete;
  ~RecordedPinned();

 private:
  const std::byte* const start_;
  bool is_kept_ = false;
};

}  // namespace weft::runtime
