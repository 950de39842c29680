#include "gate/devices/leases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "../temporary.h"

namespace gate::devices::leases_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const Holder ada{71, "host a", "ada", "run 1", "gpt", "2026-03-01T10:15:02Z"};
const Holder bob{72, "host a", "bob", "run 2", "moe", "2026-03-01T10:16:02Z"};

class LeasesTest : public Temporary {
 protected:
  FolderLeases open() { return std::move(*FolderLeases::open(folder)); }
  const std::string folder = (root / "leases").string();
};

TEST_F(LeasesTest, OneHoldsIt) {
  FolderLeases first = open(), second = open();
  ASSERT_TRUE(first.take("ascend-0", ada));
  EXPECT_FALSE(*first.take("ascend-1", ada));
  const auto refused = second.take("ascend-0", bob);
  ASSERT_TRUE(refused);
  ASSERT_TRUE(*refused);
  EXPECT_EQ(text(**refused), "pid 71 of ada on host a (case gpt, run run 1, since 2026-03-01T10:15:02Z)");
  EXPECT_EQ(second.holder("ascend-0")->user, "ada");
  first.give_back("ascend-0");
  EXPECT_FALSE(second.holder("ascend-0"));
  EXPECT_FALSE(*second.take("ascend-0", bob));
  EXPECT_EQ(first.holder("ascend-0")->user, "bob");
}

TEST_F(LeasesTest, IsGoneWithItsHolder) {
  {
    FolderLeases first = open();
    ASSERT_TRUE(first.take("nvidia-0", ada));
  }
  FolderLeases second = open();
  EXPECT_FALSE(second.holder("nvidia-0"));
  EXPECT_FALSE(*second.take("nvidia-0", bob));
}

TEST_F(LeasesTest, IsGoneWithAKilledProcessAndNotBefore) {
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    FolderLeases leases = open();
    const bool taken = leases.take("nvidia-0", ada).has_value();
    const bool told = ::write(ready[1], "x", 1) == 1;
    if (taken && told) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  FolderLeases leases = open();
  EXPECT_TRUE(*leases.take("nvidia-0", bob));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(*leases.take("nvidia-0", bob));
}

TEST_F(LeasesTest, ACopyOfTheDescriptorKeepsIt) {
  int copy = -1;
  {
    FolderLeases first = std::move(*FolderLeases::open(folder, [&](int file) { copy = ::dup(file); }));
    ASSERT_TRUE(first.take("nvidia-0", ada));
    FolderLeases moved = std::move(first);
    EXPECT_TRUE(moved.holder("nvidia-0"));
  }
  EXPECT_FALSE(open().holder("nvidia-0"));  // given back, not merely closed
  ::close(copy);
}

TEST_F(LeasesTest, FilesAreForAllUsers) {
  const mode_t before = ::umask(077);
  FolderLeases leases = open();
  ASSERT_TRUE(leases.take("nvidia-0", ada));
  ::umask(before);
  struct stat facts {};
  ::stat((folder + "/nvidia-0").c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 0777, 0666U);
  ::stat(folder.c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 07777, 01777U);
}

TEST_F(LeasesTest, WhatStandsInTheFileIsOnlyTold) {
  FolderLeases leases = open();
  std::ofstream(folder + "/nvidia-0") << "{\"pid\": \"x\", \"user\": \"e\\u001b[2Jve\"";
  EXPECT_FALSE(leases.holder("nvidia-0"));
  EXPECT_FALSE(*leases.take("nvidia-0", ada));
  std::ofstream(folder + "/nvidia-0") << "not JSON";
  EXPECT_EQ(text(*open().holder("nvidia-0")), "a process");
}

TEST_F(LeasesTest, AFileThatWasRemovedIsMadeAnew) {
  FolderLeases first = open(), second = open();
  ASSERT_TRUE(first.take("nvidia-0", ada));
  first.give_back("nvidia-0");
  std::filesystem::remove(folder + "/nvidia-0");
  EXPECT_FALSE(*second.take("nvidia-0", bob));
  EXPECT_TRUE(*first.take("nvidia-0", ada));
}

TEST_F(LeasesTest, NoLinkIsFollowed) {
  FolderLeases leases = open();
  std::ofstream(folder + "/victim") << "precious";
  std::filesystem::create_symlink(folder + "/victim", folder + "/nvidia-0");
  EXPECT_THAT(leases.take("nvidia-0", ada).error().message, HasSubstr("cannot open the lease"));
  std::filesystem::create_directory(folder + "/nvidia-1");
  EXPECT_FALSE(leases.take("nvidia-1", ada));
  EXPECT_FALSE(leases.holder("nvidia-1"));
}

