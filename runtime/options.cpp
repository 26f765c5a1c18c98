#include "runtime/options.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace weft::runtime {
namespace {

void read(const char* variable, bool& value) {
  const char* text = secure_getenv(variable);
  if (!text || !*text) return;
  const std::string_view word = text;
  if (word == "0" || word == "off" || word == "no" || word == "false") value = false;
  if (word == "1" || word == "on" || word == "yes" || word == "true") value = true;
}

void read(const char* variable, std::uint64_t& value) {
  const char* text = secure_getenv(variable);
  if (!text) return;
  const std::string_view digits = text;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size()) value = number;
}

void read(const char* variable, std::string& value) {
  if (const char* text = secure_getenv(variable); text && *text) value = text;
}

std::string spelled(bool value) { return value ? "1" : "0"; }
std::string spelled(std::uint64_t value) { return std::to_string(value); }
std::string spelled(const std::string& value) { return value; }

}  // namespace

const Options& options() {
  // Never destroyed: other threads may still ask while the process exits.
  static const Options& values = *[] {
    auto* read_values = new Options;
#define WEFT_OPTION(type, name, variable, fallback, meaning) read(variable, read_values->name);
#include "runtime/options.def"
#undef WEFT_OPTION
    return read_values;
  }();
  return values;
}

std::string describe_options(bool markdown) {
  const Options defaults;
  std::string text;
  if (markdown) text += "| variable | type | default | meaning |\n|---|---|---|---|\n";
  const auto add = [&](const char* variable, const char* type, const std::string& fallback,
                       const char* meaning) {
    if (markdown) {
      text += std::string("| `") + variable + "` | " + type + " | " +
              (fallback.empty() ? "empty" : fallback) + " | " + meaning + " |\n";
    } else {
      text += std::string(variable) + " (" + type + ", default " + (fallback.empty() ? "empty" : fallback) +
              ")\n    " + meaning + "\n";
    }
  };
#define WEFT_OPTION(type, name, variable, fallback, meaning) \
  add(variable, #type, spelled(defaults.name), meaning);
#include "runtime/options.def"
#undef WEFT_OPTION
  return text;
}

}  // namespace weft::runtime
