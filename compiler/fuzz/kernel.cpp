// The generator's programs: types, functions, and the kernel around its statements.
#include "compiler/fuzz/generator.h"

namespace weft::fuzz {
namespace {

constexpr Type kUint{Type::kUint, 1};
constexpr Type kUlong{Type::kUlong, 1};

/// Folds one scalar into the digest. A NaN counts as one, whatever its bits.
std::string fold(Type type, const std::string& value) {
  const std::string bits = type.kind == Type::kHalf     ? "half_bits(" + value + ")"
                           : type.kind == Type::kFloat  ? "float_bits(" + value + ")"
                           : type.kind == Type::kDouble ? "double_bits(" + value + ")"
                                                        : value;
  return "h = h * 31ul + (ulong)" + bits + ";";
}

std::string fold_all(Type type, const std::string& value) {
  if (!type.is_vector()) return fold(type, value);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < type.width; ++i) text += (i ? " " : "") + fold(type.scalar(), value + ".s" + kDigits[i]);
  return text;
}

}  // namespace

Type Generator::numeric(bool integers_only) {
  for (;;) {
    switch (random_.weighted({45, 20, 15, 10, 10})) {
      case 0:
        return kUint;
      case 1:
        return {Type::kInt, 1};
      case 2:
        if (wide_) return {random_.of({Type::kLong, Type::kUlong}), 1};
        break;
      case 3:
        if (narrow_) return {random_.of({Type::kChar, Type::kUchar, Type::kShort, Type::kUshort}), 1};
        break;
      default:
        if (floats_ && !integers_only) return {random_.of({Type::kHalf, Type::kFloat, Type::kFloat, Type::kDouble}), 1};
        break;
    }
  }
}

Type Generator::scalar_type() { return numeric(false); }
Type Generator::integer_scalar() { return numeric(true); }

Type Generator::value_type() {
  const Type type = scalar_type();
  if (!vectors_ || random_.chance(65)) return type;
  return type.of_width(random_.of({2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 8, 8, 16}));
}

Type Generator::element_type() {
  Type type = scalar_type();
  if (vectors_ && random_.chance(30)) type.width = random_.of({2, 4});
  while (type.bytes() > 16) type.width /= 2;
  return type;
}

void Generator::add_struct(Node& program) {
  auto made = std::make_unique<Struct>();
  made->name = fresh("S");
  std::string text = "typedef struct {\n";
  const unsigned count = random_.between(1, 5);
  for (unsigned i = 0; i < count; ++i) {
    Field field{"f" + std::to_string(i), value_type(), random_.chance(25) ? random_.of({2u, 4u}) : 0};
    text += field.type.name() + " " + field.name;
    if (field.length != 0) text += "[" + std::to_string(field.length) + "]";
    text += ";\n";
    made->fields.push_back(field);
  }
  program.children.push_back(statement(text + "} " + made->name + ";"));
  structs_.push_back(std::move(made));
}

/// Variables, arrays and structs of the function at hand, at the head of `body`.
void Generator::declare_variables(Node& body, unsigned most) {
  const auto add = [&](const std::string& text, NodePtr first) {
    body.children.push_back(first ? make_node(Node::kStatement, text, std::move(first)) : statement(text));
  };
  const unsigned variables = random_.between(2, most);
  for (unsigned i = 0; i < variables; ++i) {
    const Type type = i < 2 ? kUint : value_type();
    const std::string name = fresh("v");
    add(type.name() + " " + name + " = $0;", value(type, false, 2));
    scope_.variables.push_back({name, type});
  }
  const unsigned arrays = random_.below(3);
  for (unsigned i = 0; i < arrays; ++i) {
    Array array{fresh("p"), random_.chance(50) ? kUint : value_type(), random_.of({2u, 4u, 8u, 8u, 16u})};
    const std::string length = std::to_string(array.length);
    add(array.element.name() + " " + array.name + "[" + length + "];\nfor (uint i = 0; i < " + length + "u; ++i) " + array.name +
            "[i] = $0;",
        random_.chance(60) ? convert(expression(kUint, false, "(i * 7u + 3u)"), array.element) : value(array.element, false, 3));
    scope_.arrays.push_back(array);
  }
  if (structs_.empty()) return;
  const unsigned structs = random_.below(3);
  for (unsigned i = 0; i < structs; ++i) {
    StructVariable variable{fresh("s"), random_.of(structs_).get(), random_.chance(30) ? random_.of({2u, 4u}) : 0};
    std::string text = variable.type->name + " " + variable.name;
    std::string target = variable.name;
    if (variable.length != 0) {
      text += "[" + std::to_string(variable.length) + "]";
      target += "[i]";
    }
    text += ";\n";
    // Field by field: padding stays as it is.
    if (variable.length != 0) text += "for (uint i = 0; i < " + std::to_string(variable.length) + "u; ++i) {\n";
    for (const Field& field : variable.type->fields) {
      const std::string number = "(" + field.type.name() + ")(" + std::to_string(random_.below(100)) + ")";
      if (field.length == 0)
        text += target + "." + field.name + " = " + number + ";\n";
      else
        for (unsigned k = 0; k < field.length; ++k) text += target + "." + field.name + "[" + std::to_string(k) + "] = " + number + ";\n";
    }
    if (variable.length != 0) text += "}\n";
    add(text, nullptr);
    scope_.structs.push_back(variable);
  }
}

