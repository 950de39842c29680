// What is wrong with a command line: said in one line, with the page that helps, and nothing is done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/options/commands.h"
#include "cli/options/options.h"
#include "gate/base/text.h"
#include "gate/model/rules/verdict.h"

namespace gate::cli::mistakes_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What a line is refused with; `accepted` where it is not.
Early refused(const std::string& line) {
  std::vector<std::string> words{"gate"};
  for (const std::string_view word : split_words(line)) words.emplace_back(word);
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const auto options = parse_options(static_cast<int>(argv.size()), argv.data());
  return options ? Early{0, "accepted"} : options.error();
}

struct Mistake {
  std::string line, said;
};

void expect(const std::vector<Mistake>& mistakes) {
  for (const Mistake& one : mistakes) {
    const Early early = refused(one.line);
    EXPECT_EQ(early.text, one.said) << "gate " << one.line;
    EXPECT_EQ(early.exit_code, exit_code::usage) << "gate " << one.line;
  }
}

TEST(UnknownFlags, AreSaidWithWhatWasMeant) {
  expect({
      {"run --jbos 3", "gate run has no flag --jbos; did you mean \"--jobs\"?; see gate run --help"},
      {"check a.log --platfrom=x",
       "gate check has no flag --platfrom; did you mean \"--platform\"?; see gate check --help"},
      {"init --dryrun", "gate init has no flag --dryrun; did you mean \"--dry-run\"?; see gate init --help"},
      {"run a --unknown=1", "gate run has no flag --unknown; see gate run --help"},
      {"baseline lint --platfrom 3",
       "gate baseline lint has no flag --platfrom; did you mean \"--platform\"?; see gate baseline lint "
       "--help"},
      {"run -x", "The following argument was not expected: -x; see gate run --help"},
  });
}

TEST(UnknownFlags, AreThoseOfOtherCommands) {
  EXPECT_THAT(refused("list --merge").text, StartsWith("gate list has no flag --merge"));
  EXPECT_THAT(refused("init --report f.md").text, StartsWith("gate init has no flag --report"));
  EXPECT_EQ(refused("check a.log --report f.md").text, "accepted");
}

// Words of earlier builds, each in a line of its own, and what the error says to write in its place.
TEST(OldWords, AreRefusedWithWhatIsWrittenNow) {
  for (const Mistake& one :
       std::vector<Mistake>{{"baseline show a", "gate baseline list CASE"},
                            {"version", "gate --version -v"},
                            {"version --json", "gate --version -v"},
                            {"manual gate-run", "gate help all"},
                            {"object get s3://b/k", "stages.download.from"},
                            {"worker", "gate-worker, a program of its own"},
                            {"worker --source f", "gate-worker, a program of its own"},
                            {"run --startup 1s", "--set startup=VALUE"},
                            {"ab A B --case c --grace 1s", "--set grace=VALUE"},
                            {"ab A B --case c --pairs 8", "--runs N"},
                            {"init --from train.log", "gate init LOG"},
                            {"help --all", "gate help all"},
                            {"help --schema", "gate help schema"},
                            {"run --no-notify", "--no-ci"},
                            {"baseline record --idle-wait 1s", "--set idle_wait=VALUE"},
                            {"run --early-stop on", "--set early_stop=VALUE"},
                            {"check --log x", "and takes that as a word: gate check LOG"},
                            {"run --repeat 3", "--set repeat=VALUE"},
                            {"run --runs 3", "--set repeat=N, or gate baseline record --runs N"},
                            {"report --run 3", "and takes that as a word: gate report RUN"},
                            {"baseline lint --case x", "and takes that as a word: gate baseline lint CASE"},
                            {"run --nodes 2", "--devices 2x8"},
                            {"run --on-slow x", "further = { on = \"slow\""},
                            {"run --on-red x", "--set further=WORDS"},
                            {"run --param a=b", "--set param.NAME=VALUE"},
                            {"score a b --metric bleu --tokenize zh", "bleu|tok:zh"},
                            {"score a b --metric bleu --smooth floor", "bleu|smooth:floor"},
                            {"score a b --metric bleu --smooth-value 1", "bleu|smooth:floor[0.1]"},
                            {"score a b --metric bleu --effective-order", "bleu|eff:yes"},
                            {"score a b --metric bleu --lowercase", "bleu|case:lc"},
                            {"score a b --metric bleu --max-order 4", "bleu|order:4"},
                            {"score a b --metric chrf --char-order 6", "chrf|nc:6"},
                            {"score a b --metric chrf --word-order 2", "chrf|nw:2"},
                            {"score a b --metric chrf --beta 2", "chrf|beta:2"},
                            {"score a b --metric results --scores x", "--key 'arc_*'"},
                            {"check a.log --case a --allow-nondeterministic", "megatron nondeterministic"},
                            {"check a.log --case a --metrics lm_loss", "megatron lm_loss"},
                            {"run --junit f", "--report junit=FILE"},
                            {"check a.log --case a --html=f", "--report html=FILE"},
                            {"report --merge a b --markdown f", "--report markdown=FILE"},
                            {"run --openmetrics f", "--report openmetrics=FILE"},
                            {"run --json-file f", "--report json=FILE"},
                            {"compare a b --html f", "--report html=FILE"},
                            {"history --html f", "--report html=FILE"},
                            {"extract a.log --csv", "--format csv"},
                            {"extract a.log --format megatron", "--log-format megatron"},
                            {"extract a.log --threads 2", "taskset -c CORES"},
                            {"list --coverage --format html", "--report html=FILE"},
                            {"baseline import a.log --metrics x", "--metric LIST"},
                            {"baseline accept a --reason x --from latest", "--run RUN"},
                            {"baseline diff --from latest", "--run RUN"},
                            {"baseline lint --days 3", "180 days"},
                            {"devices --watch", "--follow"},
                            {"stop a --no-wait", "gate stop RUN &"},
                            {"report --recording", "gate report RUN"},
                            {"reference a.md --replace", "nothing: rows of other files are replaced"}}) {
    const Early early = refused(one.line);
    EXPECT_EQ(early.exit_code, exit_code::usage) << "gate " << one.line;
    EXPECT_THAT(early.text, HasSubstr(one.said)) << "gate " << one.line;
  }
}

