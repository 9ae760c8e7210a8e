// SPDX-License-Identifier: MIT
#include "sgood/report/figures.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "sgood/core/error.h"
#include "src/report/gnuplot.h"
#include "src/report/panel_grid.h"
#include "src/report/table_cells.h"

namespace sgood {
namespace {

constexpr int kCurvePoints = 200;
// Ends of the colour scale, on which dark letters can be read.
constexpr std::string_view kPaleBlue = "#4a9fd4", kPaleOrange = "#e8853a";

/// The indices below `panels` for which `measured` holds.
template <class Measured>
std::vector<std::size_t> measured_panels(std::size_t panels, Measured&& measured) {
  std::vector<std::size_t> result;
  for (std::size_t p = 0; p < panels; ++p)
    if (measured(p)) result.push_back(p);
  return result;
}

/// A range of x with a little room at both ends.
std::string x_range(const ResultLines& lines) {
  const auto [low, high] = std::ranges::minmax(lines.x);
  if (lines.log_x)
    return fmt::format("set logscale x\nset xtics ({}) nomirror\nset xrange [{}:{}]\n",
                       fmt::join(lines.x, ","), low / 1.15, high * 1.15);
  const double room = high > low ? 0.04 * (high - low) : 1;
  return fmt::format("set xrange [{}:{}]\n", low - room, high + room);
}

std::string line_panel(const ResultLines& lines, std::size_t column) {
  std::string text = "$points << EOD\n";
  for (std::size_t r = 0; r < lines.x.size(); ++r)
    if (const ResultCell& cell = lines.table.cells[r][column]; cell.mean)
      text += fmt::format("{} {} {}\n", lines.x[r], *cell.mean, cell.std);
  return text + fmt::format(
                    "EOD\nplot $points using 1:($2-$3):($2+$3) with filledcurves lc rgb '{0}', "
                    "$points using 1:2 with linespoints lc rgb '{0}' lw 2 pt 7 ps 0.6\n",
                    kBlue);
}

double largest_magnitude(const ResultHeatMaps& maps) {
  double largest = 0;
  for (const auto& panel : maps.cells)
    for (const auto& row : panel)
      for (const ResultCell& cell : row)
        largest = std::max(largest, std::abs(cell.mean.value_or(0)));
  return largest > 0 ? largest : 1;
}

std::string signed_number(double value) {
  const std::string text = fmt::format("{:+.1f}", value);
  if (text == "-0.0" || text == "+0.0") return "0.0";
  return text[0] == '-' ? "−" + text.substr(1) : text;
}

std::string heat_map_panel(const ResultHeatMaps& maps, std::size_t panel) {
  std::string colours = "$colours << EOD\n", numbers = "$numbers << EOD\n", tics;
  for (std::size_t r = 0; r < maps.options.size(); ++r) {
    tics += fmt::format("{}{} {}", r == 0 ? "" : ",", gnuplot_text(maps.options[r]), r);
    for (std::size_t c = 0; c < maps.options.size(); ++c) {
      const ResultCell& cell = maps.cells[panel][r][c];
      if (cell.mean) colours += fmt::format("{} {} {}\n", c, r, *cell.mean);
      numbers += fmt::format("{} {} {}\n", c, r, cell.mean ? signed_number(*cell.mean) : "-");
    }
  }
  return colours + "EOD\n" + numbers + "EOD\n" +
         fmt::format("set xtics ({0})\nset ytics ({0})\n", tics) +
         "plot $colours using 1:2:(0.48):(0.48):3 with boxxyerror fc palette, "
         "$numbers using 1:2:3 with labels\nunset colorbox\n";
}

/// Linear between neighbours; `share` in [0, 1].
double quantile(std::span<const double> quantiles, double share) {
  const double at = share * static_cast<double>(quantiles.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), quantiles.size() - 2);
  return std::lerp(quantiles[below], quantiles[below + 1], at - static_cast<double>(below));
}

/// Density at `x` of the distribution that is uniform between neighbouring quantiles, smoothed by a
/// normal kernel.
double density(std::span<const double> quantiles, double bandwidth, double x) {
  double sum = 0;
  for (std::size_t q = 0; q + 1 < quantiles.size(); ++q) {
    const double a = (x - quantiles[q]) / bandwidth, b = (x - quantiles[q + 1]) / bandwidth;
    // The limit of the quotient where both ends nearly coincide.
    sum += a - b < 1e-4 ? std::exp(-a * b / 2) / std::sqrt(2 * std::numbers::pi)
                        : (std::erf(a / std::numbers::sqrt2) - std::erf(b / std::numbers::sqrt2)) /
                              (2 * (a - b));
  }
  return sum / (bandwidth * static_cast<double>(quantiles.size() - 1));
}

/// Silverman's rule with the interquartile range, not below what a curve can show.
double bandwidth(std::span<const double> quantiles, double range) {
  const double spread = (quantile(quantiles, 0.75) - quantile(quantiles, 0.25)) / 1.34;
  return std::max(0.9 * spread * std::pow(static_cast<double>(quantiles.size()), -0.2),
                  range / kCurvePoints);
}

void check_quantiles(const ResultDistributions& distributions) {
  for (const auto& panel : distributions.panels)
    for (const auto* quantiles : {&panel.id_quantiles, &panel.ood_quantiles})
      SGOOD_CHECK(quantiles->size() >= 2 && std::ranges::is_sorted(*quantiles),
                  "distribution {} of {} needs two or more ascending quantiles, not {}",
                  panel.title, distributions.name, quantiles->size());
}

/// Curves of one panel, over the range that holds most of both groups and their means.
std::string distribution_panel(const ResultDistributions::Panel& panel) {
  const double first = std::min({quantile(panel.id_quantiles, 0.005), panel.id_mean,
                                 quantile(panel.ood_quantiles, 0.005), panel.ood_mean});
  const double last = std::max({quantile(panel.id_quantiles, 0.99), panel.id_mean,
                                quantile(panel.ood_quantiles, 0.99), panel.ood_mean});
  const double room = std::max(0.08 * (last - first), 1e-9);
  const double low = first - room, range = last - first + 2 * room;
  std::string text = fmt::format("unset arrow\nset xrange [{}:{}]\n", low, low + range);
  const auto add = [&](const char* block, std::span<const double> quantiles, double mean,
                       std::string_view colour) {
    const double h = bandwidth(quantiles, range);
    text += fmt::format(
        "set arrow from {0}, graph 0 to {0}, graph 1 nohead front lw 2 dt (2,3) lc rgb '{1}'\n"
        "${2} << EOD\n",
        mean, colour, block);
    for (int i = 0; i <= kCurvePoints; ++i) {
      const double x = low + range * i / kCurvePoints;
      text += fmt::format("{} {}\n", x, density(quantiles, h, x));
    }
    text += "EOD\n";
  };
  add("id", panel.id_quantiles, panel.id_mean, kBlue);
  add("ood", panel.ood_quantiles, panel.ood_mean, kOrange);
  return text +
         fmt::format(
             "plot $id with filledcurves y1=0 lc rgb '{0}', $ood with filledcurves y1=0 lc rgb "
             "'{1}', $id with lines lw 2 lc rgb '{0}', $ood with lines lw 2 lc rgb '{1}'\n",
             kBlue, kOrange);
}

}  // namespace

