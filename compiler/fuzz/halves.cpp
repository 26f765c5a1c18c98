// The generator's functions of half (OpenCL C 3.0 §6.15.7, §6.4.3, cl_khr_fp16) beside plain arithmetic: what has one right result.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr Type kHalf{Type::kHalf, 1};
constexpr Type kFloat{Type::kFloat, 1};

}  // namespace

/// Of half or float; null where this has nothing for the type.
NodePtr Generator::half_value(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  const std::string rounding = random_.word({"rte", "rtz", "rtp", "rtn"});
  const unsigned width = type.width;
  const std::string n = width == 1 ? "" : std::to_string(width);
  if (type.kind == Type::kHalf) {
    switch (random_.below(4)) {
      case 0:
        return expression(type, uniform, "convert_" + type.name() + "_" + rounding + "($0)",
                          value(Type{random_.of({Type::kFloat, Type::kFloat, Type::kDouble}), type.width}, uniform, next));
      case 1: {
        // By way of memory: what vstore_half leaves.
        const Type from = kFloat.of_width(width);
        const std::string name = "stored_" + type.name() + "_" + rounding;
        const std::string back = width == 1 ? "memory[0]" : "vload" + n + "(0, memory)";
        helpers_.insert(type.name() + " " + name + "(" + from.name() + " x) {\nhalf memory[" + std::to_string(width) + "];\nvstore_half" + n + "_" + rounding +
                        "(x, 0, memory);\nreturn " + back + ";\n}");
        return expression(type, uniform, name + "($0)", value(from, uniform, next));
      }
      case 2:
        if (type.is_vector()) return nullptr;
        return expression(type, uniform, "ldexp($0, (int)($1 & 31u) - 15)", value(type, uniform, next), value(kUint, uniform, next));
      default:
        return expression(type, uniform, random_.word({"nextafter", "fmod", "fdim"}) + "($0, $1)", value(type, uniform, next),
                          value(type, uniform, next));
    }
  }
  if (type.kind != Type::kFloat) return nullptr;
  std::vector<const Buffer*> found;
  for (const Buffer& buffer : buffers_)
    if (buffer.element == kHalf) found.push_back(&buffer);
  if (in_kernel_ && !found.empty() && width <= 4 && random_.chance(60)) {
    const unsigned each = kBufferBytesPerItem / 2 / (width == 1 ? 1 : 4);
    return expression(type, uniform, "vload_half" + n + "($0, " + random_.of(found)->name + ")", index(each, uniform, next));
  }
  return expression(type, uniform, "convert_" + type.name() + "_" + rounding + "($0)",
                    value(Type{random_.of({Type::kHalf, Type::kDouble}), type.width}, uniform, next));
}

}  // namespace weft::fuzz
