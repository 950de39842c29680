// Baselines as files: listed, moved, removed; and cases whose scripts were renamed.
#include <gmock/gmock.h>

#include "gate/schema/baseline_file.h"
#include "gate/suite/renames.h"
#include "suite_of_files.h"

namespace gate::app::baselines_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Files : public SuiteOfFiles {
 protected:
  Files() {
    script("x");
    baseline("x", log("a.log"));
  }

  BaselineChange change() const { return {"renamed", "ada", moment()}; }

  Baseline at_path(const std::string& path) const { return schema::read_baseline(get(path), path).value(); }

  bool is_there(const std::string& path) const { return std::filesystem::exists(root / path); }

  // Put the baseline of x to another place, as measured on that platform.
  void copy_to(const store::BaselinePlace& place, const std::string& measured) const {
    Baseline copied = at_path("baselines/x.json");
    copied.platform = measured;
    ASSERT_TRUE(store::write_baseline(suite().layout, copied, place));
  }

  std::string why_not_moved(const std::string& from, const std::string& to) const {
    const auto moved = move_baselines(suite(), from, to, change());
    EXPECT_FALSE(moved);
    return moved ? "" : moved.error().message;
  }
};

TEST_F(Files, AMovedCaseKeepsItsChain) {
  copy_to({"cpu", "x"}, "cpu");
  const auto moved = move_baselines(suite(), "x", "sub/y", change());
  ASSERT_TRUE(moved) << moved.error().message;
  ASSERT_EQ(moved->size(), 2U);
  EXPECT_FALSE(is_there("baselines/x.json"));
  EXPECT_FALSE(is_there("baselines/cpu/x.json"));
  const Baseline y = at_path("baselines/cpu/sub/y.json");
  EXPECT_EQ(y.case_name, "sub/y");
  ASSERT_EQ(y.accepted.size(), 2U);
  EXPECT_EQ(y.accepted[0].reason, "it is good");
  EXPECT_EQ(y.accepted[1].reason, "moved: renamed");
  EXPECT_EQ(y.accepted[1].from, "baselines/cpu/x.json");
  EXPECT_EQ(y.accepted[1].previous_sha256.size(), 64U);
}

TEST_F(Files, AMoveThatWasCutOffGoesOn) {
  const std::string old = get("baselines/x.json");
  ASSERT_TRUE(move_baselines(suite(), "x", "y", change()));
  put("baselines/x.json", old);
  const std::string before = get("baselines/y.json");
  ASSERT_TRUE(move_baselines(suite(), "x", "y", change()));
  EXPECT_FALSE(is_there("baselines/x.json"));
  EXPECT_EQ(get("baselines/y.json"), before) << "it was written once";
}

TEST_F(Files, NothingIsWrittenOver) {
  copy_to({"cpu", "x"}, "cpu");
  put("baselines/cpu/y.json", "{}");
  EXPECT_THAT(why_not_moved("x", "y"), HasSubstr("baselines/cpu/y.json is there already"));
  EXPECT_TRUE(is_there("baselines/x.json")) << "all or none";
  EXPECT_FALSE(is_there("baselines/y.json"));
}

TEST_F(Files, NumbersStayOfTheirChipAndEnvironment) {
  copy_to({"", "x"}, "cpu");
  EXPECT_THAT(why_not_moved("general/x", "nvidia-h100/x"), HasSubstr("measured on cpu"));
  ASSERT_TRUE(move_baselines(suite(), "general/x", "cpu@lts/x", change()));
  EXPECT_EQ(at_path("baselines/cpu@lts/x.json").environment, "lts");
  EXPECT_THAT(why_not_moved("cpu@lts/x", "cpu@dev/x"), HasSubstr("of environment lts"));
  EXPECT_THAT(why_not_moved("cpu@lts/x", "cpu/x"), HasSubstr("is for every one"));
}

TEST_F(Files, WhatOlderGatesPutIntoAFolderOfLtsIsMoved) {
  script("sub/y");
  copy_to({"nvidia-a100-lts", "x"}, "nvidia-a100-lts");
  Baseline other = at_path("baselines/x.json");
  other.case_name = "sub/y";
  other.platform = "nvidia-a100-lts";
  ASSERT_TRUE(store::write_baseline(suite().layout, other, {"nvidia-a100-lts", "sub/y"}));
  const auto moved = move_baselines(suite(), "nvidia-a100-lts/", "nvidia-a100@lts/", change());
  ASSERT_TRUE(moved) << moved.error().message;
  EXPECT_EQ(moved->size(), 2U);
  EXPECT_EQ(at_path("baselines/nvidia-a100@lts/sub/y.json").platform, "nvidia-a100");
}

