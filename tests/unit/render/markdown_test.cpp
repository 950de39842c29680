#include "render/words/markdown_text.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::markdown_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Markdown, TableOfCasesWithRedOnesFirstThenTheirDetails) {
  EXPECT_EQ(markdown(sample::report({sample::passed_case(), sample::skipped_case(), sample::hung_case()}, 4),
                     Style{}),
            R"(### RED: 1 hung, 1 passed, 1 skipped (exit 4)

gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4

| case | verdict | what was found | time |
| --- | --- | --- | --- |
| mixtral_tp4_ep2 | HUNG | hung during training: silent 15m, limit 15m | 16m40s |
| tinygpt/dp2 | passed | lm_loss 15 steps, throughput -0.4 %, memory 2 ranks ok | 1.1s |
| llama2_tp2_pp4_vpp2 | skipped | needs platform ascend-\*, this is cpu |  |

```text
HUNG mixtral_tp4_ep2  after step 7 of 15  16m40s
  hung during training: silent 15m, limit 15m
  undecided lm_loss
  problem  train.log:812: rank 5: HCCL notify wait timeout
  look     gate explain mixtral_tp4_ep2 --run 1121-0203
  log      .gate/runs/1121-0203/mixtral_tp4_ep2/log
```

)");
}

TEST(Markdown, CrashedNamesItsCause) {
  CaseReport crashed = sample::crashed_case();
  crashed.checks = sample::hung_case().checks;
  const std::string out = markdown(sample::report({crashed}, 4), Style{});
  EXPECT_THAT(out, HasSubstr("| exited 1: CUDA out of memory (log.txt:57) |"));
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
  EXPECT_EQ(markdown_escape("<b>&amp;"), "&lt;b&gt;&amp;amp;");
  EXPECT_EQ(markdown_escape("lm_loss _x_ a__b"), "lm_loss \\_x\\_ a\\_\\_b");
  EXPECT_EQ(markdown_escape("two\nlines"), "two\\\\x0alines");
  EXPECT_EQ(markdown_escape("[x](http://y)"), "\\[x\\](http://y)");
}

TEST(Markdown, TableFillsShortRows) {
  EXPECT_EQ(markdown_table({{"a", "b"}, {"1"}, {"x|y", "2"}}),
            "| a | b |\n| --- | --- |\n| 1 |  |\n| x\\|y | 2 |\n");
  EXPECT_EQ(markdown_table({}), "");
}

}  // namespace
}  // namespace gate::render::markdown_test
