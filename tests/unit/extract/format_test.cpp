#include "gate/extract/format.h"

#include <gmock/gmock.h>

#include "extract/records/format_spec.h"

namespace gate::extract::format_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Formats, agree_with_their_own_specimens) { EXPECT_THAT(self_check(), IsEmpty()); }

TEST(Formats, are_listed) {
  EXPECT_THAT(format_names(), testing::Contains("megatron"));
  EXPECT_EQ(formats().size(), format_specs().size() + 1);  // and event files
  EXPECT_NE(find_format("megatron"), nullptr);
  EXPECT_EQ(find_format("nosuch"), nullptr);
}

FormatSpec with_specimen(std::vector<Specimen> (*specimens)()) {
  FormatSpec format = *find_format("megatron");
  format.specimens = specimens;
  return format;
}

TEST(SelfCheck, reports_what_a_specimen_does_not_give) {
  const FormatSpec format = with_specimen([]() -> std::vector<Specimen> {
    return {{"wrong",
             " iteration 1/ 2 | lm loss: 1.5 | grad norm: 2.5 |\n",
             {{"lm_loss", -1, 1, "1.75"}, {"throughput", -1, 1, "80.0"}}}};
  });
  EXPECT_THAT(check_specimens(format),
              ElementsAre("megatron wrong: grad_norm 1: expected nothing, read `2.5`",
                          "megatron wrong: lm_loss 1: expected `1.75`, read `1.5`",
                          "megatron wrong: throughput 1: expected `80.0`, read nothing",
                          "megatron.memory: no specimen exercises it",
                          "megatron.validation: no specimen exercises it",
                          "megatron.final_validation: no specimen exercises it",
                          "megatron.test: no specimen exercises it",
                          "megatron.discriminator: no specimen exercises it"));
}

}  // namespace
}  // namespace gate::extract::format_test
