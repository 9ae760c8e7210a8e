// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"

namespace sgood::cli {
namespace {

struct FitOptions {
  std::string data, output, calibration, checkpoint, features;
  DataOptions read;
  ModelSettings settings;
  std::uint64_t seed = 0;
  std::vector<std::string> set;
};

/// "1513 graphs, 2 classes: 0 (822), 1 (691)"
std::string summary(const GraphSet& data) {
  const std::size_t classes = data.class_names.size();
  std::string text = fmt::format("{} graphs, ", data.graphs.size());
  if (classes == 0) return text + "no classes, so none can be predicted (see --labels)";
  std::vector<std::int64_t> sizes(classes);
  for (const Graph& graph : data.graphs)
    if (graph.label()) ++sizes[static_cast<std::size_t>(*graph.label())];
  constexpr std::size_t kShown = 10;
  std::vector<std::string> shown;
  for (std::size_t c = 0; c < std::min(classes, kShown); ++c)
    shown.push_back(fmt::format("{} ({})", data.class_names[c], sizes[c]));
  if (classes > kShown) shown.emplace_back("...");
  return text + fmt::format("{} {}: {}", classes, classes == 1 ? "class" : "classes",
                            fmt::join(shown, ", "));
}

/// Graphs without a class among those that have one: an error, or left out with --on-error skip.
GraphSet with_classes(GraphSet data, const std::string& on_error, Session& session) {
  std::vector<std::int32_t> labelled;
  for (std::size_t i = 0; i < data.graphs.size(); ++i)
    if (data.graphs[i].label()) labelled.push_back(static_cast<std::int32_t>(i));
  const std::size_t missing = data.graphs.size() - labelled.size();
  if (missing == 0 || labelled.empty()) return data;
  SGOOD_CHECK(on_error == "skip",
              "{}: {} of {} graphs have no class; leave them out with --on-error skip, or train "
              "without classes: --labels none",
              data.source, missing, data.graphs.size());
  session.say(fmt::format("{}: {} graphs without a class left out", data.source, missing));
  return data.subset(labelled);
}

/// A column of measurements or names taken for classes would train for nothing.
void check_classes(const GraphSet& data, Session& session) {
  const std::size_t classes = data.class_names.size();
  const std::size_t graphs = data.graphs.size();
  SGOOD_CHECK(classes < 2 || graphs >= 2 * classes,
              "{}: {} classes for {} graphs, but a class needs several graphs. Do the labels hold "
              "measurements or names? Cut measurements into two classes (--label-threshold VALUE), "
              "or train without classes: --labels none",
              data.source, classes, graphs);
  if (classes >= 2 && graphs < 10 * classes)
    session.say(
        fmt::format("{}: only {:.1f} graphs per class. If the labels hold measurements, cut "
                    "them into two classes: --label-threshold VALUE",
                    data.source, static_cast<double>(graphs) / static_cast<double>(classes)));
}

void say_what_was_learned(const Model& model, const FitOptions& options, Session& session) {
  const nlohmann::ordered_json about = model.describe();
  const std::size_t calibrated = model.calibration().scores().size();
  session.say(fmt::format(
      "wrote {}: {}, trained on {}{}; {} graphs for threshold and p-values", options.output,
      about["method"].get<std::string>(), about["trained_on"].get<std::string>(),
      about["training"].contains("features")
          ? ", node features: " + about["training"]["features"].get<std::string>()
          : "",
      calibrated));
  const bool left_out = options.calibration.empty() && model.detector().leaves_one_out();
  if (std::isfinite(model.threshold()))
    session.say(
        fmt::format("a score above {:.6g} is called OOD: {} {:g} % of graphs like the "
                    "training data will be",
                    model.threshold(), left_out ? "about" : "at most", 100 * model.alarm_rate()));
  else
    session.say(
        fmt::format("{} graphs are too few for an alarm rate of {:g}: nothing will be called "
                    "OOD. The smallest rate is {:.3g}; see --alarm-rate, --validation and "
                    "--calibration",
                    calibrated, model.alarm_rate(), model.calibration().smallest_alarm_rate()));
}

void fit(const FitOptions& options, Session& session) {
  ModelSettings settings = options.settings;
  settings.options = parse_settings(options.set);
  if (!options.features.empty()) settings.options.emplace_back("features", options.features);
  FitContext context;
  context.seed = options.seed;
  context.threads = options.read.read.threads;
  context.checkpoint =
      options.checkpoint.empty() ? options.output + ".checkpoint" : options.checkpoint;

  // Mistakes show before any work is done.
  SGOOD_CHECK(options.output != "-", "a model is written to a file, not to standard output");
  check_output(options.output, {options.data, options.calibration});
  check_output(context.checkpoint.string(), {options.data, options.calibration, options.output});
  const auto detector = make_detector(settings.method);
  for (const auto& [name, value] : settings.options) detector->options().set(name, value);

  const GraphSet data =
      with_classes(read_data(options.data, options.read, session, detector->fragmentation()),
                   options.read.on_error, session);
  session.say(fmt::format("{}: {}", options.data, summary(data)));
  check_classes(data, session);
  std::unique_ptr<GraphSet> calibration;
  if (!options.calibration.empty())
    calibration = std::make_unique<GraphSet>(
        read_data(options.calibration, options.read, session, detector->fragmentation()));

  if (std::filesystem::exists(context.checkpoint))
    session.say(fmt::format("taking up the training kept in {}", context.checkpoint.string()));
  context.control = session.stoppable_control();
  context.control.report("finding substructures", 0, 0);
  try {
    const Model model = Model::fit(data, settings, context, calibration.get());
    model.save(options.output);
    std::filesystem::remove(context.checkpoint);
    say_what_was_learned(model, options, session);
  } catch (const Cancelled& stopped) {
    if (!std::filesystem::exists(context.checkpoint)) throw;
    throw Cancelled(fmt::format("{}. The same command again goes on from there", stopped.what()));
  }
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("fit", "Learns from in-distribution graphs, writes a model file");
  auto options = std::make_shared<FitOptions>();
  command->add_option("data", options->data, kDataHelp)->required();
  command->add_option("-o,--output", options->output, "Model file to write")->required();
  command->add_option("--method", options->settings.method, "Detector (sgood list methods)")
      ->capture_default_str();
  command->add_option(
      "--features", options->features,
      "What a node shows the network, as --set features: auto, labels, first-label,\n"
      "attributes, both, degree or constant");
  command->add_option("--seed", options->seed, "Seed of every random choice")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--validation", options->settings.validation,
                   "Share of the data held out for threshold and p-values (unused by methods\n"
                   "that score their training graphs leave-one-out: wl-density)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--calibration", options->calibration,
                      "Other in-distribution data for threshold and p-values");
  command
      ->add_option("--alarm-rate", options->settings.alarm_rate,
                   "Share of in-distribution graphs that may be called OOD")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--checkpoint", options->checkpoint,
                      "Where unfinished training is kept (default: OUTPUT.checkpoint)");
  add_set_option(*command, options->set);
  add_data_options(*command, options->read);
  command->footer("Example: sgood fit train.csv --labels activity -o model.sgood --seed 1");
  command->callback([options, &session] { fit(*options, session); });
}

}  // namespace sgood::cli
