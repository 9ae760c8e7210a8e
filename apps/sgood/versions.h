// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sgood::cli {

/// "sgood X.Y.Z", then a line each for the instruction set of the kernels and for every library:
/// its version at run time, or that of its headers where there is nothing else.
std::string versions_text();

}  // namespace sgood::cli
