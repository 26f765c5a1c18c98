// What every OpenCL object has: the dispatch pointer, its counts and a slot in a type-stable pool.
//
// A handle (`cl_context`, ...) is the address of its object: `struct _cl_context : Object<_cl_context>`.
// Three counts, OpenCL 3.0 API §2.1 "Reference Count":
//   - the API count, which clRetainX and clReleaseX move and CL_X_REFERENCE_COUNT shows;
//   - the attachments, moved by `Attached<T>`: objects that tell the handle in a query, as a kernel its program and its
//     context. The application may use what it is told, though it has released it before (clReleaseContext: the context
//     is deleted when all that is attached to it is released). These two live in the slot beside the object, so that a
//     stale handle is checked without touching a dead object. The handle is valid while one of them is not 0;
//   - the internal count, moved by `Ref<T>`: a queued command keeps its kernel and buffers alive though the
//     application has released them. All API references together hold one internal reference.
// An object dies with its last internal reference.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "runtime/opencl.h"
#include "runtime/pool.h"

namespace weft::runtime {

/// The table that every object points to; defined in icd/dispatch.cpp.
struct DispatchTable;
extern const DispatchTable dispatch_table;

/// What loaders find at the start of every object (cl_khr_icd 2.0): the table, and what a loader gave the platform, which it
/// finds again in what is made of it from then on. Loaders take it for a table to call through, so before one gave any it is
/// the table itself: a process may have several, and one of 2.0 is handed objects that one of 1.0 knows.
class LoaderWords {
 public:
  constexpr LoaderWords()
      : data_(std::is_constant_evaluated() ? const_cast<DispatchTable*>(&dispatch_table) : given.load(std::memory_order_relaxed)) {}
  void set_data(void* data) { data_ = data; }

  inline static constinit std::atomic<void*> given = const_cast<DispatchTable*>(&dispatch_table);

 private:
  const DispatchTable* table_ = &dispatch_table;
  void* data_;
};

/// Base of all reference-counted OpenCL objects. Not polymorphic: `loader_words_` must be the first.
template <class T>
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  /// False if the object is about to die. For lists of objects that leave them when they do.
  bool try_add_ref() noexcept {
    std::uint32_t now = refs_.load(std::memory_order_relaxed);
    while (now != 0 && !refs_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) {
    }
    return now != 0;
  }
  void drop_ref() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      T* self = static_cast<T*>(this);
      self->~T();
      pool<T>.deallocate(self);
    }
  }

  /// For objects that are there before a loader is.
  void set_loader_data(void* data) noexcept { loader_words_.set_data(data); }

  /// The API count now (CL_*_REFERENCE_COUNT).
  cl_uint api_count() const noexcept {
    return static_cast<cl_uint>(Pool<T>::state_of(static_cast<const T*>(this)).load(std::memory_order_relaxed));
  }

 protected:
  Object() = default;
  ~Object() = default;

 private:
  LoaderWords loader_words_;
  std::atomic<std::uint32_t> refs_{1};
};

/// An internal reference.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) noexcept : object_(object) {
    if (object_) object_->add_ref();
  }
  Ref(const Ref& other) noexcept : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->drop_ref();
  }
  /// Takes over a reference that the caller owns.
  static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Gives the reference to the caller.
  T* detach() noexcept { return std::exchange(object_, nullptr); }

  T* get() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref&, const Ref&) = default;

 private:
  T* object_ = nullptr;
};

/// In a slot's state: the low half is the API count.
inline constexpr std::uint64_t kOneAttachment = std::uint64_t{1} << 32;

/// A reference that keeps the handle valid, too: for members that queries give to the application.
template <class T>
class Attached {
 public:
  Attached() = default;
  explicit Attached(T* object) noexcept : object_(object) {
    if (object_) Pool<T>::state_of(object_.get()).fetch_add(kOneAttachment, std::memory_order_relaxed);
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  ~Attached() {
    if (object_) Pool<T>::state_of(object_.get()).fetch_sub(kOneAttachment, std::memory_order_release);
  }

  T* get() const noexcept { return object_.get(); }
  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_.get(); }
  explicit operator bool() const noexcept { return static_cast<bool>(object_); }

 private:
  Ref<T> object_;
};

/// A handle kept without a reference; it goes stale when it is no longer valid.
template <class T>
class WeakHandle {
 public:
  WeakHandle() = default;
  /// Of a valid handle.
  explicit WeakHandle(T* handle) noexcept : handle_(handle), generation_(Pool<T>::generation_of(handle)) {}
  /// Whether it was ever set.
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  /// The object, or nullptr if the handle is stale.
  T* get() const noexcept {
    const bool same = pool<T>.is_live(handle_) && Pool<T>::generation_of(handle_) == generation_;
    return same ? handle_ : nullptr;
  }

 private:
  T* handle_ = nullptr;
  std::uint32_t generation_ = 0;
};

/// Makes an object that the API does not see yet: its handle is not valid until `publish`.
/// Throws std::bad_alloc and what T's constructor throws.
template <class T, class... Args>
Ref<T> make(Args&&... args) {
  void* slot = pool<T>.allocate();
  try {
    return Ref<T>::adopt(new (slot) T(std::forward<Args>(args)...));
  } catch (...) {
    pool<T>.deallocate(slot);
    throw;
  }
}

/// Makes the handle valid with an API count of 1. The object must have none. `T::on_publish()`, if there is one, runs before.
template <class T>
T* publish(Ref<T> ref) noexcept {
  T* object = ref.detach();
  if constexpr (requires { object->on_publish(); }) object->on_publish();
  Pool<T>::state_of(object).store(1, std::memory_order_release);
  return object;
}

/// The object of a handle, or nullptr if it is null, no handle of this type, or released.
template <class T>
T* from_handle(T* handle) noexcept {
  return pool<T>.is_live(handle) ? handle : nullptr;
}

/// clRetainX of a valid handle; or of a living object for a callback, which is to have a valid one though the application
/// may have released it.
template <class T>
void retain(T* object) noexcept {
  // The first API reference brings the internal one that all share.
  if (static_cast<cl_uint>(Pool<T>::state_of(object).fetch_add(1, std::memory_order_acq_rel)) == 0) object->add_ref();
}

/// clReleaseX of a valid handle. `T::on_last_release()`, if there is one, runs once the API count is 0,
/// while the object is still whole (callbacks, implicit flush). False if the application has no reference: others
/// keep the handle valid, or a faulty program released it on another thread since the check.
template <class T>
bool release(T* object) noexcept {
  auto& state = Pool<T>::state_of(object);
  std::uint64_t now = state.load(std::memory_order_relaxed);
  do {
    if (static_cast<cl_uint>(now) == 0) return false;
  } while (!state.compare_exchange_weak(now, now - 1, std::memory_order_acq_rel, std::memory_order_relaxed));
  if (static_cast<cl_uint>(now) != 1) return true;
  if constexpr (requires { object->on_last_release(); }) object->on_last_release();
  object->drop_ref();
  return true;
}

}  // namespace weft::runtime
