// SPDX-License-Identifier: MIT
#include "sgood/detectors/mahalanobis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/rng.h"
#include "sgood/metrics/ood_metrics.h"

namespace sgood {
namespace {

using Vector = std::vector<double>;
using Classes = std::vector<std::int32_t>;

Matrix matrix(const std::vector<Vector>& rows) {
  Matrix result(std::ssize(rows), std::ssize(rows.at(0)));
  for (std::int64_t r = 0; r < result.rows; ++r)
    std::copy(rows[static_cast<std::size_t>(r)].begin(), rows[static_cast<std::size_t>(r)].end(),
              result.row(r).begin());
  return result;
}

// Normal rows `[count, width]` around (centre, 0, 0, ...).
Matrix blob(Rng& rng, std::int64_t count, std::int64_t width, double centre) {
  Matrix z(count, width);
  for (double& value : z.values) value = rng.normal();
  for (std::int64_t r = 0; r < count; ++r) z(r, 0) += centre;
  return z;
}

Classes alternating(std::int64_t count, std::int32_t num_classes) {
  Classes classes;
  for (std::int64_t i = 0; i < count; ++i)
    classes.push_back(static_cast<std::int32_t>(i % num_classes));
  return classes;
}

Vector scores(const MahalanobisScore& mahalanobis, const Matrix& z) {
  Vector result;
  for (std::int64_t r = 0; r < z.rows; ++r) result.push_back(mahalanobis.score(z.row(r)));
  return result;
}

const std::vector<CovarianceEstimate> kEstimates{CovarianceEstimate::kLedoitWolf,
                                                 CovarianceEstimate::kFixedShrinkage,
                                                 CovarianceEstimate::kPseudoInverse};

TEST(Mahalanobis, AgreesWithSciPyAndScikitLearn) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/mahalanobis.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 7u);
  const std::vector<std::string> names{"ledoit_wolf", "fixed", "pseudo_inverse"};
  for (const auto& data : cases) {
    const Matrix z = matrix(data["z"]);
    const auto classes = data["classes"].get<Classes>();
    const double tolerance = data["name"] == "nearly singular" ? 1e-6 : 1e-9;
    for (std::size_t e = 0; e < kEstimates.size(); ++e) {
      SCOPED_TRACE(data["name"].get<std::string>() + ", " + names[e]);
      const auto distances = data["expected"][names[e]]["classes"].get<std::vector<Vector>>();
      const auto background = data["expected"][names[e]]["background"].get<Vector>();
      MahalanobisOptions options{.covariance = kEstimates[e]};
      const MahalanobisScore plain(z, classes, data["num_classes"], options);
      options.relative = true;
      const MahalanobisScore relative(z, classes, data["num_classes"], options);
      for (std::size_t q = 0; q < distances.size(); ++q) {
        const auto query = data["queries"][q].get<Vector>();
        const Vector actual = plain.distances(query);
        ASSERT_EQ(actual.size(), distances[q].size());
        for (std::size_t c = 0; c < actual.size(); ++c)
          EXPECT_NEAR(actual[c], distances[q][c], tolerance * (distances[q][c] + 1e-3));
        EXPECT_NEAR(plain.score(query) - relative.score(query), background[q],
                    tolerance * (background[q] + plain.score(query) + 1e-3));
      }
    }
  }
}

TEST(Mahalanobis, AggregatesTheClassesAsAsked) {
  const Matrix z = matrix({{0, 0}, {2, 0}, {1, 1}, {1, -1}, {10, 0}, {12, 0}, {11, 1}, {11, -1}});
  const Classes classes{0, 0, 0, 0, 1, 1, 1, 1};
  const Vector query{2, 0};
  MahalanobisOptions options;
  // The covariance is I / 2: the distances are twice the squared distances to (1, 0) and (11, 0).
  for (const auto& [aggregation, expected] : std::vector<std::pair<MahalanobisAggregation, double>>{
           {MahalanobisAggregation::kClosest, 2},
           {MahalanobisAggregation::kFarthest, 162},
           {MahalanobisAggregation::kMean, 82}}) {
    options.aggregation = aggregation;
    EXPECT_NEAR(MahalanobisScore(z, classes, 2, options).score(query), expected, 1e-10);
  }
}

