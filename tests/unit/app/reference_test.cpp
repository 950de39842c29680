// Published tables that come into a suite's references.json.
#include "gate/stored/reference.h"

#include <gmock/gmock.h>

#include "gate/schema/performance_file.h"
#include "suite_of_files.h"

namespace gate::app::reference_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class References : public SuiteOfFiles {
 protected:
  // The suite as the commands open it: no case is looked at.
  Suite opened() const {
    Answer<Suite> suite = open_suite_if_any({root, {}, {}});
    EXPECT_TRUE(suite) << (suite ? "" : suite.error().message);
    return std::move(*suite);
  }

  // A table with these rows, each `MODEL PERFORMANCE`.
  void table(const std::string& file, const std::vector<std::string>& rows) const {
    std::string text = "model,performance\n";
    for (std::string row : rows) text += row.replace(row.find(' '), 1, ",") + "\n";
    put(file, text);
  }

  Answer<ReferenceImport> imported(const std::vector<std::string>& files, DryRun dry_run = DryRun::no) const {
    std::vector<std::string> paths;
    for (const std::string& file : files) paths.push_back(at(file));
    return import_references(opened(), paths, dry_run);
  }

  // Return what the import came to, `added/changed/removed/same`, or its exit code and message.
  std::string counts(const std::vector<std::string>& files, DryRun dry_run = DryRun::no) const {
    const auto made = imported(files, dry_run);
    if (!made) return std::to_string(made.error().exit_code) + " " + made.error().message;
    return std::to_string(made->added.size()) + "/" + std::to_string(made->changed.size()) + "/" +
           std::to_string(made->removed.size()) + "/" + std::to_string(made->same);
  }

  // Return `NAME MEASURED SOURCE` of each row that the suite has.
  std::vector<std::string> rows() const {
    std::vector<std::string> all;
    const auto now = references_of(opened());
    EXPECT_TRUE(now) << (now ? "" : now.error().message);
    if (now)
      for (const PerformanceRow& row : now->rows)
        all.push_back(row.name + " " + (row.measured ? row.measured->to_string() : "--") + " " + row.source);
    return all;
  }
};

TEST_F(References, ASuiteWithoutTheFileHasNone) { EXPECT_THAT(rows(), IsEmpty()); }

TEST_F(References, AFileComesInAsItIs) {
  table("a.csv", {"B 1.50", "A 2"});
  EXPECT_EQ(counts({"a.csv"}), "2/0/0/0");
  EXPECT_THAT(rows(), ElementsAre("B 1.50 a.csv:2", "A 2 a.csv:3"));
}

TEST_F(References, AFileAgainTakesThePlaceOfItsRows) {
  table("a.csv", {"A 1", "B 2"});
  table("b.csv", {"C 3"});
  EXPECT_EQ(counts({"a.csv", "b.csv"}), "3/0/0/0");
  table("a.csv", {"D 4", "B 2", "A 1.0"});
  EXPECT_EQ(counts({"a.csv"}), "1/1/0/2") << "C and B are the same, though B is in another line";
  EXPECT_THAT(rows(), ElementsAre("D 4 a.csv:2", "B 2 a.csv:3", "A 1.0 a.csv:4", "C 3 b.csv:2"));
  table("a.csv", {"A 1.0"});
  const auto made = imported({"a.csv"});
  ASSERT_TRUE(made);
  ASSERT_EQ(made->removed.size(), 2U);
  EXPECT_EQ(made->removed[0].name + made->removed[1].name, "DB");
  EXPECT_TRUE(made->is_written);
  EXPECT_FALSE(imported({"a.csv"})->is_written) << "it says so already";
}

TEST_F(References, ItIsTheNameOfTheFileThatCountsNotItsFolder) {
  table("old/a.csv", {"A 1", "B 2"});
  EXPECT_EQ(counts({"old/a.csv"}), "2/0/0/0");
  table("new/a.csv", {"A 3"});
  EXPECT_EQ(counts({"new/a.csv"}), "0/1/1/0");
  EXPECT_THAT(counts({"old/a.csv", "new/a.csv"}), HasSubstr("has the name of"));
}

TEST_F(References, ARowOfAnotherFileIsReplaced) {
  table("a.csv", {"A 1", "B 2", "C 3"});
  table("b.csv", {"C 4", "B 2"});
  counts({"a.csv"});
  EXPECT_EQ(counts({"b.csv"}), "0/2/0/1") << "that B is from another file now is a change";
  EXPECT_THAT(rows(), ElementsAre("A 1 a.csv:2", "C 4 b.csv:2", "B 2 b.csv:3"));
}

TEST_F(References, ARowThatSomebodyWroteIsOfNoFile) {
  put("references.json", R"({"schema": "gate.references/1", "rows": [{"name": "A"}]})");
  table("a.csv", {"A 1"});
  EXPECT_EQ(counts({"a.csv"}), "0/1/0/0");
}

TEST_F(References, ADryRunWritesNothing) {
  table("a.csv", {"A 1"});
  EXPECT_EQ(counts({"a.csv"}, DryRun::yes), "1/0/0/0");
  EXPECT_FALSE(std::filesystem::exists(root / "references.json"));
  EXPECT_FALSE(std::filesystem::exists(root / ".gate"));
}

TEST_F(References, OneBadFileOfSeveralChangesNothing) {
  table("a.csv", {"A 1"});
  table("b.csv", {"B x"});
  EXPECT_THAT(counts({"a.csv", "b.csv"}), HasSubstr("b.csv:2:3: measured \"x\" is no number"));
  EXPECT_THAT(counts({"a.csv", "c.csv"}), HasSubstr("c.csv"));
  EXPECT_THAT(rows(), IsEmpty());
}

TEST_F(References, ABrokenTableIsNotWrittenOver) {
  put("references.json", "{");
  table("a.csv", {"A 1"});
  EXPECT_THAT(counts({"a.csv"}), HasSubstr("references.json:1:2: "));
  EXPECT_FALSE(references_of(opened()));
}

TEST_F(References, AreWrittenToWhereALinkLeads) {
  put("elsewhere.json", R"({"schema": "gate.references/1", "rows": []})");
  std::filesystem::create_symlink("elsewhere.json", root / "references.json");
  table("a.csv", {"A 1"});
  EXPECT_EQ(counts({"a.csv"}), "1/0/0/0");
  EXPECT_TRUE(std::filesystem::is_symlink(root / "references.json"));
  EXPECT_THAT(rows(), ElementsAre("A 1 a.csv:2"));
}

}  // namespace
}  // namespace gate::app::reference_test
