#include <gmock/gmock.h>

#include "../temporary.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/suite_folder.h"

namespace gate::store::suite_folder_test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Baseline baseline_of(const std::string& case_name, const std::string& platform, const std::string& metric) {
  Baseline baseline;
  baseline.case_name = case_name;
  baseline.platform = platform;
  Series series(metric, std::nullopt, "", Numbering::step);
  series.append({1, *parse_value("1.5"), "1.5", 0, 0});
  baseline.runs = {{std::nullopt, {series}}};
  return baseline;
}

class SuiteFolder : public Temporary {
 protected:
  SuiteFolder() {
    layout.root = root;
    layout.platforms = {{"npu", {"ascend-910b1", "ascend-910b3"}}, {"any_npu", {"ascend-*", "x", "y"}}};
  }

  void write(const Baseline& baseline) const {
    const auto path = write_baseline(layout, baseline, place_of(baseline));
    ASSERT_TRUE(path.has_value()) << path.error().message;
  }

  std::vector<std::string> paths(const std::string& case_name, const std::string& platform) const {
    std::vector<std::string> found;
    const auto files = read_baselines(layout, {platform, case_name});
    EXPECT_TRUE(files.has_value()) << files.error().message;
    for (const BaselineFile& file : files.value_or(std::vector<BaselineFile>{})) found.push_back(file.path);
    return found;
  }

  BaselineLayout layout;
};

TEST_F(SuiteFolder, WritesABaselineToItsPlace) {
  EXPECT_EQ(*write_baseline(layout, baseline_of("sub/a", "", "lm_loss"), {"", "sub/a"}),
            "baselines/sub/a.json");
  EXPECT_EQ(*write_baseline(layout, baseline_of("sub/a", "npu", "lm_loss"), {"npu", "sub/a"}),
            "baselines/npu/sub/a.json");
  EXPECT_EQ(get("baselines/sub/a.json"), schema::write_baseline(baseline_of("sub/a", "", "lm_loss")));
}

TEST_F(SuiteFolder, OfItsOwnIsHiddenFromGitAsItIsMade) {
  ASSERT_TRUE(make_gate_folder(layout));
  EXPECT_EQ(get(".gate/.gitignore"), "*\n");
  std::filesystem::remove(layout.root / ".gate/.gitignore");
  ASSERT_TRUE(make_gate_folder(layout));
  EXPECT_FALSE(fs::exists(layout.root / ".gate/.gitignore"));
}

TEST_F(SuiteFolder, ReadsTheMostSpecificFileFirst) {
  for (const char* platform : {"", "ascend-910b3", "npu", "any_npu", "cpu"})
    write(baseline_of("a", platform, "lm_loss"));
  EXPECT_THAT(paths("a", "ascend-910b3"), ElementsAre("baselines/ascend-910b3/a.json", "baselines/npu/a.json",
                                                      "baselines/any_npu/a.json", "baselines/a.json"));
  EXPECT_THAT(paths("a", "ascend-910c"), ElementsAre("baselines/any_npu/a.json", "baselines/a.json"));
  EXPECT_THAT(paths("a", ""), ElementsAre("baselines/a.json"));
  EXPECT_THAT(paths("b", "cpu"), IsEmpty());
}

TEST_F(SuiteFolder, TakesEachMetricFromTheMostSpecificFile) {
  Baseline general = baseline_of("a", "", "lm_loss");
  general.runs[0].series.push_back(baseline_of("a", "", "throughput").runs[0].series[0]);
  write(general);
  write(baseline_of("a", "cpu", "throughput"));
  const Reference reference = reference_of(*read_baselines(layout, {"cpu", "a"}));
  ASSERT_EQ(reference.series.size(), 2U);
  EXPECT_EQ(reference.series[0].path, "baselines/cpu/a.json");
  EXPECT_EQ(reference.series[0].platform, "cpu");
  EXPECT_EQ(reference.series[1].path, "baselines/a.json");
  EXPECT_EQ(reference.series[1].platform, "");
}

TEST_F(SuiteFolder, TakesAGroupsFileForThePlatformThatAsks) {
  write(baseline_of("a", "npu", "lm_loss"));
  const auto files = read_baselines(layout, {"ascend-910b3", "a"});
  EXPECT_EQ(files->at(0).place.platform, "npu");
  EXPECT_EQ(files->at(0).baseline.platform, "ascend-910b3");
  EXPECT_THAT(files->at(0).baseline.notes, IsEmpty());
}

TEST_F(SuiteFolder, ReadsGoldenFilesOfOtherTools) {
  put("baselines/cpu/a.json", R"({"lm loss": [1.5, 1.25]})");
  const auto files = read_baselines(layout, {"cpu", "a"});
  ASSERT_TRUE(files.has_value()) << files.error().message;
  EXPECT_EQ(files->at(0).baseline.case_name, "a");
  EXPECT_EQ(files->at(0).baseline.platform, "cpu");
  EXPECT_EQ(files->at(0).sha256, fs::sha256(R"({"lm loss": [1.5, 1.25]})"));
}

