// What lint, selftest and import print, from values in literals.
#include "cli/lint_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/import_text.h"
#include "cli/margin_text.h"
#include "cli/selftest_text.h"

namespace gate::cli::lint_text_test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const render::Style usual{render::Color::no, 0, false, false};
const render::Style quiet{render::Color::no, 0, true, false};
const render::Style verbose{render::Color::no, 0, false, true};

const judge::LintRow& row_of(judge::Weight weight) {
  return *std::ranges::find(judge::lints(), weight, &judge::LintRow::weight);
}

app::LintCase linted(const std::string& name, judge::Weight weight) {
  return {name, "cpu", "", {{&row_of(weight), "throughput", "it says nothing"}}, {}};
}

TEST(LintText, AWeaknessIsRedWithWhatToDo) {
  const app::Lint lint{{linted("a", judge::Weight::weak)}};
  const judge::LintRow& row = row_of(judge::Weight::weak);
  EXPECT_THAT(lint_text(lint, usual),
              AllOf(StartsWith("WEAK  a  cpu  throughput: it says nothing\n      " + std::string(row.name) +
                               ": " + std::string(row.advice) + "\n"),
                    EndsWith("\nRED: 1 weakness in 1 case (exit 1)\n")));
}

TEST(LintText, NotesAlikeAreOneEntry) {
  app::Lint lint;
  for (const char* name : {"a", "b", "c", "d", "e"}) lint.cases.push_back(linted(name, judge::Weight::note));
  const std::string text = lint_text(lint, usual);
  EXPECT_THAT(text, HasSubstr("note  a, b, c and 2 more: " + std::string(row_of(judge::Weight::note).doc)));
  EXPECT_THAT(text, EndsWith("GREEN: nothing weak in 5 cases, 5 notes (exit 0)\n"));
  EXPECT_THAT(lint_text(lint, verbose), HasSubstr("note  d  cpu  throughput: it says nothing"));
  EXPECT_EQ(lint_text(lint, quiet), "GREEN: nothing weak in 5 cases, 5 notes (exit 0)\n");
}

TEST(LintText, WhatWasNotLookedAtIsCounted) {
  const app::Lint lint{{{"a", "", "no baseline", {}, {}}}};
  EXPECT_THAT(lint_text(lint, usual), HasSubstr("n/a   a  "));
  EXPECT_THAT(lint_text(lint, usual),
              EndsWith("RED: nothing weak in 0 cases, 1 case not looked at (exit 3)\n"));
}

