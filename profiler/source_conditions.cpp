#include "profiler/source_conditions.h"

namespace weft::profiler {
namespace {

/// Statement by statement. Text that does not balance, as conditional parts of a file may leave it, gives wrong answers and no more.
class ConditionReader {
 public:
  ConditionReader(std::span<const Token> tokens, std::uint32_t line) : tokens_(tokens), line_(line) {}

  std::vector<std::uint32_t> run() {
    while (at_ < tokens_.size()) {
      const std::size_t before = at_;
      statement(0);
      if (at_ == before) ++at_;  // a brace too many
    }
    return {found_.rbegin(), found_.rend()};
  }

 private:
  static constexpr int kDeepest = 200;  // of statements in each other: more is no program

  bool is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].text == text; }

  void take() {
    if (tokens_[at_].line == line_ && open_.size() > found_.size()) found_ = open_;
    ++at_;
  }

  /// Brackets and what is between them.
  void take_brackets() {
    int depth = 0;
    while (at_ < tokens_.size()) {
      if (is("(") || is("[") || is("{")) ++depth;
      const bool closes = is(")") || is("]") || is("}");
      take();
      if (closes && --depth <= 0) return;
    }
  }

  void body(std::uint32_t of, int depth) {
    open_.push_back(of);
    statement(depth + 1);
    open_.pop_back();
  }

  void statement(int depth) {
    if (depth > kDeepest || at_ >= tokens_.size()) return;
    if (is("{")) {
      take();
      while (at_ < tokens_.size() && !is("}")) {
        const std::size_t before = at_;
        statement(depth + 1);
        if (at_ == before) return;
      }
      if (at_ < tokens_.size()) take();
      return;
    }
    if (is("if") || is("for") || is("while") || is("switch")) {
      const bool may_have_else = is("if");
      const std::uint32_t of = tokens_[at_].line;
      take();
      if (is("(")) take_brackets();
      body(of, depth);
      if (may_have_else && is("else")) {
        take();
        body(of, depth);
      }
      return;
    }
    simple(depth);
  }

  /// Up to its semicolon, or the block of a function that it turns out to begin.
  void simple(int depth) {
    std::string_view before;
    while (at_ < tokens_.size() && !is("}")) {
      if (is(";")) return take();
      if (is("{") && before != "=") return statement(depth + 1);
      before = tokens_[at_].text;
      if (is("(") || is("[") || is("{")) {
        take_brackets();
        before = ")";
      } else {
        take();
      }
      if (before == "else" || before == "do" || before == ":") return;  // a statement follows
    }
  }

  const std::span<const Token> tokens_;
  const std::uint32_t line_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> open_, found_;
};

}  // namespace

std::vector<std::uint32_t> conditions_around(std::span<const Token> tokens, std::uint32_t line) { return ConditionReader(tokens, line).run(); }

}  // namespace weft::profiler
