// Images and samplers become what they are in memory: an image argument a pointer to its abi::ImageDescriptor, a sampler its
// bits. Formats and samplers that the specialization knows become constants, and the functions that read and write images
// (`__weft_image_*` of builtins/) are inlined, of which only the code for those constants is copied.
//
// Until here the functions are calls: code for every format and sampler at each read would make the program's clean-up slow.
#pragma once

#include "compiler/compiler_api.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Returns the kernel, which is a new function if it has images or samplers as arguments. Fails if an image or a sampler
/// is kept in memory.
llvm::Expected<llvm::Function*> specialize_images(llvm::Function& kernel, const ArgumentFormats& formats);

}  // namespace weft::compiler::simt
