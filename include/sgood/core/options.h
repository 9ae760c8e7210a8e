// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sgood {

/// One option of a method, described once: C++, `--set`, the model file, `sgood list` and the docs
/// all come from this.
struct OptionEntry {
  std::string name;                                         ///< snake_case, the same everywhere.
  std::string help;                                         ///< One sentence.
  std::variant<int*, double*, bool*, std::string*> target;  ///< The member it sets.
  double minimum = 0;                ///< Smallest legal number (numbers only).
  double maximum = 0;                ///< Largest legal number (numbers only).
  std::vector<std::string> choices;  ///< Legal values of a text option; empty when free.
};

/// The described members of an option struct. Holds pointers into that struct, so it must not
/// outlive it.
class OptionTable {
 public:
  void add(std::string name, int* target, int minimum, int maximum, std::string help);
  void add(std::string name, double* target, double minimum, double maximum, std::string help);
  void add(std::string name, bool* target, std::string help);
  void add(std::string name, std::string* target, std::vector<std::string> choices,
           std::string help);

  const std::vector<OptionEntry>& entries() const { return entries_; }

  /// Sets one option from text, e.g. ("tau", "0.5"). Throws InvalidArgument that names the option,
  /// the value and what is legal; an unknown name lists the known ones.
  void set(std::string_view name, std::string_view value) const;
  /// Current values, `{"tau": 0.2, ...}`.
  nlohmann::ordered_json values() const;
  /// Sets every option that `values` names; unknown names throw.
  void set_values(const nlohmann::ordered_json& values) const;
  /// Names, types, current values (the defaults of a fresh struct), legal range and help.
  nlohmann::ordered_json describe() const;

 private:
  const OptionEntry& find(std::string_view name) const;
  std::vector<OptionEntry> entries_;
};

}  // namespace sgood
