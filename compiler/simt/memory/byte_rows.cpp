#include "compiler/simt/memory/byte_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::StoreInst;
using llvm::Value;

constexpr std::int64_t kMostBytes = 8;    // of a row that is one vector
constexpr std::int64_t kPieceBytes = 16;  // of a longer one
constexpr std::int64_t kFewestInPiece = 4;
constexpr std::size_t kMostStores = 256;  // of a row
constexpr std::size_t kMostRows = 256;    // of a block

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
      else if (access && pixels.size() < kMostRows)
        pixels.push_back({{*access}});
    }
    bool changed = false;
    for (const Pixel& pixel : pixels) changed |= pixel.stores.front().stride <= kMostBytes ? combine_row(pixel) : combine_pieces(pixel);
    return changed;
  }

 private:
  static llvm::Type* type_of(const FieldAccess& access) { return llvm::cast<StoreInst>(access.instruction)->getValueOperand()->getType(); }

  bool continues(const Pixel& pixel, const FieldAccess& access) const {
    const FieldAccess& first = pixel.stores.front();
    if (pixel.stores.size() == kMostStores) return false;
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

  static bool combine_row(const Pixel& pixel) {
    const FieldAccess& last = pixel.stores.back();
    const auto count = static_cast<unsigned>(last.stride / last.bytes);
    if (count < 2 || pixel.stores.size() != count) return false;
    const auto [low, high] = std::minmax_element(pixel.stores.begin(), pixel.stores.end(), is_in_front);
    if (high->offset - low->offset >= last.stride) return false;
    combine(pixel.stores);
    return true;
  }

  /// The stores of a row that is longer, by pieces: whoever reads them all stores a piece at once for each lane, in place of bytes.
  static bool combine_pieces(const Pixel& pixel) {
    // No two lie a stride apart or more.
    llvm::SmallVector<std::pair<FieldAccess, std::size_t>, 16> row;
    for (const auto& [place, store] : llvm::enumerate(pixel.stores)) row.emplace_back(store, place);
    llvm::sort(row, [](const auto& a, const auto& b) { return is_in_front(a.first, b.first); });
    const std::int64_t bytes = row.front().first.bytes;
    bool changed = false;
    for (std::size_t first = 0; first < row.size();) {
      std::size_t run = 1;
      while (first + run < row.size() && static_cast<std::int64_t>(run + 1) * bytes <= kPieceBytes &&
             row[first + run].first.offset == row[first].first.offset + static_cast<std::int64_t>(run) * bytes)
        ++run;
      run = llvm::bit_floor(run);
      if (static_cast<std::int64_t>(run) * bytes >= kFewestInPiece) {
        auto piece = llvm::ArrayRef(row).slice(first, run).vec();
        llvm::sort(piece, [](const auto& a, const auto& b) { return a.second < b.second; });
        combine(llvm::to_vector(llvm::make_first_range(piece)));
        changed = true;
      }
      first += run;
    }
    return changed;
  }

  static bool is_in_front(const FieldAccess& a, const FieldAccess& b) { return a.offset < b.offset; }

  /// One store, at the last of `stores`, of what they all store: all elements from the lowest to the highest.
  static void combine(llvm::ArrayRef<FieldAccess> stores) {
    const FieldAccess& last = stores.back();
    const std::int64_t low = std::min_element(stores.begin(), stores.end(), is_in_front)->offset;
    llvm::IRBuilder<> builder(last.instruction);
    auto* element = builder.getIntNTy(static_cast<unsigned>(8 * last.bytes));
    Value* const loaded = loaded_together(stores, low);
    Value* value = loaded ? loaded : llvm::PoisonValue::get(llvm::FixedVectorType::get(element, static_cast<unsigned>(stores.size())));
    llvm::Align align(static_cast<std::uint64_t>(last.bytes));
    llvm::AAMDNodes scopes = last.instruction->getAAMetadata();
    for (const FieldAccess& store : stores) {
      if (!loaded) {
        Value* stored = builder.CreateBitCast(llvm::cast<StoreInst>(store.instruction)->getValueOperand(), element);
        value = builder.CreateInsertElement(value, stored, static_cast<std::uint64_t>((store.offset - low) / last.bytes));
      }
      align = std::min(align, llvm::getLoadStoreAlignment(store.instruction));
      scopes = scopes.merge(store.instruction->getAAMetadata());
    }
    Value* pointer = llvm::getLoadStorePointerOperand(last.instruction);
    if (low != last.offset) pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(static_cast<std::uint64_t>(low - last.offset)));
    StoreInst* combined = builder.CreateAlignedStore(value, pointer, align, /*isVolatile=*/true);
    combined->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(builder.getContext(), {}));
    combined->setAAMetadata(scopes);
    for (const FieldAccess& store : stores) {
      auto* stored = llvm::dyn_cast<Instruction>(llvm::cast<StoreInst>(store.instruction)->getValueOperand());
      store.instruction->eraseFromParent();
      if (stored && stored->use_empty() && llvm::isa<llvm::LoadInst>(stored) && !stored->isVolatile()) stored->eraseFromParent();
    }
  }

  /// What `stores` store, the lowest from `low` on, as one load, if it is elements of private memory side by side in the same order, as of a table that is
  /// copied; else null.
  static Value* loaded_together(llvm::ArrayRef<FieldAccess> stores, std::int64_t low) {
    const llvm::DataLayout& layout = stores.front().instruction->getModule()->getDataLayout();
    llvm::SmallPtrSet<const Instruction*, 16> loads;
    llvm::LoadInst* lowest = nullptr;
    FieldBase base;
    std::int64_t begin = 0;
    for (const FieldAccess& store : stores) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(llvm::cast<StoreInst>(store.instruction)->getValueOperand());
      if (!load || !load->hasOneUse() || !load->isSimple() || load->getPointerAddressSpace() != kPrivateSpace ||
          interleaved_unit(*load) || load->getParent() != store.instruction->getParent())
        return nullptr;
      std::int64_t offset = 0;
      const FieldBase found = base_of(*load->getPointerOperand(), layout, offset);
      const std::int64_t from = offset - (store.offset - low);
      if (loads.empty()) base = found, begin = from;
      if (!(base == found) || begin != from || !loads.insert(load).second) return nullptr;
      if (store.offset == low) lowest = load;
    }
    // At the last of them nothing has changed since the first.
    Instruction* last = nullptr;
    unsigned seen = 0;
    for (Instruction& instruction : *lowest->getParent()) {
      if (loads.contains(&instruction)) {
        last = &instruction;
        if (++seen == loads.size()) break;
      } else if (seen && instruction.mayWriteToMemory()) {
        const auto* other = llvm::dyn_cast<StoreInst>(&instruction);
        if (!other || other->getPointerAddressSpace() == kPrivateSpace) return nullptr;
      }
    }
    llvm::IRBuilder<> builder(last);
    auto* type = llvm::FixedVectorType::get(builder.getIntNTy(static_cast<unsigned>(8 * stores.front().bytes)), static_cast<unsigned>(stores.size()));
    Value* pointer = lowest->getPointerOperand();
    if (auto* address = llvm::dyn_cast<Instruction>(pointer); address && address->getParent() == last->getParent() && !address->comesBefore(last))
      return nullptr;
    return builder.CreateAlignedLoad(type, pointer, lowest->getAlign());
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
