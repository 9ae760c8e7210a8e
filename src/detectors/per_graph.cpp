// SPDX-License-Identifier: MIT
#include "per_graph.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"

namespace sgood {

void check_training_set(const GraphSet& train) {
  SGOOD_CHECK(train.graphs.size() >= 2, "training needs at least 2 graphs but {} has {}",
              train.source.empty() ? "the data" : train.source, train.graphs.size());
  const auto labelled =
      static_cast<std::size_t>(std::count_if(train.graphs.begin(), train.graphs.end(),
                                             [](const Graph& g) { return g.label().has_value(); }));
  SGOOD_CHECK(labelled == 0 || labelled == train.graphs.size(),
              "{} of {} training graphs have no class; give all of them one, or train without "
              "classes (--labels none)",
              train.graphs.size() - labelled, train.graphs.size());
}

void check_classes(const GraphSet& train, std::string_view method) {
  std::int32_t num_classes = 0;
  for (const Graph& graph : train.graphs)
    num_classes = std::max(num_classes, graph.label().value_or(-1) + 1);
  SGOOD_CHECK(num_classes >= 2,
              "{} learns to tell classes apart, but {} has {}; choose a method that does without "
              "classes (sgood list methods)",
              method, train.source.empty() ? "the data" : train.source,
              num_classes == 0 ? "none" : "one only");
}

std::int32_t label_columns_of(const GraphSet& train) {
  for (const Graph& graph : train.graphs)
    if (graph.num_nodes() > 0) return graph.num_label_columns();
  return 0;
}

void for_each_graph(std::int64_t count, int threads, const RunControl& control,
                    const std::string& stage, const std::function<void(std::int64_t)>& work) {
  constexpr std::int64_t kChunk = 32;
  parallel_for((count + kChunk - 1) / kChunk, threads, [&](std::int64_t chunk) {
    if (control.stop.stop_requested()) throw Cancelled("stopped");
    const std::int64_t last = std::min(count, (chunk + 1) * kChunk);
    for (std::int64_t i = chunk * kChunk; i < last; ++i) work(i);
    if (threads <= 1) control.report(stage, last, count);
  });
}

std::vector<GraphScore> score_each(const GraphSet& graphs, int threads, const RunControl& control,
                                   const std::function<double(const Graph&)>& score) {
  std::vector<GraphScore> scores(graphs.graphs.size());
  for_each_graph(std::ssize(scores), threads, control, "scoring", [&](std::int64_t i) {
    const auto g = static_cast<std::size_t>(i);
    scores[g].score = score(graphs.graphs[g]);
  });
  return scores;
}

}  // namespace sgood
