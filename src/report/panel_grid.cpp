// SPDX-License-Identifier: MIT
#include "src/report/panel_grid.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {
PanelGrid::PanelGrid(Shape shape, int panels, std::vector<std::string> legend)
    : shape_(shape),
      columns_(panels == 4 ? 2 : std::min(panels, 3)),
      rows_((panels + columns_ - 1) / columns_),
      legend_(std::move(legend)) {
  if (!legend_.empty()) shape_.legend = 30;
}

PictureSize PanelGrid::size() const {
  const Shape& s = shape_;
  return {columns_ * (s.left + s.width + s.right) + s.edge,
          s.legend + rows_ * (s.top + s.height + s.bottom)};
}

std::string PanelGrid::start() const {
  std::string text = "set multiplot\n";
  if (!legend_.empty())
    // An empty plot of the whole width, so that all entries fit into one line.
    text += fmt::format(
        "unset border\nunset tics\nset margins 0,0,0,0\n"
        "set key at screen 0.5, screen {} center top horizontal maxrows 1 samplen 2 width 2\n"
        "plot [0:1][0:1] -1 notitle, keyentry {}\n",
        1 - 4.0 / size().height, fmt::join(legend_, ", keyentry "));
  return text +
         "unset key\nset autoscale\nset border 3 lc rgb '#444444'\nset xtics autofreq nomirror\n"
         "set ytics autofreq nomirror\nset tics out scale 0.6\nset format xy '%h'\n";
}

std::string PanelGrid::panel(int index, const std::string& title, const std::string& x_label,
                             const std::string& y_label) const {
  const Shape& s = shape_;
  const auto [width, height] = size();
  const int column = index % columns_, row = index / columns_;
  const double left = column * (s.left + s.width + s.right) + s.left;
  const double top = s.legend + row * (s.top + s.height + s.bottom) + s.top;
  const double right = left + s.width, bottom = top + s.height;
  // Titles by the pixel: gnuplot's own places for them differ between SVG and PNG.
  const auto text = [&, w = width, h = height](int tag, const std::string& words, double x,
                                               double y, const char* turn) {
    return fmt::format("set label {} {} at screen {},screen {} center{}\n", tag,
                       gnuplot_text(words), x / w, 1 - y / h, turn);
  };
  return fmt::format(
             "set lmargin at screen {}\nset rmargin at screen {}\n"
             "set tmargin at screen {}\nset bmargin at screen {}\n",
             left / width, right / width, 1 - top / height, 1 - bottom / height) +
         text(1, title, (left + right) / 2, top - 16, "") +
         text(2, x_label, (left + right) / 2, bottom + 48, "") +
         text(3, column == 0 ? y_label : "", left - s.left + 12, (top + bottom) / 2, " rotate");
}

void PanelGrid::draw_nothing(const std::filesystem::path& path) {
  draw_with_gnuplot(path, {480, 80},
                    "unset border\nunset tics\nunset key\n"
                    "set label 'Nothing has been measured.' at graph 0.5,0.5 center\n"
                    "plot [0:1][0:1] -1");
}

}  // namespace sgood
