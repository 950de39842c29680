// What lint prints, from values in literals.
#include "gate/render/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gate::render::lint_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const Style usual{Color::no, 0, false, false};
const Style quiet{Color::no, 0, true, false};
const Style verbose{Color::no, 0, false, true};

const judge::LintRow& row_of(judge::Weight weight) {
  return *std::ranges::find(judge::lints(), weight, &judge::LintRow::weight);
}

judge::LintCase linted(const std::string& name, judge::Weight weight) {
  return {name, "cpu", "", {{&row_of(weight), "throughput", "it says nothing"}}, {}};
}

TEST(LintText, AWeaknessIsRedWithWhatToDo) {
  const judge::Lint lint{{linted("a", judge::Weight::weak)}};
  const judge::LintRow& row = row_of(judge::Weight::weak);
  EXPECT_THAT(lint_text(lint, usual),
              AllOf(StartsWith("WEAK  a  cpu  throughput: it says nothing\n      " + std::string(row.name) +
                               ": " + std::string(row.advice.english) + "\n"),
                    EndsWith("\nRED: 1 weakness in 1 case (exit 1)\n")));
}

TEST(LintText, NotesAlikeAreOneEntry) {
  judge::Lint lint;
  for (const char* name : {"a", "b", "c", "d", "e"}) lint.cases.push_back(linted(name, judge::Weight::note));
  const std::string text = lint_text(lint, usual);
  EXPECT_THAT(text,
              HasSubstr("note  a, b, c and 2 more: " + std::string(row_of(judge::Weight::note).doc.english)));
  EXPECT_THAT(text, EndsWith("GREEN: nothing weak in 5 cases, 5 notes (exit 0)\n"));
  EXPECT_THAT(lint_text(lint, verbose), HasSubstr("note  d  cpu  throughput: it says nothing"));
  EXPECT_EQ(lint_text(lint, quiet), "GREEN: nothing weak in 5 cases, 5 notes (exit 0)\n");
}

TEST(LintText, WhatWasNotLookedAtIsCounted) {
  const judge::Lint lint{{{"a", "", "no baseline", {}, {}}}};
  EXPECT_THAT(lint_text(lint, usual), HasSubstr("n/a   a  "));
  EXPECT_THAT(lint_text(lint, usual),
              EndsWith("RED: nothing weak in 0 cases, 1 case not looked at (exit 3)\n"));
}

TEST(LintText, TheNoiseOfAllIsToldAndOfEachIfAskedFor) {
  judge::Lint lint{{{"a", "cpu", "", {}, {}}}};
  judge::Noise noise;
  noise.rule = noise.metric = "throughput";
  noise.runs.baseline = 3;
  noise.relative = true;
  noise.s = 0.012;
  noise.rate = 0.5;
  noise.caught = 0.07;
  lint.cases[0].noise = {noise};
  EXPECT_THAT(lint_text(lint, usual),
              HasSubstr("noise  1 case of known noise: one false failure in two nights\n"));
  EXPECT_THAT(lint_text(lint, verbose), HasSubstr("noise  a  cpu  throughput: s 1.2 % over 3 runs"));
  const auto json = nlohmann::json::parse(lint_json(lint));
  EXPECT_EQ(json["false_red"], 0.5);
  EXPECT_EQ(json["cases"][0]["noise"][0]["smallest_caught"], 0.07);
}

TEST(LintText, JsonHoldsEveryFinding) {
  const auto json = nlohmann::json::parse(
      lint_json({{linted("a", judge::Weight::weak), linted("b", judge::Weight::note)}}));
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["cases"][0]["findings"][0]["weight"], "weak");
  EXPECT_EQ(json["cases"][1]["findings"][0]["weight"], "note");
  EXPECT_EQ(json["cases"][1]["findings"][0]["subject"], "throughput");
}

}  // namespace
}  // namespace gate::render::lint_test
