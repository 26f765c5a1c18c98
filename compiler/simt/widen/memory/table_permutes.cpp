// Strategy "table-permutes".
// Matches: loads out of a table by an index of at most 8 bits that differs from lane to lane: S-boxes, tone curves, digits, tables of
// checksums. What the index may reach lies in a few registers, out of which a permutation takes each lane's element. Bytes are loaded
// where they are used. So are elements of 16 bits, and words of short tables, by several permutations. Of longer tables of words, whose
// bytes are taken apart once, bytes are permuted, four planes of them: a table that is a constant is kept that way, and one that a loop
// does not change is made so in front of the loop.
// What lies behind the elements that the lanes read is read, too, so it must lie in the same page, or where reading is known to be safe:
// the code looks where the compiler does not know, and falls back.
// Costs: the table's registers, for each vector of lanes.
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/analysis/lookup_table.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr std::uint64_t kPageBytes = 4096;
class Permutes {
 public:
  Permutes(Widening& w, const Access& access, LookupTable table)
      : w_(w), builder_(w.builder), access_(access), table_(std::move(table)), bytes_(access.bits / 8) {}

  unsigned registers() const { return std::max(1u, table_.entries * bytes_ / kRegisterBytes); }

  /// Decides how; false: not at all.
  bool plan() {
    if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(table_.base);
        global && global->isConstant() && global->hasDefinitiveInitializer() && table_.uniform.empty()) {
      contents_ = contents(*global);
      if (contents_) return true;
    }
    if (bytes_ == 4 && registers() > kMostWordRegisters) preheader_ = preheader();
    return true;
  }

  /// Whether reading all of the table is safe, whatever the lanes read: null, it is.
  Value* is_safe() {
    if (contents_ || is_known()) return nullptr;
    at_preheader([&] {
      Value* in_page = builder_.CreateAnd(builder_.CreatePtrToInt(address(), builder_.getInt64Ty()), kPageBytes - 1);
      safe_ = builder_.CreateICmpULE(in_page, builder_.getInt64(kPageBytes - table_.entries * bytes_));
    });
    return safe_;
  }

  Value* load() {
    Value* index = w_.values.vector1(table_.index);
    llvm::SmallVector<Value*, 4> chunks;
    const bool by_planes = bytes_ == 4 && registers() > kMostWordRegisters && (contents_ || preheader_);
    const unsigned lanes = by_planes || bytes_ == 1 ? kRegisterBytes : kRegisterBytes / bytes_;
    llvm::SmallVector<Value*, 16> table = by_planes ? planes() : words();
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes) {
      Value* some = part(index, lane, lanes);
      chunks.push_back(by_planes ? look_up_planes(table, some) : look_up(table, some, 8 * bytes_));
    }
    Value* all = chunks.size() == 1 ? chunks.front() : llvm::concatenateVectors(builder_, chunks);
    all = part(all, 0, w_.lanes);
    return builder_.CreateBitCast(all, access_.type->isVectorTy() ? w_.packed_type(access_.type) : w_.wide(access_.type));
  }

 private:
  static bool writes(const llvm::Instruction& instruction, unsigned space) {
    if (!instruction.mayWriteToMemory() || llvm::isa<llvm::LoadInst>(instruction)) return false;  // loads are volatile by then
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const unsigned to = store->getPointerAddressSpace();
      return !(space == kConstantSpace || (to != space && to != kGenericSpace));
    }
    const llvm::StringRef name = called_name(instruction);
    return name != primitive::kMask && name != primitive::kLive;
  }

  /// The end of the outermost loop's preheader that the table may be taken apart in; null: there is none.
  const llvm::BasicBlock* preheader() const {
    const llvm::LoopInfo& loops = scalar_loops(w_);
    const llvm::DominatorTree& dominators = *w_.memory.dominators;
    const llvm::BasicBlock* block = access_.instruction.getParent();
    const unsigned space = access_.pointer->getType()->getPointerAddressSpace();
    if (space == kGenericSpace) return nullptr;
    const llvm::BasicBlock* found = nullptr;
    for (const llvm::Loop* loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop()) {
      const llvm::BasicBlock* before = loop->getLoopPreheader();
      if (!before || !loop->isLoopInvariant(table_.base)) break;
      if (llvm::any_of(table_.uniform, [&](const auto& added) { return !loop->isLoopInvariant(added.first); })) break;
      // Once it is entered, each lane in it looks up, unless all that is read is known to be there.
      llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
      loop->getExitingBlocks(exiting);
      if (!is_known() && !llvm::all_of(exiting, [&](const llvm::BasicBlock* exit) { return dominators.dominates(block, exit); })) break;
      const bool changes = llvm::any_of(loop->blocks(), [&](const llvm::BasicBlock* inside) {
        return llvm::any_of(*inside, [&](const llvm::Instruction& instruction) { return writes(instruction, space); });
      });
      if (changes) break;
      found = before;
    }
    return found;
  }

  /// Local memory from its begin on: its padding may be read, too.
  bool is_known() const {
    if (!table_.uniform.empty() || access_.pointer->getType()->getPointerAddressSpace() != kLocalSpace) return false;
    llvm::APInt offset(64, static_cast<std::uint64_t>(table_.offset), true);
    const Value* root = table_.base->stripAndAccumulateConstantOffsets(w_.layout, offset, true);
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(root)) root = cast->getOperand(0);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(root);
    return load && load->getMetadata(primitive::kLocalMetadata) && !offset.isNegative() && offset.ule(abi::kLocalMemoryBytes);
  }

  /// The elements of a constant; those behind its end are 0.
  std::optional<llvm::SmallVector<std::uint32_t, 0>> contents(const llvm::GlobalVariable& global) const {
    llvm::SmallVector<std::uint32_t, 0> elements(table_.entries);
    const std::uint64_t size = w_.layout.getTypeAllocSize(global.getValueType());
    auto* type = builder_.getIntNTy(access_.bits);
    for (unsigned i = 0; i < table_.entries; ++i) {
      const std::int64_t at = table_.offset + static_cast<std::int64_t>(i) * bytes_;
      if (at < 0 || static_cast<std::uint64_t>(at) + bytes_ > size) continue;
      llvm::Constant* element = llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(global.getInitializer()), type,
                                                                llvm::APInt(64, static_cast<std::uint64_t>(at)), w_.layout);
      if (llvm::isa_and_nonnull<llvm::UndefValue>(element)) continue;
      const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
      if (!number) return std::nullopt;
      elements[i] = static_cast<std::uint32_t>(number->getZExtValue());
    }
    return elements;
  }

  llvm::FixedVectorType* register_of(unsigned bits) {
    return llvm::FixedVectorType::get(builder_.getIntNTy(bits), 8 * kRegisterBytes / bits);
  }

  /// `count` elements of `all` from `first` on; those behind its end are poison.
  Value* part(Value* all, unsigned first, unsigned count) {
    const unsigned size = llvm::cast<llvm::FixedVectorType>(all->getType())->getNumElements();
    if (!first && size == count) return all;
    llvm::SmallVector<int, 64> lanes;
    for (unsigned i = 0; i < count; ++i) lanes.push_back(first + i < size ? static_cast<int>(first + i) : -1);
    return builder_.CreateShuffleVector(all, lanes);
  }

  template <typename F>
  void at_preheader(F emit) {
    if (!preheader_) return emit();
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(w_.wide_end(*preheader_)->getTerminator());
    emit();
  }

  Value* address() {
    const auto offset = static_cast<std::uint64_t>(table_.offset);
    Value* at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), w_.values.uniform(table_.base), offset);
    for (const auto& [variable, scale] : table_.uniform) {
      Value* times = builder_.CreateSExtOrTrunc(w_.values.uniform(variable), builder_.getInt64Ty());
      at = builder_.CreateGEP(builder_.getInt8Ty(), at, builder_.CreateMul(times, builder_.getInt64(scale.getZExtValue())));
    }
    return at;
  }

  /// All elements from memory.
  Value* memory(unsigned first, unsigned count) {
    auto* type = llvm::FixedVectorType::get(builder_.getIntNTy(access_.bits), count);
    Value* at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), address(), first * bytes_);
    // In front of the branch that looks whether it is safe, not at all where it is not.
    const bool is_early = preheader_ && safe_;
    llvm::Instruction* load = is_early ? static_cast<llvm::Instruction*>(builder_.CreateMaskedLoad(
                                             type, at, access_.element_align, builder_.CreateVectorSplat(count, safe_)))
                                       : builder_.CreateAlignedLoad(type, at, access_.element_align);
    copy_alias_metadata(*load, access_.instruction);
    return load;
  }

  llvm::Constant* constant(unsigned bits, unsigned first, unsigned shift) {
    const unsigned count = 8 * kRegisterBytes / bits;
    llvm::SmallVector<llvm::Constant*, 64> elements;
    for (unsigned i = first; i < first + count; ++i) {
      const std::uint64_t element = i < contents_->size() ? (*contents_)[i] >> shift : 0;
      elements.push_back(builder_.getIntN(bits, element & (~std::uint64_t{0} >> (64 - bits))));
    }
    return llvm::ConstantVector::get(elements);
  }

  /// The table as it is, a register after the other.
  llvm::SmallVector<Value*, 16> words() {
    const unsigned a_register = kRegisterBytes / bytes_;
    llvm::SmallVector<Value*, 16> result;
    for (unsigned first = 0; first < table_.entries; first += a_register)
      result.push_back(contents_ ? constant(access_.bits, first, 0)
                                 : part(memory(first, std::min(a_register, table_.entries)), 0, a_register));
    return result;
  }

  /// The first bytes of the elements, a register after the other, then the second ones, and so on.
  llvm::SmallVector<Value*, 16> planes() {
    llvm::SmallVector<Value*, 16> result;
    at_preheader([&] {
      llvm::SmallVector<Value*, 16> words;
      for (unsigned first = 0; !contents_ && first < table_.entries; first += kRegisterBytes)
        words.push_back(memory(first, kRegisterBytes));
      for (unsigned byte = 0; byte < bytes_; ++byte)
        for (unsigned first = 0; first < table_.entries; first += kRegisterBytes) {
          if (contents_) {
            result.push_back(constant(8, first, 8 * byte));
            continue;
          }
          Value* shifted = builder_.CreateLShr(words[first / kRegisterBytes], 8 * byte);
          result.push_back(builder_.CreateTrunc(shifted, register_of(8)));
        }
    });
    return result;
  }

  /// What `table`, of elements of so many bits, has at `index`, a vector of as many elements as a register has.
  Value* look_up(llvm::ArrayRef<Value*> table, Value* index, unsigned bits) {
    using namespace llvm::Intrinsic;
    const unsigned which = bits == 8 ? 0 : bits == 16 ? 1 : 2;
    constexpr ID kOne[] = {x86_avx512_permvar_qi_512, x86_avx512_permvar_hi_512, x86_avx512_permvar_si_512};
    constexpr ID kTwo[] = {x86_avx512_vpermi2var_qi_512, x86_avx512_vpermi2var_hi_512, x86_avx512_vpermi2var_d_512};
    auto* type = register_of(bits);
    index = builder_.CreateZExtOrTrunc(index, type);
    if (table.size() == 1) return builder_.CreateIntrinsic(kOne[which], {}, {table[0], index});
    if (table.size() == 2) return builder_.CreateIntrinsic(kTwo[which], {}, {table[0], index, table[1]});
    const auto half = static_cast<unsigned>(table.size() / 2);
    Value* bit = builder_.CreateAnd(index, llvm::ConstantInt::get(type, half * type->getNumElements()));
    Value* is_upper = builder_.CreateICmpNE(bit, llvm::Constant::getNullValue(type));
    return builder_.CreateSelect(is_upper, look_up(table.drop_front(half), index, bits), look_up(table.take_front(half), index, bits));
  }

  /// `first` and `second` element by element, the lower or the upper half of each 128 bits.
  Value* unpack(Value* first, Value* second, bool upper) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(first->getType())->getNumElements(), lane = count / 4;
    llvm::SmallVector<int, 64> mask;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned from = i / lane * lane + (upper ? lane / 2 : 0) + i % lane / 2;
      mask.push_back(static_cast<int>(i % 2 ? count + from : from));
    }
    return builder_.CreateShuffleVector(first, second, mask);
  }

  /// Words of 64 lanes. Bytes are looked up in the order in which unpacking them to words gives lane after lane.
  Value* look_up_planes(llvm::ArrayRef<Value*> table, Value* index) {
    using namespace llvm::Intrinsic;
    Value* places;
    if (index->getType()->getScalarSizeInBits() == 8) {
      llvm::SmallVector<int, 16> order;
      for (int i = 0; i < 16; ++i) order.push_back(i % 4 * 4 + i / 4);
      places = builder_.CreateShuffleVector(builder_.CreateBitCast(index, register_of(32)), order);
      places = builder_.CreateBitCast(places, register_of(8));
    } else {
      index = builder_.CreateZExtOrTrunc(index, llvm::FixedVectorType::get(builder_.getInt32Ty(), kRegisterBytes));
      llvm::SmallVector<Value*, 4> words;
      for (unsigned i = 0; i < 4; ++i) words.push_back(part(index, 16 * i, 16));
      Value* low = builder_.CreateIntrinsic(x86_avx512_packusdw_512, {}, {words[0], words[1]});
      Value* high = builder_.CreateIntrinsic(x86_avx512_packusdw_512, {}, {words[2], words[3]});
      places = builder_.CreateIntrinsic(x86_avx512_packuswb_512, {}, {low, high});
    }
    llvm::SmallVector<Value*, 4> bytes;
    const std::size_t each = table.size() / 4;
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(look_up(table.slice(i * each, each), places, 8));
    llvm::SmallVector<Value*, 4> halves;
    for (const bool upper : {false, true})
      for (unsigned i = 0; i < 4; i += 2) halves.push_back(builder_.CreateBitCast(unpack(bytes[i], bytes[i + 1], upper), register_of(16)));
    llvm::SmallVector<Value*, 4> words;
    for (unsigned i = 0; i < 4; i += 2)
      for (const bool upper : {false, true})
        words.push_back(builder_.CreateBitCast(unpack(halves[i], halves[i + 1], upper), register_of(32)));
    return llvm::concatenateVectors(builder_, words);
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const LookupTable table_;
  const unsigned bytes_;  ///< of an element
  std::optional<llvm::SmallVector<std::uint32_t, 0>> contents_;  ///< of a constant
  const llvm::BasicBlock* preheader_ = nullptr;                  ///< where the table is taken apart
  Value* safe_ = nullptr;
};

}  // namespace

std::optional<AccessPlan> plan_table_permutes(Widening& w, const Access& access) {
  if (!access.is_load() || !w.traits.byte_permutes || access.is_volatile || access.is_seldom || access.shape.is_affine())
    return std::nullopt;
  if ((access.bits != 8 && access.bits != 16 && access.bits != 32) || access.type->isPointerTy()) return std::nullopt;
  std::optional<LookupTable> table = find_lookup_table(*access.pointer, access.bits, w.layout, [&](const Value& value) { return w.is_uniform(&value); });
  if (!table) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kTablePermutes);
  Permutes permutes(w, access, std::move(*table));
  if (!other || !permutes.plan()) return std::nullopt;
  AccessPlan plan{.cost = permutes.registers(), .emit = {}, .fall_back = ""};
  plan.emit = [&w, permutes = std::move(permutes), other = std::move(other->emit)]() mutable {
    Value* safe = permutes.is_safe();
    if (!safe) return Parts{permutes.load()};
    constexpr TwoWays kWays{.usual = "table", .other = "table.page", .join = "looked.up"};
    return emit_two_ways(w, safe, kWays, [&] { return Parts{permutes.load()}; }, [&] { return other(); });
  };
  return plan;
}

}  // namespace weft::compiler::simt
