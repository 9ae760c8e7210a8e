// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sgood/graph/graph_set.h"
#include "sgood/io/graph_source.h"

namespace sgood {

/// How to read a user's data; columns by name or 0-based number, "none", or empty to let the
/// reader guess (it says what it guessed).
struct ReadOptions {
  std::string smiles_column;
  std::string label_column;
  /// Makes classes of a column of measurements: "1" from this value on, else "0". Molecules only.
  std::optional<double> label_threshold = {};
  std::string id_column;
  /// What to find besides the graphs; only molecules have it (Detector::fragmentation()).
  Fragmentation fragmentation = Fragmentation::kNone;
  std::string format;  ///< The ending that decides the form, e.g. "csv" or "jsonl"; empty: the
                       ///< file's own (standard input: csv).
  int threads = 1;
};

/// Opens graphs, whatever their form: a TU folder (or .zip of one), molecules (.csv,
/// .tsv, .smi, .sdf) or JSON Lines of graphs (.jsonl), each also .gz. `-` is standard input, read
/// as `options.format`. A TU folder keeps its classes unless label_column is "none" and is read
/// whole; all others give their rows as they come. Throws InvalidArgument for an unknown kind of
/// file and ParseError or IoError for a broken one.
std::unique_ptr<GraphSource> open_graphs(const std::string& path, const ReadOptions& options);

/// Whether open_graphs() would read `path`, by its ending (or `format`), rather than refuse it.
bool is_data(const std::string& path, const std::string& format = "");

/// All graphs of open_graphs(). Rows that cannot be read are in GraphSet::bad_rows.
GraphSet read_graphs(const std::string& path, const ReadOptions& options);

/// The same graphs without their classes.
GraphSet without_classes(GraphSet graphs);

/// Throws InvalidArgument with the count and the first five reasons when any row could not be read.
void require_readable(const GraphSet& graphs);

}  // namespace sgood
