// SPDX-License-Identifier: MIT
#include "src/report/run_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "sgood/core/error.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

/// Exit status of `program` with the file `input` as its input; its output and complaints go to
/// `log`.
int run(const DrawingProgram& program, const fs::path& input, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  std::vector<std::string> words = {program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  const int failure = ::posix_spawnp(&process, program.name.c_str(), &actions, nullptr,
                                     arguments.data(), ::environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Unavailable(fmt::format("this picture needs {}, which is not installed (Debian: {})",
                                  program.name, program.package));
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

PartFile::~PartFile() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

void draw_with(const DrawingProgram& program, const fs::path& picture, const fs::path& part,
               std::string_view input) {
  const PartFile script(picture, ".script"), log(picture, ".log");
  std::ofstream file(script.path());
  file << input;
  file.close();
  if (!file) throw IoError(fmt::format("{} could not be written", picture.string()));

  const int status = run(program, script.path(), log.path());
  std::error_code error;
  if (status == 0) fs::rename(part, picture, error);
  if (status != 0 || error) {
    std::ifstream words(log.path());
    const std::string said((std::istreambuf_iterator<char>(words)), {});
    throw IoError(fmt::format("{} could not be drawn ({} ended with status {}){}{}",
                              picture.string(), program.name, status, said.empty() ? "" : ": ",
                              said));
  }
}

}  // namespace sgood
