#include "compiler/fuzz/array_kernel.h"

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/fuzz/generator.h"
#include "compiler/fuzz/random.h"

namespace weft::fuzz {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

class ArrayKernel {
 public:
  explicit ArrayKernel(std::uint64_t seed) : random_(seed * 2 + 1) {}

  NodePtr program() {
    const Type whole{Type::kUint, 1}, real{Type::kFloat, 1};
    sum_ = random_.of<Type>({whole, whole, whole, whole.of_width(4), {Type::kUlong, 1}, real, real, real, real.of_width(2),
                             real.of_width(4), {Type::kDouble, 1}});
    index_ = random_.word({"int", "int", "int", "uint", "size_t"});
    tiles_ = random_.chance(35);
    std::string signature;
    const unsigned inputs = random_.between(2, 3);
    for (unsigned i = 0; i < inputs; ++i) signature += declare_input(i);
    signature += "global const uchar* ends_0, int small_n, int small_p, int small_e, ";
    result_ = sum_;
    if (!sum_.is_float() && !sum_.is_vector()) result_ = random_.of<Type>({sum_, sum_, {Type::kUshort, 1}, {Type::kUchar, 1}});
    const std::string out = named("out", result_);
    twice_ = random_.chance(20);
    signature += "global " + result_.name() + "*" + (twice_ ? "" : random_.word({"", " restrict"})) + " " + out;
    if (twice_) signature += ", global const " + result_.name() + "* " + kSameAs + out;
    results_ = kBufferBytesPerItem / result_.bytes();

    NodePtr program = make_node(Node::kList, "");
    if (random_.chance(50)) program->children.push_back(statement("#pragma OPENCL FP_CONTRACT OFF"));
    std::string table = "constant uchar table[256] = {";
    for (unsigned i = 0; i < 256; ++i) table += (i ? ", " : "") + number((i * 167 + 13) % 256);
    program->children.push_back(statement(table + "};"));
    const std::string each = number(results_);
    const std::string rows = "i * " + each + " + (k)";
    const std::string own = random_.of<std::string>({rows, rows, "(k) * N + i", "(N - 1 - i) * " + each + " + (k)"});
    program->children.push_back(statement("#define OUT(k) " + out + "[" + own + "]"));
    program->children.push_back(statement("#define SEEN(k) " + (twice_ ? kSameAs + out : out) + "[" + own + "]"));
    NodePtr body = make_node(Node::kBlock, "");
    declare_ids(*body);
    std::vector<NodePtr> made;
    const unsigned count = random_.between(1, 3);
    for (unsigned i = 0; i < count; ++i) made.push_back(one());
    guard(*body, std::move(made));
    program->children.push_back(make_node(Node::kStatement, "kernel void k(" + signature + ") $0", std::move(body)));
    return program;
  }

 private:
  /// A buffer that is read, of `each` elements for each work-item of the launch.
  struct Input {
    std::string name;
    Type element;
    unsigned each;
  };
  /// Where an iteration reads: `text` has `k`, which stays below `most`.
  struct Place {
    const Input* input;
    std::string text;
    unsigned most;
  };

  /// So that no NaN is in it: which of two a sum has is nobody's promise.
  static std::string named(const std::string& name, Type element) {
    return (element.kind == Type::kFloat ? kSmallFloats : element.kind == Type::kDouble ? kSmallDoubles : "") + name;
  }

  std::string declare_input(unsigned i) {
    Type element;
    if (i == 0 && random_.chance(70)) {
      element = sum_;
    } else if (i == 0 && sum_.is_vector()) {
      element = Type{sum_.is_float() ? random_.of({Type::kUchar, Type::kShort}) : random_.of({Type::kUchar, Type::kUshort}), sum_.width};
    } else if (sum_.is_float()) {
      element = {random_.of({sum_.kind, sum_.kind, Type::kUchar, Type::kShort, Type::kChar}), 1};
    } else {
      element = {random_.of({Type::kUchar, Type::kChar, Type::kShort, Type::kUshort, Type::kUint, Type::kInt, Type::kFloat}), 1};
    }
    inputs_.push_back({named("in" + number(i), element), element, kBufferBytesPerItem / element.bytes()});
    return (random_.chance(8) ? "constant " : "global const ") + element.name() + "*" + random_.word({"", " restrict"}) + " " +
           inputs_.back().name + ", ";
  }

