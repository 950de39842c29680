// Cases that come after others: what they take along, what holds them back, what they are told.
#include <gmock/gmock.h>

#include <array>

#include "gate/launch/tool.h"
#include "gate/store/run_folder.h"
#include "gate/suite/predecessors.h"
#include "made_up_host.h"

namespace gate::app::after_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// eval comes after train, train after convert; `other` after nothing.
class After : public MadeUpHost {
 protected:
  After() {
    script("convert", "judge=exit");
    script("train", "judge=exit after=convert");
    script("eval", "judge=exit after=train");
    script("other", "judge=exit");
  }

  static RunOptions of(std::vector<std::string> words) {
    RunOptions options;
    options.words = std::move(words);
    return options;
  }

  std::string mistakes() const {
    const Answer<Suite> suite = open_suite({root, {}, {}});
    return suite ? "" : suite.error().message;
  }

  // What is wrong with the script of that case.
  std::string own_mistakes(const std::string& name) const {
    return open_suite({root, {}, {}})->find(name)->file.unreadable;
  }
};

Play crashes() { return {"", Exited{3}}; }

TEST_F(After, ACaseTakesAlongWhatItComesAfterAndRunsBehindIt) {
  const Report report = ran(of({"eval"}));
  EXPECT_EQ(verdicts(report), "convert passed, eval passed, train passed");
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "train", "eval"));
  EXPECT_THAT(report.notes, ElementsAre("takes convert along: train comes after it",
                                        "takes train along: eval comes after it"));
  EXPECT_THAT(ran(of({"other"})).notes, IsEmpty());
}

TEST_F(After, TheFolderOfEachIsTold) {
  const Report report = ran(of({"train"}));
  const auto told = runner.environment("train");
  EXPECT_EQ(told.at("GATE_AFTER_CONVERT"), runner.environment("convert").at("GATE_LAUNCH_DIR"));
  EXPECT_TRUE(fs::exists(fs::Path(told.at("GATE_AFTER_CONVERT")) / "log.txt"));
  EXPECT_EQ(runner.environment("convert").count("GATE_AFTER_CONVERT"), 0U);
}

TEST_F(After, TheFolderIsThatOfTheLaunchThatCounts) {
  runner.plays("convert", {{"", Vanished{"no status"}}, {}});
  RunOptions options = of({"train"});
  options.retry_infra = 1;
  EXPECT_EQ(verdicts(ran(options)), "convert passed, train passed");
  EXPECT_THAT(runner.environment("train").at("GATE_AFTER_CONVERT"), HasSubstr("/convert/try-2"));
}

TEST_F(After, WhatDidNotPassHoldsBackAllThatComesAfterIt) {
  runner.plays("convert", {crashes()});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "convert crashed, eval not_run, other passed, train not_run");
  EXPECT_EQ(case_of(report, "train").reason, "convert, which it comes after, is crashed");
  EXPECT_EQ(case_of(report, "eval").reason, "train, which it comes after, is not_run");
  EXPECT_TRUE(is_held_back(case_of(report, "eval")));
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "other"));
  EXPECT_EQ(report.exit_code, 4);
}

TEST_F(After, AQuarantinedOrSkippedCaseHoldsBack) {
  policy("[case.convert]\nquarantine = { until = \"2026-04-01\", reason = \"flaky\", owner = \"ada\" }\n");
  runner.plays("convert", {crashes()});
  Report report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert crashed, train not_run");
  EXPECT_EQ(report.exit_code, 3);
  policy("[case.convert]\nplatform = \"ascend-*\"\n");
  report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert skipped, train not_run");
  EXPECT_EQ(case_of(report, "train").reason, "convert, which it comes after, is skipped");
}

TEST_F(After, AStoppedCaseHoldsBackAndASignalLeavesTheRest) {
  runner.plays("convert", {{.meanwhile = [this] { signal = 15; }}});
  const Report report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert interrupted, train not_run");
  EXPECT_FALSE(is_held_back(case_of(report, "train"))) << "--resume has it run";
}

