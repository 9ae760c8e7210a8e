// SPDX-License-Identifier: MIT
#include "bench/ratios/machine.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bench/support/measure.h"
#include "sgood/core/threads.h"

namespace sgood::bench {
namespace {

/// Seconds that all cores together have worked since the start of the machine.
double machine_busy_seconds() {
  std::ifstream stat("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, wait = 0, interrupt = 0, soft = 0;
  stat >> name >> user >> nice >> system >> idle >> wait >> interrupt >> soft;
  return (user + nice + system + interrupt + soft) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_busy_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

nlohmann::ordered_json machine() {
  utsname system{};
  uname(&system);
  return {{"processor", processor_name()},
          {"cores", hardware_threads()},
          {"memory_gib", static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<double>(sysconf(_SC_PAGESIZE)) / (1U << 30U)},
          {"system", std::string(system.sysname) + " " + system.release}};
}

double load_average() {
  double load = -1;
  return getloadavg(&load, 1) == 1 ? load : -1;
}

OtherWork::OtherWork()
    : machine_(machine_busy_seconds()),
      own_(own_busy_seconds()),
      wall_(seconds_of(CLOCK_MONOTONIC)) {}

double OtherWork::cores() const {
  const double others = (machine_busy_seconds() - machine_) - (own_busy_seconds() - own_);
  return std::max(0.0, others / (seconds_of(CLOCK_MONOTONIC) - wall_));
}

}  // namespace sgood::bench
