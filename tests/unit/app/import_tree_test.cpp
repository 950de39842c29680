// Golden files of a folder, and a folder that has no gate.toml yet.
#include "gate/stored/baseline.h"

#include <gmock/gmock.h>

#include "gate/stored/init.h"
#include "suite_of_files.h"

namespace gate::app::import_tree_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* golden =
    R"({"lm loss": {"start_step": 1, "end_step": 3, "step_interval": 1, "values": {"1": 10.5, "2": 10.25, "3": 10.0}}})";

class Tree : public SuiteOfFiles {
 protected:
  Answer<TreeImport> imported(const std::string& cases = "") {
    return import_tree(
        suite(), {.folder = root / "golden", .cases = cases, .platform = "", .environment = "", .steps = {}},
        moment());
  }

  static std::vector<std::string> paths_of(const TreeImport& import) {
    std::vector<std::string> paths;
    for (const ImportedFile& file : import.imported) paths.push_back(file.path);
    return paths;
  }
};

TEST_F(Tree, EachGoldenFileBecomesACandidate) {
  script("gpt/a");
  put("golden/gpt/a/golden_values_dev_dgx_h100.json", golden);
  const auto import = imported();
  ASSERT_TRUE(import) << import.error().message;
  ASSERT_THAT(import->imported, SizeIs(1));
  const Baseline& candidate = import->imported[0].candidate;
  ASSERT_THAT(candidate.runs.at(0).series, SizeIs(1));
  EXPECT_EQ(candidate.runs[0].series[0].metric(), "lm_loss");
  EXPECT_EQ(candidate.runs[0].series[0].find(3)->value, *parse_value("10.0"));
}

TEST_F(Tree, WhatCannotBeImportedIsRefusedWithItsReason) {
  put("golden/a.json", golden);
  put("golden/b.json", "{\"lm loss\": ");
  put("golden/c.json", "[]");
  put("golden/.d.json", golden);
  put("golden/.hidden/e.json", golden);
  put("golden/notes.txt", "no golden file");
  const auto import = imported();
  ASSERT_TRUE(import) << import.error().message;
  EXPECT_THAT(paths_of(*import), ElementsAre("a.json"));
  ASSERT_THAT(import->refused, SizeIs(2));
  EXPECT_EQ(import->refused[0].path, "b.json");
  EXPECT_THAT(import->refused[0].why, testing::StartsWith("1:13: not JSON"));
  EXPECT_EQ(import->refused[1].path, "c.json");
}

TEST_F(Tree, AGlobChoosesItsCases) {
  put("golden/a.json", golden);
  put("golden/b.json", golden);
  EXPECT_THAT(paths_of(*imported("b")), ElementsAre("b.json"));
  const auto none = imported("z*");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().exit_code, exit_code::usage);
}

TEST_F(Tree, WithoutAScriptItIsImportedAllTheSame) {
  put("golden/a.json", golden);
  const auto import = imported();
  ASSERT_TRUE(import) << import.error().message;
  EXPECT_THAT(import->without_script, ElementsAre("a"));
  EXPECT_FALSE(import->imported[0].has_script);
}

TEST_F(Tree, AFolderWithNothingToImportIsSaid) {
  EXPECT_FALSE(imported()) << "it is not there";
  put("golden/notes.txt", "nothing");
  const auto empty = imported();
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().exit_code, exit_code::refused);
}

class NewSuite : public SuiteOfFiles {
 protected:
  NewSuite() { std::filesystem::remove(root / "gate.toml"); }
};

TEST_F(NewSuite, AFolderOfScriptsGetsAFileThatOpens) {
  script("a");
  const auto made = init(root, DryRun::no);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(get("gate.toml"), made->toml);
  EXPECT_THAT(suite().cases, SizeIs(1));
}

TEST_F(NewSuite, ADryRunWritesNothing) {
  script("a");
  const auto made = init(root, DryRun::yes);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->toml, HasSubstr("[suite]"));
  EXPECT_FALSE(std::filesystem::exists(root / "gate.toml"));
}

TEST_F(NewSuite, WhatIsThereIsKept) {
  script("a");
  put("gate.toml", "# mine\n");
  const auto refused = init(root, DryRun::no);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, exit_code::refused);
  EXPECT_EQ(get("gate.toml"), "# mine\n");
  std::filesystem::remove(root / "gate.toml");
  std::filesystem::create_symlink("nowhere", root / "gate.toml");
  EXPECT_FALSE(init(root, DryRun::no)) << "a link that leads nowhere is somebody's, too";
}