void Generator::add_function(Node& program) {
  Function function;
  function.name = fresh("f");
  function.result = value_type();
  function.varying = ids_ = random_.chance(40);
  function.meets = sub_groups_ && function.varying;
  const unsigned parameters = random_.between(1, 3);
  std::string signature;
  scope_ = Scope();
  for (unsigned i = 0; i < parameters; ++i) {
    const Type type = value_type();
    const std::string name = fresh("a");
    signature += (i ? ", " : "") + type.name() + " " + name;
    function.values.push_back(type);
    scope_.variables.push_back({name, type});
  }
  if (random_.chance(35)) {
    function.takes_pointer = true;
    const std::string name = fresh("q");
    signature += ", private " + function.result.name() + "* " + name;
    scope_.variables.push_back({"(*" + name + ")", function.result});
  }
  if (!structs_.empty() && random_.chance(30)) {
    function.takes_struct = random_.of(structs_).get();
    const std::string name = fresh("s");
    signature += ", " + function.takes_struct->name + " " + name;
    scope_.structs.push_back({name, function.takes_struct});
  }
  NodePtr body = make_node(Node::kBlock, "");
  declare_variables(*body, 3);
  NodePtr early = value(function.result, false, 3);
  returns_ = {"return " + print(*early) + ";"};
  while (!returns_[0].empty() && returns_[0].find('\n') != std::string::npos) returns_[0].erase(returns_[0].find('\n'), 1);
  budget_ = static_cast<int>(random_.between(1, 4));
  Place place;
  place.returns = true;
  place.trips = 15;
  while (budget_ > 0) {
    --budget_;
    body->children.push_back(one(place));
  }
  body->children.push_back(make_node(Node::kStatement, "return $0;", value(function.result, false, 1)));
  const std::string attribute = random_.chance(20) ? "__attribute__((noinline)) " : "";
  program.children.push_back(make_node(Node::kStatement, attribute + function.result.name() + " " + function.name + "(" + signature + ") $0",
                                       std::move(body)));
  functions_.push_back(function);
  ids_ = true;
}

void Generator::declare_arguments(std::string& signature) {
  const unsigned inputs = random_.between(1, 3);
  for (unsigned i = 0; i < inputs; ++i) {
    Buffer buffer{"in" + std::to_string(i), element_type(), random_.chance(25)};
    signature += (buffer.constant ? "constant " : "global const ") + buffer.element.name() + "* " +
                 (random_.chance(30) && !buffer.constant ? "restrict " : "") + buffer.name + ", ";
    buffers_.push_back(buffer);
  }
  signature += "uint ua, int ub, ulong uc, ";
  scope_.variables.push_back({"ua", kUint, true, false});
  scope_.variables.push_back({"ub", {Type::kInt, 1}, true, false});
  scope_.variables.push_back({"uc", kUlong, true, false});
  if (vectors_ && random_.chance(50)) {
    const Type type = value_type();
    signature += type.name() + " ud, ";
    scope_.variables.push_back({"ud", type, true, false});
  }
  if (!structs_.empty() && random_.chance(50)) {
    const Struct* type = random_.of(structs_).get();
    signature += type->name + " us, ";
    // Written to, it is a private copy.
    const bool written = random_.chance(30);
    scope_.structs.push_back({"us", type, 0, written, !written});
  }
}

