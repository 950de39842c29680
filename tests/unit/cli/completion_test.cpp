// What a command line may become, from the tables alone: none of these looks for a suite that is there.
#include "cli/manual/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/commands.h"
#include "cli/options/options.h"

namespace gate::cli::completion_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Completion completed(const std::vector<std::string>& words) {
  static const std::vector<CommandSyntax> syntax = command_syntax();
  return complete(syntax, words);
}

std::vector<std::string> words_of(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const Candidate& candidate : completed(words).candidates) all.push_back(candidate.word);
  return all;
}

TEST(Completion, CommandsAreOfOneWordOrOfTwo) {
  const std::vector<std::string> first = words_of({""});
  EXPECT_THAT(first, Contains("run"));
  EXPECT_EQ(std::ranges::count(first, "baseline"), 1);
  EXPECT_THAT(words_of({"baseline", ""}),
              ElementsAre("record", "import", "diff", "accept", "list", "mv", "rm", "lint"));
  EXPECT_THAT(words_of({"nosuch", ""}), IsEmpty());
  EXPECT_THAT(words_of({}), Contains("run"));
}

TEST(Completion, FlagsAreTheCommandsAndThoseOfAll) {
  EXPECT_THAT(words_of({"-"}), Contains("--version"));
  const std::vector<std::string> of_check = words_of({"check", "a.log", "-"});
  EXPECT_THAT(of_check, Contains("--baseline"));
  EXPECT_THAT(of_check, Contains("--profile")) << "a setting";
  EXPECT_THAT(of_check, Contains("-C"));
  EXPECT_THAT(of_check, Not(Contains("--version")));
  EXPECT_THAT(of_check, Not(Contains("--jobs")));
  EXPECT_EQ(std::ranges::count(of_check, "--help"), 1);
  EXPECT_THAT(words_of({"devices", ""}), Contains("--follow")) << "which takes no words";
}

TEST(Completion, ValuesAreThoseOfTheFlag) {
  EXPECT_THAT(words_of({"run", "--backend", ""}), ElementsAre("auto", "local", "ssh", "slurm", "kubernetes"));
  EXPECT_THAT(words_of({"run", "--backend=s"}),
              ElementsAre("--backend=auto", "--backend=local", "--backend=ssh", "--backend=slurm",
                          "--backend=kubernetes"));
  EXPECT_THAT(words_of({"run", "--jobs", "-"}), IsEmpty()) << "nobody can list numbers";
  EXPECT_THAT(words_of({"list", "--format", ""}), ElementsAre("text", "markdown", "table", "table-html"));
  EXPECT_THAT(words_of({"--color", ""}), ElementsAre("auto", "always", "never"));
  EXPECT_THAT(words_of({"--lang", ""}), ElementsAre("en", "zh"));
  EXPECT_THAT(words_of({"run", "--strict=a"}), IsEmpty()) << "it takes no value";
  EXPECT_THAT(words_of({"run", "--nosuch=a"}), IsEmpty());
}

TEST(Completion, AFlagsValueIsNoWord) {
  EXPECT_THAT(words_of({"explain", "a", "--run", "1121-0101", ""}), Contains("lm_loss"));
  EXPECT_THAT(words_of({"explain", "a", "lm_loss", ""}), Contains("--run")) << "it takes no third word";
  EXPECT_THAT(words_of({"report", "--again", "-", ""}), Not(Contains("lm_loss")));
}

TEST(Completion, BehindDashesThereAreNoFlags) {
  EXPECT_TRUE(completed({"run", "a", "--", "-"}).takes_files) << "words of the script";
  EXPECT_THAT(words_of({"run", "a", "--", "-"}), IsEmpty());
  EXPECT_TRUE(completed({"check", "--", "-"}).takes_files) << "words of its own";
  EXPECT_THAT(words_of({"check", "--", "-"}), IsEmpty());
}

TEST(Completion, FilesAndFolders) {
  EXPECT_TRUE(completed({"check", ""}).takes_files);
  EXPECT_TRUE(completed({"run", "--report", ""}).takes_files);
  EXPECT_TRUE(completed({"run", "--report="}).takes_files);
  EXPECT_TRUE(completed({"-C", ""}).takes_folders);
  EXPECT_FALSE(completed({"run", "--deadline", ""}).takes_files);
}

// A word in small letters stands for itself, so each such type of a setting that has no row must be one that
// can be typed.
TEST(Completion, NoTypeIsOfferedAsAValue) {
  const std::vector<CommandSyntax> syntax = command_syntax();
  for (const CommandSyntax& command : syntax)
    for (const OptionSyntax& option : command.options) {
      if (option.most == 0 || !option.is_setting) continue;
      EXPECT_THAT(words_of({"run", option.names.back(), ""}),
                  Not(testing::AnyOf(Contains("text"), Contains("count"), Contains("list"), Contains("of"),
                                     Contains("or"), Contains("duration"), Contains("seconds"))))
          << option.names.back();
    }
}

TEST(Completion, LinesHoldWordAndDoc) {
  EXPECT_EQ(completion_lines({{{"a b", "two\nlines"}, {"c", ""}, {"d\ne", ""}, {"f\tg", ""}}, true, true}),
            "a b\ttwo; lines\nc\t\n\tfiles\n");
  EXPECT_EQ(completion_lines({{}, false, true}), "\tfolders\n");
}

TEST(Completion, EachShellHasItsScript) {
  EXPECT_THAT(completion_script("bash"), HasSubstr("complete -F _gate gate"));
  EXPECT_THAT(completion_script("zsh"), StartsWith("#compdef gate\n"));
  EXPECT_THAT(completion_script("fish"), HasSubstr("complete -c gate"));
  EXPECT_EQ(completion_script("sh"), nullptr);
}

}  // namespace
}  // namespace gate::cli::completion_test
