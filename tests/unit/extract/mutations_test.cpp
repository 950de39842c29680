// No log at hand, and nothing that may befall it, makes a step appear that was not printed.
#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "printed_steps.h"
#include "specimens/formats.h"

namespace gate::extract::mutations_test {
namespace {

using testing::IsEmpty;

struct Log {
  std::string name;
  std::string format;
  std::string text;
};

std::vector<Log> specimens() {
  std::vector<Log> logs;
  for (const FormatSpec& format : format_specs())
    for (const Specimen& specimen : specimens_of(format.row.name))
      logs.push_back({std::string(format.row.name) + ", " + std::string(specimen.shape),
                      std::string(format.row.name), std::string(specimen.log)});
  return logs;
}

// Return the logs below a folder that has one of each format.
std::vector<Log> files() {
  const std::filesystem::path folder = GATE_SOURCE_DIR "/tests/logs";
  std::vector<Log> logs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      logs.push_back(
          {entry.path().filename(), entry.path().parent_path().filename(), file_text(entry.path())});
  std::sort(logs.begin(), logs.end(), [](const Log& a, const Log& b) {
    return std::tie(a.format, a.name) < std::tie(b.format, b.name);
  });
  return logs;
}

// Return about 8000 bytes of whole lines of each real log that is at hand, from its middle on.
std::vector<Log> real_samples() {
  const std::filesystem::path folder = GATE_SOURCE_DIR "/../shared/data/logs";
  std::vector<Log> logs;
  if (!std::filesystem::is_directory(folder)) return logs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = file_text(entry.path());
    logs.push_back(
        {entry.path().filename(), "megatron", text.substr(text.find('\n', text.size() / 2), 8000)});
  }
  return logs;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  std::string delete_bytes(std::string text) {
    const std::size_t at = below(text.size());
    return text.erase(at, 1 + below(40));
  }
  std::string break_line(std::string text) { return text.insert(below(text.size() + 1), 1, '\n'); }
  std::string cut_end(std::string text) { return text.substr(0, below(text.size())); }
  std::string flip_byte(std::string text) {
    if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1U << below(8));
    return text;
  }
  std::string swap_lines(const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    std::swap(lines[below(lines.size())], lines[below(lines.size())]);
    return join(lines);
  }
  std::string double_line(const std::string& text) {
    std::vector<std::string> lines = lines_of(text);
    const std::string line = lines[below(lines.size())];
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size() + 1)), line);
    return join(lines);
  }

 private:
  // Each with its newline, so that a last line without one stays what it is.
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char c : text) {
      lines.back() += c;
      if (c == '\n') lines.emplace_back();
    }
    return lines;
  }
  static std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  std::mt19937 random_;
};

// What a change may print: new numbers, where bytes are gone or others; else only those of the log it was.
enum class Numbers : std::uint8_t { may_change, stay };

struct Change {
  const char* name;
  Numbers numbers;
  std::string (*apply)(Mutator&, const std::string&);
};

constexpr std::array changes{
    Change{"bytes deleted", Numbers::may_change,
           [](Mutator& m, const std::string& t) { return m.delete_bytes(t); }},
    Change{"a line broken", Numbers::stay, [](Mutator& m, const std::string& t) { return m.break_line(t); }},
    Change{"the end cut off", Numbers::stay, [](Mutator& m, const std::string& t) { return m.cut_end(t); }},
    Change{"two lines swapped", Numbers::stay,
           [](Mutator& m, const std::string& t) { return m.swap_lines(t); }},
    Change{"a line doubled", Numbers::stay,
           [](Mutator& m, const std::string& t) { return m.double_line(t); }},
    Change{"a byte flipped", Numbers::may_change,
           [](Mutator& m, const std::string& t) { return m.flip_byte(t); }},
};

Extraction read_as(const std::string& format, std::string_view log) {
  Options options;
  options.formats = {format};
  return read_log(log, options);
}

// Read the log after each change, `times` times over, as its format and as `auto`.
void mutate(const Log& log, int times, unsigned seed) {
  Mutator mutator(seed);
  const PrintedNumbers before(log.text);
  for (int i = 0; i < times; ++i)
    for (const Change& change : changes) {
      const std::string text = change.apply(mutator, log.text);
      const std::string& format = i % 2 == 0 ? log.format : "auto";
      const Extraction x = read_as(format, text);
      ASSERT_THAT(unprinted_steps(x, text), IsEmpty()) << log.name << ", " << change.name << "\n" << text;
      if (change.numbers == Numbers::stay) {
        ASSERT_THAT(unprinted_steps(x, before), IsEmpty()) << log.name << ", " << change.name << "\n" << text;
      }
    }
}

TEST(Mutations, of_specimens_show_no_step_that_was_not_printed) {
  unsigned seed = 1;
  for (const Log& log : specimens())
    ASSERT_NO_FATAL_FAILURE(mutate(log, SANITIZED ? 1 : 8, seed++)) << log.name;
}

TEST(Mutations, of_logs_show_no_step_that_was_not_printed) {
  unsigned seed = 1000;
  for (const Log& log : files()) ASSERT_NO_FATAL_FAILURE(mutate(log, SANITIZED ? 1 : 6, seed++)) << log.name;
}

TEST(Mutations, of_real_logs_show_no_step_that_was_not_printed) {
  const std::vector<Log> logs = real_samples();
  if (logs.empty()) GTEST_SKIP() << "no logs of real runs";
  unsigned seed = 2000;
  for (const Log& log : logs) ASSERT_NO_FATAL_FAILURE(mutate(log, SANITIZED ? 1 : 4, seed++)) << log.name;
}

TEST(PrintedSteps, are_missed_where_the_log_does_not_hold_them) {
  const std::string log = " iteration 1,234/ 9999 | lm loss: 2.5 |\n iteration 17/ 9999 | lm loss: 2.5 |\n";
  const Extraction x = read_as("megatron", log);
  EXPECT_THAT(unprinted_steps(x, log), IsEmpty());
  EXPECT_THAT(unprinted_steps(x, " iteration 117/ 9999 | lm loss: 2.5 |\n"),
              testing::Contains("lm_loss: step 17 of line 2 is not printed"));
  EXPECT_TRUE(PrintedNumbers("step 1,234").holds(1234));
  EXPECT_FALSE(PrintedNumbers("step 1,23").holds(123));
}

// The fuzz target's first byte names a format by its place; so do the names of its seeds.
TEST(FuzzSeeds, are_there_for_each_format) {
  for (const FormatSpec& format : format_specs()) {
    const std::string seed =
        GATE_SOURCE_DIR "/tests/fuzz/corpus/records/" + std::string(format.row.name) + "-1";
    const auto place = static_cast<char>('A' + (&format - format_specs().data()));
    ASSERT_TRUE(std::filesystem::exists(seed)) << seed << ": run write_seeds tests/fuzz/corpus/records";
    EXPECT_EQ(file_text(seed).substr(0, 1), std::string(1, place)) << seed;
  }
}

}  // namespace
}  // namespace gate::extract::mutations_test
