#include "gate/judging/derived.h"

#include <gmock/gmock.h>

#include <sstream>

#include "gate/suite/predecessors.h"
#include "shown.h"

namespace gate::app::derived_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* toml = R"(
[metrics.mfu]
formula = 'throughput / 1000'
[metrics.percent]
formula = '100 * scaling'
[metrics.scaling]
formula = 'throughput("x2") / (2 * throughput("x1"))'
[case.x2.rules]
mfu.tolerance = '±0.01'
percent.tolerance = '>= 90'
)";

config::Case case_named(const std::string& name) {
  return config::Policy::parse(toml, "gate.toml")->resolve({name, name + ".sh", "", {}}).value();
}

// Return the series of `throughput 180 190`, from step 1 on.
Series series(const std::string& text) {
  std::istringstream in(text);
  std::string metric, word;
  in >> metric;
  Series out(metric, std::nullopt, "", Numbering::step);
  for (std::int64_t step = 1; in >> word; ++step)
    out.append({step, *parse_value(word), word, 0, static_cast<std::uint32_t>(step)});
  return out;
}

Extraction log(const std::string& file, const std::string& text) {
  Extraction extraction;
  extraction.files = {file};
  extraction.series = {series(text)};
  return extraction;
}

Reference reference(const std::string& path, const std::string& text) {
  Reference reference;
  reference.series = {{{series(text)}, path, ""}};
  reference.last_step = 2;
  return reference;
}

Partners with_x1() {
  return {{"x1", {"", log("x1.log", "throughput 100 100"), reference("x1.json", "throughput 100 100")}}};
}

std::vector<std::string> metrics_of(const std::vector<Series>& all) {
  std::vector<std::string> names;
  for (const Series& one : all) names.push_back(one.metric());
  return names;
}

TEST(Derived, PartnersAreTheCasesThatRulesNeed) {
  EXPECT_THAT(partners_of(case_named("x2")), ElementsAre("x1"));
  EXPECT_THAT(partners_of(case_named("x1")), IsEmpty()) << "it has no rule on the ratio";
}

TEST(Derived, ARunHasWhatItsPartnersAllow) {
  const config::Case x2 = case_named("x2");
  EXPECT_THAT(metrics_of(with_derived(x2, log("x2.log", "throughput 180 190"), "", {}).series),
              ElementsAre("throughput", "mfu"));
  const Extraction run = with_derived(x2, log("x2.log", "throughput 180 190"), "", with_x1());
  const Series* percent = find_series(run.series, "percent", {});
  ASSERT_NE(percent, nullptr);
  EXPECT_EQ(percent->samples()[1].value.number, (Decimal{95, 0}));
  EXPECT_EQ(percent->samples()[1].line, 2U);
  EXPECT_EQ(run.files[percent->samples()[1].file], "x2.log");
}

TEST(Derived, AValueIsLocatedInTheLogOfItsFirstOperand) {
  config::Case x3 = case_named("x2");
  x3.name = "x3";
  Partners partners = with_x1();
  partners["x2"] = {"", log("x2.log", "throughput 180 190"), {}};
  const Extraction run = with_derived(x3, log("x3.log", "throughput 1 1"), "", partners);
  const Series* scaling = find_series(run.series, "scaling", {});
  ASSERT_NE(scaling, nullptr);
  EXPECT_EQ(run.files[scaling->samples()[0].file], "x2.log");
}

TEST(Derived, PrintedSeriesOfItsNameAreReplaced) {
  Extraction printed = log("x2.log", "throughput 180");
  printed.series.push_back(series("mfu 0.99"));
  printed.attempts.push_back({"", 1, 1, printed.series});
  const Extraction run = with_derived(case_named("x2"), printed, "", {});
  ASSERT_THAT(metrics_of(run.series), ElementsAre("throughput", "mfu"));
  EXPECT_EQ(run.series[1].samples()[0].value.number, (Decimal{18, -2}));
  EXPECT_EQ(run.attempts[0].series[1].samples()[0].value.number, (Decimal{18, -2}));
  EXPECT_THAT(metrics_of(with_derived(case_named("x2"), log("x2.log", "mfu 0.99"), "", {}).series),
              IsEmpty());
}