TEST(Mahalanobis, SeparatesFarBlobsWhateverTheOptions) {
  Rng rng(1);
  const Matrix train = blob(rng, 200, 10, 0), id = blob(rng, 100, 10, 0);
  const Matrix ood = blob(rng, 100, 10, 12);
  for (const CovarianceEstimate estimate : kEstimates)
    for (const auto aggregation :
         {MahalanobisAggregation::kClosest, MahalanobisAggregation::kFarthest,
          MahalanobisAggregation::kMean}) {
      const MahalanobisScore mahalanobis(train, alternating(200, 3), 3,
                                         {.aggregation = aggregation, .covariance = estimate});
      EXPECT_GT(ood_metrics(scores(mahalanobis, id), scores(mahalanobis, ood)).auroc, 0.99);
    }
}

TEST(Mahalanobis, RelativeSeparatesBlobsThatLieBetweenTheClasses) {
  Rng rng(2);
  Matrix train = blob(rng, 200, 4, -20), id = blob(rng, 100, 4, -20);
  const Classes classes = alternating(200, 2);
  for (std::int64_t r = 1; r < train.rows; r += 2) train(r, 0) += 40;
  const MahalanobisScore mahalanobis(train, classes, 2, {.relative = true});
  const Matrix ood = blob(rng, 100, 4, 0);
  EXPECT_GT(ood_metrics(scores(mahalanobis, id), scores(mahalanobis, ood)).auroc, 0.99);
}

TEST(Mahalanobis, LedoitWolfIgnoresTheUnitOfTheRepresentation) {
  Rng rng(3);
  Matrix z = blob(rng, 50, 8, 1);
  const Classes classes = alternating(50, 2);
  const Vector before = scores(MahalanobisScore(z, classes, 2), z);
  for (double& value : z.values) value *= 1024;
  EXPECT_EQ(scores(MahalanobisScore(z, classes, 2), z), before);
}

TEST(Mahalanobis, DoesNotDependOnTheOrderOfColumnsOrRows) {
  Rng rng(4);
  const Matrix z = blob(rng, 30, 6, 1);
  const Classes classes = alternating(30, 3);
  Matrix turned(30, 6);
  Classes turned_classes(30);
  for (std::int64_t r = 0; r < 30; ++r) {
    for (std::int64_t i = 0; i < 6; ++i) turned(29 - r, 5 - i) = z(r, i);
    turned_classes[static_cast<std::size_t>(29 - r)] = classes[static_cast<std::size_t>(r)];
  }
  const MahalanobisScore a(z, classes, 3), b(turned, turned_classes, 3);
  for (std::int64_t r = 0; r < 30; ++r) {
    const double expected = a.score(z.row(r));
    EXPECT_NEAR(b.score(turned.row(29 - r)), expected, 1e-10 * expected);
  }
}

TEST(Mahalanobis, KeepsEnergyInDirectionsThatTrainingNeverUsedUnlessPseudoInverse) {
  Rng rng(5);
  Matrix z = blob(rng, 60, 4, 0);
  for (std::int64_t r = 0; r < z.rows; ++r) z(r, 3) = 0.1;
  const Classes classes(60, 0);
  const Vector inside{0, 0, 0, 0.1}, outside{0, 0, 0, 1.1};
  for (const CovarianceEstimate estimate : kEstimates) {
    const MahalanobisScore mahalanobis(z, classes, 1, {.covariance = estimate, .shrinkage = 0});
    if (estimate == CovarianceEstimate::kPseudoInverse)
      EXPECT_NEAR(mahalanobis.score(outside), mahalanobis.score(inside), 1e-9);
    else
      EXPECT_GT(mahalanobis.score(outside), mahalanobis.score(inside) + 1);
  }
}

TEST(Mahalanobis, IsEuclideanWhenTheCovarianceIsZero) {
  const Matrix constant = matrix({{0.1, 0.7}, {0.1, 0.7}, {0.1, 0.7}});
  const Matrix one_row_each = matrix({{0.1, 0.7}, {5, 0}});
  // Means of equal numbers that differ in the last bit leave rounding errors as their only scatter.
  const double next = std::nextafter(0.7, 1.0);
  const Matrix rounding = matrix({{0.1, 0.7}, {0.1, next}, {0.1, next}});
  const Vector query{1.1, 2.7};
  for (const CovarianceEstimate estimate : kEstimates) {
    const MahalanobisOptions options{.covariance = estimate};
    EXPECT_NEAR(MahalanobisScore(constant, Classes{0, 0, 0}, 1, options).score(query), 5, 1e-12);
    EXPECT_NEAR(MahalanobisScore(rounding, Classes{0, 0, 0}, 1, options).score(query), 5, 1e-12);
    EXPECT_NEAR(MahalanobisScore(one_row_each, Classes{0, 1}, 2, options).score(query), 5, 1e-12);
  }
}

