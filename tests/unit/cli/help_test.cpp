// What gate says of itself: help, topics, man pages, and the syntax that completion and pages are made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <set>

#include "cli/manual/man_pages.h"
#include "gate/base/text.h"
#include "gate/model/rules/verdict.h"
#include "gate_in_process.h"

namespace gate::cli::help_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// The syntax of a command; "" is that of gate itself.
const CommandSyntax& syntax_of(const std::string& name) {
  static const std::vector<CommandSyntax> all = command_syntax();
  return *std::ranges::find(all, name, &CommandSyntax::name);
}

const OptionSyntax& option(const std::string& command, const std::string& name) {
  const OptionSyntax* option = find_option(syntax_of(command), name);
  EXPECT_NE(option, nullptr) << command << " " << name;
  static const OptionSyntax none;
  return option == nullptr ? none : *option;
}

class Help : public Commands {
 protected:
  std::string help(std::vector<std::string> topic) {
    topic.insert(topic.begin(), "help");
    const Said said = gate(topic);
    EXPECT_EQ(said.code, exit_code::ok) << said.err;
    return said.out;
  }
};

TEST_F(Help, OfACommandIsWhatItsFlagShows) {
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run"}, {"baseline", "accept"}}) {
    std::vector<std::string> words = command;
    words.emplace_back("--help");
    const Said said = gate(words);
    EXPECT_EQ(said.code, exit_code::ok);
    EXPECT_EQ(trim(said.err), trim(help(command)));
  }
}

// Each flag of a command stands in its help with what it does, and has a word for its value.
TEST_F(Help, NamesEachFlag) {
  for (const CommandSyntax& command : command_syntax()) {
    if (command.name.empty()) continue;
    const std::string help = help_of_command(command.name);
    EXPECT_THAT(help, StartsWith(command.doc + "\nUsage: gate " + command.name));
    std::set<std::string> names;
    for (const OptionSyntax& one : command.options) {
      EXPECT_THAT(help, HasSubstr("  " + join(one.names, ",")));
      EXPECT_FALSE(one.doc.empty()) << command.name << " " << one.names.back();
      EXPECT_EQ(one.value.empty(), one.most == 0) << command.name << " " << one.names.back();
      for (const std::string& name : one.names) EXPECT_TRUE(names.insert(name).second) << name << " twice";
    }
  }
}

TEST_F(Help, OfATopicIsASectionOfTheManual) {
  const std::string manual = gate({"help", "all"}).out;
  for (const char* topic : {"windows", "Window", "tolerance", "exit codes", "verdicts", "keys of a rule",
                            "RULES", "notify", "metrics of outputs"}) {
    const std::string section = help({topic});
    EXPECT_THAT(section, StartsWith("## ")) << topic;
    EXPECT_THAT(manual, HasSubstr(section.substr(0, section.find('\n')))) << topic;
  }
  EXPECT_EQ(help({"window"}), help({"windows"}));
  EXPECT_EQ(help({"exit", "codes"}), help({"verdicts"})) << "words are one topic";
}

TEST_F(Help, OfWhatPeopleCallOtherwiseSaysWhatToDoAndShowsTheTopic) {
  for (const auto& [words, topic, command] :
       std::vector<std::array<std::string, 3>>{{"noise 噪声", "baseline record", "gate baseline lint"},
                                               {"bisect 二分", "ab", "gate run CASE --bisect"},
                                               {"flaky 抖动", "history", "quarantine"},
                                               {"threshold 阈值", "tolerances", "tolerance"},
                                               {"golden 基线", "golden files", "gate baseline import"},
                                               {"log logs 日志", "log formats", "gate extract LOG"}})
    for (const std::string_view word : split_words(words)) {
      const std::string topic_help = help({topic});
      EXPECT_THAT(help({std::string(word)}),
                  AllOf(HasSubstr(command), HasSubstr(topic_help.substr(0, topic_help.find('\n')))))
          << word;
    }
  EXPECT_THAT(gate({"help", "nosie"}).err, HasSubstr("did you mean \"noise\"?"));
}

