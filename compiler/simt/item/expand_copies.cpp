#include "compiler/simt/item/expand_copies.h"

#include <algorithm>

#include "compiler/simt/ir/address_spaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace weft::compiler::simt {
namespace {

constexpr std::uint64_t kMaxUnrolled = 16;  // accesses of a copy without a loop
constexpr std::size_t kMaxFields = 64;    // of a variable that is copied field by field
constexpr std::size_t kMaxChosenFields = 32;  // of one that is no registers: the program chooses a field

bool is_shared(unsigned address_space) {
  return address_space == kGlobalSpace || address_space == kLocalSpace || address_space == kGenericSpace;
}

/// A scalar of a variable's type.
struct Field {
  std::uint64_t offset;  ///< bytes
  llvm::Type* type;
};

/// Collects the scalars of `type`, without padding; false if there are more than kMaxFields.
bool collect_fields(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
                    llvm::SmallVectorImpl<Field>& fields) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      if (!collect_fields(structure->getElementType(i), offset + places->getElementOffset(i), layout, fields))
        return false;
    return true;
  }
  llvm::Type* element = nullptr;
  std::uint64_t count = 0;
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    element = array->getElementType();
    count = array->getNumElements();
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    element = vector->getElementType();
    count = vector->getNumElements();
  } else {
    fields.push_back({offset, type});
    return fields.size() <= kMaxFields;
  }
  if (count > kMaxFields) return false;
  for (std::uint64_t i = 0; i < count; ++i)
    if (!collect_fields(element, offset + i * layout.getTypeAllocSize(element), layout, fields)) return false;
  return true;
}

/// The private variable of `size` bytes that `pointer` points to, or null.
const llvm::AllocaInst* whole_variable(const llvm::Value* pointer, std::uint64_t size) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer->stripPointerCasts());
  if (variable == nullptr) return nullptr;
  const auto allocated = variable->getAllocationSize(variable->getDataLayout());
  return allocated && allocated->getFixedValue() == size ? variable : nullptr;
}

/// Bytes of one access, at most the 4 that a lane's registers hold best.
std::uint64_t common_unit(const llvm::MemIntrinsic& intrinsic, std::uint64_t size) {
  std::uint64_t unit = std::min<std::uint64_t>(4, intrinsic.getDestAlign().valueOrOne().value());
  if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic))
    unit = std::min<std::uint64_t>(unit, transfer->getSourceAlign().valueOrOne().value());
  while (size % unit != 0) unit /= 2;
  return unit;
}

/// Whether nothing but copies of all of `variable` accesses its bytes from `begin` to `end`.
bool is_only_copied(const llvm::AllocaInst& variable, std::uint64_t begin, std::uint64_t end) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  llvm::SmallVector<std::pair<const llvm::Value*, std::uint64_t>, 16> places = {{&variable, 0}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [place, offset] = places[i];
    for (const llvm::User* user : place->users()) {
      if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt more(layout.getIndexTypeSizeInBits(gep->getType()), 0);
        if (!gep->accumulateConstantOffset(layout, more) || more.isNegative()) return false;
        places.emplace_back(gep, offset + more.getZExtValue());
      } else if (llvm::isa<llvm::LoadInst>(user) || (llvm::isa<llvm::StoreInst>(user) && llvm::getLoadStorePointerOperand(user) == place)) {
        const std::uint64_t size = layout.getTypeStoreSize(llvm::getLoadStoreType(const_cast<llvm::User*>(user))).getFixedValue();
        if (offset < end && offset + size > begin) return false;
      } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        const auto* size = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
        const bool is_whole = offset == 0 && size && whole_variable(&variable, size->getZExtValue());
        if (!is_whole && (!size || (offset < end && offset + size->getZExtValue() > begin))) return false;
      } else if (!llvm::isa<llvm::LifetimeIntrinsic>(user)) {
        return false;
      }
    }
  }
  return true;
}

/// What variables that are copied as a whole consist of, before any copy is expanded.
using FieldsOf = llvm::DenseMap<const llvm::AllocaInst*, llvm::SmallVector<Field, 16>>;