TEST_F(After, ResumeKeepsWhatIsHeldBackUnlessItsPredecessorRunsAgain) {
  runner.plays("convert", {crashes()});
  runner.plays("other", {{.meanwhile = [this] { signal = 15; }}});
  EXPECT_EQ(verdicts(ran()), "convert crashed, eval not_run, other interrupted, train not_run");
  signal.reset();
  runner.forget();
  RunOptions resuming;
  resuming.resume = "";
  EXPECT_EQ(verdicts(ran(resuming)), "convert crashed, eval not_run, other passed, train not_run");
  EXPECT_THAT(runner.launched(), ElementsAre("other"));
  EXPECT_FALSE(run_cases(resuming)) << "nothing is left";
  put("scripts/convert.sh", "#GATE judge=exit\nexit 2\n");
  EXPECT_EQ(verdicts(ran(resuming)), "convert passed, eval passed, other passed, train passed");
}

TEST_F(After, AgainRunsThePredecessorsToo) {
  runner.plays("train", {crashes()});
  EXPECT_EQ(verdicts(ran(of({"train", "other"}))), "convert passed, other passed, train crashed");
  runner.forget();
  RunOptions again;
  again.again = "";
  EXPECT_EQ(verdicts(ran(again)), "convert passed, train passed");
}

TEST_F(After, ARecordingLaunchesThemOnceAndRecordsThemNot) {
  script("convert");
  script("train", "after=convert");
  RunOptions options = of({"train"});
  options.record = 2;
  const Answer<Report> report = record_cases(options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(verdicts(*report), "convert passed, train passed");
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "train", "train"));
  EXPECT_TRUE(fs::exists(root / ".gate/candidates/cpu/train.json"));
  EXPECT_FALSE(fs::exists(root / ".gate/candidates/cpu/convert.json"));
}

TEST_F(After, AChainIsInOneShard) {
  for (int number = 1; number <= 4; ++number) {
    RunOptions options = of({"eval", "other"});
    options.shard = Shard{number, 4};
    runner.forget();
    const Report report = ran(options);
    const std::string all = verdicts(report);
    EXPECT_TRUE(all == "" || all == "other passed" || all == "convert passed, eval passed, train passed")
        << all;
  }
}

TEST_F(After, MistakesStandAtTheirPlaces) {
  script("eval", "judge=exit after=trainn");
  EXPECT_THAT(own_mistakes("eval"),
              HasSubstr("scripts/eval.sh:1:18 #GATE: no case \"trainn\"; did you mean \"train\"?"));
  script("eval", "judge=exit after=eval");
  EXPECT_THAT(own_mistakes("eval"),
              HasSubstr("scripts/eval.sh:1:18 #GATE: case eval cannot come after itself"));
  script("eval", "judge=exit after=t*");
  EXPECT_THAT(own_mistakes("eval"), HasSubstr("scripts/eval.sh:1:24: \"t*\" is a glob"));
  script("eval", "judge=exit");
  policy("[case.convert]\nafter = [\"eval\", \"other\"]\n[case.eval]\nafter = [\"train\"]\n");
  EXPECT_EQ(
      mistakes(),
      "gate.toml:2:9: convert comes after eval, eval after train, train after convert: none of them could "
      "ever start");
}

TEST_F(After, EachCircleIsNamedAndWhatOnlyLeadsThereIsNot) {
  policy(
      "[case.convert]\nafter = [\"train\"]\n[case.eval]\nafter = [\"convert\"]\n"
      "[case.other]\nafter = [\"p\"]\n[case.p]\nafter = [\"other\"]\n");
  script("p");
  const std::string all = mistakes();
  EXPECT_THAT(all, HasSubstr("convert comes after train, train after convert: none"));
  EXPECT_THAT(all, HasSubstr("other comes after p, p after other: none"));
  EXPECT_THAT(all, Not(HasSubstr("eval")));
}

TEST_F(After, PartnersAndChainsThatWaitForOneAnotherAreRefused) {
  policy(
      "[metrics.ratio]\nformula = 'throughput(\"train\") / throughput'\n"
      "[case.convert]\nrules.ratio.tolerance = \">= 0.5\"\n");
  const Answer<Report> report = run_cases();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("or comes after it: convert, eval, train; a formula"));
}

// How b is chosen; what binds b to a, and a to c; how a ends. Each with each, but for some that say the same.
enum class Way : std::uint8_t { name, glob, tag, changed, again };
enum class Tie : std::uint8_t { none, after, beside, both };
enum class End : std::uint8_t { passed, crashed, skipped, quarantined };