TEST_F(Help, ForProgramsIsThePage) {
  std::ifstream page(GATE_SOURCE_DIR "/docs/agents.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(help({"agents"}), text);
}

TEST_F(Help, HasTheSchemaOfTheSuitesFile) {
  EXPECT_THAT(help({"schema"}),
              AllOf(StartsWith("{\n"), HasSubstr("\"additionalProperties\": false"), EndsWith("}\n")));
}

TEST_F(Help, WithoutATopicListsThem) {
  const std::string list = help({});
  EXPECT_THAT(list,
              AllOf(StartsWith("gate help TOPIC:\n"), HasSubstr("baseline accept"), HasSubstr("windows")));
}

TEST_F(Help, OfWhatThereIsNoneSaysWhatWasMeant) {
  const Said said = gate({"help", "windws"});
  EXPECT_EQ(said.code, exit_code::usage);
  EXPECT_THAT(said.err,
              HasSubstr("help: no topic \"windws\"; did you mean \"windows\"?; gate help lists all topics"));
  EXPECT_THAT(said.out, IsEmpty());
  EXPECT_THAT(gate({"help", "x y z"}).err, HasSubstr("help: no topic \"x y z\"; gate help lists all topics"));
  EXPECT_THAT(gate({"help", "librdkafka"}).err, HasSubstr("\"librdkafka\"; of it tell gate help hub; gate"));
  EXPECT_THAT(gate({"help", "baseline"}).err, HasSubstr("gate help baseline record, gate help baseline"));
  EXPECT_EQ(help({"gate", "run"}), help({"run"}));
}

TEST_F(Help, OfAGroupListsItsCommands) {
  const Said said = gate({"baseline", "--help"});
  EXPECT_EQ(said.code, exit_code::ok);
  for (const CommandRow& row : commands()) {
    if (!row.name.starts_with("baseline ")) continue;
    EXPECT_THAT(said.err, HasSubstr("  " + std::string(row.name.substr(row.name.find(' ') + 1))));
  }
  EXPECT_THAT(said.err, HasSubstr(std::string(doc_of_baseline)));
}

TEST_F(Help, TheManualHasEachSectionOnce) {
  std::set<std::string_view> heads;
  const std::string manual = gate({"help", "all"}).out;
  for (const std::string_view line : split(manual, '\n')) {
    if (!line.starts_with("## ")) continue;
    EXPECT_TRUE(heads.insert(line).second) << line;
  }
  EXPECT_GE(heads.size(), 30U);
  EXPECT_TRUE(heads.contains("## Commands") && heads.contains("## Flags"));
}

TEST_F(Help, ManPagesAreNamedAfterTheirCommands) {
  std::set<std::string> names;
  for (const ManPage& page : man_pages()) {
    EXPECT_TRUE(names.insert(page.name).second) << page.name;
    EXPECT_THAT(page.text, HasSubstr(".SH NAME\n")) << page.name;
    EXPECT_THAT(page.text, HasSubstr(".TH ")) << page.name;
  }
  for (const CommandRow& row : commands()) {
    std::string name = "gate-" + std::string(row.name);
    std::ranges::replace(name, ' ', '-');
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_THAT(gate({"help", "gate-run"}).out, HasSubstr("run cases and judge them"));
  const Said said = gate({"help", "gate-rum"});
  EXPECT_EQ(said.code, exit_code::usage);
  EXPECT_THAT(said.err, HasSubstr("help: no topic \"gate-rum\"; did you mean \"gate-run\"?"));
}

TEST_F(Help, ManPagesAreWrittenBelowAFolder) {
  EXPECT_EQ(gate({"help", "--man-pages", at("man")}).code, exit_code::ok);
  for (const ManPage& page : man_pages()) {
    const std::string section = std::to_string(page.section);
    EXPECT_EQ(get("man/man" + section + "/" + page.name + "." + section), page.text);
  }
  put("file", "");
  EXPECT_EQ(gate({"help", "--man-pages", at("file")}).code, exit_code::infra);
}

TEST(Syntax, TellsWhatAFlagTakes) {
  const OptionSyntax& jobs = option("run", "--jobs");
  EXPECT_EQ(jobs.value, "N");
  EXPECT_EQ(jobs.range, "INT in [1 - 1000]");
  EXPECT_FALSE(jobs.is_repeatable || jobs.is_required || jobs.is_setting);
  EXPECT_TRUE(option("run", "--tag").is_repeatable);
  EXPECT_TRUE(option("baseline accept", "--reason").is_required);
  EXPECT_EQ(option("list", "--format").range, "{text,markdown,table,table-html}");
  EXPECT_EQ(option("run", "--dry-run").most, 0);
  EXPECT_EQ(option("run", "--again").least, 0);
  EXPECT_THAT(option("", "-q").names, ElementsAre("-q", "--quiet"));
  EXPECT_EQ(find_option(syntax_of("list"), "--junit"), nullptr);
}

TEST(Syntax, TellsWhatHoldsWhereASettingIsNotGiven) {
  EXPECT_EQ(option("run", "--hang").built_in, "15m");
  EXPECT_EQ(option("run", "--timeout").built_in, "2h");
  EXPECT_EQ(option("check", "--profile").built_in, "gate");
  EXPECT_TRUE(option("run", "--hang").is_setting);
  EXPECT_EQ(option("run", "--jobs").built_in, "");
}

TEST(Syntax, TellsTheWordsOfACommand) {
  ASSERT_TRUE(syntax_of("run").words && syntax_of("baseline mv").words);
  EXPECT_EQ(syntax_of("run").words->value, "CASE");
  EXPECT_FALSE(syntax_of("run").words->is_required);
  EXPECT_EQ(syntax_of("baseline mv").words->value, "OLD NEW");
  EXPECT_TRUE(syntax_of("baseline mv").words->is_required);
  EXPECT_FALSE(syntax_of("devices").words);
}

// Commands that find nothing to do their work on say so, with the code that CI is to see.
TEST_F(Help, CommandsSayWhatTheyLack) {
  struct Lack {
    std::vector<std::string> words;
    int code;
    std::string said;
  };
  for (const Lack& one : std::vector<Lack>{
           {{"reference"}, exit_code::refused, "no references; gate reference FILE takes over those of"},
           {{"reference", "list"}, exit_code::usage, "reference: write gate reference"},
           {{"reference", "import", "a.md"}, exit_code::usage, "reference: write gate reference FILE..."},
           {{"compare", "a"}, exit_code::usage, "compare: name two or more: gate compare A B ..."},
           {{"report", "--format", "htm"}, exit_code::usage, "--format htm: unknown; did you mean \"html\"?"},
           {{"completion", "fihs"}, exit_code::usage, "completion: name the shell: bash, zsh or fish"},
           {{"score", at("good.log"), at("good.log"), "--metric", "blue"},
            exit_code::usage,
            "unknown metric of an output \"blue\""},
           {{"baseline", "list"},
            exit_code::refused,
            "make one with gate baseline record or gate baseline import"},
           {{"baseline", "list", "a"},
            exit_code::refused,
            "there is no baseline of these cases; make one with gate baseline record"},
           {{"baseline", "rm", "a", "--reason", "x"}, exit_code::usage, "a: no baseline"},
           {{"baseline", "mv", "a", "b"}, exit_code::usage, "a: no baseline"}}) {
    const Said said = gate(one.words);
    EXPECT_EQ(said.code, one.code) << one.said << said.err;
    EXPECT_THAT(said.err, AllOf(StartsWith("gate: "), HasSubstr(one.said), EndsWith("\n")));
    EXPECT_THAT(said.out, IsEmpty()) << one.said;
  }
}

TEST_F(Help, VersionsAndShellsArePrinted) {
  EXPECT_THAT(gate({"--version", "-v"}).out, StartsWith("gate "));
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(gate({"completion", shell}).out, HasSubstr("gate")) << shell;
}

}  // namespace
}  // namespace gate::cli::help_test
