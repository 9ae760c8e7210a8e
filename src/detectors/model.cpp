// SPDX-License-Identifier: MIT
#include "sgood/detectors/model.h"

#include <cmath>

#include "hold_out.h"
#include "sgood/core/error.h"
#include "sgood/core/version.h"
#include "stored.h"
#include "substructure_census.h"

namespace sgood {
namespace {

constexpr std::int64_t kFormatVersion = 1;

std::vector<double> score_values(const std::vector<GraphScore>& scores) {
  std::vector<double> values;
  for (const GraphScore& s : scores) values.push_back(s.score);
  return values;
}

}  // namespace

Model Model::fit(const GraphSet& data, const ModelSettings& settings, const FitContext& context,
                 const GraphSet* calibration) {
  Model model;
  model.detector_ = make_detector(settings.method);
  const OptionTable options = model.detector_->options();
  for (const auto& [name, value] : settings.options) options.set(name, value);
  model.set_alarm_rate(settings.alarm_rate);
  model.seed_ = context.seed;
  model.class_names_ = data.class_names;

  GraphSet train_part, held_out_part;
  const GraphSet* train = &data;
  const bool leave_one_out = calibration == nullptr && model.detector_->leaves_one_out();
  if (calibration == nullptr && !leave_one_out) {
    const HoldOut parts = hold_out(static_cast<std::int32_t>(data.graphs.size()),
                                   settings.validation, context.seed, "graphs");
    train_part = data.subset(parts.train);
    held_out_part = data.subset(parts.held_out);
    train = &train_part;
    calibration = &held_out_part;
  }
  SGOOD_CHECK(leave_one_out || !calibration->graphs.empty(), "the calibration data has no graphs");
  model.trained_on_ = fmt::format("{} graphs of {}", train->graphs.size(), data.source);
  model.detector_->fit(*train, context);
  model.census_ = std::make_shared<const SubstructureCensus>(
      *train, *model.detector_->substructures(), context.threads, context.control);
  model.calibration_.emplace(leave_one_out ? model.detector_->training_scores()
                                           : score_values(model.detector_->score(
                                                 *calibration, context.threads, context.control)));
  return model;
}

std::vector<Decision> Model::score(const GraphSet& graphs, int threads,
                                   const RunControl& control) const {
  return decide(graphs, detector_->score(graphs, threads, control));
}

std::vector<Decision> Model::score_batch(const GraphSet& graphs, int threads,
                                         const RunControl& control) const {
  return decide(graphs, detector_->score_batch(graphs, threads, control));
}

std::vector<Decision> Model::decide(const GraphSet& graphs,
                                    const std::vector<GraphScore>& scores) const {
  std::vector<Decision> decisions;
  for (const GraphScore& s : scores) {
    SGOOD_CHECK(std::isfinite(s.score),
                "the model gives graph {} the score {}: numbers of the model are out of range; fit "
                "again",
                graphs.graphs[decisions.size()].id(), s.score);
    Decision d;
    d.score = s.score;
    d.p_value = calibration_->p_value(s.score);
    d.is_ood = calibration_->is_ood(s.score, alarm_rate_);
    if (s.predicted) {
      SGOOD_CHECK(*s.predicted < std::ssize(class_names_),
                  "the model predicts class {} but names only {} classes", *s.predicted,
                  class_names_.size());
      d.predicted = class_names_[static_cast<std::size_t>(*s.predicted)];
    }
    d.probability = s.probability;
    d.batch_score = s.batch_score;
    decisions.push_back(std::move(d));
  }
  return decisions;
}

void Model::set_alarm_rate(double alarm_rate) {
  SGOOD_CHECK(alarm_rate > 0 && alarm_rate < 1, "alarm_rate is {} but must be between 0 and 1",
              alarm_rate);
  alarm_rate_ = alarm_rate;
}

nlohmann::ordered_json Model::describe() const {
  nlohmann::ordered_json json;
  json["method"] = detector_->method();
  json["trained_on"] = trained_on_;
  json["seed"] = seed_;
  json["classes"] = class_names_;
  json["calibration_graphs"] = calibration_->scores().size();
  json["alarm_rate"] = alarm_rate_;
  json["threshold"] = std::isfinite(threshold()) ? nlohmann::ordered_json(threshold())
                                                 : nlohmann::ordered_json(nullptr);
  json["training"] = detector_->summary();
  json["options"] = detector_->options().values();
  return json;
}

void Model::save(const std::filesystem::path& path) const {
  TensorFile file;
  file.metadata["sgood.kind"] = "model";
  file.metadata["sgood.format"] = std::to_string(kFormatVersion);
  file.metadata["sgood.version"] = kVersion;
  file.metadata["sgood.method"] = detector_->method();
  file.metadata["sgood.options"] = detector_->options().values().dump();
  file.metadata["sgood.classes"] = nlohmann::ordered_json(class_names_).dump();
  file.metadata["sgood.alarm_rate"] = nlohmann::ordered_json(alarm_rate_).dump();
  file.metadata["sgood.seed"] = std::to_string(static_cast<std::int64_t>(seed_));
  file.metadata["sgood.trained_on"] = trained_on_;
  file.tensors["calibration.scores"] = Tensor::of(calibration_->scores());
  census_->save(file);
  detector_->save(file);
  save_tensors(path, file);
}

Model Model::from_tensors(const TensorFile& file) {
  const auto kind = file.metadata.find("sgood.kind");
  SGOOD_CHECK(kind != file.metadata.end() && kind->second == "model",
              "this is not a model written by sgood fit");
  const std::int64_t format = stored_integer(file, "sgood.format");
  SGOOD_CHECK(format >= 1 && format <= kFormatVersion,
              "the model has format {} but this program reads up to {}; use a newer sgood", format,
              kFormatVersion);
  Model model;
  model.detector_ = make_detector(stored_text(file, "sgood.method"));
  model.detector_->options().set_values(stored_json(file, "sgood.options"));
  model.class_names_ = stored_texts(file, "sgood.classes");
  model.set_alarm_rate(stored_real(file, "sgood.alarm_rate"));
  model.seed_ = static_cast<std::uint64_t>(stored_integer(file, "sgood.seed"));
  model.trained_on_ = stored_text(file, "sgood.trained_on");
  model.calibration_.emplace(file.tensor("calibration.scores").values<double>());
  model.detector_->load(file);
  model.census_ = std::make_shared<const SubstructureCensus>(SubstructureCensus::load(file));
  return model;
}

Model Model::load(const std::filesystem::path& path) {
  const TensorFile file = load_tensors(path);
  try {
    return from_tensors(file);
  } catch (const InvalidArgument& error) {
    throw ParseError(path.string(), 0, fmt::format("the model cannot be used: {}", error.what()));
  }
}

}  // namespace sgood
