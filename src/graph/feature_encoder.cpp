// SPDX-License-Identifier: MIT
#include "sgood/graph/feature_encoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using Json = nlohmann::ordered_json;

struct KindName {
  FeatureKind kind;
  std::string_view name;
};
constexpr std::array kKindNames = {
    KindName{FeatureKind::kAuto, "auto"},
    KindName{FeatureKind::kLabels, "labels"},
    KindName{FeatureKind::kFirstLabel, "first-label"},
    KindName{FeatureKind::kAttributes, "attributes"},
    KindName{FeatureKind::kBoth, "both"},
    KindName{FeatureKind::kDegree, "degree"},
    KindName{FeatureKind::kConstant, "constant"},
};

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

bool uses_labels(FeatureKind kind) {
  return kind == FeatureKind::kLabels || kind == FeatureKind::kFirstLabel ||
         kind == FeatureKind::kBoth;
}

bool uses_attributes(FeatureKind kind) {
  return kind == FeatureKind::kAttributes || kind == FeatureKind::kBoth;
}

/// Throws unless `graph`, which has nodes, has the columns that training had.
void check_columns(const Graph& graph, const char* what, std::int32_t found, std::int32_t needed) {
  SGOOD_CHECK(found == needed, "graph {} has {} {} per node but training graphs have {}",
              graph.id(), found, what, needed);
}

struct Columns {
  std::int32_t labels = 0;
  std::int32_t attributes = 0;
};

/// Columns of the first graph with nodes; a graph without nodes says nothing about columns.
Columns columns_of(const GraphSet& train) {
  for (const Graph& graph : train.graphs)
    if (graph.num_nodes() > 0) return {graph.num_label_columns(), graph.num_attributes()};
  return {};
}

/// Throws unless the graphs have the columns that `kind` reads, all of them the same number.
void check_training(const GraphSet& train, FeatureKind kind) {
  const auto [labels, attributes] = columns_of(train);
  SGOOD_CHECK(!uses_labels(kind) || labels > 0,
              "features '{}' need node labels but the training graphs have none",
              feature_kind_name(kind));
  SGOOD_CHECK(!uses_attributes(kind) || attributes > 0,
              "features '{}' need node attributes but the training graphs have none",
              feature_kind_name(kind));
  for (const Graph& graph : train.graphs) {
    if (graph.num_nodes() == 0) continue;
    if (uses_labels(kind)) check_columns(graph, "node labels", graph.num_label_columns(), labels);
    if (uses_attributes(kind))
      check_columns(graph, "node attributes", graph.num_attributes(), attributes);
  }
}

