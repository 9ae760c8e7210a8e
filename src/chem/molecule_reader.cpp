// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

/// A row on its way to become a graph.
struct ReadRow {
  std::optional<Graph> graph;
  std::string label;
  std::string error;
};

std::string class_text(const std::string& label, std::optional<double> threshold) {
  if (!threshold || label.empty()) return label;
  const auto value = parse_number<double>(label);
  SGOOD_CHECK(value && std::isfinite(*value),
              "label_threshold needs numbers, but the label is '{}'", label);
  return *value >= *threshold ? "1" : "0";
}

ReadRow read_row(const MoleculeTable& table, std::int64_t row, const MoleculeFileOptions& options) {
  const MoleculeRow& text = table.rows[static_cast<std::size_t>(row)];
  ReadRow result;
  result.error = text.error;
  if (!result.error.empty()) return result;
  try {
    result.label = class_text(text.label, options.label_threshold);
    result.graph = molecule_to_graph(text.smiles, {.id = text.id, .row = row, .label = {}},
                                     options.chirality, options.fragmentation);
  } catch (const InvalidArgument& error) {
    result.error = ParseError(table.source, text.line, error.what()).what();
  }
  return result;
}

/// The different labels, ascending: as numbers when all are.
std::vector<std::string> sorted_classes(const std::vector<ReadRow>& rows) {
  std::map<std::string, std::optional<double>> values;
  for (const ReadRow& row : rows)
    if (row.graph && !row.label.empty() && !values.contains(row.label))
      values[row.label] = parse_number<double>(row.label);
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  const bool numbers = std::ranges::all_of(
      values, [](const auto& entry) { return entry.second && !std::isnan(*entry.second); });
  if (numbers)
    std::ranges::stable_sort(names, {}, [&](const auto& name) { return *values.at(name); });
  return names;
}

}  // namespace

GraphSet molecules_to_graphs(const MoleculeTable& table, const MoleculeFileOptions& options) {
  SGOOD_CHECK(options.threads >= 1, "threads is {}; legal is 1 or more", options.threads);
  std::vector<ReadRow> rows(table.rows.size());
  parallel_for(static_cast<std::int64_t>(rows.size()), options.threads, [&](std::int64_t row) {
    rows[static_cast<std::size_t>(row)] = read_row(table, row, options);
  });

  GraphSet set;
  set.source = table.source;
  set.notes = table.notes;
  set.class_names = sorted_classes(rows);
  set.node_label_names.assign(kAtomFeatureNames.begin(), kAtomFeatureNames.end());
  set.edge_label_names.assign(kBondFeatureNames.begin(), kBondFeatureNames.end());
  std::map<std::string, std::int32_t> class_index;
  for (const std::string& name : set.class_names)
    class_index.emplace(name, static_cast<std::int32_t>(class_index.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ReadRow& row = rows[i];
    if (!row.graph)
      set.bad_rows.push_back(
          {static_cast<std::int64_t>(i), table.rows[i].id, std::move(row.error)});
    else if (row.label.empty())
      set.graphs.push_back(std::move(*row.graph));
    else
      set.graphs.push_back(row.graph->with_label(class_index.at(row.label)));
  }
  return set;
}

GraphSet read_molecules(const std::filesystem::path& path, const MoleculeFileOptions& options) {
  return molecules_to_graphs(read_molecule_table(path, options), options);
}

}  // namespace sgood
