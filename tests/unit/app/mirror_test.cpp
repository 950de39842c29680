// Files of a host that is a folder here.
#include "gate/places/mirror.h"

#include <gmock/gmock.h>

#include <fstream>

#include "../temporary.h"
#include "gate/base/text.h"
#include "gate/places/extra_logs.h"

namespace gate::app::mirror_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Whose answers are those of an agent.
class FilesOfAFolder : public hosts::FarFiles {
 public:
  Result<std::vector<hosts::FarFile>> find(const fs::Path& folder, const std::vector<std::string>& globs,
                                           const Cut&) override {
    if (!lost.empty()) return fail(lost);
    std::vector<hosts::FarFile> files;
    for (const std::string& path : fs::files_below(folder))
      if (std::ranges::any_of(globs, [&](const std::string& glob) { return glob_match(glob, path); }))
        files.push_back({path, state_of(folder / path)});
    return files;
  }
  Result<std::string> read(const fs::Path& path, const FileIdentity& file, std::uintmax_t from,
                           std::size_t count, const Cut&) override {
    if (state_of(path).identity != file) return fail(path.string() + ": another file stands there now");
    bytes += count;
    on_read();
    return bytes_at(path, from, count);
  }
  Result<std::int64_t> make_folder(const fs::Path&, const Cut&) override { return 0; }
  Result<std::vector<std::string>> settle(const std::string&, const Cut&) override {
    return std::vector<std::string>{};
  }
  Status remove_folder(const fs::Path&, const Cut&) override { return {}; }

  std::size_t block() const override { return block_size; }
  std::string speed() const override { return "25 kB/s"; }

  std::size_t block_size = hosts::file_block;
  std::string lost;
  std::size_t bytes = 0;  // asked for
  std::function<void()> on_read = [] {};
};

class MirrorTest : public Temporary {
 protected:
  MirrorTest() {
    put("there/.first", "");
    launched_ = state_of(root / "there/.first").written;
  }

  Mirror& mirror(OldFiles old = OldFiles::ends, std::uintmax_t most = most_mirrored) {
    mirror_ = std::make_unique<Mirror>(
        files_,
        std::vector<MirroredFolder>{{root / "there", root / "here", {"*.log", "deep/*.log"}, may_be_log}},
        root / "store", MirrorOptions{launched_, old, most});
    return *mirror_;
  }

  std::vector<std::string> update() {
    return mirror_->update({.stop = [this] { return std::string(stops_ ? "interrupted" : ""); }});
  }

  void append(const std::string& path, const std::string& text) const {
    std::ofstream(root / "there" / path, std::ios::app) << text;
  }
  void rename(const std::string& from, const std::string& to) const {
    std::filesystem::rename(root / "there" / from, root / "there" / to);
  }
  void make_old(const std::string& path) const {
    std::filesystem::last_write_time(root / "there" / path, fs::FileTime::clock::now() - 1h);
  }
  std::string here(const std::string& path) const { return get("here/" + path); }
  FileIdentity identity(const std::string& path) const { return state_of(root / "here" / path).identity; }
  std::vector<std::string> names() const { return fs::files_below(root / "here"); }

  FilesOfAFolder files_;
  std::int64_t launched_ = 0;
  bool stops_ = false;
  std::unique_ptr<Mirror> mirror_;
};

TEST_F(MirrorTest, TakesWhatIsNew) {
  mirror();
  append("a.log", "one");
  append("deep/b.log", "no folder");
  put("there/deep/b.log", "two");
  put("there/c.txt", "three");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_THAT(names(), ElementsAre("a.log", "deep/b.log"));
  append("a.log", " and more");
  files_.bytes = 0;
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a.log") + here("deep/b.log"), "one and moretwo");
  EXPECT_EQ(files_.bytes, 3U + 9U);  // twice only what tells that it is the same file still
}

TEST_F(MirrorTest, TakesLargeFilesInBlocks) {
  mirror();
  const std::string large = std::string(3 * hosts::file_block, 'x') + "end";
  append("a.log", large);
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_TRUE(here("a.log") == large);
}

TEST_F(MirrorTest, KnowsAFileByAnyName) {
  mirror();
  append("a.log", "one");
  update();
  const FileIdentity first = identity("a.log");
  append("a.log", " two");
  rename("a.log", "a1.log");
  append("a.log", "three");
  files_.on_read = [&] {  // the rest of what is known comes before names change
    if (here("a.log") == "one") {
      EXPECT_FALSE(fs::exists(root / "here/a1.log"));
    }
  };
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a1.log"), "one two");
  EXPECT_EQ(here("a.log"), "three");
  EXPECT_EQ(identity("a1.log"), first);
  EXPECT_NE(identity("a.log"), first);
}

TEST_F(MirrorTest, KnowsAFileWithTwoNames) {
  append("a.log", "old");
  std::filesystem::create_symlink("a.log", root / "there/b.log");
  put("raw", "");
  EXPECT_THAT(mirror().note({}), IsEmpty());
  OldLogs old(root / "raw");
  old.note(root / "here/a.log");
  EXPECT_EQ(identity("a.log"), identity("b.log"));
  append("a.log", " new");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("b.log"), "old new");
  EXPECT_EQ(old.start_of(root / "here/b.log"), 3U);
  put("there/a.log", "anew");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a.log") + here("b.log"), "anewanew");
  EXPECT_EQ(identity("a.log"), identity("b.log"));
}

