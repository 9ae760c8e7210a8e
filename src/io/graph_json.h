// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// What the nodes and edges of the graphs of a file have: the first ones decide.
struct JsonColumns {
  std::vector<std::string> node_labels;  ///< Keys in the node-link form, made-up names otherwise.
  std::vector<std::string> attributes;   ///< The same; a list of numbers counts as one key.
  std::vector<std::string> edge_labels;
  std::int32_t num_attributes = 0;  ///< Numbers per node, over all keys.
  bool nodes_known = false, edges_known = false;

  bool complete() const { return nodes_known && edges_known; }
  /// Takes from `json` what is not known yet; InvalidArgument when it can't be read.
  void learn(const nlohmann::json& json);
};

/// The value of `wanted`, or of the first of `usual` when `wanted` is empty, in `json` or in its
/// object `graph`; null when there is none, also when the value is null.
const nlohmann::json* find_key(const nlohmann::json& json, const std::string& wanted,
                               std::initializer_list<const char*> usual);

/// A text, number or truth value as text.
std::string scalar_text(const nlohmann::json& value, const char* what);

/// The graph of one line. Throws InvalidArgument that names key, value and what is legal.
Graph graph_from_json(const nlohmann::json& json, const JsonColumns& columns, const std::string& id,
                      std::int64_t row);

}  // namespace sgood
