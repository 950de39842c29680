#include "gate/base/fs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace gate::fs::fs_test {
namespace {

class Fs : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "gate-fs-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  Path folder;
};

TEST_F(Fs, WritesAndReadsBack) {
  ASSERT_TRUE(write_file(folder / "a/b.txt", "one\ntwo"));
  EXPECT_EQ(read_file(folder / "a/b.txt").value_or(""), "one\ntwo");
}

TEST_F(Fs, AppendsBehindWhatIsThere) {
  ASSERT_TRUE(append_file(folder / "a", "one"));
  ASSERT_TRUE(append_file(folder / "a", " two"));
  EXPECT_EQ(read_file(folder / "a").value_or(""), "one two");
  EXPECT_EQ(size_of(folder / "a"), 7u);
  EXPECT_EQ(size_of(folder / "absent"), 0u);
  EXPECT_FALSE(append_file(folder, "x"));
  EXPECT_FALSE(append_file(folder / "absent/a", "x"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(append_file(folder / "pipe", "nobody reads it"));
}

TEST_F(Fs, AFailedWriteLeavesWhatWasThere) {
  ASSERT_TRUE(write_file(folder / "a", "old"));
  const Status status = write_file(folder / "a/b", "new");  // a is a file, not a folder
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find((folder / "a").string()), std::string::npos);
  EXPECT_EQ(read_file(folder / "a").value_or(""), "old");
  EXPECT_EQ(files_below(folder), std::vector<std::string>{"a"});
}

TEST_F(Fs, MovesToNoNameThatIsTaken) {
  ASSERT_TRUE(write_file(folder / "new", "new"));
  ASSERT_TRUE(write_file(folder / "file", "old"));
  ASSERT_TRUE(make_folder(folder / "folder"));
  ASSERT_TRUE(replace_link(folder / "link", "file"));
  ASSERT_TRUE(replace_link(folder / "dangling", "nowhere"));
  for (const char* taken : {"file", "folder", "link", "dangling"}) {
    EXPECT_FALSE(move_to_free(folder / "new", folder / taken).value_or(true)) << taken;
    EXPECT_EQ(read_file(folder / "new").value_or(""), "new") << taken;
  }
  EXPECT_EQ(read_file(folder / "file").value_or(""), "old");
  EXPECT_FALSE(is_taken(folder / "nowhere"));
  EXPECT_FALSE(move_to_free(folder / "new", folder / "absent/new"));
  EXPECT_TRUE(move_to_free(folder / "new", folder / "free").value_or(false));
  EXPECT_EQ(read_file(folder / "free").value_or(""), "new");
  EXPECT_FALSE(is_taken(folder / "new"));
}

TEST_F(Fs, ErrorsNamePathAndReason) {
  const Result<std::string> absent = read_file(folder / "absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message,
            (folder / "absent").string() + ": cannot read: No such file or directory");
  const Result<std::string> directory = read_file(folder);
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("is a directory"), std::string::npos);
}

TEST_F(Fs, ListsFilesSortedAndRelative) {
  for (const char* name : {"b.sh", "a/c.sh", "a/b/d.sh"}) ASSERT_TRUE(write_file(folder / name, ""));
  EXPECT_EQ(files_below(folder), (std::vector<std::string>{"a/b/d.sh", "a/c.sh", "b.sh"}));
  EXPECT_TRUE(files_below(folder / "absent").empty());
}

TEST_F(Fs, ListsWhatIsNoFileApart) {
  ASSERT_TRUE(write_file(folder / "a/file", ""));
  std::filesystem::create_symlink("file", folder / "a/link");
  std::filesystem::create_symlink("nowhere", folder / "a/dangling");
  std::filesystem::create_symlink("..", folder / "a/up");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Listing listing = list_below(folder);
  EXPECT_EQ(listing.files, (std::vector<std::string>{"a/file", "a/link"}));
  EXPECT_EQ(listing.others, (std::vector<std::string>{"a/dangling", "a/up", "pipe"}));
  EXPECT_TRUE(listing.unread.empty());
  EXPECT_TRUE(is_taken(folder / "a/dangling") && !fs::exists(folder / "a/dangling"));
  EXPECT_FALSE(is_taken(folder / "a/absent"));
}

TEST_F(Fs, DoesNotWaitForSomebodyToWriteToANamedPipe) {
  const Path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", folder / "link");
  const auto take = [](std::string_view) {};
  for (const Path& path : {pipe, folder / "link"})
    for (const std::string& error : {read_file(path).error().message, read_from(path, 0).error().message,
                                     read_blocks(path, take).error().message})
      EXPECT_EQ(error, path.string() + ": is a named pipe, to which nobody may ever write; name a file");
}

TEST_F(Fs, ReadsNoDeviceThatHasNoEnd) {
  EXPECT_EQ(read_file("/dev/zero").error().message, "/dev/zero: is a device that has no end; name a file");
  EXPECT_EQ(read_file("/dev/null").value(), "");
}

