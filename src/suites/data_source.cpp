// SPDX-License-Identifier: MIT
#include "sgood/suites/data_source.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "sgood/chem/molecule_reader.h"
#include "sgood/core/error.h"
#include "sgood/io/graph_lines.h"
#include "sgood/io/tu_reader.h"

namespace sgood {

namespace {

/// Graphs that are in memory already, as a source.
class SetSource final : public GraphSource {
 public:
  explicit SetSource(GraphSet set) : set_(std::move(set)), header_(set_.subset({})) {
    header_.notes = set_.notes;
  }

  std::vector<GraphRow> next(std::size_t limit) override {
    std::vector<GraphRow> rows;
    for (; rows.size() < limit && at_ < set_.graphs.size(); ++at_) {
      const Graph& graph = set_.graphs[at_];
      rows.push_back(
          {.row = graph.row(), .id = graph.id(), .graph = graph, .label = "", .error = ""});
      if (graph.label())
        rows.back().label = set_.class_names[static_cast<std::size_t>(*graph.label())];
    }
    return rows;
  }
  const GraphSet& header() const override { return header_; }

 private:
  GraphSet set_, header_;
  std::size_t at_ = 0;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_directory(path, ignored);
}

/// The ending that says of what form the data are, without a dot and .gz.
std::string ending_of(const std::string& path, const std::string& format) {
  if (!format.empty()) return format;
  if (path == "-") return "csv";
  std::filesystem::path name = path;
  if (name.extension() == ".gz") name.replace_extension();
  const std::string ending = name.extension().string();
  return ending.empty() ? "" : ending.substr(1);
}

const std::map<std::string, MoleculeFormat>& molecule_formats() {
  static const std::map<std::string, MoleculeFormat> formats = {{"csv", MoleculeFormat::kCsv},
                                                                {"tsv", MoleculeFormat::kTsv},
                                                                {"smi", MoleculeFormat::kSmi},
                                                                {"sdf", MoleculeFormat::kSdf}};
  return formats;
}

void check_no_threshold(const std::string& path, const ReadOptions& options) {
  SGOOD_CHECK(!options.label_threshold,
              "{}: label_threshold is for molecules (.csv, .tsv, .smi, .sdf); the classes of other "
              "graphs are read as they are",
              path);
}

GraphSet read_tu_classes(const std::string& path, const ReadOptions& options) {
  check_no_threshold(path, options);
  return options.label_column == "none" ? without_classes(read_tu(path)) : read_tu(path);
}

}  // namespace

bool is_data(const std::string& path, const std::string& format) {
  const std::string ending = ending_of(path, format);
  return is_folder(path) || ending == "zip" || ending == "jsonl" ||
         molecule_formats().contains(ending);
}

std::unique_ptr<GraphSource> open_graphs(const std::string& path, const ReadOptions& options) {
  const std::string ending = ending_of(path, options.format);
  if (is_folder(path) || ending == "zip")
    return std::make_unique<SetSource>(read_tu_classes(path, options));
  if (ending == "jsonl") {
    SGOOD_CHECK(options.smiles_column.empty(), "{}: JSON Lines of graphs have no column of SMILES",
                path);
    check_no_threshold(path, options);
    return open_graph_lines(path, {.label_key = options.label_column,
                                   .id_key = options.id_column,
                                   .threads = options.threads});
  }
  const auto format = molecule_formats().find(ending);
  SGOOD_CHECK(
      format != molecule_formats().end(),
      "{} is not a kind of data that sgood reads: a folder with TU text files (DS_A.txt, "
      "DS_graph_indicator.txt, ...) or a .zip of one, molecules as .csv, .tsv, .smi or .sdf, "
      "or graphs as .jsonl (each also .gz)",
      path);
  MoleculeFileOptions molecules;
  molecules.format = format->second;
  molecules.smiles_column = options.smiles_column;
  molecules.label_column = options.label_column;
  molecules.label_threshold = options.label_threshold;
  molecules.id_column = options.id_column;
  molecules.fragmentation = options.fragmentation;
  molecules.threads = options.threads;
  return open_molecules(path, molecules);
}

GraphSet read_graphs(const std::string& path, const ReadOptions& options) {
  if (is_folder(path)) return read_tu_classes(path, options);
  return read_all(*open_graphs(path, options));
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
