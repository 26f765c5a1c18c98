// Random image kernels: what warps read and write, against the specification's formulas (image_reference.h).
#pragma once

#include "compiler/fuzz/check.h"
#include "compiler/fuzz/image_kernel.h"

namespace weft::fuzz {

/// As check(): the kernel is compiled as warps in each variant, with formats and samplers known where the kernel says so, and run;
/// every slot of its outputs and every byte of its images is looked at. Images lie beside pages that nobody may touch.
Outcome check_images(const ImageKernel& kernel, const std::vector<Variant>& variants, const CheckOptions& options);

}  // namespace weft::fuzz
