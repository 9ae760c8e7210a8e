// SPDX-License-Identifier: MIT
#include "sgood/detectors/mahalanobis.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using Vector = std::vector<double>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Rows with the same value of `groups` share a mean.
struct GroupMeans {
  Matrix means;                      // [num_groups, p]; zero for an empty group
  std::vector<std::int64_t> counts;  // [num_groups]
};

GroupMeans group_means(const Matrix& z, std::span<const std::int32_t> groups,
                       std::int32_t num_groups) {
  GroupMeans result{Matrix(num_groups, z.cols), {}};
  result.counts.resize(static_cast<std::size_t>(num_groups));
  // Sums are taken relative to the group's first row: then a constant column is exactly its mean.
  std::vector<std::int64_t> first(result.counts.size());
  for (std::int64_t r = 0; r < z.rows; ++r) {
    const std::int32_t group = groups[static_cast<std::size_t>(r)];
    const auto g = static_cast<std::size_t>(group);
    if (result.counts[g]++ == 0) first[g] = r;
    for (std::int64_t i = 0; i < z.cols; ++i) result.means(group, i) += z(r, i) - z(first[g], i);
  }
  for (std::int32_t group = 0; group < num_groups; ++group) {
    const auto g = static_cast<std::size_t>(group);
    if (result.counts[g] == 0) continue;
    for (std::int64_t i = 0; i < z.cols; ++i)
      result.means(group, i) =
          z(first[g], i) + result.means(group, i) / static_cast<double>(result.counts[g]);
  }
  return result;
}

struct Scatter {
  Eigen::MatrixXd covariance;  // [p, p], lower triangle
  double fourth_moment = 0;    // mean of |centred row|^4
};

// Row by row, so that no blocking of a matrix product decides about the last bits.
Scatter scatter(const Matrix& z, std::span<const std::int32_t> groups, const Matrix& means) {
  Scatter result{Eigen::MatrixXd::Zero(z.cols, z.cols)};
  Eigen::VectorXd centred(z.cols);
  for (std::int64_t r = 0; r < z.rows; ++r) {
    const std::int32_t group = groups[static_cast<std::size_t>(r)];
    double square = 0;
    for (std::int64_t i = 0; i < z.cols; ++i) {
      centred[i] = z(r, i) - means(group, i);
      square += centred[i] * centred[i];
    }
    result.fourth_moment += square * square;
    for (std::int64_t i = 0; i < z.cols; ++i)
      result.covariance.col(i).tail(z.cols - i) += centred[i] * centred.tail(z.cols - i);
  }
  result.covariance /= static_cast<double>(z.rows);
  result.fourth_moment /= static_cast<double>(z.rows);
  return result;
}

// The intensity of Ledoit and Wolf, from the eigenvalues of the covariance of `num_rows` rows.
double ledoit_wolf(const Eigen::ArrayXd& eigenvalues, double fourth_moment, std::int64_t num_rows) {
  const double distance = (eigenvalues - eigenvalues.mean()).square().sum();
  const double error = (fourth_moment - eigenvalues.square().sum()) / static_cast<double>(num_rows);
  return error > 0 && distance > 0 ? std::min(error / distance, 1.0) : 0.0;
}

// W [p, q] with W W^T = inverse of the regularised covariance within the groups.
Matrix whitening(const Matrix& z, std::span<const std::int32_t> groups, const Matrix& means,
                 const MahalanobisOptions& options) {
  const Scatter s = scatter(z, groups, means);
  SGOOD_CHECK(s.covariance.allFinite() && std::isfinite(s.fourth_moment),
              "z has values too large for their covariance; scale it down");
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(s.covariance);
  SGOOD_ASSERT(solver.info() == Eigen::Success);
  Eigen::ArrayXd eigenvalues = solver.eigenvalues().array().max(0.0);
  Eigen::MatrixXd directions = solver.eigenvectors();

  double largest = 0;
  for (const double value : z.values) largest = std::max(largest, std::abs(value));
  const double cut_off = 10 * static_cast<double>(z.cols) * kEpsilon * eigenvalues.maxCoeff();
  if (eigenvalues.maxCoeff() <= (kEpsilon * largest) * (kEpsilon * largest)) {
    eigenvalues.setOnes();
    directions.setIdentity();
  } else if (options.covariance == CovarianceEstimate::kPseudoInverse) {
    const std::int64_t kept = (eigenvalues > cut_off).count();  // they are ascending
    eigenvalues = eigenvalues.tail(kept).eval();
    directions = directions.rightCols(kept).eval();
  } else {
    const double shrinkage = options.covariance == CovarianceEstimate::kLedoitWolf
                                 ? ledoit_wolf(eigenvalues, s.fourth_moment, z.rows)
                                 : options.shrinkage;
    eigenvalues = ((1 - shrinkage) * eigenvalues + shrinkage * eigenvalues.mean()).max(cut_off);
  }
  Matrix result(z.cols, eigenvalues.size());
  for (std::int64_t i = 0; i < result.rows; ++i)
    for (std::int64_t j = 0; j < result.cols; ++j)
      result(i, j) = directions(i, j) / std::sqrt(eigenvalues[j]);
  return result;
}

// W^T d, always summed in the order of d.
Vector projected(const Matrix& w, std::span<const double> d) {
  Vector result(static_cast<std::size_t>(w.cols));
  for (std::int64_t i = 0; i < w.rows; ++i) {
    const std::span<const double> row = w.row(i);
    const double value = d[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < result.size(); ++j) result[j] += row[j] * value;
  }
  return result;
}

