// SPDX-License-Identifier: MIT
#include "sgood/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"
#include "sgood/core/json_text.h"
#include "sgood/io/atomic_file.h"
#include "whole_file.h"

namespace sgood {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored little-endian");

using Json = nlohmann::ordered_json;  // for writing
using HeaderJson = nlohmann::json;    // for reading, with any number of tensors

constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksum = "sgood.checksum";
constexpr std::size_t kPrefix = 8;  // the header's length, as an unsigned 64-bit integer
constexpr std::size_t kAlignment = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // the format's own limit

struct TypeRow {
  TensorType type;
  std::string_view name;
  std::size_t size;
};
constexpr std::array kTypes = {
    TypeRow{TensorType::kF32, "F32", 4}, TypeRow{TensorType::kF64, "F64", 8},
    TypeRow{TensorType::kI32, "I32", 4}, TypeRow{TensorType::kI64, "I64", 8}};

const TypeRow& row_of(TensorType type) { return kTypes[static_cast<std::size_t>(type)]; }

template <typename T>
constexpr TensorType kTypeOf = TensorType::kF32;
template <>
constexpr TensorType kTypeOf<double> = TensorType::kF64;
template <>
constexpr TensorType kTypeOf<std::int32_t> = TensorType::kI32;
template <>
constexpr TensorType kTypeOf<std::int64_t> = TensorType::kI64;

/// Bytes of a tensor, or nothing when a dimension is negative or the product overflows.
std::optional<std::uint64_t> byte_size(TensorType type, const std::vector<std::int64_t>& shape) {
  std::uint64_t size = row_of(type).size;
  for (const std::int64_t dimension : shape)
    if (dimension < 0 || __builtin_mul_overflow(size, static_cast<std::uint64_t>(dimension), &size))
      return std::nullopt;
  return size;
}

struct Named {
  std::string_view name;
  const Tensor* tensor;
};

/// The tensors in the order of their data: wide elements first, so that each is aligned, then by
/// name.
std::vector<Named> data_order(const TensorFile& file) {
  std::vector<Named> order;
  for (const auto& [name, tensor] : file.tensors) order.push_back({name, &tensor});
  std::stable_sort(order.begin(), order.end(), [](const Named& a, const Named& b) {
    return row_of(a.tensor->type).size > row_of(b.tensor->type).size;
  });
  return order;
}

/// The header as text, with `metadata` instead of the file's own.
std::string header_text(const std::vector<Named>& order,
                        const std::map<std::string, std::string>& metadata) {
  Json json;
  json[kMetadata] = metadata;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : order) {
    const std::uint64_t end = offset + tensor->bytes.size();
    json[std::string(name)] = {{"dtype", row_of(tensor->type).name},
                               {"shape", tensor->shape},
                               {"data_offsets", {offset, end}}};
    offset = end;
  }
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    throw InvalidArgument("a tensor name or metadata text is not valid UTF-8");
  }
}

std::string data_bytes(const std::vector<Named>& order) {
  std::string data;
  for (const Named& entry : order)
    data.append(reinterpret_cast<const char*>(entry.tensor->bytes.data()),
                entry.tensor->bytes.size());
  return data;
}

/// Covers names, types, shapes, metadata and data. FNV-1a steps are bijective, so that one wrong
/// byte always shows.
std::string checksum_of(const TensorFile& file, const std::vector<Named>& order,
                        std::string_view data) {
  return fmt::format("{:016x}", combine64(hash64(header_text(order, file.metadata)), hash64(data)));
}

class Parser {
 public:
  Parser(std::string file, std::string_view contents) : file_(std::move(file)) {
    std::uint64_t length = 0;
    if (contents.size() < kPrefix) reject("it is shorter than 8 bytes");
    std::memcpy(&length, contents.data(), kPrefix);
    contents.remove_prefix(kPrefix);
    if (length > kLongestHeader || length > contents.size())
      reject(fmt::format("the header should have {} bytes but {} follow", length, contents.size()));
    header_ = contents.substr(0, length);
    data_ = contents.substr(length);
  }

