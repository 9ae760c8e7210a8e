// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"

namespace sgood::cli {
namespace {

struct ScoreOptions {
  std::string model, data, output = "-", format = "csv";
  DataOptions read;
  std::optional<double> alarm_rate;  ///< The model's own when not given.
};

/// A CSV field, quoted when it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_row(const std::string& id, const Decision* decision, const std::string& error) {
  if (decision == nullptr) return fmt::format("{},,,,,,{}\n", csv_field(id), csv_field(error));
  return fmt::format("{},{},{:.6g},{},{},{},\n", csv_field(id), decision->score, decision->p_value,
                     decision->is_ood ? "true" : "false",
                     csv_field(decision->predicted.value_or("")),
                     decision->probability ? fmt::format("{:.6g}", *decision->probability) : "");
}

std::string json_row(const std::string& id, const Decision* decision, const std::string& error) {
  nlohmann::ordered_json row = {{"id", id}};
  if (decision == nullptr) {
    row["error"] = error;
  } else {
    row["score"] = decision->score;
    row["p_value"] = decision->p_value;
    row["is_ood"] = decision->is_ood;
    if (decision->predicted) row["predicted"] = *decision->predicted;
    if (decision->probability) row["probability"] = *decision->probability;
  }
  return row.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

void score(const ScoreOptions& options, Session& session) {
  check_output(options.output, {options.model, options.data});
  Model model = Model::load(options.model);
  if (options.alarm_rate) model.set_alarm_rate(*options.alarm_rate);
  const GraphSet data =
      read_data(options.data, options.read, session, model.detector().fragmentation());
  const std::vector<Decision> decisions = score_graphs(model, data, options.read, session);
  session.clear_progress();

  const bool csv = options.format == "csv";
  const auto row = csv ? csv_row : json_row;
  std::string text = csv ? "id,score,p_value,is_ood,predicted,probability,error\n" : "";
  // Graphs and unreadable rows are both ascending by row; merged, they are the input's order.
  std::size_t g = 0, b = 0;
  while (g < data.graphs.size() || b < data.bad_rows.size()) {
    const bool graph_next = b == data.bad_rows.size() ||
                            (g < data.graphs.size() && data.graphs[g].row() < data.bad_rows[b].row);
    if (graph_next) {
      text += row(data.graphs[g].id(), &decisions[g], "");
      ++g;
    } else {
      text += row(data.bad_rows[b].id, nullptr, data.bad_rows[b].reason);
      ++b;
    }
  }
  write_output(options.output, text);
  const auto flagged = std::ranges::count_if(decisions, [](const Decision& d) { return d.is_ood; });
  session.say(fmt::format("{} graphs scored, {} called OOD", decisions.size(), flagged));
  if (!data.bad_rows.empty())
    session.say(fmt::format("{} rows could not be read: see their error", data.bad_rows.size()));
}

}  // namespace

void add_score(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("score", "Scores graphs: one row per input row, in input order");
  auto options = std::make_shared<ScoreOptions>();
  options->read.on_error = "mark";
  options->read.read.label_column = "none";
  command->add_option("model", options->model, "Model file")->required();
  command
      ->add_option(
          "data", options->data,
          "TU folder, molecules (.csv .tsv .smi, also .gz), or - for CSV on standard input")
      ->required();
  command->add_option("-o,--output", options->output, "File to write (default: standard output)");
  command->add_option("--format", options->format, "csv or jsonl")
      ->check(CLI::IsMember({"csv", "jsonl"}))
      ->capture_default_str();
  command
      ->add_option("--alarm-rate", options->alarm_rate,
                   "Other share of in-distribution graphs that may be called OOD")
      ->check(CLI::Range(0.0, 1.0));
  add_data_options(*command, options->read);
  command->footer(
      "Columns: id, score (higher = more OOD), p_value (share of in-distribution graphs at least\n"
      "as unusual), is_ood, predicted class, its probability, error.\n"
      "Example: sgood score model.sgood library.smi -o scores.csv");
  command->callback([options, &session] { score(*options, session); });
}

}  // namespace sgood::cli
