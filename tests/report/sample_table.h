// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/report/result_table.h"

namespace sgood {

/// Two methods with published numbers on two suites, and a third that is not ranked.
inline ResultTable sample_table() {
  ResultTable table;
  table.name = "sample";
  table.title = "Sample, AUROC (%)";
  table.caption = "Paper: nowhere.";
  table.corner = "method";
  table.rows = {"A|B_1", "C & D", "size"};
  table.columns = {"left", "right"};
  table.cells = {{{67.71, 3.04, 5, 74.41}, {-1.25, 0.5, 5, {}}},
                 {{72.0, 1.0, 3, 71.5}, {{}, 0, 0, 60.0}},
                 {{99.0, 0, 5, {}}, {50.0, 2.0, 5, {}}}};
  table.ranked_rows = 2;
  return table;
}

}  // namespace sgood
