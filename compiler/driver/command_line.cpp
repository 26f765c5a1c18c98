#include "compiler/driver/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <vector>

#include "compiler/passes/pass_list.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace weft::compiler::driver {
namespace {

/// Names of passes, with commas, each known; `or_all`: "all" too.
CLI::Option* add_passes(CLI::App& app, const char* name, std::vector<std::string>& passes, const char* meaning,
                        bool or_all = false) {
  const auto check = [or_all](const std::string& pass) -> std::string {
    if (or_all && pass == "all") return {};
    auto names = passes::pass_names(pass, /*required_too=*/true);
    return names ? std::string() : llvm::toString(names.takeError());
  };
  // One word an option: the next one may be the input.
  return app.add_option(name, passes, meaning)->delimiter(',')->allow_extra_args(false)->check(check, "", "pass")->type_name("PASS,...");
}

void set_local_size(const std::string& text, Specialization& specialization) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(text).split(parts, ',');
  if (parts.size() > 3) throw CLI::ValidationError("--local-size", "more than three sizes in '" + text + "'");
  for (auto& size : specialization.local_size) size = 1;
  for (std::size_t d = 0; d < parts.size(); ++d)
    if (parts[d].getAsInteger(10, specialization.local_size[d]))
      throw CLI::ValidationError("--local-size", "no number in '" + text + "'");
}

/// The arguments, the last one first, as CLI11 wants them. `--name=` gives an empty value; CLI11 would take the next word.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) {
    llvm::StringRef word = argv[i];
    if (word.starts_with("--") && word.consume_back("=")) words.emplace_back();
    words.push_back(word.str());
  }
  return words;
}

}  // namespace

