#include "gate/store/run_folder.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "../temporary.h"

namespace gate::store::run_folder_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

class Runs : public Temporary {
 protected:
  Runs() {
    ::setenv("TZ", "UTC-8", 1);
    ::tzset();
  }

  RunFolder create(const std::string& out = "") const {
    auto folder = RunFolder::create(root, moment, out);
    EXPECT_TRUE(folder.has_value()) << folder.error().message;
    return folder.value_or(RunFolder{});
  }

  static Report report_of(const std::string& run) {
    Report report;
    report.run = run;
    report.cases.emplace_back();
    report.cases.back().name = "sub/a";
    return report;
  }

  // A run whose case has the verdict, and which has a place of its own among all.
  RunFolder begun(const std::string& out = "", Verdict verdict = Verdict::not_run) const {
    RunFolder folder = create(out);
    Report report = report_of(folder.id());
    report.command = "run";
    report.cases[0].verdict = verdict;
    EXPECT_TRUE(folder.begin(report).has_value());
    return folder;
  }

  std::string error_of(const std::string& run) const {
    const auto report = read_run(root, run);
    return report ? "no error" : report.error().message;
  }

  const Moment moment = *parse_iso("2026-11-20T18:03:04Z");
};

TEST_F(Runs, AreNamedByLocalTime) {
  EXPECT_EQ(create().id(), "1121-0203");
  EXPECT_EQ(create().id(), "1121-0203-2");
  const RunFolder third = create();
  EXPECT_EQ(third.id(), "1121-0203-3");
  EXPECT_EQ(third.path(), root / ".gate/runs/1121-0203-3");
  EXPECT_TRUE(std::filesystem::is_directory(third.path()));
}

TEST_F(Runs, AreAsManyInAMinuteAsBeginInIt) {
  for (const char* other : {"1121-0203-1200", "1121-0203-x", "1121-02031-3", "1121-0203-99999999999999999999",
                            "1121-0203-9223372036854775807"})
    put(std::string(".gate/runs/") + other + "/result.json", "");
  EXPECT_EQ(create().id(), "1121-0203-1201");
  EXPECT_EQ(create().id(), "1121-0203-1202") << "names that are free again are not used again";
}

// Also of one that was killed at any time.
TEST_F(Runs, HaveFoldersThatAreEmptyOrOfRuns) {
  const auto is_for_a_run_with = [this](const std::vector<std::pair<std::string, std::string>>& files) {
    std::filesystem::remove_all(root / "f");
    EXPECT_TRUE(fs::make_folder(root / "f"));
    for (const auto& [name, text] : files) put("f/" + name, text);
    return is_for_a_run(root / "f");
  };
  const std::string result = [this] {
    const RunFolder folder = create((root / "run").string());
    EXPECT_TRUE(folder.save(report_of(folder.id())));
    return get("run/result.json");
  }();
  const std::string lock = get("run/lock");
  EXPECT_TRUE(is_for_a_run(root / "run"));
  EXPECT_TRUE(is_for_a_run_with({}));
  EXPECT_TRUE(is_for_a_run_with({{"lock", ""}}));
  EXPECT_TRUE(is_for_a_run_with({{"lock", lock}}));
  EXPECT_TRUE(is_for_a_run_with({{"lock", lock}, {"a/log.txt", "x"}}));
  EXPECT_TRUE(is_for_a_run_with({{"result.json", result}, {"a/log.txt", "x"}, {"page.html", "x"}}));
  EXPECT_FALSE(is_for_a_run_with({{"a", ""}}));
  EXPECT_FALSE(is_for_a_run_with({{".hidden", ""}}));
  EXPECT_FALSE(is_for_a_run_with({{"lock", ""}, {"data.mdb", "x"}}));
  EXPECT_FALSE(is_for_a_run_with({{"lock", "of another program since 1970"}, {"data.mdb", "x"}}));
  EXPECT_FALSE(is_for_a_run_with({{"result.json", "{\"accuracy\": 1}"}}));
  EXPECT_FALSE(is_for_a_run_with({{"folder/x", "x"}}));
  EXPECT_FALSE(is_for_a_run(root / "absent"));
}

TEST_F(Runs, ArePointedToByARelativeLinkOnceTheyHaveBegun) {
  begun();
  EXPECT_EQ(std::filesystem::read_symlink(root / ".gate/latest"), "runs/1121-0203");
  create();
  EXPECT_EQ(std::filesystem::read_symlink(root / ".gate/latest"), "runs/1121-0203");
  begun();
  EXPECT_EQ(std::filesystem::read_symlink(root / ".gate/latest"), "runs/1121-0203-3");
}

