// Findings that the program's text shows, on lines that ran. A scan of tokens knows no types: each rule says what it takes for a sign.
#include <algorithm>
#include <set>
#include <string>

#include "profiler/findings.h"
#include "profiler/source_texts.h"

namespace weft::profiler {
namespace {

using Kind = Token::Kind;

bool is_floating(std::string_view number) {
  if (number.size() > 1 && (number[1] | 0x20) == 'x') return false;
  return number.find_first_of(".eE") != number.npos;
}

bool is_double(std::string_view number) {
  return is_floating(number) && std::string_view("fFhH").find(number.back()) == std::string_view::npos;
}

/// One text of the program, token by token, by whoever looks at each.
class Scan {
 public:
  Scan(const Program& program, const std::string& file, const SourceText& source, const KernelUse& use, std::size_t number, std::vector<Finding>& found)
      : program_(program), file_(file), source_(source), number_(number), found_(found) {
    for (const auto& line : use.lines) {
      if (line.file == file && line.counts.warp_instructions()) ran_.insert(line.line);
    }
  }

  void run() {
    for (const std::uint32_t line : ran_) {
      const auto [from, to] = source_.of_line(line);
      for (std::size_t i = from; i < to; ++i) {
        double_literal(i);
        power(i);
        reciprocal_sqrt(i);
        integer_division(i);
        native_math(i);
        unsigned_counter(i);
      }
    }
    mad_enable();
  }

 private:
  std::string_view text(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is_number(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Kind::number; }
  bool has_option(std::string_view option) const { return program_.options.find(option) != std::string::npos; }

  void add(AdviceId id, std::size_t i, std::string detail) {
    const std::uint32_t line = tokens_[i].line;
    if (!said_.emplace(id, line).second) return;
    found_.push_back({id, number_, file_, line, 0, std::move(detail)});
  }

  /// A sign: the program names no double, and the literal has no suffix.
  void double_literal(std::size_t i) {
    if (!is_number(i) || !is_double(text(i)) || has_option("-cl-single-precision-constant") || source_.names_double) return;
    add(AdviceId::double_literal, i, std::string(text(i)) + " is a double.");
  }

  void power(std::size_t i) {
    if ((text(i) != "pow" && text(i) != "powr") || text(i + 1) != "(") return;
    std::size_t exponent = 0;
    int depth = 0;
    for (std::size_t at = i + 1; at < tokens_.size(); ++at) {
      if (text(at) == "(") ++depth;
      if (text(at) == "," && depth == 1) exponent = at + 1;
      if (text(at) != ")" || --depth > 0) continue;
      if (exponent == 0) return;
      const std::string constant = constant_text(exponent, at);
      if (!constant.empty()) add(AdviceId::small_power, i, "The exponent is " + constant + ".");
      return;
    }
  }

  /// Of numbers and operators, as "1.0f/3"; empty: there are names, too.
  std::string constant_text(std::size_t from, std::size_t to) const {
    std::string constant;
    bool any = false;
    for (; from < to; ++from) {
      const std::string_view word = text(from);
      if (!is_number(from) && (word.size() != 1 || std::string_view("+-*/()").find(word) == std::string_view::npos)) return "";
      any |= is_number(from);
      constant += word;
    }
    return any ? constant : "";
  }

  void reciprocal_sqrt(std::size_t i) {
    if (text(i + 1) != "/" || text(i + 3) != "(") return;
    const std::string_view function = text(i + 2);
    if (function != "sqrt" && function != "native_sqrt" && function != "half_sqrt") return;
    const std::string_view one = text(i);
    if (one == "1" || one == "1.0f" || one == "1.f" || one == "1.0" || one == "1." || one == "1.0F") add(AdviceId::reciprocal_sqrt, i, "");
  }

  /// A sign: % by what is no literal (only integers have %), / by one of OpenCL's sizes, or one integer variable by another.
  void integer_division(std::size_t i) {
    const bool remainder = text(i) == "%";
    if ((!remainder && text(i) != "/") || text(i + 1) == "=") return;
    std::size_t divisor = i + 1;
    while (text(divisor) == "(") ++divisor;
    if (is_number(divisor) && text(divisor + 1) != "*") return;  // a constant: the compiler knows what to do
    const std::string_view name = text(divisor);
    const bool is_size = name.starts_with("get_") && name.find("_size") != name.npos;
    // A name in capitals is a macro for a constant.
    const bool is_macro = std::none_of(name.begin(), name.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; }) && !is_number(divisor);
    if (is_macro || (!remainder && !is_size && !divides_integers(i))) return;
    add(AdviceId::integer_division, i, remainder ? "A remainder." : "A division.");
  }

