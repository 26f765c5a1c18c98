// Memory objects: buffers, sub-buffers, images and pipes in host memory, which is the device's (OpenCL 3.0 API §5.2, §5.3, §5.4).
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/context.h"
#include "runtime/image.h"
#include "runtime/imported_memory.h"
#include "runtime/info.h"
#include "runtime/object.h"
#include "runtime/pipe.h"
#include "runtime/record_pinned.h"

struct _cl_mem : public weft::runtime::Object<_cl_mem> {
 public:
  using DestructorCallback = void(CL_CALLBACK*)(cl_mem memory, void* user_data);

  /// A buffer. The arguments are checked already. `properties` with its terminating 0, or empty if none were
  /// given. Throws Error{CL_MEM_OBJECT_ALLOCATION_FAILURE}.
  /// `descriptor`: of memory that is another's; Error{CL_INVALID_PROPERTY} where it cannot be mapped.
  _cl_mem(cl_context context, cl_mem_flags flags, std::size_t size, void* host_ptr,
          std::vector<cl_mem_properties> properties, std::optional<int> descriptor = {});
  /// A sub-buffer of `size` bytes from `origin`. `flags` as the application gave them; the rest is inherited.
  _cl_mem(cl_mem parent, cl_mem_flags flags, std::size_t origin, std::size_t size);
  /// An image in memory of its own, at `host_ptr` or of a descriptor. Throws as for a buffer.
  _cl_mem(cl_context context, cl_mem_flags flags, const weft::runtime::ImageShape& shape, void* host_ptr,
          std::vector<cl_mem_properties> properties, std::optional<int> descriptor = {});
  /// An image whose texels are those of `parent`, a buffer or an image.
  _cl_mem(cl_mem parent, cl_mem_flags flags, const weft::runtime::ImageShape& shape,
          std::vector<cl_mem_properties> properties);
  /// An empty pipe. Throws Error{CL_MEM_OBJECT_ALLOCATION_FAILURE}.
  _cl_mem(cl_context context, cl_mem_flags flags, const weft::runtime::Pipe& pipe);
  ~_cl_mem();

  /// What makes it an image, or a pipe; null for anything else.
  const weft::runtime::Image* image() const { return image_.get(); }
  const weft::runtime::Pipe* pipe() const { return pipe_ ? &*pipe_ : nullptr; }
  bool is_buffer() const { return !image_ && !pipe_; }

  /// Where it lies, an image its first texel, a pipe its header; the same on host and device, and for good. At least 128-byte aligned
  /// unless the application gave the memory (CL_MEM_USE_HOST_PTR).
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }  ///< bytes
  /// As given; no access flag means CL_MEM_READ_WRITE.
  cl_mem_flags flags() const { return flags_; }
  _cl_context& context() const { return *context_; }
  bool is_sub_buffer() const { return is_buffer() && parent_; }
  /// The buffer of a sub-buffer; the buffer or image that an image shows; or null.
  _cl_mem* parent() const { return parent_.get(); }
  /// The buffer whose memory this is (itself unless a sub-buffer) and the place in it.
  const _cl_mem* storage() const { return parent_ ? parent_.get() : this; }
  std::size_t origin() const { return origin_; }

  /// Whether a GPU's driver would have pinned its memory for the host: CL_MEM_ALLOC_HOST_PTR or CL_MEM_USE_HOST_PTR.
  bool is_pinned() const { return (flags_ & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR)) != 0; }

  /// CL_MEM_IMMUTABLE_EXT (cl_ext_immutable_memory_objects): nothing writes to it after its creation.
  static constexpr cl_mem_flags kImmutable = 1 << 6;
  bool is_immutable() const { return (flags_ & kImmutable) != 0; }

  /// cl_khr_external_memory: whether its memory is another's, and the devices that it was imported for.
  bool is_imported() const { return static_cast<bool>(imported_); }
  bool is_for(const weft::runtime::Device& device) const;

  /// cl_ext_buffer_device_address: CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, a property of buffers, which sub-buffers share, and the query
  /// CL_MEM_DEVICE_ADDRESS_EXT, not in all headers.
  static constexpr cl_mem_properties kPrivateAddress = 0x5000;
  static constexpr cl_mem_info kDeviceAddress = 0x5001;
  bool has_device_address() const;

  /// Whether [offset, offset + size) lies inside.
  bool contains(std::size_t offset, std::size_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }

  /// clGetMemObjectInfo, clGetImageInfo (of an image). Throw Error.
  void info(cl_mem_info name, const weft::runtime::InfoWriter& out) const;
  void image_info(cl_image_info name, const weft::runtime::InfoWriter& out) const;

  /// Mapping costs no copy: these only count, and know which pointers may be unmapped.
  void* map(std::size_t offset);  ///< bytes from data()
  /// False if `pointer` is not mapped.
  bool unmap(void* pointer);

  /// clSetMemObjectDestructorCallback: called in reverse order when the object dies.
  void on_destroy(DestructorCallback callback, void* user_data);

 private:
  weft::runtime::Attached<_cl_context> context_;
  weft::runtime::Attached<_cl_mem> parent_;
  cl_mem_flags flags_;
  std::size_t size_;
  std::size_t origin_ = 0;
  std::byte* data_ = nullptr;
  void* host_ptr_ = nullptr;  ///< CL_MEM_HOST_PTR
  std::unique_ptr<weft::runtime::Image> image_;
  std::optional<weft::runtime::Pipe> pipe_;
  std::byte* allocation_ = nullptr;  ///< null if the memory is not its own
  std::size_t allocated_bytes_ = 0;
  weft::runtime::ImportedMemory imported_;
  std::optional<weft::runtime::RecordedPinned> pinned_;  ///< memory that a GPU's driver would have pinned
  std::vector<cl_mem_properties> properties_;
  mutable std::mutex mutex_;
  // Guarded by the mutex.
  std::vector<void*> mapped_;
  std::vector<std::pair<DestructorCallback, void*>> destructor_callbacks_;
};

namespace weft::runtime {
using Memory = ::_cl_mem;
}
