// SPDX-License-Identifier: MIT
#include "sgood/detectors/engines.h"

#include "sgood/core/error.h"
#include "sgood/nn/cpu_engine.h"
#include "torch_plugin.h"

namespace sgood {

std::vector<EngineInfo> engines() {
  return {{"cpu", "Own vectorised kernels, one thread; used by default."},
          {"torch", "LibTorch with automatic gradients: the reference, and for GPUs.",
           torch_available()}};
}

std::vector<std::string> engine_names() { return {"auto", "cpu", "torch"}; }

std::unique_ptr<Engine> make_engine(std::string_view name, std::string_view device,
                                    const NetworkShape& shape) {
  SGOOD_CHECK(name == "auto" || name == "cpu" || name == "torch",
              "engine is '{}' but must be one of {}", name, fmt::join(engine_names(), ", "));
  if (name == "torch") return make_plugin_engine("engine=torch", shape, device == "cuda");
  SGOOD_CHECK(device == "cpu", "device={} needs engine=torch", device);
  return make_cpu_engine(shape);
}

}  // namespace sgood
