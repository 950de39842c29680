#include "gate/base/tail.h"

#include <sys/stat.h>

#include "../temporary.h"

namespace gate::tail_test {
namespace {

class TailOf : public Temporary {
 protected:
  // Return what has come, changes between the bytes: `!truncated`.
  std::string news(Tail& tail) {
    constexpr const char* names[] = {"", "!truncated ", "!replaced ", "!gone "};
    std::string text;
    const Status read = tail.read([&](std::string_view bytes) { text += bytes; },
                                  [&](Tail::Change change) { text += names[static_cast<int>(change)]; });
    return read ? text : read.error().message;
  }
  void add(const std::string& path, const std::string& text) const {
    std::ofstream(root / path, std::ios::app) << text;
  }
  std::uintmax_t since(const FileMark& mark) { return written_since(mark, root / "log"); }
};

TEST_F(TailOf, GivesWhatHasCome) {
  Tail tail(root / "log");
  EXPECT_EQ(news(tail), "");
  put("log", "one");
  EXPECT_EQ(news(tail), "one");
  EXPECT_EQ(news(tail), "");
  add("log", "two");
  EXPECT_EQ(news(tail), "two");
}

TEST_F(TailOf, BeginsWhereItIsTold) {
  put("log", "old new");
  Tail tail(root / "log", [](const fs::Path& path) { return path.filename() == "log" ? 4u : 0u; });
  EXPECT_EQ(news(tail), "new");
  put("log", "old x");
  EXPECT_EQ(news(tail), "!truncated x");
  put("other", "old then");
  std::filesystem::rename(root / "other", root / "log");
  EXPECT_EQ(news(tail), "!replaced then");
}

TEST_F(TailOf, AFileThatHoldsNothingNewYetIsNotTruncated) {
  put("log", "old");
  Tail tail(root / "log", [](const fs::Path&) { return 9u; });
  EXPECT_EQ(news(tail), "");
  add("log", " old ");
  EXPECT_EQ(news(tail), "");
  add("log", "+new");
  EXPECT_EQ(news(tail), "new");
}

TEST_F(TailOf, AFileIsTheSameUnderAnyName) {
  put("log", "one");
  Tail tail(root / "log");
  EXPECT_EQ(tail.identity(), FileIdentity());
  news(tail);
  std::filesystem::create_hard_link(root / "log", root / "link");
  std::filesystem::create_symlink("link", root / "soft");
  std::filesystem::rename(root / "log", root / "log.1");
  for (const char* name : {"log.1", "link", "soft"})
    EXPECT_EQ(state_of(root / name).identity, tail.identity()) << name;
  put("log", "one");
  EXPECT_NE(state_of(root / "log").identity, tail.identity());
  EXPECT_EQ(state_of(root).identity, FileIdentity());
}

TEST_F(TailOf, NoticesTruncation) {
  put("log", "long line\n");
  Tail tail(root / "log");
  news(tail);
  put("log", "new\n");  // the same file, as copytruncate leaves it
  EXPECT_EQ(news(tail), "!truncated new\n");
}

TEST_F(TailOf, ReadsARotatedFileToItsEndFirst) {
  put("log", "one\n");
  Tail tail(root / "log");
  news(tail);
  add("log", "two\n");
  std::filesystem::rename(root / "log", root / "log.1");
  EXPECT_EQ(news(tail), "two\n!gone ");
  add("log.1", "three\n");
  EXPECT_EQ(news(tail), "three\n");
  put("log", "four\n");
  add("log.1", "late\n");
  EXPECT_EQ(news(tail), "late\n!replaced four\n");
}

TEST_F(TailOf, RefusesWhatIsNoFile) {
  ASSERT_EQ(::mkfifo((root / "pipe").c_str(), 0600), 0);
  Tail pipe(root / "pipe"), folder(root);
  EXPECT_NE(news(pipe).find("is no regular file"), std::string::npos);
  EXPECT_NE(news(folder).find("is no regular file"), std::string::npos);
}

TEST_F(TailOf, WhatWasWrittenSinceAMark) {
  EXPECT_EQ(since(mark_of(root / "log")), 0u);
  const FileMark none = mark_of(root / "log");
  put("log", "step 1\n");
  EXPECT_EQ(since(none), 0u) << "it was not there";
  const FileMark mark = mark_of(root / "log");
  EXPECT_EQ(since(mark), 7u) << "nothing was written";
  add("log", "step 2\n");
  EXPECT_EQ(since(mark), 7u);
  put("log", "step\n");
  EXPECT_EQ(since(mark), 0u) << "it is shorter";
  put("log", "step 9\nstep 2\n");
  EXPECT_EQ(since(mark), 0u) << "it is longer, and begins otherwise";
  std::filesystem::rename(root / "log", root / "log.1");
  put("log", "step 1\nstep 2\n");
  EXPECT_EQ(since(mark), 0u) << "it is another file";
}

TEST_F(TailOf, AFileIsKnownByBothEnds) {
  const std::string head(5000, 'h'), middle(5000, 'm');
  put("log", head + middle + "end\n");
  const FileMark mark = mark_of(root / "log");
  put("log", head + middle + "END\nmore\n");
  EXPECT_EQ(since(mark), 0u);
  put("log", head + middle + "end\nmore\n");
  EXPECT_EQ(since(mark), 10'004u);
}

}  // namespace
}  // namespace gate::tail_test