TEST(UnknownCommands, AreSaidWithWhatWasMeant) {
  expect({
      {"chekc a.log", "unknown command \"chekc\"; did you mean \"check\"?; see gate --help"},
      {"chck a.log", "unknown command \"chck\"; did you mean \"check\"?; see gate --help"},
      {"-q --color never rnu", "unknown command \"rnu\"; did you mean \"run\"?; see gate --help"},
      {"xyzzy", "unknown command \"xyzzy\"; see gate --help"},
      {"baseline", "A subcommand is required; see gate --help"},
      {"baseline acept",
       "unknown command \"baseline acept\"; did you mean \"baseline accept\"?; see gate --help"},
      {"--color never", "A subcommand is required; see gate --help"},
  });
}

TEST(UnknownCommands, NoneAtAllIsHelped) {
  const Early early = refused("");
  EXPECT_TRUE(early.is_help);
  EXPECT_EQ(early.exit_code, exit_code::usage) << "an unset variable of a CI script is not green";
  EXPECT_THAT(early.text, HasSubstr("Usage: gate"));
  EXPECT_FALSE(refused("--color never").is_help);
}

TEST(UnknownCommands, MayNotWriteToTheTerminal) {
  EXPECT_THAT(refused("\x1b[31mrun").text, StartsWith("unknown command \"\\x1b[31mrun\""));
  EXPECT_LT(refused("run --" + std::string(500, 'a')).text.size(), 200U);
}

TEST(Values, AreMissing) {
  expect({
      {"run --jobs", "--jobs: 1 required N:INT in [1 - 1000] missing; see gate run --help"},
      {"run --set", "--set: 1 required PATH=VALUE missing; see gate run --help"},
      {"list --explain", "--explain: 1 required CASE missing; see gate list --help"},
      {"--color", "--color: 1 required WHEN:{auto,always,never} missing; see gate --help"},
      {"check", "LOG is required; see gate check --help"},
      {"extract", "LOG is required; see gate extract --help"},
      {"explain", "CASE is required; see gate explain --help"},
      {"stop", "RUN|CASE is required; see gate stop --help"},
      {"score a b", "--metric is required; see gate score --help"},
      {"ab A B", "--case is required; see gate ab --help"},
      {"baseline accept", "--reason is required; see gate baseline accept --help"},
      {"baseline mv a", "OLD NEW: At least 2 required but received 1; see gate baseline mv --help"},
      {"ab HEAD --case c", "REV1 REV2: At least 2 required but received 1; see gate ab --help"},
  });
}

TEST(Values, AreTooMany) {
  expect({
      {"compare a b c d e f g h i", "A B ...: At Most 8 required but received 9; see gate compare --help"},
      {"run --again x --again y", "--again: At Most 1 required but received 2; see gate run --help"},
  });
}

