// The generator's expressions: whatever a type can be computed from.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr unsigned kDeepest = 4;
constexpr Type kUint{Type::kUint, 1};
constexpr Type kInt{Type::kInt, 1};

std::string components(Random& random, unsigned from, unsigned to) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "s";
  for (unsigned i = 0; i < to; ++i) text += kDigits[random.below(from)];
  return text;
}

/// `text` computes a number of at least 32 bits; back to `type`, whose arithmetic wraps.
std::string back_to(Type type, const std::string& text) {
  if (type.is_vector() || type == type.as_unsigned().of_width(type.width))
    return type.component_bytes() >= 4 || type.is_vector() ? "(" + text + ")" : "(" + type.name() + ")(" + text + ")";
  return "(" + type.name() + ")(" + text + ")";
}

}  // namespace

NodePtr Generator::literal(Type type) {
  static const std::vector<std::string> kFloats = {"0.0f",  "1.0f",    "-1.5f", "0.5f",   "3.0f",
                                                   "1e10f", "-1e-30f", "-0.0f", "100.25f"};
  static const std::vector<std::uint64_t> kIntegers = {0,  1,  2,  3,   4,   5,     7,      8,          15,
                                                       16, 31, 32, 33,  63,  64,    100,    127,        128,
                                                       255, 256, 1000, 32767, 65535, 0x7fffffff, 0x80000000, ~0ull};
  const auto one = [&]() -> std::string {
    if (type.is_float()) {
      std::string text = random_.of(kFloats);
      if (type.kind == Type::kDouble) text.pop_back();
      if (type.kind == Type::kHalf) text = "(half)" + text;
      return text;
    }
    std::uint64_t number = random_.chance(70) ? random_.of(kIntegers) : random_.next();
    if (type.component_bytes() < 8) number &= (std::uint64_t{1} << (8 * type.component_bytes())) - 1;
    if (type.kind == Type::kUint) return std::to_string(number) + "u";
    return "(" + type.scalar().name() + ")" + std::to_string(number) + "ul";
  };
  if (!type.is_vector()) return expression(type, true, one());
  std::string text = "(" + type.name() + ")(" + one();
  if (random_.chance(50))
    for (unsigned i = 1; i < type.width; ++i) text += ", " + one();
  return expression(type, true, text + ")");
}

NodePtr Generator::known(Type type, bool uniform) {
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.type == type && (variable.uniform || !uniform)) found.push_back(&variable);
  if (found.empty()) return nullptr;
  return expression(type, uniform, random_.of(found)->name);
}

NodePtr Generator::convert(NodePtr from, Type to) {
  const Type type = from->type;
  const bool uniform = from->uniform;
  if (type == to) return from;
  const auto make = [&](Type result, const std::string& text) {
    return expression(result, uniform, text, std::move(from));
  };
  if (!type.is_vector() && to.is_vector()) {
    from = convert(std::move(from), to.scalar());
    return make(to, "(" + to.name() + ")($0)");
  }
  if (type.is_vector() && !to.is_vector()) {
    from = make(type.scalar(), "($0)." + components(random_, type.width, 1));
    return convert(std::move(from), to);
  }
  if (type.width != to.width) {
    if (!type.is_float() && !to.is_float() && type.bytes() == to.bytes() && type.width != 3 && to.width != 3 &&
        random_.chance(50))
      return make(to, "as_" + to.name() + "($0)");
    from = make(type.of_width(to.width), "($0)." + components(random_, type.width, to.width));
    return convert(std::move(from), to);
  }
  if (type.is_float() && !to.is_float()) return make(to, "convert_" + to.name() + "_sat($0)");
  if (!type.is_float() && !to.is_float()) {
    if (type.component_bytes() == to.component_bytes() && random_.chance(50)) return make(to, "as_" + to.name() + "($0)");
    if (random_.chance(20)) return make(to, "convert_" + to.name() + "_sat($0)");
  }
  if (to.is_vector() || random_.chance(30)) return make(to, "convert_" + to.name() + "($0)");
  return make(to, "(" + to.name() + ")$0");
}