TEST_F(Fs, ReadsAPipeWithoutAName) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "text", 4), 4);
  close(ends[1]);
  EXPECT_EQ(read_file("/proc/self/fd/" + std::to_string(ends[0])).value(), "text");
  close(ends[0]);
}

TEST_F(Fs, NamesFoldersThatCannotBeListed) {
  if (geteuid() == 0) GTEST_SKIP() << "root lists every folder";
  ASSERT_TRUE(write_file(folder / "a/b/file", ""));
  ASSERT_TRUE(write_file(folder / "c/file", ""));
  std::filesystem::permissions(folder / "a/b", std::filesystem::perms::none);
  const Listing listing = list_below(folder);
  const Listing itself = list_below(folder / "a/b");
  std::filesystem::permissions(folder / "a/b", std::filesystem::perms::owner_all);
  EXPECT_EQ(listing.unread, std::vector<std::string>{"a/b"});
  EXPECT_EQ(listing.files, std::vector<std::string>{"c/file"});
  EXPECT_EQ(itself.unread, std::vector<std::string>{"."});
}

TEST_F(Fs, ReadsInBlocksOfBoundedSize) {
  const std::string big(1'000'000, 'x');
  ASSERT_TRUE(write_file(folder / "big", big));
  std::size_t largest = 0, total = 0;
  ASSERT_TRUE(read_blocks(folder / "big", [&](std::string_view block) {
    largest = std::max(largest, block.size());
    total += block.size();
  }));
  EXPECT_EQ(total, big.size());
  EXPECT_LE(largest, 256u * 1024);
}

TEST_F(Fs, ReplacesLinks) {
  ASSERT_TRUE(replace_link(folder / "latest", "runs/1"));
  ASSERT_TRUE(replace_link(folder / "latest", "runs/2"));
  EXPECT_EQ(std::filesystem::read_symlink(folder / "latest"), "runs/2");
}

// Test vectors of FIPS 180-4, and the borders of the padding.
TEST_F(Fs, WritesOutputThroughLinks) {
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("c", folder / "b");
  ASSERT_TRUE(write_output(folder / "a", "text"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "a") && std::filesystem::is_symlink(folder / "b"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "c"));
  EXPECT_EQ(read_file(folder / "c").value_or(""), "text");
  std::filesystem::create_symlink("d", folder / "d");
  EXPECT_FALSE(write_output(folder / "d", "text"));
  EXPECT_EQ(write_output(folder / "no/e", "text").error().message,
            (folder / "no/e").string() + ": there is no folder " + (folder / "no").string() +
                "; make it, or name another");
}

// What is written by another name goes behind what was written by the number.
TEST_F(Fs, WritesOutputIntoAnOpenFile) {
  const int file = ::open((folder / "both").c_str(), O_RDWR | O_CREAT, 0644);
  const Path link = folder / "link";
  std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(file), link);
  EXPECT_FALSE(is_replaceable(link));
  EXPECT_EQ(::write(file, "one ", 4), 4);
  ASSERT_TRUE(write_output(link, "two "));
  EXPECT_EQ(::write(file, "three", 5), 5);
  ::close(file);
  EXPECT_EQ(read_file(folder / "both").value_or(""), "one two three");
}

TEST(Sha256, MatchesPublishedVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(Fs, NameOfAFolder) {
  EXPECT_EQ(name_of("/a/b"), "b");
  EXPECT_EQ(name_of("/a/b/"), "b");
  EXPECT_EQ(name_of("/a/b/."), "b");
  EXPECT_EQ(name_of("."), std::filesystem::current_path().filename().string());
}

TEST_F(Fs, FindsProgramsInAbsoluteFoldersOfPath) {
  for (const char* name : {"one/tool", "two/tool", "two/text"}) ASSERT_TRUE(write_file(folder / name, ""));
  ASSERT_EQ(chmod((folder / "two/tool").c_str(), 0700), 0);
  std::filesystem::create_directory(folder / "two/folder");
  const Path before = std::filesystem::current_path();
  const std::string path = getenv("PATH");
  std::filesystem::current_path(folder / "two");
  setenv("PATH", (":.:" + (folder / "none").string() + ":" + (folder / "one").string()).c_str(), 1);
  EXPECT_EQ(find_program("tool"), "") << "here it is, but PATH's folder is relative, or its file no program";
  setenv("PATH", ((folder / "one").string() + ":" + (folder / "two").string()).c_str(), 1);
  EXPECT_EQ(find_program("tool"), folder / "two/tool");
  EXPECT_EQ(find_program("text"), "");
  EXPECT_EQ(find_program("folder"), "");
  unsetenv("PATH");
  EXPECT_EQ(find_program("sh").filename(), "sh");
  setenv("PATH", path.c_str(), 1);
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace gate::fs::fs_test