double squared_norm(std::span<const double> d) {
  return std::inner_product(d.begin(), d.end(), d.begin(), 0.0);
}

Vector difference(std::span<const double> a, std::span<const double> b) {
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

double aggregated(const Vector& distances, MahalanobisAggregation aggregation) {
  switch (aggregation) {
    case MahalanobisAggregation::kClosest:
      return *std::min_element(distances.begin(), distances.end());
    case MahalanobisAggregation::kFarthest:
      return *std::max_element(distances.begin(), distances.end());
    case MahalanobisAggregation::kMean:
      return std::accumulate(distances.begin(), distances.end(), 0.0) /
             static_cast<double>(distances.size());
  }
  throw InternalError("unknown MahalanobisAggregation");
}

void check_finite(std::span<const double> values, std::string_view name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    SGOOD_CHECK(std::isfinite(values[i]), "{}[{}] is {} but must be finite", name, i, values[i]);
}

void check_training_data(const Matrix& z, std::span<const std::int32_t> classes,
                         std::int32_t num_classes, const MahalanobisOptions& options) {
  SGOOD_CHECK(z.rows >= 1 && z.cols >= 1, "z is {} by {} but needs at least one row and column",
              z.rows, z.cols);
  SGOOD_CHECK(std::ssize(classes) == z.rows, "classes has {} values but z has {} rows",
              classes.size(), z.rows);
  SGOOD_CHECK(num_classes >= 1, "num_classes is {} but must be at least 1", num_classes);
  SGOOD_CHECK(options.shrinkage >= 0 && options.shrinkage <= 1,
              "shrinkage is {} but must be in [0, 1]", options.shrinkage);
  for (std::int64_t r = 0; r < z.rows; ++r) {
    const std::int32_t c = classes[static_cast<std::size_t>(r)];
    SGOOD_CHECK(c >= 0 && c < num_classes, "classes[{}] is {} but must be in [0, {})", r, c,
                num_classes);
    check_finite(z.row(r), fmt::format("z, row {}: value ", r));
  }
}

}  // namespace

MahalanobisScore::MahalanobisScore(const Matrix& z, std::span<const std::int32_t> classes,
                                   std::int32_t num_classes, const MahalanobisOptions& options) {
  check_training_data(z, classes, num_classes, options);
  const std::vector<std::int32_t> all(classes.size(), 0);
  const Matrix centre = group_means(z, all, 1).means;
  const GroupMeans groups = group_means(z, classes, num_classes);

  state_.aggregation = options.aggregation;
  state_.centre = centre.values;
  state_.whitening = whitening(z, classes, groups.means, options);
  if (options.relative) state_.background = whitening(z, all, centre, options);
  for (std::int32_t c = 0; c < num_classes; ++c) {
    if (groups.counts[static_cast<std::size_t>(c)] == 0) continue;
    const Vector mean = projected(state_.whitening, difference(groups.means.row(c), state_.centre));
    state_.classes.push_back(c);
    state_.means.values.insert(state_.means.values.end(), mean.begin(), mean.end());
  }
  state_.means.rows = std::ssize(state_.classes);
  state_.means.cols = state_.whitening.cols;
}

MahalanobisScore::MahalanobisScore(MahalanobisState state) : state_(std::move(state)) {
  const std::int64_t p = std::ssize(state_.centre);
  SGOOD_CHECK(p >= 1 && !state_.classes.empty(), "the Mahalanobis state is empty");
  const auto check_matrix = [](const Matrix& m, std::int64_t rows, std::int64_t cols,
                               std::string_view name) {
    SGOOD_CHECK(m.rows == rows && m.cols == cols && std::ssize(m.values) == rows * cols,
                "{} is {} by {} with {} values but must be {} by {}", name, m.rows, m.cols,
                m.values.size(), rows, cols);
    check_finite(m.values, name);
  };
  const Matrix& background = state_.background;
  check_finite(state_.centre, "centre");
  check_matrix(state_.whitening, p, state_.whitening.cols, "whitening");
  check_matrix(state_.means, std::ssize(state_.classes), state_.whitening.cols, "means");
  check_matrix(background, background.values.empty() ? 0 : p, background.cols, "background");
}

Vector MahalanobisScore::centred(std::span<const double> z) const {
  SGOOD_CHECK(z.size() == state_.centre.size(), "z has {} values but must have {}", z.size(),
              state_.centre.size());
  check_finite(z, "z");
  return difference(z, state_.centre);
}

Vector MahalanobisScore::class_distances(std::span<const double> centred_z) const {
  const Vector whitened = projected(state_.whitening, centred_z);
  Vector result;
  for (std::int64_t k = 0; k < state_.means.rows; ++k)
    result.push_back(squared_norm(difference(whitened, state_.means.row(k))));
  return result;
}

Vector MahalanobisScore::distances(std::span<const double> z) const {
  return class_distances(centred(z));
}

Vector MahalanobisScore::whitened(std::span<const double> z) const {
  return projected(state_.whitening, centred(z));
}

double MahalanobisScore::score(std::span<const double> z) const {
  const Vector d = centred(z);
  double result = aggregated(class_distances(d), state_.aggregation);
  if (!state_.background.values.empty()) result -= squared_norm(projected(state_.background, d));
  SGOOD_CHECK(std::isfinite(result), "z is too far from the training data for a finite score");
  return result;
}

}  // namespace sgood
