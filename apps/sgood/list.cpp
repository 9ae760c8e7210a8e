// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "sgood/augment/augmentation.h"
#include "sgood/chem/molecule.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/engines.h"
#include "sgood/experiments/bench.h"
#include "sgood/experiments/experiment.h"
#include "sgood/substructure/partitioner.h"
#include "sgood/suites/suite.h"
#include "terminal.h"

namespace sgood::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWithoutTorch =
    " Not available: this program was built or installed without LibTorch.";

Json methods() {
  const auto all_engines = engines();
  const bool torch_available = std::any_of(
      all_engines.begin(), all_engines.end(),
      [](const EngineInfo& engine) { return engine.name == "torch" && engine.available; });
  Json rows = Json::array();
  for (const DetectorInfo& row : detectors()) {
    const char* need = !row.needs_torch ? "" : torch_available ? " Needs LibTorch." : kWithoutTorch;
    rows.push_back({{"name", row.name},
                    {"summary", row.summary + need},
                    {"reference", row.reference},
                    {"uses_labels", row.uses_labels},
                    {"needs_torch", row.needs_torch},
                    {"available", !row.needs_torch || torch_available},
                    {"options", row.make()->options().describe()}});
  }
  return rows;
}

/// Rows of any registry whose entries have a name and a summary.
template <typename Rows>
Json plain_rows(const Rows& infos) {
  Json rows = Json::array();
  for (const auto& row : infos)
    rows.push_back({{"name", std::string(row.name)}, {"summary", std::string(row.summary)}});
  return rows;
}

Json partitioner_rows() {
  Json rows = plain_rows(partitioners());
  for (Json& row : rows)
    if (!molecules_available() &&
        make_partitioner(row["name"].get<std::string>())->fragmentation() != Fragmentation::kNone)
      row["summary"] = row["summary"].get<std::string>() +
                       " Not available: this program was built without RDKit.";
  return rows;
}

/// Every experiment, with the time that its runs take on two cores of this machine, about.
Json experiment_rows() {
  Json rows = Json::array();
  for (const Experiment& experiment : experiments()) {
    double seconds = 0;
    for (const RunSpec& run : experiment_runs(experiment, {}, {}, 5))
      seconds += expected_seconds(run);
    const std::string time =
        experiment.measure != nullptr
            ? "minutes"
            : fmt::format("{} on {} cores", human_time(seconds / hardware_threads()),
                          hardware_threads());
    rows.push_back({{"name", experiment.name},
                    {"summary", fmt::format("{}. Five seeds: about {}.", experiment.title, time)},
                    {"suites", experiment.suites},
                    {"paper", experiment.caption}});
  }
  return rows;
}

Json engine_rows() {
  Json rows = Json::array();
  for (const EngineInfo& engine : engines())
    rows.push_back({{"name", engine.name},
                    {"summary", engine.summary + (engine.available ? "" : kWithoutTorch)},
                    {"available", engine.available}});
  return rows;
}

Json encoders() {
  return {{{"name", "gin"}, {"summary", "Graph isomorphism network."}},
          {{"name", "gcn"}, {"summary", "Graph convolution, normalised by degrees."}},
          {{"name", "sage"}, {"summary", "GraphSAGE with the mean of the neighbours."}}};
}

Json listing(const std::string& what) {
  if (what == "methods") return methods();
  if (what == "suites") return plain_rows(suites());
  if (what == "partitioners") return partitioner_rows();
  if (what == "augmentations") return plain_rows(augmentations());
  if (what == "experiments") return experiment_rows();
  if (what == "engines") return engine_rows();
  return encoders();
}

std::string text_of(const Json& rows) {
  std::string text;
  for (const Json& row : rows) {
    text += fmt::format("{:<24} {}\n", row["name"].get<std::string>(),
                        row["summary"].get<std::string>());
    if (!row.contains("options")) continue;
    for (const Json& option : row["options"])
      text += fmt::format("  --set {}={}\n      {} Legal: {}.\n", option["name"].get<std::string>(),
                          option["default"].is_string() ? option["default"].get<std::string>()
                                                        : option["default"].dump(),
                          option["help"].get<std::string>(), option["legal"].get<std::string>());
  }
  return text;
}

}  // namespace

void add_list(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("list", "Lists what there is to choose from");
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command
      ->add_option("what", *what,
                   "methods, suites, partitioners, augmentations, encoders, engines or experiments")
      ->required()
      ->check(CLI::IsMember({"methods", "suites", "partitioners", "augmentations", "encoders",
                             "engines", "experiments"}));
  command->add_flag("--json", *json, "JSON instead of text");
  command->footer("Example: sgood list methods");
  command->callback([what, json] {
    const Json rows = listing(*what);
    write_output("-", *json ? rows.dump(2) + "\n" : text_of(rows));
  });
}

}  // namespace sgood::cli
