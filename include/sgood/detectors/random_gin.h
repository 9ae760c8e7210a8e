// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "sgood/detectors/network_detector.h"

namespace sgood {

/// Options of the untrained network: those of SGOOD that do not concern training.
struct RandomGinOptions : NetworkOptions, DistanceOptions {
  RandomGinOptions() { pretrain_epochs = finetune_epochs = 0; }
  OptionTable table();
};

/// SGOOD's network with its random initial weights, and the Mahalanobis distance in its
/// representation: what the architecture alone sees, so that one can tell what training adds.
class RandomGinDetector : public DistanceDetector {
 public:
  explicit RandomGinDetector(RandomGinOptions options = {}) : options_(std::move(options)) {}

  std::string_view method() const override { return "random-gin"; }
  OptionTable options() override { return options_.table(); }

 protected:
  NetworkOptions network_options() const override { return options_; }
  const DistanceOptions& distance_options() const override { return options_; }
  bool needs_classes() const override { return false; }
  bool trains() const override { return false; }

 private:
  RandomGinOptions options_;
};

}  // namespace sgood
