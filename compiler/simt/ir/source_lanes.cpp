#include "compiler/simt/ir/source_lanes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstrTypes.h>

namespace weft::compiler::simt {

std::optional<SourceLane> common_lane(const llvm::CallBase& call) {
  const auto* table = llvm::cast<llvm::Constant>(call.getArgOperand(0));
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(table->getType())->getNumElements();
  std::optional<SourceLane> result;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const std::optional<SourceLane> source = source_of_lane(call, lane);
    if (!source) continue;
    if (result && !(*result == *source)) return std::nullopt;
    result = source;
  }
  return result;
}

std::optional<SourceLane> source_of_lane(const llvm::CallBase& call, unsigned lane) {
  const auto* table = llvm::cast<llvm::Constant>(call.getArgOperand(0));
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(table->getType())->getNumElements();
  const auto* entry = llvm::cast<llvm::ConstantInt>(table->getAggregateElement(lane));
  if (entry->isMinusOne()) return std::nullopt;
  const unsigned number = static_cast<unsigned>(entry->getZExtValue());
  return SourceLane{number / lanes, number % lanes};
}

}  // namespace weft::compiler::simt