/// Makes words of bytes side by side that are only copied. Clang pads structs with arrays of bytes.
void join_bytes(const llvm::AllocaInst& variable, llvm::SmallVectorImpl<Field>& fields) {
  llvm::LLVMContext& context = variable.getContext();
  llvm::SmallVector<Field, 16> joined;
  for (std::size_t i = 0; i < fields.size();) {
    const auto is_next = [&](std::size_t k) {
      return fields[k].type->isIntegerTy(8) && fields[k].offset == fields[i].offset + (k - i);
    };
    std::size_t end = i;
    while (end < fields.size() && is_next(end)) ++end;
    if (end - i < 2 || !is_only_copied(variable, fields[i].offset, fields[i].offset + (end - i))) end = std::max(end, i + 1);
    else
      while (i < end) {
        std::uint64_t bytes = 4;
        while (bytes > end - i || fields[i].offset % bytes != 0) bytes /= 2;
        joined.push_back({fields[i].offset, llvm::IntegerType::get(context, static_cast<unsigned>(8 * bytes))});
        i += bytes;
      }
    for (; i < end; ++i) joined.push_back(fields[i]);
  }
  fields.assign(joined.begin(), joined.end());
}

/// Whether the program computes which element of `variable` some access is to.
bool has_chosen_element(const llvm::AllocaInst& variable) {
  llvm::SmallVector<const llvm::Value*, 16> places = {&variable};
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const llvm::User* user : places[i]->users())
      if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (!gep->hasAllConstantIndices()) return true;
        places.push_back(gep);
      }
  return false;
}

void find_fields(const llvm::MemTransferInst& transfer, FieldsOf& fields_of) {
  const auto* size = llvm::dyn_cast<llvm::ConstantInt>(transfer.getLength());
  if (!size) return;
  for (const llvm::Value* place : {transfer.getRawDest(), transfer.getRawSource()}) {
    const llvm::AllocaInst* variable = whole_variable(place, size->getZExtValue());
    if (!variable || fields_of.contains(variable)) continue;
    llvm::SmallVector<Field, 16> fields;
    if (!collect_fields(variable->getAllocatedType(), 0, variable->getDataLayout(), fields)) continue;
    if (fields.size() > kMaxChosenFields && has_chosen_element(*variable)) continue;
    join_bytes(*variable, fields);
    fields_of[variable] = std::move(fields);
  }
}

/// Copies a whole private variable field by field, so that promotion sees each field as it is used. Skips
/// padding.
bool expand_by_fields(llvm::MemTransferInst& transfer, std::uint64_t size, const FieldsOf& fields_of) {
  const llvm::AllocaInst* variable = whole_variable(transfer.getRawDest(), size);
  if (variable == nullptr) variable = whole_variable(transfer.getRawSource(), size);
  if (variable == nullptr || transfer.isVolatile()) return false;
  const auto found = fields_of.find(variable);
  if (found == fields_of.end()) return false;
  const llvm::SmallVector<Field, 16>& fields = found->second;
  llvm::IRBuilder<> builder(&transfer);
  const auto place = [&](llvm::Value* base, std::uint64_t offset) {
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, builder.getInt64(offset));
  };
  llvm::SmallVector<llvm::Value*, 16> values;
  for (const Field& field : fields)
    values.push_back(builder.CreateAlignedLoad(
        field.type, place(transfer.getRawSource(), field.offset),
        llvm::commonAlignment(transfer.getSourceAlign().valueOrOne(), field.offset)));
  for (const auto& [field, value] : llvm::zip(fields, values))
    builder.CreateAlignedStore(value, place(transfer.getRawDest(), field.offset),
                               llvm::commonAlignment(transfer.getDestAlign().valueOrOne(), field.offset));
  return true;
}

/// Makes the accesses of one intrinsic, unit by unit.
class Expander {
 public:
  Expander(llvm::MemIntrinsic& intrinsic, std::uint64_t unit)
      : intrinsic_(intrinsic), unit_(unit), type_(llvm::IntegerType::get(intrinsic.getContext(), 8 * unit)) {}

  llvm::Value* read(llvm::IRBuilder<>& builder, llvm::Value* index) {
    if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&intrinsic_)) {
      if (pattern_ == nullptr) {
        // Repeats the byte in each byte of a unit.
        llvm::IRBuilder<> before(&intrinsic_);
        const llvm::APInt ones = llvm::APInt::getSplat(8 * unit_, llvm::APInt(8, 1));
        pattern_ =
            before.CreateMul(before.CreateZExt(set->getValue(), type_), llvm::ConstantInt::get(type_, ones));
      }
      return pattern_;
    }
    auto& transfer = llvm::cast<llvm::MemTransferInst>(intrinsic_);
    return builder.CreateAlignedLoad(type_, builder.CreateInBoundsGEP(type_, transfer.getRawSource(), index),
                                     llvm::Align(unit_), intrinsic_.isVolatile());
  }

  void write(llvm::IRBuilder<>& builder, llvm::Value* index, llvm::Value* value) {
    builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(type_, intrinsic_.getRawDest(), index),
                               llvm::Align(unit_), intrinsic_.isVolatile());
  }

 private:
  llvm::MemIntrinsic& intrinsic_;
  std::uint64_t unit_;
  llvm::IntegerType* type_;
  llvm::Value* pattern_ = nullptr;
};

