#include "gate/judge/derive.h"

#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::derive_test {
namespace {

using testing::all_series;
using testing::baseline;

Metric metric() { return MetricTable().get("m"); }

// Return the samples as `1:0.5 2:nan 3:-`, one rank a line (`0/ 1:...`); other cases as `CASE=SERIES...`.
std::string shown(const std::vector<Series>& all) {
  std::string out;
  for (const Series& series : all) {
    out += (out.empty() ? "" : "\n") + (series.rank() ? std::to_string(*series.rank()) + "/ " : "");
    for (const Sample& sample : series.samples())
      out += (sample.number == series.samples().front().number ? "" : " ") + std::to_string(sample.number) +
             ":" + (sample.value.kind == ValueKind::left_out ? "-" : sample.text);
  }
  return out;
}

std::string derived(const std::string& formula, const std::string& own, const std::string& other = "") {
  const std::vector<Series> series = all_series(own), of_other = all_series(other);
  FormulaInputs inputs;
  for (const Series& one : series) inputs[""].push_back(&one);
  for (const Series& one : of_other) inputs["other"].push_back(&one);
  return shown(derive(metric(), parse_formula(formula).value(), inputs));
}

TEST(Derive, ComputesEachStep) {
  EXPECT_EQ(derived("global_batch_size * 4096 / iteration_time * 1000",
                    "global_batch_size 1:16 2:16\niteration_time 1:500.0 2:400.0"),
            "1:131072 2:163840");
  EXPECT_EQ(derived("-(lm_loss - 2) / 4", "lm_loss 7:4 9:1"), "7:-0.500000 9:0.250000");
}

TEST(Derive, IsExactInDecimalsAsLongAsNothingIsDivided) {
  EXPECT_EQ(derived("lm_loss - grad_norm", "lm_loss 1:100.1\ngrad_norm 1:100.00"), "1:0.10");
  EXPECT_EQ(derived("lm_loss * 3 + 0.1", "lm_loss 1:0.1"), "1:0.4");
  EXPECT_EQ(derived("lm_loss + grad_norm", "lm_loss 1:12345678901234567890\ngrad_norm 1:0.01"),
            "1:12345678901234567890.01");
}

TEST(Derive, RoundsDoublesTo15Digits) {
  EXPECT_EQ(derived("lm_loss / 3", "lm_loss 1:1"), "1:0.333333333333333");
  EXPECT_EQ(derived("lm_loss / 3 * 3", "lm_loss 1:1"), "1:1.00000");
  EXPECT_EQ(derived("lm_loss / 10 + grad_norm / 10", "lm_loss 1:1\ngrad_norm 1:2"), "1:0.300000")
      << "a double says 0.30000000000000004";
  EXPECT_EQ(derived("lm_loss / 7", "lm_loss 1:0"), "1:0.00000");
  EXPECT_EQ(derived("lm_loss * 0.5", "lm_loss 1:9999999999999999999999999999999999999"), "1:5.00000E+36")
      << "38 digits, which nobody could read again";
  EXPECT_EQ(derived("lm_loss * lm_loss", "lm_loss 1:1234567890123456789012345"), "1:1.52415787532388E+48")
      << "more than 38 digits";
}

TEST(Derive, KeepsWhatIsNoNumberAsWhatItIs) {
  EXPECT_EQ(derived("lm_loss / grad_norm", "lm_loss 1:nan 2:-inf 3:- 4:1\ngrad_norm 1:1 2:1 3:1 4:inf"),
            "1:nan 2:-inf 3:- 4:inf");
  EXPECT_EQ(derived("lm_loss / grad_norm", "lm_loss 1:-\ngrad_norm 1:nan"), "1:-")
      << "the first that is named";
  EXPECT_EQ(derived("0 * lm_loss", "lm_loss 1:inf"), "1:inf");
}

TEST(Derive, DivisionByZeroIsNoNumber) {
  EXPECT_EQ(derived("1 / lm_loss", "lm_loss 1:0 2:2"), "1:inf 2:0.500000");
  EXPECT_EQ(derived("-1 / lm_loss", "lm_loss 1:0.00"), "1:-inf");
  EXPECT_EQ(derived("lm_loss / lm_loss", "lm_loss 1:0"), "1:nan");
  EXPECT_EQ(derived("1 / (1 / lm_loss)", "lm_loss 1:0"), "1:inf") << "not mended by what follows";
  EXPECT_EQ(derived("0 * (1 / lm_loss) + 1", "lm_loss 1:0"), "1:inf");
}

TEST(Derive, HugeNumbers) {
  EXPECT_EQ(derived("lm_loss * 2", "lm_loss 1:1e9999 2:-1e9999 3:1e307"), "1:inf 2:-inf 3:2E+307");
  EXPECT_EQ(derived("lm_loss * lm_loss", "lm_loss 1:1e200 2:-1e200"), "1:inf 2:inf");
  EXPECT_EQ(derived("1 / lm_loss", "lm_loss 1:1e-9999 2:1e9999"), "1:inf 2:inf");
  EXPECT_EQ(derived("lm_loss * lm_loss * lm_loss", "lm_loss 1:1e-9999"), "1:0.00000");
  EXPECT_EQ(derived("lm_loss + grad_norm", "lm_loss 1:1e30\ngrad_norm 1:1e-30"), "1:1.00000E+30");
}

TEST(Derive, OnlyWhereAllOperandsHaveANumber) {
  EXPECT_EQ(derived("lm_loss + validation_loss", "lm_loss 1:1 2:1 3:1 4:1\nvalidation_loss 2:0.5 4:0.5"),
            "2:1.5 4:1.5");
  EXPECT_EQ(derived("lm_loss + validation_loss", "lm_loss 1:1\nvalidation_loss 2:1"), "");
  EXPECT_EQ(derived("lm_loss + validation_loss", "lm_loss 1:1"), "");
}

TEST(Derive, RankByRank) {
  EXPECT_EQ(derived("memory_max_allocated - memory_allocated",
                    "memory_allocated/0 1:5\nmemory_allocated/1 1:6\nmemory_max_allocated/0 "
                    "1:7\nmemory_max_allocated/1 1:9"),
            "0/ 1:2\n1/ 1:3");
  EXPECT_EQ(derived("lm_loss - grad_norm", "grad_norm/0 1:1\ngrad_norm/3 1:2\nlm_loss 1:5"), "0/ 1:4\n3/ 1:3")
      << "a series without a rank goes with every rank";
  EXPECT_EQ(derived("lm_loss - grad_norm", "grad_norm/0 1:1\ngrad_norm/3 1:2\nlm_loss/3 1:5"), "3/ 1:3");
}

TEST(Derive, OtherNumberingGivesNothing) {
  EXPECT_EQ(derived("lm_loss - memory_allocated", "lm_loss 1:1\nmemory_allocated 1:1"), "");
}

TEST(Derive, AcrossCases) {
  EXPECT_EQ(
      derived("throughput / (2 * throughput(\"other\"))", "throughput 1:180 2:190", "throughput 1:100 2:100"),
      "1:0.900000 2:0.950000");
  EXPECT_EQ(derived("throughput / throughput(\"none\")", "throughput 1:180"), "");
}

TEST(Derive, KeepsPlaceConflictsAndAssumptions) {
  std::vector<Series> own = all_series("lm_loss 1:1 2!2\ngrad_norm 1:1 2:1");
  own[1].set_assumed(true);
  const std::vector<Series> all =
      derive(metric(), parse_formula("2 + lm_loss / grad_norm").value(), {{"", {&own[0], &own[1]}}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].samples()[1].line, 102U);
  EXPECT_THAT(all[0].conflicts(), ::testing::ElementsAre(2));
  EXPECT_TRUE(all[0].assumed());
}

TEST(OperandsText, IsWhatTheFormulaWasGiven) {
  const std::vector<Series> own = all_series("throughput 1:180.0 2:- 3:nan"),
                            other = all_series("throughput 1:100 2:100");
  const FormulaInputs inputs{{"", {&own[0]}}, {"x1", {&other[0]}}};
  const Formula formula = parse_formula("throughput / (2 * throughput('x1')) + throughput").value();
  EXPECT_EQ(operands_text(formula, inputs, {}, 1), "throughput 180.0, throughput(\"x1\") 100");
  EXPECT_EQ(operands_text(formula, inputs, {}, 2), "throughput left out, throughput(\"x1\") 100");
  EXPECT_EQ(operands_text(formula, inputs, {}, 3), "");
  EXPECT_EQ(operands_text(formula, {}, {}, 1), "");
  Formula told = parse_formula("throughput * 1e12 / peak('fp16') / devices").value();
  bind_numbers(told, [](const Term& term) { return term.type.empty() ? Decimal{8, 0} : Decimal{312, 12}; });
  EXPECT_EQ(operands_text(told, inputs, {}, 1),
            "throughput 180.0, peak(\"fp16\") 312000000000000, devices 8");
}

TEST(Derive, NothingWithoutANumberThatTheCaseTells) {
  const std::vector<Series> own = all_series("throughput 1:180.0");
  const FormulaInputs inputs{{"", {&own[0]}}};
  Formula formula = parse_formula("throughput / devices").value();
  EXPECT_TRUE(derive(metric(), formula, inputs).empty());
  bind_numbers(formula, [](const Term&) { return Decimal{8, 0}; });
  ASSERT_EQ(derive(metric(), formula, inputs).size(), 1U);
  EXPECT_EQ(derive(metric(), formula, inputs)[0].samples()[0].value.number, (Decimal{225, -1}));
}

TEST(DeriveReference, RunByRun) {
  Baseline two;
  two.runs.push_back({{}, all_series("lm_loss 1:1 2:2\ngrad_norm 1:1 2:1")});
  two.runs.push_back({{}, all_series("lm_loss 1:3 2:4\ngrad_norm 1:1 2:1")});
  const Reference reference = make_reference(two, "b.json");
  const auto all = derive(metric(), parse_formula("lm_loss / grad_norm").value(), {{"", &reference}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].path, "b.json");
  EXPECT_EQ(shown(all[0].runs), "1:1.00000 2:2.00000\n1:3.00000 2:4.00000");
}

TEST(DeriveReference, IsBoundToThePlatformOfAnyOperand) {
  const Reference general = baseline("global_batch_size 1:16"),
                  special = baseline("iteration_time 1:4", "npu");
  const Reference reference = merge_references({special, general});
  const auto formula = parse_formula("global_batch_size / iteration_time").value();
  const auto all = derive(metric(), formula, {{"", &reference}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].platform, "npu");
  EXPECT_TRUE(derive(metric(), formula, {{"", &general}}).empty());
}

// What binary arithmetic moves in the last place must not carry a value over its limit.
TEST(Derive, ARatioOnItsLimitPasses) {
  for (int hundredths = 1; hundredths < 1000; ++hundredths) {
    const Decimal limit{hundredths, -2};
    Series x2("throughput", std::nullopt, "", Numbering::step), x1 = x2;
    x1.append({1, {ValueKind::finite, {3, -1}}, "0.3", 0, 0});
    x2.append({1, {ValueKind::finite, *multiply(limit, {6, -1})}, "", 0, 0});
    const auto all = derive(metric(), parse_formula("throughput / (2 * throughput('x1'))").value(),
                            {{"", {&x2}}, {"x1", {&x1}}});
    ASSERT_EQ(all[0].samples()[0].value.number, limit) << hundredths;
  }
}

}  // namespace
}  // namespace gate::judge::derive_test
