// The generator's loads and stores.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};

std::string number(unsigned value) { return std::to_string(value) + "u"; }

std::string replace_slot(std::string text, unsigned slot) {
  const std::size_t at = text.find('#');
  return at == std::string::npos ? text : text.replace(at, 1, number(slot));
}

}  // namespace

/// Ids are asked for by name in the kernel and by call in functions.
NodePtr Generator::work_item_id(Type type, bool uniform) {
  std::string id;
  if (!uniform && ids_) {
    id = in_kernel_ ? random_.word({"lid", "gid", "lx", "ly", "lz", "lid", "gid", "lx"})
                    : random_.word({"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"});
  } else {
    if (!in_kernel_) return random_.chance(50) ? literal(type) : leaf(type, true, 8);
    id = random_.word({"wg", "n", "N", "get_group_id(0)", "get_local_size(0)", "get_num_groups(0)"});
  }
  return expression(type, uniform, "(" + type.name() + ")" + id);
}

/// A uint below N * factor, in one of the forms that programs write.
NodePtr Generator::index(unsigned factor, bool uniform, unsigned depth) {
  const std::string limit = "(N * " + number(factor) + ")";
  const auto any = [&](bool same) { return value(kUint, same, depth + 1); };
  const auto make = [&](const std::string& text) { return expression(kUint, uniform, text); };
  const std::string slot = number(random_.below(factor));
  if (uniform) {
    if (random_.chance(30)) return make(slot);
    return expression(kUint, true, "($0 % " + limit + ")", any(true));
  }
  switch (random_.below(20)) {
    case 0:
    case 1:
      return expression(kUint, false, "($0 % " + limit + ")", any(false));
    case 2:
      return make("(gid * " + number(factor) + " + " + slot + ")");
    case 3:
      return make("(" + slot + " * N + gid)");
    case 4:
      return make("(N - 1u - gid)");
    case 5:
      if (factor >= 4) return make("(gid ^ " + number(random_.between(1, 3)) + ")");
      break;
    case 6:
      return make("(gid " + random_.word({"/", "%", "/", "%", ">>"}) + " " + number(random_.of({1, 2, 3, 4, 5, 8, 16, 24})) + ")");
    case 7:
      return make("(gid & ~" + number((1u << random_.between(1, 5)) - 1) + ")");
    case 8:
      return make("(lid * " + number(random_.between(1, factor)) + ")");
    case 9:
      return expression(kUint, false, "((lid + $0) % " + limit + ")", any(true));
    case 10:
      return expression(kUint, false, "(($0 & " + number((factor & (~factor + 1)) - 1) + ") * N + gid)", any(true));
    case 11:
      return make(random_.word({"(ly * (uint)get_local_size(0) + lx)", "(lx * (uint)get_local_size(1) + ly)", "lx", "(lx * ly)",
                                "(ly + lz)", "(lz * (uint)get_local_size(1) + ly)"}));
    case 12:
      if (factor >= 4) return expression(kUint, false, "(gid + ($0 & 3u))", any(random_.chance(60)));
      break;
    case 13:
      if (factor >= 16) {
        const std::string width = number(1u << random_.between(1, 4));
        return make("(lid / " + width + " * " + width + " + (" + width + " - 1u - lid % " + width + "))");
      }
      break;
    case 14:
      // Bytes and halves that wrap within a warp.
      return expression(kUint, false, "((uint)(" + random_.word({"uchar", "ushort"}) + ")(lid" +
                                          random_.word({"", " * 2u", " * 3u", " * 16u"}) + " + $0) % " + limit + ")",
                        any(true));
    case 15:
      // Sums of size_t, cut down.
      return make(random_.word({"(uint)(int)", "(uint)"}) +
                  random_.word({"(get_local_id(1) * get_local_size(0) + get_local_id(0))",
                                "(get_local_id(0) * get_local_size(1) + get_local_id(1))", "(get_local_id(0) + get_local_id(2))"}));
    case 16:
      // Kept within its bounds, as at the edge of an image.
      return expression(kUint, false, random_.word({"(uint)clamp((int)gid + (int)($0 & 7u) - 3, 0, (int)N - 1)",
                                                    "min(gid + ($0 & 3u), N - 1u)", "(uint)max((int)lid - (int)($0 & 15u), 0)"}),
                        any(true));
    case 17:
      // Columns, numbered along y first.
      return make(random_.chance(40) ? "(cid + " + slot + " * N)" : random_.word({"cid", "(uint)(int)cid", "clid"}));
    case 18:
      return column(factor);
    default:
      break;
  }
  if (!scope_.strides.empty() && random_.chance(50)) return make("(uint)" + random_.of(scope_.strides));
  return make(random_.word({"gid", "lid", "gid", "(uint)(int)gid"}));
}