void expand_unrolled(llvm::MemIntrinsic& intrinsic, std::uint64_t size, std::uint64_t unit) {
  llvm::IRBuilder<> builder(&intrinsic);
  Expander expander(intrinsic, unit);
  llvm::SmallVector<llvm::Value*, kMaxUnrolled> values;
  // All loads come first, so that memmove is right too.
  for (std::uint64_t i = 0; i < size / unit; ++i)
    values.push_back(expander.read(builder, builder.getInt64(i)));
  for (std::uint64_t i = 0; i < size / unit; ++i) expander.write(builder, builder.getInt64(i), values[i]);
}

/// Emits for (i = 0; i < count; ++i), or the same downwards.
void expand_to_loop(llvm::MemIntrinsic& intrinsic, llvm::Value* count, std::uint64_t unit, bool downwards,
                    llvm::Instruction* before) {
  Expander expander(intrinsic, unit);
  llvm::IRBuilder<> builder(before);
  llvm::Value* none = builder.CreateICmpEQ(count, llvm::ConstantInt::get(count->getType(), 0));
  llvm::BasicBlock* head = before->getParent();
  llvm::BasicBlock* after = head->splitBasicBlock(before->getIterator(), "copied");
  llvm::BasicBlock* loop = llvm::BasicBlock::Create(head->getContext(), "copy", head->getParent(), after);
  llvm::ReplaceInstWithInst(head->getTerminator(), llvm::BranchInst::Create(after, loop, none));
  builder.SetInsertPoint(loop);
  llvm::Type* type = count->getType();
  llvm::PHINode* counter = builder.CreatePHI(type, 2);
  llvm::Value* next = builder.CreateAdd(counter, llvm::ConstantInt::get(type, 1));
  llvm::Value* index = downwards ? builder.CreateSub(count, next) : counter;
  expander.write(builder, index, expander.read(builder, index));
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loop, after);
  counter->addIncoming(llvm::ConstantInt::get(type, 0), head);
  counter->addIncoming(next, loop);
}

void expand(llvm::MemIntrinsic& intrinsic, const FieldsOf& fields_of) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  const std::uint64_t size = constant ? constant->getZExtValue() : 0;
  const std::uint64_t unit = constant && size != 0 ? common_unit(intrinsic, size) : 1;
  auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic);
  if (constant && transfer != nullptr && expand_by_fields(*transfer, size, fields_of)) {
    intrinsic.eraseFromParent();
    return;
  }
  if (constant && size / unit <= kMaxUnrolled) {
    expand_unrolled(intrinsic, size, unit);
  } else {
    llvm::IRBuilder<> builder(&intrinsic);
    llvm::Value* count = constant ? builder.getInt64(size / unit) : intrinsic.getLength();
    auto* move = llvm::dyn_cast<llvm::MemMoveInst>(&intrinsic);
    const bool may_overlap = move != nullptr && move->getSourceAddressSpace() == move->getDestAddressSpace();
    if (may_overlap) {
      // Emits a loop for each direction; the one that is wrong for the overlap counts to zero.
      llvm::Value* down = builder.CreateICmpULT(move->getRawSource(), move->getRawDest());
      llvm::Value* zero = llvm::ConstantInt::get(count->getType(), 0);
      llvm::Value* up_count = builder.CreateSelect(down, zero, count);
      llvm::Value* down_count = builder.CreateSelect(down, count, zero);
      expand_to_loop(intrinsic, up_count, unit, false, &intrinsic);
      expand_to_loop(intrinsic, down_count, unit, true, &intrinsic);
    } else {
      expand_to_loop(intrinsic, count, unit, false, &intrinsic);
    }
  }
  intrinsic.eraseFromParent();
}

}  // namespace

bool expand_copies(llvm::Function& function, bool shared_only) {
  llvm::SmallVector<llvm::MemIntrinsic*, 8> intrinsics;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
      if (intrinsic == nullptr) continue;
      const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic);
      if (!shared_only || is_shared(intrinsic->getDestAddressSpace()) ||
          (transfer != nullptr && is_shared(transfer->getSourceAddressSpace())))
        intrinsics.push_back(intrinsic);
    }
  }
  FieldsOf fields_of;
  for (const llvm::MemIntrinsic* intrinsic : intrinsics)
    if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(intrinsic)) find_fields(*transfer, fields_of);
  for (llvm::MemIntrinsic* intrinsic : intrinsics) expand(*intrinsic, fields_of);
  return !intrinsics.empty();
}

}  // namespace weft::compiler::simt
