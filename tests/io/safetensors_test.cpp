// SPDX-License-Identifier: MIT
#include "sgood/io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TensorFile example() {
  TensorFile file;
  file.metadata = {
      {"method", "sgood"}, {"note", "a \"quoted\" line\nand \xC3\xA9"}, {"a.empty", ""}};
  const std::vector<float> weight = {0.5f, -1.25f, 3.0f, 1e-30f, -0.0f, 65504.0f};
  file.tensors["weight"] = Tensor::of(std::span(weight), {2, 3});
  file.tensors["scores"] = Tensor::of(std::vector<double>{0.1, -1e300});
  file.tensors["codes"] = Tensor::of(std::vector<std::int32_t>{
      0, -1, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()});
  const std::int64_t seed = (std::int64_t{1} << 62) + 1;
  file.tensors["seed"] = Tensor::of(std::span(&seed, 1), {});
  file.tensors["none"] = Tensor::of(std::span<const float>(), {0, 7});
  return file;
}

/// A file with this header text and data.
std::string raw(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

TEST(Safetensors, SaveThenLoadGivesTheSame) {
  const TemporaryFolder folder;
  save_tensors(folder / "m", example());
  const TensorFile file = load_tensors(folder / "m");
  EXPECT_EQ(file, example());
  EXPECT_THAT(file.tensor("scores").values<double>(), ElementsAre(0.1, -1e300));
  EXPECT_THAT(file.tensor("weight").shape, ElementsAre(2, 3));
}

TEST(Safetensors, IsByteForByteWhatAnIndependentWriterMakes) {
  const TemporaryFolder folder;
  const auto golden =
      std::filesystem::path(SGOOD_TEST_FOLDER) / "golden/io_safetensors.safetensors";
  save_tensors(folder / "m", example());
  EXPECT_TRUE(read_bytes(folder / "m") == read_bytes(golden));
  EXPECT_EQ(load_tensors(golden), example());
}

TEST(Safetensors, AnEmptyFileRoundTrips) {
  const TemporaryFolder folder;
  save_tensors(folder / "m", TensorFile());
  EXPECT_EQ(load_tensors(folder / "m"), TensorFile());
}

TEST(Safetensors, EveryChangedByteIsAnError) {
  const TemporaryFolder folder;
  save_tensors(folder / "m", example());
  const std::string whole = read_bytes(folder / "m");
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string altered = whole;
      altered[i] = static_cast<char>(altered[i] ^ flip);
      folder.write("altered", altered);
      try {
        // Blanks behind the JSON may differ: then nothing that is loaded has changed.
        EXPECT_EQ(load_tensors(folder / "altered"), example()) << i << " ^ " << flip;
        EXPECT_EQ(whole[i], ' ') << i << " ^ " << flip;
      } catch (const ParseError&) {
      }
    }
}

TEST(Safetensors, EveryTruncationAndAnyAdditionIsAnError) {
  const TemporaryFolder folder;
  save_tensors(folder / "m", example());
  const std::string whole = read_bytes(folder / "m");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = folder.write("cut", whole.substr(0, size));
    EXPECT_THAT(error_of<ParseError>([&] { load_tensors(cut); }),
                HasSubstr("cut: this is no intact model file"))
        << size;
  }
  EXPECT_THROW(load_tensors(folder.write("more", whole + "x")), ParseError);
}

