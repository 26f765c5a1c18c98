#include "runtime/imported_memory.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <utility>

#include "runtime/error.h"

namespace weft::runtime {

ImportedMemory::ImportedMemory(int descriptor, std::size_t bytes, bool reads_only) : bytes_(bytes) {
  struct stat facts;
  // A touch behind the end would kill the process.
  require(fstat(descriptor, &facts) == 0 && facts.st_size >= 0 && static_cast<std::size_t>(facts.st_size) >= bytes, CL_INVALID_PROPERTY);
  void* const memory = mmap(nullptr, bytes, reads_only ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  require(memory != MAP_FAILED, CL_INVALID_PROPERTY);
  data_ = static_cast<std::byte*>(memory);
}

ImportedMemory::~ImportedMemory() {
  if (data_) munmap(data_, bytes_);
}

ImportedMemory& ImportedMemory::operator=(ImportedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace weft::runtime
