#include "compiler/simt/ir/program_memory.h"

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/placed_variables.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"

namespace weft::compiler::simt {
namespace {

bool is_of_program(const llvm::GlobalVariable& variable) {
  return variable.getAddressSpace() == kGlobalSpace && !variable.isDeclaration();
}

/// Of the whole module, so that every kernel finds them in the same places.
PlacedVariables placed_variables(const llvm::Module& module) { return place_variables(module, is_of_program); }

/// Writes initial values.
class Image {
 public:
  Image(const llvm::DataLayout& layout, llvm::ArrayRef<PlacedVariable> places, ProgramMemory& memory) : layout_(layout), places_(places), memory_(memory) {}

  /// False for a value that is not known.
  bool write(const llvm::Constant& value, std::uint64_t at) {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return true;
    llvm::Type* type = value.getType();
    if (type->isPointerTy()) return write_pointer(value, at);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return write_bits(number->getValue(), at);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value)) return write_bits(number->getValueAPF().bitcastToAPInt(), at);
    unsigned count = 0;
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) count = structure->getNumElements();
    else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) count = static_cast<unsigned>(array->getNumElements());
    else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) count = vector->getNumElements();
    else return false;
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant* element = value.getAggregateElement(i);
      if (!element || !write(*element, at + offset_of(*type, i))) return false;
    }
    return true;
  }

 private:
  std::uint64_t offset_of(llvm::Type& type, unsigned i) const {
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) return layout_.getStructLayout(structure)->getElementOffset(i);
    return i * layout_.getTypeAllocSize(type.getContainedType(0)).getFixedValue();
  }

  bool write_bits(const llvm::APInt& bits, std::uint64_t at) {
    const unsigned bytes = (bits.getBitWidth() + 7) / 8;
    const llvm::APInt whole = bits.zext(bytes * 8);
    for (unsigned i = 0; i < bytes; ++i) memory_.image[at + i] = static_cast<std::uint8_t>(whole.extractBitsAsZExtValue(8, i * 8));
    return true;
  }

  bool write_pointer(const llvm::Constant& value, std::uint64_t at) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = value.stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(base)) base = cast->getPointerOperand();
    const auto* place = llvm::find_if(places_, [&](const PlacedVariable& candidate) { return candidate.variable == base; });
    if (place == places_.end()) return false;
    llvm::support::endian::write64le(&memory_.image[at], place->offset + offset.getZExtValue());
    memory_.pointers.push_back(at);
    return true;
  }

  const llvm::DataLayout& layout_;
  llvm::ArrayRef<PlacedVariable> places_;
  ProgramMemory& memory_;
};

}  // namespace

llvm::Expected<ProgramMemory> describe_program_memory(const llvm::Module& module) {
  ProgramMemory memory;
  const PlacedVariables placed = placed_variables(module);
  if (placed.bytes > abi::kMaxProgramMemoryBytes) return llvm::createStringError("error: the program's variables take too much memory\n");
  memory.image.resize(placed.bytes);
  Image image(module.getDataLayout(), placed.variables, memory);
  for (const PlacedVariable& place : placed.variables)
    if (!image.write(*place.variable->getInitializer(), place.offset))
      return llvm::createStringError("error: the initial value of variable '" + place.variable->getName() + "' is not supported\n");
  return memory;
}

bool uses_program_memory(const llvm::Function& function) { return !used_variables(function, kGlobalSpace).empty(); }

void lower_program_variables(llvm::Function& function, llvm::Value& base) {
  replace_variables(function, base, placed_variables(*function.getParent()));
}

}  // namespace weft::compiler::simt
