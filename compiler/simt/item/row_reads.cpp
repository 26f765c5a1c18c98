#include "compiler/simt/item/row_reads.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

#include "compiler/simt/analysis/item_steps.h"
#include "compiler/simt/ir/lane_rows.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/scalar_elements.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::StringLiteral kRead = "__weft_image_sample_f";
/// WEFT_3D of builtins/image.h, and WEFT_BY_ROWS of builtins/image_sample.cl.
constexpr std::uint64_t kSlices = 5, kByRows = 0x10000;
constexpr unsigned kSampler = 3, kCoordinates = 5;
/// Each takes as much code as two of others.
constexpr unsigned kMostRowReads = 8;

/// Whether `call` reads slices so: (image, level, format, sampler, kind, coordinates).
bool is_linear_of_slices(const llvm::CallBase& call) {
  const auto number = [&](unsigned argument) { return llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument)); };
  const auto *format = number(2), *sampler = number(kSampler), *kind = number(4);
  if (!format || !sampler || !kind || kind->getZExtValue() != kSlices || !(sampler->getZExtValue() & abi::kSamplerLinear)) return false;
  // Of a mipmap each work-item may read another level.
  const llvm::Value* image = call.getArgOperand(0);
  return llvm::isa<llvm::Argument>(image) && call.getArgOperand(1) == image;
}

}  // namespace

bool read_by_rows(llvm::Function& kernel, const Specialization& specialization) {
  if (!lanes_of_row(specialization)) return false;
  llvm::SmallVector<llvm::CallBase*, kMostRowReads> reads;
  for (llvm::Instruction& instruction : llvm::instructions(kernel))
    if (called_name(instruction) == kRead && is_linear_of_slices(llvm::cast<llvm::CallBase>(instruction)))
      reads.push_back(llvm::cast<llvm::CallBase>(&instruction));
  if (reads.empty() || reads.size() > kMostRowReads) return false;
  ScalarElements elements;
  for (llvm::CallBase* read : reads) read->setArgOperand(kCoordinates, elements.rebuild(*read->getArgOperand(kCoordinates), *read));
  const ItemSteps steps(kernel, 0, StepScope::kWithinGroup);
  bool changed = false;
  for (llvm::CallBase* read : reads) {
    const auto is_same = [&](unsigned dimension) {
      const llvm::Value* coordinate = llvm::findScalarElement(read->getArgOperand(kCoordinates), dimension);
      return coordinate && steps.of(coordinate).kind == Step::kSame;
    };
    if (is_same(0) || !is_same(1) || !is_same(2)) continue;
    auto* sampler = llvm::cast<llvm::ConstantInt>(read->getArgOperand(kSampler));
    read->setArgOperand(kSampler, llvm::ConstantInt::get(sampler->getType(), sampler->getZExtValue() | kByRows));
    read->setConvergent();
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