// Each number at both of its ends, and what is none.
TEST(Numbers, AreWithinTheirRange) {
  struct Range {
    std::string flag, least, most, below, above, words;
  };
  for (const Range& one : std::vector<Range>{
           {"run --jobs ", "1", "1000", "0", "1001", "not in range 1 to 1000"},
           {"baseline record --runs ", "1", "1000", "0", "1001", "not in range 1 to 1000"},
           {"run --determinism ", "2", "1000", "1", "1001", "runs are compared; write 2 to 1000"},
           {"ab A B --case c --runs ", "3", "1000", "2", "1001", "not in range 3 to 1000"},
           {"run --max-failures ", "1", "2147483647", "0", "-1", "not in range 1 to 2147483647"},
           {"run --retry-infra ", "0", "2147483647", "-1", "-2", "not in range 0 to 2147483647"},
           {"history --last ", "0", "1000000", "-1", "-2", "not in range 0 to 2147483647"},
           {"history --prune ", "1", "1000000", "0", "-1", "not in range 1 to 2147483647"},
           {"run --confirm ", "2", "1000000000000", "1", "-5", "write 2 or more"}}) {
    EXPECT_EQ(refused(one.flag + one.least).text, "accepted") << one.flag;
    EXPECT_EQ(refused(one.flag + one.most).text, "accepted") << one.flag;
    for (const std::string& wrong : {one.below, one.above}) {
      const Early early = refused(one.flag + wrong);
      EXPECT_EQ(early.exit_code, exit_code::usage) << one.flag << wrong;
      EXPECT_THAT(early.text, HasSubstr(one.words)) << one.flag << wrong;
    }
    EXPECT_EQ(refused(one.flag + "1x").exit_code, exit_code::usage) << one.flag;
  }
}

TEST(Words, AreOfTheirGrammar) {
  for (const char* line :
       {"run --deadline 90s", "run --deadline 2h30m", "run --shard 1/1", "run --shard 10000/10000",
        "ab A B --case c --change 3%", "ab A B --case c --change ±3%", "ab A B --case c --change +-0.1",
        "ab A B --case c --change 100"})
    EXPECT_EQ(refused(line).text, "accepted") << line;
  const std::string deadline = "\" is no duration; write e.g. 90s, 30m or 2h; see gate run --help",
                    shard =
                        "\" is no shard; write I/N, e.g. 2/4, with 1 <= I <= N <= 10000; see gate run --help",
                    change =
                        "\" is no change; write a percentage from 0.1% to 100%, e.g. 3%; see gate ab --help";
  for (const char* word : {"soon", "0s", "-1s", "90", "1h-1m"})
    expect({{"run --deadline=" + std::string(word), "--deadline: \"" + std::string(word) + deadline}});
  for (const char* word : {"1", "0/4", "5/4", "1/10001", "-1/4", "a/b", "1/4/2", "/"})
    expect({{"run --shard=" + std::string(word), "--shard: \"" + std::string(word) + shard}});
  for (const char* word : {"0", "0.09%", "101%", "-3%", "x", "%", "nan"})
    expect({{"ab A B --case c --change=" + std::string(word), "--change: \"" + std::string(word) + change}});
}

TEST(Words, AreOneOfAList) {
  expect({
      {"list --format txt", "--format: txt not in {text,markdown,table,table-html}; see gate list --help"},
      {"--lang fr list", "--lang: fr not in {en,zh}; see gate list --help"},
      {"list --color sometimes", "--color: sometimes not in {auto,always,never}; see gate list --help"},
      {"run --only tets --stages-folder x",
       "--only: tets not in {init,download,test,compare,report,upload}; see gate run --help"},
  });
}

TEST(Flags, NeedAndExcludeOneAnother) {
  expect({
      {"run --only test", "--only requires --stages-folder; see gate run --help"},
      {"run --nothing-ok", "--nothing-ok requires --changed-since; see gate run --help"},
      {"check a.log --output a=b", "--output requires --case; see gate check --help"},
      {"check a.log --case a --baseline b", "--case excludes --baseline; see gate check --help"},
      {"check a.log --metrics-from x --policy-from y",
       "--policy-from excludes --metrics-from; see gate check --help"},
      {"history --prune 3 --export", "--export excludes --prune; see gate history --help"},
      {"history --import --prune 3", "--import excludes --prune; see gate history --help"},
      {"help x --man-pages d", "TOPIC excludes --man-pages; see gate help --help"},
      {"report --no-ci", "--no-ci requires --merge; see gate report --help"},
  });
}

TEST(Reports, AreOfAKindAndAFile) {
  for (const char* word : {"junit=f", "f.xml", "html=a/b=c", "./a=b.json", "s3://b/k.md", "text=-"})
    EXPECT_EQ(refused("run --report " + std::string(word)).text, "accepted") << word;
  for (const char* word : {"junti=f", "f", "f.txt", "junit=", "=f", "a=b.json", ".xml/"})
    EXPECT_THAT(
        refused("run --report=" + std::string(word)).text,
        StartsWith("--report: \"" + std::string(word) + "\": write KIND=FILE, KIND is one of text, json"))
        << word;
  EXPECT_THAT(refused("run --report junt=f").text, HasSubstr("did you mean \"junit\"?"));
  EXPECT_THAT(refused("compare a b --report junit=f").text, HasSubstr("KIND is one of text, json, html"));
}

TEST(Bisections, AreNotMisledByAMistake) {
  for (const char* line :
       {"run --bisect --jbos 3", "check --bisect", "run --bisect --set=", "selftest --bisect -x"})
    EXPECT_EQ(refused(line).exit_code, exit_code::infra) << line;
  EXPECT_EQ(refused("run -- --bisect --jbos").text, "accepted") << "what is the script's is not looked at";
}

}  // namespace
}  // namespace gate::cli::mistakes_test
