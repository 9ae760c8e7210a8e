// SPDX-License-Identifier: MIT
#include "torch_plugin.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/version.h"
#include "sgood/detectors/engines.h"

namespace sgood {
namespace {

constexpr const char* kFile = "libsgood_torch.so";

/// What src/torch/plugin.cpp exports; without functions: why it cannot be used.
struct Plugin {
  Engine* (*engine)(const NetworkShape* shape, bool cuda) = nullptr;
  GraphModel* (*model)(const GraphModelSpec* spec, bool cuda) = nullptr;
  std::string problem;
};

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  SGOOD_ASSERT(function != nullptr);
}

/// Never unloaded: what it made may live to the end.
Plugin load() {
  Plugin plugin;
  void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    plugin.problem = fmt::format("{} cannot be loaded ({})", kFile, dlerror());
    return plugin;
  }
  const auto version = reinterpret_cast<const char* (*)()>(dlsym(library, "sgood_torch_version"));
  if (version == nullptr || std::string_view(version()) != kVersion) {
    plugin.problem =
        fmt::format("{} belongs to another version of sgood than this {}", kFile, kVersion);
    return plugin;
  }
  find(library, "sgood_torch_engine", plugin.engine);
  find(library, "sgood_torch_model", plugin.model);
  return plugin;
}

const Plugin& plugin() {
  static const Plugin loaded = load();
  return loaded;
}

const Plugin& plugin_for(std::string_view wanted_by) {
  if (!plugin().problem.empty())
    throw Unavailable(
        fmt::format("{} needs LibTorch, but {}; build and install with -DSGOOD_WITH_TORCH=ON, or "
                    "choose what does without (sgood list methods, sgood list engines)",
                    wanted_by, plugin().problem));
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

bool torch_available() { return plugin().problem.empty(); }

std::unique_ptr<Engine> make_plugin_engine(std::string_view wanted_by, const NetworkShape& shape,
                                           bool cuda) {
  return std::unique_ptr<Engine>(plugin_for(wanted_by).engine(&shape, cuda));
}

std::unique_ptr<GraphModel> make_plugin_model(std::string_view wanted_by,
                                              const GraphModelSpec& spec, bool cuda) {
  return std::unique_ptr<GraphModel>(plugin_for(wanted_by).model(&spec, cuda));
}

}  // namespace sgood
