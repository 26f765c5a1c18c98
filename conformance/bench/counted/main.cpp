// Programs whose cost under weftprof is measured (bench/weftprof_cost.py): each does its work and checks its results.
//   counted-program long | short | medium | kernels | ordinary [--extension | --read]
// With --extension its queue counts by cl_weft_performance_counters, with --read it also asks for two counters of each launch and of its lines.
#include <CL/cl_ext_weft.hpp>

#include <cstdio>
#include <optional>
#include <string_view>

#include "common/session.h"

namespace weft::conformance {
namespace {

constexpr const char* kProduct = R"(
kernel void product(global float* c, global const float* a, global const float* b, int n) {
  local float s[16][16], t[16][16];
  const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[y][x] = a[row * n + k + x];
    t[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) sum += s[y][i] * t[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
})";

/// A queue that counts or, without the extension, a plain one.
class AnyQueue {
 public:
  AnyQueue(const Session& session, bool counts, bool reads) : reads_(reads) {
    // Of all counters, some would trace launches, which is slower; these two cost what all others do.
    if (counts) counting_.emplace(session.context(), session.device(), std::vector<std::string>{"gld_efficiency", "gst_efficiency"});
    else plain_ = session.queue(0);
  }
  cl_command_queue get() const { return counting_ ? counting_->get() : plain_.get(); }

  void launch(cl_kernel kernel, std::size_t x, std::size_t y, std::size_t local) {
    const std::size_t global[] = {x, y}, group[] = {local, y == 1 ? 1 : local};
    Event event;
    check(clEnqueueNDRangeKernel(get(), kernel, 2, nullptr, global, group, 0, nullptr, reads_ ? event.out() : nullptr), "launch");
    if (reads_) launches_.push_back(std::move(event));
  }

  void finish() {
    check(clFinish(get()), "clFinish");
    for (const Event& launch : launches_) {
      if (counting_->read(launch).size() != 2 || counting_->lines(launch).empty()) throw std::runtime_error("no counters");
    }
    launches_.clear();
  }

 private:
  std::optional<cl_weft::CountingQueue> counting_;
  Queue plain_;
  bool reads_;
  std::vector<Event> launches_;  ///< whose counters are to be read
};

template <class T>
void require(AnyQueue& queue, const Mem& buffer, T expected) {
  queue.finish();
  T value{};
  check(clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr), "read");
  if (value != expected) throw std::runtime_error("wrong result");
}

/// Few launches that take long.
void run_long(const Session& session, AnyQueue& queue) {
  constexpr int n = 512;
  const Program program = session.build(kProduct);
  const Kernel kernel = session.kernel(program, "product");
  const Mem a = session.upload(std::vector<float>(n * n, 1)), b = session.upload(std::vector<float>(n * n, 2)), c = session.buffer(n * n * 4);
  set_args(kernel, c, a, b, n);
  for (int i = 0; i < 30; ++i) queue.launch(kernel, n, n, 16);
  require(queue, c, 2.0F * n);
}

/// 10,000 launches of so many work-items.
void run_short(const Session& session, AnyQueue& queue, std::size_t items) {
  const Program program = session.build("kernel void count(global int* a) { a[get_global_id(0)]++; }");
  const Kernel kernel = session.kernel(program, "count");
  const Mem a = session.upload(std::vector<int>(items, 0));
  set_args(kernel, a);
  for (int i = 0; i < 10'000; ++i) {
    queue.launch(kernel, items, 1, 64);
    if (i % 100 == 99) queue.finish();
  }
  require(queue, a, 10'000);
}

/// 50 kernels, 200 launches of each, no two of a kernel with the same counts.
void run_kernels(const Session& session, AnyQueue& queue) {
  std::string source;
  for (int k = 0; k < 50; ++k) {
    const std::string number = std::to_string(k), stride = std::to_string(k % 7 + 1);
    source.append("kernel void k").append(number).append("(global int* a, int n) {\n  int i = get_global_id(0);\n  if (i < n) a[i * ");
    source.append(stride).append("] += ").append(number).append(";\n}\n");
  }
  const Program program = session.build(source);
  const Mem a = session.upload(std::vector<int>(1 << 16, 0));
  std::vector<Kernel> kernels;
  for (int k = 0; k < 50; ++k) kernels.push_back(session.kernel(program, std::string("k").append(std::to_string(k))));
  for (int i = 0; i < 200; ++i) {
    for (const Kernel& kernel : kernels) {
      set_args(kernel, a, 1 + i * 5);
      queue.launch(kernel, 1024, 1, 64);
    }
    queue.finish();
  }
  require(queue, a, 200 * 49 * 25);
}

/// 50 kernels, 200 launches of each as programs mostly have them: sums of neighbours near and far. No two of a kernel have the same counts.
void run_ordinary(const Session& session, AnyQueue& queue) {
  constexpr int kItems = 1 << 16;
  std::string source;
  const auto terms = [](int k) { return 4 + k % 5 * 4; };
  for (int k = 0; k < 50; ++k) {
    source.append("kernel void k").append(std::to_string(k)).append("(global int* out, global const int* in, int n) {\n");
    source.append("  int i = get_global_id(0);\n  if (i >= n) return;\n  int sum = 0;\n");
    source.append("  for (int j = 0; j < ").append(std::to_string(terms(k))).append("; j++) {\n    sum += in[(i * ");
    source.append(std::to_string(k % 3 + 1)).append(" + j) & ").append(std::to_string(kItems - 1)).append("];\n  }\n  out[i] = sum;\n}\n");
  }
  const Program program = session.build(source);
  const Mem in = session.upload(std::vector<int>(kItems, 1)), out = session.buffer(kItems * sizeof(int));
  std::vector<Kernel> kernels;
  for (int k = 0; k < 50; ++k) kernels.push_back(session.kernel(program, std::string("k").append(std::to_string(k))));
  for (int i = 0; i < 200; ++i) {
    for (const Kernel& kernel : kernels) {
      set_args(kernel, out, in, kItems - 5 * i);
      queue.launch(kernel, kItems, 1, 128);
    }
    queue.finish();
  }
  require(queue, out, terms(49));
}

int run(int count, char** words) {
  const std::string kind = count > 1 ? words[1] : "";
  const Session session(test_device());
  const std::string_view how = count > 2 ? words[2] : "";
  AnyQueue queue(session, how == "--extension" || how == "--read", how == "--read");
  if (kind == "long") run_long(session, queue);
  else if (kind == "short") run_short(session, queue, 256);
  else if (kind == "medium") run_short(session, queue, 1 << 16);
  else if (kind == "kernels") run_kernels(session, queue);
  else if (kind == "ordinary") run_ordinary(session, queue);
  else throw std::runtime_error("long, short, medium, kernels or ordinary");
  return 0;
}

}  // namespace
}  // namespace weft::conformance

int main(int count, char** words) {
  try {
    return weft::conformance::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "counted-program: %s\n", error.what());
    return 1;
  }
}
