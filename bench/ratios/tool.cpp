// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench/ratios/parts.h"
#include "bench/support/measure.h"
#include "sgood/core/error.h"

namespace sgood::bench {
namespace {

/// Runs `program --version` to its end, its output thrown away.
void start(const std::string& program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::string path = program, option = "--version";
  char* arguments[] = {path.data(), option.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, path.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed == 0) waitpid(child, &status, 0);
  if (status != 0) throw Unavailable(fmt::format("{} --version fails", program));
}

/// Shared libraries that `file` pulls in.
int shared_libraries(const std::string& file) {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(
      popen(fmt::format("ldd '{}'", file).c_str(), "r"), pclose);
  int lines = 0;
  for (int c = 0; output && (c = std::fgetc(output.get())) != EOF;) lines += c == '\n';
  return lines;
}

double mebibytes(const std::filesystem::path& file) {
  return static_cast<double>(std::filesystem::file_size(file)) / (1U << 20U);
}

}  // namespace

void measure_tool(const Context& context) {
  if (context.tools.empty()) return context.report->skip("h", "no --tool LABEL=PATH was given");
  for (const std::string& given : context.tools) {
    const auto equals = given.find('=');
    SGOOD_CHECK(equals != std::string::npos, "--tool is '{}'; legal is LABEL=PATH", given);
    const std::string label = given.substr(0, equals), path = given.substr(equals + 1);
    start(path);
    std::vector<double> seconds;
    for (std::size_t i = 0; i < context.runs(60); ++i)
      seconds.push_back(timed(Clock::kWall, [&] { start(path); }));
    nlohmann::ordered_json more = {{"size_mib", mebibytes(path)},
                                   {"shared_libraries", shared_libraries(path)}};
    const std::filesystem::path plugin = std::filesystem::path(path).parent_path() /
                                         SGOOD_BENCH_LIBRARY_FOLDER / "libsgood_torch.so";
    if (std::filesystem::exists(plugin)) {
      more["plugin_size_mib"] = mebibytes(plugin);
      more["plugin_shared_libraries"] = shared_libraries(plugin.string());
    }
    context.report->add({.part = "h",
                         .name = fmt::format("sgood --version, {}", label),
                         .ours = 1e3 * median(seconds),
                         .unit = "ms",
                         .n = seconds.size(),
                         .target = at_most(30),
                         .more = more});
  }
}

}  // namespace sgood::bench