/// Each output's macro maps a slot's number to the work-item's own element of it.
void Generator::declare_outputs(Node& program, std::string& signature) {
  const unsigned outputs = random_.between(1, 2);
  for (unsigned i = 0; i < outputs; ++i) {
    Output output{"O" + std::to_string(i), i == 0 && random_.chance(50) ? kUint : integer_scalar(), false};
    if (vectors_ && random_.chance(20) && output.element.bytes() <= 8) output.element.width = 2;
    const std::string each = std::to_string(kBufferBytesPerItem / output.element.bytes()) + "u";
    const std::string slot = "((k) & (" + each + " - 1u))";
    const std::string cast = random_.word({"", "(int)", "(size_t)"});
    std::string at;
    switch (random_.below(6)) {
      case 0:
        at = cast + "gid * " + each + " + " + slot;
        output.contiguous = true;
        break;
      case 1:
        at = slot + " * N + " + cast + "gid";
        break;
      case 2:
        at = "(N - 1u - gid) * " + each + " + " + slot;
        output.contiguous = true;
        break;
      case 3:
        at = slot + " * N + " + cast + "cid";
        break;
      case 4:
        at = "cid + " + slot + " * N";
        break;
      default:
        at = cast + "gid + " + slot + " * N";
        break;
    }
    const std::string buffer = "out" + std::to_string(i);
    program.children.push_back(statement("#define " + output.name + "(k) " + buffer + "[" + at + "]"));
    signature += std::string("global ") + (random_.chance(15) ? "volatile " : "") + output.element.name() + "* " + buffer + ", ";
    outputs_.push_back(output);
  }
  if (random_.chance(30)) {
    columns_ = Type{random_.of({Type::kUchar, Type::kUshort, Type::kUint, Type::kUlong, Type::kFloat}), 1};
    signature += "global " + columns_->name() + "* columns, ";
  }
  // vstore takes no volatile pointer.
  if (signature.find("volatile") != std::string::npos)
    for (Output& output : outputs_) output.contiguous = false;
  if (new_atomics_) {
    shared_ = {random_.of({Type::kUlong, Type::kUlong, Type::kHalf, Type::kFloat, Type::kFloat, Type::kDouble}), 1};
    signature += "global " + shared_.name() + "* zero_shared, ";
    if (random_.chance(60)) {
      own_floats_ = Type{random_.of({Type::kHalf, Type::kFloat, Type::kFloat, Type::kDouble}), 1};
      signature += "global " + own_floats_->name() + "* zero_own, ";
    }
  }
  signature += "global uint* counts, global ulong* digest";
}

void Generator::declare_ids(Node& body) {
  const auto add = [&](const std::string& text) { body.children.push_back(statement(text)); };
  const char* type = random_.chance(25) ? "size_t" : "uint";
  add("const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);");
  add("const uint lid = (lz * (uint)get_local_size(1) + ly) * (uint)get_local_size(0) + lx;");
  add("const uint n = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));");
  add("const uint N = (uint)(get_global_size(0) * get_global_size(1) * get_global_size(2));");
  add("const uint wg = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));");
  std::string gid;
  switch (random_.below(4)) {
    case 0:  // launches may have an offset
      gid = "((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + (get_global_id(1) - get_global_offset(1))) * "
            "get_global_size(0) + (get_global_id(0) - get_global_offset(0))";
      break;
    case 1:
      gid = "(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)";
      break;
    case 2:
      gid = "((get_group_id(2) * get_local_size(2) + lz) * get_global_size(1) + get_group_id(1) * get_local_size(1) + ly) * "
            "get_global_size(0) + get_group_id(0) * get_local_size(0) + lx";
      break;
    default:
      gid = "wg * n + lid";
      break;
  }
  // A size_t that is used as such; everything else is made of uints.
  if (type[0] == 's') {
    add("const size_t wide_gid = " + gid + ";");
    add("const uint gid = (uint)wide_gid;");
  } else {
    add("const uint gid = (uint)(" + gid + ");");
  }
  // Of the group and of all work-items, numbered along y first.
  add("const uint clid = (lz * (uint)get_local_size(0) + lx) * (uint)get_local_size(1) + ly;");
  const std::string x = "get_group_id(0) * get_local_size(0) + lx", y = "get_group_id(1) * get_local_size(1) + ly",
                    z = "get_group_id(2) * get_local_size(2) + lz";
  const std::string number = random_.word({"uint", "int", "size_t"});
  const auto cast = [&](const std::string& text) { return "(" + number + ")(" + text + ")"; };
  add("const uint cid = (uint)((" + cast(z) + " * " + cast("get_global_size(0)") + " + " + cast(x) + ") * " +
      cast("get_global_size(1)") + " + " + cast(y) + ");");
}

