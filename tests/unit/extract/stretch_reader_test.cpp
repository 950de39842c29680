#include "extract/stretch_reader.h"

#include <gmock/gmock.h>

#include "reading.h"

namespace gate::extract::stretch_reader_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// `tok` is counted, `pace` has steps of its own.
Options two_patterns(std::vector<std::string> formats = {"none"}) {
  Options options;
  options.formats = std::move(formats);
  options.patterns = {{"tok", R"(tok=(?P<value>\w+))"}, {"pace", R"(at (?P<step>\d+) pace=(?P<value>\S+))"}};
  options.metrics.put(counted("tok"));
  return options;
}

std::string column_text(const StretchColumn& column) {
  std::string text = (column.source.empty() ? "" : std::string(column.source) + " ") +
                     (column.pattern == 0 ? "tok" : "pace");
  for (const Sample& sample : column.samples)
    text += " " + std::to_string(sample.number) + "=" + sample.text + "@" + std::to_string(sample.line);
  return text;
}

// What is found in a block: `line N`, or the columns of a stretch.
std::vector<std::string> found(const Extractor& extractor, std::string_view block) {
  std::vector<std::string> texts;
  const ScanResult scanned = extractor.scan(block);
  for (const FoundLine& line : scanned.lines) {
    if (!line.stretch) texts.push_back("line " + std::to_string(line.before));
    if (!line.stretch) continue;
    for (const StretchColumn& column : scanned.stretches[*line.stretch].columns)
      texts.push_back(column_text(column));
  }
  return texts;
}

std::vector<std::string> found(std::string_view block, Options options = two_patterns()) {
  Extractor extractor = make(std::move(options));
  extractor.learn("");
  return found(extractor, block);
}

TEST(StretchReader, PutsValuesOfLinesIntoColumns) {
  EXPECT_THAT(found("x\ntok=7 tok=8\nnothing\nat 3 pace=1.5 tok=9\nat 5 pace=2\nx\n"),
              ElementsAre("tok 1=7@1 2=8@1 3=9@3", "pace 3=1.5@3 5=2@4"));
}

TEST(StretchReader, TellsSourcesApart) {
  EXPECT_THAT(found("x\n0: tok=1\n1: tok=2\n0: tok=3\nx\n"), ElementsAre("0 tok 1=1@1 2=3@3", "1 tok 1=2@2"));
}

TEST(StretchReader, LeavesLinesThatMayBeCut) {
  EXPECT_THAT(found("tok=1\ntok=2\ntok=3"), ElementsAre("line 0", "tok 1=2@1", "line 2"));
}

TEST(StretchReader, LeavesWhatIsOdd) {
  EXPECT_THAT(found("x\ntok=1\ntok=nan\ntok=2\n"), ElementsAre("tok 1=1@1", "line 2", "tok 1=2@3"));
  EXPECT_THAT(found("x\ntok=1\rtok=2\ntok=3\r\n"), ElementsAre("line 1", "tok 1=3@2"));
  EXPECT_THAT(found("x\ntok=zero\n"), ElementsAre("line 1"));
  EXPECT_THAT(found("x\n\x1b[1mtok=1\n"), ElementsAre("line 1"));
}

TEST(StretchReader, LeavesStepsThatDoNotRise) {
  EXPECT_THAT(found("x\nat 3 pace=1\nat 3 pace=2\nat 4 pace=3\nat 5 pace=4 at 2 pace=5\n"),
              ElementsAre("pace 3=1@1", "line 2", "pace 4=3@3", "line 4"));
}

TEST(StretchReader, LeavesLinesThatAFormatOrAMessageWants) {
  EXPECT_THAT(found("x\ntok=1 iteration\ntok=2\nCUDA out of memory tok=3\n", two_patterns({"megatron"})),
              ElementsAre("line 1", "tok 1=2@2", "line 3"));
}

TEST(StretchReader, LeavesWhatIsNumberedByTheStepsBesideIt) {
  Options options = two_patterns();
  options.metrics = {};
  EXPECT_THAT(found("x\ntok=1\nat 3 pace=1\n", options), ElementsAre("line 1", "line 2"));
}

