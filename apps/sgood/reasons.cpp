// SPDX-License-Identifier: MIT
#include "reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "sgood/chem/molecule_picture.h"
#include "sgood/core/error.h"
#include "sgood/report/graph_picture.h"

namespace sgood::cli {
namespace {

constexpr std::size_t kPartsShown = 8;

/// "6 nodes, 7 edges", with the first labels if there are any: "4 of label 0, 2 of label 1".
std::string shape_of(const Graph& graph, const std::vector<std::int32_t>& nodes) {
  std::int32_t edges = 0;
  std::map<std::int32_t, int> labels;
  for (const std::int32_t v : nodes) {
    for (const std::int32_t u : graph.neighbors(v))
      edges += u > v && std::ranges::binary_search(nodes, u) ? 1 : 0;
    if (graph.num_label_columns() > 0) ++labels[graph.node_labels(v)[0]];
  }
  std::string text = fmt::format("{} node{}, {} edge{}", nodes.size(), nodes.size() == 1 ? "" : "s",
                                 edges, edges == 1 ? "" : "s");
  std::vector<std::string> parts;
  for (const auto& [label, count] : labels)
    parts.push_back(fmt::format("{} of label {}", count, label));
  return parts.empty() ? text : fmt::format("{} ({})", text, fmt::join(parts, ", "));
}

}  // namespace

std::string take_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  file.close();
  std::filesystem::remove(path);
  return text;
}

std::vector<std::size_t> by_score(const std::vector<Decision>& decisions) {
  std::vector<std::size_t> order(decisions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t g) { return decisions[g].score; });
  return order;
}

ExplainedGraph::ExplainedGraph(const Model& model, const GraphSet& graphs, const Graph& graph,
                               int nearest, int threads)
    : model_(model),
      graph_(graph),
      molecule_(are_molecules(graphs)),
      reasons_(model.explain(graph, nearest, threads)) {}

std::string ExplainedGraph::verdict() const {
  const Decision& d = reasons_.decision;
  return fmt::format("{}: score {:.6g}, {} the threshold {:.6g}; p-value {:.3g}",
                     d.is_ood ? "out of distribution" : "in distribution", d.score,
                     d.is_ood ? "above" : "not above", model_.threshold(), d.p_value);
}

std::string ExplainedGraph::guess() const {
  const Decision& d = reasons_.decision;
  if (!d.predicted) return "";
  return fmt::format("predicted class {}{}{}", *d.predicted,
                     d.probability ? fmt::format(", probability {:.3g}", *d.probability) : "",
                     d.is_ood ? "; do not rely on it" : "");
}

std::string ExplainedGraph::name_of(const SubstructureReason& reason) const {
  return molecule_ ? fragment_smiles(graph_, reason.nodes) : shape_of(graph_, reason.nodes);
}

std::string ExplainedGraph::seen(const SubstructureReason& reason) const {
  return fmt::format("in {} of {} training graphs", reason.training_graphs,
                     model_.unique_substructures().graphs);
}

std::string ExplainedGraph::control() const {
  const auto [with_unique, graphs] = model_.unique_substructures();
  return fmt::format(
      "for comparison: {:.3g} % of the training graphs have a substructure that no "
      "other training graph has",
      100.0 * with_unique / std::max(graphs, 1));
}

std::string ExplainedGraph::definition() const {
  return reasons_.shares ? "what each substructure carries of the score"
                         : "what the score falls by when a substructure is deleted";
}

