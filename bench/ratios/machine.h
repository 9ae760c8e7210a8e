// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sgood::bench {

/// Processor, cores and operating system.
nlohmann::ordered_json machine();

/// Processes that ran or wanted to, averaged over the last minute.
double load_average();

/// Watches how much of the machine others use.
class OtherWork {
 public:
  OtherWork();
  /// Cores kept busy by other processes since the construction, on average.
  double cores() const;

 private:
  double machine_, own_, wall_;
};

}  // namespace sgood::bench
