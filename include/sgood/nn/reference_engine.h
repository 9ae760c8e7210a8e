// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "sgood/nn/engine.h"

namespace sgood {

/// The engine over plain loops, node by node, for any width.
std::unique_ptr<Engine> make_reference_engine(const NetworkShape& shape);

/// Engine::loss_and_gradient() by plain loops in double: the yardstick of every other engine.
StepLoss reference_loss_and_gradient(const NetworkShape& shape, const TrainingStep& step,
                                     std::span<const double> parameters,
                                     std::span<double> gradient);

}  // namespace sgood
