#include "gate/judge/formula.h"

#include <gmock/gmock.h>

namespace gate::judge::formula_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Return the terms, operands before their operation: `a 2 /`.
std::string parsed(std::string_view text) {
  const Result<Formula> formula = parse_formula(text);
  if (!formula) return formula.error().message;
  std::string out;
  for (const Term& term : formula->terms) {
    constexpr std::string_view signs[] = {"", "", "neg", "+", "-", "*", "/"};
    out += (out.empty() ? "" : " ") + std::string(signs[static_cast<std::size_t>(term.kind)]);
    if (term.kind == Term::Kind::number) out += term.number.to_string();
    if (term.kind != Term::Kind::metric) continue;
    out += term.metric + (term.case_name.empty() ? "" : "@" + term.case_name);
  }
  return out;
}

std::string times(int count, const std::string& text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Formula, BindsAsArithmeticDoes) {
  EXPECT_EQ(parsed("throughput / 989"), "throughput 989 /");
  EXPECT_EQ(parsed("a + b * c"), "a b c * +");
  EXPECT_EQ(parsed("a - b - c"), "a b - c -") << "from the left";
  EXPECT_EQ(parsed("a / b * c"), "a b / c *") << "from the left";
  EXPECT_EQ(parsed("(a+b)*c"), "a b + c *");
  EXPECT_EQ(parsed("-a * b"), "a neg b *");
  EXPECT_EQ(parsed("a - -2"), "a 2 neg -");
  EXPECT_EQ(parsed("\tglobal_batch_size*4096/iteration_time * 1e3 "),
            "global_batch_size 4096 * iteration_time / 1000 *");
}

TEST(Formula, NumbersAreDecimals) {
  EXPECT_EQ(parsed("a * 1.50"), "a 1.50 *");
  EXPECT_EQ(parsed("a * .5"), "a 0.5 *");
  EXPECT_EQ(parsed("a * 1e-3"), "a 0.001 *");
  EXPECT_EQ(parsed("a * 1E+2-1"), "a 100 * 1 -");
}

TEST(Formula, NamesCasesInQuotes) {
  EXPECT_EQ(parsed("throughput(\"x2\") / (2 * throughput('pretrain/x 1'))"),
            "throughput@x2 2 throughput@pretrain/x 1 * /");
  EXPECT_EQ(parsed("a ( \"(b)\" )"), "a@(b)");
}

// Return the numbers that the case tells: `devices`, `peak("fp16")`.
std::vector<std::string> told(const Formula& formula) {
  std::vector<std::string> names;
  for (const Term& term : formula.terms)
    if (term.is_told()) names.push_back(written(term));
  return names;
}

TEST(Formula, NamesNumbersThatTheCaseTells) {
  const Formula formula =
      parse_formula("a * peak( 'fp16' ) / devices / nodes * seq_length + peak(\"int8_sparse\")").value();
  EXPECT_THAT(told(formula),
              ElementsAre("peak(\"fp16\")", "devices", "nodes", "seq_length", "peak(\"int8_sparse\")"));
  EXPECT_THAT(told(parse_formula("peak * devices('x')").value()), IsEmpty()) << "these are metrics";
  EXPECT_EQ(
      parsed("peak(\"fp 16\") * a"),
      "formula \"peak(\"fp 16\") * a\": \"fp 16\" at character 6 is no type of number; it is of letters, "
      "digits and _");
  EXPECT_THAT(parsed("peak(fp16) * a"),
              HasSubstr("expected a type of number in quotes, as in peak(\"fp16\"), at character 6, found"));
  EXPECT_THAT(parsed("seq_length * peak(\"fp16\")"), HasSubstr("it names no metric"));
}

TEST(Formula, IsOpenUntilAllNumbersAreKnown) {
  Formula formula = parse_formula("a / peak('fp16') / seq_length").value();
  ASSERT_NE(formula.open_term(), nullptr);
  EXPECT_EQ(written(*formula.open_term()), "peak(\"fp16\")");
  bind_numbers(formula, [](const Term& term) { return Decimal{term.type == "fp16" ? 312 : 0, 12}; });
  ASSERT_NE(formula.open_term(), nullptr);
  EXPECT_EQ(written(*formula.open_term()), "seq_length");
  bind_numbers(formula, [](const Term&) { return Decimal{1, 0}; });
  EXPECT_EQ(formula.open_term(), nullptr);
}

