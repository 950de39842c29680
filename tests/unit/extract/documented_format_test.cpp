// The format of a made-up framework, as docs/contributing/a-format.md shows it; and that it shows just this.
#include <gmock/gmock.h>

#include "gate/base/text.h"
#include "reading.h"
#include "specimens/check_formats.h"
#include "specimens/foundry.h"

// [documented]
// Format `foundry`: a line a step, and its ranks' memory on lines of their own.
//
//   12:00:01 foundry step 3/20: loss=2.125 gnorm=0.75 tok/s=1,250 ms=812.5;
//   12:00:01 foundry rank 1 step 3: peak=9.5GiB;
//   12:00:05 foundry eval step 5: loss=2.25;
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace foundry {
namespace {

constexpr std::array step_fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"gnorm", "grad_norm"},
    with_thousands({"tok/s", "tokens_per_second"}),
    FieldRow{"ms", "iteration_time"},
};
constexpr std::array memory_fields{FieldRow{"peak", "memory_max_reserved", {1, 0}, Scope::rank}};
constexpr std::array evaluation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::string_view words = R"(([a-z/]+)=([^\s;]+))";  // name=word

constexpr std::array kinds{
    RecordKind{.extractor = "foundry.step",
               .literal = "foundry step",
               .head = R"(\bfoundry step (?P<step>\d+)/(?P<total>\d+): )",
               .fields = step_fields,
               .body = Body::fields,
               .pattern = words,
               .last = "ms",
               .expected = expected},
    RecordKind{.extractor = "foundry.memory",
               .literal = "foundry rank",
               .head = R"(\bfoundry rank (?P<rank>\d+) step (?P<step>\d+): )",
               .fields = memory_fields,
               .body = Body::fields,
               .role = Role::report,
               .pattern = words},
    RecordKind{.extractor = "foundry.evaluation",
               .literal = "foundry eval",
               .head = R"(\bfoundry eval step (?P<step>\d+): )",
               .fields = evaluation_fields,
               .body = Body::fields,
               .role = Role::follower,
               .pattern = words},
};

}  // namespace
}  // namespace foundry

FormatSpec foundry_format() {
  return make_format({.row = {"foundry", "Foundry: a line a step, memory by rank"}, .kinds = foundry::kinds});
}

}  // namespace gate::extract
// [documented]

namespace gate::extract::documented_format_test {
namespace {

TEST(DocumentedFormat, agrees_with_its_specimens) {
  EXPECT_THAT(check_specimens(foundry_format(), foundry_log::specimens()), testing::IsEmpty());
}

TEST(DocumentedFormat, stands_in_the_page_for_contributors_as_it_is) {
  const std::string source = file_text(GATE_SOURCE_DIR "/tests/unit/extract/documented_format_test.cpp");
  const std::string mark = "// [documented]\n";
  const std::size_t begin = source.find(mark) + mark.size();
  const std::string shown = source.substr(begin, source.find("\n" + mark, begin) + 1 - begin);
  EXPECT_GT(shown.size(), 1000U);
  const std::string page = file_text(GATE_SOURCE_DIR "/docs/contributing/a-format.md");
  EXPECT_THAT(page, testing::HasSubstr("```cpp\n" + shown + "```\n"));
  const std::string specimens = file_text(GATE_SOURCE_DIR "/tests/unit/extract/specimens/foundry.h");
  EXPECT_GT(specimens.size(), 500U);
  EXPECT_THAT(page, testing::HasSubstr("```cpp\n" + specimens + "```\n"));
}

TEST(DocumentedFormat, of_whose_mistakes_the_check_tells) {
  const std::vector<Specimen> specimens{
      {"one line", "foundry eval step 2: loss=2.25;\n", {{"validation_loss", -1, 2, "2.5"}}}};
  EXPECT_THAT(check_specimens(foundry_format(), specimens),
              testing::ElementsAre("foundry one line: validation_loss 2: expected `2.5`, read `2.25`",
                                   "foundry.step: no specimen exercises it",
                                   "foundry.memory: no specimen exercises it"));
}

}  // namespace
}  // namespace gate::extract::documented_format_test