void Generator::declare_locals(Node& body, std::string& signature) {
  const unsigned arrays = groups_ ? random_.between(1, 3) : random_.below(2);
  for (unsigned i = 0; i < arrays; ++i) {
    LocalArray array{"t" + std::to_string(i), random_.chance(50) ? kUint : value_type(), "", 1};
    while (array.element.bytes() > kLocalBytesPerItem) array.element.width /= 2;
    const std::string type = (random_.chance(15) ? "volatile local " : "local ") + array.element.name();
    if (random_.chance(30)) {
      signature += ", " + type + "* " + array.name;
    } else {
      if (array.element.bytes() <= 8 && random_.chance(30)) array.slots = 2;
      body.children.push_back(
          statement(type + " " + array.name + "[" + std::to_string(kMostWorkItems * array.slots) + "];"));
    }
    array.own = array.slots == 2 ? random_.word({"lid * 2u + #", "# * n + lid"}) : random_.word({"lid", "lid", "clid", "n - 1u - lid"});
    locals_.push_back(array);
  }
  if (groups_) body.children.push_back(statement("local uint c0[8], c1[8];"));
  if (groups_ && new_atomics_)
    for (const char* type : {"ulong", "float", "double"})
      for (const char* name : {"_c0", "_c1"}) body.children.push_back(statement(std::string("local ") + type + " " + type + name + "[8];"));
}

NodePtr Generator::kernel(Node& program) {
  std::string signature;
  scope_ = Scope();
  in_kernel_ = true;
  declare_arguments(signature);
  declare_outputs(program, signature);
  NodePtr body = make_node(Node::kBlock, "");
  declare_ids(*body);
  declare_locals(*body, signature);
  // Outputs' initial contents are the launch's; local memory's are nobody's.
  for (const LocalArray& array : locals_)
    for (unsigned slot = 0; slot < array.slots; ++slot) {
      std::string own = array.own;
      if (const std::size_t at = own.find('#'); at != std::string::npos) own.replace(at, 1, std::to_string(slot) + "u");
      body->children.push_back(statement(array.name + "[" + own + "] = (" + array.element.name() + ")(lid & 63u);"));
    }
  if (groups_) {
    const unsigned uniforms = random_.between(1, 3);
    for (unsigned i = 0; i < uniforms; ++i) {
      const Type type = i == 0 ? kUint : value_type();
      const std::string name = fresh("u");
      body->children.push_back(make_node(Node::kStatement, type.name() + " " + name + " = $0;", value(type, true, 2)));
      scope_.variables.push_back({name, type, true});
    }
  }
  declare_variables(*body, 4);
  returns_ = {"return;"};
  for (const Variable& variable : scope_.variables)
    if (!variable.type.is_vector() && !variable.type.is_float())
      returns_.push_back("digest[gid] = (ulong)" + variable.name + " + 77ul; return;");
  const unsigned size = random_.below(100);
  budget_ = static_cast<int>(size < 70 ? random_.between(2, 4) : size < 96 ? random_.between(4, 9) : random_.between(10, 25));
  Place place;
  place.uniform = groups_;
  place.returns = true;
  const Scope outer = scope_;
  // In front of everything that would keep it from one body for the whole group.
  if (groups_ && random_.chance(15)) body->children.push_back(compare_exchange(place));
  if (ends_apart_ && random_.chance(75)) body->children.push_back(leave_for_good());
  // At least one of what the kernel may have, lest few kernels have any.
  if (collectives_) body->children.push_back(collective(place));
  if (sub_groups_ && random_.chance(70)) {
    Place divergent = place;
    divergent.uniform = false;
    divergent.returns = !groups_ || ends_apart_;
    body->children.push_back(loop(divergent, false));
    scope_ = outer;
  }
  if (generic_) body->children.push_back(random_.chance(70) ? generic_store(place) : generic_load(place));
  if (new_atomics_) body->children.push_back(random_.chance(50) ? own_atomic(place) : shared_atomic(place));
  while (budget_ > 0) {
    --budget_;
    body->children.push_back(one(place));
    scope_ = outer;
  }
  if (ends_apart_) body->children.push_back(exchange(place));
  scope_ = outer;
  body->children.push_back(statement("ulong h = 5ul;"));
  digest(*body);
  body->children.push_back(statement("digest[gid] = h;"));
  in_kernel_ = false;
  const std::string required =
      sub_group_size_ < 32 ? "__attribute__((intel_reqd_sub_group_size(" + std::to_string(sub_group_size_) + "))) " : "";
  return make_node(Node::kStatement, "kernel " + required + "void k(" + signature + ") $0", std::move(body));
}

