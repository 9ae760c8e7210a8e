// SPDX-License-Identifier: MIT
#include "training_density.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sgood/core/error.h"
#include "stored.h"

namespace sgood {
namespace {

std::size_t idx(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Different multisets in order of appearance, and which one each graph has.
struct Profiles {
  std::vector<std::vector<ColourCount>> different;
  std::vector<std::int32_t> of_graph;
};

Profiles find_profiles(std::vector<GraphFeatures>& graphs, std::size_t block) {
  Profiles result;
  std::map<std::vector<ColourCount>, std::int32_t> numbers;
  for (GraphFeatures& graph : graphs) {
    const auto next = static_cast<std::int32_t>(numbers.size());
    result.of_graph.push_back(
        numbers.try_emplace(std::move(graph.blocks[block]), next).first->second);
  }
  result.different.resize(numbers.size());
  while (!numbers.empty()) {
    auto node = numbers.extract(numbers.begin());
    result.different[idx(node.mapped())] = std::move(node.key());
  }
  return result;
}

/// How often each of 0 .. max occurs in `numbers`.
std::vector<std::int32_t> occurrences(const std::vector<std::int32_t>& numbers) {
  std::vector<std::int32_t> counts;
  for (const std::int32_t number : numbers) {
    if (counts.size() <= idx(number)) counts.resize(idx(number) + 1);
    ++counts[idx(number)];
  }
  return counts;
}

double size_distance(std::int32_t a, std::int32_t b) {
  if (a == b) return 0;
  return 1 - static_cast<double>(std::min(a, b)) / static_cast<double>(std::max(a, b));
}

/// -tau ln(mean exp(-distance / tau)), each distance as often as `copies` says.
double soft_minimum(const std::vector<double>& distances, const std::vector<std::int32_t>& copies,
                    double tau) {
  // Beyond this many tau a distance adds less than 1e-17 of what the nearest one adds.
  constexpr double kFar = 40;
  double least = std::numeric_limits<double>::infinity();
  std::int64_t graphs = 0;
  for (std::size_t r = 0; r < distances.size(); ++r) {
    graphs += copies[r];
    if (copies[r] > 0) least = std::min(least, distances[r]);
  }
  const double far = least + kFar * tau;
  double sum = 0;
  for (std::size_t r = 0; r < distances.size(); ++r)
    if (distances[r] < far && copies[r] > 0)
      sum += copies[r] * std::exp((least - distances[r]) / tau);
  return least - tau * std::log(sum / static_cast<double>(graphs));
}

}  // namespace

TrainingDensity::TrainingDensity(std::vector<GraphFeatures> graphs, std::vector<ViewPlan> views,
                                 bool idf)
    : views_(std::move(views)) {
  for (const GraphFeatures& graph : graphs) sizes_.push_back(graph.num_nodes);
  profiles_.emplace_back();
  for (std::size_t b = 0; b < graphs[0].blocks.size(); ++b) {
    Profiles found = find_profiles(graphs, b);
    blocks_.emplace_back(found.different, occurrences(found.of_graph), idf);
    profiles_.push_back(std::move(found.of_graph));
  }
  add_references();
}

void TrainingDensity::add_references() {
  different_sizes_ = sizes_;
  std::ranges::sort(different_sizes_);
  different_sizes_.erase(std::unique(different_sizes_.begin(), different_sizes_.end()),
                         different_sizes_.end());
  profiles_[0].clear();
  for (const std::int32_t size : sizes_)
    profiles_[0].push_back(static_cast<std::int32_t>(
        std::ranges::lower_bound(different_sizes_, size) - different_sizes_.begin()));

  for (const ViewPlan& view : views_) {
    References& found = references_.emplace_back();
    found.profiles.resize(view.parts.size());
    std::map<std::vector<std::int32_t>, std::int32_t> numbers;
    for (std::size_t g = 0; g < sizes_.size(); ++g) {
      std::vector<std::int32_t> key;
      for (const std::int32_t part : view.parts) key.push_back(profiles_[idx(part)][g]);
      const auto next = static_cast<std::int32_t>(numbers.size());
      const auto [number, is_new] = numbers.try_emplace(key, next);
      for (std::size_t p = 0; is_new && p < key.size(); ++p) found.profiles[p].push_back(key[p]);
      found.of_graph.push_back(number->second);
    }
    found.copies = occurrences(found.of_graph);
  }
}

void TrainingDensity::weigh_as(const TrainingDensity& training) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b].weigh_as(training.blocks_[b]);
}

