// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sgood {

/// A part of this program in a shared library of its own, which is loaded when it is first needed,
/// so that nobody else waits for what it links. Never unloaded: what it made may live to the end.
class Plugin {
 public:
  /// `file` is looked for where the program's other libraries are. `version_symbol` is a function
  /// without arguments that returns the version it was built with; another than ours is refused.
  Plugin(const char* file, const char* version_symbol);

  /// Why it cannot be used; empty when it can.
  const std::string& problem() const { return problem_; }

  /// The function that it exports under `name`; it must be usable and have one.
  template <typename Function>
  void find(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  void* library_ = nullptr;
  std::string problem_;
};

}  // namespace sgood
