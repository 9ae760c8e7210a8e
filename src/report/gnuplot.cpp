// SPDX-License-Identifier: MIT
#include "src/report/gnuplot.h"

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

/// A file beside the picture that goes when drawing is over.
class PartFile {
 public:
  PartFile(const fs::path& picture, std::string_view suffix) : path_(picture) { path_ += suffix; }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string header(const fs::path& output, bool svg, PictureSize size) {
  return fmt::format("set encoding utf8\nset minussign\nset terminal {}\nset output {}\n",
                     svg ? fmt::format("svg noenhanced size {},{} font 'sans-serif,14' "
                                       "background 'white'",
                                       size.width, size.height)
                         : fmt::format("pngcairo noenhanced size {},{} font 'sans-serif,10.5' "
                                       "fontscale 2 linewidth 2 pointscale 2",
                                       2 * size.width, 2 * size.height),
                     gnuplot_text(output.string()));
}

/// Exit status of gnuplot with `script` as its input; its output and complaints go to `log`.
int run_gnuplot(const fs::path& script, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, script.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  char name[] = "gnuplot";
  char* arguments[] = {name, nullptr};
  pid_t process = 0;
  const int failure = ::posix_spawnp(&process, name, &actions, nullptr, arguments, ::environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Unavailable("pictures need gnuplot, which is not installed (Debian: gnuplot-nox)");
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  // Between single quotes gnuplot knows no escapes and runs no `commands`.
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + '\'';
}

void draw_with_gnuplot(const fs::path& path, PictureSize size, std::string_view commands) {
  const bool svg = path.extension() == ".svg";
  SGOOD_CHECK(svg || path.extension() == ".png", "{} must end in .svg or .png", path.string());
  const PartFile picture(path, ".part"), script(path, ".gnuplot"), log(path, ".log");
  std::ofstream file(script.path());
  file << header(picture.path(), svg, size) << commands << "\nunset output\n";
  file.close();
  if (!file) throw IoError(fmt::format("{} could not be written", path.string()));

  const int status = run_gnuplot(script.path(), log.path());
  std::error_code error;
  if (status == 0) fs::rename(picture.path(), path, error);
  if (status != 0 || error) {
    std::ifstream words(log.path());
    const std::string said((std::istreambuf_iterator<char>(words)), {});
    throw IoError(fmt::format("{} could not be drawn (gnuplot ended with status {}){}{}",
                              path.string(), status, said.empty() ? "" : ": ", said));
  }
}

}  // namespace sgood
