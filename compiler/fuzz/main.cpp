// weft-fuzz: random kernels, run as warps and one work-item at a time.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>

#include "compiler/target/target.h"
#include "compiler/fuzz/array_kernel.h"
#include "compiler/fuzz/batch.h"
#include "compiler/fuzz/generator.h"
#include "compiler/fuzz/reduce.h"
#include "compiler/passes/pass_control.h"

namespace weft::fuzz {
namespace {

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  unsigned variants = 2;
  double slow_s = 5;
  std::string keep;
  std::string launch;
  std::string cpu;
  bool print = false;
  bool reduce = false;
  bool all = false;
  bool scalarize = false;
  bool dispatch = false;
  bool required_only = false;
  bool counted = false;
  bool images = false;
  bool arrays = false;
  BatchOptions batch;
  std::vector<std::string> files;
};

/// Returns the exit status if the program is to end.
std::optional<int> read_command_line(int argc, char** argv, Settings& settings) {
  CLI::App app(
      "Random kernels, run as warps and one work-item at a time. The exit status is 0 when all agreed with the oracle.\n"
      "A file is one kernel `k`; its lines `// launch: ...` name variants, else all are run; a line\n"
      "`// options: ...` has what it is built with.",
      "weft-fuzz");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("files", settings.files, "kernels to run (default: random ones)")->type_name("FILE.cl");
  app.add_option("--seed", settings.seed, "the first seed (default 1)");
  app.add_option("--count", settings.count, "how many (default 100)");
  app.add_option("--variants", settings.variants,
                 "local sizes and numbers of coarsened warps drawn for each seed (default 2)");
  app.add_flag("--all-variants", settings.all, "every local size with every number of coarsened warps");
  app.add_flag("--scalarize", settings.scalarize,
               "every variant with all loops lane by lane that may run so (else a quarter of them)");
  app.add_flag("--dispatch", settings.dispatch,
               "every variant with divergent control flow block by block (else none of them)");
  app.add_flag("--keep-calls", settings.batch.keep_calls, "all functions stay calls that may (else none, but of kernels that are large)");
  app.add_option("--disable", settings.batch.disable, "leave these passes out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(
          [](const std::string& pass) {
            auto names = compiler::passes::pass_names(pass, /*required_too=*/false);
            return names ? std::string() : llvm::toString(names.takeError());
          },
          "", "pass")
      ->type_name("PASS,...");
  app.add_flag("--required-only", settings.required_only,
               "every variant of required passes alone (else an eighth of them)");
  app.add_flag("--counted", settings.counted, "every variant with code that counts");
  app.add_flag("--images", settings.images,
               "kernels that read and write images, against the specification's formulas; not with --reduce, --defined, --counted");
  app.add_flag("--arrays", settings.arrays, "kernels as programs write them: loops over arrays, filters, products, tiles");
  app.add_option("--launch", settings.launch,
                 "\"X,Y,Z groups X,Y,Z coarsen J ...\", as failures print it: this variant alone")
      ->check([](const std::string& text) { return Variant::parse(text) ? "" : "no variant: '" + text + "'"; }, "", "variant");
  app.add_option("--cpu", settings.cpu, "make code for this processor, by LLVM's name, which must run here (default: this one)");
  app.add_option("--jobs", settings.batch.children, "processes at once (default 1)");
  app.add_option("--time-out", settings.batch.time_out_s, "seconds a variant may take (default 60)");
  app.add_option("--slow", settings.slow_s, "names kernels that take more seconds than this to compile (default 5)");
  app.add_option("--keep", settings.keep, "failing kernels are written there")->type_name("FOLDER");
  app.add_flag("--print", settings.print, "print the kernel of --seed, with its variants, and run nothing");
  app.add_flag("--reduce", settings.reduce, "shrink the kernel of --seed, which fails, and print it");
  app.add_flag("--prepared", settings.batch.oracle_of_prepared,
               "the oracle runs the program after the scalar passes: tells whose fault it is");
  app.add_flag("--defined", settings.batch.only_defined,
               "run kernels one work-item at a time alone, in two orders and with traps: are they well defined?");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& problem) {
    std::fprintf(stderr, "weft-fuzz: %s (see --help)\n", problem.what());
    return 2;
  }
  return std::nullopt;
}

std::vector<Variant> variants_of(const Settings& settings, std::uint64_t seed, const std::string& source) {
  if (const auto variant = Variant::parse(settings.launch)) return {*variant};
  auto variants = settings.all ? all_variants(source) : draw_variants(seed, settings.variants, source);
  if (settings.scalarize)
    for (Variant& variant : variants) variant.scalarize = true;
  for (Variant& variant : variants) {
    variant.dispatch |= settings.dispatch;
    variant.counted |= settings.counted;
    if (settings.required_only || variant.counted) variant.leave_out_optimizations();
  }
  return variants;
}

NodePtr program_of_seed(const Settings& settings, std::uint64_t seed) {
  return settings.arrays ? array_program(seed) : Generator(seed).program();
}

Job job_of_seed(const Settings& settings, std::uint64_t seed) {
  Job job;
  if (settings.images) {
    job.images = std::make_shared<ImageKernel>(seed);
    job.source = job.images->source;
  } else {
    job.source = print(*program_of_seed(settings, seed));
  }
  job.variants = variants_of(settings, seed, job.source);
  return job;
}

