#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "golden.h"

namespace gate::schema::golden_modellink_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(GoldenModelLink, TakesPositionsAsStepsAndKeepsTheTextOfNumbers) {
  const Baseline baseline = golden(R"({
    "lm loss": [2.104160, 1.5E+00, 7],
    "throughput": [38.5, 128.8, 129.0],
    "memo info": [
      {"rank": 4, "allocated memory": 10.5, "max allocated memory": 20.25},
      {"rank": 0, "allocated memory": 11.0, "max allocated memory": 21}]})");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step?: 1=2.104160 2=1.5E+00 3=7",
                                           "throughput [TFLOP/s/device] step?: 1=38.5 2=128.8 3=129.0",
                                           "memory_allocated rank 0 [MiB] report: 1=11.0",
                                           "memory_allocated rank 4 [MiB] report: 1=10.5",
                                           "memory_max_allocated rank 0 [MiB] report: 1=21",
                                           "memory_max_allocated rank 4 [MiB] report: 1=20.25"));
  EXPECT_EQ(baseline.origin, "modellink");
  EXPECT_THAT(baseline.notes,
              ElementsAre("lm loss, throughput: no step numbers in the file, taken as steps 1-3"));
}

TEST(GoldenModelLink, ReadsTheNamesOfAllItsTools) {
  const Baseline llm = golden(R"({"grad norm": [3], "time info": [2], "lm loss": [1]})");
  EXPECT_THAT(shown(llm), ElementsAre("lm_loss [] step?: 1=1", "grad_norm [] step?: 1=3",
                                      "iteration_time [ms] step?: 1=2"));
  EXPECT_EQ(llm.origin, "mindspeed-llm");
  const Baseline mm = golden(R"({"loss": [1], "time": [2], "warm_up": 1})");
  EXPECT_THAT(shown(mm), ElementsAre("lm_loss [] step?: 1=1", "iteration_time [ms] step?: 1=2"));
  EXPECT_EQ(mm.origin, "mindspeed-mm");
  EXPECT_EQ(mm.warm_up, 1);
  EXPECT_EQ(llm.warm_up, std::nullopt);
  EXPECT_THAT(
      mm.notes,
      Contains("warm_up: 1 stands in the file; profile mindspeed-mm uses it, gate's own rules do not"));
}

TEST(GoldenModelLink, KeepsMargins) {
  const Baseline baseline = golden(R"({"lm loss": [1], "lm loss margin": 0.02, "memo info margin": 0.10})");
  EXPECT_EQ(baseline.margins,
            (std::map<std::string, std::string>{
                {"lm_loss", "0.02"}, {"memory_allocated", "0.10"}, {"memory_max_allocated", "0.10"}}));
  EXPECT_THAT(
      baseline.notes,
      Contains(
          "lm loss margin: 0.02 stands in the file; profile mindspeed-llm uses it, gate's own rules do not"));
}

TEST(GoldenModelLink, LeavesOutWhatWasNotRecorded) {
  const Baseline baseline = golden(R"({"lm loss": [1.5, "nan", null, 1.25, "-Inf"]})");
  EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step?: 1=1.5 4=1.25 unrecorded 2, 3, 5"));
  EXPECT_THAT(
      baseline.notes,
      Contains(
          "lm loss: 3 values not recorded (nan or null, text \"-Inf\" among them), left out: steps 2, 3, 5"));
  EXPECT_EQ(baseline.notes.front().in(Language::chinese),
            "lm loss：3 个值未记录（nan 或 null，包括文本 \"-Inf\"），略去：第 2, 3, 5 步");
  EXPECT_EQ(baseline.notes.back().in(Language::chinese), "lm loss：文件里没有步号，视为第 1-5 步");
}

TEST(GoldenModelLink, KeepsAListWithoutAnyValue) {
  EXPECT_THAT(shown(golden(R"({"lm loss": ["nan", null]})")),
              ElementsAre("lm_loss [] step?: unrecorded 1, 2"));
}