/// The values of categorical column `column`, each once, ascending.
std::vector<std::int32_t> alphabet_of(const GraphSet& train, std::size_t column) {
  std::vector<std::int32_t> values;
  for (const Graph& graph : train.graphs) {
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      values.push_back(graph.node_labels(v)[column]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return values;
}

struct Moments {
  double mean = 0;
  double deviation = 1;
};

/// Mean and population deviation of real column `column` over all nodes of `train`.
Moments moments_of(const GraphSet& train, std::size_t column) {
  std::vector<double> values;
  for (const Graph& graph : train.graphs)
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      values.push_back(static_cast<double>(graph.node_attributes(v)[column]));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  // Rounding in the sum must not turn a constant column into noise blown up to deviation 1.
  if (*low == *high) return {*low, 1};
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += x;
  const double mean = sum / count;
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return {mean, std::sqrt(squares / count)};
}

const Json& member(const Json& json, const char* name) {
  const auto it = json.find(name);
  SGOOD_CHECK(it != json.end(), "feature encoder: '{}' is missing", name);
  return *it;
}

std::int32_t int_from(const Json& json, const char* name) {
  SGOOD_CHECK(json.is_number_integer(), "feature encoder: '{}' holds {} but must hold integers",
              name, json.dump());
  const bool fits = json.is_number_unsigned()
                        ? json.get<std::uint64_t>() <= std::numeric_limits<std::int32_t>::max()
                        : json.get<std::int64_t>() >= std::numeric_limits<std::int32_t>::min() &&
                              json.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
  SGOOD_CHECK(fits, "feature encoder: '{}' holds {}, which does not fit 32 bits", name,
              json.dump());
  return json.get<std::int32_t>();
}

std::vector<double> reals_from(const Json& json, const char* name) {
  const Json& list = member(json, name);
  SGOOD_CHECK(list.is_array(), "feature encoder: '{}' must be an array", name);
  std::vector<double> values;
  for (const Json& x : list) {
    SGOOD_CHECK(x.is_number() && std::isfinite(x.get<double>()),
                "feature encoder: '{}' holds {} but must hold finite numbers", name, x.dump());
    values.push_back(x.get<double>());
  }
  return values;
}

std::vector<std::vector<std::int32_t>> alphabets_from(const Json& json) {
  const Json& lists = member(json, "alphabets");
  SGOOD_CHECK(lists.is_array(), "feature encoder: 'alphabets' must be an array of arrays");
  std::vector<std::vector<std::int32_t>> alphabets;
  for (const Json& list : lists) {
    SGOOD_CHECK(list.is_array(), "feature encoder: 'alphabets' must be an array of arrays");
    std::vector<std::int32_t>& values = alphabets.emplace_back();
    for (const Json& x : list) values.push_back(int_from(x, "alphabets"));
    SGOOD_CHECK(
        std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end(),
        "feature encoder: the values of an alphabet must ascend");
  }
  return alphabets;
}

}  // namespace

FeatureKind parse_feature_kind(std::string_view name) {
  std::vector<std::string_view> names;
  for (const KindName& entry : kKindNames) {
    if (entry.name == name) return entry.kind;
    names.push_back(entry.name);
  }
  throw InvalidArgument(
      fmt::format("features is '{}' but must be one of {}", name, fmt::join(names, ", ")));
}

std::string_view feature_kind_name(FeatureKind kind) {
  for (const KindName& entry : kKindNames)
    if (entry.kind == kind) return entry.name;
  throw InternalError("unnamed feature kind");
}

FeatureEncoder FeatureEncoder::fit(const GraphSet& train, FeatureKind kind,
                                   std::int32_t degree_cap) {
  SGOOD_CHECK(!train.graphs.empty(), "features need at least one training graph");
  SGOOD_CHECK(degree_cap >= 1, "degree_cap is {} but must be at least 1", degree_cap);
  const auto [label_columns, attributes] = columns_of(train);
  if (kind == FeatureKind::kAuto)
    kind = label_columns > 0 ? FeatureKind::kLabels
           : attributes > 0  ? FeatureKind::kAttributes
                             : FeatureKind::kConstant;
  check_training(train, kind);

  FeatureEncoder encoder;
  encoder.kind_ = kind;
  if (uses_labels(kind)) {
    encoder.num_label_columns_ = label_columns;
    const std::int32_t used = kind == FeatureKind::kFirstLabel ? 1 : label_columns;
    for (std::int32_t c = 0; c < used; ++c)
      encoder.alphabets_.push_back(alphabet_of(train, idx(c)));
  }
  if (uses_attributes(kind)) {
    for (std::int32_t c = 0; c < attributes; ++c) {
      const Moments moments = moments_of(train, idx(c));
      encoder.means_.push_back(moments.mean);
      encoder.deviations_.push_back(moments.deviation);
    }
  }
  if (kind == FeatureKind::kDegree) {
    for (const Graph& graph : train.graphs)
      for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
        encoder.max_degree_ = std::max(encoder.max_degree_, graph.degree(v));
    encoder.max_degree_ = std::min(encoder.max_degree_, degree_cap);
  }
  return encoder;
}

NodeInput FeatureEncoder::encode(const Graph& graph) const {
  NodeInput input;
  const std::int32_t n = graph.num_nodes();
  if (n == 0) return input;
  if (uses_labels(kind_))
    check_columns(graph, "node labels", graph.num_label_columns(), num_label_columns_);
  if (uses_attributes(kind_))
    check_columns(graph, "node attributes", graph.num_attributes(), num_dense());
  input.codes.reserve(idx(n) * idx(code_columns()));
  input.dense.reserve(idx(n) * idx(num_dense()));
  for (std::int32_t v = 0; v < n; ++v) {
    if (kind_ == FeatureKind::kConstant) input.codes.push_back(0);
    if (kind_ == FeatureKind::kDegree)
      input.codes.push_back(std::min(graph.degree(v), max_degree_ + 1));
    std::int32_t offset = 0;
    for (std::size_t c = 0; c < alphabets_.size(); ++c) {
      const auto& known = alphabets_[c];
      const std::int32_t value = graph.node_labels(v)[c];
      const auto at = std::lower_bound(known.begin(), known.end(), value);
      const auto code = at != known.end() && *at == value ? at : known.end();
      input.codes.push_back(offset + static_cast<std::int32_t>(code - known.begin()));
      offset += static_cast<std::int32_t>(known.size()) + 1;
    }
    for (std::size_t c = 0; c < means_.size(); ++c) {
      const float raw = graph.node_attributes(v)[c];
      const auto scaled =
          static_cast<float>((static_cast<double>(raw) - means_[c]) / deviations_[c]);
      SGOOD_CHECK(std::isfinite(scaled),
                  "graph {}: attribute {} of node {} is {:g}, too far from its training range "
                  "({:g} +- {:g})",
                  graph.id(), c, v, raw, means_[c], deviations_[c]);
      input.dense.push_back(scaled);
    }
  }
  return input;
}

std::int32_t FeatureEncoder::code_columns() const {
  if (kind_ == FeatureKind::kConstant || kind_ == FeatureKind::kDegree) return 1;
  return static_cast<std::int32_t>(alphabets_.size());
}

std::int32_t FeatureEncoder::vocabulary() const {
  if (kind_ == FeatureKind::kConstant) return 1;
  if (kind_ == FeatureKind::kDegree) return max_degree_ + 2;
  std::int32_t total = 0;
  for (const auto& known : alphabets_) total += static_cast<std::int32_t>(known.size()) + 1;
  return total;
}

std::int32_t FeatureEncoder::num_dense() const { return static_cast<std::int32_t>(means_.size()); }

Json FeatureEncoder::to_json() const {
  Json json;
  json["kind"] = feature_kind_name(kind_);
  json["num_label_columns"] = num_label_columns_;
  json["alphabets"] = alphabets_;
  json["max_degree"] = max_degree_;
  json["means"] = means_;
  json["deviations"] = deviations_;
  return json;
}

FeatureEncoder FeatureEncoder::from_json(const Json& json) {
  SGOOD_CHECK(json.is_object() && json.size() == 6,
              "a feature encoder must be a JSON object with six members");
  FeatureEncoder encoder;
  const Json& kind = member(json, "kind");
  SGOOD_CHECK(kind.is_string(), "feature encoder: 'kind' must be a text");
  encoder.kind_ = parse_feature_kind(kind.get<std::string>());
  encoder.num_label_columns_ = int_from(member(json, "num_label_columns"), "num_label_columns");
  encoder.alphabets_ = alphabets_from(json);
  encoder.max_degree_ = int_from(member(json, "max_degree"), "max_degree");
  encoder.means_ = reals_from(json, "means");
  encoder.deviations_ = reals_from(json, "deviations");

  const FeatureKind k = encoder.kind_;
  const auto columns = static_cast<std::int64_t>(encoder.alphabets_.size());
  const std::int64_t label_columns = encoder.num_label_columns_;
  const bool labels_fit = !uses_labels(k)                 ? columns == 0 && label_columns == 0
                          : k == FeatureKind::kFirstLabel ? columns == 1 && label_columns >= 1
                                                          : columns == label_columns && columns > 0;
  const bool dense_fits = encoder.means_.size() == encoder.deviations_.size() &&
                          encoder.means_.empty() != uses_attributes(k) &&
                          std::all_of(encoder.deviations_.begin(), encoder.deviations_.end(),
                                      [](double d) { return d > 0; });
  // The overflow bin must still have a number.
  const bool degree_fits = k == FeatureKind::kDegree
                               ? encoder.max_degree_ >= 0 && encoder.max_degree_ < (1 << 30)
                               : encoder.max_degree_ == 0;
  SGOOD_CHECK(k != FeatureKind::kAuto && labels_fit && dense_fits && degree_fits,
              "feature encoder: members do not fit kind '{}'", feature_kind_name(k));
  return encoder;
}

}  // namespace sgood