/// A uint below N * factor: columns as far apart as a number says that the group shares. They may overlap, or be one.
NodePtr Generator::column(unsigned factor) {
  const std::string pitch = "($0 % (uint)(get_local_size(1) * " + number(factor) + "))";
  const std::string x = random_.word({"lx", "lx", "((uint)get_local_size(0) - 1u - lx)"});
  const std::string type = random_.word({"uint", "int", "ulong", "long"});
  NodePtr from = random_.chance(40) ? expression(kUint, true, "(uint)(get_local_size(1) * " + number(random_.between(1, factor)) + ") - " +
                                                                  number(random_.below(2)))
                                    : value(kUint, true, 8);
  return expression(kUint, false, "(uint)((" + type + ")" + x + " * (" + type + ")" + pitch + " + (" + type + ")ly)", std::move(from));
}

/// Into a buffer that nobody reads, where all that is stored at a place is the same.
NodePtr Generator::store_column(const Place& place) {
  if (!in_kernel_ || !columns_) return assign(place);
  const std::string at = fresh("j"), type = columns_->name();
  NodePtr index = random_.chance(30) ? expression(kUint, false, "cid") : column(kBufferBytesPerItem / columns_->bytes());
  return make_node(Node::kStatement, "{\nconst " + random_.word({"uint ", "size_t ", "int "}) + at + " = $0;\ncolumns[" + at + "] = (" +
                                         type + ")((uint)" + at + " * 40503u + 77u);\n}",
                   std::move(index));
}

/// buffer[i], for an i whose sum wraps around within a warp: the lanes before that have an element each.
NodePtr Generator::load_before_wrap(const Buffer& buffer) {
  const bool is_signed = random_.chance(50);
  const std::string i = random_.word({"get_local_id(0)", "(get_local_id(1) * get_local_size(0) + get_local_id(0))"});
  const std::string start = std::to_string((is_signed ? 1ull << 31 : 1ull << 32) - random_.between(1, 40)) + "ul";
  const std::string sum = (is_signed ? "(int)(" : "(uint)(") + i + " + " + start + ")";
  const std::string wide = is_signed ? "(long)" : "(ulong)";
  // Smaller integers are ints behind the question mark.
  return expression(buffer.element, false, "(" + buffer.element.name() + ")(" + wide + sum + " >= " + wide + start + " ? " +
                                               buffer.name + "[" + wide + sum + " - " + wide + start + "] : (" +
                                               buffer.element.name() + ")(0))");
}

NodePtr Generator::buffer_load(Type type, bool uniform, unsigned depth) {
  const Buffer& buffer = random_.of(buffers_);
  const unsigned each = kBufferBytesPerItem / buffer.element.bytes();
  if (!uniform && !buffer.element.is_vector() && random_.chance(4)) return convert(load_before_wrap(buffer), type);
  const std::string cast = random_.word({"", "", "(int)", "(ulong)", "(long)"});
  if (type.is_vector() && !buffer.element.is_vector() && type.scalar() == buffer.element && type.width <= each &&
      type.width != 3 && random_.chance(70)) {
    // Vectors that may overlap with their neighbours'.
    if (type.width < each && random_.chance(50)) {
      NodePtr at = index(each - type.width, uniform, depth);
      return expression(type, uniform, "vload" + std::to_string(type.width) + "(0, " + buffer.name + " + " + cast + "$0)", std::move(at));
    }
    // vloadN counts in vectors.
    NodePtr at = index(each / type.width, uniform, depth);
    return expression(type, uniform, "vload" + std::to_string(type.width) + "($0, " + buffer.name + ")", std::move(at));
  }
  NodePtr at = index(each, uniform, depth);
  return convert(expression(buffer.element, uniform, buffer.name + "[" + cast + "$0]", std::move(at)), type);
}

