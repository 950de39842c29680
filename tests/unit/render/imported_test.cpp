// What an import prints, from values in literals.
#include "gate/render/imported.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace gate::render::imported_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Style usual{Color::no, 0, false, false};
const Style quiet{Color::no, 0, true, false};

ImportedFile imported(const std::string& path, std::int64_t steps) {
  ImportedFile file{path, true, {}};
  file.candidate.case_name = path.substr(0, path.find('.'));
  Series series("lm_loss", {}, "", Numbering::step);
  for (std::int64_t step = 1; step <= steps; ++step)
    series.append({step, {ValueKind::finite, Decimal{1, 0}}, "1", 0, 0});
  file.candidate.runs.push_back({{}, {series}});
  return file;
}

TEST(ImportText, SaysWhatWasImportedAndWhatToDoNext) {
  TreeImport import;
  import.imported = {imported("a.json", 30), imported("b.json", 3)};
  import.imported[0].candidate.notes = import.imported[1].candidate.notes = {"steps are assumed"};
  import.refused = {{"c.json", "no golden file"}, { "d/", "cannot be listed" }};
  import.without_script = {"b"};
  const std::string text = import_text(import, nullptr, usual);
  EXPECT_THAT(text, HasSubstr("1-30"));
  EXPECT_THAT(text, HasSubstr("note     2 files: steps are assumed\n         a.json, b.json\n"));
  EXPECT_THAT(text, HasSubstr("refused  1 file: no golden file\n         c.json\n"));
  EXPECT_THAT(text, HasSubstr("refused  1 folder: cannot be listed\n         d/\n"));
  EXPECT_THAT(text, HasSubstr("no script for 1 case: b; imported all the same\n"));
  EXPECT_THAT(text, HasSubstr("accept   gate baseline accept --reason \"...\"\n"));
  EXPECT_THAT(text, EndsWith("imported 2 files (steps assumed in 0), refused 2\n"));
  EXPECT_THAT(import_text(import, nullptr, quiet), Not(HasSubstr("1-30")));
  import.imported[0].candidate.platform = "cpu";
  EXPECT_THAT(import_text(import, nullptr, usual), HasSubstr("accept --to platform --reason"));
}

TEST(AcceptancesText, WhenQuietSaysWhatIsWrongAndTheLastLine) {
  const Accepted good{"a", "baselines/a.json", {}, {"lm_loss: 4 steps"}};
  const Accepted red{"b", "baselines/b.json", {"was red: lm_loss"}, {"lm_loss: 4 steps"}};
  const Accepted left{"c", "", {"stands apart: lm_loss +3 %"}};
  EXPECT_EQ(acceptances_text({good, red, left}, usual),
            "accepted a -> baselines/a.json\naccepted b -> baselines/b.json\n  was red: lm_loss\n"
            "left out c\n  stands apart: lm_loss +3 %\n2 accepted, 1 left out\n");
  EXPECT_EQ(acceptances_text({good, red}, {.verbose = true}),
            "accepted a -> baselines/a.json\n  lm_loss: 4 steps\n"
            "accepted b -> baselines/b.json\n  was red: lm_loss\n  lm_loss: 4 steps\n2 accepted\n");
  EXPECT_EQ(acceptances_text({good}, usual), "accepted a -> baselines/a.json\n  lm_loss: 4 steps\n");
  EXPECT_EQ(acceptances_text({good, red, left}, quiet),
            "accepted b -> baselines/b.json\n  was red: lm_loss\n"
            "left out c\n  stands apart: lm_loss +3 %\n2 accepted, 1 left out\n");
  EXPECT_EQ(acceptances_text({good}, quiet), "accepted a -> baselines/a.json\n");
}

TEST(ImportText, JsonHoldsFilesAndRefusals) {
  TreeImport import;
  import.imported = {imported("a.json", 30)};
  import.refused = {{ "c.json", "no golden file" }};
  const auto json = nlohmann::json::parse(import_json(import, nullptr));
  EXPECT_EQ(json["imported"][0]["steps"], "1-30");
  EXPECT_EQ(json["imported"][0]["series"][0], "lm_loss");
  EXPECT_EQ(json["refused"][0]["reason"], "no golden file");
}

TEST(MarginText, WhatNoBaselineHoldsIsSaid) {
  std::vector<ImportedFile> files{imported("a.json", 3), imported("b.json", 3)};
  EXPECT_EQ(margin_text(files, ""), "");
  files[1].candidate.margins["lm_loss"] = "0.02";
  const Sentence text = margin_text(files, "");
  EXPECT_THAT(text.english(),
              StartsWith("margins  1 file with margins or warm_up, and a baseline holds neither:\n"
                         "         b.json\n"));
  EXPECT_THAT(text.in(Language::chinese),
              StartsWith("允许偏差 1 个文件带有允许偏差或 warm_up，而基线里没有：\n         b.json\n"));
  EXPECT_EQ(margin_warning(files, "gate", ""), "");
  EXPECT_THAT(
      margin_warning(files, "mindspeed-llm", "").english(),
      HasSubstr("profile mindspeed-llm uses margins and warm_up of golden files, which 1 imported file had"));
}

}  // namespace
}  // namespace gate::render::imported_test
