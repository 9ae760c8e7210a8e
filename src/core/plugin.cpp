// SPDX-License-Identifier: MIT
#include "sgood/core/plugin.h"

#include <dlfcn.h>

#include <string_view>

#include "sgood/core/error.h"
#include "sgood/core/version.h"

namespace sgood {

Plugin::Plugin(const char* file, const char* version_symbol)
    : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) {
    problem_ = fmt::format("{} cannot be loaded ({})", file, dlerror());
    return;
  }
  const auto version = reinterpret_cast<const char* (*)()>(dlsym(library_, version_symbol));
  if (version == nullptr || std::string_view(version()) != kVersion)
    problem_ = fmt::format("{} belongs to another version of sgood than this {}", file, kVersion);
}

void* Plugin::symbol(const char* name) const {
  void* found = dlsym(library_, name);
  SGOOD_ASSERT(found != nullptr);
  return found;
}

}  // namespace sgood