// The newest run that was cut off, by what became of each.
TEST_F(Runs, AreGoneOnWithWhereOneWasCutOff) {
  const auto cut_off = [&] { return read_cut_off(root).value_or(Report{}).run; };
  EXPECT_THAT(read_cut_off(root).error().message, EndsWith("start one with gate run"));
  begun("", Verdict::passed);
  EXPECT_EQ(cut_off(), "1121-0203") << "the latest, where none was cut off";
  begun("", Verdict::not_run);
  EXPECT_EQ(cut_off(), "1121-0203-2");
  begun("", Verdict::passed);
  EXPECT_EQ(cut_off(), "1121-0203-2") << "a later run that was not cut off";
  ASSERT_TRUE(begun("", Verdict::passed).save_status({}));
  begun("", Verdict::passed);
  EXPECT_EQ(cut_off(), "1121-0203-4") << "every case has its verdict, and the run has not ended";
  EXPECT_TRUE(is_open(root, "1121-0203-4"));
  EXPECT_FALSE(is_open(root, "1121-0203-5"));
  begun("", Verdict::interrupted).clear_status();
  EXPECT_EQ(cut_off(), "1121-0203-6");
  {
    const RunFolder going_on = begun("", Verdict::not_run);
    EXPECT_EQ(cut_off(), "1121-0203-6") << "a gate works at the latest";
  }
  EXPECT_EQ(cut_off(), "1121-0203-7");
  create();
  EXPECT_EQ(cut_off(), "1121-0203-7") << "a run that has not begun left nothing to go on with";
}

TEST_F(Runs, ForgetCasesOfTheRunThatWasInTheirFolder) {
  const std::string out = (root / "results").string();
  {
    const RunFolder first = begun(out, Verdict::passed);
    ASSERT_TRUE(first.save_case(report_of("").cases[0]).has_value());
  }
  const RunFolder second = begun(out, Verdict::not_run);
  EXPECT_FALSE(second.saved_case("sub/a").has_value());
}

TEST_F(Runs, NeverShareAFolder) {
  constexpr int gates = 8;
  for (int i = 0; i < gates; ++i)
    if (::fork() == 0) ::_exit(RunFolder::create(root, moment).has_value() ? 0 : 1);
  for (int i = 0; i < gates; ++i) {
    int status = 0;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root / ".gate/runs"), {}), gates);
  EXPECT_TRUE(std::filesystem::exists(root / ".gate/runs/1121-0203-8"));
}

TEST_F(Runs, MayBeInAFolderOfTheUser) {
  const std::string out = (root / "results/today").string();
  const RunFolder folder = begun(out);
  EXPECT_EQ(folder.path(), out);
  EXPECT_TRUE(std::filesystem::exists(root / "results/today/result.json"));
  for (const std::string& run : {std::string(), folder.id(), out, out + "/result.json"})
    EXPECT_EQ(read_run(root, run).value_or(Report{}).run, "1121-0203") << run;
}

TEST_F(Runs, AreGoneWhenTheirFolderHoldsAnother) {
  const std::string out = (root / "results").string();
  RunFolder first = create(out);
  const std::string id = first.id();
  first = RunFolder();
  const RunFolder second = create(out);
  ASSERT_TRUE(second.save(report_of(second.id())).has_value());
  EXPECT_EQ(error_of(id), "run 1121-0203 is gone: its folder now holds run 1121-0203-2");
  EXPECT_EQ(read_run(root, out)->run, "1121-0203-2");
}

TEST_F(Runs, KeepReportsAndCases) {
  const RunFolder folder = begun();
  const Report report = report_of(folder.id());
  ASSERT_TRUE(folder.save_case(report.cases[0]).has_value());
  EXPECT_EQ(*folder.case_folder("sub/a"), folder.path() / "sub/a");
  EXPECT_THAT(get(".gate/runs/1121-0203/sub/a/result.json"), HasSubstr("\"case\": \"sub/a\""));
  EXPECT_EQ(read_run(root, "")->cases.at(0).name, "sub/a");
  EXPECT_EQ(*find_run(root, "1121-0203"), folder.path());
}

TEST_F(Runs, KeepCasesInside) {
  const RunFolder folder = create();
  EXPECT_FALSE(folder.case_folder("../../x").has_value());
  CaseReport report;
  report.name = "/tmp/x";
  EXPECT_EQ(folder.save_case(report).error().message,
            "case \"/tmp/x\" is an absolute path; name it like pretrain/llama2_tp2");
}