struct Bound {
  Tie b, a;
  Way way = Way::name;
  End end = End::passed;
};

std::vector<Bound> all_bound() {
  std::vector<Bound> all;
  for (const Tie b : {Tie::after, Tie::beside, Tie::both})
    for (const Tie a : {Tie::none, Tie::after, Tie::beside})
      for (const Way way : {Way::name, Way::glob, Way::tag, Way::changed, Way::again})
        for (const End end : {End::passed, End::crashed, End::skipped, End::quarantined})
          if ((end != End::quarantined || way == Way::name) &&
              (a == Tie::beside || (way != Way::glob && way != Way::tag)))
            all.push_back({b, a, way, end});
  return all;
}

bool comes_after(Tie tie) { return tie == Tie::after || tie == Tie::both; }
bool is_beside(Tie tie) { return tie == Tie::beside || tie == Tie::both; }

class TakenAlong : public MadeUpHost {
 protected:
  // Ties and ends are said in gate.toml, so the scripts are the same in all.
  void make(const Bound& bound) {
    std::string toml =
        "[suite]\nstrict = false\n[rules]\nlm_loss = false\niteration_time = false\nthroughput = false\n";
    for (const std::string name : {"a", "c"})
      toml += "[metrics.of_" + name + "]\nformula = 'iteration_time(\"" + name +
              "\") / iteration_time'\nkind = \"speed\"\nbetter = \"higher\"\n";
    toml += section("b", "a", bound.b, "tags = [\"chosen\"]\n");
    toml += section("a", "c", bound.a, settings_of(bound.end));
    policy(toml + "[case.c]\njudge = \"exit\"\n[case.z]\njudge = \"exit\"\n");
    for (const std::string name : {"a", "b", "c", "z"}) script(name);
    runner.forget();
    if (bound.end == End::crashed || bound.end == End::quarantined) runner.plays("a", {crashes()});
  }

  // b was red beside an `a` that was not.
  RunOptions chosen(const Bound& bound) {
    RunOptions options;
    if (bound.way == Way::name) options.words = {"b"};
    if (bound.way == Way::glob) options.words = {"[b]*"};
    if (bound.way == Way::tag) options.tags = {"chosen"};
    if (bound.way == Way::changed) options.changed_since = changed("b");
    if (bound.way != Way::again) return options;
    runner.forget();
    runner.plays("b", {crashes()});
    options.words = {"b"};
    ran(options);
    make(bound);
    RunOptions again;
    again.again = "";
    return again;
  }

  // Commit all that there is, and change the script.
  std::string changed(const std::string& name) const {
    std::filesystem::remove_all(root / ".git");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"init", "-q"}, {"add", "scripts", "gate.toml"}, {"commit", "-qm", "all"}}) {
      std::vector<std::string> git{"git", "-C", root.string(), "-c", "user.name=x", "-c", "user.email=x@y"};
      git.insert(git.end(), words.begin(), words.end());
      EXPECT_EQ(launch::ask_tool(git, std::chrono::minutes(1)).exit_code, 0);
    }
    put("scripts/" + name + ".sh", "exit 2\n");
    return "HEAD";
  }

 private:
  static std::string section(const std::string& name, const std::string& other, Tie tie,
                             const std::string& more) {
    std::string toml = "[case." + name + "]\n" + more;
    if (comes_after(tie)) toml += "after = [\"" + other + "\"]\n";
    return toml + (is_beside(tie) ? "rules.of_" + other + ".tolerance = \">= 0.5\"\n" : "judge = \"exit\"\n");
  }

  static std::string settings_of(End end) {
    if (end == End::skipped) return "platform = \"ascend-*\"\n";
    if (end != End::quarantined) return "";
    return "quarantine = { until = \"2026-04-01\", reason = \"flaky\", owner = \"ada\" }\n";
  }
};

std::string words_of(const Bound& bound) {
  constexpr std::array ways{"name", "glob", "tag", "changed", "again"};
  constexpr std::array ties{"none", "after", "beside", "both"};
  constexpr std::array ends{"passed", "crashed", "skipped", "quarantined"};
  return std::string("b ") + ties[static_cast<std::size_t>(bound.b)] + " a, a " +
         ties[static_cast<std::size_t>(bound.a)] + " c, by " + ways[static_cast<std::size_t>(bound.way)] +
         ", a " + ends[static_cast<std::size_t>(bound.end)];
}

