// SPDX-License-Identifier: MIT
#include "sgood/io/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(CsvReader reader) {
  Rows rows;
  while (const CsvRow* row = reader.next()) {
    EXPECT_EQ(row->error, "");
    rows.push_back(row->fields);
  }
  return rows;
}

TEST(CsvReader, ReadsQuotesDelimitersAndLineEndsInsideFields) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.csv",
                                 "name,value\n"
                                 "plain,1\n"
                                 "\"with, comma\",2\n"
                                 "\"say \"\"hi\"\"\",3\r\n"
                                 "\"two\r\nlines\",\"\"\n"
                                 ",\n"
                                 "last,\"x\"");
  EXPECT_EQ(rows_of(CsvReader(path)), (Rows{{"plain", "1"},
                                            {"with, comma", "2"},
                                            {"say \"hi\"", "3"},
                                            {"two\nlines", ""},
                                            {"", ""},
                                            {"last", "x"}}));
}

TEST(CsvReader, TellsTheLineOnWhichEachRowStarts) {
  const TemporaryFolder folder;
  CsvReader reader(folder.write("a.csv", "a\n\"1\n\n2\"\n\n  \nx\n"));
  const CsvRow* row = reader.next();
  EXPECT_EQ(row->line, 2);
  EXPECT_THAT(row->fields, ElementsAre("1\n\n2"));
  row = reader.next();
  EXPECT_EQ(row->line, 7);
  EXPECT_EQ(reader.blank_lines(), 2);
  EXPECT_EQ(reader.next(), nullptr);
}

TEST(CsvReader, FindsColumnsByNameAfterByteOrderMarkAndBlanks) {
  const TemporaryFolder folder;
  const CsvReader reader(folder.write("a.csv", "\xEF\xBB\xBFid, smiles ,id\n"));
  EXPECT_THAT(reader.header(), ElementsAre("id", "smiles", "id"));
  EXPECT_EQ(reader.column("smiles"), 1u);
  EXPECT_TRUE(reader.has_column("smiles"));
  EXPECT_FALSE(reader.has_column("id"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { reader.column("SMILES"); }),
              HasSubstr("there is no column 'SMILES'; the columns are id, smiles, id"));
  EXPECT_THAT(error_of<InvalidArgument>([&] { reader.column("id"); }), HasSubstr("2 columns"));
}

TEST(CsvReader, TabsSeparateInTsvFilesAndGzipIsTransparent) {
  const TemporaryFolder folder;
  EXPECT_EQ(rows_of(CsvReader(folder.write_gz("a.tsv.gz", "a\tb\n1,5\t2\n"))),
            (Rows{{"1,5", "2"}}));
  EXPECT_EQ(rows_of(CsvReader(folder.write("a.csv", "a;b\n1;2\n"), ';')), (Rows{{"1", "2"}}));
}

TEST(CsvReader, ABadRowCarriesItsErrorAndReadingGoesOn) {
  const TemporaryFolder folder;
  CsvReader reader(folder.write("a.csv", "a,b\n1\n1,2,3\n\"x\"y,2\n1,2\n"));
  EXPECT_THAT(reader.next()->error,
              HasSubstr("a.csv:2: the row has 1 fields but the header has 2"));
  EXPECT_THAT(reader.next()->error, HasSubstr("a.csv:3: the row has 3 fields"));
  EXPECT_THAT(reader.next()->error, HasSubstr("a.csv:4: a closing quote is followed by 'y'"));
  const CsvRow* row = reader.next();
  EXPECT_EQ(row->error, "");
  EXPECT_THAT(row->fields, ElementsAre("1", "2"));
}

TEST(CsvReader, AnOpenQuoteAndAnEmptyFileAreErrors) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of<ParseError>(
                  [&] { rows_of(CsvReader(folder.write("a.csv", "a\n1\n\"open\nmore\n"))); }),
              HasSubstr("a.csv:3: a quote is opened"));
  EXPECT_THAT(error_of<ParseError>([&] { CsvReader(folder.write("b.csv", "\n \n")); }),
              HasSubstr("the file is empty"));
  EXPECT_THAT(error_of<ParseError>([&] { CsvReader(folder.write("c.csv", "\"a\"b,c\n")); }),
              HasSubstr("c.csv:1: a closing quote"));
}

TEST(CsvReader, AQuoteInsideAnUnquotedFieldIsText) {
  const TemporaryFolder folder;
  EXPECT_EQ(rows_of(CsvReader(folder.write("a.csv", "a,b\n5\" pipe,x\n"))),
            (Rows{{"5\" pipe", "x"}}));
}

TEST(CsvReaderData, ReadsEveryMoleculeOfBaceAndBbbp) {
  const char* data = std::getenv("SGOOD_DATA");
  if (!data) GTEST_SKIP() << "needs SGOOD_DATA";
  struct Expected {
    const char* name;
    std::size_t rows;
  };
  for (const auto& [name, rows] : {Expected{"BACE", 1513}, Expected{"BBBP", 2039},
                                   Expected{"HIV", 41127}, Expected{"Tox21", 7831}}) {
    CsvReader reader(std::filesystem::path(data) / name / "mol.csv");
    EXPECT_TRUE(reader.has_column("smiles"));
    EXPECT_EQ(rows_of(std::move(reader)).size(), rows) << name;
  }
}

}  // namespace
}  // namespace sgood