void Generator::digest(Node& body) const {
  for (const Variable& variable : scope_.variables)
    if (variable.assignable) body.children.push_back(statement(fold_all(variable.type, variable.name)));
  for (const Array& array : scope_.arrays) {
    const std::string last = std::to_string(array.length - 1) + "u";
    const bool all = array.length <= 4;  // or else a loop that keeps its array in memory
    body.children.push_back(statement("for (uint i = 0; i < " + std::string(all ? std::to_string(array.length) + "u" : "2u + (wg & 1u)") +
                                      "; ++i) { " + fold_all(array.element, array.name + "[(i * 3u + lid) & " + last + "]") + " }"));
  }
  for (const StructVariable& variable : scope_.structs)
    for (const Field& field : variable.type->fields) {
      const std::string at = variable.length != 0 ? "[lid & " + std::to_string(variable.length - 1) + "u]" : "";
      const std::string place = variable.name + at + "." + field.name + (field.length != 0 ? "[1]" : "");
      body.children.push_back(statement(fold_all(field.type, place)));
    }
  for (const LocalArray& array : locals_) {
    std::string own = array.own;
    if (const std::size_t at = own.find('#'); at != std::string::npos) own.replace(at, 1, "1u");
    body.children.push_back(statement(fold_all(array.element, array.name + "[" + own + "]")));
  }
}

NodePtr Generator::program() {
  groups_ = random_.chance(55);
  floats_ = random_.chance(40);
  vectors_ = random_.chance(50);
  narrow_ = random_.chance(45);
  wide_ = random_.chance(60);
  ends_apart_ = groups_ && random_.chance(45);
  sub_groups_ = random_.chance(30);
  collectives_ = groups_ && !ends_apart_ && random_.chance(25);
  new_atomics_ = random_.chance(25);
  generic_ = random_.chance(25);
  NodePtr program = make_node(Node::kList, "");
  if (sub_groups_ || collectives_ || new_atomics_ || generic_) program->children.push_back(statement("// options: -cl-std=CL3.0"));
  if (sub_groups_) {
    sub_group_size_ = 8u << random_.weighted({20, 20, 60});
    program->children.push_back(statement("#define LAST " + std::to_string(sub_group_size_ - 1) + "u"));
  }
  if (random_.chance(50)) program->children.push_back(statement("#pragma OPENCL FP_CONTRACT OFF"));
  std::string table = "constant uchar table[256] = {";
  for (unsigned i = 0; i < 256; ++i) table += (i ? ", " : "") + std::to_string((i * 167 + 13) % 256);
  program->children.push_back(statement(table + "};"));
  program->children.push_back(statement("#pragma OPENCL EXTENSION cl_khr_fp16 : enable"));
  program->children.push_back(statement("ushort half_bits(half x) { return isnan(x) ? (ushort)1 : as_ushort(x); }"));
  program->children.push_back(statement("uint float_bits(float x) { return isnan(x) ? 1u : as_uint(x); }"));
  program->children.push_back(statement("ulong double_bits(double x) { return isnan(x) ? 1ul : as_ulong(x); }"));
  const std::size_t helpers = program->children.size();
  const unsigned structs = random_.weighted({50, 30, 20});
  for (unsigned i = 0; i < structs; ++i) add_struct(*program);
  const unsigned functions = random_.weighted({50, 35, 15});
  for (unsigned i = 0; i < functions; ++i) add_function(*program);
  NodePtr made = kernel(*program);
  program->children.push_back(std::move(made));
  std::vector<NodePtr> asked;
  for (const std::string& helper : helpers_) asked.push_back(statement(helper));
  program->children.insert(program->children.begin() + static_cast<std::ptrdiff_t>(helpers), std::make_move_iterator(asked.begin()),
                           std::make_move_iterator(asked.end()));
  return program;
}

}  // namespace weft::fuzz
