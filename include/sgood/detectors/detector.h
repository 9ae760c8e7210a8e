// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/options.h"
#include "sgood/core/run_control.h"
#include "sgood/detectors/explanation.h"
#include "sgood/graph/graph_set.h"
#include "sgood/io/safetensors.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

class NetworkCache;

/// What a detector says of one graph.
struct GraphScore {
  double score = 0;  ///< Finite; higher = more OOD. A function of the graph alone.
  std::optional<std::int32_t> predicted;  ///< Most probable class, if the method classifies.
  std::optional<double> probability;      ///< Its probability, in (0, 1].
  /// From score_batch() alone: in (0, 1), higher = more OOD among the graphs of that call, and no
  /// more than a ranking of them.
  std::optional<double> batch_score;
};

/// Everything besides data and options that a fit depends on.
struct FitContext {
  std::uint64_t seed = 0;  ///< Every random choice comes from it.
  int threads = 1;         ///< For preparing graphs; never changes the result.
  RunControl control;      ///< Progress, and a request to stop.
  /// Where to keep unfinished training; empty: nowhere. Written about once a minute and when a stop
  /// is requested, taken up when it exists and belongs to the same data, options and seed.
  std::filesystem::path checkpoint;
  NetworkCache* networks = nullptr;  ///< Where networks are shared between fits; null: nowhere.
};

/// Fits on in-distribution graphs, then scores any graph. The score of a graph does not depend on
/// the other graphs of the call, on their order, on the number of threads, or on node numbering;
/// its batch score depends on the other graphs, and on nothing else of these.
class Detector {
 public:
  virtual ~Detector() = default;

  /// Registry name, e.g. "sgood".
  virtual std::string_view method() const = 0;
  /// The options; set them before fit().
  virtual OptionTable options() = 0;
  /// What the reader of the graphs must find, given the options, for fit() and score() to work.
  virtual Fragmentation fragmentation() const { return Fragmentation::kNone; }

  /// Learns from `train`: all graphs labelled, or none. Throws InvalidArgument on data it cannot
  /// use and Cancelled when stopped.
  virtual void fit(const GraphSet& train, const FitContext& context) = 0;
  /// One entry per graph of `graphs.graphs`. Throws NotFitted before fit() or load().
  virtual std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                        const RunControl& control) const = 0;
  std::vector<GraphScore> score(const GraphSet& graphs) const { return score(graphs, 1, {}); }

  /// What the method itself says of the score of `graph`, with the `nearest` >= 1 training graphs
  /// if it knows them; by default one term, the score. Throws NotFitted before fit() or load().
  virtual Explanation explain(const Graph& graph, int nearest) const;
  /// Finds the substructures in which people think of a graph's score: the method's own, where it
  /// has some, else by modularity.
  virtual std::unique_ptr<Partitioner> substructures() const;

  /// score(), and a batch score for each graph, which compares it with all others of the call. It
  /// ranks a batch with many OOD graphs better than score() may, and one with few worse. Throws
  /// InvalidArgument, also for no graphs, when the method (DetectorInfo::scores_batches) or its
  /// options know no batch scores; NotFitted before fit() or load().
  virtual std::vector<GraphScore> score_batch(const GraphSet& graphs, int threads,
                                              const RunControl& control) const;
  /// Whether an option asks a benchmark to rank its test graphs by batch scores.
  virtual bool ranks_batches() const { return false; }

  /// Whether fit() also scores training graphs as if each had not been among them, so that no
  /// graphs need be held out for a threshold.
  virtual bool leaves_one_out() const { return false; }
  /// Those scores, of all training graphs or of a part drawn by the seed; empty for other methods.
  /// Throws NotFitted before fit() or load().
  virtual std::vector<double> training_scores() const { return {}; }

  /// What happened in fit(), for people: epochs, losses, sizes. No times, so equal fits are equal.
  virtual nlohmann::ordered_json summary() const = 0;
  /// Seconds per training epoch of the last fit(), by stage name; empty for methods without epochs.
  virtual std::vector<std::pair<std::string, double>> epoch_seconds() const { return {}; }

  /// Adds the fitted state to `file`; options are saved by the caller.
  virtual void save(TensorFile& file) const = 0;
  /// Takes the state from `file`; options have been set already. Throws InvalidArgument or
  /// ParseError when tensors are missing or have the wrong shape.
  virtual void load(const TensorFile& file) = 0;
};

/// A row of the registry: all that the tool, the tests and the documentation know of a method.
struct DetectorInfo {
  std::string name;
  std::string summary;
  std::string reference;     ///< Paper.
  bool uses_labels = false;  ///< Works better with (or needs) class labels.
  std::unique_ptr<Detector> (*make)() = nullptr;
  bool needs_torch = false;     ///< fit() and load() throw Unavailable without LibTorch.
  bool needs_classes = false;   ///< fit() throws InvalidArgument unless there are two at least.
  bool scores_batches = false;  ///< score_batch() is there.
};

/// All methods, in the order in which tables show them.
const std::vector<DetectorInfo>& detectors();
/// A fresh detector with default options; an unknown name throws and lists the known ones.
std::unique_ptr<Detector> make_detector(std::string_view name);

}  // namespace sgood
