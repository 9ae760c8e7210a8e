// SPDX-License-Identifier: MIT
#include "sgood/nn/network.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr std::string_view kBackboneNames[] = {"gin", "gcn", "sage"};

const Slot& find(const std::vector<Slot>& slots, std::string_view name) {
  const auto it =
      std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == name; });
  if (it == slots.end()) throw InternalError(fmt::format("there is no tensor '{}'", name));
  return *it;
}

}  // namespace

Backbone parse_backbone(std::string_view name) {
  const auto* it = std::find(std::begin(kBackboneNames), std::end(kBackboneNames), name);
  SGOOD_CHECK(it != std::end(kBackboneNames), "backbone is '{}' but must be one of {}", name,
              fmt::join(kBackboneNames, ", "));
  return static_cast<Backbone>(it - std::begin(kBackboneNames));
}

std::string_view backbone_name(Backbone backbone) {
  return kBackboneNames[static_cast<std::size_t>(backbone)];
}

ParameterLayout::ParameterLayout(const NetworkShape& shape) : shape_(shape) {
  SGOOD_CHECK(shape.node_layers >= 1, "node_layers is {} but must be at least 1",
              shape.node_layers);
  SGOOD_CHECK(shape.super_layers >= 0, "super_layers is {} but must be at least 0",
              shape.super_layers);
  SGOOD_CHECK(shape.width >= 1, "width is {} but must be at least 1", shape.width);
  SGOOD_CHECK(shape.num_classes >= 0, "num_classes is {} but must be at least 0",
              shape.num_classes);
  SGOOD_CHECK(shape.input_width() >= 1, "the network needs at least one input column");

  for (std::int32_t l = 0; l < shape.node_layers; ++l)
    add_layer(fmt::format("node.{}", l), l == 0 ? shape.input_width() : shape.width);
  if (shape.super_graph) {
    add("pool.phi.weight", shape.node_width(), shape.width);
    add("pool.phi.bias", 1, shape.width);
    add("pool.rho.weight", shape.width, shape.width);
    add("pool.rho.bias", 1, shape.width);
    for (std::int32_t l = 0; l < shape.super_layers; ++l)
      add_layer(fmt::format("super.{}", l), shape.width);
  }
  const std::int32_t readout = shape.readout_width();
  if (shape.num_classes > 0) {
    add("classifier.weight", readout, shape.num_classes);
    add("classifier.bias", 1, shape.num_classes);
  }
  for (const char* linear : {"linear1", "linear2"}) {
    add(fmt::format("projection.{}.weight", linear), readout, readout);
    add(fmt::format("projection.{}.bias", linear), 1, readout);
  }
}

void ParameterLayout::add(std::string name, std::int32_t rows, std::int32_t cols) {
  slots_.push_back({std::move(name), num_parameters_, rows, cols});
  num_parameters_ += slots_.back().size();
}

void ParameterLayout::add_batch_norm(const std::string& name) {
  add(name + ".weight", 1, shape_.width);
  add(name + ".bias", 1, shape_.width);
  for (const char* moment : {".mean", ".var"}) {
    statistics_.push_back({name + moment, num_statistics_, 1, shape_.width});
    num_statistics_ += shape_.width;
  }
}

void ParameterLayout::add_layer(const std::string& prefix, std::int32_t inputs) {
  switch (shape_.backbone) {
    case Backbone::kGin:
      add(prefix + ".linear1.weight", inputs, shape_.width);
      add_batch_norm(prefix + ".bn1");
      add(prefix + ".linear2.weight", shape_.width, shape_.width);
      add_batch_norm(prefix + ".bn2");
      break;
    case Backbone::kGcn:
      add(prefix + ".linear1.weight", inputs, shape_.width);
      add_batch_norm(prefix + ".bn1");
      break;
    case Backbone::kSage:
      add(prefix + ".self.weight", inputs, shape_.width);
      add(prefix + ".neighbor.weight", inputs, shape_.width);
      add_batch_norm(prefix + ".bn1");
      break;
  }
}

const Slot& ParameterLayout::slot(std::string_view name) const { return find(slots_, name); }
const Slot& ParameterLayout::statistic(std::string_view name) const {
  return find(statistics_, name);
}

std::vector<float> ParameterLayout::initial_parameters(Rng rng) const {
  std::vector<float> parameters(static_cast<std::size_t>(num_parameters_));
  std::int32_t inputs = 1;
  for (const Slot& slot : slots_) {
    float* values = parameters.data() + slot.offset;
    if (slot.name.find(".bn") != std::string::npos) {
      std::fill_n(values, slot.size(), slot.name.ends_with(".weight") ? 1.0F : 0.0F);
      continue;
    }
    // A bias follows its weight and shares the weight's number of inputs.
    if (slot.name.ends_with(".weight")) inputs = slot.rows;
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    for (std::int64_t i = 0; i < slot.size(); ++i)
      values[i] = static_cast<float>(rng.uniform(-bound, bound));
  }
  return parameters;
}

}  // namespace sgood
