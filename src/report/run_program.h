// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sgood {

/// A file beside a picture that goes when drawing is over.
class PartFile {
 public:
  PartFile(const std::filesystem::path& picture, std::string_view suffix) : path_(picture) {
    path_ += suffix;
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A program that draws.
struct DrawingProgram {
  std::string name;                    ///< As it is called, e.g. "gnuplot".
  std::vector<std::string> arguments;  ///< After the name.
  std::string package;                 ///< Debian's package, for the message that it is missing.
};

/// Runs `program` with `input` on its standard input; it must write the file `part`, which then
/// becomes `picture`. Throws Unavailable when the program is not installed and IoError, with the
/// program's own words, when the picture could not be drawn or written.
void draw_with(const DrawingProgram& program, const std::filesystem::path& picture,
               const std::filesystem::path& part, std::string_view input);

}  // namespace sgood