  void declare_ids(Node& body) {
    const auto add = [&](const std::string& text) { body.children.push_back(statement(text)); };
    add("const " + index_ + " x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);");
    add("const " + index_ + " W = get_global_size(0), H = get_global_size(1), N = W * H * get_global_size(2);");
    add("const " + index_ + " line = z * H + y, i = line * W + x;");
    if (!tiles_) return;
    add("const uint lx = get_local_id(0), ly = get_local_id(1) + get_local_id(2) * get_local_size(1);");
    add("const uint LW = get_local_size(0), LH = get_local_size(1) * get_local_size(2), lid = ly * LW + lx, group = LW * LH;");
    add("local " + sum_.name() + " tile0[" + number(kMostWorkItems) + "], tile1[" + number(kMostWorkItems) + "];");
  }

  /// A bound of the range or of the picture around everything, as programs have it.
  void guard(Node& body, std::vector<NodePtr> made) {
    const std::string test = random_.of<std::string>({"i + (" + index_ + ")small_e < N", "x < W - 1", "x + (" + index_ + ")small_e < W",
                                                      "x < W && y < H", "i % 3 != 1"});
    if (!tiles_ && random_.chance(20)) body.children.push_back(statement("if (!(" + test + ")) return;"));
    if (!tiles_ && random_.chance(20)) {
      NodePtr block = make_node(Node::kBlock, "");
      block->children = std::move(made);
      body.children.push_back(make_node(Node::kStatement, "if (" + test + ") $0", std::move(block)));
      return;
    }
    for (NodePtr& node : made) body.children.push_back(std::move(node));
  }

  NodePtr one() {
    if (tiles_ && random_.chance(70)) return random_.chance(60) ? product_of_tiles() : steps_of_group();
    switch (random_.weighted({30, 20, 20, 18, 6})) {
      case 0:
        return sum();
      case 1:
        return block();
      case 2:
        return running();
      case 3:
        return taps();
      default:
        return looked_up();
    }
  }

  // ---- what is read ------------------------------------------------------------------------------------------

  const Input& input() { return random_.of(inputs_); }

  /// Null where no input is of integers.
  const Input* integers() {
    std::vector<const Input*> found;
    for (const Input& candidate : inputs_)
      if (!candidate.element.is_float() && !candidate.element.is_vector()) found.push_back(&candidate);
    return found.empty() ? nullptr : random_.of(found);
  }

  /// `stride`: how many elements an iteration takes.
  Place place(unsigned stride = 1) {
    const Input& from = input();
    const std::string each = number(from.each);
    const unsigned most = from.each / stride;
    switch (random_.weighted({30, 14, 8, 5, 7, 6, 10, 5, 14, 12, 5, 6, 10})) {
      case 0:
        return {&from, "i * " + each + " + k", most};
      case 1:
        return {&from, "k * N + i", most};
      case 2:
        return {&from, "i * min((" + index_ + ")small_p, (" + index_ + ")" + each + ") + k", most};
      case 3:
        return {&from, "i * " + each + " + (" + number(from.each - 1) + " - k)", most};
      case 4:
        return {&from, "min(i + k, N - 1)", most};
      case 5:
        return {&from, "line * W + (" + index_ + ")clamp((int)(x + k) - 2, 0, (int)W - 1)", most};
      case 6:
        return {&from, "k", most};
      case 7:
        if (const Input* by = integers()) return {&from, "(uint)" + by->name + "[min(i + k, N - 1)] % (uint)N", most};
        return {&from, "(N - 1 - i) * " + each + " + k", most};
      case 8:
        return {&from, "line * " + each + " + k", most};
      case 9:
        return {&from, "k * W + x", most};
      case 10:
        return {&from, "(i / " + number(random_.of({2, 4, 8})) + ") * " + each + " + k", most};
      case 11:
        return recombined(from, most);
      default:
        return {&from, "(x * (N / W) + line) * " + each + " + k", most};
    }
  }