TEST(Formula, KeepsItsTextAndItsPlaces) {
  const Formula formula = parse_formula("  ±a").value_or(Formula{});
  EXPECT_TRUE(formula.terms.empty());
  const Result<Formula> good = parse_formula(" a / bb ");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->text, "a / bb");
  EXPECT_EQ(good->terms[0].character, 2U);
  EXPECT_EQ(good->terms[1].character, 6U);
  EXPECT_EQ(good->terms[2].character, 4U);
}

TEST(FormulaMistakes, NameThePlace) {
  const std::string wanted = "expected a number, a metric or \"(\" at character ";
  EXPECT_EQ(parsed(""), "formula \"\": " + wanted + "1, found nothing");
  EXPECT_EQ(parsed("a / / 989"), "formula \"a / / 989\": " + wanted + "5, found \"/\"");
  EXPECT_EQ(parsed("a *"), "formula \"a *\": " + wanted + "4, found nothing");
  EXPECT_EQ(parsed("+a"), "formula \"+a\": " + wanted + "1, found \"+\"");
  EXPECT_EQ(parsed("a × 2"),
            "formula \"a × 2\": expected an operator or the end at character 3, found \"×\"");
  EXPECT_EQ(parsed("a b × 2"),
            "formula \"a b × 2\": expected an operator or the end at character 3, found \"b\"");
  EXPECT_EQ(parsed("a )"), "formula \"a )\": expected an operator or the end at character 3, found \")\"");
  EXPECT_EQ(parsed("(a"), "formula \"(a\": expected an operator or \")\" at character 3, found nothing");
  EXPECT_EQ(parsed("a ^ 2"),
            "formula \"a ^ 2\": expected an operator or the end at character 3, found \"^\"");
  EXPECT_THAT(parsed(std::string_view("a\0+b", 4)), HasSubstr("at character 2, found \"\\x00\""));
}

TEST(FormulaMistakes, OfNumbers) {
  EXPECT_EQ(parsed("a * 4096k"), "formula \"a * 4096k\": \"4096k\" at character 5 is not a number");
  EXPECT_EQ(parsed("a * 1.2.3"), "formula \"a * 1.2.3\": \"1.2.3\" at character 5 is not a number");
  EXPECT_EQ(parsed("a * 1e"), "formula \"a * 1e\": \"1e\" at character 5 is not a number");
  EXPECT_EQ(parsed("a * 1e61"), "formula \"a * 1e61\": \"1e61\" at character 5 is out of range");
  EXPECT_EQ(parsed("a * 1e-999999999999"),
            "formula \"a * 1e-999999999999\": \"1e-999999999999\" at character 5 is not a number");
  EXPECT_EQ(parsed("2 * 3"), "formula \"2 * 3\": it names no metric, so it is the same whatever a run does");
}

TEST(FormulaMistakes, OfCases) {
  EXPECT_EQ(parsed("a(x2)"),
            "formula \"a(x2)\": expected a case in quotes, as in a(\"case\"), at character 3, found \"x2\"");
  EXPECT_EQ(
      parsed("a(\"\")"),
      "formula \"a(\"\")\": expected a case in quotes, as in a(\"case\"), at character 3, found \"\"\"");
  EXPECT_EQ(parsed("a(\"x2)"), "formula \"a(\"x2)\": no closing \" for the one at character 3");
  EXPECT_EQ(parsed("a(\"x2\""), "formula \"a(\"x2\"\": expected \")\" at character 7, found nothing");
}

TEST(FormulaMistakes, OfHostileTexts) {
  EXPECT_EQ(parsed(times(49, "(") + "a" + times(49, ")")), "a");
  EXPECT_THAT(parsed(times(50, "(") + "a" + times(50, ")")), HasSubstr("it is nested more than 50 deep"));
  EXPECT_THAT(parsed(times(900, "-") + "a"), HasSubstr("nested more than 50 deep"));
  EXPECT_THAT(parsed(times(900, "(")), HasSubstr("nested more than 50 deep"));
  EXPECT_THAT(parsed("a" + times(500, "+a")), HasSubstr("longer than 1000 bytes"));
  EXPECT_EQ(parse_formula("a" + times(499, "+a")).value_or(Formula{}).terms.size(), 999U);
}