NodePtr Generator::value(Type type, bool uniform, unsigned depth) {
  if (depth >= kDeepest || random_.chance(30)) return leaf(type, uniform, depth);
  return type.is_float() ? floating(type, uniform, depth) : integer(type, uniform, depth);
}

NodePtr Generator::leaf(Type type, bool uniform, unsigned depth) {
  switch (random_.weighted({50, 15, 12, 23})) {
    case 0:
      if (NodePtr variable = known(type, uniform)) return variable;
      break;
    case 1:
      return literal(type);
    case 2:
      if (!type.is_vector() && !type.is_float()) return work_item_id(type, uniform);
      break;
    default:
      if (depth < kDeepest + 2)
        if (NodePtr loaded = load(type, uniform, depth + 2)) return loaded;
      break;
  }
  if (NodePtr variable = known(type, uniform)) return variable;
  // Of another type.
  std::vector<const Variable*> found;
  for (const Variable& variable : scope_.variables)
    if (variable.uniform || !uniform) found.push_back(&variable);
  if (found.empty()) return literal(type);
  const Variable& variable = *random_.of(found);
  return convert(expression(variable.type, uniform, variable.name), type);
}

NodePtr Generator::integer(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  const Type raw = type.as_unsigned();
  const bool is_signed = type.is_signed();
  // Signed numbers are computed with as unsigned ones: those wrap.
  const std::string cast = !is_signed ? "" : type.is_vector() ? "as_" + raw.name() : "(" + raw.name() + ")";
  const auto binary = [&](const std::string& op) {
    std::string a = is_signed ? cast + "($0)" : "$0", b = is_signed ? cast + "($1)" : "$1";
    if (op == "*" && !type.is_vector() && type.component_bytes() < 4) a = "(uint)$0", b = "(uint)$1";
    std::string text = a + " " + op + " " + b;
    if (is_signed && type.is_vector())
      text = "as_" + type.name() + "(" + text + ")";
    else
      text = back_to(type, text);
    return expression(type, uniform, text, value(type, uniform, next), value(type, uniform, next));
  };
  if (!uniform && lanes_meet() && random_.chance(10)) return lane_value(type, depth);
  switch (random_.weighted({34, 8, 6, 8, 11, 8, 3, 8, 3, 6, 8})) {
    case 0:
      return binary(random_.word({"+", "-", "*", "&", "|", "^", "+", "-"}));
    case 1: {
      const bool left = random_.chance(50);
      const std::string amount = type.is_vector() ? "$1" : "(uint)$1";
      NodePtr by = random_.chance(60) ? literal(type.is_vector() ? type : kUint)
                                      : value(type.is_vector() ? type : kUint, uniform, next);
      std::string text = std::string(left && is_signed ? cast + "($0)" : "$0") + (left ? " << " : " >> ");
      if (left && is_signed && type.is_vector())
        text = "as_" + type.name() + "(" + text + "as_" + raw.name() + "($1))";
      else
        text = back_to(type, text + amount);
      return expression(type, uniform, text, value(type, uniform, next), std::move(by));
    }
    case 2:
      return divide(type, uniform, depth);
    case 3: {
      if (type.is_vector()) {
        const Type compared = random_.chance(70) ? type.as_unsigned() : type.as_signed();
        return expression(type, uniform, "select($0, $1, $2)", value(type, uniform, next), value(type, uniform, next),
                          comparison(compared, uniform, next));
      }
      return expression(type, uniform, "(" + type.name() + ")($0 ? $1 : $2)", condition(uniform, next),
                        value(type, uniform, next), value(type, uniform, next));
    }
    case 4:
      return integer_builtin(type, uniform, depth);
    case 5: {
      Type other = value_type();
      if (random_.chance(60)) other.width = type.width;
      if (other == type) other = type.is_signed() ? type.as_unsigned() : type.as_signed();
      return convert(value(other, uniform, next), type);
    }
    case 6: {
      NodePtr compared = comparison(type.is_vector() ? type : scalar_type(), uniform, next);
      return convert(std::move(compared), type);
    }
    case 7:
      if (type.is_vector()) return vector_shape(type, uniform, depth);
      if (vectors_) return convert(value(type.of_width(random_.of({2, 3, 4})), uniform, next), type);
      return binary("^");
    case 8:
      return expression(type, uniform, back_to(type, "~$0"), value(type, uniform, next));
    case 9:
      if (type.is_vector()) return vector_shape(type, uniform, depth);
      return convert(bounded(random_.of({8, 14, 24, 30}), uniform, next), type);
    default:
      if (NodePtr loaded = load(type, uniform, next)) return loaded;
      for (const Function& function : functions_)
        if (function.result == type && random_.chance(40)) return call(function, uniform, depth);
      return binary("-");
  }
}