  /// An index taken apart by divisions and put together again, or into rows of another length, which must not go beyond the last.
  Place recombined(const Input& from, unsigned most) {
    const std::string n = random_.word({"i", "i", "x"}), row = random_.word({"W", "H", "71", "33", "40", "7", "(W + 1)"});
    const std::string rows = random_.word({"H", "3", "70", "W"}), all = "(" + rows + " * " + row + ")";
    const std::string high = random_.of<std::string>({n + " / " + all, n + " / " + row + " / " + rows});
    const std::string middle = random_.of<std::string>({n + " % " + all + " / " + row, n + " / " + row + " % " + rows});
    const std::string same = "((" + high + ") * " + rows + " + " + middle + ") * " + row + " + " + n + " % " + row;
    const std::string place = random_.of<std::string>({same, same, n + " / " + row + " * " + row + " + " + n + " % " + row, "min(" + n + " / 7 * 8 + " + n + " % 7, N - 1)"});
    return {&from, random_.chance(50) ? "(" + place + ") * " + number(from.each) + " + k" : "min(" + place + " + k, N - 1)", most};
  }

  static std::string replace(std::string text, const std::string& k) {
    for (std::size_t at = 0; (at = text.find('k', at)) != std::string::npos; at += k.size()) text.replace(at, 1, k);
    return text;
  }

  /// What stands at `place` for `k`, as a number of `type`.
  std::string read(const Place& place, const std::string& k, Type type) {
    const std::string element = place.input->name + "[" + replace(place.text, k) + "]";
    return as(element, place.input->element, type);
  }
  std::string as(const std::string& element, Type from, Type type) {
    if (from == type) return element;
    if (from.is_vector() && type.is_vector()) return "convert_" + type.name() + "(" + element + ")";
    if (from.is_vector()) return as(element + ".x", from.scalar(), type);
    // A negative floating-point number is no unsigned one.
    const std::string whole = from.is_float() && !type.is_float() ? "(int)" : "";
    return "(" + type.name() + ")(" + (type.is_vector() ? "(" + type.scalar().name() + ")" : "") + whole + element + ")";
  }

  std::string combine(const std::string& s, const std::string& v) {
    if (sum_.is_float()) {
      const std::string half = sum_.kind == Type::kDouble ? "0.5" : "0.5f";
      const std::string plus = s + " + " + v;
      return random_.of<std::string>({plus, plus, plus, s + " * " + half + " + " + v, "fmax(" + s + " + 0, " + v + " + 0)", s + " - " + v});
    }
    const std::string three = sum_.is_vector() ? "3u" : "(" + sum_.name() + ")3";
    const std::string plus = s + " + " + v;
    return random_.of<std::string>({plus, plus, plus, s + " * " + three + " + " + v, "max(" + s + ", " + v + ")", "min(" + s + ", " + v + ")",
                                    s + " ^ " + v});
  }

  std::string zero() { return "(" + sum_.name() + ")" + random_.word({"0", "0", "1"}); }
  std::string result(const std::string& value) { return "(" + result_.name() + ")(" + value + ")"; }

  // ---- loops: every idiom is a block, so names may repeat ----------------------------------------------------

  /// How often, at most `most` times: known, the same for all, or each for itself, often nearly the same.
  std::string bound(unsigned most, const std::string& type) {
    const std::string cast = "(" + type + ")", limit = number(most);
    switch (random_.below(6)) {
      case 0:
      case 1:
        return number(random_.between(1, most));
      case 2:
      case 3:
        return "min(" + cast + "small_n, " + cast + limit + ")";
      default:
        break;
    }
    const Input* by = integers();
    if (by && random_.chance(50)) return "min(" + cast + "(" + by->name + "[i] & 15), " + cast + limit + ")";
    if (most >= 8 && random_.chance(50)) return cast + "(" + random_.of<std::string>({limit + " - (i & 3)", limit + " - i % 7", "8 + (x & 7) % " + number(most - 7)}) + ")";
    return cast + "(" + random_.of<std::string>({"i % " + limit + " + 1", "min(x, (" + index_ + ")" + limit + ")"}) + ")";
  }

