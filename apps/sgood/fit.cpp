// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/detectors/model.h"

namespace sgood::cli {
namespace {

struct FitOptions {
  std::string data, output, calibration, checkpoint, features;
  DataOptions read;
  ModelSettings settings;
  std::uint64_t seed = 0;
  std::vector<std::string> set;
};

void fit(const FitOptions& options, Session& session) {
  ModelSettings settings = options.settings;
  settings.options = parse_settings(options.set);
  if (!options.features.empty()) settings.options.emplace_back("features", options.features);

  const GraphSet data = read_data(options.data, options.read, session);
  std::unique_ptr<GraphSet> calibration;
  if (!options.calibration.empty())
    calibration =
        std::make_unique<GraphSet>(read_data(options.calibration, options.read, session));

  FitContext context;
  context.seed = options.seed;
  context.threads = options.read.read.threads;
  context.control = session.control();
  context.checkpoint =
      options.checkpoint.empty() ? options.output + ".checkpoint" : options.checkpoint;
  if (std::filesystem::exists(context.checkpoint))
    session.say(fmt::format("taking up the training kept in {}", context.checkpoint.string()));
  try {
    const Model model = Model::fit(data, settings, context, calibration.get());
    model.save(options.output);
    std::filesystem::remove(context.checkpoint);
    session.say(fmt::format("wrote {}: {}, {}, {} for calibration", options.output,
                            settings.method, model.describe()["trained_on"].get<std::string>(),
                            model.calibration().scores().size()));
    if (std::isfinite(model.threshold()))
      session.say(fmt::format("a score above {:.6g} is called OOD: at most {:g} % of graphs like the "
                              "training data will be",
                              model.threshold(), 100 * model.alarm_rate()));
    else
      session.say(fmt::format("{} calibration graphs are too few for an alarm rate of {:g}: nothing will "
                              "be called OOD. The smallest rate is {:.3g}; see --alarm-rate, "
                              "--validation and --calibration",
                              model.calibration().scores().size(), model.alarm_rate(),
                              model.calibration().smallest_alarm_rate()));
  } catch (const Cancelled& stopped) {
    throw Cancelled(fmt::format("{}. The same command again goes on from there", stopped.what()));
  }
}

}  // namespace

void add_fit(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("fit", "Learns from in-distribution graphs, writes a model file");
  auto options = std::make_shared<FitOptions>();
  command->add_option("data", options->data, "TU folder, or molecules (.csv .tsv .smi, also .gz)")
      ->required();
  command->add_option("-o,--output", options->output, "Model file to write")->required();
  command->add_option("--method", options->settings.method, "Detector (sgood list methods)")
      ->capture_default_str();
  command->add_option("--features", options->features,
                      "auto labels first-label attributes both degree constant");
  command->add_option("--seed", options->seed, "Of every random choice")->capture_default_str();
  command
      ->add_option("--validation", options->settings.validation,
                   "Share of the data held out for threshold and p-values")
      ->capture_default_str();
  command->add_option("--calibration", options->calibration,
                      "Other in-distribution data for threshold and p-values");
  command
      ->add_option("--alarm-rate", options->settings.alarm_rate,
                   "Share of in-distribution graphs that may be called OOD")
      ->capture_default_str();
  command->add_option("--checkpoint", options->checkpoint,
                      "Where unfinished training is kept (default: OUTPUT.checkpoint)");
  add_set_option(*command, options->set);
  add_data_options(*command, options->read);
  command->footer("Example: sgood fit train.csv --labels activity -o model.sgood --seed 1");
  command->callback([options, &session] { fit(*options, session); });
}

}  // namespace sgood::cli
