// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>

namespace sgood {

/// Draws through gnuplot the share of `p_values` (at least one, in (0, 1]) that are at most p, over
/// p, with the diagonal that graphs in distribution follow. The file's extension chooses the
/// format: .svg or .png. Throws Unavailable without gnuplot and IoError when the file cannot be
/// written.
void write_p_value_plot(const std::filesystem::path& path, std::span<const double> p_values);

}  // namespace sgood