  /// `body` for each q below a bound of at most `most`, in one of the forms that programs write.
  NodePtr loop(unsigned most, std::string body) {
    const std::string type = index_ == "size_t" ? random_.word({"size_t", "int"}) : index_;
    const std::string head = "const " + type + " n = " + bound(most, type) + ";\n";
    if (random_.chance(12)) body += random_.word({"if (q == 5) break;\n", "if (small_e == 3) break;\n"});
    const bool plain = !random_.chance(10);
    if (!plain) body = "if (" + random_.word({"q % 3 == 1", "(x + q) % 2 == 0"}) + ") continue;\n" + body;
    NodePtr inner = make_node(Node::kBlock, "");
    inner->children.push_back(statement(body));
    const auto made = [&](const std::string& text) { return make_node(Node::kStatement, "{\n" + head + text + "\n}", std::move(inner)); };
    switch (random_.weighted({55, 8, plain ? 8u : 0u, 8, plain && most >= 4 ? 10u : 0u, 6, 6})) {
      case 0:
        return made("for (" + type + " q = 0; q < n; ++q) $0");
      case 1:
        return made("for (int q = (int)n - 1; q >= 0; --q) $0");
      case 2:
        return made("if (n > 0) {\n" + type + " q = 0;\ndo {\n$0\n} while (++q < n);\n}");
      case 3:
        return made("for (" + type + " q = 0; q < n; q += 2) $0");
      case 4: {
        // How often, memory says.
        const std::string first = number(most - 4);
        return made(type + " q = " + first + " + (small_e & 3);\ndo {\n$0\n} while (ends_0[q++ - " + first + "]);");
      }
      case 5:
        return made("for (" + type + " q = " + random_.word({"1", "x & 3"}) + "; q < n; ++q) $0");
      default:
        return made("for (" + type + " q = 0;; ++q) {\nif (q >= n) break;\n$0\n}");
    }
  }

  /// With the statements around a loop.
  static NodePtr with(std::string before, NodePtr loop, std::string after) {
    NodePtr node = make_node(Node::kBlock, "");
    node->children.push_back(statement(std::move(before)));
    node->children.push_back(std::move(loop));
    node->children.push_back(statement(std::move(after)));
    return node;
  }

  std::string slot() { return number(random_.below(results_)); }
  std::string store(const std::string& at, const std::string& value) {
    const bool adds = random_.chance(15) && !result_.is_float();
    return "OUT(" + at + ") " + (adds ? "+= " : "= ") + result(value) + ";\n";
  }
  std::string declared() { return sum_.name() + " s = " + zero() + ";\n"; }

  // ---- idioms ------------------------------------------------------------------------------------------------

  NodePtr sum() {
    const Place a = place(), b = place();
    std::string value = read(a, "q", sum_);
    unsigned most = a.most;
    if (random_.chance(65)) {
      value += " * " + read(b, "q", sum_);
      most = std::min(most, b.most);
    }
    std::string body = "s = " + combine("s", value) + ";\n";
    if (random_.chance(15)) body = "if (" + read(a, "q", {Type::kInt, 1}) + " > 3) " + body;
    return with(declared(), loop(most, body), store(slot(), "s"));
  }

  static std::string each(const char* name, unsigned count) {
    return std::string("for (int ") + name + " = 0; " + name + " < " + number(count) + "; ++" + name + ") ";
  }

