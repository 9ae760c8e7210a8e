// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/graph/graph.h"
#include "sgood/graph/graph_set.h"

namespace sgood {

/// What a network reads at each node. One-hot columns are stored as indices.
struct NodeInput {
  std::vector<std::int32_t> codes;  ///< [num_nodes, code_columns], each in [0, vocabulary).
  std::vector<float> dense;         ///< [num_nodes, num_dense]
};

/// Which part of a graph becomes node features.
enum class FeatureKind {
  kAuto,        ///< Labels if there are any, else attributes, else constant.
  kLabels,      ///< Every categorical column, one-hot (molecules: the nine OGB atom features).
  kFirstLabel,  ///< The first categorical column alone (molecules: the atomic number).
  kAttributes,  ///< The real columns, standardised with training means and deviations.
  kBoth,        ///< kLabels and kAttributes.
  kDegree,    ///< One-hot degree up to the largest training degree (at most `degree_cap`), and one
              ///< bin for everything above.
  kConstant,  ///< The constant 1.
};

/// Names used on the command line: auto labels first-label attributes both degree constant.
FeatureKind parse_feature_kind(std::string_view name);
std::string_view feature_kind_name(FeatureKind kind);

/// Turns graphs into node features with an alphabet frozen on the training graphs.
/// A categorical value that training never showed gets the column's own "unknown" code.
class FeatureEncoder {
 public:
  FeatureEncoder() = default;

  /// Learns alphabets, degree bins, means and deviations from `train` (at least one graph). Throws
  /// InvalidArgument when `kind` asks for columns that the graphs do not have.
  static FeatureEncoder fit(const GraphSet& train, FeatureKind kind, std::int32_t degree_cap = 64);

  /// Features of one graph. Throws InvalidArgument (with the graph's id) when the graph lacks
  /// columns that training had, or has another number of them.
  NodeInput encode(const Graph& graph) const;

  /// kAuto is resolved by fit().
  FeatureKind kind() const { return kind_; }
  /// One-hot columns per node.
  std::int32_t code_columns() const;
  /// Codes over all columns; column offsets are added, so codes of different columns differ.
  std::int32_t vocabulary() const;
  /// Real columns per node.
  std::int32_t num_dense() const;

  nlohmann::ordered_json to_json() const;
  /// Throws InvalidArgument on anything that to_json() could not have written.
  static FeatureEncoder from_json(const nlohmann::ordered_json& json);

 private:
  FeatureKind kind_ = FeatureKind::kConstant;
  /// Known raw values per categorical column, ascending; the unknown code follows the last.
  std::vector<std::vector<std::int32_t>> alphabets_;
  std::int32_t num_label_columns_ = 0;  ///< Categorical columns that a graph must have.
  std::int32_t max_degree_ = 0;         ///< kDegree: degrees above share the overflow bin.
  std::vector<double> means_;           ///< [num_dense]
  std::vector<double> deviations_;      ///< [num_dense], positive; 1 for a constant column.
};

}  // namespace sgood