// What a command becomes, on a host without accelerators but for those.
class NewCase : public NewSuite {
 protected:
  Answer<FirstCase> made(const std::string& name, const std::vector<std::string>& command,
                         const std::string& folder = "", int devices = 0) {
    launch::HostFacts host;
    if (devices > 0) host.device_nodes["ascend"] = devices;
    return first_case({root / folder, {}, {}}, name, command, host);
  }
};

TEST_F(NewCase, ItsScriptHoldsTheWordsAndStartsInTheFolder) {
  const auto first = made("deep/a", {"env", "A=1", "x y", "$b", "it's", "", "c\nd"});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->script, "scripts/deep/a.sh");
  EXPECT_THAT(first->text, HasSubstr("\ncd \"$(dirname \"$0\")\"/../.. || exit\n"));
  EXPECT_THAT(first->text, EndsWith("\nenv A=1 'x y' '$b' 'it'\\''s' '' 'c\nd' \"$@\"\n"));
  EXPECT_THAT(first->text, Not(HasSubstr("#GATE")));
}

TEST_F(NewCase, ItLiesWhereTheSuiteHasItsCases) {
  put("gate.toml", "[group.st]\ncases = \"tests/st/*.sh\"\n[group.ut]\ncases = \"tests/ut/*.sh\"\n");
  put("below/x", "");
  const auto first = made("ut/a", {"true"}, "below");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->script, "tests/ut/a.sh");
  EXPECT_THAT(first->text, HasSubstr("/../../below || exit\n"));
  EXPECT_TRUE(first->has_config);
}

TEST_F(NewCase, ItNeedsTheDevicesThatItsWordsTell) {
  EXPECT_THAT(made("a", {"torchrun", "--nproc_per_node", "4", "x.py"}, "", 8)->text,
              HasSubstr("\n#GATE devices=4\n"));
  EXPECT_THAT(made("a", {"python3", "x.py"}, "", 8)->text, HasSubstr("\n#GATE devices=all\n"));
  put("gate.toml", "[defaults]\ndevices = 2\n");
  EXPECT_THAT(made("a", {"python3", "x.py"}, "", 8)->text, Not(HasSubstr("#GATE")));
}

TEST_F(NewCase, WhatWasWrittenIsTakenBack) {
  put("gate.toml", "[suite]\ncases = \"scripts/*.sh\"\n");
  auto first = made("deep/a", {"true"});
  ASSERT_TRUE(first) << first.error().message;
  const auto suite = write_first_case(*first);
  ASSERT_FALSE(suite) << "the glob finds no script there";
  EXPECT_THAT(suite.error().message, HasSubstr("scripts/*.sh"));
  EXPECT_TRUE(std::filesystem::exists(root / "scripts/deep/a.sh"));
  put("scripts/other", "");
  take_back(*first);
  EXPECT_FALSE(std::filesystem::exists(root / "scripts/deep"));
  EXPECT_TRUE(std::filesystem::exists(root / "scripts/other"));
}

TEST_F(NewCase, NoScriptThatIsThereIsWrittenOver) {
  put("scripts/a.sh", "# mine\n");
  EXPECT_EQ(made("a", {"true"}).error().exit_code, exit_code::refused);
  auto first = made("b", {"true"});
  ASSERT_TRUE(first) << first.error().message;
  put("scripts/b.sh", "# of another gate\n");
  EXPECT_EQ(write_first_case(*first).error().exit_code, exit_code::refused);
  take_back(*first);
  EXPECT_EQ(get("scripts/b.sh"), "# of another gate\n");
}

TEST_F(NewSuite, AnEmptyFolderIsNoSuite) {
  const auto refused = init(root, DryRun::yes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, exit_code::refused);
  EXPECT_EQ(init(root / "gone", DryRun::yes).error().exit_code, exit_code::usage);
}

TEST_F(NewSuite, TheModelLinkFamilyIsKnownByItsTree) {
  put("tests/st/shell_scripts/llama2.sh", "torchrun pretrain_gpt.py --train-iters 15\n");
  put("tests/st/baseline_results/llama2.json", R"({"lm loss": [10.5, 10.25], "throughput": [100, 101]})");
  const auto made = init(root, DryRun::no);
  ASSERT_TRUE(made) << made.error().message;
  const Suite opened = suite();
  ASSERT_THAT(opened.cases, SizeIs(1));
  EXPECT_THAT(opened.cases[0].name, HasSubstr("llama2"));
}

}  // namespace
}  // namespace gate::app::import_tree_test
