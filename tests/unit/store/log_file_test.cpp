#include "gate/store/log_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "../temporary.h"

namespace gate::store::log_file_test {
namespace {

using Log = Temporary;

TEST_F(Log, HoldsBytesInTheirOrder) {
  auto log = LogFile::create(root / "a/log.txt");
  ASSERT_TRUE(log.has_value()) << log.error().message;
  log->append(std::string_view("one\0two\n", 8));
  log->append("");
  log->append("three");
  ASSERT_TRUE(log->close().has_value());
  EXPECT_EQ(get("a/log.txt"), std::string("one\0two\nthree", 13));
}

TEST_F(Log, WritesWhatIsLeftWhenItIsGone) {
  { LogFile::create(root / "log.txt")->append("left"); }
  EXPECT_EQ(get("log.txt"), "left");
}

TEST_F(Log, TellsAFullDisk) {
  auto log = LogFile::create("/dev/full");
  ASSERT_TRUE(log.has_value()) << log.error().message;
  log->append("x");
  const std::string why = "/dev/full: cannot write: No space left on device; the log ends after 0 bytes";
  EXPECT_EQ(log->close().error().message, why);
  EXPECT_EQ(log->status().error().message, why);
}

// A reader that takes nothing stands for a disk that writes nothing.
TEST_F(Log, SlowDiskHoldsNobodyUp) {
  const fs::Path pipe = root / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string taken;
  std::ifstream reader;
  std::thread opener([&] { reader.open(pipe, std::ios::binary); });
  auto log = LogFile::create(pipe);
  opener.join();
  const std::string block(std::size_t{1} << 20, 'x');
  for (int i = 0; i < 8; ++i) log->append(block);  // far more than the pipe holds
  std::thread taker([&] { taken.assign(std::istreambuf_iterator<char>(reader), {}); });
  EXPECT_TRUE(log->close().has_value());
  taker.join();
  EXPECT_EQ(taken.size(), 8 * block.size());
}

TEST_F(Log, NamesWhatItCannotCreate) {
  EXPECT_EQ(LogFile::create(root).error().message, root.string() + ": cannot create: Is a directory");
}

}  // namespace
}  // namespace gate::store::log_file_test