/// Signed arithmetic that cannot overflow: the result is below 2^bits in magnitude.
NodePtr Generator::bounded(unsigned bits, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  if (bits < 8 || depth >= kDeepest || random_.chance(20)) {
    if (bits >= 9 && !uniform && random_.chance(50)) return work_item_id(kInt, false);
    const std::string mask = std::to_string((1u << bits) - 1) + "u";
    return expression(kInt, uniform, "(int)($0 & " + mask + ")", value(kUint, uniform, next));
  }
  switch (random_.below(5)) {
    case 0:
      return expression(kInt, uniform, "($0 + $1)", bounded(bits - 1, uniform, next), bounded(bits - 1, uniform, next));
    case 1:
      return expression(kInt, uniform, "($0 - $1)", bounded(bits - 1, uniform, next), bounded(bits - 1, uniform, next));
    case 2:
      return expression(kInt, uniform, "($0 * $1)", bounded(bits / 2, uniform, next), bounded(bits / 2, uniform, next));
    case 3:
      return expression(kInt, uniform, "($0 >> " + std::to_string(random_.below(8)) + ")", bounded(bits, uniform, next));
    default:
      return expression(kInt, uniform, "(-$0)", bounded(bits, uniform, next));
  }
}

NodePtr Generator::divide(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  const std::string op = random_.word({"/", "%"});
  const std::string name = "(" + type.name() + ")";
  if (random_.chance(40)) {  // by a constant
    const std::string by = type.is_signed() ? random_.word({"3", "5", "7", "10", "16", "100", "-3", "-8"})
                                            : random_.word({"3", "5", "7", "10", "16", "100", "64", "24"});
    return expression(type, uniform, name + "($0 " + op + " " + name + "(" + by + "))", value(type, uniform, next));
  }
  if (!type.is_vector() && random_.chance(40)) {
    // Lanes for which the guard is false must not divide, nor stop the others.
    if (NodePtr by = known(type, uniform)) {
      const std::string guard = type.is_signed() ? "$1 > (" + type.name() + ")0" : "$1 != (" + type.name() + ")0";
      return expression(type, uniform, name + "(" + guard + " ? $0 " + op + " $1 : $2)", value(type, uniform, next),
                        std::move(by), value(type, uniform, next));
    }
  }
  const std::string by = type.is_signed() ? "(" + name + "($1 & " + name + "(63)) + " + name + "(1))"
                                          : name + "($1 | " + name + "(1))";
  return expression(type, uniform, name + "($0 " + op + " " + by + ")", value(type, uniform, next),
                    value(type, uniform, next));
}

NodePtr Generator::integer_builtin(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  const auto unary = [&](const std::string& name) {
    return expression(type, uniform, name + "($0)", value(type, uniform, next));
  };
  const auto binary = [&](const std::string& name) {
    return expression(type, uniform, name + "($0, $1)", value(type, uniform, next), value(type, uniform, next));
  };
  switch (random_.below(9)) {
    case 0:
      return binary(random_.word({"min", "max"}));
    case 1:
      return binary(random_.word({"add_sat", "sub_sat"}));
    case 2:
      return binary(random_.word({"hadd", "rhadd"}));
    case 3:
      return binary("mul_hi");
    case 4:
      return binary("rotate");
    case 5:
      return unary(random_.word({"clz", "popcount"}));
    case 6:
      if (type.is_signed()) return expression(type, uniform, "as_" + type.name() + "(abs($0))", value(type, uniform, next));
      return binary("abs_diff");
    case 7:
      return expression(type, uniform, "bitselect($0, $1, $2)", value(type, uniform, next), value(type, uniform, next),
                        value(type, uniform, next));
    default: {
      if (type.component_bytes() != 4)
        return expression(type, uniform, "clamp($0, (" + type.name() + ")(3), (" + type.name() + ")(90))",
                          value(type, uniform, next));
      const std::string mask = " & (" + type.name() + ")(32767)";
      return expression(type, uniform, "mul24($0" + mask + ", $1" + mask + ")", value(type, uniform, next),
                        value(type, uniform, next));
    }
  }
}

