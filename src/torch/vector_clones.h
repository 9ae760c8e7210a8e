// SPDX-License-Identifier: MIT
#pragma once

/// Compiles a function once per instruction set, of which the machine chooses when it is loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SGOOD_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SGOOD_VECTOR_CLONES
#endif
