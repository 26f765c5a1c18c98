#include "compiler/fuzz/tree.h"

#include <algorithm>

namespace weft::fuzz {
namespace {

void append(const Node& node, std::string& out);

void append_text(const Node& node, std::string& out) {
  for (std::size_t i = 0; i < node.text.size(); ++i) {
    const char c = node.text[i];
    if (c == '$')
      append(*node.children[static_cast<std::size_t>(node.text[++i] - '0')], out);
    else
      out += c;
  }
}

void append(const Node& node, std::string& out) {
  if (!node.is_list()) {
    append_text(node, out);
    return;
  }
  if (node.role == Node::kBlock) out += "{\n";
  for (const NodePtr& child : node.children) {
    append(*child, out);
    out += '\n';
  }
  if (node.role == Node::kBlock) out += "}";
}

/// By the depth of braces; labels and `case`s stand where statements do.
std::string indent(const std::string& text) {
  std::string out;
  int depth = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(begin, end - begin);
    line.erase(0, line.find_first_not_of(' '));
    begin = end + 1;
    if (line.empty()) continue;
    const int closing = static_cast<int>(std::min(line.find_first_not_of('}'), line.size()));
    out.append(static_cast<std::size_t>(2 * std::max(depth - closing, 0)), ' ');
    out += line + '\n';
    depth += static_cast<int>(std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}'));
  }
  return out;
}

}  // namespace

unsigned Type::component_bytes() const {
  static constexpr unsigned kBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  return kBytes[kind];
}

Type Type::as_unsigned() const {
  switch (component_bytes()) {
    case 1:
      return {kUchar, width};
    case 2:
      return {kUshort, width};
    case 4:
      return {kUint, width};
    default:
      return {kUlong, width};
  }
}

Type Type::as_signed() const { return {static_cast<Kind>(as_unsigned().kind - 1), width}; }

std::string Type::name() const {
  static constexpr const char* kNames[] = {"char", "uchar", "short", "ushort", "int",
                                           "uint", "long",  "ulong", "half",   "float", "double"};
  return kNames[kind] + (width > 1 ? std::to_string(width) : std::string());
}

NodePtr Node::clone() const {
  auto copy = std::make_unique<Node>();
  copy->role = role;
  copy->uniform = uniform;
  copy->whole = whole;
  copy->type = type;
  copy->text = text;
  for (const NodePtr& child : children) copy->children.push_back(child->clone());
  return copy;
}

NodePtr statement(std::string text) { return make_node(Node::kStatement, std::move(text)); }

std::string print(const Node& node) {
  std::string text;
  append(node, text);
  return indent(text);
}

std::size_t count_nodes(const Node& node) {
  std::size_t sum = 1;
  for (const NodePtr& child : node.children) sum += count_nodes(*child);
  return sum;
}

}  // namespace weft::fuzz
