// SPDX-License-Identifier: MIT
#include "sgood/detectors/engines.h"

#include "sgood/core/error.h"
#include "sgood/nn/cpu_engine.h"
#ifdef SGOOD_WITH_TORCH
#include "sgood/torch/torch_engine.h"
#endif

namespace sgood {

std::vector<std::string> engine_names() { return {"auto", "cpu", "torch"}; }

std::unique_ptr<Engine> make_engine(std::string_view name, const NetworkShape& shape) {
  if (name == "auto" || name == "cpu") return make_cpu_engine(shape);
  SGOOD_CHECK(name == "torch", "engine is '{}' but must be one of {}", name,
              fmt::join(engine_names(), ", "));
#ifdef SGOOD_WITH_TORCH
  return make_torch_engine(shape, {});
#else
  throw Unavailable(
      "engine=torch needs LibTorch, which this build was made without; use engine=cpu, or build with "
      "-DSGOOD_WITH_TORCH=ON");
#endif
}

}  // namespace sgood
