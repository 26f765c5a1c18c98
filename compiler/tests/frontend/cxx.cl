// C++ for OpenCL.
// RUN: weftc --emit=frontend --options="-cl-std=CLC++" %s | FileCheck %s
// RUN: weftc --emit=frontend --options="-cl-std=CLC++1.0" %s | FileCheck %s
// RUN: weftc --emit=frontend --options="-cl-std=CLC++2021" %s | FileCheck %s
template <typename T>
struct Box {
  T value;
  T get() const { return value; }
};
constexpr int five() { return 5; }

// CHECK: define {{.*}}spir_kernel void @k(
kernel void k(global int* a) {
  const Box<int> box{a[get_global_id(0)]};
  const auto add = [](int x) { return x + five(); };
  a[get_global_id(0)] = add(box.get());
}