Job job_of_file(const Settings& settings, const std::string& path) {
  Job job;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("// launch:"))
      if (const auto variant = Variant::parse(line.substr(10))) job.variants.push_back(*variant);
    job.source += line + '\n';
  }
  if (job.variants.empty() || settings.all || !settings.launch.empty()) {
    Settings every = settings;
    every.all = true;
    job.variants = variants_of(every, 0, job.source);
  }
  return job;
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgree:
      return "agrees";
    case Verdict::kDiffer:
      return "DIFFERS";
    case Verdict::kBroken:
      return "BREAKS THE COMPILER";
    default:
      return "IS NO KERNEL";
  }
}

/// Runs jobs and counts; names what fails.
int run_all(const Settings& settings, std::size_t count, llvm::function_ref<std::string(std::size_t)> name,
            llvm::function_ref<Job(std::size_t)> job) {
  std::map<Verdict, std::size_t> ended;
  std::size_t variants = 0, slowest = 0;
  double slowest_ms = 0, sum_ms = 0;
  run_batch(count, settings.batch, job, [&](std::size_t i, const Report& report) {
    const Outcome& outcome = report.outcome;
    ++ended[outcome.verdict];
    sum_ms += outcome.slowest_ms;
    if (outcome.slowest_ms > slowest_ms) slowest_ms = outcome.slowest_ms, slowest = i;
    if (outcome.slowest_ms > settings.slow_s * 1e3)
      std::printf("%s takes %.1f s to compile\n", name(i).c_str(), outcome.slowest_ms / 1e3);
    if (outcome.verdict != Verdict::kAgree) {
      const Job failed = job(i);
      const std::string where = outcome.variant < failed.variants.size() ? failed.variants[outcome.variant].text() : "";
      std::printf("%s %s at %s: %s\n", name(i).c_str(), name_of(outcome.verdict), where.c_str(), outcome.what.c_str());
      if (!settings.keep.empty()) {
        std::ofstream file(settings.keep + "/" + name(i) + ".cl");
        file << "// launch: " << where << "\n// " << outcome.what << "\n" << failed.source;
      }
    } else {
      variants += job(i).variants.size();
    }
    std::fflush(stdout);
  });
  const std::size_t bad = count - ended[Verdict::kAgree];
  std::printf("%zu kernels, %zu variants that agree, %zu kernels that do not\n", count, variants, bad);
  if (slowest_ms > 0)
    std::printf("to machine code: %.0f ms on average, %.0f ms at most (%s)\n", sum_ms / static_cast<double>(count), slowest_ms,
                name(slowest).c_str());
  return bad == 0 ? 0 : 1;
}

int reduce_seed(const Settings& settings) {
  const Job job = job_of_seed(settings, settings.seed);
  const Report report = run_apart(job, settings.batch);
  if (report.outcome.verdict == Verdict::kAgree) {
    std::fprintf(stderr, "weft-fuzz: seed %llu agrees\n", static_cast<unsigned long long>(settings.seed));
    return 1;
  }
  BatchOptions only_defined = settings.batch;
  only_defined.only_defined = true;
  if (const Report fair = run_apart(job, only_defined); fair.outcome.verdict != Verdict::kAgree) {
    std::fprintf(stderr, "weft-fuzz: seed %llu makes no kernel: %s\n", static_cast<unsigned long long>(settings.seed),
                 fair.outcome.what.c_str());
    return 1;
  }
  const Variant variant = job.variants[std::min(report.outcome.variant, job.variants.size() - 1)];
  std::fprintf(stderr, "%s at %s: %s\n", name_of(report.outcome.verdict), variant.text().c_str(), report.outcome.what.c_str());
  const NodePtr small = reduce(program_of_seed(settings, settings.seed), variant, report, settings.batch,
                               [](std::size_t nodes) { std::fprintf(stderr, "\r%zu nodes ", nodes); });
  std::fprintf(stderr, "\n");
  const std::string text = print(*small);
  const Report last = run_apart({text, {variant}}, settings.batch);
  std::printf("// launch: %s\n// %s\n%s", variant.text().c_str(), last.outcome.what.c_str(), text.c_str());
  return 0;
}

int run(const Settings& settings) {
  if (settings.print) {
    const Job job = job_of_seed(settings, settings.seed);
    for (const Variant& variant : job.variants) std::printf("// launch: %s\n", variant.text().c_str());
    std::fputs(job.source.c_str(), stdout);
    return 0;
  }
  if (llvm::Error refused = compiler::target::choose_cpu(settings.cpu, /*must_run_here=*/true)) {
    std::fprintf(stderr, "weft-fuzz: --cpu: %s\n", llvm::toString(std::move(refused)).c_str());
    return 2;
  }
  // What children would each do again: the target's description.
  compiler::target::host_cpu();
  if (settings.reduce) return reduce_seed(settings);
  if (!settings.files.empty())
    return run_all(
        settings, settings.files.size(), [&](std::size_t i) { return settings.files[i]; },
        [&](std::size_t i) { return job_of_file(settings, settings.files[i]); });
  return run_all(
      settings, settings.count, [&](std::size_t i) { return "seed " + std::to_string(settings.seed + i); },
      [&](std::size_t i) { return job_of_seed(settings, settings.seed + i); });
}

}  // namespace
}  // namespace weft::fuzz

int main(int argc, char** argv) {
  weft::fuzz::Settings settings;
  if (const std::optional<int> ended = weft::fuzz::read_command_line(argc, argv, settings)) return *ended;
  return weft::fuzz::run(settings);
}
