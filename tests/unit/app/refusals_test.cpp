#include <gtest/gtest.h>

#include "gate/judging/refusals.h"
#include "gate/stored/baseline.h"

namespace gate::app::refusals_test {
namespace {

Series losses(const std::vector<std::string>& words) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (std::size_t i = 0; i < words.size(); ++i)
    series.append({static_cast<std::int64_t>(i) + 1, *parse_value(words[i]), words[i], 0, 0});
  return series;
}

Baseline with(std::vector<Series> series, std::optional<std::int64_t> total = std::nullopt) {
  Baseline baseline;
  baseline.case_name = "c";
  baseline.runs.push_back({total, std::move(series)});
  return baseline;
}

std::vector<std::string> names(const std::vector<Refusal>& refusals) {
  std::vector<std::string> out;
  for (const Refusal& refusal : refusals) out.push_back(refusal.name);
  return out;
}

using Names = std::vector<std::string>;

TEST(Refusals, AGoodCandidateHasNone) {
  const Baseline present = with({losses({"2.5", "2.4"})}, 2);
  EXPECT_EQ(names(refusals(with({losses({"2.6", "2.4", "2.3"})}, 3), &present)), Names{});
  EXPECT_EQ(names(refusals(present, nullptr)), Names{});
}

TEST(Refusals, WhatThePresentBaselineHasMustStay) {
  const Baseline present = with({losses({"2.5", "2.4"})});
  const std::vector<Refusal> found = refusals(with({}), &present);
  EXPECT_EQ(names(found), (Names{"missing", "short"}));
  EXPECT_EQ(found[0].text, "the present baseline has lm_loss, the candidate has not");
  EXPECT_EQ(refusals(with({losses({"2.5"})}), &present)[0].text,
            "lm_loss: step 2 of the present baseline is not in the candidate");
}

TEST(Refusals, AShortCandidateIsNamed) {
  const std::vector<Refusal> found = refusals(with({losses({"2.5", "2.4"})}, 5), nullptr);
  EXPECT_EQ(names(found), Names{"short"});
  EXPECT_EQ(found[0].text, "the candidate ends at step 2 of the 5 that its log announces");
}

Series losses_at(const std::vector<std::int64_t>& steps) {
  Series series("lm_loss", std::nullopt, "", Numbering::step);
  for (const std::int64_t step : steps) series.append({step, *parse_value("2.5"), "2.5", 0, 0});
  return series;
}

TEST(Refusals, ACandidateThatBeginsLateIsNamed) {
  const std::vector<Refusal> found = refusals(with({losses_at({14, 15})}, 15), nullptr);
  EXPECT_EQ(names(found), Names{"short"});
  EXPECT_EQ(found[0].text,
            "the candidate begins at step 14, as a run does that goes on from a checkpoint: the steps before "
            "would not be judged");
  for (const auto& steps : {std::vector<std::int64_t>{10, 20, 30}, {0, 1, 2}, {1, 10, 20}, {15}})
    EXPECT_EQ(names(refusals(with({losses_at(steps)}), nullptr)), Names{}) << steps.front();
  const Baseline present = with({losses_at({14, 15})});
  EXPECT_EQ(names(refusals(with({losses_at({14, 15})}), &present)), Names{}) << "it begins as late";
}

TEST(Refusals, RanksThatTheLogAnnouncesAreMissed) {
  const auto of = [](int printed, const char* ranks) {
    Baseline candidate = with({});
    for (int rank = 0; rank < printed; ++rank) {
      candidate.runs.front().series.emplace_back("memory_allocated", rank, "", Numbering::report);
      candidate.runs.front().series.back().append({1, *parse_value("5"), "5", 0, 0});
    }
    if (*ranks != 0) candidate.provenance.setup["world_size"] = ranks;
    return refusals(candidate, nullptr);
  };
  ASSERT_EQ(names(of(7, "8")), Names{"missing"});
  EXPECT_EQ(of(7, "8")[0].text, "memory_allocated: 7 of its 8 ranks printed it");
  for (const int printed : {1, 2, 4, 8}) EXPECT_EQ(names(of(printed, "8")), Names{}) << printed;
  EXPECT_EQ(names(of(7, "")), Names{});
}

TEST(Refusals, NonFiniteValuesAreNamed) {
  const std::vector<Refusal> found = refusals(with({losses({"2.5", "nan"})}), nullptr);
  EXPECT_EQ(names(found), Names{"non_finite"});
  EXPECT_EQ(found[0].text, "lm_loss is nan at step 2");
}

TEST(Refusals, EveryRunIsLookedAt) {
  const auto of = [](const std::vector<std::string>& first, const std::vector<std::string>& second) {
    Baseline candidate = with({losses(first)}, 2);
    candidate.runs.push_back({2, {losses(second)}});
    return candidate;
  };
  const Baseline present = with({losses({"2.5", "2.4"})});
  EXPECT_EQ(names(refusals(of({"2.5", "2.4"}, {"2.6", "2.3"}), &present)), Names{});
  EXPECT_EQ(refusals(of({"2.5", "2.4"}, {"2.5"}), nullptr)[0].text,
            "run 2: lm_loss: step 2 of run 1 is not in the candidate");
  EXPECT_EQ(names(refusals(of({"2.5"}, {"2.5", "2.4"}), nullptr)), (Names{"missing", "short"}));
  EXPECT_EQ(names(refusals(of({"2.5", "nan"}, {"2.5", "2.4"}), nullptr)), Names{"non_finite"});
  EXPECT_EQ(refusals(of({"2.5", "2.4"}, {"2.5", "inf"}), nullptr)[0].text, "run 2: lm_loss is inf at step 2");
}

TEST(Refusals, EveryRunOfThePresentBaselineCounts) {
  Baseline present = with({losses({"2.5", "2.4"})});
  present.runs.insert(present.runs.begin(), BaselineRun{{}, {losses({"2.5", "2.4", "2.3"})}});
  EXPECT_EQ(names(refusals(with({losses({"2.5", "2.4"})}), &present)),
            (Names{"missing", "fewer_runs", "short"}));
}

TEST(Refusals, TimesAreNeverTheSameTwice) {
  const auto at = [](std::int64_t time) {
    Series series("power", std::nullopt, "W", Numbering::time);
    series.append({time, *parse_value("1"), "1", 0, 0});
    return series;
  };
  Baseline candidate = with({at(1)});
  candidate.runs.push_back({{}, {at(2)}});
  EXPECT_EQ(names(refusals(candidate, nullptr)), Names{});
}

TEST(Refusals, TheRunMustHaveBeenOneOfTheSameKind) {
  Baseline present = with({losses({"2.5"})});
  present.provenance.args = {"--lr", "0.01"};
  Baseline candidate = with({losses({"2.5"})});
  candidate.provenance.ended_well = false;
  candidate.provenance.set = {"timeout=1h"};
  EXPECT_EQ(names(refusals(candidate, &present)), (Names{"bad_end", "args", "set"}));
}

}  // namespace
}  // namespace gate::app::refusals_test