TEST(Safetensors, ForeignFilesAreRefusedWithAReason) {
  const TemporaryFolder folder;
  const auto reason = [&](const std::string& bytes) {
    return error_of<ParseError>([&] { load_tensors(folder.write("m", bytes)); });
  };
  const std::string f4 = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";
  EXPECT_THAT(reason("PK\x03\x04 a zip file, or so it seems"), HasSubstr("the header should have"));
  EXPECT_THAT(reason(raw("[]", "")), HasSubstr("not a JSON object"));
  EXPECT_THAT(reason(raw("{\"a\":", "")), HasSubstr("not JSON"));
  EXPECT_THAT(reason(raw("{}", "")), HasSubstr("no checksum"));
  EXPECT_THAT(reason(raw("{\"a\":{" + f4 + "}}", "abcd")), HasSubstr("no checksum"));
  EXPECT_THAT(reason(raw("{\"a\":{" + f4 + ",\"more\":1}}", "abcd")), HasSubstr("alone"));
  EXPECT_THAT(reason(raw("{\"a\":3}", "")), HasSubstr("alone"));
  EXPECT_THAT(reason(raw("{\"a\":{" + f4 + "}}", "abcde")), HasSubstr("end at byte 4"));
  EXPECT_THAT(reason(raw("{\"a\":{" + f4 + "},\"b\":{" + f4 + "}}", "abcd")),
              HasSubstr("overlap or leave a gap"));
  EXPECT_THAT(reason(raw(R"({"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}})", "ab")),
              HasSubstr("type \"BF16\""));
  EXPECT_THAT(reason(raw(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})", "abcdefgh")),
              HasSubstr("gap at byte 0"));
  EXPECT_THAT(reason(raw(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "abcd")),
              HasSubstr("no whole number"));
  EXPECT_THAT(reason(raw(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", "abcd")),
              HasSubstr("bytes 4 to 0 of 4"));
  EXPECT_THAT(reason(raw(R"({"__metadata__":{"a":1}})", "")), HasSubstr("metadata 'a'"));
  EXPECT_THAT(reason(raw(R"({"__metadata__":[]})", "")), HasSubstr("metadata"));
}

TEST(Safetensors, SizesThatOverflowAreRefusedWithoutAllocating) {
  const TemporaryFolder folder;
  for (const char* shape : {"[4294967296,4294967296]", "[9223372036854775807,2]",
                            "[18446744073709551615]", "[1000000000000]"})
    EXPECT_THROW(load_tensors(folder.write("m", raw(std::string(R"({"a":{"dtype":"F32","shape":)") +
                                                        shape + R"(,"data_offsets":[0,0]}})",
                                                    ""))),
                 ParseError)
        << shape;
  EXPECT_THROW(load_tensors(folder.write("m", std::string(8, '\xFF'))), ParseError);
  EXPECT_THROW(load_tensors(folder.write("m", raw(std::string(100'000, '['), ""))), ParseError);
}

TEST(Safetensors, MissingFilesAndFoldersAreIoErrors) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of<IoError>([&] { load_tensors(folder / "none"); }),
              HasSubstr("there is no such file"));
  EXPECT_THAT(error_of<IoError>([&] { load_tensors(folder.path()); }),
              HasSubstr("not a regular file"));
  EXPECT_THROW(save_tensors(folder / "none/m", example()), IoError);
}

TEST(Safetensors, SaveRefusesWhatLoadCouldNotRead) {
  const TemporaryFolder folder;
  const auto refuses = [&](TensorFile file, const char* text) {
    EXPECT_THAT(error_of<InvalidArgument>([&] { save_tensors(folder / "m", file); }),
                HasSubstr(text));
    EXPECT_FALSE(std::filesystem::exists(folder / "m"));
  };
  TensorFile file = example();
  file.tensors["weight"].bytes.pop_back();
  refuses(file, "tensor 'weight' has 23 bytes");
  file = example();
  file.tensors["__metadata__"] = file.tensors["weight"];
  refuses(file, "reserved");
  file = example();
  file.metadata["sgood.checksum"] = "x";
  refuses(file, "reserved");
  file = example();
  file.metadata["bad"] = "\xFF";
  refuses(file, "UTF-8");
}

TEST(Safetensors, AccessChecksNamesAndTypes) {
  const TensorFile file = example();
  EXPECT_THAT(error_of<InvalidArgument>([&] { file.tensor("x"); }), HasSubstr("tensor 'x'"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { file.tensor("weight").values<double>(); }),
              HasSubstr("is F32 but was read as F64"));
  EXPECT_THROW(Tensor::of(std::span<const float>(), {1}), InvalidArgument);
  EXPECT_THROW(Tensor::of(std::span<const float>(), {-1}), InvalidArgument);
}

}  // namespace
}  // namespace sgood