std::int32_t TrainingDensity::profile(std::int32_t part, std::int32_t graph) const {
  return profiles_[idx(part)][idx(graph)];
}

std::int64_t TrainingDensity::num_colours() const {
  std::int64_t count = 0;
  for (const MinMaxIndex& block : blocks_) count += block.num_colours();
  return count;
}

std::vector<std::vector<double>> TrainingDensity::part_distances(const GraphFeatures& graph) const {
  std::vector<std::vector<double>> parts(1);
  for (const std::int32_t size : different_sizes_)
    parts[0].push_back(size_distance(graph.num_nodes, size));
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    parts.push_back(blocks_[b].distances(graph.blocks[b]));
  return parts;
}

std::vector<double> TrainingDensity::reference_distances(
    std::size_t view, const std::vector<std::vector<double>>& parts) const {
  const References& references = references_[view];
  const std::vector<std::int32_t>& of_view = views_[view].parts;
  std::vector<double> distances(references.copies.size());
  for (std::size_t p = 0; p < of_view.size(); ++p) {
    const double* const of_profile = parts[idx(of_view[p])].data();
    const std::int32_t* const profiles = references.profiles[p].data();
    for (std::size_t r = 0; r < distances.size(); ++r) distances[r] += of_profile[profiles[r]];
  }
  for (double& distance : distances) distance /= static_cast<double>(of_view.size());
  return distances;
}

std::vector<double> TrainingDensity::scores(const GraphFeatures& graph, double tau,
                                            std::optional<std::int32_t> left_out) const {
  const auto parts = part_distances(graph);
  std::vector<double> scores;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const References& references = references_[v];
    const std::vector<double> distances = reference_distances(v, parts);
    if (left_out) {
      std::vector<std::int32_t> copies = references.copies;
      --copies[idx(references.of_graph[idx(*left_out)])];
      scores.push_back(soft_minimum(distances, copies, tau));
    } else {
      scores.push_back(soft_minimum(distances, references.copies, tau));
    }
  }
  return scores;
}

std::vector<std::vector<double>> TrainingDensity::distances(const GraphFeatures& graph) const {
  const auto parts = part_distances(graph);
  std::vector<std::vector<double>> result(views_.size());
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const std::vector<double> distances = reference_distances(v, parts);
    for (const std::int32_t r : references_[v].of_graph) result[v].push_back(distances[idx(r)]);
  }
  return result;
}

void TrainingDensity::save(TensorFile& file) const {
  file.tensors["density.sizes"] = Tensor::of(sizes_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::string prefix = fmt::format("density.block{}", b);
    file.tensors[prefix + ".graphs"] = Tensor::of(profiles_[b + 1]);
    blocks_[b].save(file, prefix);
  }
}

TrainingDensity TrainingDensity::load(const TensorFile& file, std::size_t num_blocks,
                                      std::vector<ViewPlan> views, bool idf) {
  TrainingDensity density;
  density.views_ = std::move(views);
  density.sizes_ = file.tensor("density.sizes").values<std::int32_t>();
  SGOOD_CHECK(density.sizes_.size() >= 2 && std::ranges::min(density.sizes_) >= 0,
              "the model file's density.sizes must hold at least two numbers of nodes");
  density.profiles_.emplace_back();
  for (std::size_t b = 0; b < num_blocks; ++b) {
    const std::string prefix = fmt::format("density.block{}", b);
    auto of_graph =
        stored_values<std::int32_t>(file, prefix + ".graphs", {std::ssize(density.sizes_)});
    for (const std::int32_t p : of_graph)
      SGOOD_CHECK(p >= 0 && p < std::ssize(of_graph),
                  "the model file's {}.graphs holds {} but must be in [0, {})", prefix, p,
                  of_graph.size());
    const std::vector<std::int32_t> graphs_with = occurrences(of_graph);
    SGOOD_CHECK(std::ranges::min(graphs_with) >= 1,
                "the model file's {}.graphs leaves out a number", prefix);
    density.blocks_.push_back(MinMaxIndex::load(file, prefix, graphs_with, idf));
    density.profiles_.push_back(std::move(of_graph));
  }
  density.add_references();
  return density;
}

}  // namespace sgood
