// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sgood {

/// A substructure of a graph on a page.
struct JudgedPart {
  std::string name;   ///< E.g. a SMILES.
  std::string nodes;  ///< E.g. "0 3 4".
  std::optional<double> contribution;
  std::string seen;  ///< In how many training graphs it is.
};

/// A graph with its reasons. All texts here and below are plain: markup in them is shown.
struct JudgedGraph {
  std::string id, verdict;
  std::string contribution_is;  ///< What the parts' contributions mean.
  std::vector<std::string> notes;
  std::vector<JudgedPart> parts;
  std::string svg;  ///< Empty: none.
};

/// A row of the table of all graphs.
struct DecisionRow {
  std::string id;
  double score = 0, p_value = 1;
  bool is_ood = false;
  std::string predicted;
  std::optional<double> probability;
  std::string error;  ///< Why there is no score; then the numbers do not count.
};

/// A picture with what it shows.
struct PagePicture {
  std::string title, svg, caption;
};

/// What a model says of some graphs.
struct DecisionPage {
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<PagePicture> pictures;
  std::vector<JudgedGraph> graphs;  ///< Those that are explained.
  std::vector<DecisionRow> rows;    ///< All, or those that fit.
  std::string rows_note;            ///< Above the table, e.g. which rows are left out.
  std::vector<std::pair<std::string, std::string>> settings;
};

/// One HTML file that loads nothing, for bright and dark screens of any width. The table of rows
/// can be sorted and searched; without scripts it is a plain table.
std::string decision_page(const DecisionPage& page);

}  // namespace sgood
