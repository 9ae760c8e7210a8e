// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sgood/graph/graph_set.h"

namespace sgood {

struct TuOptions {
  bool node_attributes = true;  ///< Read DS_node_attributes.txt if it is there.
};

/// Reads a folder in the text format of the TU collection, or an archive of one (.zip as
/// downloaded, .tar, .tar.gz), which is unpacked into a temporary folder for the time of reading.
/// DS is found from the file DS_A.txt; every file may be NAME or NAME.gz. Needed: DS_A,
/// DS_graph_indicator. Read if there: DS_graph_labels (classes in numeric order; first column),
/// DS_node_labels and DS_edge_labels (all columns), DS_node_attributes.
///
/// Row r is graph r + 1 of the indicator, and its id is that number. Ids that no node has are
/// graphs without nodes if DS_graph_labels has a line for them. Repeated edges are merged, missing
/// directions added, self-loops dropped; `notes` tells. Blank lines may end a file, in any other
/// place they are an error. Throws ParseError (file and line) on edges between graphs, ids out of
/// range, files of different lengths, ragged lines and numbers that are not finite; IoError when a
/// file is missing or unreadable.
GraphSet read_tu(const std::filesystem::path& path, const TuOptions& options = {});

}  // namespace sgood
