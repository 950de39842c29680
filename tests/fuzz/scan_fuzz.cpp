// Logs and patterns put together from words: what is found fast is what a plain search of each line finds.
//   1. PatternReader against RE2, unanchored, on each line.
//   2. LiteralScan on each path of the sieve: the same lines, among them every line that RE2 finds a match
//   on.
//   3. The whole extraction, in blocks of any size that 1 to 4 threads scan, against one that passes over no
//   line and puts nothing into columns.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../unit/extract/reading.h"
#include "extract/patterns/user_pattern.h"
#include "extract/scan/literal_scan.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"
#include "targets.h"

namespace {

using namespace gate::extract;
using gate::Extraction;

constexpr std::array<std::string_view, 48> pattern_words{"loss",
                                                         "loss=",
                                                         "(?P<value>",
                                                         ")",
                                                         "\\S+",
                                                         "[0-9.]+",
                                                         "(?P<value>\\S+)",
                                                         ".*?",
                                                         " ",
                                                         "step ",
                                                         "(?P<step>\\d+)",
                                                         "(?i)",
                                                         "|",
                                                         "^",
                                                         "$",
                                                         "\\b",
                                                         "a",
                                                         "K",
                                                         "k",
                                                         "s",
                                                         "\xe9",
                                                         "(?:",
                                                         "+",
                                                         "*",
                                                         "?",
                                                         "{2}",
                                                         "[^,]",
                                                         "\\d",
                                                         "=",
                                                         ":",
                                                         "\\s*",
                                                         "\\B",
                                                         "[a-k]",
                                                         "lm loss: *",
                                                         "(?P<rank>\\d+)",
                                                         ".",
                                                         ".*",
                                                         "\\[",
                                                         "]",
                                                         "-",
                                                         "(",
                                                         "\\w+",
                                                         "[=:]",
                                                         "reward",
                                                         "x",
                                                         "\\D",
                                                         "\\t",
                                                         "/"};

constexpr std::array<std::string_view, 62> log_words{
    "loss",
    "loss=",
    "LOSS=",
    "Loss",
    "1.5",
    "2",
    "nan",
    "\n",
    "\n",
    "\n",
    "\r",
    "\r\n",
    " ",
    " ",
    "step 3",
    "step ",
    "a",
    "aa",
    " iteration        3/      10 | lm loss: 1.0E+00 | grad norm: 1.0 | number of nan iterations:   0 |\n",
    "[Rank 0] (after 1 iterations) memory (MB) | allocated: 1.0 | max allocated: 2.0 | reserv",
    "ed: 3.0 | max reserved: 3.0\n",
    "iterat",
    "i",
    "it",
    "[Ran",
    "[",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b",
    "0: ",
    "1: [default1]:",
    "[rank1]: ",
    "Traceback (most recent call last):\n",
    "ValueError: no\n",
    "CUDA out of memory",
    "{\"step\": 1, \"loss\": 2}\n",
    "{'loss': 1.5, 'epoch': 0.1}\n",
    "[step=1/10]\n",
    "    train/loss=2.5\n",
    "Epoch 0:  20%|##  | 2/10 [00:01<00:04, loss=2.5]\r",
    "\xe9",
    "K",
    "k",
    "s",
    "\xe2\x84\xaa",
    "=",
    ":",
    ",",
    "lm loss: 3",
    "reward",
    "x",
    "-",
    "]",
    "\t",
    "/",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "x",
    "tok=7\n",
    "tok=8 tok=9\n",
    "tok=nan\n",
    "step 4 loss=1.5\n",
    "step 5 loss=2\n",
    "[rank1]: step 6 loss=2\n"};

constexpr std::array<std::string_view, 7> some_formats{"auto", "megatron", "hf-trainer", "lightning",
                                                       "olmo", "jsonl",    "verl"};

// What the bytes of an input choose.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool empty() const { return at_ == size_; }
  std::uint8_t next() { return empty() ? std::uint8_t{0} : data_[at_++]; }

  // Return so many words, one for each byte; a byte above the words is itself.
  template <typename Words>
  std::string text(const Words& words, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count && !empty(); ++i) {
      const std::uint8_t byte = next();
      text += byte < words.size() ? std::string(words[byte]) : std::string(1, static_cast<char>(byte));
    }
    return text;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

[[noreturn]] void differ(const std::string& what, const std::string& found, const std::string& expected) {
  std::fprintf(stderr, "%s\nfound:\n%s\nexpected:\n%s\n", what.c_str(), found.c_str(), expected.c_str());
  std::abort();
}

// --- 1 -------------------------------------------------------------------------------------------

std::string words_with_re2(const RE2& regex, std::string_view line) {
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(regex.NumberOfCapturingGroups()) + 1);
  const auto value = static_cast<std::size_t>(regex.NamedCapturingGroups().at("value"));
  std::string words;
  std::size_t at = 0;
  for (int i = 0; i < 64 && at < line.size(); ++i) {
    if (!regex.Match(piece(line), at, line.size(), RE2::UNANCHORED, groups.data(),
                     static_cast<int>(groups.size())))
      break;
    const auto begin = static_cast<std::size_t>(groups[0].data() - line.data());
    if (begin >= line.size()) break;
    words += std::string(view(groups[value])) + "\n";
    at = begin + std::max<std::size_t>(groups[0].size(), 1);
  }
  return words;
}

