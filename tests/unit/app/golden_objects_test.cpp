// Golden files that are objects of a store.
#include <gmock/gmock.h>

#include "app/outputs/outputs.h"

namespace gate::app::golden_objects_test {
namespace {

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
