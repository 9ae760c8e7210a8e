// SPDX-License-Identifier: MIT
#include "sgood/experiments/covariance.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "sgood/core/threads.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/detectors/sgood.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

struct Estimate {
  std::string name;
  MahalanobisOptions options;
};

std::vector<Estimate> estimates() {
  std::vector<Estimate> all = {{"Ledoit-Wolf", {.covariance = CovarianceEstimate::kLedoitWolf}}};
  for (const double weight : {1e-4, 1e-3, 1e-2, 1e-1})
    all.push_back({fmt::format("shrinkage {:g}", weight),
                   {.covariance = CovarianceEstimate::kFixedShrinkage, .shrinkage = weight}});
  all.push_back({"pseudo-inverse", {.covariance = CovarianceEstimate::kPseudoInverse}});
  return all;
}

/// Representations of one split.
struct Split {
  Matrix train, held_out, id, ood;
  std::vector<std::int32_t> train_classes, held_out_classes;
};

std::vector<std::int32_t> classes_of(const GraphSet& graphs) {
  std::vector<std::int32_t> classes;
  for (const Graph& graph : graphs.graphs) classes.push_back(graph.label().value());
  return classes;
}

Split represent_split(const OodSuite& suite, std::uint64_t seed, const RunControl& control) {
  SgoodDetector detector;
  FitContext context;
  context.seed = seed;
  context.control.stop = control.stop;
  detector.fit(suite.id_train, context);
  return {detector.represent(suite.id_train), detector.represent(suite.id_val),
          detector.represent(suite.id_test),  detector.represent(suite.ood_test),
          classes_of(suite.id_train),         classes_of(suite.id_val)};
}

std::vector<double> scores(const MahalanobisScore& mahalanobis, const Matrix& z) {
  std::vector<double> values;
  for (std::int64_t row = 0; row < z.rows; ++row) values.push_back(mahalanobis.score(z.row(row)));
  return values;
}

/// log det of the inverse covariance W W^T.
double log_determinant(const Matrix& whitening) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> w(whitening.values.data(), whitening.rows, whitening.cols);
  return 2 *
         Eigen::PartialPivLU<Eigen::MatrixXd>(w).matrixLU().diagonal().array().abs().log().sum();
}

/// Mean over held-out graphs of the log density at their own class, without the constant p log(2
/// pi) / 2.
double log_density(const MahalanobisScore& mahalanobis, const Split& split) {
  double sum = 0;
  for (std::int64_t row = 0; row < split.held_out.rows; ++row)
    sum -=
        mahalanobis.distances(split.held_out.row(
            row))[static_cast<std::size_t>(split.held_out_classes[static_cast<std::size_t>(row)])] /
        2;
  return sum / static_cast<double>(split.held_out.rows) +
         log_determinant(mahalanobis.state().whitening) / 2;
}

}  // namespace

nlohmann::ordered_json run_covariance(const ExperimentContext& context) {
  const std::vector<std::string> names =
      context.suites.empty()
          ? std::vector<std::string>{"enzymes", "imdb-m", "imdb-b", "bace", "bbbp", "drugood"}
          : context.suites;
  const std::vector<Estimate> all = estimates();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto total = static_cast<std::int64_t>(names.size()) * context.seeds;
  std::int64_t done = 0;
  for (const std::string& name : names) {
    context.control.report(name, done, total);
    const SuiteData data = load_suite(name, context.data_root, context.jobs);
    std::vector<Split> splits(static_cast<std::size_t>(context.seeds));
    std::mutex mutex;
    parallel_for(context.seeds, context.jobs, [&](std::int64_t i) {
      const auto seed = static_cast<std::uint64_t>(i);
      splits[static_cast<std::size_t>(i)] =
          represent_split(split_suite(data, seed), seed, context.control);
      const std::lock_guard lock(mutex);
      context.control.report(name, ++done, total);
    });
    for (const Estimate& estimate : all) {
      std::vector<double> densities, aurocs;
      for (const Split& split : splits) {
        const auto num_classes = static_cast<std::int32_t>(data.id.class_names.size());
        const MahalanobisScore mahalanobis(split.train, split.train_classes, num_classes,
                                           estimate.options);
        const Matrix& whitening = mahalanobis.state().whitening;
        if (whitening.rows == whitening.cols) densities.push_back(log_density(mahalanobis, split));
        aurocs.push_back(
            100 * ood_metrics(scores(mahalanobis, split.id), scores(mahalanobis, split.ood)).auroc);
      }
      rows.push_back(
          {{"suite", name},
           {"covariance", estimate.name},
           {"held-out ID log density", densities.size() == splits.size()
                                           ? nlohmann::ordered_json(summarize(densities).mean)
                                           : nlohmann::ordered_json()},
           {"AUROC", summarize(aurocs).mean},
           {"seeds", context.seeds}});
    }
  }
  return rows;
}

}  // namespace sgood
