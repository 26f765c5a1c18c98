#include "compiler/fuzz/reduce.h"

#include <algorithm>

namespace weft::fuzz {
namespace {

class Reducer {
 public:
  Reducer(Node& root, const Variant& variant, const Report& report, const BatchOptions& options,
          llvm::function_ref<void(std::size_t)> progress)
      : root_(root), variant_(variant), report_(report), options_(options), progress_(progress) {}

  void run() {
    for (bool smaller = true; smaller;) {
      smaller = shrink_lists(root_);
      smaller |= shrink_statements(root_);
      smaller |= shrink_expressions(root_);
    }
  }

 private:
  bool still_fails() {
    const Report now = run_apart({print(root_), {variant_}}, options_);
    const bool same = now.outcome.verdict == report_.outcome.verdict && now.crashed == report_.crashed &&
                      now.outcome.what.substr(0, 24) == report_.outcome.what.substr(0, 24);
    // Other bytes of other buffers may differ in a smaller kernel.
    const bool alike = now.outcome.verdict == Verdict::kDiffer && report_.outcome.verdict == Verdict::kDiffer &&
                       now.crashed == report_.crashed && (now.outcome.what.find("differ") != std::string::npos) ==
                                                             (report_.outcome.what.find("differ") != std::string::npos);
    if (!(same || alike) || !is_defined()) return false;
    progress_(count_nodes(root_));
    return true;
  }

  /// What a part that went kept defined (a return, a first value) makes a kernel worthless.
  bool is_defined() {
    BatchOptions options = options_;
    options.only_defined = true;
    return run_apart({print(root_), {variant_}}, options).outcome.verdict == Verdict::kAgree;
  }

  /// Drops runs of a list's members, long ones first.
  bool shrink_lists(Node& node) {
    bool smaller = false;
    if (node.is_list()) {
      for (std::size_t run = node.children.size(); run > 0; run /= 2) {
        for (std::size_t end = node.children.size(); end > 0;) {
          const std::size_t begin = end > run ? end - run : 0;
          std::vector<NodePtr> taken(std::make_move_iterator(node.children.begin() + static_cast<std::ptrdiff_t>(begin)),
                                     std::make_move_iterator(node.children.begin() + static_cast<std::ptrdiff_t>(end)));
          node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(begin),
                              node.children.begin() + static_cast<std::ptrdiff_t>(end));
          if (still_fails())
            smaller = true;
          else
            node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(begin), std::make_move_iterator(taken.begin()),
                                 std::make_move_iterator(taken.end()));
          end = begin;
        }
      }
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) smaller |= shrink_lists(*node.children[i]);
    return smaller;
  }

  /// A statement in a list becomes what its blocks hold, where that stands alone.
  bool shrink_statements(Node& node) {
    bool smaller = false;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Node& child = *node.children[i];
      if (node.is_list() && child.role == Node::kStatement && !child.whole) {
        bool taken = false;
        for (NodePtr& inner : child.children) {
          if (!inner->is_list()) continue;
          NodePtr block = inner->clone();
          std::swap(node.children[i], block);
          if (still_fails()) {
            smaller = taken = true;
            break;
          }
          std::swap(node.children[i], block);
        }
        if (taken) {
          --i;
          continue;
        }
      }
      if (node.is_list() && child.is_list() && splice(node, i)) {
        smaller = true;
        --i;
        continue;
      }
      smaller |= shrink_statements(child);
    }
    return smaller;
  }

  /// A block within a list becomes part of it.
  bool splice(Node& list, std::size_t at) {
    std::vector<NodePtr> before;
    for (const NodePtr& child : list.children) before.push_back(child->clone());
    NodePtr block = std::move(list.children[at]);
    list.children.erase(list.children.begin() + static_cast<std::ptrdiff_t>(at));
    list.children.insert(list.children.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(block->children.begin()),
                         std::make_move_iterator(block->children.end()));
    if (still_fails()) return true;
    list.children = std::move(before);
    return false;
  }

  /// An expression becomes a constant, or one of its own parts that has its type.
  bool shrink_expressions(Node& node) {
    bool smaller = false;
    for (NodePtr& child : node.children) {
      if (child->role == Node::kExpression && !is_constant(*child)) {
        if (try_constant(child, "1") || try_constant(child, "0")) {
          smaller = true;
          continue;
        }
        for (bool again = true; again;) {
          again = false;
          std::vector<Node*> parts;
          collect(*child, *child, parts);
          for (Node* part : parts) {
            NodePtr other = part->clone();
            std::swap(child, other);
            if (still_fails()) {
              smaller = again = true;
              break;
            }
            std::swap(child, other);
          }
        }
      }
      smaller |= shrink_expressions(*child);
    }
    return smaller;
  }

  static bool is_constant(const Node& node) {
    return node.text == "(" + node.type.name() + ")(1)" || node.text == "(" + node.type.name() + ")(0)";
  }

  bool try_constant(NodePtr& place, const char* number) {
    NodePtr constant = expression(place->type, true, "(" + place->type.name() + ")(" + number + ")");
    std::swap(place, constant);
    if (still_fails()) return true;
    std::swap(place, constant);
    return false;
  }

  /// What is uniform stays so: barriers may depend on it.
  static void collect(const Node& top, Node& node, std::vector<Node*>& parts) {
    for (NodePtr& child : node.children) {
      if (child->role == Node::kExpression && child->type == top.type && (child->uniform || !top.uniform)) parts.push_back(child.get());
      if (parts.size() < 12) collect(top, *child, parts);
    }
  }

  Node& root_;
  const Variant& variant_;
  const Report& report_;
  const BatchOptions& options_;
  llvm::function_ref<void(std::size_t)> progress_;
};

}  // namespace

NodePtr reduce(NodePtr program, const Variant& variant, const Report& report, const BatchOptions& options,
               llvm::function_ref<void(std::size_t)> progress) {
  Reducer(*program, variant, report, options, progress).run();
  return program;
}

}  // namespace weft::fuzz
