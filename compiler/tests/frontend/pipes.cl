// Pipes are pointers to global memory and reservations integers of 64 bits, wherever Clang has types of their own.
// RUN: weftc --options="-cl-std=CL3.0" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL2.0" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CLC++2021" --emit=frontend %s -o - | FileCheck %s
// RUN: weftc --options="-cl-std=CL3.0 -g" --kernel=k --local-size=64,1,1 --emit=scalar --verify-each %s -o - | FileCheck --check-prefix=SCALAR %s
// RUN: weftc --options="-cl-std=CL3.0" --kernel=until --local-size=64,1,1 --emit=scalar %s -o - | FileCheck --check-prefix=UNTIL %s
// There is no such type before 2.0.
// RUN: not weftc --options="-cl-std=CL1.2" --emit=frontend %s -o /dev/null

// CHECK-NOT: target("spirv
// CHECK-DAG: @{{.*}}shared{{.*}} = internal addrspace(3) global [2 x i64] undef
// CHECK: i32 @{{.*}}put{{.*}}(ptr addrspace(1) %p, i64 %r)
int put(write_only pipe int p, reserve_id_t r) {
  int x = 5;
  return write_pipe(p, r, 0, &x);
}

// CHECK: define {{.*}}spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) {{.*}}%data){{.*}} !kernel_arg_type_qual ![[QUAL:[0-9]+]]
// CHECK: alloca [3 x i64]
// CHECK: call spir_func i32 @__read_pipe_2(ptr addrspace(1) %{{[0-9]+}}, ptr addrspace(4) %{{[0-9]+}}, i32 4, i32 4)
// CHECK: call spir_func i64 @__reserve_write_pipe(ptr addrspace(1) %{{[0-9]+}}, i32 3, i32 4, i32 4)
// CHECK: store i64 -1, ptr
// CHECK: call spir_func {{.*}}i1 @__is_valid_reserve_id(i64 %{{[0-9]+}})
// CHECK: call spir_func void @__commit_write_pipe(ptr addrspace(1) %{{[0-9]+}}, i64 %{{[0-9]+}}, i32 4, i32 4)
// CHECK: call spir_func i64 @__work_group_reserve_read_pipe(
// CHECK-NOT: target("spirv
// CHECK: ![[QUAL]] = !{!"pipe", !"pipe", !""}
//
// Nothing is called once the library is linked; a sub-group reserves together.
// SCALAR: define {{.*}} @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1)
// SCALAR-NOT: pipe_2
// SCALAR: call i32 @__weft_sub_group_ballot
// SCALAR: cmpxchg volatile ptr addrspace(1) %{{.*}} seq_cst seq_cst
// SCALAR-NOT: @__{{[a-z_]*}}pipe
kernel void k(read_only pipe int in, write_only pipe int out, global int* data) {
  local reserve_id_t shared[2];
  reserve_id_t all[3];
  data[0] = read_pipe(in, &data[1]);
  all[data[2]] = reserve_write_pipe(out, 3);
  all[data[3]] = CLK_NULL_RESERVE_ID;
  if (is_valid_reserve_id(all[data[4]])) data[5] = put(out, all[data[4]]);
  commit_write_pipe(out, all[data[4]]);
  shared[1] = work_group_reserve_read_pipe(in, 1);
  work_group_commit_read_pipe(in, shared[1]);
}

// Whoever leaves the loop has committed its packet in it.
// UNTIL: define {{.*}} @until(
// UNTIL: cmpxchg volatile
// UNTIL: store atomic volatile i32 {{.*}} release
// UNTIL: call i32 @__weft_sub_group_ballot
// UNTIL: br i1 %{{[^,]+}}, label %{{[^,]+}}, label %[[LEAVES:[^ ,]+]]
// UNTIL: [[LEAVES]]:
// UNTIL-NEXT: [[TRUE:%.*]] = call i1 @__weft_leaves()
// UNTIL-NEXT: br i1 [[TRUE]], label %[[END:[^ ,]+]],
// UNTIL: [[END]]:
// UNTIL-NEXT: ret void
kernel void until(write_only pipe int out, global const int* data) {
  const int x = data[get_global_id(0)];
  while (write_pipe(out, &x) != 0) {}
}
