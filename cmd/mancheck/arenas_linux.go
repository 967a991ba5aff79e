//go:build cgo && linux

package main

// Where the address space is limited (ulimit -v), the C library has one arena for all threads.
// Otherwise it reserves 64 MB for each thread, and hardly anything is left beside what Go reserves.

// #include <malloc.h>
// #include <sys/resource.h>
//
// __attribute__((constructor)) static void fewArenas(void) {
// #ifdef M_ARENA_MAX
//   struct rlimit space;
//   if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
//     mallopt(M_ARENA_MAX, 1);
//   }
// #endif
// }
import "C"
