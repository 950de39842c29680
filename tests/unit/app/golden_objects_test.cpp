// Golden files, inputs and results that are objects of a store.
#include <gmock/gmock.h>

#include "app/outputs/outputs.h"
#include "made_up_host.h"

namespace gate::app::golden_objects_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

// Objects by their URLs.
class MadeUpObjects : public ObjectPlaces {
 public:
  Status fetch(const std::string& place, const fs::Path& to) override {
    fetched.push_back(place);
    if (!place.ends_with('/') && !all.contains(place)) return fail(place + ": there is no such object");
    for (const auto& [url, text] : all)
      if (url == place || (place.ends_with('/') && url.starts_with(place)))
        GATE_TRY_STATUS(fs::write_file(url == place ? to : to / url.substr(place.size()), text));
    return {};
  }

  Status put(const fs::Path& file, const std::string& place) override {
    if (place.find("/refused/") != std::string::npos) return fail(place + ": refused");
    GATE_TRY(all[place], fs::read_file(file));
    return {};
  }

  std::map<std::string, std::string> all;
  std::vector<std::string> fetched;
};

class Objects : public MadeUpHost {
 protected:
  Objects() {
    objects = store;
    script("answers");
    with_case("s3://b/golden/{case}.txt", "s3://b/results/{case}");
    Play play{""};
    play.meanwhile = [this] { put("scripts/answer.txt", answer); };
    runner.plays("answers", {play});
    store->all = {
        {"s3://b/golden/answers.txt", "a b c d e\n"}, {"s3://b/in/deep/x", "1"}, {"s3://b/in/y", "2"}};
  }

  void with_case(const std::string& golden, const std::string& to) {
    policy(
        "[suite]\ncwd = \"scripts\"\n[case.answers]\nstages.download.from = "
        "[\"s3://b/in/\"]\nstages.upload.to = \"" +
        to + "\"\noutputs.answer = { file = \"" + (root / "scripts/answer.txt").string() + "\", golden = \"" +
        golden + "\", metric = \"exact_match\", tolerance = \">= 1\" }\n");
  }

  std::shared_ptr<MadeUpObjects> store = std::make_shared<MadeUpObjects>();
  std::string answer = "a b c d e\n";
};

TEST_F(Objects, AreFetchedAndPut) {
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers passed") << report.cases[0].reason;
  EXPECT_THAT(store->fetched, ElementsAre("s3://b/in/", "s3://b/golden/answers.txt"));
  EXPECT_EQ(store->all["s3://b/results/answers/answer.txt"], answer);
  EXPECT_THAT(store->all, Contains(Key("s3://b/results/answers/test_result.json")));
}

TEST_F(Objects, JudgeAsFilesDo) {
  answer = "a b x d e\n";
  EXPECT_EQ(verdicts(ran()), "answers regressed");
}

TEST_F(Objects, ThatDoNotComeStopTheCase) {
  with_case("s3://b/golden/none.txt", "s3://b/results/");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("s3://b/golden/none.txt: there is no such object"));
  EXPECT_THAT(runner.launched(), testing::IsEmpty());
}

TEST_F(Objects, ThatAreNotTakenAreAProblem) {
  with_case("s3://b/golden/{case}.txt", "s3://b/refused/");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("refused"));
}

TEST_F(Objects, OfGoldenFilesAreNeverWritten) {
  store->all["s3://b/results/answers/answer.txt"] = "a b c d e\n";
  with_case("s3://b/results/{case}/answer.txt", "s3://b/results/{case}");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "answers infra");
  EXPECT_THAT(report.cases[0].reason, HasSubstr("s3://b/results/answers/answer.txt: is the golden file"));
}

TEST_F(Objects, WithoutAStoreNothingIsReached) {
  objects = nullptr;
  EXPECT_THAT(ran().cases[0].reason, HasSubstr("s3://b/in/: no store is reached from here"));
}

TEST(GoldenObjects, LieBesideTheStages) {
  config::CaseOutput output;
  output.golden = {"/a/golden.txt", "{stages}/golden.txt", "s3://b/one/golden.json",
                   "s3://b/two/golden.json"};
  const std::vector<fs::Path> files = golden_files(output, "/run/stages");
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(files[0], "/a/golden.txt");
  EXPECT_EQ(files[1], "/run/stages/golden.txt");
  EXPECT_EQ(files[2].parent_path(), "/run/stages/golden");
  EXPECT_EQ(files[2].extension(), ".json");
  EXPECT_NE(files[2], files[3]);
}

}  // namespace
}  // namespace gate::app::golden_objects_test
