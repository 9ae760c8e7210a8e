// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sgood/report/result_table.h"

namespace sgood {

// Pictures through gnuplot. The extension of `path` chooses the format: .svg, or .png with twice as
// many pixels. Panels without a measured value are left out. All throw Unavailable without gnuplot,
// IoError when the file cannot be written, and InvalidArgument where the shapes do not fit.

/// Means over x as lines, with a band of one standard deviation to both sides.
void write_lines(const std::filesystem::path& path, const ResultLines& lines);

/// Means in cells whose colours diverge from white at 0, on one scale for all panels; the largest
/// magnitude has the full colour.
void write_heat_maps(const std::filesystem::path& path, const ResultHeatMaps& maps);

/// Density estimates of both groups and dotted lines at their means. The picture leaves out the
/// lowest 0.5 % and the highest 1 % of each group. Quantiles must ascend and be two at least.
void write_distributions(const std::filesystem::path& path,
                         const ResultDistributions& distributions);

}  // namespace sgood
