// Where in local memory pointers point, in each work-item of a group.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "compiler/simt/analysis/lane_values.h"

namespace llvm {
class DataLayout;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class LocalPlaces {
 public:
  struct Place {
    const llvm::Value* object;          ///< null: the kernel's own variables, else the load of a `local` argument's place
    std::vector<std::int64_t> offsets;  ///< bytes, by lane
  };

  LocalPlaces(LaneValues& values, const llvm::DataLayout& layout) : values_(values), layout_(layout) {}

  /// Null if it is not known in each lane. Stays valid.
  const Place* of(const llvm::Value& pointer);

  /// Whether `value` is the load of where local memory begins, or of where in it an argument's does.
  static bool is_base(const llvm::Value& value);

 private:
  LaneValues& values_;
  const llvm::DataLayout& layout_;
  std::map<const llvm::Value*, std::unique_ptr<Place>> places_;
};

}  // namespace weft::compiler::simt
