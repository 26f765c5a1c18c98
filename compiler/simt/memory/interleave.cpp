#include "compiler/simt/memory/interleave.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <memory>
#include <numeric>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// All uses of one private variable, in all regions.
struct Variable {
  llvm::SmallVector<llvm::Instruction*, 2> roots;   ///< the alloca, or the calls of weft.private
  llvm::SmallVector<llvm::Instruction*, 16> accesses;
  llvm::SmallVector<llvm::GetElementPtrInst*, 16> offsets;
  llvm::SmallPtrSet<const Value*, 32> pointers;
  llvm::SmallVector<llvm::Instruction*, 4> meetings;  ///< phis, selects and comparisons of pointers
  std::uint64_t granularity = 0;                      ///< divides all offsets, bytes
};

llvm::Type* accessed_type(const llvm::Instruction& access) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) return store->getValueOperand()->getType();
  return access.getType();
}

bool is_atomic(const llvm::Instruction& access) { return access.isAtomic(); }

/// Collects all uses of a pointer; false if one of them is not part of an access.
bool collect(llvm::Instruction& pointer, const llvm::DataLayout& layout, Variable& variable) {
  if (!variable.pointers.insert(&pointer).second) return true;
  for (llvm::User* user : pointer.users()) {
    auto* instruction = llvm::cast<llvm::Instruction>(user);
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Store:
        if (llvm::cast<llvm::StoreInst>(instruction)->getValueOperand() == &pointer) return false;
        [[fallthrough]];
      case llvm::Instruction::Load:
        if (is_atomic(*instruction)) return false;
        variable.accesses.push_back(instruction);
        break;
      case llvm::Instruction::GetElementPtr: {
        auto* gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        llvm::APInt constant(64, 0);
        llvm::MapVector<Value*, llvm::APInt> variables;
        if (gep->getType()->isVectorTy() ||
            !llvm::cast<llvm::GEPOperator>(gep)->collectOffset(layout, 64, variables, constant))
          return false;
        variable.granularity = std::gcd(variable.granularity, constant.abs().getZExtValue());
        for (const auto& [index, scale] : variables)
          variable.granularity = std::gcd(variable.granularity, scale.abs().getZExtValue());
        variable.offsets.push_back(gep);
        if (!collect(*gep, layout, variable)) return false;
        break;
      }
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::AddrSpaceCast:
        if (llvm::isa<llvm::SelectInst>(instruction) && instruction->getOperand(0)->getType()->isVectorTy())
          return false;
        variable.meetings.push_back(instruction);
        if (!collect(*instruction, layout, variable)) return false;
        break;
      case llvm::Instruction::ICmp: variable.meetings.push_back(instruction); break;
      default: return false;
    }
  }
  return true;
}

/// Whether pointers only meet pointers of the same variable: the layout of others differs.
bool meets_only_itself(const Variable& variable) {
  for (const llvm::Instruction* meeting : variable.meetings)
    for (const Value* operand : meeting->operands())
      if (operand->getType()->isPointerTy() && !llvm::isa<llvm::UndefValue>(operand) &&
          !variable.pointers.contains(operand))
        return false;
  return true;
}

class Interleaver {
 public:
  Interleaver(RegionSet& set, const Specialization& specialization, unsigned lanes,
              llvm::function_ref<std::uint32_t(unsigned)> private_stride)
      : set_(set),
        specialization_(specialization),
        lanes_(lanes),
        private_stride_(private_stride),
        layout_(set.regions.front()->getParent()->getDataLayout()) {}