  /// "= a / b" of integer variables. Behind a product, a quotient or a cast the first operand may be a float.
  bool divides_integers(std::size_t i) const {
    static constexpr std::string_view kStarts[] = {"=", "(", "[", ",", "+", "-", ";", "<", ">", "?", ":", "{", "&", "|", "return"};
    static constexpr std::string_view kEnds[] = {")", "]", ",", "+", "-", ";", "<", ">", "?", ":", "&", "|", "*", "%", "/"};
    const auto has = [](const auto& words, std::string_view word) { return std::find(std::begin(words), std::end(words), word) != std::end(words); };
    return i >= 2 && source_.integers.contains(text(i - 1)) && source_.integers.contains(text(i + 1)) && has(kStarts, text(i - 2)) && has(kEnds, text(i + 2));
  }

  void native_math(std::size_t i) {
    static constexpr std::string_view kFunctions[] = {"sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "powr", "sincos"};
    if (text(i + 1) != "(" || std::find(std::begin(kFunctions), std::end(kFunctions), text(i)) == std::end(kFunctions)) return;
    if (has_option("-cl-fast-relaxed-math") || source_.names_double) return;
    add(AdviceId::native_math, i, std::string(text(i)) + " has a native_ form.");
  }

  void unsigned_counter(std::size_t i) {
    if (text(i) != "for" || text(i + 1) != "(") return;
    static constexpr std::string_view kUnsigned[] = {"unsigned", "uint", "size_t", "ulong", "uchar", "ushort"};
    if (std::find(std::begin(kUnsigned), std::end(kUnsigned), text(i + 2)) == std::end(kUnsigned)) return;
    add(AdviceId::unsigned_counter, i, "It counts in " + std::string(text(i + 2)) + ".");
  }

  /// A sign: floats, and a product and a sum on one line that ran.
  void mad_enable() {
    if (has_option("-cl-mad-enable") || has_option("-cl-fast-relaxed-math") || has_option("-cl-unsafe-math-optimizations")) return;
    if (!source_.names_float) return;
    for (const std::uint32_t line : ran_) {
      const auto [from, to] = source_.of_line(line);
      for (std::size_t i = from; i < to; ++i) {
        // "sum += a * b": what an index computes has no += of products.
        if (text(i) != "+" || text(i + 1) != "=") continue;
        for (std::size_t at = i + 2; at < tokens_.size() && text(at) != ";"; ++at) {
          const bool product = text(at) == "*" && (tokens_[at - 1].kind != Kind::sign || text(at - 1) == "]" || text(at - 1) == ")");
          if (product && !in_brackets(i + 2, at)) return add(AdviceId::mad_enable, i, "Options: \"" + program_.options + "\".");
        }
      }
    }
  }
  bool in_brackets(std::size_t from, std::size_t to) const {
    int depth = 0;
    for (; from < to; ++from) depth += text(from) == "[" ? 1 : text(from) == "]" ? -1 : 0;
    return depth > 0;
  }

  const Program& program_;
  const std::string& file_;
  const SourceText& source_;
  const std::size_t number_;
  std::vector<Finding>& found_;
  const std::vector<Token>& tokens_ = source_.tokens;
  std::set<std::uint32_t> ran_;  ///< lines
  std::set<std::pair<AdviceId, std::uint32_t>> said_;
};

}  // namespace

void find_in_source(const Run& run, const KernelUse& use, std::size_t number, SourceTexts& texts, std::vector<Finding>& found) {
  const Program& program = run.programs[run.kernels[use.kernel].program];
  std::set<std::string> files;
  for (const auto& line : use.lines) files.insert(line.file);
  for (const std::string& file : files) {
    if (const std::string* const text = program.text_of(file)) Scan(program, file, texts.of(*text), use, number, found).run();
  }
}

}  // namespace weft::profiler
