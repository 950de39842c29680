#include "render/words/markdown_text.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::markdown_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Markdown, ALineForEachRedCaseThenWhatOpens) {
  EXPECT_EQ(markdown(sample::report({sample::passed_case(), sample::skipped_case(), sample::hung_case()}, 4),
                     Style{}),
            R"(### RED: 1 hung, 1 passed, 1 skipped (exit 4)

gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4

- HUNG **mixtral_tp4_ep2** after step 7 of 15, hung during training: silent 15m, limit 15m

<details>
<summary>the red cases in full</summary>

```text
HUNG mixtral_tp4_ep2  after step 7 of 15  16m40s
  hung during training: silent 15m, limit 15m
  undecided lm_loss
  problem  train.log:812: rank 5: HCCL notify wait timeout
  look     gate explain mixtral_tp4_ep2 --run 1121-0203
  log      mixtral_tp4_ep2/log
```

</details>

<details>
<summary>2 other cases</summary>

| case | verdict | what was found | time |
| --- | --- | --- | --- |
| tinygpt/dp2 | passed | lm_loss 15 steps, throughput -0.4 %, memory 2 ranks ok | 1.1s |
| llama2_tp2_pp4_vpp2 | skipped | needs platform ascend-\*, this is cpu |  |

</details>

)");
}

TEST(Markdown, CrashedNamesItsCause) {
  CaseReport crashed = sample::crashed_case();
  crashed.checks = sample::hung_case().checks;
  const std::string out = markdown(sample::report({crashed}, 4), Style{});
  EXPECT_THAT(out, HasSubstr("- CRASHED **mixtral_tp4_ep2** before its first step, exited 1: CUDA out of "
                             "memory (log.txt:57)\n"));
  EXPECT_THAT(
      out, HasSubstr("  cause    mixtral/log.txt:57: [rank3]: torch.OutOfMemoryError: CUDA out of memory."));
}

TEST(Markdown, GreenRunHasNoDetails) {
  const std::string out = markdown(sample::report({sample::passed_case()}, 0), Style{});
  EXPECT_THAT(out, HasSubstr("### GREEN: 1 passed (exit 0)\n"));
  EXPECT_THAT(out, Not(HasSubstr("```")));
}

TEST(Markdown, RunWithoutCasesHasNoTable) {
  EXPECT_THAT(markdown(sample::report({}, 3), Style{}), Not(HasSubstr("|")));
}

TEST(Markdown, EscapesWhatItWouldObey) {
  EXPECT_EQ(markdown_escape("a|b`c*d"), "a\\|b\\`c\\*d");
  EXPECT_EQ(markdown_escape("<b>&amp;"), "&lt;b&gt;&amp;<!-- -->amp;");
  EXPECT_EQ(markdown_escape("lm_loss _x_ a__b"), "lm_loss \\_x\\_ a\\_\\_b");
  EXPECT_EQ(markdown_escape("two\nlines"), "two\\\\x0alines");
  EXPECT_EQ(markdown_escape("[x](http://y)"), "\\[x\\](http:<!-- -->//y)");
  EXPECT_EQ(markdown_escape("WWW.x.y"), "WWW<!-- -->.x.y");
}

TEST(Markdown, RefersToNobodyAndNothing) {
  EXPECT_EQ(markdown_escape("@all"), "\\@<!-- -->all");
  EXPECT_EQ(markdown_escape("a/b#12"), "a/b\\#<!-- -->12");
  EXPECT_EQ(markdown_escape("gh-12 GH-1"), "gh-<!-- -->12 GH-<!-- -->1");
  EXPECT_EQ(markdown_escape("!3 ~l %4 &5 $6"),
            "\\!<!-- -->3 \\~<!-- -->l %<!-- -->4 &amp;<!-- -->5 \\$<!-- -->6");
  EXPECT_EQ(markdown_escape("+0.4 % # x - y: z"), "+0.4 % \\# x - y: z");
}

TEST(Markdown, LinksToWhatTheCiSystemTellsOf) {
  Style style;
  style.links = {"https://g.example.com/a/b/actions/runs/5", "https://g.example.com/5#artifacts",
                 "https://g.example.com/a/b/commit/"};
  const std::string out = markdown(sample::report({}, 3), style);
  EXPECT_THAT(out, HasSubstr("\n\n[CI job](https://g.example.com/a/b/actions/runs/5) · "
                             "[commit 9c1e2f4](https://g.example.com/a/b/commit/9c1e2f4) · "
                             "[artifacts of the job](https://g.example.com/5#artifacts)\n\n"));
  Report hostile = sample::report({}, 3);
  hostile.commit = "../../evil";
  style.links.job = "https://x) **b** [y](https://z";
  style.links.artifacts = "javascript:alert(1)";
  EXPECT_THAT(markdown(hostile, style), Not(HasSubstr("](")));
}

TEST(Markdown, PathsAreThoseOfTheRunsFolder) {
  CaseReport one = sample::hung_case();
  one.artifacts = {{"log", "/builds/7/gate-run/mixtral_tp4_ep2/log.txt"}};
  one.problems = {{ProblemKind::message, "/builds/7/gate-run/mixtral_tp4_ep2/log.txt", 812, "HCCL"}};
  const std::string out = markdown(sample::report({one}, 4), Style{});
  EXPECT_THAT(out, HasSubstr("problem  mixtral_tp4_ep2/log.txt:812: HCCL\n"));
  EXPECT_THAT(out, HasSubstr("log      mixtral_tp4_ep2/log.txt\n"));
  EXPECT_THAT(out, Not(HasSubstr("/builds")));
}

TEST(Markdown, WhatMovedWithTheSuiteIsALine) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 9; ++i) {
    cases.push_back(sample::regressed_case());
    cases.back().name = "moved" + std::to_string(i);
    cases.back().checks = {sample::speed(CheckStatus::fail, "122.90", "-11.27", -8.4)};
  }
  cases.push_back(sample::hung_case());
  const std::string out = comment(sample::report(cases, 1), Style{});
  const std::size_t hung = out.find("- HUNG"),
                    moved = out.find("\n- 9 red cases moved with the rest, throughput -8.4 %\n");
  ASSERT_NE(moved, std::string::npos) << out;
  EXPECT_LT(hung, moved);
  EXPECT_THAT(out,
              HasSubstr("<summary>the cases that moved with the rest</summary>\n\n- moved0\n- moved1\n"));
  EXPECT_THAT(out, Not(HasSubstr("- REGRESSED")));
}

TEST(Markdown, IsToldInTheLanguageOfTheStyle) {
  Style style;
  style.language = Language::chinese;
  const std::string out = comment(sample::report({sample::hung_case(), sample::passed_case()}, 4), style);
  for (const char* words :
       {"### 红：1 卡死", "- 卡死 **mixtral_tp4_ep2** ", "<summary>红色用例的全部内容</summary>",
        "<summary>其余 1 个用例</summary>", "| 用例 | 判定 |"})
    EXPECT_THAT(out, HasSubstr(words));
}

TEST(Markdown, TableFillsShortRows) {
  EXPECT_EQ(markdown_table({{"a", "b"}, {"1"}, {"x|y", "2"}}),
            "| a | b |\n| --- | --- |\n| 1 |  |\n| x\\|y | 2 |\n");
  EXPECT_EQ(markdown_table({}), "");
}

}  // namespace
}  // namespace gate::render::markdown_test
