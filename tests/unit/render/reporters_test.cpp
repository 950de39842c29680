#include <gmock/gmock.h>

#include "gate/schema/result_file.h"
#include "sample_reports.h"

namespace gate::render::reporters_test {
namespace {

TEST(Reporters, EveryOneIsFoundByItsNameAndPrintsSomething) {
  for (const ReporterRow& row : reporters()) {
    ASSERT_EQ(find_reporter(row.name), &row);
    EXPECT_FALSE(row.doc.empty());
    EXPECT_TRUE(row.render(sample::report({sample::passed_case()}, 0), Style{}).ends_with('\n')) << row.name;
  }
  EXPECT_EQ(find_reporter("pdf"), nullptr);
}

TEST(Reporters, JsonIsTheResultFile) {
  const Report report = sample::report({sample::regressed_case(), sample::skipped_case()}, 1);
  const Result<Report> back = schema::read_result(json(report, Style{}), "result.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(text(*back, Style{}), text(report, Style{}));
}

}  // namespace
}  // namespace gate::render::reporters_test
