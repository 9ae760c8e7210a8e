// SPDX-License-Identifier: MIT
#include "sgood/core/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;

struct Example {
  int layers = 3;
  double tau = 0.2;
  bool flag = true;
  std::string kind = "min";

  OptionTable table() {
    OptionTable t;
    t.add("layers", &layers, 1, 10, "number of layers");
    t.add("tau", &tau, 0.01, 10, "temperature");
    t.add("flag", &flag, "a switch");
    t.add("kind", &kind, {"min", "max"}, "aggregation");
    return t;
  }
};

std::string error_of(const OptionTable& table, std::string_view name, std::string_view value) {
  try {
    table.set(name, value);
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "";
}

TEST(Options, AreSetFromText) {
  Example e;
  const OptionTable t = e.table();
  t.set("layers", "5");
  t.set("tau", "1e-1");
  t.set("flag", "false");
  t.set("kind", "max");
  EXPECT_EQ(e.layers, 5);
  EXPECT_EQ(e.tau, 0.1);
  EXPECT_FALSE(e.flag);
  EXPECT_EQ(e.kind, "max");
}

TEST(Options, ErrorsNameTheOptionTheValueAndWhatIsLegal) {
  Example e;
  const OptionTable t = e.table();
  EXPECT_THAT(error_of(t, "layers", "0"),
              HasSubstr("layers is '0' but must be a whole number from 1 to 10"));
  EXPECT_THAT(error_of(t, "layers", "3.5"), HasSubstr("whole number"));
  EXPECT_THAT(error_of(t, "tau", "nan"), HasSubstr("tau is 'nan'"));
  EXPECT_THAT(error_of(t, "tau", "0.2x"), HasSubstr("0.01 to 10"));
  EXPECT_THAT(error_of(t, "flag", "yes"), HasSubstr("true or false"));
  EXPECT_THAT(error_of(t, "kind", "mean"), HasSubstr("one of min, max"));
  EXPECT_THAT(error_of(t, "tua", "1"), HasSubstr("known are layers, tau, flag, kind"));
  EXPECT_EQ(e.layers, 3);
}

TEST(Options, ValuesSurviveARoundTrip) {
  Example a;
  a.layers = 7;
  a.tau = 0.123456789;
  a.kind = "max";
  Example b;
  b.table().set_values(a.table().values());
  EXPECT_EQ(b.table().values(), a.table().values());
}

}  // namespace
}  // namespace sgood
