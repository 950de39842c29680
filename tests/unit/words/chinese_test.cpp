#include "gate/words/chinese.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

#include "gate/base/columns.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/outcome.h"

namespace gate::words {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> unknown_in(const std::string& english) {
  std::vector<std::string> unknown;
  in_chinese(english, unknown);
  return unknown;
}

TEST(ChineseTest, TheExampleOfTheContract) {
  EXPECT_EQ(in_chinese("lm_loss, grad_norm ranks 0-3: within ±0.01, no longer bit-equal from step 2"),
            "lm_loss, grad_norm rank 0-3：在 ±0.01 以内，从第 2 步起不再逐位相等");
}

TEST(ChineseTest, LinesAreTakenApartWhereGatePutsThemTogether) {
  EXPECT_EQ(in_chinese("bit-equal; no baseline"), "逐位相等；没有基线");
  EXPECT_EQ(in_chinese("  case-a  3 steps, 1 rank ok"), "  case-a  3 步，1 个 rank 正常");
  EXPECT_EQ(in_chinese("GREEN: 3 passed (1 of them waived), 1 skipped (exit 0)"),
            "绿：3 通过（其中 1 豁免），1 跳过（退出码 0）");
  EXPECT_EQ(in_chinese("missing steps 10-150 by 10"), "缺少第 10-150 每隔 10 步");
}

TEST(ChineseTest, ListsOfNamesStayAsTheyAre) {
  EXPECT_EQ(in_chinese("lm_loss, grad_norm; a: b (c)"), "lm_loss, grad_norm; a: b (c)");
  EXPECT_EQ(in_chinese("1.25 -> 1.26, |x| (3), 5"), "1.25 -> 1.26, |x| (3), 5");
}

TEST(ChineseTest, NumbersOfAHoleAreNumbers) {
  EXPECT_EQ(in_chinese("step 7"), "第 7 步");
  EXPECT_EQ(in_chinese("step seven"), "step seven");
  EXPECT_EQ(in_chinese("steps 1 and 2"), "第 1 和 2 步");
}

TEST(ChineseTest, WhatTheLogSaysIsNotTranslated) {
  EXPECT_EQ(in_chinese("exited 3: RuntimeError: no baseline, bit-equal; the log is empty (log.txt:2)"),
            "退出码 3：RuntimeError: no baseline, bit-equal; the log is empty (log.txt:2)");
  EXPECT_EQ(in_chinese("exited 1: no baseline: steps 3 not judged"),
            "退出码 1：no baseline: steps 3 not judged");
  EXPECT_EQ(in_chinese("exited 1: CUDA out of memory (log.txt:57)"), "退出码 1：CUDA 显存不足 (log.txt:57)");
  EXPECT_EQ(in_chinese("waived until 2026-01-31: no baseline, bit-equal; only the exit is judged"),
            "豁免到 2026-01-31：no baseline, bit-equal; only the exit is judged");
  EXPECT_EQ(
      in_chinese("tests/a.py::test_x[no baseline, bit-equal]: no rule (tests/a.py:3), and 2 more checks"),
      "tests/a.py::test_x[no baseline, bit-equal]: no rule (tests/a.py:3)，以及另外 2 个检查项");
}

TEST(ChineseTest, WhatIsVerbatimIsNeverTranslated) {
  const std::string quote = verbatim("no baseline");
  EXPECT_EQ(shown_in(Language::chinese, quote + "  no baseline"), "no baseline  没有基线");
  EXPECT_EQ(shown_in(Language::english, quote + "  no baseline"), "no baseline  no baseline");
  EXPECT_EQ(shown_in(Language::chinese, "waived until 2026-01-31: " + quote),
            "豁免到 2026-01-31：no baseline");
  EXPECT_EQ(shown_in(Language::chinese, verbatim("a " + verbatim("step 3") + " b")), "a step 3 b");
  EXPECT_EQ(shown_in(Language::chinese, verbatim("\x0f no baseline")), " no baseline");
  EXPECT_EQ(shown_in(Language::chinese, verbatim("")), "");
  EXPECT_EQ(shown_in(Language::chinese,
                     "\x0e"
                     "7\x0f"),
            "7");
  EXPECT_EQ(shown_in(Language::chinese, "step 3 \x0f, \x0eopen"),
            shown_in(Language::chinese, "step 3 \x0f, \x0eopen"));
}

TEST(ChineseTest, NumbersOfFormulasStayInTheirPlaces) {
  EXPECT_EQ(in_chinese("mean of steps 6-15: 0.0024 >= 0.0018 - 5 % = 0.0017 is true"),
            "第 6-15 步的均值：0.0024 >= 0.0018 - 5 % = 0.0017 成立");
  EXPECT_EQ(in_chinese("report 1: 1.65 <= 1.65 + 10 % = 1.815 is false"),
            "第 1 次打印：1.65 <= 1.65 + 10 % = 1.815 不成立");
  EXPECT_EQ(in_chinese("or |4.3 - 4.2| = 0.094 > 2 % of |4.2| = 0.084"),
            "或 |4.3 - 4.2| = 0.094 > |4.2| 的 2 % = 0.084");
  EXPECT_EQ(in_chinese("and 1e-05 == 2e-05 is false"), "且 1e-05 == 2e-05 不成立");
  EXPECT_EQ(in_chinese("step 4: -5 >= -4 - 10 % of |-4| = -4.4 is false"),
            "第 4 步：-5 >= -4 - |-4| 的 10 % = -4.4 不成立");
}

TEST(ChineseTest, WindowsAreToldBeforeTheirReduce) {
  EXPECT_EQ(in_chinese("throughput: mean of last 10 (steps 6-15), tolerance -5%"),
            "throughput：最后 10 步（第 6-15 步）的均值，容差 -5%");
  EXPECT_EQ(in_chinese("lm_loss: each of first 15 (steps 1-15), tolerance ±0.01 or ±2%"),
            "lm_loss：前 15 步（第 1-15 步），逐个比较，容差 ±0.01 或 ±2%");
  EXPECT_EQ(in_chinese("memory: max of first 3 (reports 1-3), tolerance +10%"),
            "memory：前 3 次打印（第 1-3 次）的最大值，容差 +10%");
  EXPECT_EQ(in_chinese("lm_loss 1-15 of 1-30, mfu mean of steps 21-30"),
            "lm_loss 1-30 中的 1-15，mfu 第 21-30 步的均值");
}

TEST(ChineseTest, ABlankStandsBetweenLatinAndChinese) {
  EXPECT_EQ(in_chinese("lm_loss out of ±0.01 first at step 3 (10.49 -> 10.50, |Δ| 0.011, 14 of 15)"),
            "lm_loss 在第 3 步首次超出 ±0.01（10.49 -> 10.50，|Δ| 0.011，15 步中的 14 步）");
}

TEST(ChineseTest, WhatStandsBehindAnUnknownSentenceStays) {
  for (const char* said :
       {"some tool went wrong: error: no baseline, step 3", "it failed (badly) there: bit-equal"})
    EXPECT_EQ(in_chinese(said), said);
  EXPECT_EQ(in_chinese("not started: sbatch takes no job: sbatch: error: no baseline, bit-equal"),
            "未启动：sbatch 没有接受作业：sbatch: error: no baseline, bit-equal");
  EXPECT_EQ(in_chinese("image a:3 is not there, and gate pulls none: podman pull a:3 (error: no baseline)"),
            "镜像 a:3 不存在，而 gate 不会拉取：podman pull a:3 (error: no baseline)");
}

TEST(ChineseTest, ASentenceBehindItsSubjectIsFoundAsAWhole) {
  EXPECT_EQ(
      in_chinese("throughput: s 4.6 % over 3 runs; red for nothing in 17 % of runs; a regression of 12 % is "
                 "caught nine times in ten"),
      "throughput：3 次运行的标准差 s 为 4.6 %；误报率 17 %；12 % 的劣化十次能发现九次");
}

TEST(ChineseTest, EveryVerdictHasAWord) {
  for (const VerdictRow& row : verdicts()) {
    EXPECT_NE(in_chinese(row.name), row.name);
    EXPECT_NE(in_chinese("3 " + std::string(row.name)), "3 " + std::string(row.name));
  }
}

TEST(ChineseTest, EveryOutcomeIsToldWhole) {
  for (const Outcome& outcome : std::vector<Outcome>{
           NotStarted{"it was not launched"}, Exited{3}, Killed{SIGKILL}, Killed{77}, TimedOut{90s},
           Hung{61s, 60s, "startup"}, StoppedEarly{"its mean cannot come back into > 0.9"},
           Interrupted{SIGINT}, Interrupted{77}, Interrupted{SIGTERM, "zhang"},
           Vanished{"Slurm does not know its job any more"}, PastDeadline{1h}, GateFailed{"the disk is full"},
           ScriptChanged{"a.sh: is not the script that was planned: it changed since; run again"}}) {
    EXPECT_NE(in_chinese(to_string(outcome)), to_string(outcome));
    EXPECT_TRUE(unknown_in(to_string(outcome)).empty()) << to_string(outcome);
  }
}

TEST(ChineseTest, EveryReasonOfAVerdictIsToldWhole) {
  for (const char* reason :
       {"lm_loss out of ±0.01 first at step 6 (10.49 -> 10.50, |Δ| 0.01104, 14 of 15)",
        "throughput mean of steps 6-15 134.17 -> 127.40 (-5.05 %), limit 127.4615",
        "pytest was interrupted",
        "memory_allocated rank 3 max of reports 1, 2 100 -> 120 (+20 %), limit 110",
        "lm_loss out of ±0.01 first at step 6 (10.49 -> not in the run, 1 of 15), and 2 more checks",
        "exited 2: pytest was interrupted",
        "exited 4: pytest was called wrongly, or a conftest.py failed",
        "exited 1: none of its tests failed",
        "pytest collected no test",
        "the log is empty",
        "killed by SIGKILL, not by gate: usually by the kernel, out of host memory (dmesg says so)",
        "exited 137: a process was killed by SIGKILL, usually by the kernel, out of host memory (dmesg says "
        "so)",
        "nothing that is judged was found in the log",
        "missing steps 10-30 of 30",
        "lm_loss: missing steps 3 and 7, and 1 more check",
        "ended after step 7 of 15",
        "ended after step 7 of 15; the log says: NPU out of memory (log.txt:9)",
        "ended after step 7 of the 15 that its log announces; the log says: HCCL failed (log.txt:9)",
        "there is no JUnit file of pytest's",
        "no test passed: 3 skipped",
        "no baseline",
        "nothing in the baseline is comparable",
        "12 checks passed, 1 waived",
        "1 test passed, 2 skipped",
        "not run: --deadline 1h was up",
        "not run: --max-failures reached",
        "not run: interrupted before",
        "needs 8 devices; this host: no accelerator",
        "not started: cannot start bash: not found"}) {
    std::vector<std::string> unknown = unknown_in(reason);
    std::erase_if(unknown, [](const std::string& part) { return part.find(' ') == part.npos; });
    EXPECT_TRUE(unknown.empty()) << reason << ": " << unknown.front();
    EXPECT_NE(in_chinese(reason), reason);
  }
}

// Who writes them could hold gate up: so much is looked at, and what is behind it stays as it is.
TEST(ChineseTest, OfLongLinesTheEndStays) {
  std::string line;
  while (line.size() < 3900) line += "no baseline; ";
  const std::string told = in_chinese(line);
  EXPECT_TRUE(told.starts_with("没有基线；没有基线；")) << told;
  EXPECT_TRUE(told.ends_with("no baseline; no baseline; ")) << told;
  while (line.size() < 5'000'000) line += line;
  EXPECT_TRUE(in_chinese(line) == line);
}

}  // namespace
}  // namespace gate::words