void write_lines(const std::filesystem::path& path, const ResultLines& lines) {
  const ResultTable& table = lines.table;
  check_shape(table);
  SGOOD_CHECK(lines.x.size() == table.rows.size(), "figure {} has {} values of x for {} rows",
              table.name, lines.x.size(), table.rows.size());
  SGOOD_CHECK(!lines.log_x || std::ranges::all_of(lines.x, [](double x) { return x > 0; }),
              "figure {} needs positive values of x for a logarithmic axis", table.name);
  const auto panels = measured_panels(table.columns.size(), [&](std::size_t c) {
    return std::ranges::any_of(table.cells,
                               [c](const auto& row) { return row[c].mean.has_value(); });
  });
  if (panels.empty()) return PanelGrid::draw_nothing(path);
  const std::string fill = "transparent solid 0.25 noborder";
  const PanelGrid grid(
      {.width = 250, .height = 180}, static_cast<int>(panels.size()),
      {fmt::format("with linespoints lc rgb '{}' lw 2 pt 7 ps 0.6 title 'mean'", kBlue),
       fmt::format("with boxes fs {} lc rgb '{}' title '± standard deviation'", fill, kBlue)});
  std::string text = grid.start() + "set style fill " + fill +
                     "\nset grid ytics lt 1 lc rgb "
                     "'#e0e0e0'\n"
                     "set offsets 0, 0, graph 0.05, graph 0.05\n" +
                     x_range(lines);
  for (std::size_t p = 0; p < panels.size(); ++p)
    text +=
        grid.panel(static_cast<int>(p), table.columns[panels[p]], lines.x_label, lines.y_label) +
        line_panel(lines, panels[p]);
  draw_with_gnuplot(path, grid.size(), text + "unset multiplot");
}

