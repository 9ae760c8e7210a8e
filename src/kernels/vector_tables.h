// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/kernels/kernel_table.h"

// The same kernels, one namespace per instruction set.
namespace sgood::kernels::baseline {
const KernelTable<float>& table();
}
namespace sgood::kernels::avx2 {
const KernelTable<float>& table();
}
namespace sgood::kernels::avx512 {
const KernelTable<float>& table();
}
