// The compiler's static objects, LLVM's hundreds of options among them, are never destroyed: the host program may exit
// while a build runs on another thread, even while this library is being loaded by one, and would take them from
// under it. They hold nothing but memory. Part of the shared object only; the linker prefers it to the C library's.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*);
extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
