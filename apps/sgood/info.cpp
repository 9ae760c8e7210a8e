// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"

namespace sgood::cli {
namespace {

struct InfoOptions {
  std::string path;
  DataOptions read;
  bool json = false;
};

nlohmann::ordered_json spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (const double v : values) sum += v;
  return {{"mean", sum / static_cast<double>(values.size())},
          {"min", values.front()},
          {"median", values[values.size() / 2]},
          {"max", values.back()}};
}

nlohmann::ordered_json describe(const GraphSet& data) {
  nlohmann::ordered_json json;
  json["source"] = data.source;
  json["rows"] = data.num_rows();
  json["graphs"] = data.graphs.size();
  json["unreadable_rows"] = data.bad_rows.size();
  std::map<std::string, int> classes;
  std::int64_t unlabelled = 0;
  std::vector<double> nodes, edges;
  std::int64_t isolated = 0;
  for (const Graph& graph : data.graphs) {
    nodes.push_back(graph.num_nodes());
    edges.push_back(graph.num_edges());
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) isolated += graph.degree(v) == 0 ? 1 : 0;
    if (graph.label())
      ++classes[data.class_names[static_cast<std::size_t>(*graph.label())]];
    else
      ++unlabelled;
  }
  json["classes"] = classes;
  json["unlabelled"] = unlabelled;
  if (!data.graphs.empty()) {
    json["nodes"] = spread(nodes);
    json["edges"] = spread(edges);
    json["isolated_nodes"] = isolated;
    json["node_attributes"] = data.graphs[0].num_attributes();
  }
  json["node_labels"] = data.node_label_names;
  json["edge_labels"] = data.edge_label_names;
  json["notes"] = data.notes;
  return json;
}

std::string plain(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& part : value) parts.push_back(plain(part));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

/// One `name: value` line per entry, nested entries indented.
void print(const nlohmann::ordered_json& json, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object() || (value.is_array() && !value.empty() && value[0].is_object())) {
      text += fmt::format("{}{}:\n", indent, key);
      print(value, indent + "  ", text);
    } else {
      text += fmt::format("{}{}: {}\n", indent, key, plain(value));
    }
  }
}

void info(const InfoOptions& options, Session& session) {
  const nlohmann::ordered_json json = is_data(options.path, options.read.read.format)
                                          ? describe(read_data(options.path, options.read, session))
                                          : Model::load(options.path).describe();
  session.clear_progress();
  std::string text;
  if (options.json)
    text = json.dump(2) + "\n";
  else
    print(json, "", text);
  write_output("-", text);
}

}  // namespace

void add_info(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("info", "Describes a model file or data");
  auto options = std::make_shared<InfoOptions>();
  options->read.on_error = "mark";
  command->add_option("path", options->path, "Model file, TU folder or molecules")->required();
  command->add_flag("--json", options->json, "JSON instead of text");
  add_data_options(*command, options->read);
  command->footer("Example: sgood info model.sgood");
  command->callback([options, &session] { info(*options, session); });
}

}  // namespace sgood::cli
