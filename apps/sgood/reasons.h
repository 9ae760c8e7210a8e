// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sgood/detectors/model.h"
#include "sgood/graph/graph_set.h"
#include "sgood/report/decision_page.h"

namespace sgood::cli {

/// The text of a file that was drawn for a page; the file goes.
std::string take_file(const std::filesystem::path& path);

/// Positions of `decisions`, highest score first.
std::vector<std::size_t> by_score(const std::vector<Decision>& decisions);

/// A graph together with why it has its score, ready to be shown.
class ExplainedGraph {
 public:
  /// `graph` belongs to `graphs`, which say what its columns mean; all must outlive this.
  ExplainedGraph(const Model& model, const GraphSet& graphs, const Graph& graph, int nearest,
                 int threads);

  const Reasons& reasons() const { return reasons_; }
  std::string text() const;
  nlohmann::ordered_json json() const;
  /// For a page; without a picture where none can be drawn, which `problem` then tells.
  JudgedGraph for_page(const std::filesystem::path& scratch, std::string& problem) const;
  /// An SVG: molecules by RDKit, other graphs by Graphviz by way of a file beside `scratch`. Throws
  /// Unavailable where what draws is missing.
  std::string picture(const std::filesystem::path& scratch) const;

 private:
  std::string verdict() const;
  std::string guess() const;
  std::string name_of(const SubstructureReason& reason) const;
  std::string seen(const SubstructureReason& reason) const;
  std::string control() const;
  /// What a contribution is.
  std::string definition() const;
  std::vector<std::string> nearest() const;

  const Model& model_;
  const Graph& graph_;
  bool molecule_;
  Reasons reasons_;
};

}  // namespace sgood::cli
