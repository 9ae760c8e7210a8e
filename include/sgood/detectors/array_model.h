// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sgood/core/matrix.h"
#include "sgood/core/options.h"
#include "sgood/detectors/model.h"
#include "sgood/metrics/calibration.h"

namespace sgood {

/// A post-hoc score for rows of numbers that another program's model has computed.
class ArrayScore {
 public:
  virtual ~ArrayScore() = default;
  virtual OptionTable options() = 0;
  /// Learns from `rows` [n, width], n and width >= 1, all finite, of `classes` [n] (empty: none).
  virtual void fit(const Matrix& rows, std::span<const std::int32_t> classes) = 0;
  /// Score of one finite row [width]; higher = more OOD.
  virtual double score(std::span<const double> row) const = 0;
};

/// A row of the registry.
struct ArrayMethod {
  std::string name;
  std::string summary;         ///< One sentence.
  bool reads_logits = false;   ///< Else embeddings.
  bool needs_classes = false;  ///< fit() needs the class of every row.
  std::unique_ptr<ArrayScore> (*make)() = nullptr;
};
const std::vector<ArrayMethod>& array_methods();

/// What is asked of ArrayModel::fit.
struct ArraySettings {
  std::string method = "mahalanobis";
  std::vector<std::pair<std::string, std::string>> options;  ///< By name.
  double validation = 0.1;   ///< Share of the rows held out for calibration, in (0, 1).
  double alarm_rate = 0.05;  ///< Share of in-distribution rows that may be called OOD, in (0, 1).
  std::uint64_t seed = 0;    ///< Chooses the rows that are held out.
};

/// A fitted score with its calibration.
class ArrayModel {
 public:
  /// Fits on `rows` [n, width] of `classes` [n] (empty: none), any whole numbers; holds out a
  /// share of them unless `calibration` [m, width] is given. Throws InvalidArgument for an unknown
  /// method or option, sizes that disagree, missing classes and numbers that are not finite.
  static ArrayModel fit(const Matrix& rows, std::span<const std::int64_t> classes,
                        const ArraySettings& settings, const Matrix* calibration = nullptr);

  std::int64_t width() const { return width_; }
  const Calibration& calibration() const { return *calibration_; }
  /// The answer for one row of finite numbers [width]. The class of logits is their place.
  Decision score(std::span<const double> row) const;

 private:
  const ArrayMethod* method_ = nullptr;
  std::unique_ptr<ArrayScore> score_;
  std::optional<Calibration> calibration_;
  double alarm_rate_ = 0;
  std::int64_t width_ = 0;
};

}  // namespace sgood
