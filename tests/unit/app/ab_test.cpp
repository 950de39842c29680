// `gate ab`: the pairs of launches and what becomes of them; git is real, the launches are played.
#include "gate/runner/ab.h"

#include <gmock/gmock.h>

#include "gate/launch/tool.h"
#include "made_up_host.h"

namespace gate::app::ab_test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Play steps_of(const std::string& ms) { return {TrainingLog{.time = ms}.text()}; }

class Ab : public MadeUpHost {
 protected:
  Ab() {
    script("c");
    put(".gitignore", ".gate\nleases\n");
    git({"init", "-q"});
    commit("one");
    put("more", "");
    commit("two");
  }

  std::string git(std::vector<std::string> words) const {
    const std::vector<std::string> first{"git",         "-C", root.string(),   "-c",
                                         "user.name=t", "-c", "user.email=t@t"};
    words.insert(words.begin(), first.begin(), first.end());
    const ToolAnswer answer = launch::ask_tool(words, std::chrono::seconds(30));
    EXPECT_EQ(answer.exit_code, 0) << answer.errors;
    return answer.output;
  }

  void commit(const std::string& name) const {
    git({"add", "-A"});
    git({"commit", "-qm", name});
    git({"tag", name});
  }

  Answer<AbResult> compared(AbOptions options = {}) {
    if (options.a.empty()) options.a = "one", options.b = "two";
    options.case_name = "c";
    options.run.folder = root;
    const SuiteOptions opened{root, {}, {}};
    const Answer<Suite> suite = open_suite(opened);
    if (!suite) return tl::unexpected(suite.error());
    Environment environment = this->environment();
    return ab(*suite, opened, options, environment);
  }

  AbResult result(std::vector<Play> plays, AbOptions options = {}) {
    runner.plays("c", std::move(plays));
    const Answer<AbResult> found = compared(std::move(options));
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return found ? *found : AbResult{};
  }

  std::string message(AbOptions options = {}) {
    const Answer<AbResult> found = compared(std::move(options));
    return found ? "" : std::to_string(found.error().exit_code) + " " + found.error().message;
  }

  // Neither folders nor what git knows of them.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root / ".gate"))
      if (entry.path().filename().string().starts_with("ab-")) names.push_back(entry.path());
    const std::string trees = git({"worktree", "list", "--porcelain"});
    for (const std::string_view line : split(trees, '\n'))
      if (line.find("/ab-") != std::string_view::npos) names.emplace_back(line);
    return names;
  }
};

// A B, B A, B A.
const std::vector<Play> slower{steps_of("100.0"), steps_of("110.0"), steps_of("110.5"),
                               steps_of("100.2"), steps_of("110.1"), steps_of("99.9")};