NodePtr Generator::local_load(const LocalArray& array, Type type, bool uniform, unsigned depth) {
  const std::string all = array.slots == 1 ? "n" : "(n * " + number(array.slots) + ")";
  NodePtr at;
  if (!array.shared) {
    at = expression(kUint, false, replace_slot(array.own, random_.below(array.slots)));
  } else if (uniform) {
    at = expression(kUint, true, "($0 % " + all + ")", value(kUint, true, depth + 1));
  } else {
    switch (random_.below(7)) {
      case 0:
        at = expression(kUint, false, "($0 % " + all + ")", value(kUint, false, depth + 1));
        break;
      case 1:
        at = expression(kUint, false, "((lid + $0) % n)", value(kUint, true, depth + 1));
        break;
      case 2:
        at = expression(kUint, false, "(n - 1u - lid)");
        break;
      case 3:
        at = expression(kUint, false, "((lid ^ " + number(1u << random_.below(6)) + ") % n)");
        break;
      case 4:
        at = expression(kUint, false, "(lid " + random_.word({"/ 2u", "/ 3u", "& ~7u", "% 16u", "& 24u"}) + ")");
        break;
      case 5:
        at = expression(kUint, false, random_.word({"(ly * (uint)get_local_size(0))", "lx", "(lx * (uint)get_local_size(1) + ly)"}));
        break;
      default:
        at = expression(kUint, false, "(lid * " + number(array.slots) + ")");
        break;
    }
  }
  return convert(expression(array.element, uniform, array.name + "[$0]", std::move(at)), type);
}

NodePtr Generator::field_of(const StructVariable& variable, Type type, bool uniform, unsigned depth) {
  const Field& field = random_.of(variable.type->fields);
  std::string text = variable.name;
  std::vector<NodePtr> children;
  if (variable.length != 0) {
    text += "[$0 & " + number(variable.length - 1) + "]";
    children.push_back(value(kUint, uniform, depth + 1));
  }
  text += "." + field.name;
  if (field.length != 0) {
    text += "[$" + std::to_string(children.size()) + " & " + number(field.length - 1) + "]";
    children.push_back(random_.chance(50) ? literal(kUint) : value(kUint, uniform, depth + 1));
  }
  NodePtr node = expression(field.type, uniform, text);
  node->children = std::move(children);
  return convert(std::move(node), type);
}

/// Null where there is nothing to load from.
NodePtr Generator::load(Type type, bool uniform, unsigned depth) {
  switch (random_.weighted({35, 20, 15, 12, 12, 6})) {
    case 0:
      if (!buffers_.empty() && in_kernel_) return buffer_load(type, uniform, depth);
      break;
    case 1: {
      std::vector<const Array*> found;
      if (!uniform)
        for (const Array& array : scope_.arrays) found.push_back(&array);
      if (found.empty()) break;
      const Array& array = *random_.of(found);
      NodePtr at = random_.chance(40) ? literal(kUint) : value(kUint, false, depth + 1);
      return convert(expression(array.element, false, array.name + "[$0 & " + number(array.length - 1) + "]", std::move(at)), type);
    }
    case 2: {
      std::vector<const LocalArray*> found;
      if (in_kernel_)
        for (const LocalArray& array : locals_)
          if (array.shared || !uniform) found.push_back(&array);
      if (found.empty()) break;
      return local_load(*random_.of(found), type, uniform, depth);
    }
    case 3: {
      std::vector<const StructVariable*> found;
      for (const StructVariable& variable : scope_.structs)
        if (variable.uniform || !uniform) found.push_back(&variable);
      if (found.empty()) break;
      return field_of(*random_.of(found), type, uniform, depth);
    }
    case 4: {
      if (outputs_.empty() || uniform || !in_kernel_) break;
      const Output& output = random_.of(outputs_);
      NodePtr slot = random_.chance(60) ? literal(kUint) : value(kUint, false, depth + 1);
      return convert(expression(output.element, false, output.name + "($0)", std::move(slot)), type);
    }
    default: {
      // A variable's component by a computed number.
      std::vector<const Variable*> found;
      for (const Variable& variable : scope_.variables)
        if (variable.type.is_vector() && variable.type.width != 3 && (variable.uniform || !uniform)) found.push_back(&variable);
      if (found.empty()) break;
      const Variable& variable = *random_.of(found);
      return convert(expression(variable.type.scalar(), uniform,
                                variable.name + "[$0 & " + number(variable.type.width - 1u) + "]",
                                value(kUint, uniform, depth + 1)),
                     type);
    }
  }
  if (in_kernel_ && random_.chance(20)) {
    return convert(expression({Type::kUchar, 1}, uniform, "table[(uchar)$0]", value(kUint, uniform, depth + 1)), type);
  }
  return nullptr;
}