TEST_F(Runs, AreNotFoundWithAWordOfWhatToDo) {
  EXPECT_THAT(error_of(""), EndsWith("/.gate/runs yet; start one with gate run"));
  begun();
  std::filesystem::remove(root / ".gate/runs/1121-0203/result.json");
  EXPECT_THAT(error_of("1121-0204"), EndsWith("nor a folder; did you mean \"1121-0203\"?"));
  EXPECT_THAT(error_of(".."), testing::Not(HasSubstr("is gone")));
  EXPECT_THAT(error_of(""), EndsWith("1121-0203: holds no result.json; is it the folder of a run?"));
  std::filesystem::remove_all(root / ".gate/runs/1121-0203");
  std::filesystem::create_directories(root / ".gate/runs/1121-0100");
  EXPECT_THAT(error_of(""), HasSubstr("the latest run is gone; name one of "));
}

TEST_F(Runs, AreReadStrictly) {
  begun();
  put(".gate/runs/1121-0203/result.json", "{\"schema\": \"gate.result/7\"}");
  EXPECT_THAT(error_of(""),
              EndsWith("result.json:1:12: unknown schema \"gate.result/7\"; this gate reads gate.result/1"));
}

TEST_F(Runs, FailWhereNothingCanBeWritten) {
  put("file", "");
  EXPECT_THAT(RunFolder::create(root / "file", moment).error().message, HasSubstr("cannot create"));
}

TEST_F(Runs, AreTheirProcessesOwnUntilItIsGone) {
  auto first = RunFolder::create(root, moment, (root / "out").string());
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_THAT(RunFolder::create(root, moment, (root / "out").string()).error().message,
              AllOf(HasSubstr("out: in use by process " + std::to_string(::getpid()) + " on "),
                    HasSubstr(" since 2")));
  first = RunFolder::create(root, moment);
  EXPECT_TRUE(RunFolder::create(root, moment, (root / "out").string()).has_value());
}

TEST_F(Runs, AreTakenUpAgain) {
  const std::string id = [&] {
    auto folder = RunFolder::create(root, moment);
    Report report;
    report.run = folder->id();
    EXPECT_TRUE(folder->begin(report).has_value());
    EXPECT_THAT(RunFolder::reopen(root, folder->id(), moment).error().message, HasSubstr("in use by"));
    return folder->id();
  }();
  const auto again = RunFolder::reopen(root, "", moment);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->id(), id);
}

TEST_F(Runs, ForgetTheLaunchesOfCasesThatBeginAnew) {
  const std::string id = begun().id();
  const std::string folder = ".gate/runs/" + id + "/sub/a/";
  const std::vector<std::string> cut{"try-2/log.txt", "try-2/checkpoints/w", "phase-resume/log.txt",
                                     "scratch/x", "checkpoints/w"};
  for (const std::string& file : cut) put(folder + file, "x");
  for (const char* file : {"log.txt", "try-3/log.txt", "stages/q.txt"}) put(folder + file, "x");
  const auto again = RunFolder::reopen(root, id, moment);
  Report report = report_of(id);
  report.cases.emplace_back().name = "sub/a/try-3";
  ASSERT_TRUE(again->begin(report).has_value());
  for (const std::string& file : cut) EXPECT_FALSE(fs::exists(root / (folder + file))) << file;
  for (const char* file : {"log.txt", "try-3/log.txt", "stages/q.txt"})
    EXPECT_TRUE(fs::exists(root / (folder + file))) << file;
  report.cases[0].verdict = Verdict::passed;  // it is taken up
  put(folder + cut[0], "x");
  ASSERT_TRUE(again->begin(report).has_value());
  EXPECT_TRUE(fs::exists(root / (folder + cut[0])));
}

TEST_F(Runs, GiveBackTheCasesThatWereSaved) {
  const auto folder = RunFolder::create(root, moment);
  CaseReport report;
  report.name = "a/b";
  report.verdict = Verdict::passed;
  ASSERT_TRUE(folder->save_case(report).has_value());
  EXPECT_EQ(folder->saved_case("a/b")->verdict, Verdict::passed);
  EXPECT_FALSE(folder->saved_case("a/c").has_value());
  put(".gate/runs/" + folder->id() + "/a/c/result.json", "{\"half");
  EXPECT_FALSE(folder->saved_case("a/c").has_value());
}

}  // namespace
}  // namespace gate::store::run_folder_test