TEST_F(MirrorTest, MakesAnotherFileOfOneThatBeginsAnew) {
  mirror();
  append("a.log", "one two");
  update();
  const FileIdentity first = identity("a.log");
  put("there/a.log", "three");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a.log"), "three");
  EXPECT_NE(identity("a.log"), first);
}

TEST_F(MirrorTest, ForgetsNames) {
  mirror();
  append("a.log", "one");
  update();
  std::filesystem::remove(root / "there/a.log");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(MirrorTest, TakesTheEndsOfWhatWasThere) {
  const std::string large = "head" + std::string(8'000'000, 'x') + "end";
  append("a.log", large);
  put("raw", "");
  EXPECT_THAT(mirror().note({}), IsEmpty());
  EXPECT_LT(files_.bytes, 1'000'000U);
  EXPECT_EQ(fs::size_of(root / "here/a.log"), large.size());
  OldLogs old(root / "raw");
  old.note(root / "here/a.log");
  append("a.log", " written");
  rename("a.log", "b.log");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(old.start_of(root / "here/b.log"), large.size());
  EXPECT_EQ(*fs::read_from(root / "here/b.log", large.size()), " written");
  EXPECT_EQ(bytes_at(root / "here/b.log", 0, 4), "head");
}

TEST_F(MirrorTest, WhatIsOlderThanTheLaunchLooksOlder) {
  put("raw", "");
  mirror();
  const OldLogs unused(root / "raw");
  OldLogs old(root / "raw");
  append("a.log", "old");
  make_old("a.log");
  append("b.log", "new");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(old.start_of(root / "here/a.log"), 3U);
  EXPECT_EQ(old.start_of(root / "here/b.log"), 0U);
}

TEST_F(MirrorTest, LeavesOldFilesWhereTheyAre) {
  append("a.log", "old");
  make_old("a.log");
  mirror(OldFiles::none);
  append("b.log", "new");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_THAT(names(), ElementsAre("b.log"));
  append("a.log", " and new");  // by its time it is the script's now, and all of it is taken
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a.log"), "old and new");
}

TEST_F(MirrorTest, NoticesWhatWasWrittenAnew) {
  const std::string large(1'000'000, 'x');
  for (const char* name : {"a.log", "b.log", "c.log", "d.log"}) append(name, large);
  put("raw", "");
  EXPECT_THAT(mirror().note({}), IsEmpty());
  OldLogs old(root / "raw");
  for (const std::string& name : names()) old.note(root / "here" / name);
  put("there/a.log", "head" + large.substr(4));  // as long as it was
  put("there/b.log", "new " + large + "more");   // longer
  put("there/c.log", "short");
  append("d.log", "more");
  EXPECT_THAT(update(), IsEmpty());
  for (const char* name : {"a.log", "b.log", "c.log"}) {
    EXPECT_EQ(old.start_of(root / "here" / name), 0U) << name;
    EXPECT_TRUE(here(name) == get("there/" + std::string(name))) << name;
  }
  EXPECT_EQ(old.start_of(root / "here/d.log"), large.size());
}

TEST_F(MirrorTest, SaysWhereItIsTooMuch) {
  mirror(OldFiles::none, 2 << 20);
  append("a.log", std::string(3 << 20, 'x'));
  append("b.log", "small");
  EXPECT_THAT(update(), ElementsAre(testing::AllOf(HasSubstr("a.log"), HasSubstr("no more than 2 MiB")),
                                    HasSubstr("b.log")));
  EXPECT_EQ(here("a.log").size(), 2U << 20);
  EXPECT_EQ(here("b.log"), "");
}

TEST_F(MirrorTest, SaysWhatWentWrong) {
  mirror();
  put("there/deep/b.log", "two");
  put("here/deep", "a file");
  EXPECT_THAT(update(), ElementsAre(HasSubstr("deep")));
  files_.lost = "npu1 is lost";
  EXPECT_THAT(update(), ElementsAre("npu1 is lost"));
}

TEST_F(MirrorTest, StopsWhenItIsTold) {
  mirror();
  append("a.log", "one");
  stops_ = true;
  EXPECT_THAT(update(),
              ElementsAre("1 file not fetched: interrupted (25 kB/s): " + (root / "there/a.log").string()));
}

TEST_F(MirrorTest, KeepsNoHalfOfAnArtifact) {
  mirror(OldFiles::none);
  append("a.log", "four words");
  append("b.log", "four words");
  files_.block_size = 4;
  files_.on_read = [this] { stops_ = files_.bytes > 14; };
  EXPECT_THAT(update(), ElementsAre(HasSubstr("1 file not fetched: interrupted (25 kB/s): ")));
  EXPECT_THAT(names(), ElementsAre("a.log"));
  EXPECT_EQ(here("a.log"), "four words");
}

TEST_F(MirrorTest, KeepsOfALogWhatCame) {
  mirror();
  append("a.log", "four words");
  files_.block_size = 4;
  files_.on_read = [this] { stops_ = files_.bytes > 7; };
  EXPECT_THAT(update(), ElementsAre(HasSubstr("1 file not fetched")));
  EXPECT_EQ(here("a.log"), "four wor");
}

TEST_F(MirrorTest, FollowsByItself) {
  mirror().follow();
  append("a.log", "one");
  const auto end = SteadyClock::now() + 60s;
  while (here("a.log") != "one" && SteadyClock::now() < end) std::this_thread::sleep_for(5ms);
  append("a.log", " two");
  EXPECT_THAT(update(), IsEmpty());
  EXPECT_EQ(here("a.log"), "one two");
}

}  // namespace
}  // namespace gate::app::mirror_test
