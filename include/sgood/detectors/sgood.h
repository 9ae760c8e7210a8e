// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "sgood/detectors/network_detector.h"

namespace sgood {

/// Options of SGOOD; the defaults are the paper's settings (Paper: Section 4.1) where it gives one.
struct SgoodOptions : NetworkOptions, DistanceOptions {
  OptionTable table();
};

/// SGOOD (Paper: Section 3): super graphs of substructures, a two-level network trained in two
/// stages, and the Mahalanobis distance in the joint representation.
///
/// Deviation: batch normalisation uses, for scoring, statistics of the clean training graphs at the
/// final weights instead of a moving average over augmented batches, so they do not depend on the
/// last few batches. Deviation: nodes are read in canonical order, so that a score is a function of
/// the graph and not of its node numbering (`order=input` gives the published behaviour).
class SgoodDetector : public DistanceDetector {
 public:
  explicit SgoodDetector(SgoodOptions options = {}) : options_(std::move(options)) {}

  std::string_view method() const override { return "sgood"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_; }
  const DistanceOptions& distance_options() const override { return options_; }
  bool needs_classes() const override { return false; }

 private:
  SgoodOptions options_;
};

}  // namespace sgood
