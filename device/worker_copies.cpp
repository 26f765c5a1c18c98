#include "device/worker_copies.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>

namespace weft::device {
namespace {

using abi::UpdateKind;

/// Copies stay in a processor's own second cache, where the system says how large that is.
std::size_t most_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 256L << 10));
  return bytes;
}

constexpr std::align_val_t kAlign{64};
/// Words that are added up together: a few vectors.
constexpr std::size_t kBlock = 64;

std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// What leaves every word as it is.
template <typename T>
T neutral(UpdateKind kind) {
  using Signed = std::make_signed_t<T>;
  switch (kind) {
    case UpdateKind::kAnd:
    case UpdateKind::kUnsignedMin: return std::numeric_limits<T>::max();
    case UpdateKind::kMin: return static_cast<T>(std::numeric_limits<Signed>::max());
    case UpdateKind::kMax: return static_cast<T>(std::numeric_limits<Signed>::min());
    default: return 0;
  }
}

template <typename T>
void fill(std::byte* to, std::size_t bytes, UpdateKind kind) {
  std::fill_n(reinterpret_cast<T*>(to), bytes / sizeof(T), neutral<T>(kind));
}

}  // namespace

bool WorkerCopies::pay(const Buffers& buffers, std::uint64_t work_items, unsigned workers) {
  std::size_t bytes = 0, words = 0;
  std::uint64_t updates = 0;
  for (const Buffer& buffer : buffers) {
    if (buffer.bytes > most_bytes()) return false;
    bytes += buffer.bytes;
    words += buffer.bytes / buffer.word_bytes;
    updates = std::max<std::uint64_t>(updates, buffer.updates);
  }
  // Each word of a copy is cleared once and added once: no more of them than updates, if each work-item makes all of its own.
  return words > 0 && bytes <= most_bytes() && work_items / workers * updates >= words;
}

WorkerCopies::WorkerCopies(const Buffers& buffers, unsigned workers)
    : buffers_(buffers), num_places_(workers), places_(new Place[workers]) {
  for (const Buffer& buffer : buffers_) bytes_ += padded(buffer.bytes);
}

WorkerCopies::~WorkerCopies() {
  for (std::size_t i = 0; i < num_places_; ++i) ::operator delete(places_[i].memory, kAlign);
}

bool WorkerCopies::make(Place& place) noexcept {
  place.memory = static_cast<std::byte*>(::operator new(bytes_, kAlign, std::nothrow));
  if (!place.memory) return false;
  std::byte* copy = place.memory;
  for (std::size_t i = 0; i < buffers_.count; ++i) {
    const Buffer& buffer = buffers_.buffer[i];
    (buffer.word_bytes == 8 ? fill<std::uint64_t> : fill<std::uint32_t>)(copy, buffer.bytes, buffer.kind);
    place.distances[i] = reinterpret_cast<std::uintptr_t>(copy) - reinterpret_cast<std::uintptr_t>(buffer.data);
    copy += padded(buffer.bytes);
  }
  return true;
}

const std::uint64_t* WorkerCopies::of(const Worker& worker) noexcept {
  // Workers lie beside each other, so that most find their place at once.
  const std::size_t first = reinterpret_cast<std::uintptr_t>(&worker) / 64 % num_places_;
  for (std::size_t i = 0; i < num_places_; ++i) {
    Place& place = places_[(first + i) % num_places_];
    const Worker* owner = place.owner.load(std::memory_order_relaxed);
    if (!owner && place.owner.compare_exchange_strong(owner, &worker, std::memory_order_relaxed)) {
      owner = &worker;
      make(place);
    }
    if (owner == &worker) return place.memory ? place.distances : nullptr;
  }
  return nullptr;
}

template <typename T, typename Operation>
void WorkerCopies::add_up(std::size_t index, Operation operation) const noexcept {
  const Buffer& buffer = buffers_.buffer[index];
  const T nothing = neutral<T>(buffer.kind);
  T* const words = reinterpret_cast<T*>(buffer.data);
  const std::size_t count = buffer.bytes / sizeof(T);
  for (std::size_t begin = 0; begin < count; begin += kBlock) {
    const std::size_t length = std::min(kBlock, count - begin);
    T sums[kBlock];
    std::fill_n(sums, kBlock, nothing);
    for (std::size_t i = 0; i < num_places_; ++i) {
      if (!places_[i].memory) continue;
      const T* const copy = reinterpret_cast<const T*>(buffer.data + places_[i].distances[index]) + begin;
      for (std::size_t k = 0; k < length; ++k) sums[k] = operation(sums[k], copy[k]);
    }
    for (std::size_t k = 0; k < length; ++k) {
      if (sums[k] == nothing) continue;
      std::atomic_ref<T> word(words[begin + k]);
      T old = word.load(std::memory_order_relaxed);
      while (!word.compare_exchange_weak(old, operation(old, sums[k]), std::memory_order_relaxed)) {
      }
    }
  }
}

template <typename T>
void WorkerCopies::add_up(std::size_t buffer) const noexcept {
  using Signed = std::make_signed_t<T>;
  const auto as_signed = [](T a) { return static_cast<Signed>(a); };
  switch (buffers_.buffer[buffer].kind) {
    case UpdateKind::kNone: return;
    case UpdateKind::kAdd: return add_up<T>(buffer, [](T a, T b) -> T { return a + b; });
    case UpdateKind::kAnd: return add_up<T>(buffer, [](T a, T b) -> T { return a & b; });
    case UpdateKind::kOr: return add_up<T>(buffer, [](T a, T b) -> T { return a | b; });
    case UpdateKind::kXor: return add_up<T>(buffer, [](T a, T b) -> T { return a ^ b; });
    case UpdateKind::kMin: return add_up<T>(buffer, [=](T a, T b) { return as_signed(b) < as_signed(a) ? b : a; });
    case UpdateKind::kMax: return add_up<T>(buffer, [=](T a, T b) { return as_signed(a) < as_signed(b) ? b : a; });
    case UpdateKind::kUnsignedMin: return add_up<T>(buffer, [](T a, T b) { return std::min(a, b); });
    case UpdateKind::kUnsignedMax: return add_up<T>(buffer, [](T a, T b) { return std::max(a, b); });
  }
}

void WorkerCopies::add_up() const noexcept {
  for (std::size_t i = 0; i < buffers_.count; ++i) {
    if (buffers_.buffer[i].word_bytes == 8)
      add_up<std::uint64_t>(i);
    else
      add_up<std::uint32_t>(i);
  }
}

}  // namespace weft::device
