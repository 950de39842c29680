// Files of a host that sees none of these: sent to its agent, and taken from it.
#include "gate/hosts/far_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "gate/hosts/remote.h"
#include "links.h"

namespace gate::hosts::far_files_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class FarFilesTest : public Links {
 protected:
  // A file of the tree that is sent.
  void add(const std::string& path, const std::string& content, EntryKind kind = EntryKind::file) {
    if (kind != EntryKind::link) put("here/" + path, content);
    tree_.entries.push_back({path, kind, kind == EntryKind::link ? content : fs::sha256(content)});
  }

  Status send(
      Link& link, const std::function<void()>& meanwhile = [] {}) {
    sent_ = {};
    return send_tree(link, tree_,
                     [&](const MissingContents& missing) {
                       sent_.files += missing.files;
                       sent_.bytes += missing.bytes;
                       meanwhile();
                     },
                     {.stop = [this] { return std::string(stops_ ? "interrupted" : ""); }});
  }

  std::string why_not_sent(Link& link) {
    const Status sent = send(link);
    return sent ? "" : sent.error().message;
  }

  static std::string refusal(Link& link, const Frame& words) {
    const Result<Frame> answer = link.ask(words, Cut{}.bounded(20s));
    return answer ? "" : answer.error().message;
  }

  // In the session's tree.
  fs::Path there(const std::string& path) const {
    return root / "far side" / "sessions" / options().session / "tree" / path;
  }
  std::string content(const std::string& path) const { return fs::read_file(there(path)).value_or("none"); }
  std::vector<std::string> blobs() const { return fs::files_below(root / "far side" / "blobs"); }

  void make_old(const std::string& path, int days) const {
    std::filesystem::last_write_time(root / path, fs::FileTime::clock::now() - std::chrono::hours(24 * days));
  }

  Tree tree_{root / "here", {}};
  MissingContents sent_;
  bool stops_ = false;
};

TEST_F(FarFilesTest, MakeATree) {
  add("a", "one");
  add("b c/d'$(x)", "two", EntryKind::program);
  add("b c/empty", "");
  add("same", "one");
  add("link", "b c/empty", EntryKind::link);
  add("away", "/no/such/place", EntryKind::link);
  auto link = open();
  ASSERT_EQ(why_not_sent(*link), "");
  EXPECT_EQ(sent_.files, 3U);
  EXPECT_EQ(sent_.bytes, 6U);
  EXPECT_EQ(tree_root(*link), there("").parent_path());
  EXPECT_EQ(content("a") + content("b c/d'$(x)") + content("b c/empty") + content("same"), "onetwoone");
  EXPECT_EQ(std::filesystem::read_symlink(there("link")), "b c/empty");
  EXPECT_EQ(std::filesystem::read_symlink(there("away")), "/no/such/place");
  EXPECT_EQ(::access(there("b c/d'$(x)").c_str(), X_OK), 0);
  EXPECT_NE(::access(there("a").c_str(), X_OK), 0);
  EXPECT_EQ(std::filesystem::hard_link_count(there("a")), 1U);  // whoever writes into it changes no other
  ASSERT_EQ(why_not_sent(*link), "");                           // as after a cut
  EXPECT_EQ(sent_.files, 0U);
  EXPECT_EQ(content("a") + content("b c/d'$(x)"), "onetwo");
  EXPECT_EQ(std::filesystem::read_symlink(there("link")), "b c/empty");
}

TEST_F(FarFilesTest, SendOnlyWhatIsMissing) {
  add("a", "one");
  add("large", std::string(3'000'000, 'x'));
  {
    auto link = open();
    ASSERT_EQ(why_not_sent(*link), "");
    std::ofstream(there("a")) << "written by a script";
    std::ofstream(there("new")) << "likewise";
  }
  EXPECT_TRUE(wait_for([&] { return sessions().empty(); }));
  EXPECT_EQ(blobs().size(), 2U);
  add("b", "three");
  auto link = open();
  ASSERT_EQ(why_not_sent(*link), "");
  EXPECT_EQ(sent_.files, 1U);
  EXPECT_EQ(content("a") + content("b") + content("new"), "onethreenone");
  EXPECT_EQ(content("large").size(), 3'000'000U);
}

TEST_F(FarFilesTest, OutliveCuts) {
  constexpr std::size_t size = THREADS_SANITIZED ? 100'000 : 500'000;
  for (int i = 0; i < 40; ++i)
    add("file " + std::to_string(i), std::string(size, static_cast<char>('a' + i)));
  auto link = open();
  std::jthread cutting;
  const Status sent = send(*link, [&] {
    cutting = std::jthread([this] {
      for (std::size_t i = 1; i <= 5; ++i) {  // it is connected while contents come
        wait_for([&] { return blobs().size() >= 6 * i; });
        kill_ssh();
      }
    });
  });
  ASSERT_TRUE(sent) << sent.error().message;
  cutting.join();
  for (int i = 0; i < 40; ++i)
    EXPECT_TRUE(content("file " + std::to_string(i)) == std::string(size, static_cast<char>('a' + i))) << i;
  EXPECT_EQ(blobs().size(), 40U);  // and no piece of one
}

