#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "profiler/outputs.h"

// The page's parts, as they stand in profiler/page; in the program itself, so that it works wherever it lies.
#define WEFT_EMBED(name, file)                                                                          \
  asm(".section .rodata\n.global weft_page_" #name "\nweft_page_" #name ":\n.incbin \"" file "\"\n" \
      ".byte 0\n.previous\n");                                                                          \
  extern "C" const char weft_page_##name[];
WEFT_EMBED(template, WEFT_PAGE_FOLDER "/report.html")
WEFT_EMBED(style, WEFT_PAGE_FOLDER "/report.css")
WEFT_EMBED(format, WEFT_PAGE_FOLDER "/format.js")
WEFT_EMBED(timeline, WEFT_PAGE_FOLDER "/timeline.js")
WEFT_EMBED(warp, WEFT_PAGE_FOLDER "/warp.js")
WEFT_EMBED(source, WEFT_PAGE_FOLDER "/source.js")
WEFT_EMBED(report, WEFT_PAGE_FOLDER "/report.js")
WEFT_EMBED(d3, WEFT_D3_FILE)
WEFT_EMBED(d3_licence, WEFT_D3_LICENCE)

namespace weft::profiler {
namespace {

constexpr char kDataStart[] = "<script type=\"application/json\" id=\"report-data\">";

/// A JSON text that cannot end the element that it stands in: a program's source may hold any text.
void write_in_script(std::ostream& out, std::string_view json) {
  for (std::size_t mark; (mark = json.find('<')) != json.npos; json.remove_prefix(mark + 1)) out << json.substr(0, mark) << "\\u003c";
  out << json;
}

}  // namespace

void write_html(std::ostream& out, std::span<const std::string> report) {
  const std::pair<std::string_view, std::vector<const char*>> parts[] = {
      {"STYLE", {weft_page_style}},
      {"D3", {"/*\n", weft_page_d3_licence, "\n*/\n", weft_page_d3}},
      {"SCRIPT", {weft_page_format, weft_page_timeline, weft_page_warp, weft_page_source, weft_page_report}}};
  std::string_view rest = weft_page_template;
  while (!rest.empty()) {
    const std::size_t mark = rest.find("{{");
    out << rest.substr(0, mark);
    if (mark == rest.npos) break;
    const std::size_t end = rest.find("}}", mark);
    const std::string_view name = rest.substr(mark + 2, end - mark - 2);
    if (name == "DATA") {
      for (const std::string& part : report) write_in_script(out, part);
    }
    for (const auto& [part, texts] : parts) {
      if (part != name) continue;
      for (const char* const text : texts) out << text;
    }
    rest.remove_prefix(end + 2);
  }
}

nlohmann::json read_report(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + " cannot be read");
  std::stringstream all;
  all << in.rdbuf();
  std::string text = std::move(all).str();
  if (const std::size_t start = text.find(kDataStart); start != text.npos) {
    const std::size_t from = start + sizeof kDataStart - 1;
    text = text.substr(from, text.find("</script>", from) - from);
  }
  nlohmann::json data = nlohmann::json::parse(text, nullptr, false);
  if (!data.is_object() || !data.contains("weftprof_report")) throw std::runtime_error(file + " is no report of weftprof");
  return data;
}

}  // namespace weft::profiler
