// How a kernel's values change from one work-item, or one group, to the next along a dimension.
#pragma once

#include <cstdint>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BinaryOperator;
class CallInst;
class DataLayout;
class Function;
class GetElementPtrInst;
class Instruction;
class MinMaxIntrinsic;
class PHINode;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// How a value changes. From kSame up, what is known becomes less.
struct Step {
  enum Kind : std::uint8_t {
    kSame,   ///< not at all
    kGroup,  ///< the group's number, as it is
    kBy,     ///< by `local` within a group; from group to group by `group` for each work-item of a row
    kFar,    ///< by what the kernel learns at run time: a pitch
    kOther,
  } kind = kSame;
  std::int64_t local = 0, group = 0;

  bool operator==(const Step&) const = default;
};

/// Between which work-items.
enum class StepScope : std::uint8_t {
  kLaunch,         ///< all of a row
  kIterations,     ///< all of a row, those in a loop in the same iteration: what moves on in a loop for all alike has the step that it begins with
  kWithinGroup,    ///< those of a group: Step::group is 0
  kWithinBounds,   ///< those of a group where none is at a bound: the least or greatest of a value and what all share is the value
  kBetweenGroups,  ///< those at the same place of groups side by side: Step::local is 0, and Step::group only says whether it is a number
};

/// The steps of a kernel's values along a dimension: what they follow from, again until nothing changes. `kernel` is linked and
/// scalar-optimized.
class ItemSteps {
 public:
  ItemSteps(const llvm::Function& kernel, unsigned dimension, StepScope scope);

  Step of(const llvm::Value* value) const;

 private:
  Step step_of(const llvm::Instruction& instruction) const;
  Step of_phi(const llvm::PHINode& phi) const;
  Step of_others(const llvm::Instruction& instruction) const;
  Step times(const Step& step, std::int64_t factor) const;
  Step of_call(const llvm::CallInst& call) const;
  Step of_bounded(const llvm::MinMaxIntrinsic& bounded) const;
  bool is_local_size(const llvm::Value* value) const;
  Step of_product(const llvm::Value* a, const llvm::Value* b) const;
  Step of_binary(const llvm::BinaryOperator& binary) const;
  Step of_address(const llvm::GetElementPtrInst& address) const;

  const llvm::DataLayout& layout_;
  const char dimension_;
  const StepScope scope_;
  std::int64_t required_size_ = 0;  ///< reqd_work_group_size along the dimension; 0: none
  llvm::DenseMap<const llvm::Value*, Step> steps_;
};

}  // namespace weft::compiler::simt
