// SPDX-License-Identifier: MIT
#include "sgood/suites/suite.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "sgood/chem/molecule_reader.h"
#include "sgood/chem/scaffold_split.h"
#include "sgood/core/error.h"
#include "sgood/core/rng.h"
#include "sgood/io/csv.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"
#include "sgood/io/tu_reader.h"
#include "sgood/suites/data_source.h"
#include "sgood/suites/motif.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void missing(std::string_view suite, std::string_view needs, const fs::path& root,
                          std::string_view extra = {}) {
  throw Unavailable(
      fmt::format("suite {} needs {} below {}; put it there, or name another folder with "
                  "--data-root or SGOOD_DATA{}{}",
                  suite, needs, root.string(), extra.empty() ? "" : ". ", extra));
}

GraphSet read_tu_set(std::string_view suite, const fs::path& root, const std::string& name) {
  if (!fs::is_directory(root / name))
    missing(suite, fmt::format("the folder {} (TU text files)", name), root);
  // ENZYMES and PROTEINS share node labels but no attributes, and no other set has any.
  return read_tu(root / name, {.node_attributes = false});
}

fs::path molecule_file(std::string_view suite, const fs::path& root, const std::string& name) {
  for (const char* file : {"mol.csv", "mol.csv.gz"})
    if (fs::exists(root / name / file)) return root / name / file;
  missing(suite, fmt::format("the file {0}/mol.csv or {0}/mol.csv.gz", name), root);
}

/// Graphs of the classes in `names`, without their classes.
GraphSet classes_as_ood(const GraphSet& set, const std::vector<std::string>& names) {
  std::vector<std::int32_t> positions;
  for (std::size_t i = 0; i < set.graphs.size(); ++i) {
    const std::string& name = set.class_names.at(static_cast<std::size_t>(*set.graphs[i].label()));
    if (std::find(names.begin(), names.end(), name) != names.end())
      positions.push_back(static_cast<std::int32_t>(i));
  }
  return without_classes(set.subset(positions));
}

/// Adds `delta` to every node label.
void shift_node_labels(GraphSet& set, std::int32_t delta) {
  for (Graph& graph : set.graphs) {
    std::vector<std::int32_t> labels;
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      for (const std::int32_t label : graph.node_labels(v)) labels.push_back(label + delta);
    graph = graph.with_node_labels(std::move(labels), graph.num_label_columns());
  }
}

SuiteData make_data(std::string name, GraphSet id, GraphSet ood) {
  SuiteData data;
  data.name = std::move(name);
  data.num_id = static_cast<std::int32_t>(id.graphs.size());
  data.id = std::move(id);
  data.ood = std::move(ood);
  return data;
}

SuiteData load_enzymes(const fs::path& root, int, Fragmentation) {
  GraphSet id = read_tu_set("enzymes", root, "ENZYMES");
  GraphSet ood = classes_as_ood(read_tu_set("enzymes", root, "PROTEINS"), {"2"});
  // The two files number the same three node labels from 1 and from 0.
  shift_node_labels(ood, 1);
  return make_data("enzymes", std::move(id), std::move(ood));
}

SuiteData load_imdb_m(const fs::path& root, int, Fragmentation) {
  GraphSet id = read_tu_set("imdb-m", root, "IMDB-MULTI");
  return make_data("imdb-m", std::move(id),
                   classes_as_ood(read_tu_set("imdb-m", root, "IMDB-BINARY"), {"0"}));
}

SuiteData load_imdb_b(const fs::path& root, int, Fragmentation) {
  GraphSet id = read_tu_set("imdb-b", root, "IMDB-BINARY");
  return make_data("imdb-b", std::move(id),
                   classes_as_ood(read_tu_set("imdb-b", root, "IMDB-MULTI"), {"1", "3"}));
}

