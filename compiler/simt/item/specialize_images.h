// Images and samplers become what they are in memory: an image argument a pointer to its abi::ImageDescriptor, a sampler its
// bits. Formats and samplers that the specialization knows become constants, and the functions that read and write images
// (`__weft_image_*` of builtins/) are inlined, of which only the code for those constants is copied.
//
// Until here the functions are calls: code for every format and sampler at each read would make the program's clean-up slow.
#pragma once

#include "compiler/compiler_api.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

/// On loads and stores of texels, for those who count them: in the address space of constants where the kernel only reads the
/// image, else in global memory. A load that is merged with another may lose it.
inline constexpr llvm::StringLiteral kTexelMetadata = "weft.texel";
/// On loads of texels of images of kFormatPadded. A load that is merged with another, or gets another type, may lose it.
inline constexpr llvm::StringLiteral kPaddedMetadata = "weft.padded";
/// On calls of primitive::kCountTexel: the number of the kernel's argument that the image is, if that is known.
inline constexpr llvm::StringLiteral kImageNumber = "weft-image";
/// The name in line tables of what stands for a GPU's texture unit.
inline constexpr llvm::StringLiteral kImageUnit = "__weft_image_unit";

/// Makes pointers and numbers of images and samplers, and constants of what `formats` knows. Returns the kernel, which is a new
/// function if it has images or samplers. In memory, where a block captures them, they are what LaunchInfo::arguments has of them. Fails
/// if the origin of one is not known.
llvm::Expected<llvm::Function*> lower_images(llvm::Function& kernel, const ArgumentFormats& formats);

/// Inlines the image functions that `kernel` calls, which lower_images made.
/// `counted`: primitive::kCountTexel stays, and inlined code is known by is_of_image_unit.
llvm::Error specialize_images(llvm::Function& kernel, bool counted);

/// Whether an instruction does a part of what a GPU's texture unit does for one instruction: addresses, filters, conversions. In
/// counted code alone.
bool is_of_image_unit(const llvm::Instruction& instruction);

}  // namespace weft::compiler::simt