TEST(GoldenModelLink, RefusesAnEmptyListOfLossesAndNotesOthers) {
  for (const std::string key : {"memo info", "throughput", "time info", "grad norm", "time"}) {
    const Baseline baseline = golden("{\"lm loss\": [1],\n\"" + key + "\": []}");
    EXPECT_THAT(baseline.notes, Contains(key + ": an empty list, nothing to compare with"));
    EXPECT_THAT(shown(baseline), ElementsAre("lm_loss [] step?: 1=1"));
  }
  for (const std::string key : {"lm loss", "loss"})
    EXPECT_EQ(golden_error("{\"memo info\": [],\n\"" + key + "\": []}"),
              "g.json:2:" + std::to_string(key.size() + 5) + ": \"" + key +
                  "\" holds no value, and would let every run pass; write its values, or remove the key");
}

TEST(GoldenModelLink, NotesListsOfDifferentLengths) {
  EXPECT_THAT(golden(R"({"throughput": [1, 2], "lm loss": [3, 4, 5]})").notes,
              ElementsAre("lm loss: no step numbers in the file, taken as steps 1-3",
                          "throughput: no step numbers in the file, taken as steps 2-3, the last of 3"));
  const Baseline speeds =
      golden(R"({"lm loss": [1, 2, 3, 4], "throughput": [5, "nan", 6], "grad norm": [7, 8, 9]})");
  EXPECT_THAT(shown(speeds),
              ElementsAre("lm_loss [] step?: 1=1 2=2 3=3 4=4", "grad_norm [] step?: 1=7 2=8 3=9",
                          "throughput [TFLOP/s/device] step?: 2=5 4=6 unrecorded 3"));
  EXPECT_TRUE(speeds.runs.front().series.back().of_last_steps());
  EXPECT_FALSE(
      golden(R"({"lm loss": [1, 2], "throughput": [3]})").runs.front().series.back().of_last_steps());
}

TEST(GoldenModelLink, HoldsALossOfEachStepWhoseSpeedItHolds) {
  EXPECT_EQ(
      golden_error(R"({"throughput": [3, 4, 5], "lm loss": [1, 2]})"),
      "g.json:1:38: \"lm loss\" holds 2 values and a speed 3: steps would be compared with nothing; write "
      "the values of all");
}

TEST(GoldenModelLink, NumbersSeveralEntriesOfARankAsItsReports) {
  const Baseline baseline = golden(R"({"memo info": [
      {"rank": 0, "allocated memory": 1, "max allocated memory": 2, "format": "megatron"},
      {"rank": 0, "allocated memory": 3, "max allocated memory": 4},
      {"rank": 1, "allocated memory": 5, "max allocated memory": 6},
      {"rank": 1, "allocated memory": 7, "max allocated memory": 8},
      {"rank": 2, "allocated memory": 9, "max allocated memory": 10}]})");
  EXPECT_THAT(shown(baseline), ElementsAre("memory_allocated rank 0 [MiB] report?: 1=1 2=3",
                                           "memory_allocated rank 1 [MiB] report?: 1=5 2=7",
                                           "memory_allocated rank 2 [MiB] report: 1=9",
                                           "memory_max_allocated rank 0 [MiB] report?: 1=2 2=4",
                                           "memory_max_allocated rank 1 [MiB] report?: 1=6 2=8",
                                           "memory_max_allocated rank 2 [MiB] report: 1=10"));
  EXPECT_THAT(baseline.notes, ElementsAre("memo info: 2 entries each of ranks 0, 1, taken as reports 1-2"));
}

TEST(GoldenModelLink, NotesThatAllEntriesAreOfOneRank) {
  const Baseline baseline = golden(R"({"memo info": [
      {"rank": 0, "allocated memory": 1, "max allocated memory": 2},
      {"rank": 0, "allocated memory": 3, "max allocated memory": 4}]})");
  EXPECT_THAT(
      baseline.notes,
      ElementsAre("memo info: rank 0 stands 2 times, and no other rank at all; taken as its reports 1-2"));
}

