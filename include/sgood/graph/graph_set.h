// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// A row of the input that could not become a graph.
struct BadRow {
  std::int64_t row = 0;  ///< 0-based row of the input.
  std::string id;        ///< The row's own name, or its number.
  std::string reason;    ///< For the user: file, line, value, what is legal.
};

/// Graphs read together, with what their columns mean. Every input row is in `graphs` or in
/// `bad_rows`, both ascending by row.
struct GraphSet {
  std::string source;  ///< Where it came from, for messages.
  std::vector<Graph> graphs;
  std::vector<BadRow> bad_rows;
  std::vector<std::string> class_names;       ///< Name of each class; empty when unlabelled.
  std::vector<std::string> node_label_names;  ///< Name of each categorical node column.
  std::vector<std::string> edge_label_names;  ///< Name of each categorical edge column.
  std::vector<std::string> notes;  ///< What the reader repaired or ignored, one line each.

  std::int64_t num_rows() const {
    return static_cast<std::int64_t>(graphs.size() + bad_rows.size());
  }
  /// Graphs at `positions` (indices into graphs), same columns and classes, no bad rows.
  GraphSet subset(const std::vector<std::int32_t>& positions) const;
  /// True when there is at least one graph and every graph has a class.
  bool labelled() const;
};

}  // namespace sgood
