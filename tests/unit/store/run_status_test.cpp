// What a run's folder tells while the run goes on, and behind its end.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "../temporary.h"
#include "gate/store/run_folder.h"

namespace gate::store::run_status_test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Status : public Temporary {
 protected:
  static RunStatus going_on() {
    RunStatus status;
    status.run = "1";
    status.cases.push_back({.name = "a", .state = JobState::running});
    status.cases.push_back({.name = "b"});
    return status;
  }
  std::string error_of(const std::string& folder) const {
    const auto status = read_run_status(root / folder);
    return status ? "no error" : status.error().message;
  }

  std::optional<RunFolder> folder =
      RunFolder::create(root, *parse_iso("2026-03-01T10:00:00Z"), root / "out").value();
};

TEST_F(Status, IsWhatTheRunWroteLast) {
  EXPECT_THAT(error_of("out"), HasSubstr("beginning or ending just now"));
  ASSERT_TRUE(folder->save_status(going_on()));
  const auto status = read_run_status(root / "out");
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->state, JobState::running);
  EXPECT_EQ(status->folder, (root / "out").string());
  EXPECT_EQ(status->cases[1].state, JobState::pending);
}

TEST_F(Status, OfARunThatWasCutOffIsNoRunningOne) {
  ASSERT_TRUE(folder->save_status(going_on()));
  folder.reset();  // its process is gone
  const auto status = read_run_status(root / "out");
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->state, JobState::failed);
  EXPECT_EQ(status->exit_code, std::nullopt);
  EXPECT_EQ(status->cases[0].state, JobState::stopped);
}

TEST_F(Status, OfARunThatHasEndedIsThatOfItsReport) {
  Report report;
  report.run = "1";
  report.exit_code = 1;
  report.cases.resize(2);
  report.cases[0].name = "a";
  report.cases[0].verdict = Verdict::regressed;
  report.cases[1].name = "b";
  ASSERT_TRUE(folder->save_status(going_on()));
  ASSERT_TRUE(folder->save(report));
  folder->clear_status();
  folder.reset();
  const auto status = read_run_status(root / "out");
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->state, JobState::failed);
  EXPECT_EQ(status->exit_code, 1);
  EXPECT_EQ(status->cases[0].verdict, Verdict::regressed);
  EXPECT_EQ(status->cases[1].state, JobState::stopped);
}

TEST_F(Status, OfAFolderWithoutARunIsAnError) {
  put("other/file", "");
  EXPECT_THAT(error_of("other"), HasSubstr("holds no result.json"));
  EXPECT_THAT(error_of("nowhere"), HasSubstr("No such file"));
  put("out/status.json", "{");
  EXPECT_THAT(error_of("out"), HasSubstr("status.json:1:"));
}

TEST_F(Status, RequestsAreReadAsTheyCome) {
  std::uintmax_t size = 0;
  EXPECT_EQ(folder->stop_requests(size), std::nullopt);
  ASSERT_TRUE(ask_to_stop(root / "out", {"ada", "why", "", "a", false}));
  auto requests = folder->stop_requests(size);
  ASSERT_TRUE(requests);
  EXPECT_THAT(*requests, SizeIs(1));
  EXPECT_EQ(folder->stop_requests(size), std::nullopt);
  ASSERT_TRUE(ask_to_stop(root / "out", {"bob", "", "", "", true}));
  requests = folder->stop_requests(size);
  ASSERT_TRUE(requests);
  EXPECT_THAT(*requests, SizeIs(2));
  EXPECT_EQ(requests->back().by, "bob");
}

TEST_F(Status, RequestsAreReadableWhateverTheUmask) {
  const mode_t umask = ::umask(077);
  const auto asked = ask_to_stop(root / "out", {"root", "", "", "", false});
  ::umask(umask);
  ASSERT_TRUE(asked);
  using std::filesystem::perms;
  EXPECT_NE(std::filesystem::status(root / "out/stop.jsonl").permissions() & perms::others_read, perms::none);
}

TEST_F(Status, NothingIsAskedOfARunThatHasEnded) {
  folder.reset();
  EXPECT_FALSE(ask_to_stop(root / "out", {"ada", "", "", "", false}));
  EXPECT_FALSE(std::filesystem::exists(root / "out/stop.jsonl"));
}

TEST_F(Status, NothingIsWrittenWhereALinkStands) {
  std::filesystem::create_symlink(root / "target", root / "out/stop.jsonl");
  EXPECT_FALSE(ask_to_stop(root / "out", {"ada", "", "", "", false}));
  EXPECT_FALSE(std::filesystem::exists(root / "target"));
}

}  // namespace
}  // namespace gate::store::run_status_test