// What follows for a run of b.
std::string expected_verdicts(const Bound& bound) {
  const bool is_complete = bound.end == End::passed;
  const std::string c = bound.a == Tie::none ? "" : ", c passed";
  const std::string a = is_complete ? "passed" : bound.end == End::skipped ? "skipped" : "crashed";
  const std::string b = is_complete ? "passed" : comes_after(bound.b) ? "not_run" : "unjudged";
  return "a " + a + ", b " + b + c;
}

std::vector<std::string> expected_launches(const Bound& bound) {
  std::vector<std::string> names;
  if (bound.a != Tie::none) names.emplace_back("c");
  if (bound.end != End::skipped) names.emplace_back("a");
  if (bound.end == End::passed || !comes_after(bound.b)) names.emplace_back("b");
  return names;
}

std::vector<std::string> expected_notes(const Bound& bound) {
  std::vector<std::string> notes;
  if (comes_after(bound.b)) notes.emplace_back("takes a along: b comes after it");
  if (is_beside(bound.b)) notes.emplace_back("takes a along: b is judged beside it");
  if (comes_after(bound.a)) notes.emplace_back("takes c along: a comes after it");
  if (is_beside(bound.a)) notes.emplace_back("takes c along: a is judged beside it");
  return notes;
}

TEST_F(TakenAlong, WhoeverIsChosenTakesAlongWhatItComesAfterAndWhatItIsJudgedBeside) {
  constexpr int every = SANITIZED ? 7 : 1;  // seven has no factor of 3, 4 and 5, as many as there are of each
  int number = 0;
  for (const Bound& bound : all_bound()) {
    if (number++ % every != 0) continue;
    SCOPED_TRACE(words_of(bound));
    make(bound);
    const Report report = ran(chosen(bound));
    EXPECT_EQ(verdicts(report), expected_verdicts(bound)) << case_of(report, "b").reason.english();
    EXPECT_EQ(runner.launched(), expected_launches(bound));
    std::vector<std::string> notes = texts_of(report.notes, &Sentence::english);
    std::erase_if(notes, [](const std::string& note) { return !note.starts_with("takes "); });
    EXPECT_EQ(notes, expected_notes(bound));
  }
}

TEST_F(TakenAlong, BothSidesAreInOneShard) {
  for (const Bound& bound : {Bound{Tie::beside, Tie::none}, Bound{Tie::beside, Tie::after},
                             Bound{Tie::after, Tie::beside}, Bound{Tie::beside, Tie::beside}}) {
    SCOPED_TRACE(words_of(bound));
    make(bound);
    std::vector<std::string> all;
    for (int number = 1; number <= 3; ++number) {
      RunOptions options;
      options.words = {"b", "z"};
      options.shard = Shard{number, 3};
      if (const std::string some = verdicts(ran(options)); !some.empty()) all.push_back(some);
    }
    EXPECT_THAT(all, testing::UnorderedElementsAre(expected_verdicts(bound), "z passed"));
  }
}

TEST_F(TakenAlong, AChangeOfAPartnerTouchesWhatIsJudgedBesideIt) {
  make({Tie::beside, Tie::beside});
  RunOptions options;
  options.changed_since = changed("c");
  EXPECT_EQ(verdicts(ran(options)), "a passed, b passed, c passed");
  options.changed_since = changed("a");
  const Report report = ran(options);
  EXPECT_EQ(verdicts(report), "a passed, b passed, c passed");
  EXPECT_THAT(report.notes, Contains("takes c along: a is judged beside it"));
}

TEST_F(TakenAlong, WithoutTheRuleThereIsNoPartner) {
  make({Tie::beside, Tie::none});
  overrides = {{"rules.of_a", "false", "--set"}, {"judge", "exit", "--set"}};
  RunOptions options;
  options.words = {"b"};
  EXPECT_EQ(verdicts(ran(options)), "b passed");
}

// What is said with names is for the cases that they name; without any, for all.
class Told : public TakenAlong {
 protected:
  Told() { overrides = {{"env.X", "1", "--env"}, {"timeout", "7m", "--set"}}; }

