// portable.h for the replay: the kernels' element types record their accesses, so that the text that ran
// on silicon runs here unchanged. A file of kernels comes after it, between cell_types.h and plain_types.h.
//
// No kernel computes an address or a condition from data that crosses a barrier, so a barrier need not
// wait: the work-items run one after the other. Compile without optimization: each source access must be
// one call.
#pragma once

#include <type_traits>

#include "recorder.h"

#define PORTABLE_H

namespace weft::device::counters::replay {

#define WEFT_RECORD(address, kind) \
  recorder().access(address, sizeof(*this), Kind::kind, __builtin_return_address(0))

/// A scalar of T: in a buffer it records each load and store; as a variable or a temporary it lies outside of
/// all recorded memory.
template <typename T>
class Cell {
 public:
  Cell() { recorder().private_element(this, sizeof *this); }
  template <typename U>
    requires std::is_arithmetic_v<U>
  Cell(U value) : value_(static_cast<T>(value)) {}
  template <typename U>
  explicit Cell(const Cell<U>& other) : value_(static_cast<T>(static_cast<U>(other))) {}
  Cell(const Cell& other) : value_(other.value_) { WEFT_RECORD(&other, load); }

  Cell& operator=(const Cell& other) {
    WEFT_RECORD(&other, load);
    WEFT_RECORD(this, store);
    value_ = other.value_;
    return *this;
  }
  Cell& operator=(T value) {
    WEFT_RECORD(this, store);
    value_ = value;
    return *this;
  }
  operator T() const {
    WEFT_RECORD(this, load);
    return value_;
  }
  Cell& operator+=(T value) {
    WEFT_RECORD(this, load);
    WEFT_RECORD(this, store);
    value_ = static_cast<T>(value_ + value);
    return *this;
  }
  Cell& operator*=(T value) { return value_ = static_cast<T>(value_ * value), *this; }
  Cell& operator>>=(int bits) { return value_ = static_cast<T>(value_ >> bits), *this; }
  T operator++(int) { return value_++; }

  /// Addresses do not depend on sums, so an atomic need not add.
  T atomic(Kind kind, const void* site) {
    recorder().access(this, sizeof *this, kind, site);
    return value_;
  }

 private:
  T value_;
};

/// A vector of floats: one access of its whole width.
template <unsigned N>
struct Vector;

template <>
struct Vector<2> {
  Vector(float x, float y) : x(x), y(y) {}
  Vector(const Vector& other) : x(other.x), y(other.y) { WEFT_RECORD(&other, load); }
  Vector& operator=(const Vector& other) {
    WEFT_RECORD(&other, load);
    WEFT_RECORD(this, store);
    x = other.x, y = other.y;
    return *this;
  }
  float x, y;
};

template <>
struct Vector<4> {
  Vector(float x, float y, float z, float w) : x(x), y(y), z(z), w(w) {}
  Vector(const Vector& other) : x(other.x), y(other.y), z(other.z), w(other.w) { WEFT_RECORD(&other, load); }
  Vector& operator=(const Vector& other) {
    WEFT_RECORD(&other, load);
    WEFT_RECORD(this, store);
    x = other.x, y = other.y, z = other.z, w = other.w;
    return *this;
  }
  float x, y, z, w;
};

#undef WEFT_RECORD

using float2 = Vector<2>;
using float4 = Vector<4>;
using uint = Cell<unsigned>;
using uchar = Cell<unsigned char>;

/// CUDA's name for an atomic with result, which kernels2.h and kernels3.h use.
template <typename T, typename U>
T atomicAdd(Cell<T>* cell, const U&) {
  return cell->atomic(Kind::atomic, __builtin_return_address(0));
}

template <typename T>
void reduce(Cell<T>* cell) {
  cell->atomic(Kind::reduction, __builtin_return_address(0));
}

}  // namespace weft::device::counters::replay

#define KERNEL static
#define GLOBAL
#define CONSTANT_ARG const
#define __constant__ static
#define LOCAL_ARRAY(type, name, dims) \
  type(&name) dims = *static_cast<std::add_pointer_t<type dims>>(recorder().local_array(sizeof(type dims)))
#define DEVICE_FN
#define BARRIER() recorder().barrier()
#define LID(d) recorder().local_id(d)
#define LSZ(d) recorder().local_size(d)
#define GRP(d) recorder().group(d)
#define GID(d) (GRP(d) * LSZ(d) + LID(d))
#define NGRP(d) recorder().groups(d)
#define ATOMIC_INC_GLOBAL(p) reduce(p)
#define ATOMIC_ADD_GLOBAL(p, v) reduce(p)
#define ATOMIC_INC_LOCAL(p) atomicAdd(p, 1)
#define F2(x, y) float2(x, y)
#define F4(x, y, z, w) float4(x, y, z, w)
