// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"
#include "sgood/metrics/calibration.h"

namespace sgood {

/// What a user asks of `fit`.
struct ModelSettings {
  std::string method = "sgood";
  /// Method options by name, e.g. {"tau", "0.5"}.
  std::vector<std::pair<std::string, std::string>> options;
  /// Share of the data held out for threshold and p-values, in (0, 1); unused with calibration
  /// data, and by methods that leave one out (Detector::leaves_one_out()).
  double validation = 0.1;
  /// Share of in-distribution graphs that may be called OOD, in (0, 1).
  double alarm_rate = 0.05;
};

/// The answer for one graph.
struct Decision {
  double score = 0;     ///< Higher = more OOD.
  double p_value = 1;   ///< Share of ID graphs at least this unusual (conformal, see fit()).
  bool is_ood = false;  ///< p_value <= alarm rate.
  std::optional<std::string> predicted;  ///< Name of the most probable class.
  std::optional<double> probability;     ///< Its probability.
  std::optional<double> batch_score;     ///< From score_batch() alone; see GraphScore.
};

/// Why a graph has its score, in terms that hold for every method.
struct Reasons {
  Decision decision;
  /// Whether contributions are shares of the score rather than falls, see Model::explain().
  bool shares = false;
  /// Substructures that the graph consists of, largest contribution first.
  std::vector<SubstructureReason> substructures;
  Explanation method;  ///< What the method itself says.
};

class SubstructureCensus;

/// A fitted detector with its calibration: what a model file holds.
class Model {
 public:
  /// Fits on `data`; holds out a seeded share of it for calibration unless `calibration` is given
  /// or the method leaves one out. Then all of `data` trains, and calibration is approximate: a
  /// training graph's score comes from one graph fewer, and it takes part in what else fit()
  /// learns.
  static Model fit(const GraphSet& data, const ModelSettings& settings, const FitContext& context,
                   const GraphSet* calibration = nullptr);

  /// One decision per graph of `graphs.graphs`.
  std::vector<Decision> score(const GraphSet& graphs, int threads = 1,
                              const RunControl& control = {}) const;
  /// The same, and the batch score of each graph: Detector::score_batch(), which says what it
  /// throws. All else, p-values and decisions among it, is as from score().
  std::vector<Decision> score_batch(const GraphSet& graphs, int threads = 1,
                                    const RunControl& control = {}) const;

  /// Judges each substructure of the graph (Detector::substructures()). Where the method divides
  /// its score among nodes (Explanation::node_weights), a contribution is the sum over its nodes;
  /// all of them and Explanation::elsewhere add up to what raised the score. Elsewhere it is the
  /// fall: the score minus that of the graph without these nodes, all else equal. Falls need not
  /// add up; whoever doubts one can delete the nodes and score again. `nearest` >= 1 training
  /// graphs are named. Scores as many graphs as there are substructures.
  Reasons explain(const Graph& graph, int nearest = 5, int threads = 1) const;
  /// Training graphs, and those among them with a substructure that no other training graph has:
  /// how often "never seen" is true of graphs that are in distribution.
  struct SeenShare {
    std::int32_t with_unique = 0, graphs = 0;
  };
  SeenShare unique_substructures() const;
  /// Numbers of nodes of the training graphs, ascending.
  const std::vector<std::int32_t>& training_sizes() const;

  /// Score above which a graph is called OOD; infinite when too few calibration graphs allow the
  /// alarm rate.
  double threshold() const { return calibration_->threshold(alarm_rate_); }
  double alarm_rate() const { return alarm_rate_; }
  /// Changes the alarm rate, in (0, 1), without refitting.
  void set_alarm_rate(double alarm_rate);
  const Calibration& calibration() const { return *calibration_; }
  const Detector& detector() const { return *detector_; }
  const std::vector<std::string>& class_names() const { return class_names_; }

  /// Everything worth knowing of the model, for `sgood info`.
  nlohmann::ordered_json describe() const;

  /// Writes the file at once or not at all. Equal models give equal bytes.
  void save(const std::filesystem::path& path) const;
  /// Throws IoError or ParseError, which name the file, when it is missing, damaged or foreign, and
  /// Unavailable when the method needs LibTorch and that is not there.
  static Model load(const std::filesystem::path& path);

 private:
  std::vector<Decision> decide(const GraphSet& graphs, const std::vector<GraphScore>& scores) const;
  static Model from_tensors(const TensorFile& file);

  std::unique_ptr<Detector> detector_;
  std::optional<Calibration> calibration_;
  std::shared_ptr<const SubstructureCensus> census_;
  double alarm_rate_ = 0.05;
  std::uint64_t seed_ = 0;
  std::vector<std::string> class_names_;
  std::string trained_on_;  ///< Source and number of training graphs, for people.
};

}  // namespace sgood
