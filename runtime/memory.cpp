#include "runtime/memory.h"

#include <algorithm>
#include <cstring>

#include "runtime/host_memory.h"

namespace weft::runtime {
namespace {

constexpr cl_mem_flags kAccessFlags = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostAccessFlags =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;

std::byte* allocate(std::size_t size, Contents contents = Contents::kAny) {
  std::byte* const memory = allocate_apart(size, contents);
  require(memory != nullptr, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  return memory;
}

/// What a sub-buffer takes over where its own flags say nothing (clCreateSubBuffer).
cl_mem_flags inherited(cl_mem_flags own, cl_mem_flags parent) {
  if (!(own & kAccessFlags)) own |= parent & kAccessFlags;
  if (!(own & kHostAccessFlags)) own |= parent & kHostAccessFlags;
  return own | (parent & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | Memory::kImmutable));
}

}  // namespace
}  // namespace weft::runtime

using namespace weft::runtime;

_cl_mem::_cl_mem(cl_context context, cl_mem_flags flags, std::size_t size, void* host_ptr,
                 std::vector<cl_mem_properties> properties, std::optional<int> descriptor)
    : context_(context), flags_(flags), size_(size), properties_(std::move(properties)) {
  if (descriptor) {
    imported_ = ImportedMemory(*descriptor, size, is_immutable());
    data_ = imported_.data();
    return;
  }
  if (flags & CL_MEM_USE_HOST_PTR) {
    host_ptr_ = host_ptr;
    data_ = static_cast<std::byte*>(host_ptr);
    pinned_.emplace(data_, size_);
    return;
  }
  data_ = allocation_ = allocate(size);
  if (flags & CL_MEM_ALLOC_HOST_PTR) pinned_.emplace(data_, size);
  allocated_bytes_ = size;
  if (flags & CL_MEM_COPY_HOST_PTR) std::memcpy(data_, host_ptr, size);
}

_cl_mem::_cl_mem(cl_mem parent, cl_mem_flags flags, std::size_t origin, std::size_t size)
    : context_(&parent->context()),
      parent_(parent),
      flags_(inherited(flags, parent->flags())),
      size_(size),
      origin_(origin),
      data_(parent->data() + origin) {
  if (parent->host_ptr_) host_ptr_ = data_;
}

_cl_mem::_cl_mem(cl_context context, cl_mem_flags flags, const ImageShape& shape, void* host_ptr,
                 std::vector<cl_mem_properties> properties, std::optional<int> descriptor)
    : context_(context), flags_(flags), properties_(std::move(properties)) {
  const bool is_given = (flags & CL_MEM_USE_HOST_PTR) || descriptor;
  image_ = std::make_unique<Image>(is_given ? Image::in_given_memory(shape) : Image::in_own_memory(shape));
  size_ = image_->size();
  if (descriptor) {
    imported_ = ImportedMemory(*descriptor, size_, is_immutable());
    data_ = imported_.data();
  } else if (is_given) {
    host_ptr_ = host_ptr;
    data_ = static_cast<std::byte*>(host_ptr);
  } else {
    allocated_bytes_ = weft::abi::kImagePadding + size_ + weft::abi::kImagePadding;
    allocation_ = allocate(allocated_bytes_);
    data_ = allocation_ + weft::abi::kImagePadding;
  }
  image_->place(data_, !is_given);
  if (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR)) pinned_.emplace(data_, size_);
  if (flags & CL_MEM_COPY_HOST_PTR) image_->copy_in(host_ptr);
}

_cl_mem::_cl_mem(cl_mem parent, cl_mem_flags flags, const ImageShape& shape, std::vector<cl_mem_properties> properties)
    : context_(&parent->context()),
      parent_(parent),
      flags_(inherited(flags, parent->flags())),
      data_(parent->data()),
      host_ptr_(parent->host_ptr_),
      properties_(std::move(properties)) {
  if (parent->image_) {
    image_ = std::make_unique<Image>(Image::like(*parent->image_, shape));
  } else {
    image_ = std::make_unique<Image>(Image::in_given_memory(shape));
  }
  size_ = image_->size();
  const bool is_padded = parent->image_ && (parent->image_->descriptor().flags & weft::abi::kImagePadded);
  image_->place(data_, is_padded);
}