  TensorFile parse() const {
    const HeaderJson json = parse_header();
    if (!json.is_object()) reject("the header is not a JSON object");
    TensorFile result;
    std::vector<Entry> entries;
    for (const auto& [name, entry] : json.items()) {
      if (name == kMetadata)
        result.metadata = metadata_from(entry);
      else
        entries.push_back(entry_from(name, entry));
    }
    // Before anything is copied: overlapping tensors could ask for any amount of memory.
    check_cover(entries);
    for (Entry& entry : entries) {
      const auto first = reinterpret_cast<const std::byte*>(data_.data());
      entry.tensor.bytes.assign(first + entry.begin, first + entry.end);
      result.tensors[entry.name] = std::move(entry.tensor);
    }
    check_checksum(result);
    return result;
  }

 private:
  struct Entry {
    std::string name;
    Tensor tensor;  // type and shape; the bytes come later
    std::uint64_t begin, end;
  };

  [[noreturn]] void reject(const std::string& reason) const {
    throw ParseError(file_, 0,
                     fmt::format("this is no intact model file: {}. It was cut off, altered, or "
                                 "not written by sgood; get it again, or fit again",
                                 reason));
  }

  HeaderJson parse_header() const {
    try {
      return parse_json<HeaderJson>(header_);
    } catch (const InvalidArgument& error) {
      reject(fmt::format("the header cannot be read: {}", error.what()));
    }
  }

  std::map<std::string, std::string> metadata_from(const HeaderJson& json) const {
    if (!json.is_object()) reject("its metadata are not a JSON object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : json.items()) {
      if (!value.is_string()) reject(fmt::format("metadata '{}' is not a text", key));
      metadata[key] = value.get<std::string>();
    }
    return metadata;
  }

  std::uint64_t unsigned_from(const HeaderJson& json, const std::string& name) const {
    if (!json.is_number_unsigned())
      reject(fmt::format("tensor '{}' has a size or an offset that is no whole number", name));
    return json.get<std::uint64_t>();
  }

  const HeaderJson& member(const HeaderJson& entry, const char* key,
                           const std::string& name) const {
    if (!entry.is_object() || entry.size() != 3 || !entry.contains(key))
      reject(fmt::format("tensor '{}' must have dtype, shape and data_offsets alone", name));
    return entry[key];
  }

  Entry entry_from(const std::string& name, const HeaderJson& entry) const {
    const HeaderJson& dtype = member(entry, "dtype", name);
    const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const TypeRow& row) { return dtype == row.name; });
    if (type == kTypes.end())
      reject(fmt::format("tensor '{}' is of type {}, not F32, F64, I32 or I64", name,
                         dtype.dump(-1, ' ', false, HeaderJson::error_handler_t::replace)));
    Tensor tensor;
    tensor.type = type->type;
    const HeaderJson& shape = member(entry, "shape", name);
    const HeaderJson& offsets = member(entry, "data_offsets", name);
    if (!shape.is_array() || !offsets.is_array() || offsets.size() != 2)
      reject(fmt::format("tensor '{}' has no shape or not two offsets", name));
    for (const HeaderJson& dimension : shape)
      tensor.shape.push_back(static_cast<std::int64_t>(unsigned_from(dimension, name)));
    const std::uint64_t begin = unsigned_from(offsets[0], name);
    const std::uint64_t end = unsigned_from(offsets[1], name);
    if (begin > end || end > data_.size())
      reject(fmt::format("tensor '{}' stands at bytes {} to {} of {}", name, begin, end,
                         data_.size()));
    if (byte_size(tensor.type, tensor.shape) != end - begin)
      reject(fmt::format("tensor '{}' has {} bytes, which do not fit its type and shape", name,
                         end - begin));
    return {name, std::move(tensor), begin, end};
  }

  /// Every data byte must belong to exactly one tensor.
  void check_cover(std::vector<Entry>& entries) const {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    std::uint64_t end = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != end) reject(fmt::format("tensors overlap or leave a gap at byte {}", end));
      end = entry.end;
    }
    if (end != data_.size())
      reject(fmt::format("the tensors end at byte {} but the data at {}", end, data_.size()));
  }

  void check_checksum(TensorFile& result) const {
    const auto stored = result.metadata.find(kChecksum);
    if (stored == result.metadata.end()) reject("it has no checksum");
    const std::string expected = stored->second;
    result.metadata.erase(stored);
    if (checksum_of(result, data_order(result), data_) != expected)
      reject("the checksum does not fit the contents");
  }

  std::string file_;
  std::string_view header_;
  std::string_view data_;
};

}  // namespace