void write_heat_maps(const std::filesystem::path& path, const ResultHeatMaps& maps) {
  check_shape(maps);
  const auto panels = measured_panels(maps.panels.size(), [&](std::size_t p) {
    return std::ranges::any_of(maps.cells[p], [](const auto& row) {
      return std::ranges::any_of(row, [](const ResultCell& c) { return c.mean.has_value(); });
    });
  });
  if (panels.empty()) return PanelGrid::draw_nothing(path);
  const int side = 58 * static_cast<int>(maps.options.size());
  const PanelGrid grid({.width = side, .height = side, .edge = 70}, static_cast<int>(panels.size()),
                       {});
  const double largest = largest_magnitude(maps),
               end = static_cast<double>(maps.options.size()) - 0.5;
  std::string text =
      grid.start() +
      fmt::format(
          "unset border\nset tics scale 0\nset style fill solid 1 noborder\n"
          "set xrange [-0.5:{0}]\nset yrange [{0}:-0.5]\nset cbrange [-{1}:{1}]\n"
          "set palette defined (-1 '{2}', 0 '#ffffff', 1 '{3}')\n"
          "set colorbox user origin screen {4},screen 0.15 size screen {5},screen 0.7\n",
          end, largest, kPaleOrange, kPaleBlue, 1 - 66.0 / grid.size().width,
          14.0 / grid.size().width);
  for (std::size_t p = 0; p < panels.size(); ++p)
    text +=
        grid.panel(static_cast<int>(p), maps.panels[panels[p]], maps.column_label, maps.row_label) +
        heat_map_panel(maps, panels[p]);
  draw_with_gnuplot(path, grid.size(), text + "unset multiplot");
}

void write_distributions(const std::filesystem::path& path,
                         const ResultDistributions& distributions) {
  check_quantiles(distributions);
  const auto& panels = distributions.panels;
  if (panels.empty()) return PanelGrid::draw_nothing(path);
  const std::string fill = "transparent solid 0.3 noborder";
  const PanelGrid grid(
      {.width = 250, .height = 180, .left = 84}, static_cast<int>(panels.size()),
      {fmt::format("with boxes fs {} lc rgb '{}' title 'in distribution (ID)'", fill, kBlue),
       fmt::format("with boxes fs {} lc rgb '{}' title 'out of distribution (OOD)'", fill, kOrange),
       "with lines lw 2 dt (2,3) lc rgb '#444444' title 'means'"});
  std::string text = grid.start() + "set yrange [0:*]\nset style fill " + fill + '\n';
  for (std::size_t p = 0; p < panels.size(); ++p)
    text += grid.panel(static_cast<int>(p), panels[p].title, "score (higher = more OOD)",
                       "density (per unit of score)") +
            distribution_panel(panels[p]);
  draw_with_gnuplot(path, grid.size(), text + "unset multiplot");
}

}  // namespace sgood