TEST_F(Files, WordsThatNameNothingAreMistakes) {
  EXPECT_THAT(why_not_moved("z", "y"), HasSubstr("z: no baseline"));
  EXPECT_THAT(why_not_moved("x", "cpu/x"), HasSubstr("general/"));
  EXPECT_THAT(why_not_moved("x", "../y"), HasSubstr("holds a part"));
  EXPECT_THAT(why_not_moved("x", ".y"), HasSubstr("hidden"));
  EXPECT_THAT(why_not_moved("x", "x"), HasSubstr("is where it is"));
  EXPECT_FALSE(remove_baselines(suite(), {"x", "z"}, change()));
  EXPECT_TRUE(is_there("baselines/x.json"));
  EXPECT_FALSE(remove_baselines(suite(), {"x"}, {" ", "ada", moment()}));
}

TEST_F(Files, WhatIsRemovedIsKept) {
  const auto removed = remove_baselines(suite(), {"x"}, change());
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_THAT(removed->at(0).to, testing::MatchesRegex("\\.gate/removed/x\\.[0-9a-f]+\\.json"));
  EXPECT_FALSE(is_there("baselines/x.json"));
  EXPECT_EQ(at_path(removed->at(0).to).accepted.back().reason, "removed: renamed");
}

TEST_F(Files, AreListed) {
  copy_to({"cpu", "x", "lts"}, "cpu");
  put("baselines/bad.json", "{");
  const auto rows = list_baselines(suite(), {{}, "", "", root});
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_THAT(rows->at(0).note, HasSubstr("bad.json:"));
  EXPECT_EQ(rows->at(1).place, "general");
  EXPECT_EQ(rows->at(1).who, "somebody");
  EXPECT_EQ(rows->at(1).accepted, "2026-03-01");
  EXPECT_EQ(rows->at(2).place, "cpu@lts");
  EXPECT_EQ(rows->at(2).measured_on, "cpu");
  EXPECT_EQ(list_baselines(suite(), {{"x"}, "cpu", "", root})->size(), 1U);
  EXPECT_FALSE(list_baselines(suite(), {{"nosuch"}, "", "", root}));
  EXPECT_EQ(list_baselines(suite(), {{"x"}, "npu", "", root}).error().exit_code, exit_code::refused);
}

TEST_F(Files, ARenamedScriptIsRecognised) {
  const auto renamed = [&] { return no_script_words(find_renames(suite()), "x"); };
  std::filesystem::rename(root / "scripts/x.sh", root / "scripts/new-name.sh");
  EXPECT_EQ(renamed(), "no script has its name") << "nobody recorded its script";
  Baseline known = at_path("baselines/x.json");
  known.provenance.script_sha256 = fs::sha256(get("scripts/new-name.sh"));
  ASSERT_TRUE(store::write_baseline(suite().layout, known, {"", "x"}));
  EXPECT_EQ(renamed(),
            "no script has its name, and scripts/new-name.sh is the script that it was recorded from: gate "
            "baseline mv x new-name");
  baseline("new-name", at("a.log"));
  EXPECT_EQ(renamed(), "no script has its name") << "that script has a baseline of its own";
}

TEST_F(Files, NamesThatAreNearlyTheSameAreSeen) {
  baseline("x", log("a.log"));
  std::filesystem::rename(root / "baselines/x.json", root / "baselines/My_case.json");
  script("my-CASE");
  EXPECT_THAT(no_script_words(find_renames(suite()), "My_case"),
              HasSubstr("gate baseline mv My_case my-CASE"));
}

TEST_F(Files, NoCommandIsOfferedThatIsRefused) {
  const auto said = [&](const std::string& name) {
    return no_script_words(find_renames(suite()), name).english();
  };
  script("new-name");
  put("baselines/new_name.json", R"({"lm loss": [2.5, 2.4], "throughput": [1, 2], "memo info": []})");
  EXPECT_THAT(said("new_name"), testing::EndsWith(": gate baseline mv new_name new-name"));
  EXPECT_EQ(removal_of(suite(), "new_name"), "rm baselines/new_name.json");
  EXPECT_EQ(removal_of(suite(), "x"), "gate baseline rm x --reason \"...\"");
  put("baselines/New_name.json", R"({"lm loss": [2.5, 2.4], "throughput": [1, 2], "memo info": []})");
  EXPECT_THAT(said("New_name"), HasSubstr("mv "));
  EXPECT_THAT(said("new_name"), testing::Not(HasSubstr("mv "))) << "a file would be in the way";
  std::filesystem::remove(root / "baselines/New_name.json");
  put("baselines/new_name.json", "{");
  EXPECT_THAT(said("new_name"), testing::Not(HasSubstr("mv "))) << "nobody can read it";
}

TEST_F(Files, APathIsSuspectedBeforeRemovalIsOffered) {
  put("baselines/h100/x.json", get("baselines/x.json"));
  EXPECT_THAT(no_script_words(find_renames(suite()), "h100/x"), HasSubstr("h100/ may be a platform"));
  script("st/deep");
  put("baselines/deep.json", get("baselines/x.json"));
  EXPECT_THAT(no_script_words(find_renames(suite()), "deep"), HasSubstr("case st/deep is called likewise"));
}

}  // namespace
}  // namespace gate::app::baselines_test
