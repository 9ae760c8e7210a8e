// SPDX-License-Identifier: MIT
#include "sgood/detectors/encoder_detector.h"

#include "sgood/detectors/posthoc.h"
#include "stored.h"

namespace sgood {

void EncoderDetector::add_options(OptionTable& table) {
  add_encoder_options(table);
  distance_.add_to(table);
}

void EncoderDetector::fit_output(const GraphModelOutput& training, const GraphSet& train) {
  Matrix z(training.representation.rows, training.representation.cols);
  std::vector<std::int32_t> classes;
  std::int32_t num_classes = 0;
  for (std::int64_t g = 0; g < z.rows; ++g) {
    std::ranges::copy(representation(training, g), z.row(g).begin());
    classes.push_back(*train.graphs[static_cast<std::size_t>(g)].label());
    num_classes = std::max(num_classes, classes.back() + 1);
  }
  mahalanobis_.emplace(z, classes, num_classes, distance_.mahalanobis());
}

std::vector<double> EncoderDetector::representation(const GraphModelOutput& output,
                                                    std::int64_t g) const {
  const auto row = output.representation.row(g);
  std::vector<double> result(row.begin(), row.end());
  if (distance_.normalize) normalize_length(result);
  return result;
}

double EncoderDetector::score_of(const GraphModelOutput& output, std::int64_t g) const {
  return mahalanobis_->score(representation(output, g));
}

void EncoderDetector::save(TensorFile& file) const {
  GraphModelDetector::save(file);
  store(file, mahalanobis_->state());
}

void EncoderDetector::load(const TensorFile& file) {
  GraphModelDetector::load(file);
  mahalanobis_.emplace(stored_mahalanobis(file));
}

}  // namespace sgood
