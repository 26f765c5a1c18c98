// Stand-ins for compiled kernels: every kind of reference that code generation makes.
typedef unsigned long u64;
struct Launch {
  u64 global_size[3], global_offset[3], local_size[3], num_groups[3];
  unsigned work_dim, reserved;
  const char* arguments;
  const void* services;
  void* state;
};
struct Group {
  u64 group_id[3];
  char* local_memory;
  char* scratch;
};

static const float table[4] = {1, 2, 4, 8};
static const char* const words[2] = {"zero", "one"};  // .data.rel.ro: absolute addresses
u64 counter = 5;                                      // .data
u64 zeros[16];                                        // .bss
extern double fmod(double, double);
extern void* memcpy(void*, const void*, u64);
extern unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);

struct Arguments {
  u64* out;
};

int group(const struct Launch* launch, const struct Group* group) {
  const struct Arguments* args = (const struct Arguments*)launch->arguments;
  const u64 id = group->group_id[0] +
                 launch->num_groups[0] * (group->group_id[1] + launch->num_groups[1] * group->group_id[2]);
  args->out[id] += id + 1;
  return 0;
}

int references(const struct Launch* launch, const struct Group* group) {
  const struct Arguments* args = (const struct Arguments*)launch->arguments;
  volatile u64 index = group->group_id[0];
  args->out[0] = (u64)table[index & 3];
  args->out[1] = (u64)words[index & 1][0];
  args->out[2] = counter + zeros[index & 15];
  args->out[3] = (u64)fmod(17.5, (double)(index + 5));
  volatile unsigned __int128 big = (unsigned __int128)1 << 100;
  args->out[4] = (u64)(__udivti3(big, (unsigned __int128)1 << 90) + index);
  memcpy(args->out + 5, (const char*)zeros + (index & 8), index + 16);
  return 0;
}

int without_some(const struct Launch* launch, const struct Group* group) { return 2; }

int divergent(const struct Launch* launch, const struct Group* group) {
  return group->group_id[0] == 3;
}

int stores_local(const struct Launch* launch, const struct Group* group) {
  for (int i = 0; i < 1024; ++i) ((volatile int*)group->local_memory)[i] = i;
  for (int i = 0; i < 1024; ++i) ((volatile int*)group->scratch)[i] = i;
  return 0;
}
