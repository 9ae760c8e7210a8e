// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_reader.h"

#include <cmath>
#include <iterator>
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

std::string class_text(const std::string& label, std::optional<double> threshold) {
  if (!threshold || label.empty()) return label;
  const auto value = parse_number<double>(label);
  SGOOD_CHECK(value && std::isfinite(*value),
              "label_threshold needs numbers, but the label is '{}'", label);
  return *value >= *threshold ? "1" : "0";
}

GraphRow read_row(const std::string& source, MoleculeRow text, std::int64_t row,
                  const MoleculeFileOptions& options) {
  GraphRow result;
  result.row = row;
  result.error = std::move(text.error);
  if (result.error.empty()) {
    try {
      result.label = class_text(text.label, options.label_threshold);
      result.graph = molecule_to_graph(text.smiles, {.id = text.id, .row = row, .label = {}},
                                       options.chirality, options.fragmentation);
    } catch (const InvalidArgument& error) {
      result.error = ParseError(source, text.line, error.what()).what();
    }
  }
  result.id = std::move(text.id);
  return result;
}

std::vector<GraphRow> read_rows(const std::string& source, std::vector<MoleculeRow> texts,
                                std::int64_t first, const MoleculeFileOptions& options) {
  std::vector<GraphRow> rows(texts.size());
  parallel_for(std::ssize(rows), options.threads, [&](std::int64_t i) {
    const auto r = static_cast<std::size_t>(i);
    rows[r] = read_row(source, std::move(texts[r]), first + i, options);
  });
  return rows;
}

GraphSet header_of(const std::string& source) {
  GraphSet set;
  set.source = source;
  set.node_label_names.assign(kAtomFeatureNames.begin(), kAtomFeatureNames.end());
  set.edge_label_names.assign(kBondFeatureNames.begin(), kBondFeatureNames.end());
  return set;
}

void check_threads(const MoleculeFileOptions& options) {
  SGOOD_CHECK(options.threads >= 1, "threads is {}; legal is 1 or more", options.threads);
}

class MoleculeSource final : public GraphSource {
 public:
  MoleculeSource(const std::filesystem::path& path, const MoleculeFileOptions& options)
      : table_(path, options), options_(options), header_(header_of(table_.source())) {
    check_threads(options);
    header_.notes = table_.notes();
  }

  std::vector<GraphRow> next(std::size_t limit) override {
    std::vector<MoleculeRow> texts = table_.next(limit);
    header_.notes = table_.notes();
    const std::int64_t first = std::exchange(count_, count_ + std::ssize(texts));
    return read_rows(header_.source, std::move(texts), first, options_);
  }
  const GraphSet& header() const override { return header_; }

 private:
  MoleculeTableReader table_;
  MoleculeFileOptions options_;
  GraphSet header_;
  std::int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<GraphSource> open_molecules(const std::filesystem::path& path,
                                            const MoleculeFileOptions& options) {
  return std::make_unique<MoleculeSource>(path, options);
}

GraphSet molecules_to_graphs(const MoleculeTable& table, const MoleculeFileOptions& options) {
  check_threads(options);
  GraphSet header = header_of(table.source);
  header.notes = table.notes;
  return gather(std::move(header), read_rows(table.source, table.rows, 0, options));
}

GraphSet read_molecules(const std::filesystem::path& path, const MoleculeFileOptions& options) {
  return read_all(*open_molecules(path, options));
}

}  // namespace sgood
