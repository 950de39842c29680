#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::csv_test {
namespace {

Series series(std::optional<int> rank, const std::vector<std::string>& words) {
  Series made("lm_loss", rank, "", Numbering::step);
  for (std::size_t i = 0; i < words.size(); ++i)
    made.append({static_cast<std::int64_t>(i + 1), *parse_value(words[i]), words[i], 0, 0});
  return made;
}

TEST(Csv, IsOneLineAValueBesideTheBaselines) {
  CaseReport one = sample::passed_case();
  one.series = {series({}, {"2.50", "nan"}), series(3, {"1"})};
  one.reference = {{{series({}, {"2.51", "2.4", "2.3"}), series({}, {"2.52"})}, "b.json", ""}};
  EXPECT_EQ(csv(sample::report({one}, 0), Style{}),
            "case,metric,rank,number,value,baseline,unit,baseline_2\n"
            "tinygpt/dp2,lm_loss,,1,2.50,2.51,,2.52\n"
            "tinygpt/dp2,lm_loss,,2,nan,2.4,,\n"
            "tinygpt/dp2,lm_loss,3,1,1,,,\n");
}

TEST(Csv, NamesAreNoFormulasAndBreakNoLine) {
  CaseReport one = sample::passed_case();
  one.name = "=cmd(\"x\"),\n";
  one.series = {series({}, {"1"})};
  EXPECT_EQ(csv(sample::report({one}, 0), Style{}),
            "case,metric,rank,number,value,baseline,unit\n"
            "\"'=cmd(\"\"x\"\"),\\x0a\",lm_loss,,1,1,,\n");
}

}  // namespace
}  // namespace gate::render::csv_test
