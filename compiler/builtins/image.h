// What the builtins for images share: descriptors, the primitives that give them, and the functions that do the work.
//
// `__weft_image_*` are functions of the library that are inlined only when a kernel's formats and samplers are known
// (simt/item/specialize_images.h): each branch on `format`, `sampler` and `kind` is taken then, or copied if one is unknown.
// So these branches depend on nothing else, and what they choose between is code without branches.
#pragma once

#include "builtins.h"

// As abi::ImageLevel and abi::ImageDescriptor have it (device/kernel_abi.h).
struct WeftLevel {
  const __constant uchar* data;
  ulong row_pitch;
  ulong slice_pitch;
  uint width, height, depth, reserved;
};
struct WeftImage {
  struct WeftLevel base;
  const __constant struct WeftLevel* levels;
  uint num_levels, layers, channel_order, channel_type, texel_bytes, reserved;
};
typedef const __constant struct WeftImage* WeftImageAt;
typedef const __constant struct WeftLevel* WeftLevelAt;

/// M(suffix, type, kind, access): every type of images.
#define WEFT_IMAGES_OF(M, access)                                                                        \
  M(1d_##access, image1d_t, WEFT_1D, access) M(1d_buffer_##access, image1d_buffer_t, WEFT_BUFFER, access) \
  M(1d_array_##access, image1d_array_t, WEFT_1D_ARRAY, access) M(2d_##access, image2d_t, WEFT_2D, access) \
  M(2d_array_##access, image2d_array_t, WEFT_2D_ARRAY, access) M(3d_##access, image3d_t, WEFT_3D, access) \
  M(2d_depth_##access, image2d_depth_t, WEFT_2D, access)                                                  \
  M(2d_array_depth_##access, image2d_array_depth_t, WEFT_2D_ARRAY, access)
#define WEFT_IMAGES(M) WEFT_IMAGES_OF(M, read_only) WEFT_IMAGES_OF(M, write_only) WEFT_IMAGES_OF(M, read_write)

// Primitives: an image's descriptor, a sampler's bits, and an image's format as a word (image_format.h).
#define WEFT_DESCRIPTOR(suffix, type, kind, access) WEFT_PRIMITIVE WeftImageAt __weft_descriptor_##suffix(access type image);
WEFT_IMAGES(WEFT_DESCRIPTOR)
WEFT_PRIMITIVE uint __weft_sampler_bits(sampler_t sampler);
WEFT_PRIMITIVE uint __weft_format(WeftImageAt image);

/// An image's dimensions, and what the last of its coordinates is.
enum WeftKind { WEFT_1D, WEFT_BUFFER, WEFT_1D_ARRAY, WEFT_2D, WEFT_2D_ARRAY, WEFT_3D };

WEFT_HELPER bool has_rows(uint kind) { return kind == WEFT_2D || kind == WEFT_2D_ARRAY || kind == WEFT_3D; }
WEFT_HELPER bool has_slices(uint kind) { return kind == WEFT_3D; }
WEFT_HELPER bool has_layers(uint kind) { return kind == WEFT_1D_ARRAY || kind == WEFT_2D_ARRAY; }

#define WEFT_IMAGE_FUNCTION __attribute__((noinline))

// image_texel.cl. A texel's words as memory has them, and those of a texel and its neighbour, where has_pairs(). Its channels in
// memory's order: as floats, which __weft_image_scale makes what the format says, and as integers. And the way back.
WEFT_IMAGE_FUNCTION uint4 __weft_image_load(const __constant uchar* at, uint format);
WEFT_IMAGE_FUNCTION uint2 __weft_image_load_pair(const __constant uchar* at, uint format);
WEFT_IMAGE_FUNCTION uint4 __weft_image_load_shared(const __global uchar* at, uint format);
WEFT_IMAGE_FUNCTION void __weft_image_store(__global uchar* at, uint format, uint4 words);
WEFT_IMAGE_FUNCTION float4 __weft_image_decode_f(uint4 words, uint format);
WEFT_IMAGE_FUNCTION float4 __weft_image_scale(float4 channels, uint format);
WEFT_IMAGE_FUNCTION uint4 __weft_image_decode_u(uint4 words, uint format);
WEFT_IMAGE_FUNCTION uint4 __weft_image_encode_f(float4 color, uint format);
WEFT_IMAGE_FUNCTION uint4 __weft_image_encode_i(int4 color, uint format);
WEFT_IMAGE_FUNCTION uint4 __weft_image_encode_u(uint4 color, uint format);

// image_sample.cl. `at`: whole texels, or coordinates as the sampler takes them; the array's layer follows the others.
WEFT_IMAGE_FUNCTION float4 __weft_image_read_f_at(WeftImageAt image, uint format, uint sampler, uint kind, int4 at);
WEFT_IMAGE_FUNCTION uint4 __weft_image_read_u_at(WeftImageAt image, uint format, uint sampler, uint kind, int4 at);
WEFT_IMAGE_FUNCTION float4 __weft_image_sample_f(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind,
                                                 float4 at);
WEFT_IMAGE_FUNCTION uint4 __weft_image_sample_u(WeftImageAt image, WeftLevelAt level, uint format, uint sampler, uint kind,
                                                float4 at);
