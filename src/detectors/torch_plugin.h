// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "sgood/nn/engine.h"
#include "sgood/nn/graph_model.h"

namespace sgood {

// LibTorch's side, loaded on first use so that nobody else pays for it. Each call throws
// Unavailable, naming `wanted_by` and the cure, when the plug-in is not there.

/// Whether the plug-in can be loaded; loads it.
bool torch_available();

std::unique_ptr<Engine> make_plugin_engine(std::string_view wanted_by, const NetworkShape& shape,
                                           bool cuda);
std::unique_ptr<GraphModel> make_plugin_model(std::string_view wanted_by,
                                              const GraphModelSpec& spec, bool cuda);

}  // namespace sgood