// Return the unit of the formula's values, or the mistake.
std::string unit(const std::string& text, const std::optional<std::string>& declared = std::nullopt) {
  const Result<std::string> unit = unit_of(parse_formula(text).value(), MetricTable(), declared);
  return unit ? *unit : unit.error().message;
}

TEST(FormulaUnit, OfSumsIsThatOfTheirParts) {
  EXPECT_EQ(unit("memory_max_allocated - memory_allocated"), "MiB");
  EXPECT_EQ(unit("-iteration_time"), "ms");
  EXPECT_EQ(unit("iteration_time + 5"), "ms");
  EXPECT_EQ(unit("5 - iteration_time"), "ms");
  EXPECT_EQ(unit("memory_allocated + iteration_time"),
            "formula \"memory_allocated + iteration_time\": \"+\" at character 18 stands between MiB and ms");
  EXPECT_EQ(unit("iteration_time - lm_loss"),
            "formula \"iteration_time - lm_loss\": \"-\" at character 16 stands between ms and no unit");
}

TEST(FormulaUnit, OfProductsIsTheirProduct) {
  EXPECT_EQ(unit("throughput(\"a\") / throughput"), "");
  EXPECT_EQ(unit("tokens_per_second / samples_per_second"), "tokens/samples");
  EXPECT_EQ(unit("global_batch_size / iteration_time"), "1/ms");
  EXPECT_EQ(unit("iteration_time * iteration_time * memory_allocated"), "ms*ms*MiB");
  EXPECT_EQ(
      unit("(throughput / throughput) + iteration_time"),
      "formula \"(throughput / throughput) + iteration_time\": \"+\" at character 27 stands between no unit "
      "and ms");
}

TEST(FormulaUnit, IsOpenWhereANumberMayConvert) {
  EXPECT_EQ(unit("throughput / 989"), "");
  EXPECT_EQ(unit("throughput / 989", "share of peak"), "share of peak");
  EXPECT_EQ(unit("memory_allocated + iteration_time * 2"), "MiB");
  EXPECT_EQ(unit("global_batch_size * 4096 / iteration_time * 1000", "tokens/s"), "tokens/s");
}

TEST(FormulaUnit, MustBeTheDeclaredOne) {
  EXPECT_EQ(unit("memory_max_allocated - memory_allocated", "MiB"), "MiB");
  EXPECT_EQ(unit("throughput / throughput(\"a\")", "x"), "x");
  EXPECT_EQ(unit("tokens_per_second / samples_per_second", "tokens / samples"), "tokens / samples");
  EXPECT_EQ(
      unit("memory_allocated - memory_reserved", "GiB"),
      "formula \"memory_allocated - memory_reserved\": it gives MiB, and the unit of the metric is GiB; what "
      "converts is a number, as in \"* 1000\"");
  EXPECT_THAT(unit("global_batch_size / iteration_time", "tokens/s"), HasSubstr("it gives 1/ms"));
  EXPECT_THAT(unit("iteration_time + iteration_time", ""), HasSubstr("the unit of the metric is no unit"));
}

std::string numbering(const std::string& text) {
  const Result<Numbering> numbering = numbering_of(parse_formula(text).value(), MetricTable());
  return numbering ? std::string(to_string(*numbering)) : numbering.error().message;
}

TEST(FormulaNumbering, IsThatOfAllItsMetrics) {
  EXPECT_EQ(numbering("2 * throughput + lm_loss"), "step");
  EXPECT_EQ(numbering("memory_allocated / memory_reserved"), "report");
  EXPECT_EQ(
      numbering("memory_allocated / lm_loss"),
      "formula \"memory_allocated / lm_loss\": memory_allocated is numbered by report, lm_loss by step");
}

TEST(FormulaNumbering, RefusesWhatIsNumberedByTime) {
  MetricTable metrics;
  metrics.put({"power", "W", MetricKind::other, Better::lower, Numbering::time, Pick::none, ""});
  EXPECT_THAT(numbering_of(parse_formula("power * 2").value(), metrics).error().message,
              HasSubstr("power is numbered by time: nothing else has a value at the same moment"));
}

}  // namespace
}  // namespace gate::judge::formula_test
