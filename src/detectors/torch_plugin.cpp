// SPDX-License-Identifier: MIT
#include "torch_plugin.h"

#include "sgood/core/error.h"
#include "sgood/core/plugin.h"

namespace sgood {
namespace {

/// What src/torch/plugin.cpp exports; without functions when it cannot be used.
struct TorchPlugin {
  Plugin library{"libsgood_torch.so", "sgood_torch_version"};
  Engine* (*engine)(const NetworkShape* shape, bool cuda) = nullptr;
  GraphModel* (*model)(const GraphModelSpec* spec, bool cuda) = nullptr;

  TorchPlugin() {
    if (!library.problem().empty()) return;
    library.find("sgood_torch_engine", engine);
    library.find("sgood_torch_model", model);
  }
};

const TorchPlugin& plugin() {
  static const TorchPlugin loaded;
  return loaded;
}

const TorchPlugin& plugin_for(std::string_view wanted_by) {
  if (!plugin().library.problem().empty())
    throw Unavailable(
        fmt::format("{} needs LibTorch, but {}; build and install with -DSGOOD_WITH_TORCH=ON, or "
                    "choose what does without (sgood list methods, sgood list engines)",
                    wanted_by, plugin().library.problem()));
  return plugin();
}

}  // namespace

bool torch_available() { return plugin().library.problem().empty(); }

std::unique_ptr<Engine> make_plugin_engine(std::string_view wanted_by, const NetworkShape& shape,
                                           bool cuda) {
  return std::unique_ptr<Engine>(plugin_for(wanted_by).engine(&shape, cuda));
}

std::unique_ptr<GraphModel> make_plugin_model(std::string_view wanted_by,
                                              const GraphModelSpec& spec, bool cuda) {
  return std::unique_ptr<GraphModel>(plugin_for(wanted_by).model(&spec, cuda));
}

}  // namespace sgood