TEST(GoldenModelLink, NotesWhatLooksLikeARestart) {
  EXPECT_THAT(
      golden(R"({"throughput": [32.9, 129.5, 129.6, 30.9, 130.2]})").notes,
      Contains("throughput: 30.9 at position 4 is below half of its neighbours: probably a second attempt "
               "begins there; its values are taken as the steps that follow"));
  EXPECT_THAT(golden(R"({"throughput": [32.9, 129.5, 70.0, 130.2, 30.9]})").notes, testing::SizeIs(1));
}

// A metric of the file's own is one of gate's, too; what holds no numbers is none.
TEST(GoldenModelLink, TakesNumbersUnderAKeyOfTheFilesOwn) {
  const Baseline own = golden(R"({"lm loss": [1], "my metric": [2, 3], "By-step": {"5": 1.5, "7": 2}})");
  EXPECT_THAT(shown(own),
              testing::IsSupersetOf({"my_metric [] step?: 1=2 2=3", "by_step [] step: 5=1.5 7=2"}));
  EXPECT_THAT(
      own.notes,
      Contains("\"my metric\" (my_metric), \"By-step\" (by_step): a key of this file's own, taken as the "
               "metric of that name; rules.METRIC in gate.toml gates it"));
  for (const char* other : {R"(["x"])", "[]", "{}", "3", R"({"a": 1})", R"([[1]])", "null"})
    EXPECT_THAT(golden(R"({"lm loss": [1], "own": )" + std::string(other) + "}").notes,
                Contains("key \"own\" is unknown and not used"))
        << other;
  EXPECT_EQ(golden_error(R"({"lm loss": [1], "own": [1, "x"]})"),
            "g.json:1:29: a value must be a number or \"nan\", not \"x\"");
}

TEST(GoldenModelLink, NotesUnknownKeys) {
  EXPECT_THAT(golden(R"({"lm loss": [1], "lr": "2", "memo info": [
      {"rank": 0, "allocated memory": 1, "max allocated memory": 2, "host": "a"}]})")
                  .notes,
              testing::IsSupersetOf(
                  {"key \"lr\" is unknown and not used", "memo info: key \"host\" is unknown and not used"}));
}

// Who wrote it wants it compared: passed over, the case would be green without.
TEST(GoldenModelLink, RefusesAKnownKeyInAnotherSpelling) {
  EXPECT_EQ(golden_error(R"({"lm_loss": [1], "throughput": [2]})"),
            "g.json:1:2: \"lm_loss\" is no key of such a file; did you mean \"lm loss\"?");
  EXPECT_EQ(golden_error(R"({"throughput": [2], "Grad Norm": [1]})"),
            "g.json:1:21: \"Grad Norm\" is no key of such a file; did you mean \"grad norm\"?");
  EXPECT_EQ(golden_error(R"({"throughput": [2], "memo_info": []})"),
            "g.json:1:21: \"memo_info\" is no key of such a file; did you mean \"memo info\"?");
}

TEST(GoldenModelLink, RefusesWrongTypes) {
  EXPECT_EQ(golden_error(R"({"lm loss": 1})"), "g.json:1:13: \"lm loss\" must be a list, not a number");
  EXPECT_EQ(golden_error(R"({"lm loss": ["1.5"]})"),
            "g.json:1:14: a value must be a number or \"nan\", not \"1.5\"");
  EXPECT_EQ(golden_error(R"({"lm loss": ["abc"]})"),
            "g.json:1:14: a value must be a number or \"nan\", not \"abc\"");
  EXPECT_EQ(golden_error(R"({"lm loss": [[1]]})"),
            "g.json:1:14: a value must be a number or \"nan\", not a list");
  EXPECT_EQ(golden_error(R"({"lm loss": [true]})"),
            "g.json:1:14: a value must be a number or \"nan\", not true or false");
  EXPECT_EQ(golden_error(R"({"lm loss": [1], "lm loss margin": "x"})"),
            "g.json:1:36: \"lm loss margin\" must be a number, not a text");
  EXPECT_EQ(golden_error(R"({"loss": [1], "warm_up": "x"})"),
            "g.json:1:26: \"warm_up\" must be a whole number, not a text");
  EXPECT_EQ(golden_error(R"({"lm loss": [1], "loss": [1]})"),
            "g.json:1:18: \"loss\" is a second series of lm_loss; remove one of them");
}

