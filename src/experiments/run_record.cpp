// SPDX-License-Identifier: MIT
#include "sgood/experiments/run_record.h"

#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"

namespace sgood {
namespace {

using Json = nlohmann::ordered_json;

/// Options of `spec` whose values are not the default, in the order of the method's table.
Json changed_options(const RunSpec& spec) {
  const auto detector = make_detector(spec.method);
  const OptionTable table = detector->options();
  const Json before = table.values();
  for (const auto& [name, value] : spec.options) table.set(name, value);
  const Json after = table.values();
  Json changed = Json::object();
  for (const auto& [name, value] : after.items())
    if (value != before.at(name)) changed[name] = value;
  return changed;
}

Json to_json(const ScoreSummary& scores) {
  return {{"mean", scores.mean}, {"quantiles", scores.quantiles}};
}

ScoreSummary scores_from(const Json& json) {
  return {json.at("mean").get<double>(), json.at("quantiles").get<std::vector<double>>()};
}

}  // namespace

std::string RunSpec::key() const {
  Json changed = changed_options(*this);
  changed.erase("device");  // says where a run was made, not what was run
  std::string key = fmt::format("{} {} {} {} {}", suite, method, changed.dump(), seed, split_seed);
  if (ood.order == OodOrder::kFirst) key += " first";
  if (ood.share != OodSample().share) key += fmt::format(" share {}", ood.share);
  return key;
}

Json RunRecord::to_json() const {
  Json json;
  json["version"] = kResultsVersion;
  json["suite"] = spec.suite;
  json["method"] = spec.method;
  json["set"] = changed_options(spec);
  json["seed"] = spec.seed;
  json["split_seed"] = spec.split_seed;
  if (spec.ood.order == OodOrder::kFirst) json["ood_order"] = "first";
  if (spec.ood.share != OodSample().share) json["ood_share"] = spec.ood.share;
  json["n_id"] = ood.num_id;
  json["n_ood"] = ood.num_ood;
  json["auroc"] = ood.auroc;
  json["auroc_error"] = ood.auroc_error;
  json["aupr"] = ood.aupr;
  json["fpr95"] = ood.fpr95;
  json["aupr_id"] = ood.aupr_id;
  json["fpr95_id"] = ood.fpr95_id;
  json["id_acc"] = id_accuracy;
  json["false_alarms"] = false_alarms;
  json["detected"] = detected;
  if (null_auroc) json["null_auroc"] = *null_auroc;
  json["size_audit"] = {{"nodes", audit.nodes}, {"edges", audit.edges}, {"density", audit.density}};
  if (copies) json["copies"] = {{"id", copies->id}, {"ood", copies->ood}};
  json["id_scores"] = sgood::to_json(id_scores);
  json["ood_scores"] = sgood::to_json(ood_scores);
  json["epoch_seconds"] = Json::object();
  for (const auto& [stage, seconds] : epoch_seconds) json["epoch_seconds"][stage] = seconds;
  json["fit_seconds"] = fit_seconds;
  json["score_seconds"] = score_seconds;
  json["remarks"] = remarks;
  return json;
}

RunRecord RunRecord::from_json(const Json& json) {
  try {
    RunRecord run;
    run.spec = {json.at("suite").get<std::string>(),
                json.at("method").get<std::string>(),
                {},
                json.at("seed").get<std::uint64_t>(),
                json.at("split_seed").get<std::uint64_t>()};
    if (json.value("ood_order", "") == "first") run.spec.ood.order = OodOrder::kFirst;
    run.spec.ood.share = json.value("ood_share", OodSample().share);
    for (const auto& [name, value] : json.at("set").items())
      run.spec.options.emplace_back(name,
                                    value.is_string() ? value.get<std::string>() : value.dump());
    run.ood.num_id = json.at("n_id").get<std::int64_t>();
    run.ood.num_ood = json.at("n_ood").get<std::int64_t>();
    run.ood.auroc = json.at("auroc").get<double>();
    run.ood.auroc_error = json.at("auroc_error").get<double>();
    run.ood.aupr = json.at("aupr").get<double>();
    run.ood.fpr95 = json.at("fpr95").get<double>();
    run.ood.aupr_id = json.at("aupr_id").get<double>();
    run.ood.fpr95_id = json.at("fpr95_id").get<double>();
    run.id_accuracy = json.at("id_acc").get<double>();
    run.false_alarms = json.at("false_alarms").get<double>();
    run.detected = json.at("detected").get<double>();
    if (json.contains("null_auroc")) run.null_auroc = json["null_auroc"].get<double>();
    if (json.contains("copies"))
      run.copies = {json["copies"].at("id").get<double>(), json["copies"].at("ood").get<double>()};
    const Json& audit = json.at("size_audit");
    run.audit = {audit.at("nodes").get<double>(), audit.at("edges").get<double>(),
                 audit.at("density").get<double>()};
    run.id_scores = scores_from(json.at("id_scores"));
    run.ood_scores = scores_from(json.at("ood_scores"));
    for (const auto& [stage, seconds] : json.at("epoch_seconds").items())
      run.epoch_seconds.emplace_back(stage, seconds.get<double>());
    run.fit_seconds = json.at("fit_seconds").get<double>();
    run.score_seconds = json.at("score_seconds").get<double>();
    run.remarks = json.at("remarks").get<std::vector<std::string>>();
    return run;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(fmt::format("this is not a stored run: {}", error.what()));
  }
}

ScoreSummary summarize_scores(std::vector<double> scores) {
  SGOOD_ASSERT(!scores.empty());
  constexpr int kSteps = 16;
  ScoreSummary summary;
  summary.mean =
      std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
  std::sort(scores.begin(), scores.end());
  for (int q = 0; q <= kSteps; ++q)
    summary.quantiles.push_back(scores[(scores.size() - 1) * static_cast<std::size_t>(q) / kSteps]);
  return summary;
}

}  // namespace sgood
