// SPDX-License-Identifier: MIT
#include "sgood/detectors/engines.h"

#include <dlfcn.h>

#include <string_view>

#include "sgood/core/error.h"
#include "sgood/core/version.h"
#include "sgood/nn/cpu_engine.h"

namespace sgood {
namespace {

using MakeTorchEngine = Engine* (*)(const NetworkShape* shape, bool cuda);  // src/torch/plugin.cpp

/// Loads the plug-in once and keeps it: frozen networks made by it may live to the end.
MakeTorchEngine load_torch_plugin() {
  constexpr const char* kFile = "libsgood_torch.so";
  void* plugin = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr)
    throw Unavailable(
        fmt::format("engine=torch needs LibTorch and {}, which cannot be loaded ({}); use "
                    "engine=cpu, or build and install with -DSGOOD_WITH_TORCH=ON",
                    kFile, dlerror()));
  const auto version = reinterpret_cast<const char* (*)()>(dlsym(plugin, "sgood_torch_version"));
  if (version == nullptr || std::string_view(version()) != kVersion)
    throw Unavailable(
        fmt::format("{} belongs to another version of sgood than this {}", kFile, kVersion));
  const auto make = reinterpret_cast<MakeTorchEngine>(dlsym(plugin, "sgood_torch_engine"));
  SGOOD_ASSERT(make != nullptr);
  return make;
}

MakeTorchEngine torch_plugin() {
  static const MakeTorchEngine make = load_torch_plugin();
  return make;
}

}  // namespace

std::vector<EngineInfo> engines() {
  EngineInfo torch = {"torch", "LibTorch with automatic gradients: the reference, and for GPUs."};
  try {
    torch_plugin();
  } catch (const Unavailable&) {
    torch.available = false;
  }
  return {{"cpu", "Own vectorised kernels, one thread; used by default."}, torch};
}

std::vector<std::string> engine_names() { return {"auto", "cpu", "torch"}; }

std::unique_ptr<Engine> make_engine(std::string_view name, std::string_view device,
                                    const NetworkShape& shape) {
  SGOOD_CHECK(name == "auto" || name == "cpu" || name == "torch",
              "engine is '{}' but must be one of {}", name, fmt::join(engine_names(), ", "));
  if (name != "torch") {
    SGOOD_CHECK(device == "cpu", "device={} needs engine=torch", device);
    return make_cpu_engine(shape);
  }
  return std::unique_ptr<Engine>(torch_plugin()(&shape, device == "cuda"));
}

}  // namespace sgood
