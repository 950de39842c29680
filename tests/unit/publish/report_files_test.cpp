// The files of a run, while it goes on and at its end.
#include "gate/publish/report_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "../temporary.h"

namespace gate::publish::report_files_test {
namespace {

using testing::HasSubstr;

std::string verdicts_of(const Report& report, const render::Style& style) {
  std::string out = style.verbose ? "verbose\n" : "";
  for (const CaseReport& c : report.cases) out += c.name + " " + std::string(to_string(c.verdict)) + "\n";
  return out;
}

class ReportFiles : public Temporary {
 protected:
  ReportFiles() {
    report.cases.resize(2);
    report.cases[0].name = "a";
    report.cases[1].name = "b";
    put("run/.keep", "");
  }

  std::string path(const std::string& name) const { return (root / name).string(); }

  // Case `index` has ended.
  void end(Publisher& publisher, std::size_t index, Verdict verdict) {
    report.cases[index].verdict = verdict;
    publisher.on_event(CaseFinished{report.cases[index], &report});
  }

  Report report;  // as it grows: every case not_run
};

TEST_F(ReportFiles, ANamedFileIsRedUntilEverythingHasPassed) {
  Publisher publisher({{path("out.txt"), verdicts_of}}, {});
  publisher.on_event(RunPlanned{report, path("run")});
  EXPECT_EQ(get("out.txt"), "a not_run\nb not_run\n");
  EXPECT_THAT(get("run/junit.xml"), HasSubstr("<testsuites"));
  end(publisher, 0, Verdict::passed);
  end(publisher, 1, Verdict::regressed);
  publisher.on_event(RunFinished{report});
  EXPECT_EQ(get("out.txt"), "a passed\nb regressed\n");
  EXPECT_THAT(get("run/junit.xml"), HasSubstr("regressed"));
}

TEST_F(ReportFiles, AnObjectIsWrittenOnceBehindTheRun) {
  std::vector<std::string> put_there;
  Publisher publisher({{"s3://b/out.txt", verdicts_of}, {path("out.txt"), verdicts_of}}, {},
                      [&](const std::string& place, const std::string& text) {
                        put_there.push_back(place + " " + text);
                        return Status();
                      });
  publisher.on_event(RunPlanned{report, path("run")});
  end(publisher, 0, Verdict::passed);
  publisher.on_event(RunFinished{report});
  EXPECT_TRUE(put_there.empty());
  EXPECT_TRUE(publisher.write(report));
  EXPECT_THAT(put_there, testing::ElementsAre("s3://b/out.txt a passed\nb not_run\n"));
  EXPECT_EQ(get("out.txt"), "a passed\nb not_run\n");
}

TEST_F(ReportFiles, AnObjectThatDoesNotArriveIsAnError) {
  const auto refuse = [](const std::string&, const std::string&) -> Status { return fail("refused"); };
  EXPECT_EQ(Publisher({{"s3://b/x", verdicts_of}}, {}, refuse).write(report).error().message, "refused");
  EXPECT_FALSE(Publisher({{"s3://b/x", verdicts_of}}, {}).write(report));
  EXPECT_TRUE(check({{"s3://b/x", verdicts_of}, {"s3://b/y", verdicts_of}}, ""));
  EXPECT_FALSE(check({{"s3://b/x", verdicts_of}, {"s3://b/x", verdicts_of}}, ""));
  EXPECT_FALSE(check({{"s3://b/x/", verdicts_of}}, ""));
  EXPECT_FALSE(check({{"s3://b/../x", verdicts_of}}, ""));
}

TEST_F(ReportFiles, FilesHaveAStyleOfTheirOwn) {
  render::Style verbose;
  verbose.verbose = true;
  Publisher publisher({{path("out.txt"), verdicts_of}}, verbose);
  ASSERT_TRUE(publisher.write(report));
  EXPECT_EQ(get("out.txt"), "verbose\na not_run\nb not_run\n");
}

TEST_F(ReportFiles, WhatCannotBeWrittenAgainIsWrittenAtTheEndAlone) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  Publisher publisher({{path("pipe"), verdicts_of}}, {});
  publisher.on_event(RunPlanned{report, path("run")});
  std::array<char, 100> block{};
  EXPECT_LE(::read(reader, block.data(), block.size()), 0);
  EXPECT_TRUE(publisher.write(report));
  EXPECT_GT(::read(reader, block.data(), block.size()), 0);
  ::close(reader);
}

TEST_F(ReportFiles, TheFirstFileThatCannotBeWrittenIsTheError) {
  Publisher publisher({{path("there/a.txt"), verdicts_of}, {path("b.txt"), verdicts_of}}, {});
  std::filesystem::create_directories(root / "there" / "a.txt" / "in");
  const Status written = publisher.write(report);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("a.txt"));
}

TEST_F(ReportFiles, TwoReportsOfOneFileAreAMistake) {
  EXPECT_TRUE(check({{path("a.txt"), verdicts_of}, {path("b.txt"), verdicts_of}}, ""));
  const Status same = check({{path("a.txt"), verdicts_of}, {path("./a.txt"), verdicts_of}}, "");
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().message, HasSubstr("two reports are to be written there; name a file for each"));
  EXPECT_TRUE(check({{"/dev/null", verdicts_of}, {"/dev/null", verdicts_of}}, "")) << "nothing is lost there";
}

TEST_F(ReportFiles, AFileInAFolderThatIsNotThereIsAMistake) {
  EXPECT_FALSE(check({{path("nowhere/a.txt"), verdicts_of}}, ""));
  EXPECT_FALSE(check({{path("nowhere/a.txt"), verdicts_of}}, path("elsewhere")));
  EXPECT_FALSE(check({{path("nowhere/in/a.txt"), verdicts_of}}, path("nowhere")));
}

TEST_F(ReportFiles, AFileInTheFolderThatTheRunMakesIsNone) {
  EXPECT_TRUE(check({{path("nowhere/a.txt"), verdicts_of}}, path("nowhere")));
}

TEST_F(ReportFiles, ASinkHandsOnEveryEvent) {
  std::vector<std::size_t> kinds;
  const auto publisher = std::make_shared<Publisher>(std::vector<ReportFile>{}, render::Style{});
  const Sink sink = published(publisher, [&](const Event& event) { kinds.push_back(event.index()); });
  sink(RunPlanned{report, path("run")});
  sink(Message{"a", "words"});
  EXPECT_EQ(kinds.size(), 2U);
  EXPECT_THAT(get("run/junit.xml"), HasSubstr("<testsuites"));
}

}  // namespace
}  // namespace gate::publish::report_files_test