_cl_mem::_cl_mem(cl_context context, cl_mem_flags flags, const Pipe& pipe)
    : context_(context), flags_(flags), size_(pipe.size()), pipe_(pipe) {
  require(pipe.memory_bytes() <= Device::max_alloc_size(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  data_ = allocation_ = allocate(pipe.memory_bytes(), Contents::kZeros);
  allocated_bytes_ = pipe.memory_bytes();
  pipe.place(data_);
}

_cl_mem::~_cl_mem() {
  for (auto it = destructor_callbacks_.rbegin(); it != destructor_callbacks_.rend(); ++it) {
    it->first(this, it->second);
  }
  if (allocation_) deallocate_apart(allocation_, allocated_bytes_);
}

bool _cl_mem::is_for(const Device& device) const {
  const auto list = std::ranges::find(properties_, weft::external_memory_api::kDeviceHandleList);
  if (list == properties_.end()) return true;
  for (auto each = list + 1; *each; ++each) {
    if (reinterpret_cast<cl_device_id>(*each) == &device) return true;
  }
  return false;
}

void _cl_mem::info(cl_mem_info name, const InfoWriter& out) const {
  switch (name) {
    case CL_MEM_TYPE:
      return out.value<cl_mem_object_type>(image_ ? image_->type() : pipe_ ? CL_MEM_OBJECT_PIPE : CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS:
      return out.value(flags_);
    case CL_MEM_SIZE:
      return out.value(size_);
    case CL_MEM_HOST_PTR:
      return out.value(host_ptr_);
    case CL_MEM_MAP_COUNT: {
      std::lock_guard lock(mutex_);
      return out.value(static_cast<cl_uint>(mapped_.size()));
    }
    case CL_MEM_REFERENCE_COUNT:
      return out.value(api_count());
    case CL_MEM_CONTEXT:
      return out.value<cl_context>(context_.get());
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return out.value<cl_mem>(parent_.get());
    case CL_MEM_OFFSET:
      return out.value(origin_);
    case CL_MEM_USES_SVM_POINTER:
      // Any of the host's pointers is one (CL_DEVICE_SVM_FINE_GRAIN_SYSTEM).
      return out.value<cl_bool>(is_buffer() && (flags_ & CL_MEM_USE_HOST_PTR) ? CL_TRUE : CL_FALSE);
    case kDeviceAddress:
      require(has_device_address(), CL_INVALID_OPERATION);
      return out.value(static_cast<cl_ulong>(reinterpret_cast<std::uintptr_t>(data_)));
    case CL_MEM_PROPERTIES:
      return out.array(properties_);
    default:
      throw Error{CL_INVALID_VALUE};
  }
}

bool _cl_mem::has_device_address() const {
  const std::vector<cl_mem_properties>& properties = storage()->properties_;
  for (std::size_t i = 0; i + 1 < properties.size(); i += 2)
    if (properties[i] == kPrivateAddress && properties[i + 1]) return is_buffer();
  return false;
}

void _cl_mem::image_info(cl_image_info name, const InfoWriter& out) const {
  if (name == CL_IMAGE_BUFFER) return out.value<cl_mem>(parent_ && parent_->is_buffer() ? parent_.get() : nullptr);
  image_->info(name, out);
}

void* _cl_mem::map(std::size_t offset) {
  std::lock_guard lock(mutex_);
  mapped_.push_back(data_ + offset);
  return data_ + offset;
}

bool _cl_mem::unmap(void* pointer) {
  std::lock_guard lock(mutex_);
  const auto found = std::find(mapped_.begin(), mapped_.end(), pointer);
  if (found == mapped_.end()) return false;
  mapped_.erase(found);
  return true;
}

void _cl_mem::on_destroy(DestructorCallback callback, void* user_data) {
  std::lock_guard lock(mutex_);
  destructor_callbacks_.emplace_back(callback, user_data);
}