TEST_F(LeasesTest, WhatAnotherUserHasPlantedIsToldWithThatUser) {
  constexpr uid_t nobody_known = 54321;
  FolderLeases leases = open();
  std::filesystem::create_symlink("/nowhere", folder + "/nvidia-0");
  ::mkfifo((folder + "/nvidia-1").c_str(), 0666);
  EXPECT_THAT(leases.take("nvidia-0", ada).error().message, Not(HasSubstr("uid"))) << "one's own";
  for (const char* name : {"/nvidia-0", "/nvidia-1"})
    if (::lchown((folder + name).c_str(), nobody_known, -1) != 0) GTEST_SKIP() << "needs root";
  for (const char* name : {"nvidia-0", "nvidia-1"})
    EXPECT_THAT(leases.take(name, ada).error().message,
                AllOf(HasSubstr(folder + "/" + name), HasSubstr("; it is of uid 54321, who can remove it")));
}

TEST_F(LeasesTest, WhoHoldsALeaseAndSaysNothingIsToldByTheFile) {
  FolderLeases first = open(), second = open();
  ASSERT_FALSE(*first.take("nvidia-0", ada));
  std::filesystem::resize_file(folder + "/nvidia-0", 0);
  if (::chown((folder + "/nvidia-0").c_str(), 54321, -1) != 0) GTEST_SKIP() << "needs root";
  EXPECT_EQ(text(**second.take("nvidia-0", bob)).english(), "a process (its lease is of uid 54321)");
}

TEST_F(LeasesTest, AFolderThatIsNoneIsRefused) {
  std::ofstream(root / "file") << "";
  EXPECT_THAT(FolderLeases::open((root / "file").string()).error().message, HasSubstr("GATE_LEASE_DIR"));
  EXPECT_THAT(FolderLeases::open((root / "a" / "b").string()).error().message, HasSubstr("GATE_LEASE_DIR"));
}

TEST(LeaseName, IsTheSameInEveryContainer) {
  Device device;
  device.vendor = "nvidia";
  device.index = 3;
  EXPECT_EQ(lease_of(device), "nvidia-3");
  device.uuid = "GPU-1a";
  EXPECT_EQ(lease_of(device), "nvidia-GPU-1a");
  device.bus = "0000:c1:00.0/../x";
  EXPECT_EQ(lease_of(device), "nvidia-0000-c1-00-0----x");
  EXPECT_EQ(lease_of_port(29500), "port-29500");
}

TEST_F(LeasesTest, TakesItsPlaceAgain) {
  FolderLeases first = open(), second = open();
  ASSERT_FALSE(*first.take("ascend-0", ada));
  EXPECT_THAT(first.retake(), IsEmpty());
  std::filesystem::remove_all(folder);
  const auto again = first.retake();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].name, "ascend-0");
  EXPECT_FALSE(again[0].by);
  EXPECT_EQ(again[0].trouble, "");
  EXPECT_THAT(first.retake(), IsEmpty());
  EXPECT_EQ((*second.take("ascend-0", bob))->user, "ada");
  first.give_back("ascend-0");
  std::filesystem::remove_all(folder);
  EXPECT_THAT(first.retake(), IsEmpty());
}

TEST_F(LeasesTest, SaysWhoHasItsPlaceUntilThatOneIsGone) {
  FolderLeases first = open(), second = open();
  ASSERT_FALSE(*first.take("ascend-0", ada));
  std::filesystem::remove(folder + "/ascend-0");
  ASSERT_FALSE(*second.take("ascend-0", bob));
  for (int look = 0; look < 2; ++look) {
    const auto displaced = first.retake();
    ASSERT_EQ(displaced.size(), 1U);
    ASSERT_TRUE(displaced[0].by);
    EXPECT_EQ(displaced[0].by->user, "bob");
  }
  second.give_back("ascend-0");
  const auto again = first.retake();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_FALSE(again[0].by);
  EXPECT_EQ(second.holder("ascend-0")->user, "ada");
}

TEST_F(LeasesTest, SaysWhyItsPlaceCannotBeTakenAgain) {
  FolderLeases first = open();
  ASSERT_FALSE(*first.take("ascend-0", ada));
  std::filesystem::remove_all(folder);
  std::ofstream{folder};
  const auto displaced = first.retake();
  ASSERT_EQ(displaced.size(), 1U);
  EXPECT_THAT(displaced[0].trouble, HasSubstr("is no folder"));
}

TEST_F(LeasesTest, RefusesASecondName) {
  FolderLeases leases = open();
  std::ofstream(root / "victim") << "precious";
  std::filesystem::create_hard_link(root / "victim", folder + "/ascend-0");
  EXPECT_THAT(leases.take("ascend-0", ada).error().message, HasSubstr("has a second name"));
  std::string text;
  std::getline(std::ifstream(root / "victim"), text);
  EXPECT_EQ(text, "precious");
  std::filesystem::remove(root / "victim");
  EXPECT_FALSE(*leases.take("ascend-0", ada));
}

}  // namespace
}  // namespace gate::devices::leases_test
