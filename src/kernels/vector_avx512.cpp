// SPDX-License-Identifier: MIT
#define SGOOD_ISA avx512
#include "src/kernels/vector_kernels.inc.h"
