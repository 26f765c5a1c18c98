// A kernel as a tree of pieces of text: what the generator makes, what the reducer cuts down, what is printed.
//
// A node is a template of OpenCL C in which $0 to $9 stand for its children. The generator puts whatever keeps a
// kernel well defined (masks of indices, divisors that are not zero, bounds of loops, barriers around an exchange)
// into a template's own text, so most of what the reducer removes or replaces leaves a kernel with one meaning;
// defined.h tells the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::fuzz {

/// A scalar or vector type of OpenCL C.
struct Type {
  enum Kind : std::uint8_t { kChar, kUchar, kShort, kUshort, kInt, kUint, kLong, kUlong, kHalf, kFloat, kDouble };
  Kind kind = kUint;
  std::uint8_t width = 1;  ///< components: 1, 2, 3, 4, 8 or 16

  bool is_float() const { return kind >= kHalf; }
  bool is_signed() const { return !is_float() && kind % 2 == 0; }
  bool is_vector() const { return width > 1; }
  unsigned component_bytes() const;
  unsigned bytes() const { return component_bytes() * (width == 3 ? 4 : width); }
  Type scalar() const { return {kind, 1}; }
  Type of_width(unsigned components) const { return {kind, static_cast<std::uint8_t>(components)}; }
  /// The unsigned (or signed) integer type of the same size.
  Type as_unsigned() const;
  Type as_signed() const;
  std::string name() const;
  bool operator==(const Type&) const = default;
};

struct Node;
using NodePtr = std::unique_ptr<Node>;

struct Node {
  enum Role : std::uint8_t {
    kExpression,  ///< may become a child of the same type, or a constant
    kStatement,   ///< may go, or become what its blocks hold
    kBlock,       ///< a list of statements in braces
    kList,        ///< a list without braces
  };
  Role role = kStatement;
  bool uniform = false;  ///< an expression: the same for all work-items of a group
  bool whole = false;    ///< a statement whose blocks mean nothing outside of it
  Type type;             ///< of an expression
  std::string text;      ///< the template; empty for lists
  std::vector<NodePtr> children;

  bool is_list() const { return role == kBlock || role == kList; }
  NodePtr clone() const;
};

template <typename... Children>
NodePtr make_node(Node::Role role, std::string text, Children... children) {
  auto node = std::make_unique<Node>();
  node->role = role;
  node->text = std::move(text);
  (node->children.push_back(std::move(children)), ...);
  return node;
}

/// Without children.
NodePtr statement(std::string text);

template <typename... Children>
NodePtr expression(Type type, bool uniform, std::string text, Children... children) {
  NodePtr node = make_node(Node::kExpression, std::move(text), std::move(children)...);
  node->type = type;
  node->uniform = uniform;
  return node;
}

/// OpenCL C, indented.
std::string print(const Node& node);

/// Nodes of the tree.
std::size_t count_nodes(const Node& node);

}  // namespace weft::fuzz