SuiteData load_reddit_12k(const fs::path& root, int, Fragmentation) {
  if (!fs::is_directory(root / "REDDIT-MULTI-12K"))
    missing("reddit-12k", "the folders REDDIT-MULTI-12K and REDDIT-BINARY (TU text files)", root,
            "REDDIT-MULTI-12K is part of the TUDataset collection");
  GraphSet id = read_tu_set("reddit-12k", root, "REDDIT-MULTI-12K");
  SuiteData data = make_data("reddit-12k", std::move(id),
                             without_classes(read_tu_set("reddit-12k", root, "REDDIT-BINARY")));
  data.num_id = std::min(data.num_id, 8747);
  data.remarks.push_back(
      "The paper uses 8747 of the 11929 graphs without saying which; here they are drawn by the "
      "seed.");
  return data;
}

/// Positions in `set` of the rows that the published index file lists.
std::vector<std::int32_t> positions_of_rows(const GraphSet& set, const fs::path& index_file) {
  std::unordered_map<std::int64_t, std::int32_t> position;
  for (std::size_t i = 0; i < set.graphs.size(); ++i)
    position[set.graphs[i].row()] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> positions;
  LineReader lines(index_file);
  while (const auto line = lines.next()) {
    if (trimmed(*line).empty()) continue;
    const auto row = parse_number<std::int64_t>(*line);
    const auto found = row ? position.find(*row) : position.end();
    if (found == position.end())
      throw ParseError(lines.file(), lines.line(),
                       fmt::format("'{}' is no row of a molecule", *line));
    positions.push_back(found->second);
  }
  return positions;
}

/// The published scaffold split, or the same split computed anew where its files are missing.
ScaffoldSplit load_scaffold_split(const fs::path& folder, const MoleculeTable& table,
                                  const GraphSet& set, int threads) {
  const fs::path published = folder / "split" / "scaffold";
  if (fs::is_directory(published))
    return {positions_of_rows(set, published / "train.csv"),
            positions_of_rows(set, published / "valid.csv"),
            positions_of_rows(set, published / "test.csv")};
  // Rows that do not parse have no scaffold and take no part in the split.
  std::vector<std::string> smiles;
  for (const Graph& graph : set.graphs)
    smiles.push_back(table.rows[static_cast<std::size_t>(graph.row())].smiles);
  return scaffold_split(smiles, threads);
}

/// ID = scaffold train part, OOD = scaffold test part.
SuiteData load_scaffold_suite(const std::string& name, const std::string& folder,
                              const fs::path& root, int threads, Fragmentation fragmentation) {
  const MoleculeFileOptions options{.smiles_column = "smiles",
                                    .label_column = "0",
                                    .id_column = "none",
                                    .fragmentation = fragmentation,
                                    .threads = threads};
  const MoleculeTable table = read_molecule_table(molecule_file(name, root, folder), options);
  const GraphSet all = molecules_to_graphs(table, options);
  const ScaffoldSplit split = load_scaffold_split(root / folder, table, all, threads);
  return make_data(name, all.subset(split.train), without_classes(all.subset(split.test)));
}

SuiteData load_bace(const fs::path& root, int threads, Fragmentation fragmentation) {
  return load_scaffold_suite("bace", "BACE", root, threads, fragmentation);
}
SuiteData load_bbbp(const fs::path& root, int threads, Fragmentation fragmentation) {
  return load_scaffold_suite("bbbp", "BBBP", root, threads, fragmentation);
}
SuiteData load_hiv(const fs::path& root, int threads, Fragmentation fragmentation) {
  return load_scaffold_suite("hiv", "HIV", root, threads, fragmentation);
}

SuiteData load_drugood(const fs::path& root, int threads, Fragmentation fragmentation) {
  const fs::path file = molecule_file("drugood", root, "DrugOOD");
  const MoleculeFileOptions options{.smiles_column = "smiles",
                                    .label_column = "cls_label",
                                    .id_column = "assay_split",
                                    .fragmentation = fragmentation,
                                    .threads = threads};
  const GraphSet all = read_molecules(file, options);
  std::vector<std::int32_t> train, test;
  for (std::size_t i = 0; i < all.graphs.size(); ++i) {
    if (all.graphs[i].id() == "train") train.push_back(static_cast<std::int32_t>(i));
    if (all.graphs[i].id() == "ood_test") test.push_back(static_cast<std::int32_t>(i));
  }
  SuiteData data = make_data("drugood", all.subset(train), without_classes(all.subset(test)));
  data.num_id = std::min(data.num_id, 1000);
  data.remarks.push_back(
      "Assay domain of DrugOOD's EC50 set, a stand-in: not the paper's protein domain, so its "
      "numbers "
      "are not the same task. 1000 ID molecules are drawn by the seed.");
  return data;
}

