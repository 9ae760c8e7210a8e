// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "src/report/gnuplot.h"

namespace sgood {

/// Panels of one figure, all of the same size, in rows of up to three, below a common legend where
/// there is one.
class PanelGrid {
 public:
  /// Room in pixels for one panel's axes and around them.
  struct Shape {
    int width, height;
    int left = 70, right = 16, top = 34, bottom = 62;
    int edge = 0;    ///< Right of the last column, for a colour scale.
    int legend = 0;  ///< Above all panels.
  };

  /// `legend`: gnuplot's `keyentry` clauses, one for each entry.
  PanelGrid(Shape shape, int panels, std::vector<std::string> legend);

  PictureSize size() const;
  /// Settings for the figure, and the legend; then come the panels.
  std::string start() const;
  /// Settings that place panel `index` and its title and axis labels; the label of y only stands
  /// left of the first column.
  std::string panel(int index, const std::string& title, const std::string& x_label,
                    const std::string& y_label) const;
  /// A picture that says that there is nothing to draw.
  static void draw_nothing(const std::filesystem::path& path);

 private:
  Shape shape_;
  int columns_, rows_;
  std::vector<std::string> legend_;
};

}  // namespace sgood