NodePtr Generator::floating(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  if (!uniform && lanes_meet() && random_.chance(10)) return lane_value(type, depth);
  if (random_.chance(type.kind == Type::kHalf ? 25 : 8))
    if (NodePtr made = half_value(type, uniform, depth)) return made;
  switch (random_.weighted({15, 40, 8, 10, 8, 12, 7})) {
    case 0:
      return leaf(type, uniform, depth);
    case 1:
      return expression(type, uniform, "($0 " + random_.word({"+", "-", "*", "*", "+", "/"}) + " $1)",
                        value(type, uniform, next), value(type, uniform, next));
    case 2:
      return expression(type, uniform, "fma($0, $1, $2)", value(type, uniform, next), value(type, uniform, next),
                        value(type, uniform, next));
    case 3:
      return expression(type, uniform, random_.word({"floor", "ceil", "trunc", "rint", "fabs", "-"}) + "($0)",
                        value(type, uniform, next));
    case 4:
      if (type.is_vector()) {
        // The comparison has the signed type that select() wants.
        return expression(type, uniform, "select($0, $1, $2)", value(type, uniform, next), value(type, uniform, next),
                          comparison(type, uniform, next));
      }
      return expression(type, uniform, "($0 ? $1 : $2)", condition(uniform, next), value(type, uniform, next),
                        value(type, uniform, next));
    case 5: {
      Type other = value_type();
      other.width = type.width;
      if (other == type) other = {Type::kInt, type.width};
      return convert(value(other, uniform, next), type);
    }
    default:
      if (type.is_vector()) return vector_shape(type, uniform, depth);
      return expression(type, uniform, "sqrt(fabs($0))", value(type, uniform, next));
  }
}

NodePtr Generator::vector_shape(Type type, bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  switch (random_.below(4)) {
    case 0: {  // of two parts
      if (type.width == 2)
        return expression(type, uniform, "(" + type.name() + ")($0, $1)", value(type.scalar(), uniform, next),
                          value(type.scalar(), uniform, next));
      const unsigned first = type.width == 3 ? 2 : type.width / 2;
      return expression(type, uniform, "(" + type.name() + ")($0, $1)", value(type.of_width(first), uniform, next),
                        value(type.of_width(type.width - first), uniform, next));
    }
    case 1: {
      const unsigned from = random_.of({2, 3, 4, 8});
      return expression(type, uniform, "($0)." + components(random_, from, type.width),
                        value(type.of_width(from), uniform, next));
    }
    case 2: {
      if (type.width == 3 || type.is_float()) break;
      const Type mask = type.as_unsigned();
      return expression(type, uniform, "shuffle($0, $1)", value(type.of_width(random_.of({2, 4})), uniform, next),
                        random_.chance(60) ? literal(mask) : value(mask, uniform, next));
    }
    default: {
      if (type.width > 8 || type.width == 3) break;
      return expression(type, uniform, "($0)." + random_.word({"lo", "hi", "even", "odd"}),
                        value(type.of_width(type.width * 2), uniform, next));
    }
  }
  return leaf(type, uniform, depth);
}