SuiteData load_motif(const fs::path&, int, Fragmentation) {
  MotifData motif = make_motif_data({});
  SuiteData data = make_data("motif", std::move(motif.id), std::move(motif.ood));
  data.remarks.push_back("Generated: ID and OOD agree in size, degrees and density.");
  return data;
}

}  // namespace

const std::vector<SuiteInfo>& suites() {
  static const std::vector<SuiteInfo> rows = {
      {"enzymes", "ENZYMES against the non-enzymes of PROTEINS", "ENZYMES, PROTEINS", load_enzymes},
      {"imdb-m", "IMDB-MULTI against the action films of IMDB-BINARY", "IMDB-MULTI, IMDB-BINARY",
       load_imdb_m},
      {"imdb-b", "IMDB-BINARY against comedy and science fiction of IMDB-MULTI",
       "IMDB-BINARY, IMDB-MULTI", load_imdb_b},
      {"reddit-12k", "REDDIT-MULTI-12K against REDDIT-BINARY", "REDDIT-MULTI-12K, REDDIT-BINARY",
       load_reddit_12k},
      {"bace", "BACE: large scaffolds against rare scaffolds", "BACE", load_bace},
      {"bbbp", "BBBP: large scaffolds against rare scaffolds", "BBBP", load_bbbp},
      {"hiv", "HIV: large scaffolds against rare scaffolds", "HIV", load_hiv},
      {"drugood", "DrugOOD EC50: training assays against other assays (not the paper's domain)",
       "DrugOOD", load_drugood},
      {"motif", "Generated: known pieces against new pieces of equal size and degrees", "",
       load_motif},
  };
  return rows;
}

const SuiteInfo& suite_info(std::string_view name) {
  std::vector<std::string> names;
  for (const SuiteInfo& row : suites()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("there is no suite '{}'; known are {}", name, fmt::join(names, ", ")));
}

SuiteData load_suite(std::string_view name, const fs::path& data_root, int threads,
                     Fragmentation fragmentation) {
  return suite_info(name).load(data_root, threads, fragmentation);
}

OodSuite split_suite(const SuiteData& data, std::uint64_t seed, const OodSample& sample) {
  SGOOD_CHECK(sample.share > 0 && sample.share < 1,
              "the share of OOD graphs is {} but must be in (0, 1)", sample.share);
  const Rng rng = Rng(seed).fork("split");
  Rng id_rng = rng.fork("id"), ood_rng = rng.fork("ood");
  const std::int32_t n = data.num_id;
  const std::int32_t tenth = (n + 9) / 10;
  const std::vector<std::int32_t> order =
      id_rng.sample(static_cast<std::int32_t>(data.id.graphs.size()), n);
  const auto num_ood = static_cast<std::int32_t>(data.ood.graphs.size());
  SGOOD_CHECK(n >= 10 && num_ood >= 1, "suite {} has {} ID and {} OOD graphs, too few to split",
              data.name, n, num_ood);

  const auto part = [&](std::int32_t first, std::int32_t last) {
    std::vector<std::int32_t> positions(order.begin() + first, order.begin() + last);
    std::sort(positions.begin(), positions.end());
    return data.id.subset(positions);
  };
  OodSuite suite;
  suite.name = data.name;
  suite.id_test = part(0, tenth);
  suite.id_val = part(tenth, 2 * tenth);
  suite.id_train = part(2 * tenth, n);
  const double wanted = std::max(1.0, std::round(tenth * sample.share / (1 - sample.share)));
  std::vector<std::int32_t> ood(static_cast<std::size_t>(std::min<double>(num_ood, wanted)));
  if (sample.order == OodOrder::kFirst)
    std::iota(ood.begin(), ood.end(), 0);
  else
    ood = ood_rng.sample(num_ood, static_cast<std::int32_t>(ood.size()));
  std::sort(ood.begin(), ood.end());
  suite.ood_test = data.ood.subset(ood);
  return suite;
}

}  // namespace sgood
