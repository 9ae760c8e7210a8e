// SPDX-License-Identifier: MIT
#include "sgood/experiments/experiment.h"

#include <algorithm>
#include <cmath>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"
#include "sgood/experiments/covariance.h"
#include "sgood/experiments/decisions.h"
#include "sgood/experiments/explanations.h"
#include "src/experiments/paper/tables.h"

namespace sgood {
namespace {

Experiment covariance() {
  return {.name = "covariance",
          .title = "Covariance estimates",
          .caption = "Held-out ID log density under each estimate: how the default was chosen.",
          .suites = paper::kSixSuites,
          .variants = {},
          .measure = run_covariance};
}

Experiment explanations() {
  return {.name = "explanations",
          .title = "Explanations by deletion",
          .caption = "Not in the paper: by how much the score falls without one substructure.",
          .suites = {"motif", "enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood"},
          .variants = {},
          .measure = run_explanations};
}

Experiment decisions() {
  return {.name = "decisions",
          .title = "False alarms",
          .caption = "Not in the paper: what a calibration promises, on graphs that are all ID.",
          .suites = {"motif", "enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood"},
          .variants = {},
          .measure = run_decisions};
}

Experiment audit() {
  return {.name = "audit",
          .title = "What no training gives",
          .caption = "Not in the paper: distances of a few numbers per graph.",
          .suites = paper::kAllSuites,
          .metrics = {Metric::kAuroc, Metric::kAupr, Metric::kFpr95},
          .variants = untrained_variants()};
}

/// What each part of `wl-density` is worth.
Experiment density() {
  const auto row = [](const char* label, Settings options) {
    return Variant{label, "wl-density", std::move(options), {}};
  };
  return {
      .name = "wl-density",
      .title = "WL density and its parts",
      .caption =
          "Not in the paper. Chirality marks alone make much of bace, and the 2-core view sees the "
          "scaffolds by which bace, bbbp and hiv were split; the rows without them tell how much.",
      .suites = {"enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood", "hiv"},
      .metrics = {Metric::kAuroc, Metric::kAupr, Metric::kFpr95},
      .variants = {
          row("all parts", {}),
          row("no chirality", {{"columns", "no-chirality"}}),
          row("elements only, no bonds", {{"columns", "first"}, {"edge_labels", "false"}}),
          row("no 2-core view", {{"views", "size+whole"}}),
          row("no chirality, no 2-core, no weights",
              {{"columns", "no-chirality"}, {"views", "size+whole"}, {"idf", "false"}}),
          row("elements only, no 2-core, no weights", {{"columns", "first"},
                                                       {"edge_labels", "false"},
                                                       {"views", "size+whole"},
                                                       {"idf", "false"}}),
          row("no size view", {{"views", "whole+core"}}),
          row("whole graph only", {{"views", "whole"}}),
          row("2-core only", {{"views", "core"}}),
          row("size only", {{"views", "size"}}),
          row("no weights", {{"idf", "false"}}),
          row("Fisher instead of clipped sum", {{"combine", "fisher"}}),
      }};
}

}  // namespace

bool method_exists(std::string_view method) {
  const auto& rows = detectors();
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.name == method; });
}

std::string_view metric_name(Metric metric) {
  switch (metric) {
    case Metric::kAuroc:
      return "auroc";
    case Metric::kAupr:
      return "aupr";
    case Metric::kFpr95:
      return "fpr95";
    case Metric::kIdAccuracy:
      return "id-accuracy";
    case Metric::kEpochSeconds:
      return "epoch-seconds";
  }
  return "";
}

std::optional<double> metric_of(const RunRecord& run, Metric metric) {
  switch (metric) {
    case Metric::kAuroc:
      return 100 * run.ood.auroc;
    case Metric::kAupr:
      return 100 * run.ood.aupr;
    case Metric::kFpr95:
      return 100 * run.ood.fpr95;
    case Metric::kIdAccuracy:
      return run.id_accuracy > 0 ? std::optional(100 * run.id_accuracy) : std::nullopt;
    case Metric::kEpochSeconds:
      return run.epoch_seconds.empty() ? std::nullopt
                                       : std::optional(run.epoch_seconds.back().second);
  }
  return std::nullopt;
}

const std::vector<Variant>& untrained_variants() {
  static const std::vector<Variant> rows = {{"node count", "size", {}, {}},
                                            {"statistics, 5-NN", "stats-knn", {}, {}},
                                            {"WL subtrees, 5-NN", "wl-knn", {}, {}},
                                            {"untrained network", "random-gin", {}, {}},
                                            {"WL density", "wl-density", {}, {}}};
  return rows;
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> rows = {
      paper::unseen_substructures(),
      paper::main_table(),
      paper::id_accuracy(),
      paper::ablation(),
      paper::score_distributions(),
      paper::substructures(),
      paper::subgraph_models(),
      paper::augmentations(),
      paper::backbones(),
      paper::epoch_time(),
      paper::pretraining_epochs(),
      paper::alpha(),
      paper::batch_size(),
      paper::view_pairs(),
      paper::layers(),
      covariance(),
      audit(),
      density(),
      explanations(),
      decisions(),
  };
  return rows;
}

const Experiment& find_experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const Experiment& row : experiments()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("there is no experiment '{}'; known are {}", name, fmt::join(names, ", ")));
}

std::vector<RunSpec> experiment_runs(const Experiment& experiment,
                                     const std::vector<std::string>& suites,
                                     const std::vector<std::string>& methods, std::int32_t seeds) {
  const auto chosen = [](const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<RunSpec> runs;
  for (std::size_t s = 0; s < experiment.suites.size(); ++s) {
    if (!chosen(suites, experiment.suites[s])) continue;
    for (const Variant& variant : experiment.variants) {
      if (!chosen(methods, variant.method) || !method_exists(variant.method)) continue;
      // Where the paper left a cell empty the variant does not apply.
      if (!variant.paper.empty() && std::isnan(variant.paper[0][s])) continue;
      const std::int32_t count = experiment.figure == Figure::kDistributions ? 1 : seeds;
      for (std::int32_t seed = 0; seed < count; ++seed)
        runs.push_back({experiment.suites[s], variant.method, variant.options,
                        static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(seed)});
    }
  }
  return runs;
}

std::optional<double> paper_value(std::string_view suite, std::string_view method, Metric metric) {
  for (const char* name : {"main", "id-accuracy", "epoch-time"}) {
    const Experiment& experiment = find_experiment(name);
    for (std::size_t m = 0; m < experiment.metrics.size(); ++m)
      for (std::size_t s = 0; s < experiment.suites.size(); ++s)
        for (const Variant& variant : experiment.variants)
          if (experiment.metrics[m] == metric && experiment.suites[s] == suite &&
              variant.method == method)
            return variant.paper[m][s];
  }
  return std::nullopt;
}

std::string markdown_table(const nlohmann::ordered_json& rows) {
  if (rows.empty()) return "";
  std::string header = "|", rule = "|", body;
  for (const auto& column : rows[0].items()) {
    header += fmt::format(" {} |", column.key());
    const bool numbers = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return row.at(column.key()).is_number();
    });
    rule += numbers ? "---:|" : "---|";
  }
  for (const auto& row : rows) {
    body += "|";
    for (const auto& [key, value] : row.items()) {
      if (value.is_number_float())
        body += fmt::format(" {:.2f} |", value.get<double>());
      else
        body += fmt::format(" {} |", value.is_string() ? value.get<std::string>()
                                     : value.is_null() ? std::string("-")
                                                       : value.dump());
    }
    body += "\n";
  }
  return header + "\n" + rule + "\n" + body;
}

}  // namespace sgood
