// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/nn/engine.h"

namespace sgood {

/// A row of the registry.
struct EngineInfo {
  std::string name;
  std::string summary;    ///< One sentence.
  bool available = true;  ///< false: built or installed without it.
};

/// Every engine, and whether it can be used here; loads LibTorch to find out.
std::vector<EngineInfo> engines();

/// Where LibTorch's plug-in lies, found without loading it; empty: not installed.
std::string torch_plugin_path();

/// Legal values of the option `engine`: auto, cpu (our own kernels) and torch (LibTorch).
std::vector<std::string> engine_names();
/// The engine called `name` for a network of `shape`, on `device` (cpu or cuda; cuda needs torch).
/// `auto` is cpu. LibTorch's engine is loaded on first use; throws Unavailable when it is not
/// there.
std::unique_ptr<Engine> make_engine(std::string_view name, std::string_view device,
                                    const NetworkShape& shape);

}  // namespace sgood
