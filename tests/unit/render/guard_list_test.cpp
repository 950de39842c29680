#include "gate/render/guard_list.h"

#include <gmock/gmock.h>

namespace gate::render::guard_list_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

GuardList two_cases() {
  GuardList list;
  list.rows.resize(2);
  const Sentence tensor_parallel("TP", "张量并行");
  list.rows[0] = {"a|b", {{"ST", "<i>", "x"}}, "a.sh", {tensor_parallel}, {{"EP", "--ep $N"}}, {}, "$MORE"};
  list.rows[0].accuracy = true;
  list.rows[0].duration = std::chrono::minutes(3);
  list.rows[0].device_time = std::chrono::minutes(24);
  list.rows[1] = {"c", {{"ST", "", ""}}, "c.sh", {tensor_parallel}};
  list.rows[1].speed = true;
  list.rows[1].ungated = say({"quarantine until {}", "隔离至 {}"}, "2026-12-01");
  list.features = {{tensor_parallel, "parallelism", "--tp", {"a|b", "c"}, {"a|b"}},
                   {"EP", "MoE", "--ep", {}, {}, {"a|b"}},
                   {"MC2", "", "--use-mc2"}};
  list.device_time = std::chrono::minutes(24);
  list.without_duration = 1;
  return list;
}

TEST(GuardListText, SaysWhatIsGuardedAndWhatIsNot) {
  const std::string text = guard_list_text(two_cases(), {.width = 0});
  EXPECT_THAT(text,
              HasSubstr("case  tests  module  submodule  script  accuracy  speed  memory  gates nothing"));
  EXPECT_THAT(text, HasSubstr("3.0      24.0"));
  EXPECT_THAT(text, HasSubstr("(Y)"));
  EXPECT_THAT(text, HasSubstr("  a|b: TP; not told: EP (--ep $N), others ($MORE)\n"));
  EXPECT_THAT(
      text,
      HasSubstr("no script tells that it uses one of 1 feature\n  others: MC2 (--use-mc2)\n  a|b may use any "
                "of them: $MORE\n"));
  EXPECT_THAT(text, HasSubstr("1 feature guarded by one case alone\n  TP (--tp): a|b\n"));
  EXPECT_THAT(
      text, HasSubstr("\n2 cases, 1 guarding; 1 of 3 features guarded; 24.0 device-minutes; 1 case without a "
                      "duration in the history\n"));
  EXPECT_THAT(text, Not(HasSubstr("whose every feature")));
}

TEST(GuardListText, IsSaidInChinese) {
  const std::string text = guard_list_text(two_cases(), {.width = 0, .language = Language::chinese});
  EXPECT_THAT(text, HasSubstr("用例  测试  模块  子模块  脚本  精度  速度  显存  不设门禁"));
  EXPECT_THAT(text, HasSubstr("  a|b：张量并行；没有写明：EP（--ep $N），其他（$MORE）\n"));
  EXPECT_THAT(text, HasSubstr("隔离至 2026-12-01"));
  EXPECT_THAT(text, HasSubstr("只有一个用例看护的 1 个特性\n  张量并行（--tp）：a|b\n"));
  EXPECT_THAT(text, HasSubstr("\n2 个用例，其中 1 个有看护；3 个特性中有 1 个被看护；24.0 设备分钟；"
                              "历史中没有用时的有 1 个用例\n"));
}

TEST(GuardListText, ShowsACaseAtEachOfItsPlaces) {
  GuardList list = two_cases();
  list.rows[0].places = {{"ST", "Pretrain", "TP"}, {"ST", "MoE", "TP"}, {"UT", "MoE", "EP"}};
  EXPECT_THAT(guard_list_text(list, {.width = 0}), HasSubstr("a|b   ST, UT  Pretrain, MoE  TP, EP"));
  EXPECT_THAT(guard_fragment_markdown(list),
              AllOf(HasSubstr("Pretrain | TP"), HasSubstr("MoE | TP"), HasSubstr("| UT | MoE | EP | a.sh")));
  EXPECT_THAT(guard_list_json(list), HasSubstr("\"module\": \"MoE\",\n          \"submodule\": \"EP\""));
}

TEST(GuardListText, IsAllOfAnEmptyList) {
  EXPECT_THAT(guard_list_text({}, {}), HasSubstr("0 cases, 0 guarding"));
  EXPECT_THAT(guard_list_markdown({}), HasSubstr("| case |"));
  EXPECT_THAT(guard_list_html({}), HasSubstr("0 cases"));
}

TEST(GuardListPages, ShowNamesAndObeyNone) {
  EXPECT_THAT(guard_list_markdown(two_cases()), HasSubstr("| a\\|b |"));
  EXPECT_THAT(guard_list_markdown(two_cases()), Not(HasSubstr("<i>")));
  EXPECT_THAT(guard_list_html(two_cases()), HasSubstr("&lt;i&gt;"));
  EXPECT_THAT(guard_list_json(two_cases()), HasSubstr("\"not_told\": {\n        \"EP\": \"--ep $N\""));
}

}  // namespace
}  // namespace gate::render::guard_list_test