TEST_F(FarFilesTest, LeadNowhereElse) {
  put("outside/kept", "mine");
  auto link = open();
  add("a", "one");
  ASSERT_EQ(why_not_sent(*link), "");
  const std::string hash = fs::sha256("one"), outside = (root / "outside").string();
  for (const std::string& path :
       {std::string("/") + outside + "/x", std::string("../x"), std::string("b/../../x")})
    EXPECT_THAT(refusal(*link, {"plant", "file", path, hash}), HasSubstr("no path below a folder"));
  EXPECT_EQ(refusal(*link, {"plant", "link", "out", outside, "link", "kept", outside + "/kept"}), "");
  EXPECT_THAT(refusal(*link, {"plant", "file", "out/x", hash}), HasSubstr("a link or a file"));
  EXPECT_THAT(refusal(*link, {"plant", "file", "out/deep/x", hash}), HasSubstr("a link or a file"));
  EXPECT_THAT(refusal(*link, {"plant", "file", "a/x", hash}), HasSubstr("a link or a file"));
  EXPECT_EQ(refusal(*link, {"plant", "file", "kept", hash}), "");  // in place of the link
  EXPECT_EQ(content("kept"), "one");
  for (const fs::Path& path :
       {there("out/x"), there("../x"), root / "outside" / "x", fs::Path("x"), there("")}) {
    EXPECT_NE(refusal(*link, {"folder", path.string()}), "") << path;
    EXPECT_NE(refusal(*link, {"remove", path.string()}), "") << path;
  }
  EXPECT_NE(refusal(*link, {"remove", there("out/kept").string()}), "");
  EXPECT_EQ(refusal(*link, {"remove", there("out").string()}), "");  // the link itself
  EXPECT_THAT(fs::files_below(root / "outside"), ElementsAre("kept"));
  EXPECT_EQ(get("outside/kept"), "mine");
}

TEST_F(FarFilesTest, KeepNoContentOfAnotherHash) {
  auto link = open();
  const std::string hash = fs::sha256("one");
  EXPECT_THAT(refusal(*link, {"blob", hash, "0", "1", "two"}), HasSubstr("changed while it was sent"));
  EXPECT_THAT(blobs(), IsEmpty());
  for (const std::string& name : {std::string("../a"), std::string(64, '/'), std::string()})
    EXPECT_NE(refusal(*link, {"blob", name, "0", "1", "two"}), "") << name;
  EXPECT_NE(refusal(*link, {"blob", hash, "-1", "1", "one"}), "");
  EXPECT_NE(refusal(*link, {"blob", hash, "0"}), "");
  add("a", "one");
  put("here/a", "changed");
  EXPECT_THAT(why_not_sent(*link), HasSubstr("changed while it was sent"));
  EXPECT_THAT(blobs(), IsEmpty());
}

TEST_F(FarFilesTest, TakePiecesTwice) {
  auto link = open();
  const std::string hash = fs::sha256("onetwo");
  const Frame first{"blob", hash, "0", "0", "one"}, last{"blob", hash, "3", "1", "two"};
  for (const Frame& piece : {first, first, last, last, first}) EXPECT_EQ(refusal(*link, piece), "");
  EXPECT_THAT(blobs(), ElementsAre(hash));
  EXPECT_EQ(get("far side/blobs/" + hash), "onetwo");
}

TEST_F(FarFilesTest, SendAgainWhatIsDamagedThere) {
  add("a", "one");
  open().reset();
  put("far side/blobs/" + fs::sha256("one"), "bad");
  auto link = open();
  ASSERT_EQ(why_not_sent(*link), "");
  EXPECT_EQ(content("a"), "one");
  EXPECT_EQ(sent_.files, 1U);
}

TEST_F(FarFilesTest, SayThatThereIsNoRoom) {
  constexpr std::size_t kib = 1024;
  const std::size_t room = fs::size_of(GATE_AGENT) / kib + kib;  // for the agent itself, in KiB
  put("rc", "trap '' XFSZ; ulimit -f " + std::to_string(room) + "\n");
  add("large", std::string((room + kib) * kib, 'x'));
  auto link = open();
  EXPECT_THAT(why_not_sent(*link), testing::AllOf(HasSubstr("npu1: "), HasSubstr("large: "),
                                                  HasSubstr("cannot keep what is sent: File too large")));
  EXPECT_TRUE(exists(*link, "/", {}).value());
}

