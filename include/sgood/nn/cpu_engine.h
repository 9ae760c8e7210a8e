// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sgood/nn/engine.h"

namespace sgood {

/// The fast engine: vector kernels for the machine at hand when the width is a multiple of 16,
/// plain loops for any other width. One thread; the same bits on every machine with AVX2 or
/// AVX-512.
std::unique_ptr<Engine> make_cpu_engine(const NetworkShape& shape);

}  // namespace sgood