  RunOptions telling(std::vector<std::string> words) {
    RunOptions options;
    options.words = std::move(words);
    options.set = {"timeout=7m", "env.X=1"};
    options.args = {"--lr", "2"};
    return options;
  }

  // The cases that were launched and that the words reached, of ARGS and of --env alike.
  std::vector<std::string> told(const Report& report) const {
    std::vector<std::string> names;
    for (const std::string& name : runner.launched()) {
      const bool has_variable = runner.environment(name).contains("X");
      EXPECT_EQ(case_of(report, name).args.size(), has_variable ? 2U : 0U) << name;
      if (has_variable) names.push_back(name);
    }
    return names;
  }
};

TEST_F(Told, WithNamesTheNamedAlone) {
  for (const Tie tie : {Tie::after, Tie::beside, Tie::both})
    for (const auto& [words, names] :
         std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>>{
             {{"b"}, {"b"}},
             {{"b*"}, {"b"}},
             {{"scripts/b.sh"}, {"b"}},
             {{"b", "a"}, {"a", "b"}},
             {{"a"}, {"a"}},
             {{"b", "c"}, {"c", "b"}},
             {{}, {"c", "z", "a", "b"}}}) {
      SCOPED_TRACE(join(words, " ") + ", tie " + std::to_string(static_cast<int>(tie)));
      make({tie, Tie::after});
      const Report report = ran(telling(words));
      EXPECT_THAT(told(report), testing::UnorderedElementsAreArray(names));
    }
}

TEST_F(Told, ATagIsNoName) {
  make({Tie::beside, Tie::none});
  RunOptions options = telling({});
  options.tags = {"chosen"};
  EXPECT_THAT(told(ran(options)), ElementsAre("a", "b"));
}

TEST_F(Told, AMistakeOfAnotherCaseIsNone) {
  make({Tie::none, Tie::none});
  overrides = {{"after", "a", "--set"}};
  RunOptions options;
  options.words = {"b"};
  EXPECT_EQ(verdicts(ran(options)), "a passed, b passed");
  EXPECT_FALSE(run_cases()) << "a cannot come after itself";
}

TEST_F(Told, AgainAndResumeReachWhomTheEarlierRunReached) {
  for (const bool is_named : {true, false}) {
    SCOPED_TRACE(is_named);
    make({Tie::both, Tie::none});
    runner.plays("b", {crashes()});
    const RunOptions first = telling(is_named ? std::vector<std::string>{"b"} : std::vector<std::string>{});
    ran(first);
    RunOptions next = telling({});
    next.again = "";
    for (int k = 0; k < 2; ++k) {  // again, and again
      runner.forget();
      runner.plays("b", {crashes()});
      EXPECT_EQ(told(ran(next)),
                is_named ? std::vector<std::string>{"b"} : std::vector<std::string>({"a", "b"}));
      EXPECT_THAT(runner.launched(), ElementsAre("a", "b")) << k;
    }
    runner.forget();
    runner.plays("b", {{.meanwhile = [this] { signal = 15; }}});
    ran(first);
    signal.reset();
    runner.forget();
    next = telling({});
    next.resume = "";
    EXPECT_THAT(told(ran(next)), ElementsAre("b"));
    EXPECT_THAT(runner.launched(), ElementsAre("b")) << "what a was told is what it was told before";
  }
}

TEST_F(Told, WhatAgainIsTheFirstToSayIsForAll) {
  make({Tie::after, Tie::none, Way::name, End::crashed});
  RunOptions options;
  options.words = {"b"};
  ran(options);
  options = telling({});
  options.again = "";
  EXPECT_EQ(verdicts(ran(options)), "a crashed, b not_run");
  EXPECT_EQ(runner.environment("a", 2).at("X"), "1");
}

TEST_F(TakenAlong, ARecordingTakesNoPartnersForItJudgesNothing) {
  make({Tie::both, Tie::beside});
  RunOptions options;
  options.words = {"b"};
  const Answer<Report> report = record_cases(options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(verdicts(*report), "a passed, b passed");
  EXPECT_THAT(report->notes, Contains("takes a along: b comes after it"));
  EXPECT_THAT(report->notes, Not(Contains("takes a along: b is judged beside it")));
}

}  // namespace
}  // namespace gate::app::after_test
