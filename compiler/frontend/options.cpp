#include "compiler/frontend/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace weft::compiler::frontend {
namespace {

struct Flag {
  std::string_view name;
  bool for_clang;  ///< passed on to Clang; else accepted and ignored
};

// -cl-fp32-correctly-rounded-divide-sqrt only asks for what the device always does.
constexpr std::array kCompileFlags = {
    Flag{"-cl-single-precision-constant", true},
    Flag{"-cl-fp32-correctly-rounded-divide-sqrt", true},
    Flag{"-cl-strict-aliasing", false},
    Flag{"-cl-no-subgroup-ifp", false},
    Flag{"-cl-mad-enable", true},
    Flag{"-cl-no-signed-zeros", true},
    Flag{"-cl-unsafe-math-optimizations", true},
    Flag{"-cl-finite-math-only", true},
    Flag{"-cl-fast-relaxed-math", true},
    Flag{"-cl-kernel-arg-info", false},  // always on
    Flag{"-w", true},
    Flag{"-Werror", true},
};

// AMD's levels, which its programs pass to any platform but a few that they know: accepted and ignored.
bool is_amd_level(std::string_view option) { return option.size() == 3 && option.starts_with("-O") && option[2] >= '0' && option[2] <= '5'; }

constexpr std::array<std::string_view, 6> kLinkFlags = {
    "-cl-denorms-are-zero", "-cl-no-signed-zeros",   "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-no-subgroup-ifp",
};

// NVIDIA's own (cl_nv_compiler_options), which its programs pass to any platform. All are accepted; these two mean something.
constexpr std::string_view kNvidiaVerbose = "-cl-nv-verbose";
constexpr std::string_view kNvidiaRegisters = "-cl-nv-maxrregcount";
constexpr std::array<std::string_view, 4> kNvidiaWithValue = {kNvidiaRegisters, "-cl-nv-opt-level", "-cl-nv-arch",
                                                              "-cl-nv-cstd"};

/// Takes the value of `option` at `i`, attached to it or in the next word; nullopt when there is none.
std::optional<std::string> take_value(const std::vector<std::string>& words, std::size_t& i,
                                      std::string_view option) {
  if (words[i].size() > option.size()) return words[i].substr(option.size());
  if (i + 1 >= words.size()) return std::nullopt;
  return words[++i];
}

/// Whether the word is an option of NVIDIA's; its value, after `=` or in the next word, is taken too.
bool take_nvidia_option(const std::vector<std::string>& words, std::size_t& i, NvidiaOptions& options) {
  const std::string_view word = words[i];
  if (word == kNvidiaVerbose) return options.is_verbose = true;
  for (const std::string_view option : kNvidiaWithValue) {
    if (!word.starts_with(option)) continue;
    std::string_view value = word.substr(option.size());
    if (value.empty()) {
      if (++i == words.size()) return false;
      value = words[i];
    } else if (value.front() != '=' || value.size() == 1) {
      return false;
    } else {
      value.remove_prefix(1);
    }
    if (option != kNvidiaRegisters) return true;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.max_registers);
    return error == std::errc() && end == value.data() + value.size() && options.max_registers > 0;
  }
  return false;
}

bool parse_language(std::string_view value, CompileOptions& options) {
  struct Language {
    std::string_view name;
    int version;
  };
  static constexpr Language kLanguages[] = {{"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120},    {"CL2.0", 200},
                                            {"CL3.0", 300}, {"CL3.1", 310}, {"CLC++", 200}, {"CLC++1.0", 200}, {"CLC++2021", 300}};
  for (const Language& language : kLanguages) {
    if (language.name != value) continue;
    options.language = value;
    options.language_version = language.version;
    return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::string>> split_options(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false, quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() &&
        (text[i + 1] == '"' || text[i + 1] == '\\' || text[i + 1] == ' ')) {
      word += text[++i];
      in_word = true;
    } else if (c == '"') {
      quoted = !quoted;
      in_word = true;
    } else if (!quoted && std::isspace(static_cast<unsigned char>(c))) {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quoted) return std::nullopt;
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::optional<CompileOptions> parse_compile_options(const std::string& text, std::string& error) {
  const auto words = split_options(text);
  if (!words) {
    error = "error: unterminated quote in options\n";
    return std::nullopt;
  }
  CompileOptions options;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    const std::string_view option = word;
    if (option.starts_with("-D") || option.starts_with("-I")) {
      const auto value = take_value(*words, i, option.substr(0, 2));
      if (!value || value->empty()) {
        error = "error: option '" + std::string(option.substr(0, 2)) + "' lacks its value\n";
        return std::nullopt;
      }
      options.preprocessor.push_back(std::string(option.substr(0, 2)) + *value);
    } else if (option.starts_with("-cl-std=")) {
      if (!parse_language(option.substr(8), options)) {
        error = "error: unknown language version in option '" + word + "'\n";
        return std::nullopt;
      }
    } else if (option == "-g") {
      options.debug_info = options.explains_enqueue = true;
    } else if (option == "-cl-denorms-are-zero") {
      options.flushes_denormals = true;
    } else if (option == "-cl-uniform-work-group-size") {
      options.has_uniform_groups = true;
    } else if (option == "-cl-opt-disable") {
      options.optimize = false;
    } else if (option == "-s" || option == "-x") {
      const auto value = take_value(*words, i, option);
      if (!value || (option == "-x" && *value != "cl" && *value != "clc")) {
        error = "error: bad value of option '" + std::string(option) + "'\n";
        return std::nullopt;
      }
      if (option == "-s") options.source_name = *value;
    } else if (const auto* flag = std::find_if(kCompileFlags.begin(), kCompileFlags.end(),
                                               [&](const Flag& f) { return f.name == option; });
               flag != kCompileFlags.end()) {
      if (flag->for_clang) options.clang_flags.push_back(word);
    } else if (!is_amd_level(option) && !take_nvidia_option(*words, i, options.nvidia)) {
      error = "error: unknown option '" + word + "'\n";
      return std::nullopt;
    }
  }
  return options;
}

std::optional<LinkOptions> parse_link_options(const std::string& text, std::string& error) {
  const auto words = split_options(text);
  if (!words) {
    error = "error: unterminated quote in options\n";
    return std::nullopt;
  }
  LinkOptions options;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (word == "-create-library") {
      options.create_library = true;
    } else if (word == "-enable-link-options") {
      options.enable_link_options = true;
    } else if (std::find(kLinkFlags.begin(), kLinkFlags.end(), word) == kLinkFlags.end() &&
               !take_nvidia_option(*words, i, options.nvidia)) {
      error = "error: unknown link option '" + word + "'\n";
      return std::nullopt;
    }
  }
  if (options.enable_link_options && !options.create_library) {
    error = "error: option '-enable-link-options' needs '-create-library'\n";
    return std::nullopt;
  }
  return options;
}

}  // namespace weft::compiler::frontend
