// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "src/torch/graph_net.h"

namespace sgood {

// One function per model, in the file of its name; the options that it reads are those of the
// method's class in detectors/.
std::shared_ptr<GraphNet> make_aagod(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_diffpool(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_glocalkd(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_gnn_ak(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_good_d(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_graphde(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_ngnn(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_ocgin(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_ocgtl(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_sagpool(const GraphModelSpec& spec);
std::shared_ptr<GraphNet> make_topkpool(const GraphModelSpec& spec);

/// The model called `spec.model`; throws InvalidArgument when there is none.
std::shared_ptr<GraphNet> make_graph_net(const GraphModelSpec& spec);

}  // namespace sgood