/// int for scalars; for vectors the signed integers of the same size, -1 where true.
NodePtr Generator::comparison(Type type, bool uniform, unsigned depth) {
  const std::string op = random_.word({"<", ">", "<=", ">=", "==", "!="});
  const Type result = type.is_vector() ? type.as_signed() : kInt;
  NodePtr left = value(type, uniform, depth + 1);
  // Two constants would decide nothing.
  if (left->children.empty() && left->uniform)
    if (NodePtr variable = known(type, uniform)) left = std::move(variable);
  return expression(result, uniform, "($0 " + op + " $1)", std::move(left),
                    random_.chance(30) ? literal(type) : value(type, uniform, depth + 1));
}

NodePtr Generator::condition(bool uniform, unsigned depth) {
  const unsigned next = depth + 1;
  if (!uniform && lanes_meet() && depth < kDeepest && random_.chance(20)) return vote(depth);
  switch (random_.weighted({40, 20, 15, 8, 17})) {
    case 0:
      return comparison(scalar_type(), uniform, depth);
    case 1: {
      const std::string bit = std::to_string(1u << random_.below(5)) + "u";
      NodePtr bits = value(kUint, uniform, next);
      if (bits->children.empty() && bits->uniform)
        if (NodePtr variable = known(kUint, uniform)) bits = std::move(variable);
      return expression(kInt, uniform, "(($0 & " + bit + ") != 0u)", std::move(bits));
    }
    case 2:
      if (depth < kDeepest)
        return expression(kInt, uniform, "($0 " + random_.word({"&&", "||"}) + " $1)", condition(uniform, next),
                          condition(uniform, next));
      break;
    case 3:
      if (vectors_ && depth < kDeepest) {
        const Type type = integer_scalar().of_width(random_.of({2, 3, 4}));
        return expression(kInt, uniform, "(" + random_.word({"any", "all"}) + "($0) != 0)",
                          comparison(type, uniform, next));
      }
      break;
    default:
      break;
  }
  // Cheap ones, on which lanes differ in patterns.
  NodePtr id = work_item_id(kUint, uniform);
  const std::string number = std::to_string(random_.below(40)) + "u";
  switch (random_.below(3)) {
    case 0:
      return expression(kInt, uniform, "($0 " + random_.word({"<", ">", "==", "!="}) + " " + number + ")", std::move(id));
    case 1:
      return expression(kInt, uniform, "(($0 & " + std::to_string(random_.between(1, 7)) + "u) " +
                                           random_.word({"==", "!="}) + " 0u)", std::move(id));
    default:
      return expression(kInt, uniform, "($0 % " + std::to_string(random_.between(2, 9)) + "u == 0u)", std::move(id));
  }
}

NodePtr Generator::call(const Function& function, bool uniform, unsigned depth) {
  std::string text = function.name + "(";
  std::vector<NodePtr> arguments;
  const auto add = [&](NodePtr argument) {
    text += (arguments.empty() ? "$" : ", $") + std::to_string(arguments.size());
    arguments.push_back(std::move(argument));
  };
  if (function.meets && !lanes_meet()) return leaf(function.result, uniform, depth);
  if (uniform && (function.varying || function.takes_pointer || function.takes_struct)) return leaf(function.result, uniform, depth);
  for (const Type type : function.values) add(value(type, uniform, depth + 1));
  if (function.takes_pointer) {
    std::vector<std::string> targets;
    for (const Variable& variable : scope_.variables)
      if (variable.type == function.result && variable.assignable && !variable.uniform) targets.push_back("&" + variable.name);
    for (const Array& array : scope_.arrays)
      if (array.element == function.result) targets.push_back("&" + array.name + "[" + std::to_string(random_.below(array.length)) + "]");
    if (targets.empty()) return leaf(function.result, uniform, depth);
    text += (arguments.empty() ? "" : ", ") + random_.of(targets);
  }
  if (function.takes_struct) {
    std::vector<std::string> sources;
    for (const StructVariable& variable : scope_.structs)
      if (variable.type == function.takes_struct && variable.length == 0) sources.push_back(variable.name);
    if (sources.empty()) return leaf(function.result, uniform, depth);
    text += (arguments.empty() && !function.takes_pointer ? "" : ", ") + random_.of(sources);
  }
  NodePtr node = expression(function.result, uniform, text + ")");
  node->children = std::move(arguments);
  return node;
}

}  // namespace weft::fuzz