TEST_F(Ab, EndsOnceTheAnswerIsClear) {
  const AbResult found = result(slower);
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_EQ(found.pairs, 3);
  EXPECT_THAT(runner.launched(), SizeIs(6));
  ASSERT_THAT(found.metrics, SizeIs(1));
  EXPECT_EQ(found.metrics[0].metric, "iteration_time");
  EXPECT_EQ(found.metrics[0].what, "mean of last 10");
  EXPECT_EQ(found.metrics[0].tolerated, 0.03);
  EXPECT_EQ(found.metrics[0].pairs[1].a, 100.2);
  EXPECT_EQ(found.metrics[0].pairs[1].b, 110.5);
  EXPECT_EQ(answer_of(found), AbAnswer::worse);
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(Ab, IsUndecidedWhereThePairsDoNotSay) {
  AbOptions options;
  options.pairs = 3;
  const AbResult found = result(
      {steps_of("100"), steps_of("120"), steps_of("95"), steps_of("100"), steps_of("110"), steps_of("100")},
      options);
  EXPECT_EQ(found.exit_code, 3);
  EXPECT_EQ(answer_of(found), AbAnswer::undecided);
}

TEST_F(Ab, SaysThatLossesAreEqualAsPrinted) {
  const AbResult found = result(slower);
  ASSERT_THAT(found.losses, SizeIs(1));
  EXPECT_EQ(found.losses[0].series, "lm_loss");
  EXPECT_EQ(found.losses[0].common, 3);
  EXPECT_FALSE(found.losses[0].first);
}

Play losses_of(std::vector<std::string> losses) {
  return {TrainingLog{.losses = std::move(losses), .time = "100.0"}.text()};
}

TEST_F(Ab, OfValuesThatAreNoneBAloneIsWorse) {
  const Play good = losses_of({"2.5", "2.4", "2.3"}), bad = losses_of({"2.5", "nan", "2.3"}),
             infinite = losses_of({"2.5", "2.4", "inf"});
  struct Row {
    Play a, b;
    std::string side, reason;
    int exit_code;
  };
  for (const Row& row : {Row{good, bad, "B", "lm_loss is nan at step 2", 1},
                         Row{good, infinite, "B", "lm_loss is inf at step 3", 1},
                         Row{bad, good, "A", "lm_loss is nan at step 2", 3},
                         Row{bad, bad, "A", "lm_loss is nan at step 2", 3}}) {
    const AbResult found = result({row.a, row.b});
    EXPECT_EQ(found.exit_code, row.exit_code);
    ASSERT_TRUE(found.failure);
    EXPECT_EQ(found.failure->side, row.side);
    EXPECT_EQ(found.failure->reason, row.reason);
  }
}

TEST_F(Ab, KeepsTheDevicesOfTheFirstLaunch) {
  with_devices(4);
  script("c", "devices=2");
  commit("three");
  AbOptions options;
  options.a = "three", options.b = "three";
  const AbResult found = result(slower, options);
  EXPECT_EQ(found.exit_code, 1);
  std::vector<std::string> devices;
  for (std::size_t k = 1; k <= 6; ++k) devices.push_back(runner.environment("c", k)["CUDA_VISIBLE_DEVICES"]);
  EXPECT_THAT(devices, Each(devices.front()));
  EXPECT_NE(devices.front(), "");
}

TEST_F(Ab, EndsWithTheLaunchThatFails) {
  Play bad = steps_of("100.0");
  bad.outcome = Exited{3};
  const AbResult found = result({steps_of("100.0"), steps_of("100.0"), bad});
  EXPECT_EQ(found.exit_code, 4);
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->side, "B") << "B comes first in the second pair";
  EXPECT_EQ(found.failure->pair, 2);
  EXPECT_EQ(found.failure->verdict, Verdict::crashed);
  EXPECT_THAT(runner.launched(), SizeIs(3));
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(Ab, TakesFewerStepsForNoResult) {
  const TrainingLog half{.losses = {"2.500000E+00", "2.400000E+00"}};
  const AbResult found = result({steps_of("100.0"), steps_of("100.0"), {half.text()}, steps_of("100.0")});
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->verdict, Verdict::incomplete);
  EXPECT_EQ(found.failure->side, "B");
}

TEST_F(Ab, HasNoAnswerWithoutSpeed) {
  const std::string losses = " iteration 1/ 2 | lm loss: 2.5 |\n iteration 2/ 2 | lm loss: 2.4 |\n";
  const AbResult found = result({{losses}});
  EXPECT_EQ(found.exit_code, 3);
  ASSERT_TRUE(found.failure);
  EXPECT_THAT(found.failure->reason.english(), HasSubstr("no metric of speed"));
  EXPECT_THAT(found.failure->reason.in(Language::chinese), HasSubstr("都打印的速度指标"));
}

TEST_F(Ab, HasNoAnswerWhereTheWindowHoldsNothing) {
  policy("[rules.iteration_time]\nwindow = \"after 100\"\n");
  commit("three");
  AbOptions options;
  options.a = "three", options.b = "three";
  const AbResult found = result(slower, options);
  EXPECT_EQ(found.exit_code, 3);
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->reason,
            "iteration_time: the window after 100 holds no values that both commits print");
}

TEST_F(Ab, ComparesWhatIsNamed) {
  AbOptions options;
  options.metrics = {"iteration_time"};
  options.change = 0.2;
  const AbResult found = result(slower, options);
  ASSERT_THAT(found.metrics, SizeIs(1));
  EXPECT_EQ(found.metrics[0].tolerated, 0.2);
  EXPECT_EQ(answer_of(found), AbAnswer::worse) << "what lies beside zero is a difference, however small";
}

TEST_F(Ab, EndsWithASignal) {
  Play second = steps_of("100.0");
  second.meanwhile = [this] { signal = 15; };
  const AbResult found = result({steps_of("100.0"), second});
  EXPECT_EQ(found.exit_code, 143);
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->verdict, Verdict::interrupted);
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(Ab, RefusesWordsThatAreNoQuestion) {
  AbOptions options;
  options.a = "one", options.b = "--all";
  EXPECT_THAT(message(options), HasSubstr("2 --all is no commit that is here"));
  options.b = "two", options.metrics = {"consumed_samples_typo"};
  EXPECT_THAT(message(options), HasSubstr("no such metric"));
  options.metrics.clear();
  git({"rm", "-q", "-r", "--cached", "scripts"});
  git({"commit", "-qm", "none"});
  options.a = "HEAD";
  EXPECT_THAT(message(options), HasSubstr("has no case c"));
  EXPECT_THAT(runner.launched(), IsEmpty());
  EXPECT_THAT(left(), IsEmpty());
}

}  // namespace
}  // namespace gate::app::ab_test