std::optional<int> read_command_line(int argc, char** argv, Settings& settings) {
  using passes::Dispatch;
  using passes::ScalarizeLoops;
  Specialization& specialization = settings.specialization;
  passes::PassOptions& passes = settings.passes;

  CLI::App app("The compiler one pass at a time.", "weftc");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("input", settings.input, "FILE.cl, FILE.spv, FILE.ll, FILE.bc, or - for a module on standard input");
  app.add_option("-o", settings.output, "where the result goes (default: standard output)")->type_name("FILE");
  app.add_option("--options", settings.options, "options of clBuildProgram");
  app.add_option("--kernel", settings.kernel, "the kernel to compile (default: the only one)");
  app.add_option("--cpu", settings.cpu, "make code for this processor, by LLVM's name (default: this one)");
  app.add_option("--emit", settings.emit,
                 "frontend, scalar (all kernels, after the scalar passes), llvm (the group function), asm, or obj")
      ->check(CLI::IsMember({"frontend", "scalar", "llvm", "asm", "obj"}));

  // What the kernel is specialized on.
  app.add_option_function<std::string>(
         "--local-size", [&](const std::string& text) { set_local_size(text, specialization); },
         "specialize on this work-group size (default: any)")
      ->type_name("X,Y,Z");
  app.add_flag("--ids-fit-31-bits", specialization.ids_fit_31_bits, "assume that all global ids are below 2^30");
  app.add_flag("--aligned-offsets", specialization.aligned_offsets, "assume that all global offsets are multiples of 256");
  app.add_option("--fuse-groups", specialization.groups,
                 "run so many work-groups side by side along x as one block (default: 1)")
      ->check(CLI::PositiveNumber);
  app.add_flag_callback("--partial-blocks", [&] { specialization.whole_blocks = false; },
                        "the number of groups may be no multiple of --fuse-groups");
  app.add_flag("--part", specialization.is_part, "run a part of a launch whose groups are not all of one size");
  app.add_option("--turned", specialization.turned, "the launch's sizes and ids have x exchanged with this dimension (1: y, 2: z)")
      ->check(CLI::Range(0, 2));
  app.add_flag("--soon", specialization.soon, "first code, with fewer versions; of functions that stay calls, only those that a loop calls run for all lanes at once");
  app.add_flag("--streams", specialization.streams, "what it writes is more than the caches hold, and goes past them");
  app.add_flag_callback(
      "--required-only", [&] { specialization.required_only = passes.required_only = true; },
      "required passes alone: one warp a body, nothing moved between lanes, warps or groups, line tables whole");

  app.add_flag_callback(
      "--counted", [&] { specialization.counted = passes.required_only = true; },
      "required passes alone, with code that counts what warps do");
  app.add_flag_callback(
      "--traced", [&] { specialization.counted = specialization.traced = passes.required_only = passes.count_lanes = true; },
      "the same, with code that hands over each access with all its addresses");
  app.add_option_function<std::vector<std::string>>(
         "--formats",
         [&](const std::vector<std::string>& words) {
           for (llvm::StringRef word : words) {
             std::uint32_t value = 0;
             if (word.getAsInteger(16, value))
               throw CLI::ValidationError("--formats", "no number in '" + word.str() + "'");
             specialization.formats.push_back(value);
           }
         },
         "specialize on these formats of images and bits of samplers, a word an argument in hexadecimal "
         "(compiler/argument_formats.h; 0: any)")
      ->delimiter(',')->allow_extra_args(false)->type_name("WORD,...");

  // Which passes run.
  add_passes(app, "--passes", passes.only,
             "run only these passes on an .ll or .bc module, at whatever stage it is, and print it");
  add_passes(app, "--disable", passes.disable, "leave these passes out");
  app.add_option("--stop-after", passes.stop_after, "the last pass to run; prints the module")
      ->check([](const std::string& pass) { return passes::find_pass(pass) ? "" : "unknown pass '" + pass + "'"; }, "", "pass")
      ->type_name("PASS");
  app.add_option("--coarsen", passes.coarsening,
                 "run so many warps coarsened in one body (default: as the compiler finds best)")
      ->check(CLI::IsMember({1, 2, 4, 8}));
  app.add_option("--scalarize-loops", passes.scalarize_loops,
                 "which of the loops that may run for one lane after the other do (default: where it is faster)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, ScalarizeLoops>{{"always", ScalarizeLoops::kAlways},
                                                                                {"never", ScalarizeLoops::kNever}})
                      .description("{always,never}"))
      ->type_name("");
  app.add_flag("--byte-tables", passes.byte_tables, "look functions of a byte up wherever that may be (default: where it gains)");
  app.add_flag("--wide-calls", passes.wide_calls, "run functions that stay calls for all lanes at once wherever that may be (default: where it gains)");
  app.add_flag("--pairs", passes.pairs, "run two groups of one work-item beside each other wherever that may be (default: where it gains)");
  app.add_flag("--stack-rows", passes.stack_rows, "run several rows of a group in each lane wherever that may be (default: where it gains)");
  app.add_option("--dispatch", passes.dispatch, "which regions with divergent branches run block by block (default: large ones)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Dispatch>{{"always", Dispatch::kAlways},
                                                                          {"large", Dispatch::kLarge},
                                                                          {"never", Dispatch::kNever}})
                      .description("{always,large,never}"))
      ->type_name("");

  app.add_option("--most-inlined", passes.most_inlined, "instructions of a kernel above which it keeps calls")->type_name("N");

  // What is said.
  add_passes(app, "--print-after", passes.print_after,
             "print the module to standard error after these passes, or after all", /*or_all=*/true);
  app.add_flag("--list-passes{lines}", settings.list_passes,
               "without an input: every pass, a line each, or (=markdown) the table of docs/passes.md; "
               "with one: name each on standard error as it is reached")
      ->check(CLI::IsMember({"lines", "markdown"}));
  app.add_flag("--print-shapes", passes.print_shapes,
               "print the regions as `widen` gets them, each value with its shape, and stop");
  app.add_flag("--verify-each", passes.verify_each, "verify the module after each pass");
  app.add_flag("--remarks", passes.remarks, "say on standard error what could not be widened");
  app.add_flag("--info", settings.info, "describe the kernels on standard error");
  app.add_flag("--time", settings.time, "say on standard error how long each stage took");

  app.add_flag("--pack-builtins", settings.pack_builtins,
               "make weft-builtins.a of FILE.bc, the builtins linked to one module");

  try {
    app.parse(words_of(argc, argv));
    passes.trace = settings.list_passes == "lines";
    if (settings.input.empty() && settings.list_passes.empty()) throw CLI::RequiredError("an input");
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& problem) {
    std::fprintf(stderr, "weftc: %s (see --help)\n", problem.what());
    return 2;
  }
  return std::nullopt;
}

}  // namespace weft::compiler::driver