TEST(Mahalanobis, IsFiniteForAnyShapeOfTrainingData) {
  Rng rng(6);
  for (const std::int64_t rows : {1, 2, 3, 5, 20})
    for (const std::int64_t width : {1, 2, 7, 40})
      for (const CovarianceEstimate estimate : kEstimates)
        for (const bool relative : {false, true}) {
          const Matrix z = blob(rng, rows, width, 1);
          const MahalanobisScore mahalanobis(z, alternating(rows, 2), 4,
                                             {.covariance = estimate, .relative = relative});
          for (const double score : scores(mahalanobis, blob(rng, 5, width, 3)))
            EXPECT_TRUE(std::isfinite(score)) << rows << " by " << width;
        }
}

TEST(Mahalanobis, LeavesOutClassesWithoutRows) {
  const Matrix z = matrix({{0, 0}, {1, 0}, {0, 1}, {9, 9}});
  const MahalanobisScore mahalanobis(z, Classes{1, 1, 1, 3}, 5);
  EXPECT_EQ(mahalanobis.state().classes, (Classes{1, 3}));
  const Vector distances = mahalanobis.distances(Vector{9, 9});
  ASSERT_EQ(distances.size(), 2u);
  EXPECT_GT(distances[0], 1);
  EXPECT_NEAR(distances[1], 0, 1e-12);
}

TEST(Mahalanobis, StoredStateScoresToTheSameBits) {
  Rng rng(7);
  const Matrix z = blob(rng, 40, 6, 2), queries = blob(rng, 20, 6, 0);
  for (const bool relative : {false, true}) {
    const MahalanobisScore fitted(z, alternating(40, 3), 3,
                                  {.aggregation = MahalanobisAggregation::kMean,
                                   .covariance = CovarianceEstimate::kPseudoInverse,
                                   .relative = relative});
    EXPECT_EQ(scores(MahalanobisScore(fitted.state()), queries), scores(fitted, queries));
  }
}

TEST(Mahalanobis, RefusesADamagedState) {
  Rng rng(8);
  const MahalanobisState good =
      MahalanobisScore(blob(rng, 10, 3, 0), alternating(10, 2), 2, {.relative = true}).state();
  EXPECT_NO_THROW(MahalanobisScore{good});
  EXPECT_THROW(MahalanobisScore(MahalanobisState{}), InvalidArgument);
  MahalanobisState state = good;
  state.centre.pop_back();
  EXPECT_THROW(MahalanobisScore{state}, InvalidArgument);
  state = good;
  state.classes.pop_back();
  EXPECT_THROW(MahalanobisScore{state}, InvalidArgument);
  state = good;
  state.background.values.pop_back();
  EXPECT_THROW(MahalanobisScore{state}, InvalidArgument);
  state = good;
  state.whitening(0, 0) = std::nan("");
  EXPECT_THROW(MahalanobisScore{state}, InvalidArgument);
}

TEST(Mahalanobis, RefusesArgumentsWithoutMeaning) {
  const Matrix z = matrix({{0, 1}, {1, 0}, {2, 2}});
  const Classes classes{0, 1, 1};
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(MahalanobisScore(Matrix(0, 2), Classes{}, 1), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(Matrix(1, 0), Classes{0}, 1), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(z, Classes{0, 1}, 2), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(z, Classes{0, 1, 2}, 2), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(z, Classes{0, 1, -1}, 2), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(z, classes, 2, {.shrinkage = 1.5}), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(matrix({{0, nan}}), Classes{0}, 1), InvalidArgument);
  EXPECT_THROW(MahalanobisScore(matrix({{0, 1}, {1e200, 0}}), Classes{0, 0}, 1), InvalidArgument);
  const MahalanobisScore mahalanobis(z, classes, 2);
  EXPECT_THROW(mahalanobis.score(Vector{1}), InvalidArgument);
  EXPECT_THROW(mahalanobis.score(Vector{1, nan}), InvalidArgument);
  EXPECT_THROW(mahalanobis.distances(Vector{1, infinity}), InvalidArgument);
  EXPECT_THROW(mahalanobis.score(Vector{1e200, 0}), InvalidArgument);
}

}  // namespace
}  // namespace sgood
