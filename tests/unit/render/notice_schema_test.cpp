#include <gtest/gtest.h>

#include "../schema/validate.h"
#include "gate/render/notice.h"
#include "sample_reports.h"

namespace gate::render::notice_schema_test {
namespace {

std::string invalid(const Report& report) {
  const Notice notice = notice_of(report, "https://ci.example.com/1");
  return schema::invalid(notice_body(NoticeKind::generic, notice, {}), "gate.notice.1.json");
}

TEST(NoticeSchema, HoldsForWhatIsSent) {
  EXPECT_EQ(
      invalid(sample::report({sample::regressed_case(), sample::hung_case(), sample::passed_case()}, 1)), "");
  EXPECT_EQ(invalid(sample::report({}, 3)), "");
}

TEST(NoticeSchema, IsNotMetByAnythingElse) { EXPECT_NE(schema::invalid("{}", "gate.notice.1.json"), ""); }

}  // namespace
}  // namespace gate::render::notice_schema_test
