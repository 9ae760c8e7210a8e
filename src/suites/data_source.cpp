// SPDX-License-Identifier: MIT
#include "sgood/suites/data_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sgood/chem/molecule_reader.h"
#include "sgood/core/error.h"
#include "sgood/io/tu_reader.h"

namespace sgood {

GraphSet read_graphs(const std::string& path, const ReadOptions& options) {
  namespace fs = std::filesystem;
  if (path != "-" && fs::is_directory(path))
    return options.label_column == "none" ? without_classes(read_tu(path)) : read_tu(path);
  std::string name = path;
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  const bool molecules =
      path == "-" || name.ends_with(".csv") || name.ends_with(".tsv") || name.ends_with(".smi");
  SGOOD_CHECK(molecules,
              "{} is not a kind of data that sgood reads: a folder with TU text files (DS_A.txt, "
              "DS_graph_indicator.txt, ...), or molecules as .csv, .tsv or .smi (also .gz)",
              path);
  MoleculeFileOptions molecule_options;
  molecule_options.smiles_column = options.smiles_column;
  molecule_options.label_column = options.label_column;
  molecule_options.id_column = options.id_column;
  molecule_options.fragmentation = options.fragmentation;
  molecule_options.threads = options.threads;
  return read_molecules(path, molecule_options);
}

GraphSet without_classes(GraphSet graphs) {
  for (Graph& graph : graphs.graphs) graph = graph.with_label(std::nullopt);
  graphs.class_names.clear();
  return graphs;
}

void require_readable(const GraphSet& graphs) {
  if (graphs.bad_rows.empty()) return;
  std::string text = fmt::format("{} of {} rows of {} cannot be read:", graphs.bad_rows.size(),
                                 graphs.num_rows(), graphs.source);
  for (std::size_t i = 0; i < std::min<std::size_t>(5, graphs.bad_rows.size()); ++i)
    text += fmt::format("\n  {}", graphs.bad_rows[i].reason);
  if (graphs.bad_rows.size() > 5) text += "\n  ...";
  throw InvalidArgument(text + "\nrepair them, or leave them out with --on-error skip");
}

}  // namespace sgood
