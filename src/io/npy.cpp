// SPDX-License-Identifier: MIT
#include "sgood/io/npy.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "sgood/core/error.h"
#include "sgood/io/numbers.h"
#include "whole_file.h"

namespace sgood {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr double kFirstInexact = 9007199254740992;  // 2^53: the next integer has no double

/// What the header's dictionary says, e.g. {'descr': '<f8', 'fortran_order': False, 'shape': (3,)}.
struct Header {
  std::string type;
  bool column_major = false;
  std::vector<std::int64_t> shape;
};

/// Reads a Python dictionary of that form; nothing when it is anything else.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : rest_(text) {}

  std::optional<Header> parse() {
    Header header;
    int type = 0, order = 0, shape = 0;
    if (!take("{")) return std::nullopt;
    while (!take("}")) {
      const auto key = quoted();
      if (!key || !take(":")) return std::nullopt;
      bool good = false;
      if (*key == "descr") {
        const auto text = quoted();
        if ((good = text.has_value())) header.type = *text;
        ++type;
      } else if (*key == "fortran_order") {
        header.column_major = take("True");
        good = header.column_major || take("False");
        ++order;
      } else if (*key == "shape") {
        good = sizes(header.shape);
        ++shape;
      }
      if (!good) return std::nullopt;
      if (!take(",") && !starts("}")) return std::nullopt;
    }
    skip_blanks();
    if (type != 1 || order != 1 || shape != 1 || !rest_.empty()) return std::nullopt;
    return header;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
      rest_.remove_prefix(1);
  }
  bool starts(std::string_view token) {
    skip_blanks();
    return rest_.starts_with(token);
  }
  bool take(std::string_view token) {
    if (!starts(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::optional<std::string> quoted() {
    for (const std::string_view quote : {"'", "\""}) {
      if (!take(quote)) continue;
      const auto end = rest_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      std::string text(rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
      return text;
    }
    return std::nullopt;
  }
  bool sizes(std::vector<std::int64_t>& shape) {
    if (!take("(")) return false;
    while (!take(")")) {
      skip_blanks();
      const auto digits = rest_.find_first_not_of("0123456789");
      const auto size = parse_number<std::int64_t>(rest_.substr(0, digits));
      if (digits == 0 || digits == std::string_view::npos || !size) return false;
      shape.push_back(*size);
      rest_.remove_prefix(digits);
      if (!take(",") && !starts(")")) return false;
    }
    return true;
  }

  std::string_view rest_;
};

template <typename T>
double element(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

struct ElementType {
  std::string_view name;
  std::int64_t size;
  double (*read)(const char*);
  bool integer = true;
};

/// The type called `descr`; null when it is not one that is read here.
const ElementType* element_type(std::string_view descr) {
  static constexpr ElementType kTypes[] = {
      {"<f4", 4, element<float>, false},  {"<f8", 8, element<double>, false},
      {"|b1", 1, element<std::uint8_t>},  {"|i1", 1, element<std::int8_t>},
      {"|u1", 1, element<std::uint8_t>},  {"<i2", 2, element<std::int16_t>},
      {"<u2", 2, element<std::uint16_t>}, {"<i4", 4, element<std::int32_t>},
      {"<u4", 4, element<std::uint32_t>}, {"<i8", 8, element<std::int64_t>},
      {"<u8", 8, element<std::uint64_t>},
  };
  for (const ElementType& type : kTypes)
    if (type.name == descr) return &type;
  return nullptr;
}

/// A little-endian number of `size` bytes.
std::uint64_t length_field(std::string_view bytes, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

class Parser {
 public:
  Parser(std::string file, std::string_view contents) : file_(std::move(file)), rest_(contents) {}

  NpyArray parse() {
    if (!rest_.starts_with(kMagic) || rest_.size() < 10) fail("this is not a .npy file");
    const int version = rest_[6];
    if (version < 1 || version > 3) fail(fmt::format(".npy format {} is not known", version));
    const std::size_t field = version == 1 ? 2 : 4, start = 8 + field;
    if (rest_.size() < start) fail("the file is cut off in its header");
    const std::uint64_t length = length_field(rest_.substr(8), field);
    if (length > rest_.size() - start) fail("the file is cut off in its header");
    const auto header = HeaderParser(rest_.substr(start, static_cast<std::size_t>(length))).parse();
    if (!header) fail("the header is damaged");
    rest_.remove_prefix(start + static_cast<std::size_t>(length));
    return read(*header);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw ParseError(file_, 0, why); }

  NpyArray read(const Header& header) const {
    const ElementType* type = element_type(header.type);
    if (type == nullptr)
      fail(
          fmt::format("elements are of type '{}' but must be bool, integers or reals of 4 or 8 "
                      "bytes, little-endian; convert them with .astype(\"<f8\")",
                      header.type));
    if (header.shape.empty() || header.shape.size() > 2)
      fail(fmt::format("the array has {} dimensions but must have 1 or 2", header.shape.size()));
    NpyArray array;
    array.shape = header.shape;
    const std::int64_t rows = header.shape[0],
                       cols = header.shape.size() == 2 ? header.shape[1] : 1;
    // Divided and not multiplied: a product of sizes from the file could overflow.
    const auto count = static_cast<std::int64_t>(rest_.size()) / type->size;
    const bool whole = rest_.size() % static_cast<std::size_t>(type->size) == 0;
    const bool fits =
        rows == 0 || cols == 0 ? count == 0 : count % rows == 0 && count / rows == cols;
    if (!whole || !fits)
      fail(fmt::format("the header says ({}) elements of {} bytes, but {} bytes follow",
                       fmt::join(header.shape, ", "), type->size, rest_.size()));
    array.values.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = type->read(rest_.data() + i * type->size);
      if (type->integer && std::abs(value) >= kFirstInexact)
        fail(fmt::format("element {} is {:.0f}: from 2^53 on a number cannot be read exactly", i,
                         value));
      const std::int64_t at = header.column_major ? i % rows * cols + i / rows : i;
      array.values[static_cast<std::size_t>(at)] = value;
    }
    return array;
  }

  std::string file_;
  std::string_view rest_;
};

}  // namespace

Matrix NpyArray::matrix() const {
  Matrix result(rows(), shape.size() == 2 ? shape[1] : 1);
  result.values = values;
  return result;
}

NpyArray read_npy(const std::filesystem::path& path) {
  const std::string contents = read_whole_file(path, "a .npy file");
  return Parser(path.string(), contents).parse();
}

}  // namespace sgood
