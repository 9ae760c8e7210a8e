// SPDX-License-Identifier: MIT
// Models with damaged contents and a checksum that fits: the input says what is changed in a good
// one.
#include "sgood/detectors/model.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sgood/graph/graph_builder.h"
#include "sgood/io/safetensors.h"
#include "tests/fuzz/fuzz_input.h"

namespace sgood {
namespace {

/// Rings and paths of 3 to 9 nodes, labelled by kind.
GraphSet toy_graphs() {
  GraphSet set;
  set.source = "toy";
  set.class_names = {"path", "ring"};
  set.node_label_names = {"node_label"};
  for (std::int32_t i = 0; i < 28; ++i) {
    const std::int32_t nodes = 3 + i % 7, label = i % 2;
    GraphBuilder builder(nodes);
    for (std::int32_t v = 0; v + 1 < nodes + label; ++v) builder.add_edge(v, (v + 1) % nodes);
    builder.set_node_labels(std::vector<std::int32_t>(static_cast<std::size_t>(nodes), i % 3), 1);
    set.graphs.push_back(builder.set_id(std::to_string(i)).set_row(i).set_label(label).build());
  }
  return set;
}

const GraphSet& graphs() {
  static const GraphSet set = toy_graphs();
  return set;
}

std::vector<TensorFile> fit_models() {
  std::vector<TensorFile> files;
  const auto path = fuzz::folder() / "good.sgood";
  using Options = std::vector<std::pair<std::string, std::string>>;
  const std::vector<std::pair<std::string, Options>> methods = {
      {"size", {}},
      {"stats-knn", {}},
      {"wl-knn", {}},
      {"wl-density", {}},
      {"sgood", {{"width", "4"}, {"pretrain_epochs", "1"}, {"finetune_epochs", "1"}}},
      {"msp", {{"width", "4"}, {"epochs", "1"}}}};
  for (const auto& [method, options] : methods) {
    const ModelSettings settings{.method = method, .options = options, .validation = 0.3};
    Model::fit(graphs(), settings, {}).save(path);
    files.push_back(load_tensors(path));
  }
  return files;
}

template <typename Map>
auto& pick(Map& map, fuzz::Bytes& bytes) {
  return std::next(map.begin(), static_cast<std::ptrdiff_t>(bytes.below(map.size())))->second;
}

void change_text(std::string& text, fuzz::Bytes& bytes) {
  const std::size_t at = bytes.below(text.size() + 1);
  text.replace(at, bytes.below(8), bytes.text(bytes.below(12)));
}

void change_tensor(Tensor& tensor, fuzz::Bytes& bytes) {
  const std::size_t width =
      tensor.type == TensorType::kF64 || tensor.type == TensorType::kI64 ? 8 : 4;
  const std::size_t at = bytes.below(tensor.bytes.size() / width);
  switch (bytes.below(4)) {
    case 0:  // fewer elements, in one dimension
      tensor.bytes.resize(at * width);
      tensor.shape = {static_cast<std::int64_t>(at)};
      break;
    case 1:  // the same bytes as another type
      tensor.type = static_cast<TensorType>(bytes.below(4));
      break;
    case 2:  // one dimension more, of one element
      tensor.shape.push_back(1);
      break;
    default:
      for (std::size_t i = 0; i < width && at * width + i < tensor.bytes.size(); ++i)
        tensor.bytes[at * width + i] = bytes.number<std::byte>();
  }
}

void read_changed(const std::vector<TensorFile>& models, fuzz::Bytes bytes) {
  TensorFile file = models[bytes.below(models.size())];
  while (!bytes.empty()) {
    if (bytes.below(2) == 0)
      change_text(pick(file.metadata, bytes), bytes);
    else
      change_tensor(pick(file.tensors, bytes), bytes);
  }
  const auto path = fuzz::folder() / "changed.sgood";
  save_tensors(path, file);
  const Model model = Model::load(path);
  model.describe();
  for (const Decision& decision : model.score(graphs()))
    if (!std::isfinite(decision.score)) throw std::logic_error("a score is not finite");
}

}  // namespace
}  // namespace sgood

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  static const std::vector<TensorFile> models = fit_models();
  return fuzz::try_to([&] { read_changed(models, fuzz::Bytes(fuzz::text_of(data, size))); });
}
