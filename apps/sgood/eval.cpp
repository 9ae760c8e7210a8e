// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/report/score_histogram.h"

namespace sgood::cli {
namespace {

struct EvalOptions {
  std::string model, id, ood, plot, output = "-";
  DataOptions read;
  bool json = false;
};

std::vector<double> score_values(const std::vector<Decision>& decisions) {
  std::vector<double> values;
  for (const Decision& d : decisions) values.push_back(d.score);
  return values;
}

double share_flagged(const std::vector<Decision>& decisions) {
  double count = 0;
  for (const Decision& d : decisions) count += d.is_ood ? 1 : 0;
  return count / static_cast<double>(decisions.size());
}

/// Over the graphs whose class the model knows.
struct ClassAccuracy {
  double right = 0, judged = 0;
  int unknown = 0;  ///< Graphs of classes that training did not have.
};

ClassAccuracy class_accuracy(const Model& model, const GraphSet& graphs,
                             const std::vector<Decision>& decisions) {
  ClassAccuracy accuracy;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const auto label = graphs.graphs[i].label();
    if (!label || !decisions[i].predicted) continue;
    const std::string& name = graphs.class_names[static_cast<std::size_t>(*label)];
    if (std::ranges::find(model.class_names(), name) == model.class_names().end()) {
      ++accuracy.unknown;
      continue;
    }
    ++accuracy.judged;
    accuracy.right += name == *decisions[i].predicted ? 1 : 0;
  }
  return accuracy;
}

nlohmann::ordered_json evaluate(const Model& model, const ClassAccuracy& accuracy,
                                const std::vector<Decision>& id_decisions,
                                const std::vector<Decision>& ood_decisions) {
  const OodMetrics m = ood_metrics(score_values(id_decisions), score_values(ood_decisions));
  nlohmann::ordered_json json;
  json["n_id"] = m.num_id;
  json["n_ood"] = m.num_ood;
  json["auroc"] = 100 * m.auroc;
  json["auroc_interval"] = {100 * m.auroc_low, 100 * m.auroc_high};
  json["aupr"] = 100 * m.aupr;
  json["fpr95"] = 100 * m.fpr95;
  json["aupr_id"] = 100 * m.aupr_id;
  json["fpr95_id"] = 100 * m.fpr95_id;
  if (accuracy.judged > 0) json["id_acc"] = 100 * accuracy.right / accuracy.judged;
  json["alarm_rate"] = 100 * model.alarm_rate();
  json["false_alarms"] = 100 * share_flagged(id_decisions);
  json["detected"] = 100 * share_flagged(ood_decisions);
  return json;
}

std::string table(const nlohmann::ordered_json& r) {
  std::string text =
      fmt::format("graphs                 {} in distribution, {} out of distribution\n",
                  r["n_id"].get<int>(), r["n_ood"].get<int>());
  const auto line = [&](const char* name, const char* key, const std::string& remark) {
    if (r.contains(key))
      text += fmt::format("{:<22} {:5.1f} %  {}\n", name, r[key].get<double>(), remark);
  };
  line("AUROC", "auroc",
       fmt::format("95 % interval {:.1f} to {:.1f}", r["auroc_interval"][0].get<double>(),
                   r["auroc_interval"][1].get<double>()));
  line("AUPR", "aupr", "OOD positive");
  line("FPR95", "fpr95", "ID flagged when 95 % of OOD is caught");
  line("FPR95, ID positive", "fpr95_id", "OOD accepted when 95 % of ID is accepted");
  line("class accuracy", "id_acc", "on the ID graphs");
  line("false alarms", "false_alarms",
       fmt::format("ID flagged at the model's threshold (promised: {:g} %)",
                   r["alarm_rate"].get<double>()));
  line("detected", "detected", "OOD flagged at the same threshold");
  return text;
}

void eval(const EvalOptions& options, Session& session) {
  check_output(options.output, {options.model, options.id, options.ood});
  if (!options.plot.empty()) check_output(options.plot, {options.model, options.id, options.ood});
  const Model model = Model::load(options.model);
  DataOptions unlabelled = options.read;
  unlabelled.read.label_column = "none";
  const GraphSet id =
      read_data(options.id, options.read, session, model.detector().fragmentation());
  const GraphSet ood =
      read_data(options.ood, unlabelled, session, model.detector().fragmentation());
  for (const GraphSet* part : {&id, &ood})
    SGOOD_CHECK(!part->graphs.empty(), "{} has no graph that can be read", part->source);
  const std::vector<Decision> id_decisions =
      score_graphs(model, id, options.read, session.control());
  const std::vector<Decision> ood_decisions =
      score_graphs(model, ood, options.read, session.control());
  const ClassAccuracy accuracy = class_accuracy(model, id, id_decisions);
  if (accuracy.unknown > 0)
    session.say(
        fmt::format("class accuracy leaves out {} graphs of classes that the model does not "
                    "know; it knows {}",
                    accuracy.unknown, fmt::join(model.class_names(), ", ")));
  const nlohmann::ordered_json result = evaluate(model, accuracy, id_decisions, ood_decisions);
  session.clear_progress();
  if (!options.plot.empty()) {
    const std::vector<double> id_scores = score_values(id_decisions);
    const std::vector<double> ood_scores = score_values(ood_decisions);
    write_score_histogram(options.plot,
                          {fmt::format("AUROC {:.1f} %", result["auroc"].get<double>()), id_scores,
                           ood_scores, model.threshold()});
    session.say_wrote(options.plot);
  }
  write_output(options.output, options.json ? result.dump(2) + "\n" : table(result));
}

}  // namespace

void add_eval(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("eval", "Measures how well a model separates known ID and OOD graphs");
  auto options = std::make_shared<EvalOptions>();
  options->read.on_error = "skip";
  command->add_option("model", options->model, "Model file")->required();
  command->add_option("--id", options->id, "In-distribution data, not used in training")
      ->required();
  command->add_option("--ood", options->ood, "Out-of-distribution data")->required();
  command->add_flag("--json", options->json, "JSON instead of a table; values in percent");
  command->add_option("--plot", options->plot, "Draws both score histograms (.svg or .png)");
  command->add_option("-o,--output", options->output, "File to write (default: standard output)");
  add_data_options(*command, options->read);
  command->footer(
      "Example: sgood eval model.sgood --id test.csv --ood other.smi --plot scores.svg");
  command->callback([options, &session] { eval(*options, session); });
}

}  // namespace sgood::cli
