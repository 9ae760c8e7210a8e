// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sgood/graph/graph_set.h"

namespace sgood {

/// A row of the input on its way to become a graph of a GraphSet.
struct GraphRow {
  std::int64_t row = 0;        ///< 0-based row of the input.
  std::string id;              ///< The row's own name, or its number.
  std::optional<Graph> graph;  ///< Without class; nothing when the row can't be read.
  std::string label;           ///< The class as written; empty when there is none.
  std::string error;           ///< Why the row can't be read: file, line, value, what is legal.
};

/// The rows of a file, in order, so many at a time that memory stays bounded.
class GraphSource {
 public:
  virtual ~GraphSource() = default;

  /// The next rows, at most `limit` >= 1 of them; none at the end. Throws what opening a file
  /// throws: IoError, ParseError.
  virtual std::vector<GraphRow> next(std::size_t limit) = 0;
  /// A set without rows: source, names of columns, and what there was to note so far.
  virtual const GraphSet& header() const = 0;
};

/// The rows as a set. Classes are the different labels of the graphs, ascending (as numbers when
/// all are); a row with an empty label becomes a graph without class.
GraphSet gather(GraphSet header, std::vector<GraphRow> rows);

/// All rows that `source` still has.
GraphSet read_all(GraphSource& source);

}  // namespace sgood
