// SPDX-License-Identifier: BSD-3-Clause
// Kernels: one source compiled for several instruction sets (scree_kernel in CMakeLists.txt), of which one is chosen at
// run time. All do the same operations in the same order and give the same bits.
//   in a header     KERNELS(extern const sweep_kernels, sweep_kernels);
//   in the source   const sweep_kernels KERNEL(sweep_kernels) = {...};
//   where it runs   const sweep_kernels *k = KERNEL_FOR(set == SCR_BEST, sweep_kernels);
// Those that gain by AVX-512 (scree_kernel(SOURCE AVX512)) say KERNELS_TO_AVX512 and KERNEL_TO_AVX512_FOR.
#ifndef CORE_BASE_KERNELS_H
#define CORE_BASE_KERNELS_H

#define KERNEL_PASTE(name, isa) name##_##isa
#define KERNEL_EXPAND(name, isa) KERNEL_PASTE(name, isa)
#define KERNEL(name) KERNEL_EXPAND(name, SCREE_ISA)

#if defined(SCREE_HAVE_AVX2)
static inline int cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#define KERNELS(type, name) type name##_plain, name##_avx2
#define KERNEL_FOR(best, name) ((best) && __builtin_cpu_supports("avx2") ? &name##_avx2 : &name##_plain)
#define KERNELS_TO_AVX512(type, name) KERNELS(type, name), name##_avx512
#define KERNEL_TO_AVX512_FOR(best, name) ((best) && cpu_has_avx512() ? &name##_avx512 : KERNEL_FOR(best, name))
#else
#define KERNELS(type, name) type name##_plain
#define KERNEL_FOR(best, name) ((void)(best), &name##_plain)
#define KERNELS_TO_AVX512 KERNELS
#define KERNEL_TO_AVX512_FOR KERNEL_FOR
#endif

#endif
