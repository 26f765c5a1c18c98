#include "compiler/simt/memory/byte_rows.h"

#include <vector>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::StoreInst;
using llvm::Value;

constexpr std::int64_t kMostBytes = 8;

/// Stores of one pixel, so far.
struct Pixel {
  llvm::SmallVector<FieldAccess, 4> stores;
  bool open = true;
};

class Pixels {
 public:
  Pixels(llvm::Function& function, const Shapes& shapes)
      : shapes_(shapes), layout_(function.getDataLayout()) {}

  bool run(BasicBlock& block) {
    std::vector<Pixel> pixels;
    for (Instruction& instruction : block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      const auto access = llvm::isa<StoreInst>(instruction) ? byte_access(instruction, shapes_, layout_) : std::nullopt;
      Pixel* joined = nullptr;
      for (Pixel& pixel : pixels) {
        if (!pixel.open) continue;
        if (access && !joined && continues(pixel, *access))
          joined = &pixel;
        else if (touches(instruction, access, pixel))
          pixel.open = false;
      }
      if (joined)
        joined->stores.push_back(*access);
      else if (access && access->stride <= kMostBytes)
        pixels.push_back({{*access}});
    }
    bool changed = false;
    for (const Pixel& pixel : pixels) changed |= combine(pixel);
    return changed;
  }

 private:
  static llvm::Type* type_of(const FieldAccess& access) { return llvm::cast<StoreInst>(access.instruction)->getValueOperand()->getType(); }

  bool continues(const Pixel& pixel, const FieldAccess& access) const {
    const FieldAccess& first = pixel.stores.front();
    if (!(first.base == access.base) || first.space() != access.space() || first.stride != access.stride || first.bytes != access.bytes) return false;
    return llvm::all_of(pixel.stores, [&](const FieldAccess& other) {
      return std::abs(other.offset - access.offset) < access.stride && !fields_overlap(other, access) &&
             (other.offset - access.offset) % access.bytes == 0;
    });
  }

  /// Whether `instruction` may touch what a lane has stored of `pixel`, so that no such store moves behind it.
  bool touches(const Instruction& instruction, const std::optional<FieldAccess>& access, const Pixel& pixel) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) {
      const llvm::StringRef name = called_name(instruction);
      return name != primitive::kAny && name != primitive::kAll && name != primitive::kMask && name != primitive::kLive;
    }
    if (instruction.isAtomic() || (instruction.isVolatile() && !instruction.hasMetadata(primitive::kNonVolatileMetadata))) return true;
    const unsigned space = pointer->getType()->getPointerAddressSpace(), own = pixel.stores.front().space();
    if (space == kPrivateSpace || space == kConstantSpace || (space != own && (space == kGlobalSpace || space == kLocalSpace))) return false;
    if (access && access->base == pixel.stores.front().base && access->stride == pixel.stores.front().stride)
      return llvm::any_of(pixel.stores, [&](const FieldAccess& store) { return fields_overlap(store, *access); });
    return llvm::any_of(pixel.stores, [&](const FieldAccess& store) { return may_meet(*store.instruction, instruction); });
  }

  bool combine(const Pixel& pixel) {
    const FieldAccess& last = pixel.stores.back();
    const auto count = static_cast<unsigned>(last.stride / last.bytes);
    if (count < 2 || pixel.stores.size() != count) return false;
    std::int64_t low = last.offset;
    for (const FieldAccess& store : pixel.stores) low = std::min(low, store.offset);
    if (!llvm::all_of(pixel.stores, [&](const FieldAccess& store) { return store.offset - low < last.stride; })) return false;
    llvm::IRBuilder<> builder(last.instruction);
    auto* element = builder.getIntNTy(static_cast<unsigned>(8 * last.bytes));
    Value* value = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, count));
    llvm::Align align(static_cast<std::uint64_t>(last.bytes));
    llvm::AAMDNodes scopes = last.instruction->getAAMetadata();
    for (const FieldAccess& store : pixel.stores) {
      Value* stored = builder.CreateBitCast(llvm::cast<StoreInst>(store.instruction)->getValueOperand(), element);
      value = builder.CreateInsertElement(value, stored, static_cast<std::uint64_t>((store.offset - low) / last.bytes));
      align = std::min(align, llvm::getLoadStoreAlignment(store.instruction));
      scopes = scopes.merge(store.instruction->getAAMetadata());
    }
    Value* pointer = llvm::getLoadStorePointerOperand(last.instruction);
    if (low != last.offset) pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(low - last.offset)));
    StoreInst* combined = builder.CreateAlignedStore(value, pointer, align, /*isVolatile=*/true);
    combined->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(builder.getContext(), {}));
    combined->setAAMetadata(scopes);
    for (const FieldAccess& store : pixel.stores) store.instruction->eraseFromParent();
    return true;
  }

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
};

}  // namespace

bool make_byte_rows(llvm::Function& function, const Shapes& shapes) {
  Pixels pixels(function, shapes);
  bool changed = false;
  for (BasicBlock& block : function) changed |= pixels.run(block);
  return changed;
}

}  // namespace weft::compiler::simt