TEST_F(SuiteFolder, NotesFilesThatSayOtherwise) {
  put("baselines/cpu/a.json", schema::write_baseline(baseline_of("b", "nvidia-h100", "lm_loss")));
  const auto files = read_baselines(layout, {"cpu", "a"});
  EXPECT_THAT(files->at(0).baseline.notes,
              ElementsAre("baselines/cpu/a.json says that it is of case b",
                          "baselines/cpu/a.json says that it is of platform nvidia-h100"));
}

TEST_F(SuiteFolder, NamesTheFileThatItCannotUnderstand) {
  put("baselines/a.json", "{\n]");
  EXPECT_THAT(read_baselines(layout, {"", "a"}).error().message,
              StartsWith("baselines/a.json:2:1: not JSON"));
  std::filesystem::create_directories(root / "baselines/b.json");
  EXPECT_THAT(read_baselines(layout, {"", "b"}).error().message, HasSubstr("b.json: is a directory"));
}

TEST_F(SuiteFolder, RefusesNamesThatLeaveIt) {
  for (const std::string name :
       {"", "/etc/passwd", "..", "../x", "a/../../x", "a//b", "./a", "a/", "a\nb", "a\tb"}) {
    EXPECT_FALSE(write_baseline(layout, baseline_of(name, "", "lm_loss"), {"", name}).has_value()) << name;
    EXPECT_FALSE(read_baselines(layout, {"", name}).has_value()) << name;
    EXPECT_FALSE(write_candidate(layout, baseline_of(name, "", "lm_loss")).has_value()) << name;
    EXPECT_FALSE(read_candidate(layout, {"", name}).has_value()) << name;
  }
  EXPECT_EQ(check_case_name("a/../b").error().message,
            "case \"a/../b\" holds a part \"..\"; name it like pretrain/llama2_tp2");
  EXPECT_TRUE(check_case_name("pretrain/qwen3..8b").has_value());
  EXPECT_TRUE(std::filesystem::is_empty(root));
}

TEST_F(SuiteFolder, RefusesPlatformsThatAreNone) {
  EXPECT_EQ(write_baseline(layout, baseline_of("a", "../x", "lm_loss"), {"../x", "a"}).error().message,
            "platform \"../x\" is none of cpu, ascend-*, nvidia-*, amd-*; declare it under [platforms] in "
            "gate.toml");
  EXPECT_FALSE(write_baseline(layout, baseline_of("a", "nvidia-/../..", "lm_loss"), {"nvidia-/../..", "a"})
                   .has_value());
}

TEST_F(SuiteFolder, LooksFromTheMostSpecificPlaceOn) {
  std::vector<std::string> names;
  for (const BaselinePlace& place : baseline_chain(layout, {"ascend-910b3", "a", "lts"}))
    names.push_back(place.name());
  EXPECT_THAT(names, ElementsAre("ascend-910b3@lts", "npu@lts", "any_npu@lts", "ascend-910b3", "npu",
                                 "any_npu", "@lts", "general"));
  names.clear();
  for (const BaselinePlace& place : baseline_chain(layout, {"ascend-910b3", "a", ""}))
    names.push_back(place.name());
  EXPECT_THAT(names, ElementsAre("ascend-910b3", "npu", "any_npu", "general"));
}

TEST_F(SuiteFolder, EachMetricComesFromTheFirstPlaceThatHasIt) {
  const auto put_at = [&](const BaselinePlace& place, const std::string& metric) {
    Baseline baseline = baseline_of("a", place.platform, metric);
    baseline.environment = place.environment;
    ASSERT_TRUE(write_baseline(layout, baseline, place));
  };
  put_at({"cpu", "a", "lts"}, "lm_loss");
  put_at({"cpu", "a", "dev"}, "lm_loss");
  put_at({"cpu", "a"}, "throughput");
  put_at({"", "a", "lts"}, "throughput");
  put_at({"", "a"}, "grad_norm");
  const auto from = [&](const BaselinePlace& run) {
    std::vector<std::string> found;
    for (const ReferenceSeries& series : reference_of(*read_baselines(layout, run)).series)
      found.push_back(series.runs.front().metric() + " " + series.path);
    return found;
  };
  EXPECT_THAT(from({"cpu", "a", "lts"}),
              ElementsAre("lm_loss baselines/cpu@lts/a.json", "throughput baselines/cpu/a.json",
                          "grad_norm baselines/a.json"));
  EXPECT_THAT(from({"npu", "a", "lts"}),
              ElementsAre("throughput baselines/@lts/a.json", "grad_norm baselines/a.json"));
  EXPECT_THAT(from({"cpu", "a", ""}),
              ElementsAre("throughput baselines/cpu/a.json", "grad_norm baselines/a.json"))
      << "a run of no environment has no file of one";
}

