#include "gate/base/unfinished.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "../temporary.h"
#include "gate/base/text.h"

namespace gate::fs::unfinished_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Unfinished : public Temporary {
 protected:
  // What a process does that is killed in the middle of it: by the system, where it writes beyond the limit.
  void killed(const std::function<void()>& what, rlim_t bytes = 1000) const {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const rlimit none{0, 0}, limit{bytes, bytes};
      ::setrlimit(RLIMIT_CORE, &none);
      ::setrlimit(RLIMIT_FSIZE, &limit);
      what();
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }

  std::vector<std::string> left(const Path& below = "") const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root / below))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  // The name that another process would give, with one of its parts otherwise.
  std::string name_with(std::size_t part, const std::string& other) const {
    std::string name = unfinished_beside(root / "a").filename().string();
    const std::size_t begin = name.find(".gate-new-") + 10;
    std::vector<std::string> parts;
    for (const std::string_view one : split(std::string_view(name).substr(begin), '-'))
      parts.emplace_back(one);
    parts[part] = other;
    return name.substr(0, begin) + join(parts, "-");
  }
};

TEST_F(Unfinished, WritesThatAreKilledLeaveTheOldFileAndOneThatTheNextGateRemoves) {
  ASSERT_TRUE(write_file(root / "a/file", "old"));
  const std::string large(5000, 'x');
  for (const Survives what : {Survives::kill, Survives::power_loss})
    killed([&] { [[maybe_unused]] const Status never = write_file(root / "a/file", large, what); });
  killed([&] { [[maybe_unused]] const auto folder = make_unique_folder(root / "a/ab-"); });
  killed([&] {
    const Path link = unfinished_beside(root / "a/latest");
    std::filesystem::create_symlink("file", link);
  });
  EXPECT_EQ(left("a").size(), 5u);
  EXPECT_EQ(read_file(root / "a/file").value(), "old");
  remove_unfinished(root / "a");
  EXPECT_THAT(left("a"), ElementsAre("file"));
  EXPECT_EQ(read_file(root / "a/file").value(), "old");
}

// Each way to make one asks for it: no gate has to be told of the folder.
TEST_F(Unfinished, TheNextFileInTheFolderRemovesThem) {
  const std::function<void(const Path&)> ways[] = {
      [](const Path& folder) { ASSERT_TRUE(write_file(folder / "new", "")); },
      [](const Path& folder) { ASSERT_TRUE(write_output(folder / "new", "")); },
      [](const Path& folder) { ASSERT_TRUE(replace_link(folder / "new", "file")); },
      [](const Path& folder) { ASSERT_TRUE(make_unique_folder(folder / "new")); },
  };
  for (std::size_t way = 0; way < std::size(ways); ++way) {
    const Path folder = root / std::to_string(way);
    std::filesystem::create_directories(folder);
    killed(
        [&] { [[maybe_unused]] const Status never = write_file(folder / "file", std::string(5000, 'x')); });
    ASSERT_EQ(left(folder).size(), 1u) << way;
    ways[way](folder);
    ASSERT_EQ(left(folder).size(), 1u) << way;
    EXPECT_TRUE(left(folder).front().starts_with("new")) << way;
  }
}

TEST_F(Unfinished, OnlyWhatAProcessThatIsGoneMadeHereIsRemoved) {
  const std::string gone = "4194305";  // beyond the largest pid
  for (const std::string& name :
       {name_with(0, std::to_string(::getpid())), name_with(0, std::to_string(::getppid()) + "x"),
        name_with(2, "0123456789ab"), name_with(0, "0"), name_with(0, "-1"), name_with(0, ""),
        name_with(0, "99999999999"), name_with(3, "x"), name_with(3, "1-1"), std::string(".a.gate-new-"),
        std::string(".a.") + gone + ".1", std::string("a.tmp"), std::string("gate-new-1-1-1-1")})
    put(name, "");
  const std::vector<std::string> before = left();
  for (const std::string& name : {name_with(0, gone), name_with(1, "1")}) put(name, "");
  ASSERT_EQ(left().size(), before.size() + 2);
  remove_unfinished(root);
  EXPECT_EQ(left(), before);
}

TEST_F(Unfinished, NoLinkIsFollowed) {
  const std::string name = name_with(0, "4194305");
  put("elsewhere/" + name, "");
  put("elsewhere/file", "");
  std::filesystem::create_directories(root / "a/b");
  std::filesystem::create_directory_symlink("../elsewhere", root / "a/link");
  std::filesystem::create_directory_symlink("../elsewhere", root / "a" / name);
  put("a/b/" + name, "");
  remove_unfinished(root / "a");
  EXPECT_THAT(left("a"), ElementsAre("b", "link"));
  EXPECT_THAT(left("a/b"), ElementsAre(name));
  remove_unfinished(root / "a", Below::yes);
  EXPECT_THAT(left("a/b"), IsEmpty());
  EXPECT_THAT(left("elsewhere"), ElementsAre(name, "file"));
  remove_unfinished(root / "absent", Below::yes);
}

TEST_F(Unfinished, ALongNameHasOneToo) {
  const std::string longest(255, 'x');
  ASSERT_TRUE(write_file(root / longest, "text"));
  EXPECT_THAT(left(), ElementsAre(longest));
}

}  // namespace
}  // namespace gate::fs::unfinished_test