TEST_F(FarFilesTest, StopWhenTheyAreTold) {
  add("a", "one");
  auto link = open();
  stops_ = true;
  EXPECT_THAT(why_not_sent(*link), HasSubstr("not sent to its end"));
}

TEST_F(FarFilesTest, MakeAndRemoveFolders) {
  auto link = open();
  const auto files = files_of(*link);
  const Result<std::int64_t> made = files->make_folder(there("x/y"), {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(fs::is_folder(there("x/y")));
  EXPECT_GE(files->make_folder(there("x/y"), {}).value(), *made);
  std::ofstream(there("x/y/file")) << "content";
  EXPECT_GE(state_of(there("x/y/file")).written, *made);
  EXPECT_TRUE(files->remove_folder(there("x"), {}));
  EXPECT_TRUE(files->remove_folder(there("x"), {}));
  EXPECT_FALSE(fs::exists(there("x")));
}

TEST_F(FarFilesTest, WhatIsSentLooksOlderThanALaunch) {
  add("a", "one");
  auto link = open();
  ASSERT_EQ(why_not_sent(*link), "");
  EXPECT_LT(state_of(there("a")).written,
            files_of(*link)->make_folder(there("scratch"), {}).value() - 1'000'000'000);
}

TEST_F(FarFilesTest, AreFoundAndRead) {
  put("logs/rank 0.log", "zero");
  put("logs/deep/rank 1.log", "one");
  put("logs/other.txt", "none");
  auto link = open();
  const auto files = files_of(*link);
  const auto found = files->find(root / "logs", {"*.log", "**/*.log", "../*"}, {});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ(found->at(0).path + found->at(1).path, "deep/rank 1.logrank 0.log");
  const FarFile& file = found->at(1);
  EXPECT_EQ(file.state.identity, state_of(root / "logs/rank 0.log").identity);
  EXPECT_EQ(file.state.size, 4U);
  EXPECT_EQ(files->read(root / "logs" / file.path, file.state.identity, 1, 100, {}).value(), "ero");
  EXPECT_EQ(files->read(root / "logs" / file.path, file.state.identity, 1, 2, {}).value(), "er");
  EXPECT_EQ(files->read(root / "logs" / file.path, file.state.identity, 4, 2, {}).value(), "");
  const auto another = files->read(root / "logs/other.txt", file.state.identity, 0, 2, {});
  EXPECT_THAT(another.error().message, HasSubstr("another file"));
  EXPECT_FALSE(files->read(root / "logs/none", file.state.identity, 0, 2, {}));
  EXPECT_THAT(files->find(root / "none", {"*"}, {}).value(), IsEmpty());
}

TEST_F(FarFilesTest, SayWhereTooManyMatch) {
  for (int i = 0; i <= 20000; ++i) std::ofstream(root / ("f" + std::to_string(i)));
  auto link = open();
  EXPECT_THAT(files_of(*link)->find(root, {"f*"}, {}).error().message, HasSubstr("more than 20000 files"));
}

TEST_F(FarFilesTest, NobodyUsedForAMonthAreDeleted) {
  add("a", "one");
  add("b", "two");
  {
    auto link = open();
    ASSERT_EQ(why_not_sent(*link), "");
  }
  EXPECT_TRUE(wait_for([&] { return sessions().empty(); }));
  const std::string one = "far side/blobs/" + fs::sha256("one"), two = "far side/blobs/" + fs::sha256("two");
  const std::string own = "far side/gate-agent-" + options().agents.at("x86_64").sha256;
  for (const char* path :
       {"far side/gate-agent-0", "far side/gate-agent-1", "far side/notes", "far side/sessions/0/tree/x",
        "far side/sessions/1/tree/x", "far side/blobs/piece.0"})
    put(path, "x");
  make_old(one, 29);
  for (const std::string& path :
       {two, own, std::string("far side/gate-agent-0"), std::string("far side/notes"),
        std::string("far side/sessions/0"), std::string("far side/blobs/piece.0")})
    make_old(path, 31);
  tree_.entries.pop_back();
  auto link = open();
  ASSERT_EQ(why_not_sent(*link), "");
  EXPECT_EQ(sent_.files, 0U);
  link.reset();
  EXPECT_TRUE(wait_for([&] { return sessions().size() == 1; }));
  EXPECT_THAT(sessions(), ElementsAre((root / "far side/sessions/1").string()));
  std::filesystem::remove_all(root / "far side/sessions/1");
  EXPECT_THAT(fs::files_below(root / "far side"),
              UnorderedElementsAre(one.substr(9), own.substr(9), "gate-agent-1", "notes"));
  const auto used = fs::FileTime::clock::now() - std::chrono::hours(1);
  for (const std::string& path : {one, own}) EXPECT_GT(std::filesystem::last_write_time(root / path), used);
}

}  // namespace
}  // namespace gate::hosts::far_files_test
