// SPDX-License-Identifier: MIT
#define SGOOD_ISA baseline
#include "src/kernels/vector_kernels.inc.h"