TEST(GoldenModelLink, RefusesBrokenMemory) {
  const auto memory = [](const std::string& entry) {
    return golden_error("{\"memo info\": [\n" + entry + "]}");
  };
  EXPECT_EQ(golden_error(R"({"memo info": {}})"), "g.json:1:15: \"memo info\" must be a list, not an object");
  EXPECT_EQ(memory("7"), "g.json:2:1: this must be an object, not a number");
  EXPECT_EQ(memory("{}"), "g.json:2:1: \"rank\" is missing here");
  EXPECT_EQ(memory(R"({"allocated memory": 1, "max allocated memory": 2})"),
            "g.json:2:1: \"rank\" is missing here");
  EXPECT_EQ(memory(R"({"rank": "0", "allocated memory": 1, "max allocated memory": 2})"),
            "g.json:2:10: \"rank\" must be a whole number, not a text");
  EXPECT_EQ(memory(R"({"rank": 0, "allocated memory": 1})"),
            "g.json:2:1: \"max allocated memory\" is missing here");
  EXPECT_EQ(memory(R"({"rank": 0, "allocated memory": "1", "max allocated memory": 2})"),
            "g.json:2:33: \"allocated memory\" must be a number of MiB, not a text");
}

// --- the files that teams have
// --------------------------------------------------------------------------------------

std::vector<std::filesystem::path> real_files(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code absent;
  for (const auto& entry :
       std::filesystem::directory_iterator(GATE_SOURCE_DIR "/../shared/data/" + folder, absent))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  return files;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_usable(const std::filesystem::path& path) {
  const auto read = read_baseline(content(path), path.filename().string());
  ASSERT_TRUE(read.has_value()) << read.error().message;
  const Series* loss = find_series(read->runs.at(0).series, "lm_loss", std::nullopt);
  ASSERT_NE(loss, nullptr) << path;
  EXPECT_GE(loss->size(), 14U) << path;
  EXPECT_TRUE(loss->assumed());
}

TEST(GoldenModelLink, ReadsRealFilesOfModelLink) {
  const auto files = real_files("modellink");
  if (files.empty()) GTEST_SKIP() << "the collection of real golden files is not here";
  for (const auto& path : files) {
    expect_usable(path);
    EXPECT_EQ(golden(content(path)).origin, "modellink") << path;
  }
}

TEST(GoldenModelLink, ReadsRealFilesOfMindSpeed) {
  const auto files = real_files("mindspeed-llm");
  if (files.empty()) GTEST_SKIP() << "the collection of real golden files is not here";
  for (const auto& path : files) {
    expect_usable(path);
    EXPECT_EQ(golden(content(path)).origin, "mindspeed-llm") << path;
  }
}

TEST(GoldenModelLink, ReadsTheRealFileWithTwoAttempts) {
  const auto path =
      std::filesystem::path(GATE_SOURCE_DIR "/../shared/data/modellink/llama2_tp2_pp1_ha_save_ptd.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the collection of real golden files is not here";
  const Baseline baseline = golden(content(path));
  const Series* memory = find_series(baseline.runs.at(0).series, "memory_allocated", 1);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory->samples().back().number, 2);
  EXPECT_THAT(texts_of(baseline.notes, &Sentence::english), Contains(HasSubstr("30.9 at position 5")));
}

TEST(GoldenModelLink, RefusesANegativeMargin) {
  EXPECT_EQ(golden_error(R"({"lm loss": [1], "lm loss margin": -0.1})"),
            "g.json:1:36: a margin must not be negative");
}

}  // namespace
}  // namespace gate::schema::golden_modellink_test
