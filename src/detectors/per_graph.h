// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/detectors/detector.h"

namespace sgood {

// What detectors share that treat graphs one by one.

/// Throws InvalidArgument unless there are two graphs at least, and all have a class or none has.
void check_training_set(const GraphSet& train);

/// Throws InvalidArgument unless the graphs have two classes at least, which `method` must tell
/// apart.
void check_classes(const GraphSet& train, std::string_view method);

/// Categorical node columns of the first graph with nodes; a graph without nodes says nothing.
std::int32_t label_columns_of(const GraphSet& train);

/// Runs `work(i)` for every i in [0, count) on up to `threads` threads, reports progress as `stage`
/// and throws Cancelled when a stop is requested.
void for_each_graph(std::int64_t count, int threads, const RunControl& control,
                    const std::string& stage, const std::function<void(std::int64_t)>& work);

/// One score per graph, without classes.
std::vector<GraphScore> score_each(const GraphSet& graphs, int threads, const RunControl& control,
                                   const std::function<double(const Graph&)>& score);

}  // namespace sgood