TEST(LintText, TheNoiseOfAllIsToldAndOfEachIfAskedFor) {
  app::Lint lint{{{"a", "cpu", "", {}, {}}}};
  judge::Noise noise;
  noise.rule = noise.metric = "throughput";
  noise.runs.baseline = 3;
  noise.relative = true;
  noise.s = 0.012;
  noise.rate = 0.5;
  noise.caught = 0.07;
  lint.cases[0].noise = {noise};
  EXPECT_THAT(lint_text(lint, usual),
              HasSubstr("noise  1 case of known noise: one false red in two nights\n"));
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

// One check of a case: each mutation with that proof, but the first, which is the reference itself.
app::SelftestCase tried(const std::string& name, judge::Proof proof) {
  app::SelftestCase made{name, "cpu", "gate", true, "", {}, {}};
  for (const judge::MutationRow& row : judge::mutations())
    made.results.push_back(
        {&row, "lm_loss", "lm_loss", {}, row.harmless ? judge::Proof::held : proof, "what was done"});
  return made;
}

TEST(SelftestText, NoSurvivorIsGreen) {
  const app::Selftest selftest{{tried("a", judge::Proof::held)}};
  const std::string all = std::to_string(judge::mutations().size());
  EXPECT_EQ(selftest_text(selftest, quiet),
            "GREEN: no survivor of " + all + " mutations of 1 case (exit 0)\n");
  EXPECT_THAT(selftest_text(selftest, usual), HasSubstr("must pass"));
}

TEST(SelftestText, WhatSurvivedIsNamed) {
  app::Selftest selftest{{tried("a", judge::Proof::held), tried("b", judge::Proof::survived)}};
  selftest.cases[1].results.back().rank = 3;
  const std::string text = selftest_text(selftest, quiet);
  EXPECT_THAT(text, HasSubstr("SURVIVED  b  cpu  lm_loss"));
  EXPECT_THAT(text, Not(HasSubstr("  a  cpu")));
  EXPECT_THAT(text, HasSubstr(" SURVIVED of "));
  EXPECT_THAT(text, EndsWith("(exit 1)\n"));
}

TEST(SelftestText, WhatWasNotTriedIsCounted) {
  app::Selftest selftest{{tried("a", judge::Proof::held)}};
  selftest.cases[0].profile = "megatron";
  selftest.cases[0].has_script = false;
  selftest.cases.push_back({"b", "cpu", "gate", true, "no baseline", {}, {}});
  selftest.cases.push_back({"b", "npu", "gate", true, "no baseline", {}, {}});
  const std::string text = selftest_text(selftest, usual);
  EXPECT_THAT(text, HasSubstr("a (no script)"));
  EXPECT_THAT(text, HasSubstr("n/a: no baseline"));
  EXPECT_THAT(text,
              HasSubstr(" under profile megatron, 1 case on 2 platforms not tried, no script for 1 case"));
  EXPECT_EQ(selftest_text({}, quiet), "RED: nothing to try (exit 3)\n");
}

TEST(SelftestText, VerboseAndJsonHoldEveryResultAndWhatHasNoCheck) {
  app::Selftest selftest{{tried("a", judge::Proof::held)}};
  selftest.cases[0].ungated = {{"grad_norm", "grad_norm", remark::Plain::not_in_baseline}};
  EXPECT_THAT(selftest_text(selftest, verbose),
              HasSubstr("no check  a  cpu  grad_norm  not in the baseline\n"));
  const auto json = nlohmann::json::parse(selftest_json(selftest));
  EXPECT_EQ(json["cases"][0]["results"].size(), judge::mutations().size());
  EXPECT_EQ(json["cases"][0]["ungated"][0]["reason"], "not in the baseline");
}

app::ImportedFile imported(const std::string& path, std::int64_t steps) {
  app::ImportedFile file{path, true, {}};
  file.candidate.case_name = path.substr(0, path.find('.'));
  Series series("lm_loss", {}, "", Numbering::step);
  for (std::int64_t step = 1; step <= steps; ++step)
    series.append({step, {ValueKind::finite, Decimal{1, 0}}, "1", 0, 0});
  file.candidate.runs.push_back({{}, {series}});
  return file;
}

TEST(ImportText, SaysWhatWasImportedAndWhatToDoNext) {
  app::TreeImport import;
  import.imported = {imported("a.json", 30), imported("b.json", 3)};
  import.imported[0].candidate.notes = import.imported[1].candidate.notes = {"steps are assumed"};
  import.refused = {{"c.json", "no golden file"}, { "d/", "cannot be listed" }};
  import.without_script = {"b"};
  const std::string text = import_text(import, 2, nullptr, usual);
  EXPECT_THAT(text, HasSubstr("1-30"));
  EXPECT_THAT(text, HasSubstr("note     2 files: steps are assumed\n         a.json, b.json\n"));
  EXPECT_THAT(text, HasSubstr("refused  1 file: no golden file\n         c.json\n"));
  EXPECT_THAT(text, HasSubstr("refused  1 folder: cannot be listed\n         d/\n"));
  EXPECT_THAT(text, HasSubstr("no script for 1 case: b; imported all the same\n"));
  EXPECT_THAT(text, HasSubstr("accept   gate baseline accept --reason \"...\"\n"));
  EXPECT_THAT(text, EndsWith("imported 2 files (steps assumed in 0), refused 2\n"));
  EXPECT_THAT(import_text(import, 2, nullptr, quiet), Not(HasSubstr("1-30")));
  import.imported[0].candidate.platform = "cpu";
  EXPECT_THAT(import_text(import, 2, nullptr, usual), HasSubstr("accept --to platform --reason"));
}

TEST(ImportText, JsonHoldsFilesAndRefusals) {
  app::TreeImport import;
  import.imported = {imported("a.json", 30)};
  import.refused = {{ "c.json", "no golden file" }};
  const auto json = nlohmann::json::parse(import_json(import, 2, nullptr));
  EXPECT_EQ(json["imported"][0]["steps"], "1-30");
  EXPECT_EQ(json["imported"][0]["series"][0], "lm_loss");
  EXPECT_EQ(json["refused"][0]["reason"], "no golden file");
}

TEST(MarginText, WhatNoBaselineHoldsIsSaid) {
  std::vector<app::ImportedFile> files{imported("a.json", 3), imported("b.json", 3)};
  EXPECT_EQ(margin_text(files, {}, 2), "");
  files[1].candidate.margins["lm_loss"] = "0.02";
  const std::string text = margin_text(files, {}, 2);
  EXPECT_THAT(text, StartsWith("margins  1 file with margins or warm_up, and a baseline holds neither:\n"
                               "         b.json\n"));
  config::Settings settings;
  EXPECT_EQ(margin_warning(files, settings), "");
  settings.profile = "mindspeed-llm";
  EXPECT_THAT(
      margin_warning(files, settings),
      HasSubstr("profile mindspeed-llm uses margins and warm_up of golden files, which 1 imported file had"));
}

}  // namespace
}  // namespace gate::cli::lint_text_test
