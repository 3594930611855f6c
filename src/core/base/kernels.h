// SPDX-License-Identifier: BSD-3-Clause
// Kernels: one source compiled for several instruction sets (scree_kernel in CMakeLists.txt), of which one is chosen at
// run time. All do the same operations in the same order and give the same bits.
//   in a header     KERNELS(extern const sweep_kernels, sweep_kernels);
//   in the source   const sweep_kernels KERNEL(sweep_kernels) = {...};
//   where it runs   const sweep_kernels *k = KERNEL_FOR(set == SCR_BEST, sweep_kernels);
#ifndef CORE_BASE_KERNELS_H
#define CORE_BASE_KERNELS_H

#define KERNEL_PASTE(name, isa) name##_##isa
#define KERNEL_EXPAND(name, isa) KERNEL_PASTE(name, isa)
#define KERNEL(name) KERNEL_EXPAND(name, SCREE_ISA)

#if defined(SCREE_HAVE_AVX2)
#define KERNELS(type, name) type name##_plain, name##_avx2
#define KERNEL_FOR(best, name) ((best) && __builtin_cpu_supports("avx2") ? &name##_avx2 : &name##_plain)
#else
#define KERNELS(type, name) type name##_plain
#define KERNEL_FOR(best, name) ((void)(best), &name##_plain)
#endif

#endif
