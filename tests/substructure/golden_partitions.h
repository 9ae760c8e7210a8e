// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "sgood/graph/graph_builder.h"

namespace sgood::test {

/// golden/substructure_partitions.json.
inline const nlohmann::json& golden_partitions() {
  static const nlohmann::json json = nlohmann::json::parse(
      std::ifstream(SGOOD_TEST_FOLDER "/golden/substructure_partitions.json"));
  return json;
}

/// The graph of one entry.
inline Graph golden_graph(const nlohmann::json& entry) {
  GraphBuilder builder(entry["nodes"].get<std::int32_t>());
  const auto ends = entry["edges"].get<std::vector<std::int32_t>>();
  for (std::size_t i = 0; i < ends.size(); i += 2) builder.add_edge(ends[i], ends[i + 1]);
  return builder.build();
}

}  // namespace sgood::test
