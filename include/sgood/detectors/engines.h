// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/nn/engine.h"

namespace sgood {

/// Legal values of the option `engine`: auto, cpu (fused kernels) and torch (LibTorch).
std::vector<std::string> engine_names();
/// The engine called `name` for a network of `shape`; `auto` is cpu. Throws Unavailable when LibTorch
/// was left out of this build.
std::unique_ptr<Engine> make_engine(std::string_view name, const NetworkShape& shape);

}  // namespace sgood