std::vector<std::string> ExplainedGraph::nearest() const {
  std::vector<std::string> lines;
  for (const ScoreTerm& term : reasons_.method.terms) {
    std::vector<std::string> graphs;
    for (const NearGraph& near : term.nearest)
      graphs.push_back(fmt::format("{} ({:.4g})", near.id, near.distance));
    std::string line =
        reasons_.method.terms.size() > 1
            ? fmt::format("view {}: contributes {:+.4g}", term.name, term.contribution)
            : "";
    if (!graphs.empty())
      line += fmt::format("{}nearest training graphs by {}: {}", line.empty() ? "" : "; ",
                          term.name, fmt::join(graphs, ", "));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::string ExplainedGraph::text() const {
  std::string text = fmt::format("{}: {}\n", graph_.id(), verdict());
  if (!guess().empty()) text += fmt::format("  {}\n", guess());
  text +=
      reasons_.substructures.empty() ? "  it has no nodes\n" : fmt::format("  {}:\n", definition());
  for (std::size_t i = 0; i < std::min(kPartsShown, reasons_.substructures.size()); ++i) {
    const SubstructureReason& reason = reasons_.substructures[i];
    text += fmt::format("  {:>10}  {}  {}  nodes {}\n",
                        reason.contribution ? fmt::format("{:+.4g}", *reason.contribution) : "all",
                        name_of(reason), seen(reason), fmt::join(reason.nodes, " "));
  }
  if (reasons_.substructures.size() > kPartsShown)
    text += fmt::format("  and {} more\n", reasons_.substructures.size() - kPartsShown);
  if (reasons_.shares && reasons_.method.elsewhere > 0)
    text += fmt::format("  {:>+10.4g}  no node stands for: size, and what the graph lacks\n",
                        reasons_.method.elsewhere);
  text += fmt::format("  {}\n", control());
  for (const std::string& line : nearest()) text += fmt::format("  {}\n", line);
  return text;
}

nlohmann::ordered_json ExplainedGraph::json() const {
  using Json = nlohmann::ordered_json;
  const Decision& d = reasons_.decision;
  Json json = {
      {"id", graph_.id()},
      {"row", graph_.row()},
      {"score", d.score},
      {"p_value", d.p_value},
      {"is_ood", d.is_ood},
      {"threshold", std::isfinite(model_.threshold()) ? Json(model_.threshold()) : Json()}};
  if (d.predicted) json["predicted"] = *d.predicted;
  if (d.probability) json["probability"] = *d.probability;
  json["contribution_is"] = definition();
  json["substructures"] = Json::array();
  for (const SubstructureReason& reason : reasons_.substructures)
    json["substructures"].push_back(
        {{"name", name_of(reason)},
         {"nodes", reason.nodes},
         {"contribution", reason.contribution ? Json(*reason.contribution) : Json()},
         {"fall", reason.fall ? Json(*reason.fall) : Json()},
         {"training_graphs", reason.training_graphs}});
  const auto [with_unique, graphs] = model_.unique_substructures();
  json["training_graphs"] = graphs;
  json["training_graphs_with_unique_substructure"] = with_unique;
  json["terms"] = Json::array();
  for (const ScoreTerm& term : reasons_.method.terms) {
    Json near = Json::array();
    for (const NearGraph& one : term.nearest)
      near.push_back({{"id", one.id}, {"position", one.position}, {"distance", one.distance}});
    json["terms"].push_back({{"name", term.name},
                             {"value", term.value},
                             {"contribution", term.contribution},
                             {"nearest", near}});
  }
  json["parts"] = Json::array();
  for (const UnusualPart& part : reasons_.method.parts)
    json["parts"].push_back({{"kind", part.kind},
                             {"radius", part.radius},
                             {"nodes", part.nodes},
                             {"in_nearest", part.in_nearest},
                             {"training_graphs", part.training_graphs},
                             {"weight", part.weight}});
  return json;
}

std::string ExplainedGraph::picture(const std::filesystem::path& scratch) const {
  std::vector<double> shades(static_cast<std::size_t>(graph_.num_nodes()), 0.0);
  std::vector<std::int32_t> blocks(shades.size(), 0);
  double largest = 0;
  for (const SubstructureReason& reason : reasons_.substructures)
    largest = std::max(largest, std::abs(reason.contribution.value_or(0)));
  std::int32_t block = 0;
  for (const SubstructureReason& reason : reasons_.substructures) {
    for (const std::int32_t v : reason.nodes) {
      if (largest > 0)
        shades[static_cast<std::size_t>(v)] = reason.contribution.value_or(0) / largest;
      blocks[static_cast<std::size_t>(v)] = block;
    }
    ++block;
  }
  if (molecule_) return draw_molecule(graph_, shades);
  std::filesystem::path file = scratch;
  file += ".drawing.svg";
  write_graph_picture(file, graph_, shades, blocks);
  return take_file(file);
}

JudgedGraph ExplainedGraph::for_page(const std::filesystem::path& scratch,
                                     std::string& problem) const {
  JudgedGraph judged{graph_.id(), verdict(), definition(), {}, {}, ""};
  if (!guess().empty()) judged.notes.push_back(guess());
  for (std::string& line : nearest()) judged.notes.push_back(std::move(line));
  judged.notes.push_back(control());
  for (std::size_t i = 0; i < std::min(kPartsShown, reasons_.substructures.size()); ++i) {
    const SubstructureReason& reason = reasons_.substructures[i];
    judged.parts.push_back({name_of(reason), fmt::format("{}", fmt::join(reason.nodes, " ")),
                            reason.contribution, seen(reason)});
  }
  try {
    judged.svg = picture(scratch);
  } catch (const Unavailable& error) {
    problem = error.what();
  }
  return judged;
}

}  // namespace sgood::cli
