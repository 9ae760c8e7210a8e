// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "sgood/graph/graph_set.h"

namespace sgood {

/// How to read a user's data; columns by name or 0-based number, "none", or empty to let the
/// reader guess (it says what it guessed).
struct ReadOptions {
  std::string smiles_column;
  std::string label_column;
  std::string id_column;
  /// What to find besides the graphs; only molecules have it (Detector::fragmentation()).
  Fragmentation fragmentation = Fragmentation::kNone;
  int threads = 1;
};

/// Reads graphs from a TU folder or a file of molecules (.csv, .tsv, .smi, each also .gz; `-` is
/// a CSV on standard input). A TU folder keeps its classes unless label_column is "none". Rows that
/// cannot be read are in GraphSet::bad_rows. Throws InvalidArgument for an unknown kind of file and
/// ParseError or IoError for a broken one.
GraphSet read_graphs(const std::string& path, const ReadOptions& options);

/// The same graphs without their classes.
GraphSet without_classes(GraphSet graphs);

/// Throws InvalidArgument with the count and the first five reasons when any row could not be read.
void require_readable(const GraphSet& graphs);

}  // namespace sgood
