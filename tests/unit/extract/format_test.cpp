#include "gate/extract/format.h"

#include <gmock/gmock.h>

#include "specimens/check_formats.h"
#include "specimens/formats.h"

namespace gate::extract::format_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Formats, agree_with_their_own_specimens) {
  for (const FormatSpec& format : format_specs())
    EXPECT_THAT(check_specimens(format, specimens_of(format.row.name)), IsEmpty());
}

TEST(Formats, are_what_specimens_are_of) {
  ASSERT_EQ(std::size(format_specimens), format_specs().size());
  for (std::size_t i = 0; i < format_specs().size(); ++i)
    EXPECT_EQ(format_specimens[i].format, format_specs()[i].row.name);
}

TEST(Formats, are_listed) {
  EXPECT_THAT(format_names(), testing::Contains("megatron"));
  EXPECT_EQ(formats().size(), format_specs().size() + 3);  // and files of trackers
  EXPECT_NE(find_format("megatron"), nullptr);
  EXPECT_EQ(find_format("nosuch"), nullptr);
}

TEST(CheckSpecimens, reports_what_a_specimen_does_not_give) {
  const std::vector<Specimen> specimens{{"wrong",
                                         " iteration 1/ 2 | lm loss: 1.5 | grad norm: 2.5 |\n",
                                         {{"lm_loss", -1, 1, "1.75"}, {"throughput", -1, 1, "80.0"}}}};
  EXPECT_THAT(check_specimens(*find_format("megatron"), specimens),
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
