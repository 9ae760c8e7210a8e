// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sgood {

/// One measured value beside the published one.
struct ResultCell {
  std::optional<double> mean;  ///< Over runs; nothing when there is none.
  double std = 0;              ///< Of a sample; 0 for one run.
  int runs = 0;
  std::optional<double> paper;  ///< The published value, in the same unit.
};

/// Numbers of one table or figure: rows are methods or settings, columns are suites.
struct ResultTable {
  std::string name;     ///< For file names, e.g. "ablation".
  std::string title;    ///< One line, e.g. "Ablation, AUROC (%)".
  std::string caption;  ///< What the paper shows and where; may be empty.
  std::string corner;   ///< Above the row names, e.g. "method".
  std::vector<std::string> rows, columns;
  std::vector<std::vector<ResultCell>> cells;  ///< [rows][columns]
  bool higher_is_better = true;                ///< Which cell of a column is set in bold.
  int ranked_rows = -1;  ///< Only the first rows take part in bold and underline; -1: all of them.
  int decimals = 1;      ///< Of the numbers in texts.
};

/// A quantity that varies: one panel per column of `table`, whose rows are the points of x.
struct ResultLines {
  ResultTable table;
  std::string x_label, y_label;
  std::vector<double> x;  ///< [rows]
  bool log_x = false;     ///< For x that doubles from row to row.
};

/// A gain for each pair of row and column options; one panel per title.
struct ResultHeatMaps {
  std::string name, title, caption, row_label, column_label;
  std::vector<std::string> options;  ///< Of rows and columns alike.
  std::vector<std::string> panels;
  std::vector<std::vector<std::vector<ResultCell>>> cells;  ///< [panels][row][column]
};

/// Score distributions of ID and OOD graphs, each given by equally spaced quantiles (minimum first,
/// maximum last); one panel per title.
struct ResultDistributions {
  std::string name, title, caption;
  struct Panel {
    std::string title;
    std::vector<double> id_quantiles, ood_quantiles;
    double id_mean = 0, ood_mean = 0;
  };
  std::vector<Panel> panels;
};

}  // namespace sgood
