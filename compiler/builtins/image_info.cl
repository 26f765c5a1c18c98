// What a kernel may ask of an image (OpenCL C 3.0 §6.15.15.5).
#include "image.h"

#define EACH(suffix, type, kind, access)                                                                            \
  WEFT_BUILTIN int get_image_width(access type image) { return (int)__weft_descriptor_##suffix(image)->base.width; } \
  WEFT_BUILTIN int get_image_channel_data_type(access type image) {                                                 \
    return (int)__weft_descriptor_##suffix(image)->channel_type;                                                    \
  }                                                                                                                 \
  WEFT_BUILTIN int get_image_channel_order(access type image) {                                                     \
    return (int)__weft_descriptor_##suffix(image)->channel_order;                                                   \
  }                                                                                                                 \
  WEFT_BUILTIN int get_image_num_mip_levels(access type image) { return (int)__weft_descriptor_##suffix(image)->num_levels; }
WEFT_IMAGES(EACH)

#define HEIGHT(suffix, type, access) \
  WEFT_BUILTIN int get_image_height(access type image) { return (int)__weft_descriptor_##suffix(image)->base.height; }
#define PLANE(suffix, type, access)                                              \
  HEIGHT(suffix, type, access)                                                   \
  WEFT_BUILTIN int2 get_image_dim(access type image) {                           \
    WeftImageAt of = __weft_descriptor_##suffix(image);                          \
    return (int2)((int)of->base.width, (int)of->base.height);                    \
  }
#define ARRAY(suffix, type, access) \
  WEFT_BUILTIN size_t get_image_array_size(access type image) { return __weft_descriptor_##suffix(image)->layers; }
#define WITH_ACCESS(access)                                                              \
  PLANE(2d_##access, image2d_t, access) PLANE(2d_array_##access, image2d_array_t, access) \
  PLANE(2d_depth_##access, image2d_depth_t, access)                                      \
  PLANE(2d_array_depth_##access, image2d_array_depth_t, access)                          \
  HEIGHT(3d_##access, image3d_t, access)                                                 \
  ARRAY(1d_array_##access, image1d_array_t, access)                                      \
  ARRAY(2d_array_##access, image2d_array_t, access)                                      \
  ARRAY(2d_array_depth_##access, image2d_array_depth_t, access)                          \
  WEFT_BUILTIN int get_image_depth(access image3d_t image) {                             \
    return (int)__weft_descriptor_3d_##access(image)->base.depth;                        \
  }                                                                                      \
  WEFT_BUILTIN int4 get_image_dim(access image3d_t image) {                              \
    WeftImageAt of = __weft_descriptor_3d_##access(image);                               \
    return (int4)((int)of->base.width, (int)of->base.height, (int)of->base.depth, 0);    \
  }
WITH_ACCESS(read_only)
WITH_ACCESS(write_only)
WITH_ACCESS(read_write)