  /// Sums of a work-item that share what they read.
  NodePtr block() {
    const unsigned rows = random_.of({1u, 2u, 4u}), columns = random_.of({2u, 2u, 4u, 8u});
    const Place a = place(rows), b = place(columns);
    const unsigned most = std::min(a.most, b.most);
    if (most == 0) return sum();
    const std::string type = sum_.name(), r = number(rows), c = number(columns);
    const std::string at_a = random_.chance(50) ? "(q * " + r + " + j)" : "(j * " + number(most) + " + q)", at_b = "(q * " + c + " + l)";
    const std::string body = type + " v[" + r + "], w[" + c + "];\n" +                                //
                             each("j", rows) + "v[j] = " + read(a, at_a, sum_) + ";\n" +              //
                             each("l", columns) + "w[l] = " + read(b, at_b, sum_) + ";\n" +           //
                             each("j", rows) + each("l", columns) + "s[j * " + c + " + l] += v[j] * w[l];\n";
    const unsigned sums = rows * columns;
    return with(type + " s[" + number(sums) + "];\n" + each("j", sums) + "s[j] = " + zero() + ";", loop(most, body),
                each("j", std::min(sums, results_)) + store("j", "s[j]"));
  }

  /// Along what the work-item writes.
  NodePtr running() {
    const Place a = place(), b = place();
    unsigned most = std::min(a.most, results_);
    std::string value = read(a, "q", sum_);
    if (random_.chance(30)) {
      value += " * " + read(b, "q", sum_);
      most = std::min(most, b.most);
    }
    const std::string add = "s = " + combine("s", value) + ";\n";
    const std::string own = as("SEEN(q)", result_, sum_), before = as("SEEN(q - 1)", result_, sum_), after = as("SEEN(q + 1)", result_, sum_);
    std::string body;
    switch (random_.below(6)) {
      case 0:
      case 1:
        body = add + "OUT(q) = " + result("s") + ";\n";
        break;
      case 2:
        body = add + "OUT(q) = " + result(own + " + s") + ";\n";
        break;
      case 3:
        body = "OUT(q) = " + result(value) + ";\nif (q > 0) OUT(q) = " + result(before + " + " + own) + ";\n";
        break;
      case 4:
        body = add + "if (q % 2 == 0) OUT(q) = " + result("s") + ";\n";
        break;
      default:
        body = "s = " + own + " + " + value + ";\nOUT(q) = " + result("s") + ";\n";
        break;
    }
    NodePtr first = loop(most, body);
    if (most < 2 || random_.chance(60)) return with(declared(), std::move(first), ";");
    // And back, as when a system of equations is solved.
    return with(declared(), std::move(first),
                "for (int q = " + number(most - 2) + "; q >= 0; --q) OUT(q) = " + result(own + " + " + after) + ";");
  }

  /// Neighbours in a picture of W columns, with weights or without.
  NodePtr taps() {
    const unsigned radius = random_.of({1u, 1u, 2u}), side = 2 * radius + 1;
    const bool flat = random_.chance(35), clamps = random_.chance(50);
    const Input &from = input(), &weights = input();
    const std::string r = number(radius), lines = "(int)(N / W)";
    const std::string column = clamps ? "clamp((int)x + dx, 0, (int)W - 1)" : "((int)x + dx)";
    const std::string row = flat ? "(int)line" : clamps ? "clamp((int)line + dy, 0, " + lines + " - 1)" : "((int)line + dy)";
    std::string value = as(from.name + "[" + row + " * (int)W + " + column + "]", from.element, sum_);
    if (random_.chance(50) && (flat ? side : side * side) <= weights.each) {
      const std::string weight = (flat ? "" : "(dy + " + r + ") * " + number(side) + " + ") + "dx + " + r;
      value += " * " + as(weights.name + "[" + weight + "]", weights.element, sum_);
    }
    const auto along = [&](const std::string& d) { return "for (int " + d + " = -" + r + "; " + d + " <= " + r + "; ++" + d + ")\n"; };
    std::string text = declared() + (flat ? "" : along("dy")) + along("dx") + "s = " + combine("s", value) + ";\n" + store(slot(), "s");
    if (!clamps) {
      std::string inside = "(int)x >= " + r + " && (int)x < (int)W - " + r;
      if (!flat) inside += " && (int)line >= " + r + " && (int)line < " + lines + " - " + r;
      text = "if (" + inside + ") {\n" + text + "}";
    }
    return make_node(Node::kStatement, "{\n" + text + "\n}");
  }