TEST(Derived, AReferenceHasTheSame) {
  const config::Case x2 = case_named("x2");
  const Reference own = reference("x2.json", "throughput 180 190");
  EXPECT_EQ(with_derived(x2, own, "", {}).series.size(), 2U);
  const Reference both = with_derived(x2, own, "", with_x1());
  ASSERT_EQ(both.series.size(), 4U);
  for (const ReferenceSeries& one : both.series) EXPECT_EQ(one.path, "x2.json");
  EXPECT_EQ(both.last_step, 2);
  Partners without_baseline = with_x1();
  without_baseline["x1"].reference = {};
  EXPECT_EQ(with_derived(x2, own, "", without_baseline).series.size(), 2U);
}

TEST(Derived, WithheldIsWhatHasARuleAndLacksAPartner) {
  const config::Case x2 = case_named("x2");
  EXPECT_THAT(withheld(x2, "", with_x1(), {}), IsEmpty());
  EXPECT_THAT(withheld(x2, "", {{"x1", {"it crashed", {}, {}}}}, {}),
              ElementsAre(Pair("percent", "it crashed")));
  EXPECT_THAT(withheld(x2, "", {}, {}),
              ElementsAre(Pair(
                  "percent", "it is derived with a run of case x1, and only gate run has one beside this")));
  EXPECT_THAT(withheld(case_named("x1"), "", {}, {}), IsEmpty());
}

constexpr const char* with_peaks = R"(
[peaks.nvidia-a100]
fp16 = 300e12
[peaks."nvidia-*"]
fp16 = 100e12
[metrics.mfu]
formula = '100 * throughput * 1e12 / peak("fp16")'
[metrics.half]
formula = 'mfu / 2'
[metrics.of_both]
formula = 'half / mfu("x1")'
[metrics.tokens]
formula = 'throughput * seq_length'
[rules]
mfu.tolerance = '>= 1'
half.tolerance = '>= 1'
)";

config::Case case_with_peaks(const std::string& name) {
  return config::Policy::parse(with_peaks, "gate.toml")->resolve({name, name + ".sh", "", {}}).value();
}

TEST(Derived, APeakIsThatOfThePlatform) {
  const config::Case x2 = case_with_peaks("x2");
  const auto mfu_on = [&](const std::string& platform) {
    const Extraction run = with_derived(x2, log("x2.log", "throughput 150"), platform, {});
    const Series* mfu = find_series(run.series, "mfu", {});
    return mfu == nullptr ? "" : mfu->samples()[0].text;
  };
  EXPECT_EQ(mfu_on("nvidia-a100"), "50.0000");
  EXPECT_EQ(mfu_on("nvidia-h100"), "150.000");
  EXPECT_EQ(mfu_on("cpu"), "");
  EXPECT_EQ(with_derived(x2, reference("x2.json", "throughput 150"), "nvidia-a100", {}).series.size(), 3U);
  EXPECT_EQ(with_derived(x2, reference("x2.json", "throughput 150"), "cpu", {}).series.size(), 1U);
}

TEST(Derived, WithheldIsWhatLacksANumberAndWhatIsDerivedFromIt) {
  const config::Case x2 = case_with_peaks("x2");
  EXPECT_THAT(withheld(x2, "nvidia-a100", {}, {}), IsEmpty());
  const char* const why = "no peak fp16 of cpu in [peaks]";
  EXPECT_THAT(withheld(x2, "cpu", {}, {}),
              ElementsAre(Pair("half", std::string("it is derived from mfu: ") + why), Pair("mfu", why)));
  EXPECT_THAT(withheld(x2, "", {}, {}),
              Contains(Pair("mfu", "no peak fp16 of a platform that is not known: --platform")));
}

TEST(Derived, WhatAPartnerLacksIsLackingHere) {
  config::Case x2 = case_with_peaks("x2");
  Partners partners = with_x1();
  EXPECT_EQ(underived(x2, "nvidia-a100", partners).count("of_both"), 0U);
  partners.at("x1").underived = underived(case_with_peaks("x1"), "cpu", {});
  EXPECT_EQ(underived(x2, "nvidia-a100", partners).at("of_both"),
            "it is derived from mfu(\"x1\"): no peak fp16 of cpu in [peaks]");
}