// A format that says what else stands in its records is not asked about other lines, but behind a launcher's
// prefix, where a record may be torn.
TEST(StretchReader, PassesOverLinesWithoutAMark) {
  const std::string lines = "x\ntok=1\n{\"event\": \"beat\"}\ntok=2\n";
  EXPECT_THAT(found(lines, two_patterns({"jsonl"})), ElementsAre("tok 1=1@1 2=2@3"));
  EXPECT_THAT(found("x\n{\"step\": 1}\n{\"val\": {'loss': 2}}\n", two_patterns({"jsonl"})),
              ElementsAre("line 1", "line 2"));
  EXPECT_THAT(found("x\n0: {\"st\n0: ep\": 1, \"loss\": 2.5}\nx\n", two_patterns({"jsonl"})),
              ElementsAre("line 1"));
  EXPECT_THAT(found("x\n{\"st\x1b[1mep\": 1}\nx\n", two_patterns({"jsonl"})), ElementsAre("line 1"));
}

TEST(StretchReader, ReadsNothingAheadForWhoIsToldOfEachSample) {
  Extractor extractor = make(two_patterns());
  extractor.learn("");
  extractor.on_sample([](const LiveSample&) {});
  EXPECT_THAT(found(extractor, "x\ntok=1\ntok=2\n"), ElementsAre("line 1", "line 2"));
}

// Return a log of values beside steps that begin anew, which no block cuts in two.
std::string log_of(int lines) {
  std::string log;
  for (int i = 0; i < lines; ++i)
    log += "[rank" + std::to_string(i % 2) + "]: at " + std::to_string(i % 170) +
           " pace=" + std::to_string(i) + " tok=" + std::to_string(i % 7) + "\n";
  return log;
}

std::string read_in_blocks(const std::string& log, std::size_t block, std::size_t scan_after) {
  Options options = two_patterns();
  options.scan_after = scan_after;
  Extractor extractor = std::move(*Extractor::make(std::move(options)));
  extractor.begin_file("train.log");
  for (std::size_t at = 0; at < log.size(); at += block)
    extractor.feed(std::string_view(log).substr(at, block));
  const Extraction x = extractor.finish();
  std::string text = dump(x);
  for (const MatchCount& count : x.matches)
    text += count.extractor + " " + std::to_string(count.matches) + "\n";
  return text;
}

TEST(StretchReader, ColumnsAreJoinedToWhatWasReadLineByLine) {
  const std::string log = log_of(1000);
  const std::string by_line = read_in_blocks(log, log.size(), log.size() * 2);
  EXPECT_THAT(by_line, HasSubstr("pattern.tok 1000"));
  for (const std::size_t block : {std::size_t{700}, std::size_t{9000}, log.size()})
    EXPECT_EQ(read_in_blocks(log, block, 0), by_line) << block;
}

// Return the judged attempt's series of a file whose own steps fall within a block, beside one that prints
// training steps.
std::string read_beside_steps(std::size_t scan_after) {
  Options options = two_patterns({"jsonl"});
  options.scan_after = scan_after;
  Extractor extractor = std::move(*Extractor::make(std::move(options)));
  extractor.begin_file("steps.log");
  for (const char* step : {"1", "2", "9", "1", "2", "9"})
    extractor.feed(std::string("{\"step\": ") + step + ", \"loss\": 2.5}\n");
  extractor.begin_file("values.log");
  extractor.feed("a first block\nat 9 pace=1 tok=1\n");
  extractor.feed("x\ntok=2\nat 1 pace=2\ntok=3\nx\n");
  return dump(extractor.finish());
}

// What is read behind the fall is of the next attempt, whoever's numbers fell.
TEST(StretchReader, ColumnsEndWhereStepsFall) {
  const std::string by_line = read_beside_steps(std::size_t{1} << 20);
  EXPECT_THAT(by_line, HasSubstr("tok"));
  EXPECT_EQ(read_beside_steps(0), by_line);
}

}  // namespace
}  // namespace gate::extract::stretch_reader_test