template <typename T>
Tensor Tensor::of(std::span<const T> values, std::vector<std::int64_t> shape) {
  Tensor tensor{kTypeOf<T>, std::move(shape), {}};
  SGOOD_CHECK(byte_size(tensor.type, tensor.shape) == values.size_bytes(),
              "{} values do not fill the shape [{}]", values.size(), fmt::join(tensor.shape, ", "));
  const auto bytes = std::as_bytes(values);
  tensor.bytes.assign(bytes.begin(), bytes.end());
  return tensor;
}

template <typename T>
std::vector<T> Tensor::values() const {
  SGOOD_CHECK(type == kTypeOf<T>, "the tensor is {} but was read as {}", row_of(type).name,
              row_of(kTypeOf<T>).name);
  std::vector<T> copy(bytes.size() / sizeof(T));
  if (!copy.empty()) std::memcpy(copy.data(), bytes.data(), copy.size() * sizeof(T));
  return copy;
}

template Tensor Tensor::of(std::span<const float>, std::vector<std::int64_t>);
template Tensor Tensor::of(std::span<const double>, std::vector<std::int64_t>);
template Tensor Tensor::of(std::span<const std::int32_t>, std::vector<std::int64_t>);
template Tensor Tensor::of(std::span<const std::int64_t>, std::vector<std::int64_t>);
template std::vector<float> Tensor::values() const;
template std::vector<double> Tensor::values() const;
template std::vector<std::int32_t> Tensor::values() const;
template std::vector<std::int64_t> Tensor::values() const;

const Tensor& TensorFile::tensor(const std::string& name) const {
  const auto found = tensors.find(name);
  SGOOD_CHECK(found != tensors.end(), "the file has no tensor '{}'", name);
  return found->second;
}

void save_tensors(const std::filesystem::path& path, const TensorFile& file) {
  SGOOD_CHECK(!file.metadata.contains(kChecksum), "metadata '{}' is reserved", kChecksum);
  for (const auto& [name, tensor] : file.tensors) {
    SGOOD_CHECK(name != kMetadata, "the tensor name '{}' is reserved", kMetadata);
    SGOOD_CHECK(byte_size(tensor.type, tensor.shape) == tensor.bytes.size(),
                "tensor '{}' has {} bytes, which do not fit its type and shape [{}]", name,
                tensor.bytes.size(), fmt::join(tensor.shape, ", "));
  }
  const std::vector<Named> order = data_order(file);
  const std::string data = data_bytes(order);
  auto metadata = file.metadata;
  metadata[kChecksum] = checksum_of(file, order, data);
  std::string header = header_text(order, metadata);
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  SGOOD_CHECK(header.size() <= kLongestHeader, "the metadata take {} bytes but {} is the most",
              header.size(), kLongestHeader);
  const std::uint64_t length = header.size();
  std::string contents(reinterpret_cast<const char*>(&length), kPrefix);
  write_file_atomically(path, contents + header + data);
}

TensorFile load_tensors(const std::filesystem::path& path) {
  const std::string contents = read_whole_file(path, "a model file");
  return Parser(path.string(), contents).parse();
}

}  // namespace sgood
