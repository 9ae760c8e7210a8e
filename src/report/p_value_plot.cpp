// SPDX-License-Identifier: MIT
#include "sgood/report/p_value_plot.h"

#include <algorithm>
#include <vector>

#include "sgood/core/error.h"
#include "src/report/gnuplot.h"

namespace sgood {

void write_p_value_plot(const std::filesystem::path& path, std::span<const double> p_values) {
  SGOOD_CHECK(!p_values.empty(), "a plot of p-values needs at least one");
  std::vector<double> sorted(p_values.begin(), p_values.end());
  std::ranges::sort(sorted);
  constexpr int kPoints = 200;  // more cannot be seen
  std::string text = fmt::format(
      "set xlabel 'p-value'\nset ylabel 'share of graphs at or below (%)'\nset xrange [0:1]\n"
      "set yrange [0:100]\nset grid lt 1 lc rgb '#e0e0e0'\nset border 3\nset tics nomirror\n"
      "set key bottom right\n"
      "plot 100*x lc rgb '#8c959f' dt 2 title 'in distribution', "
      "'-' with steps lw 2 lc rgb '{}' title 'these graphs (n = {})'\n",
      kOrange, sorted.size());
  for (int i = 0; i <= kPoints; ++i) {
    const double p = static_cast<double>(i) / kPoints;
    const auto below = std::ranges::upper_bound(sorted, p) - sorted.begin();
    text += fmt::format("{} {}\n", p,
                        100.0 * static_cast<double>(below) / static_cast<double>(sorted.size()));
  }
  draw_with_gnuplot(path, {800, 450}, text + "e\n");
}

}  // namespace sgood
