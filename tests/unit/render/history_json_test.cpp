#include <gmock/gmock.h>

#include "../schema/validate.h"
#include "gate/app/history.h"
#include "gate/render/history.h"

namespace gate::render::history_json_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hostile = "</script><script>evil()\x1b[31m\n";

// Forty runs whose time moves in the middle, and whose verdict flips once.
CaseTrend trend() {
  CaseHistory history{hostile, "cpu", {}, {{{"t", "t", 3, "ms", "last 10", "mean"}, "+5%", {}}}};
  for (std::size_t i = 0; i < 40; ++i) {
    const Verdict verdict = i == 7 ? Verdict::regressed : Verdict::passed;
    history.runs.push_back({"run" + std::to_string(i), hostile, "c", "2026-11-21T02:03:04Z", "run", false,
                            verdict, "s", Duration(5)});
    const double value = (i < 20 ? 100.0 : 104.0) + static_cast<double>(i % 3);
    history.series[0].points.push_back({i, CheckStatus::pass, value, i < 30 ? 100.0 : 103.0});
  }
  return app::trend_of(std::move(history));
}

TEST(HistoryJson, FitsItsSchema) {
  const std::string json = history_json({trend()});
  EXPECT_EQ(schema::invalid(json, "gate.trend.1.json"), "");
  const auto one = nlohmann::json::parse(json)["cases"][0];
  EXPECT_EQ(one["flips"], 2);
  EXPECT_EQ(one["flip_pairs"], 39);
  EXPECT_EQ(one["series"][0]["changes"][0]["run"], "run20");
  EXPECT_EQ(one["series"][0]["baselines"], 2);
}

TEST(HistoryText, TellsChangesBaselinesAndFlips) {
  const std::string text = history_text(trend(), {});
  EXPECT_THAT(text, HasSubstr("  flaky  the verdict flipped in 2 of 39 runs"));
  EXPECT_THAT(text, HasSubstr("  t  rank 3  mean of last 10  104 ms\n"));
  EXPECT_THAT(text, HasSubstr("    +4 % since run run20 (2026-11-21, commit c): 101 -> 105 ms; Pettitt p "));
  EXPECT_THAT(text, HasSubstr("    baseline +3 % since the first of 2: 100 -> 103 ms\n"));
}

TEST(HistoryText, HostileNamesAreShown) {
  for (const std::string& text : {history_text(trend(), {}), history_table({trend()}, {})})
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  const std::string page = history_html({trend()}, hostile);
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, HasSubstr("\"kind\":\"change\""));
}

}  // namespace
}  // namespace gate::render::history_json_test
