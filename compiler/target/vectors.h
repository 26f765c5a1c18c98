// The processor's vectors, as far as passes ask for them.
#pragma once

namespace weft::compiler {

struct VectorTraits {
  unsigned register_bits = 128;  ///< of the widest registers that code should use: 512 where they cost no clock speed
  unsigned registers = 16;
  bool mask_registers = false;   ///< masks have registers of their own, a bit an element (AVX-512)
  bool native_gather = false;    ///< a gather is faster than loads a lane
  bool masked_gather = false;    ///< a gather of some lanes is faster than loads that look at their lane's bit
  bool slow_gather = false;      ///< a gather takes more than a cycle for each element (up to Zen 4)
  bool native_scatter = false;
  bool fused_products = false;    ///< of float and double, with a sum (FMA)
  unsigned apart_sums = 0;        ///< registers of floats whose sums begin in a cycle, in units beside those of products (from Zen 4 on); 0: those do both
  unsigned division = 24;         ///< a register of floats is divided in the time of so many sums or products
  bool half_arithmetic = false;   ///< of 16-bit floats (AVX512-FP16); else in float (wide/half_floats.h)
  bool half_conversions = false;  ///< between these and float (F16C)
  bool byte_permutes = false;     ///< of a register of 512 bits by variable indices (AVX512-VBMI)
  bool byte_dots = false;         ///< sums of products of bytes without a sign and bytes with one (VNNI)
  unsigned masked_bytes = 16;    ///< the smallest elements that contiguous accesses can mask
  unsigned estimate_bits = 0;    ///< of a vector whose reciprocal roots are estimated to 14 bits (reciprocal_root.h); 0: none are
};

}  // namespace weft::compiler
