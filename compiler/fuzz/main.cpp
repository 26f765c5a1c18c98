// weft-fuzz: random kernels, run as warps and one work-item at a time.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "compiler/target/target.h"
#include "compiler/fuzz/batch.h"
#include "compiler/fuzz/generator.h"
#include "compiler/fuzz/reduce.h"

namespace weft::fuzz {
namespace {

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  unsigned variants = 2;
  double slow_s = 5;
  std::string keep;
  std::string launch;
  bool print = false;
  bool reduce = false;
  bool all = false;
  bool scalarize = false;
  bool required_only = false;
  bool help = false;
  BatchOptions batch;
  std::vector<std::string> files;
};

struct Option {
  const char* name;  ///< with '=' when it takes a value
  const char* meaning;
  void (*apply)(Settings&, const char* value);
};

constexpr Option kOptions[] = {
    {"--seed=", "N: the first seed (default 1)", [](Settings& s, const char* v) { s.seed = std::strtoull(v, nullptr, 10); }},
    {"--count=", "N: how many (default 100)", [](Settings& s, const char* v) { s.count = std::strtoull(v, nullptr, 10); }},
    {"--variants=", "N: local sizes and numbers of coarsened warps drawn for each seed (default 2)",
     [](Settings& s, const char* v) { s.variants = static_cast<unsigned>(std::atoi(v)); }},
    {"--all-variants", "every local size with every number of coarsened warps", [](Settings& s, const char*) { s.all = true; }},
    {"--scalarize", "every variant with all loops lane by lane that may run so (else a quarter of them)",
     [](Settings& s, const char*) { s.scalarize = true; }},
    {"--required-only", "every variant of required passes alone (else an eighth of them)",
     [](Settings& s, const char*) { s.required_only = true; }},
    {"--launch=", "\"X,Y,Z groups X,Y,Z coarsen J ...\", as failures print it: this variant alone",
     [](Settings& s, const char* v) { s.launch = v; }},
    {"--jobs=", "N: processes at once (default 1)",
     [](Settings& s, const char* v) { s.batch.children = static_cast<unsigned>(std::atoi(v)); }},
    {"--time-out=", "N: seconds a variant may take (default 60)",
     [](Settings& s, const char* v) { s.batch.time_out_s = static_cast<unsigned>(std::atoi(v)); }},
    {"--slow=", "N: names kernels that take more seconds than this to compile (default 5)",
     [](Settings& s, const char* v) { s.slow_s = std::atof(v); }},
    {"--keep=", "FOLDER: failing kernels are written there", [](Settings& s, const char* v) { s.keep = v; }},
    {"--print", "print the kernel of --seed, with its variants, and run nothing", [](Settings& s, const char*) { s.print = true; }},
    {"--reduce", "shrink the kernel of --seed, which fails, and print it", [](Settings& s, const char*) { s.reduce = true; }},
    {"--prepared", "the oracle runs the program after the scalar passes: tells whose fault it is",
     [](Settings& s, const char*) { s.batch.oracle_of_prepared = true; }},
    {"--defined", "run kernels one work-item at a time alone, in two orders and with traps: are they well defined?",
     [](Settings& s, const char*) { s.batch.only_defined = true; }},
    {"--help", "this text", [](Settings& s, const char*) { s.help = true; }},
};

void print_help() {
  std::puts("usage: weft-fuzz [options] [FILE.cl...]\n"
            "Without files: random kernels. The exit status is 0 when all agreed with the oracle.\n"
            "A file is one kernel `k`; its lines `// launch: ...` name variants, else all are run.");
  for (const Option& option : kOptions) std::printf("  %s\n      %s\n", option.name, option.meaning);
}

bool parse_arguments(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (!argument.starts_with("--")) {
      settings.files.push_back(argument);
      continue;
    }
    const Option* match = nullptr;
    for (const Option& option : kOptions) {
      const std::string name = option.name;
      if (name.ends_with("=") ? argument.starts_with(name) : argument == name) match = &option;
    }
    if (!match) {
      std::fprintf(stderr, "weft-fuzz: unknown option '%s' (see --help)\n", argv[i]);
      return false;
    }
    match->apply(settings, argv[i] + std::strlen(match->name));
  }
  return true;
}

std::vector<Variant> variants_of(const Settings& settings, std::uint64_t seed, const std::string& source) {
  if (const auto variant = Variant::parse(settings.launch)) return {*variant};
  auto variants = settings.all ? all_variants(source) : draw_variants(seed, settings.variants, source);
  if (settings.scalarize)
    for (Variant& variant : variants) variant.scalarize = true;
  if (settings.required_only)
    for (Variant& variant : variants) variant.leave_out_optimizations();
  return variants;
}

Job job_of_seed(const Settings& settings, std::uint64_t seed) {
  Job job;
  job.source = print(*Generator(seed).program());
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
  const NodePtr small = reduce(Generator(settings.seed).program(), variant, report, settings.batch,
                               [](std::size_t nodes) { std::fprintf(stderr, "\r%zu nodes ", nodes); });
  std::fprintf(stderr, "\n");
  const std::string text = print(*small);
  const Report last = run_apart({text, {variant}}, settings.batch);
  std::printf("// launch: %s\n// %s\n%s", variant.text().c_str(), last.outcome.what.c_str(), text.c_str());
  return 0;
}

int run(const Settings& settings) {
  if (!settings.launch.empty() && !Variant::parse(settings.launch)) {
    std::fprintf(stderr, "weft-fuzz: cannot read --launch=%s\n", settings.launch.c_str());
    return 2;
  }
  if (settings.print) {
    const Job job = job_of_seed(settings, settings.seed);
    for (const Variant& variant : job.variants) std::printf("// launch: %s\n", variant.text().c_str());
    std::fputs(job.source.c_str(), stdout);
    return 0;
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
  if (!weft::fuzz::parse_arguments(argc, argv, settings)) return 2;
  if (settings.help) {
    weft::fuzz::print_help();
    return 0;
  }
  return weft::fuzz::run(settings);
}