  /// Functions of a byte.
  NodePtr looked_up() {
    const Input* from = integers();
    if (!from) return taps();
    std::string value = random_.word({"table[b]", "(b * b + 7u) / 9u", "popcount(b)", "table[table[b]]"});
    if (result_.is_vector()) value = "(" + result_.scalar().name() + ")(" + value + ")";
    return with("", loop(std::min(from->each, results_), "const uchar b = (uchar)" + from->name + "[i * " + number(from->each) + " + q];\n" +
                                                             "OUT(q) = " + result(value) + ";\n"),
                ";");
  }

  // ---- groups: all work-items are here, and stay together ----------------------------------------------------

  /// One number a work-item.
  std::string loaded() {
    const Input& from = input();
    const std::string at = random_.of<std::string>({"i", "i", "N - 1 - i", "i * " + number(from.each), "i + N", "lid"});
    return as(from.name + "[" + at + "]", from.element, sum_);
  }

  /// Rows of one tile by columns of another, in one or several steps.
  NodePtr product_of_tiles() {
    const std::string a = random_.word({"tile0[ly * LW + q]", "tile0[lx + q * LW]", "tile0[q]", "tile0[(lid + q) % group]"});
    const std::string b = random_.word({"tile1[q * LW + lx]", "tile1[q]", "tile1[ly * LW + q]", "tile1[lid]"});
    const std::string own = random_.word({"lid", "lid", "group - 1 - lid"}), steps = random_.word({"1", "2", "(small_n & 3)"});
    const Place more = place();
    NodePtr inner = make_node(Node::kBlock, "");
    inner->children.push_back(statement("tile0[" + own + "] = " + loaded() + ";\n" +                                                  //
                                        "tile1[lid] = " + read(more, "(t % " + number(more.most) + ")", sum_) + ";\n" + kWait +     //
                                        "for (uint q = 0; q < min(LW, LH); ++q) s += " + a + " * " + b + ";\n" + kWait));
    NodePtr node = make_node(Node::kStatement, "{\n" + declared() + "for (int t = 0; t < " + steps + "; ++t) $0\n" + store(slot(), "s") + "}",
                             std::move(inner));
    node->whole = true;
    return node;
  }

  /// Sums and running sums of the group.
  NodePtr steps_of_group() {
    const std::string wait = kWait, type = sum_.name();
    std::string text = "tile0[lid] = " + loaded() + ";\n" + wait;
    switch (random_.below(3)) {
      case 0:
        text += "uint d = 1;\nwhile (d * 2 <= group) d *= 2;\n"
                "for (d /= 2; d > 0; d >>= 1) {\nif (lid < d) tile0[lid] += tile0[lid + d];\n" + wait + "}\n";
        break;
      case 1:
        text += "for (uint d = 1; d < group; d *= 2) {\nconst " + type + " v = lid >= d ? tile0[lid - d] : (" + type + ")0;\n" + wait +
                "tile0[lid] += v;\n" + wait + "}\n";
        break;
      default:
        text += "for (uint d = 1; d < group; d *= 2) {\nif (lid % (2 * d) == 0 && lid + d < group) tile0[lid] += tile0[lid + d];\n" + wait +
                "}\n";
        break;
    }
    text += store(slot(), random_.word({"tile0[lid]", "tile0[0]", "tile0[group - 1]"})) + wait;
    NodePtr node = make_node(Node::kStatement, "{\n" + text + "}");
    node->whole = true;
    return node;
  }

  static constexpr const char* kWait = "barrier(CLK_LOCAL_MEM_FENCE);\n";

  Random random_;
  Type sum_;             ///< of what is added up
  Type result_;          ///< elements of `out`
  unsigned results_ = 0; ///< of them a work-item
  std::string index_;    ///< type of indices
  bool tiles_ = false;   ///< local memory and barriers
  bool twice_ = false;   ///< `out` has a second name, by which it is read: SEEN
  std::vector<Input> inputs_;
};

}  // namespace

NodePtr array_program(std::uint64_t seed) { return ArrayKernel(seed).program(); }

}  // namespace weft::fuzz
