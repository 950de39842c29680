#include "gate/hosts/sent_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::hosts::tree_test {
namespace {

using testing::HasSubstr;

const std::string hash(64, 'a');

std::string mistake(const Frame& message) {
  WordReader words(message);
  const auto entries = read_entries(words);
  return entries ? "" : entries.error().message;
}

TEST(Tree, CarriesEntries) {
  const std::vector<TreeEntry> entries{{"a", EntryKind::file, hash},
                                       {"b c/d'\"$(x)\n\xff", EntryKind::program, fs::sha256("")},
                                       {"e/f", EntryKind::link, "../../anywhere"}};
  Frame message;
  for (const TreeEntry& entry : entries) add(message, entry);
  WordReader words(message);
  EXPECT_EQ(read_entries(words).value(), entries);
  message.pop_back();
  EXPECT_THAT(mistake(message), HasSubstr("malformed"));
}

TEST(Tree, HasPathsBelowItsRootAlone) {
  const std::string nul("a\0b", 3);
  for (const std::string& path :
       {std::string(), std::string("/"), std::string("/etc/passwd"), std::string("."), std::string(".."),
        std::string("../a"), std::string("a/../../b"), std::string("a/.."), std::string("a//b"),
        std::string("a/"), std::string("./a"), std::string("a/./b"), nul}) {
    EXPECT_FALSE(is_plain_path(path)) << path;
    EXPECT_THAT(mistake({"file", path, hash}), HasSubstr("no path below a folder")) << path;
  }
  for (const char* path : {"a", "...", "a/.b", "..a/b..", "a b", "-", "~", "\xff"})
    EXPECT_TRUE(is_plain_path(path)) << path;
}

TEST(Tree, HasContents) {
  for (const std::string& content : {std::string(), std::string(63, 'a'), std::string(64, 'A'),
                                     "../" + std::string(61, 'a'), std::string(65, 'a')})
    EXPECT_NE(mistake({"file", "a", content}), "") << content;
  EXPECT_NE(mistake({"link", "a", ""}), "");
  EXPECT_NE(mistake({"link", "a", std::string("b\0c", 3)}), "");
  EXPECT_NE(mistake({"pipe", "a", hash}), "");
  EXPECT_EQ(mistake({}), "");
}

}  // namespace
}  // namespace gate::hosts::tree_test