TEST(Derived, ASequenceLengthThatIsNotToldIsSaid) {
  config::Case x2 = case_with_peaks("x2");
  const auto why = [&] { return underived(x2, "nvidia-a100", {})["tokens"]; };
  EXPECT_EQ(why(), "the script does not tell its sequence length: --seq-length");
  x2.seq_length = config::read_sequence_length("a --seq-length $N");
  EXPECT_EQ(why(), "the script does not tell its sequence length: --seq-length $N");
  x2.settings.env["N"] = "4k";
  EXPECT_EQ(why(), "the script does not tell its sequence length: --seq-length $N");
  x2.settings.env["N"] = "4096";
  EXPECT_EQ(why(), "");
  x2.on_platforms = {{"nvidia-*", "N", "1024"}};
  const Extraction run = with_derived(x2, log("x2.log", "throughput 2"), "nvidia-a100", {});
  EXPECT_EQ(find_series(run.series, "tokens", {})->samples()[0].text, "2048");
  x2.seq_length = config::read_sequence_length("N=4096\na --seq-length $N");
  EXPECT_EQ(why(), "the script does not tell its sequence length: --seq-length $N") << "4096 or 1024";
  x2.on_platforms.clear();
  EXPECT_EQ(why(), "") << "both say 4096";
  x2.script.clear();
  x2.seq_length.reset();
  EXPECT_EQ(why(), "there is no script that tells its sequence length");
}

std::vector<std::string> noted(const std::string& run, const std::string& baseline) {
  const config::Case x2 = case_named("x2");
  CaseReport report;
  const Extraction read = log("x2.log", run);
  note_derivations(report, x2, read, with_derived(x2, read, "", {}),
                   with_derived(x2, reference("x2.json", baseline), "", {}));
  return shown::notes(report.notes);
}

TEST(Derived, SaysWhatIsLackingAndWhatIsNotJudged) {
  EXPECT_THAT(noted("lm_loss 1", "throughput 1"),
              ElementsAre("mfu cannot be derived from the run: it holds no throughput",
                          "percent cannot be derived from the run: it holds no throughput"));
  EXPECT_THAT(noted("mfu 1", "lm_loss 1"),
              ElementsAre("mfu is derived (throughput / 1000); what the log prints of it is not judged",
                          "mfu cannot be derived from the run: it holds no throughput",
                          "mfu cannot be derived from the baseline: it holds no throughput",
                          "percent cannot be derived from the run: it holds no throughput"));
  EXPECT_THAT(noted("throughput 1", "throughput 1"), IsEmpty()) << "that a partner lacks is said elsewhere";
}

TEST(Derived, SaysWhereAPartnerHasNoValue) {
  const config::Case x2 = case_named("x2");
  CaseReport report;
  const Extraction read = log("x2.log", "throughput 180 190 200 210");
  note_derivations(report, x2, read, with_derived(x2, read, "", with_x1()), {});
  EXPECT_THAT(shown::notes(report.notes),
              ElementsAre("scaling: no value at 3, 4: not all that it is derived from has one there"));
}

TEST(Derived, ChecksShowTheirFormulaAndWhatItWasGiven) {
  const config::Case x2 = case_named("x2");
  CaseReport report;
  report.checks.resize(2);
  report.checks[0].metric = "scaling";
  report.checks[0].numbered = Numbering::step;
  report.checks[0].remarks = {shown::text("low")};
  report.checks[0].first_miss = shown::miss(2, "", "", "", "", 0);
  report.checks[1].metric = "lm_loss";
  add_formulas(report, x2, log("x2.log", "throughput 180 170"), with_x1());
  EXPECT_EQ(report.checks[0].formula, "throughput(\"x2\") / (2 * throughput(\"x1\"))");
  EXPECT_EQ(words::note_text(report.checks[0]),
            "low; at step 2 throughput(\"x2\") 170, throughput(\"x1\") 100");
  EXPECT_EQ(report.checks[1].formula, "");
}

}  // namespace
}  // namespace gate::app::derived_test
