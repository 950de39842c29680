// Metrics that cannot be judged here.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::withheld_test {
namespace {

using testing::Ask;
using testing::baseline;
using testing::rule;
using testing::run;

std::string verdict(Ask ask, bool required) {
  ask.rules = {rule("lm_loss", "±0.01"), rule("grad_norm", "<= 2")};
  ask.rules.back().required = required;
  ask.reference = baseline("lm_loss 1:1.00");
  ask.log = run("lm_loss 1:1.00\ngrad_norm 1:9");
  const Judgement judgement = judge({ask.rules,
                                     ask.metrics,
                                     ask.reference,
                                     ask.log,
                                     {},
                                     "",
                                     Mode::series,
                                     ask.strict,
                                     {},
                                     "",
                                     {},
                                     {{"grad_norm", remark::Text{"no run of case x1"}}}});
  std::string out = std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english();
  for (const Check& check : judgement.checks) out += "; check " + check.metric;
  for (const Ungated& entry : judgement.ungated)
    out += "; ungated " + entry.metric + " (" + entry.rule + "): " + words::text(entry.reason).english();
  return out;
}

TEST(Withheld, IsUngatedWithItsReason) {
  EXPECT_EQ(verdict({}, false),
            "passed: 1 check passed; check lm_loss; ungated grad_norm (grad_norm): no run of case x1");
}

TEST(Withheld, IsUnjudgedWhereItIsRequired) {
  EXPECT_THAT(
      verdict({}, true),
      ::testing::StartsWith("unjudged: grad_norm is ungated: no run of case x1 (required); check lm_loss"));
  Ask strict;
  strict.strict = Strict::yes;
  EXPECT_THAT(verdict(strict, false),
              ::testing::StartsWith("unjudged: grad_norm is ungated: no run of case x1 (strict)"));
}

}  // namespace
}  // namespace gate::judge::withheld_test