NodePtr Generator::store(const Place& place) {
  std::vector<NodePtr> made;
  const unsigned depth = 1;
  switch (random_.weighted({30, 30, 25, columns_ ? 30u : 0u, 15})) {
    case 3:
      return store_column(place);
    case 0:
      if (!scope_.arrays.empty()) {
        const Array& array = random_.of(scope_.arrays);
        const std::string op = array.element.is_signed() || array.element.is_float() ? "=" : random_.word({"=", "+=", "^=", "-="});
        NodePtr at = random_.chance(30) ? literal(kUint) : value(kUint, false, depth + 1);
        return make_node(Node::kStatement, array.name + "[$0 & " + number(array.length - 1) + "] " + op + " $1;", std::move(at),
                         value(array.element, false, depth));
      }
      break;
    case 1:
      if (in_kernel_ && !outputs_.empty()) {
        const Output& output = random_.of(outputs_);
        const unsigned each = kBufferBytesPerItem / output.element.bytes();
        if (output.contiguous && !output.element.is_vector() && random_.chance(30)) {
          unsigned width = random_.of({2, 3, 4, 8});
          while (width > each) width /= 2;
          const unsigned first = random_.below(each - width + 1);
          return make_node(Node::kStatement, "vstore" + std::to_string(width) + "($0, 0, &" + output.name + "(" + number(first) + "));",
                           value(output.element.of_width(width), false, depth));
        }
        const std::string op = output.element.is_signed() ? "=" : random_.word({"=", "=", "^=", "+="});
        NodePtr slot = random_.chance(60) ? literal(kUint) : value(kUint, false, depth + 1);
        return make_node(Node::kStatement, output.name + "($0) " + op + " $1;", std::move(slot),
                         value(output.element, false, depth));
      }
      break;
    case 2: {
      std::vector<const LocalArray*> found;
      if (in_kernel_)
        for (const LocalArray& array : locals_)
          if (!array.shared) found.push_back(&array);
      if (found.empty()) break;
      const LocalArray& array = *random_.of(found);
      return make_node(Node::kStatement, array.name + "[" + replace_slot(array.own, random_.below(array.slots)) + "] = $0;",
                       value(array.element, false, depth));
    }
    default: {
      // Some components of a vector.
      std::vector<const Variable*> found;
      for (const Variable& variable : scope_.variables)
        if (variable.type.is_vector() && variable.assignable && !variable.uniform) found.push_back(&variable);
      if (found.empty()) break;
      const Variable& variable = *random_.of(found);
      const unsigned width = variable.type.width;
      if (width != 3 && random_.chance(30))
        return make_node(Node::kStatement, variable.name + "[$0 & " + number(width - 1) + "] = $1;", value(kUint, false, depth + 1),
                         value(variable.type.scalar(), false, depth));
      if (random_.chance(50))
        return make_node(Node::kStatement, variable.name + "." + random_.word({"x", "y"}) + " = $0;",
                         value(variable.type.scalar(), false, depth));
      const std::string part = width == 2 ? "yx" : random_.word({"xz", "yx", "zy"});
      return make_node(Node::kStatement, variable.name + "." + part + " = $0;", value(variable.type.of_width(2), false, depth));
    }
  }
  return assign(place);
}

/// A load behind the check that keeps it in bounds: the index of a lane that fails it may wrap.
NodePtr Generator::guarded_load(const Place& place) {
  std::vector<const Variable*> targets;
  for (const Variable& variable : scope_.variables)
    if (variable.assignable && !variable.uniform) targets.push_back(&variable);
  if (!in_kernel_ || buffers_.empty() || targets.empty()) return assign(place);
  const Variable& target = *random_.of(targets);
  const Buffer& buffer = random_.of(buffers_);
  const std::string limit = "N * " + number(kBufferBytesPerItem / buffer.element.bytes());
  const std::string name = fresh("j");
  const std::string type = random_.word({"uint", "uint", "ulong", "ushort", "int", "long"});
  const bool is_signed = type == "int" || type == "long";
  const std::string form = random_.word({"lid + $0", "gid + $0", "lid * 3u - $0", "lx * 5u + ly + $0", "$0 - lid", "gid * 2u + $0",
                                         "(ly + $0) * 16u + lx", "lx - $0"});
  NodePtr offset = random_.chance(50) ? expression(kUint, true, random_.word({"1u", "4u", "7u", "(~0u)", "(~15u)", "n", "(0u - n)", "32u"}))
                                      : value(kUint, true, 2);
  const std::string sign = is_signed ? name + " >= 0 && (uint)" : "";
  NodePtr use = convert(expression(buffer.element, false, buffer.name + "[" + name + "]"), target.type);
  return make_node(Node::kStatement, "{\n" + type + " " + name + " = (" + type + ")(" + form + ");\nif (" + sign + name + " < " + limit +
                                         ") " + target.name + " = $1;\n}",
                   std::move(offset), std::move(use));
}

}  // namespace weft::fuzz