TEST_F(SuiteFolder, ReadsWhatOlderGatesPutIntoAFolderOfLts) {
  write(baseline_of("a", "nvidia-a100-lts", "lm_loss"));
  const auto files = read_baselines(layout, {"nvidia-a100", "a", "lts"});
  ASSERT_EQ(files->size(), 1U);
  EXPECT_EQ(files->at(0).path, "baselines/nvidia-a100-lts/a.json");
  EXPECT_EQ(files->at(0).baseline.platform, "nvidia-a100");
  EXPECT_THAT(files->at(0).baseline.notes,
              ElementsAre(HasSubstr("gate baseline mv nvidia-a100-lts/ nvidia-a100@lts/")));
  EXPECT_TRUE(read_baselines(layout, {"nvidia-a100", "a", "dev"})->empty());
  EXPECT_TRUE(read_baselines(layout, {"nvidia-a100", "a", ""})->empty());
}

TEST_F(SuiteFolder, RefusesThePlaceOfAnotherCase) {
  EXPECT_EQ(write_baseline(layout, baseline_of("cpu/a", "", "lm_loss"), {"", "cpu/a"}).error().message,
            "baselines/cpu/a.json is the place of case a on platform cpu; rename case cpu/a, or accept it "
            "for a platform");
  write(baseline_of("a", "cpu", "lm_loss"));
  EXPECT_THAT(paths("cpu/a", "nvidia-h100"), IsEmpty());
}

TEST_F(SuiteFolder, KeepsCandidatesApart) {
  const BaselinePlace general{"", "sub/a"}, cpu{"cpu", "sub/a"}, b{"", "b"};
  for (const BaselinePlace& place : {cpu, general, b})
    ASSERT_TRUE(write_candidate(layout, baseline_of(place.case_name, place.platform, "lm_loss")).has_value());
  EXPECT_THAT(*candidates(layout), ElementsAre(b, general, cpu));
  EXPECT_EQ(candidate_path(layout, general), root / ".gate/candidates/sub/a.json");
  EXPECT_EQ(candidate_path(layout, cpu), root / ".gate/candidates/cpu/sub/a.json");
  EXPECT_EQ(read_candidate(layout, cpu)->platform, "cpu");
  EXPECT_EQ(read_candidate(layout, general)->platform, "");
  ASSERT_TRUE(remove_candidate(layout, baseline_of("sub/a", "", "grad_norm")).has_value());
  EXPECT_THAT(*candidates(layout), ElementsAre(b, general, cpu)) << "another one stands there by now";
  ASSERT_TRUE(remove_candidate(layout, baseline_of("sub/a", "", "lm_loss")).has_value());
  EXPECT_THAT(*candidates(layout), ElementsAre(b, cpu));
  EXPECT_THAT(paths("sub/a", "cpu"), IsEmpty());
  std::filesystem::remove(candidate_path(layout, cpu));
  EXPECT_TRUE(remove_candidate(layout, baseline_of("sub/a", "cpu", "lm_loss"))) << "it is gone";
  std::filesystem::create_directory(candidate_path(layout, cpu));
  EXPECT_FALSE(remove_candidate(layout, baseline_of("sub/a", "cpu", "lm_loss"))) << "it cannot be read";
}

TEST_F(SuiteFolder, SaysHowToMakeACandidate) {
  ASSERT_TRUE(write_candidate(layout, baseline_of("dp2", "", "lm_loss")).has_value());
  EXPECT_EQ(read_candidate(layout, {"", "dp3"}).error().message,
            "no candidate of case dp3; did you mean \"dp2\"?; make one with gate baseline record dp3");
  put(".gate/candidates/dp4.json", "");
  EXPECT_THAT(read_candidate(layout, {"", "dp4"}).error().message,
              EndsWith("dp4.json: is empty (0 bytes); fetch or write it again, or remove it"));
}

TEST_F(SuiteFolder, RefusesACandidateInThePlaceOfAnotherPlatform) {
  ASSERT_TRUE(write_candidate(layout, baseline_of("a", "cpu", "lm_loss")).has_value());
  std::filesystem::rename(root / ".gate/candidates/cpu/a.json", root / ".gate/candidates/a.json");
  EXPECT_THAT(
      read_candidate(layout, {"", "a"}).error().message,
      EndsWith("a.json: says that it is of platform cpu and lies where those of general do; record or "
               "import it again"));
}

}  // namespace
}  // namespace gate::store::suite_folder_test
