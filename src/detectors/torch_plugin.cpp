// SPDX-License-Identifier: MIT
#include "torch_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/plugin.h"
#include "sgood/detectors/engines.h"

namespace sgood {
namespace {

constexpr const char* kFile = "libsgood_torch.so";

/// What src/torch/plugin.cpp exports; without functions when it cannot be used.
struct TorchPlugin {
  Plugin library{kFile, "sgood_torch_version"};
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

std::string torch_plugin_path() {
  // The folders that dlopen() would look through.
  void* program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size;
  if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return {};
  std::vector<char> memory(size.dls_size);
  auto* folders = new (memory.data()) Dl_serinfo(size);
  if (dlinfo(program, RTLD_DI_SERINFO, folders) != 0) return {};
  for (unsigned i = 0; i < folders->dls_cnt; ++i) {
    const auto path = std::filesystem::path(folders->dls_serpath[i].dls_name) / kFile;
    std::error_code missing;
    if (std::filesystem::exists(path, missing)) return path.lexically_normal().string();
  }
  return {};
}

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