std::string words_read(PatternReader& reader, std::string_view line) {
  CleanLine clean;
  clean.text = line;
  clean.own = line.size();
  std::string words;
  reader.begin(clean);
  while (const Record* record = reader.next()) words += std::string(record->fields[0].word) + "\n";
  return words;
}

// --- 2 -------------------------------------------------------------------------------------------

std::vector<Literal> literals_of(const std::string& pattern) {
  std::vector<Literal> literals{
      {"iteration", false, 1}, {"{", false, 2}, {"it\n", false, 4}, {"CUDA out of memory", false, 8}};
  for (const std::string& literal : required_literals(pattern)) literals.push_back({literal, true, 16});
  return literals;
}

std::string lines_found(const LiteralScan& scan, std::string_view log) {
  std::string text;
  const std::int64_t newlines = scan.find_lines(log, [&](const FoundLine& line, const LiteralHits& wanted) {
    text += std::to_string(line.begin) + "-" + std::to_string(line.end) + " after " +
            std::to_string(line.before) + " for " + std::to_string(wanted.readers) + "\n";
  });
  return text + std::to_string(newlines) + " newlines\n";
}

void check_scans(const std::string& pattern, std::string_view log) {
  const std::vector<Literal> literals = literals_of(pattern);
  const LiteralScan plain(literals, log.substr(0, log.size() / 2), SievePath::plain);
  const std::string expected = lines_found(plain, log);
  for (const SievePath path : sieve_paths()) {
    const LiteralScan scan(literals, log.substr(0, log.size() / 3), path);
    if (const std::string found = lines_found(scan, log); found != expected)
      differ("lines on path " + std::string(to_string(path)), found, expected);
  }
}

// --- 3 -------------------------------------------------------------------------------------------

std::vector<std::string_view> in_blocks(std::string_view log, std::size_t size) {
  std::vector<std::string_view> blocks;
  for (std::size_t at = 0; at < log.size(); at += size) blocks.push_back(log.substr(at, size));
  return blocks;
}

std::vector<ScanResult> scan_all(const Extractor& extractor, const std::vector<std::string_view>& blocks,
                                 std::size_t threads) {
  std::vector<ScanResult> scans(blocks.size());
  const auto scan_from = [&](std::size_t first) {
    for (std::size_t i = first; i < blocks.size(); i += threads) scans[i] = extractor.scan(blocks[i]);
  };
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(scan_from, i);
  scan_from(0);
  for (std::thread& helper : helpers) helper.join();
  return scans;
}

std::string extracted(const Options& options, std::string_view log, std::size_t block, std::size_t threads) {
  Extractor extractor = std::move(*Extractor::make(options));
  extractor.begin_file("train.log");
  const std::vector<std::string_view> blocks = in_blocks(log, block);
  const std::vector<ScanResult> scans = scan_all(extractor, blocks, threads);
  for (std::size_t i = 0; i < blocks.size(); ++i) extractor.feed(blocks[i], scans[i]);
  const Extraction extraction = extractor.finish();
  std::string text = dump(extraction) + std::to_string(extraction.lines) + " lines\n";
  for (const gate::KnownMessage& message : extraction.messages)
    text += message.name + " " + std::to_string(message.line) + " " + std::to_string(message.count) + "\n";
  for (const gate::Sentence& note : extraction.notes) text += note.english() + "\n";
  return text;
}

}  // namespace

int scan_fuzz(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  const std::size_t block = choices.next() + std::size_t{1};
  std::string pattern = choices.text(pattern_words, choices.next() % 10 + std::size_t{1});
  if (pattern.find("(?P<value>") == std::string::npos) pattern += "(?P<value>\\S+)";
  auto reader = PatternReader::make({"reward", pattern});
  if (!reader) return 0;
  const std::string log = choices.text(log_words, size);
  const RE2 regex(pattern, pattern_options());
  const std::vector<std::string> literals = required_literals(pattern);
  const LiteralScan scan(literals_of(pattern), log);
  for (const std::string_view line : gate::split(log, '\n')) {
    const std::string expected = words_with_re2(regex, line);
    if (const std::string found = words_read(*reader, line); found != expected)
      differ("`" + pattern + "` on `" + std::string(line) + "`", found, expected);
    if (!expected.empty() && !literals.empty() && (scan.readers_of(line) & 16U) == 0)
      differ("no literal of `" + pattern + "` was found on `" + std::string(line) + "`", "", expected);
  }
  check_scans(pattern, log);
  Options options;
  options.patterns = {{"reward", pattern},
                      {"tok", "tok=(?P<value>\\w+)"},
                      {"paced", "step (?P<step>\\d+) loss=(?P<value>\\S+)"}};
  options.metrics.put(counted("tok"));
  if (block % 2 == 0) options.metrics.put(counted("reward"));
  options.formats = {std::string(some_formats[block % some_formats.size()])};
  options.scan_after = std::numeric_limits<std::size_t>::max();
  const std::string expected = extracted(options, log, log.size() + 1, 1);
  options.scan_after = 0;
  const std::size_t threads = size % 4 + 1;
  if (const std::string found = extracted(options, log, block, threads); found != expected)
    differ("`" + pattern + "` in blocks of " + std::to_string(block) + " by " + std::to_string(threads),
           found, expected);
  return 0;
}