  void run() {
    llvm::SmallVector<Variable, 8> variables(set_.privates.size());
    for (llvm::Function* region : set_.regions)
      for (llvm::Instruction& instruction : llvm::instructions(*region)) {
        if (called_name(instruction) == primitive::kPrivate) {
          const auto& call = llvm::cast<llvm::CallBase>(instruction);
          variables[llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue()].roots.push_back(&instruction);
        } else if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
                   alloca && alloca->getAllocationSize(layout_)) {
          variables.emplace_back().roots.push_back(alloca);
        }
      }
    // Decide for all variables first: that takes the shapes of the unchanged regions.
    llvm::SmallVector<std::uint64_t, 8> units;
    for (Variable& variable : variables) units.push_back(unit(variable));
    shapes_.clear();
    for (unsigned i = 0; i < variables.size(); ++i) {
      if (!units[i]) continue;
      rewrite(variables[i], units[i]);
      if (i < set_.privates.size()) set_.privates[i].unit = units[i];
    }
  }

 private:
  /// Bytes of the variable's units; 0 where it stays blocked.
  std::uint64_t unit(Variable& variable) {
    for (llvm::Instruction* root : variable.roots)
      if (!collect(*root, layout_, variable)) return 0;
    if (variable.accesses.empty() || !meets_only_itself(variable)) return 0;
    std::uint64_t smallest = 0;
    llvm::Type* vector = nullptr;  // the type of all accesses; null if they differ
    bool scattered = false;
    for (const llvm::Instruction* access : variable.accesses) {
      llvm::Type* type = accessed_type(*access);
      llvm::Type* element = type->getScalarType();
      const std::uint64_t bytes = layout_.getTypeStoreSize(element);
      if (type->isAggregateType() || layout_.getTypeSizeInBits(element) != 8 * bytes || !llvm::isPowerOf2_64(bytes))
        return 0;
      smallest = smallest ? std::min(smallest, bytes) : bytes;
      vector = access == variable.accesses.front() || type == vector ? type : nullptr;
      scattered |= !at_shared_index(*access);
    }
    // At an index of its own, a lane accesses an OpenCL vector faster as a whole.
    if (scattered && vector && vector->isVectorTy()) {
      const std::uint64_t bytes = layout_.getTypeStoreSize(vector);
      return llvm::isPowerOf2_64(bytes) && variable.granularity % bytes == 0 ? bytes : 0;
    }
    if (variable.granularity % smallest != 0) return 0;
    std::size_t pieces = 0;
    for (const llvm::Instruction* access : variable.accesses) {
      llvm::Type* element = accessed_type(*access)->getScalarType();
      const std::uint64_t ratio = layout_.getTypeStoreSize(element) / smallest;
      if (ratio > 1 && element->isPointerTy()) return 0;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(access);
      pieces += store && llvm::isa<llvm::Constant>(store->getValueOperand()) ? 1 : ratio;
    }
    return pieces <= 2 * variable.accesses.size() ? smallest : 0;
  }

  /// Whether all lanes access their copies at one offset.
  bool at_shared_index(const llvm::Instruction& access) {
    auto& region = const_cast<llvm::Function&>(*access.getFunction());
    std::unique_ptr<Shapes>& shapes = shapes_[&region];
    if (!shapes) shapes = std::make_unique<Shapes>(region, specialization_, lanes_, private_stride_);
    const Value* pointer = llvm::getLoadStorePointerOperand(&access);
    const Shape shape = (*shapes)[*pointer];
    if (!shape.is_affine() || shape.checked || shape.segment != lanes_) return false;
    while (true) {  // to the variable itself, whose stride is the size of a copy
      if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
        pointer = gep->getPointerOperand();
      } else if (llvm::isa<llvm::CastInst>(pointer) || llvm::isa<llvm::FreezeInst>(pointer)) {
        pointer = llvm::cast<llvm::Instruction>(pointer)->getOperand(0);
      } else {
        break;
      }
    }
    return shape.stride == (*shapes)[*pointer].stride;
  }

  void rewrite(Variable& variable, std::uint64_t unit) {
    llvm::LLVMContext& context = set_.regions.front()->getContext();
    llvm::MDNode* mark = llvm::MDNode::get(
        context, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), unit)));
    for (llvm::Instruction* root : variable.roots) root->setMetadata(primitive::kInterleavedMetadata, mark);
    for (llvm::GetElementPtrInst* gep : variable.offsets) scale_offset(*gep);
    for (llvm::Instruction* access : variable.accesses) {
      llvm::Type* type = accessed_type(*access);
      if (layout_.getTypeStoreSize(type) != unit) access = split(*access, unit, mark);
      if (access) mark_access(*access, unit, mark);
    }
  }

  void mark_access(llvm::Instruction& access, std::uint64_t unit, llvm::MDNode* mark) {
    access.setMetadata(primitive::kInterleavedMetadata, mark);
    // Neighbours are a unit apart now, whatever the variable's alignment.
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access))
      load->setAlignment(std::min(load->getAlign(), llvm::Align(unit)));
    else
      llvm::cast<llvm::StoreInst>(access).setAlignment(
          std::min(llvm::cast<llvm::StoreInst>(access).getAlign(), llvm::Align(unit)));
  }

  /// Multiplies each offset by the lanes: the same element in the new layout.
  void scale_offset(llvm::GetElementPtrInst& gep) {
    llvm::APInt constant(64, 0);
    llvm::MapVector<Value*, llvm::APInt> variables;
    llvm::cast<llvm::GEPOperator>(gep).collectOffset(layout_, 64, variables, constant);
    llvm::IRBuilder<> builder(&gep);
    Value* pointer = gep.getPointerOperand();
    const auto move = [&](Value* bytes) { pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, bytes); };
    for (const auto& [index, scale] : variables) {
      Value* wide = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
      move(builder.CreateMul(wide, builder.getInt64(static_cast<std::uint64_t>(scale.getSExtValue() * lanes_))));
    }
    if (!constant.isZero()) move(builder.getInt64(static_cast<std::uint64_t>(constant.getSExtValue() * lanes_)));
    if (pointer != gep.getPointerOperand()) pointer->takeName(&gep);
    gep.replaceAllUsesWith(pointer);
    gep.eraseFromParent();
  }

  /// Splits an access of several units into one for each unit, all marked. Returns null.
  llvm::Instruction* split(llvm::Instruction& access, std::uint64_t unit, llvm::MDNode* mark) {
    llvm::IRBuilder<> builder(&access);
    llvm::Type* type = accessed_type(access);
    const std::uint64_t bytes = layout_.getTypeStoreSize(type);
    llvm::Type* element = type->getScalarType();
    if (layout_.getTypeStoreSize(element) != unit) element = builder.getIntNTy(static_cast<unsigned>(8 * unit));
    const unsigned count = static_cast<unsigned>(bytes / unit);
    auto* pieces = llvm::FixedVectorType::get(element, count);
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    const auto address = [&](unsigned i) {
      return i ? builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(i * unit * lanes_)) : pointer;
    };
    const llvm::Align align(unit);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
      Value* value = llvm::PoisonValue::get(pieces);
      for (unsigned i = 0; i < count; ++i) {
        llvm::LoadInst* piece = builder.CreateAlignedLoad(element, address(i), align, load->isVolatile());
        mark_access(*piece, unit, mark);
        value = builder.CreateInsertElement(value, piece, i);
      }
      value = builder.CreateBitCast(value, type);
      value->takeName(load);
      load->replaceAllUsesWith(value);
    } else {
      auto& store = llvm::cast<llvm::StoreInst>(access);
      Value* value = builder.CreateBitCast(store.getValueOperand(), pieces);
      for (unsigned i = 0; i < count; ++i)
        mark_access(*builder.CreateAlignedStore(builder.CreateExtractElement(value, i), address(i), align, store.isVolatile()),
                    unit, mark);
    }
    access.eraseFromParent();
    return nullptr;
  }

  RegionSet& set_;
  const Specialization& specialization_;
  unsigned lanes_;
  llvm::function_ref<std::uint32_t(unsigned)> private_stride_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Function*, std::unique_ptr<Shapes>> shapes_;
};

}  // namespace

void interleave_privates(RegionSet& set, const Specialization& specialization, unsigned lanes,
                         llvm::function_ref<std::uint32_t(unsigned)> private_stride) {
  if (!set.regions.empty()) Interleaver(set, specialization, lanes, private_stride).run();
}

}  // namespace weft::compiler::simt
