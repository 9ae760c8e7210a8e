// SPDX-License-Identifier: MIT
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/detectors/model.h"
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

/// Share of labelled graphs whose class was predicted; nothing when none is labelled.
std::optional<double> class_accuracy(const GraphSet& graphs, const std::vector<Decision>& decisions) {
  double right = 0, labelled = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const auto label = graphs.graphs[i].label();
    if (!label || !decisions[i].predicted) continue;
    ++labelled;
    right += graphs.class_names[static_cast<std::size_t>(*label)] == *decisions[i].predicted ? 1 : 0;
  }
  if (labelled == 0) return std::nullopt;
  return right / labelled;
}

nlohmann::ordered_json evaluate(const Model& model, const GraphSet& id,
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
  if (const auto accuracy = class_accuracy(id, id_decisions)) json["id_acc"] = 100 * *accuracy;
  json["alarm_rate"] = 100 * model.alarm_rate();
  json["false_alarms"] = 100 * share_flagged(id_decisions);
  json["detected"] = 100 * share_flagged(ood_decisions);
  return json;
}

std::string table(const nlohmann::ordered_json& r) {
  std::string text = fmt::format("graphs                 {} in distribution, {} out of distribution\n",
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
  const Model model = Model::load(options.model);
  DataOptions unlabelled = options.read;
  unlabelled.read.label_column = "none";
  const GraphSet id = read_data(options.id, options.read, session);
  const GraphSet ood = read_data(options.ood, unlabelled, session);
  const int threads = options.read.read.threads;
  const std::vector<Decision> id_decisions = model.score(id, threads, session.control());
  const std::vector<Decision> ood_decisions = model.score(ood, threads, session.control());
  const nlohmann::ordered_json result = evaluate(model, id, id_decisions, ood_decisions);
  session.clear_progress();
  if (!options.plot.empty()) {
    const std::vector<double> id_scores = score_values(id_decisions);
    const std::vector<double> ood_scores = score_values(ood_decisions);
    write_score_histogram(options.plot,
                          {fmt::format("AUROC {:.1f} %", result["auroc"].get<double>()), id_scores,
                           ood_scores, model.threshold()});
    session.say("wrote " + options.plot);
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
  command->add_option("--id", options->id, "In-distribution data, not used in training")->required();
  command->add_option("--ood", options->ood, "Out-of-distribution data")->required();
  command->add_flag("--json", options->json, "JSON instead of a table; values in percent");
  command->add_option("--plot", options->plot, "Draws both score histograms (.svg or .png)");
  command->add_option("-o,--output", options->output, "File to write (default: standard output)");
  add_data_options(*command, options->read);
  command->footer("Example: sgood eval model.sgood --id test.csv --ood other.smi --plot scores.svg");
  command->callback([options, &session] { eval(*options, session); });
}

}  // namespace sgood::cli
