// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/report/result_table.h"

namespace sgood {

// Cells read "67.7 ± 3.0 (paper 74.4, -6.7)": mean and standard deviation, the paper's number and
// the difference of the two as printed; "-" where nothing was measured. The best of a column is
// bold and the second underlined, equal numbers alike. The number of runs is in the caption, and in
// the cells that have another. All throw InvalidArgument where `cells` has another shape than the
// names.

/// A heading, the caption and a table in Markdown as GitHub reads it.
std::string to_markdown(const ResultTable& table);

/// A `table*` environment for LaTeX with the package booktabs; the paper's numbers stand in a line
/// of small print below ours. The label is `tab:` and the name.
std::string to_latex(const ResultTable& table);

/// One line per cell: row,column,mean,std,runs,paper,difference, with six digits; fields without a
/// number are empty.
std::string to_csv(const ResultTable& table);

/// The same with a first column `panel`.
std::string to_csv(const ResultHeatMaps& maps);

/// One line per quantile: panel,group,quantile,score, where `group` is id or ood and `quantile`
/// goes from 0 to 1.
std::string to_csv(const ResultDistributions& distributions);

}  // namespace sgood
