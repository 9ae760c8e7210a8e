// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sgood/report/result_table.h"

namespace sgood {

/// One experiment on a page. All texts are plain: markup in them is shown, not applied.
struct ResultSection {
  std::string id;  ///< For links to it: letters, digits and hyphens, unique on the page.
  std::string title;
  std::vector<std::string> paragraphs;  ///< What the paper shows, what was found.
  std::vector<ResultTable> tables;
  std::string svg;                 ///< A picture as gnuplot writes it; empty: none.
  std::vector<std::string> files;  ///< Tables and pictures, relative to the page.
};

struct ResultPage {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<ResultSection> sections;
};

/// All sections as one HTML file that loads nothing, for bright and dark screens of any width.
/// Throws InvalidArgument where a table's cells have another shape than its names, or an id is
/// illegal.
std::string result_page(const ResultPage& page);

}  // namespace sgood
