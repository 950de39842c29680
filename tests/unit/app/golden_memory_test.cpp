#include "gate/places/golden_memory.h"

#include "../temporary.h"

namespace gate::app::golden_memory_test {
namespace {

class Golden : public Temporary {
 protected:
  Golden() {
    settings.outputs["a"].golden = {(root / "a.json").string()};
    settings.outputs["s"].golden = {"{stages}/s.txt"};
    put("a.json", "first");
  }
  // What the output is judged by, or why it is not, and what is a problem.
  std::string judged(const std::string& file) {
    KeptOutput output{"o", {}, ""};
    std::vector<Sentence> problems;
    memory.judge_by_kept({root / file}, output, problems);
    const std::string text = output.unjudged.empty() ? fs::read_file(output.golden.front()).value_or("none")
                                                     : output.unjudged.english();
    return text + (problems.empty() ? "" : " | changed");
  }
  fs::Path copy() const { return root / "kept" / fs::files_below(root / "kept").front(); }

  config::Settings settings;
  GoldenMemory memory{root / "kept"};
};

TEST_F(Golden, IsWhatItWasWhenItWasKept) {
  memory.keep(settings, {});
  EXPECT_EQ(judged("a.json"), "first");
  put("a.json", "second");
  memory.keep(settings, root / "stages");
  EXPECT_EQ(judged("a.json"), "first | changed");
  EXPECT_EQ(copy().extension(), ".json");
  std::filesystem::remove(root / "a.json");
  EXPECT_EQ(judged("a.json"), "first | changed");
}

TEST_F(Golden, IsNoneThatIsMadeMeanwhile) {
  std::filesystem::remove(root / "a.json");
  memory.keep(settings, {});
  EXPECT_EQ(judged("a.json"), "none");
  put("a.json", "made");
  EXPECT_EQ(judged("a.json"), (root / "a.json").string() + ": was not there when the run began | changed");
}

TEST_F(Golden, IsNoCopyThatSomebodyWrote) {
  memory.keep(settings, {});
  std::ofstream(copy()) << "other";
  EXPECT_EQ(judged("a.json"), copy().string() + ": was written while the script ran");
}

// What the download stage brought, and nothing else, is kept anew.
TEST_F(Golden, IsWhatTheDownloadStageBrought) {
  memory.keep(settings, {});
  const GoldenHashes before = golden_hashes(settings, root / "stages");
  put("stages/s.txt", "brought");
  memory.keep(settings, root / "stages", before);
  put("a.json", "second");
  put("stages/s.txt", "scribble");
  memory.keep(settings, root / "stages");
  EXPECT_EQ(judged("stages/s.txt"), "brought | changed");
  EXPECT_EQ(judged("a.json"), "first | changed");
  const GoldenHashes again = golden_hashes(settings, root / "stages");
  put("a.json", "third");
  memory.keep(settings, root / "stages", again);
  EXPECT_EQ(judged("a.json"), "third");
}

}  // namespace
}  // namespace gate::app::golden_memory_test
