// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sgood::bench {

/// What a value should reach.
struct Target {
  enum class Kind { kAtLeast, kAtMost } kind = Kind::kAtLeast;
  double value = 0;
};
inline Target at_least(double value) { return {Target::Kind::kAtLeast, value}; }
inline Target at_most(double value) { return {Target::Kind::kAtMost, value}; }

/// One measured line.
struct Row {
  std::string part;                   ///< One letter; see ratios.cpp.
  std::string name;                   ///< What is measured, on what.
  double ours = 0;                    ///< In `unit`.
  std::optional<double> theirs = {};  ///< The other side, in `unit`.
  std::optional<double> ratio = {};   ///< Which way round says `name`.
  std::string unit;
  std::size_t n = 0;                      ///< Runs behind the median of ours.
  std::optional<Target> target = {};      ///< Of `ratio`, or of `ours` where there is no ratio.
  nlohmann::ordered_json more = nullptr;  ///< Further numbers worth keeping.

  /// True when there is no target or it is reached.
  bool reached() const;
};

/// All lines of a run; each is printed as soon as it is there.
class Report {
 public:
  void add(Row row);
  /// A part that cannot be measured here, and why.
  void skip(const std::string& part, const std::string& reason);

  bool empty() const { return rows_.empty(); }
  nlohmann::ordered_json to_json() const;

 private:
  std::vector<Row> rows_;
  nlohmann::ordered_json skipped_ = nlohmann::ordered_json::array();
};

}  // namespace sgood::bench
