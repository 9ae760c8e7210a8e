// SPDX-License-Identifier: MIT
#define SGOOD_ISA avx2
#include "src/kernels/vector_kernels.inc.h"
