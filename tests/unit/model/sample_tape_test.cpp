#include "gate/model/numbers/sample_tape.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace gate::sample_tape_test {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

// Return a number of any magnitude.
std::int64_t any_number(Random& random) { return static_cast<std::int64_t>(random()) >> below(random, 64); }

std::string any_text(Random& random) {
  std::string text(below(random, 4) == 0 ? below(random, 300) : below(random, 18), '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

std::string any_word(Random& random) {
  constexpr std::string_view words[] = {"nan",     "-inf",   "Infinity",
                                        "1.5",     "-0.250", "1e-05",
                                        "65536.0", "0",      "99999999999999999999999999999999999.25"};
  return std::string(words[below(random, std::size(words))]);
}

Decimal any_decimal(Random& random) {
  const int128 high = static_cast<int128>(any_number(random)) << below(random, 63);
  return {high + any_number(random), static_cast<std::int32_t>(random()) >> below(random, 32)};
}

Value any_value(Random& random) {
  const auto kind = static_cast<ValueKind>(below(random, 5));
  return {kind, kind == ValueKind::finite ? any_decimal(random) : Decimal{}};
}

Sample any_sample(Random& random, std::int64_t before) {
  Sample sample;
  sample.number = below(random, 3) == 0 ? any_number(random) : before + 1;
  sample.text = below(random, 2) == 0 ? any_text(random) : any_word(random);
  sample.value = below(random, 2) == 0 ? any_value(random) : parse_value(sample.text).value_or(Value{});
  sample.file = below(random, 8) == 0 ? static_cast<std::uint32_t>(random()) : 3;
  sample.line = static_cast<std::uint32_t>(random() >> (32 + below(random, 32)));
  return sample;
}

bool is_exactly(const Sample& a, const Sample& b) {
  return a.number == b.number && a.value.kind == b.value.kind &&
         a.value.number.coefficient == b.value.number.coefficient &&
         a.value.number.exponent == b.value.number.exponent && a.text == b.text && a.file == b.file &&
         a.line == b.line;
}

std::vector<Sample> any_samples(Random& random, std::size_t count) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < count; ++i)
    samples.push_back(any_sample(random, samples.empty() ? 0 : samples.back().number));
  return samples;
}

SampleTape tape_of(const std::vector<Sample>& samples) {
  SampleTape tape;
  for (const Sample& sample : samples) tape.append(sample);
  return tape;
}

bool holds(const SampleTape& tape, const std::vector<Sample>& samples) {
  return std::equal(tape.begin(), tape.end(), samples.begin(), samples.end(), is_exactly);
}

Sample step(std::int64_t number, const std::string& word = "1.5") {
  return {number, *parse_value(word), word, 0, static_cast<std::uint32_t>(number)};
}

TEST(SampleTape, Empty) {
  const SampleTape tape;
  EXPECT_TRUE(tape.empty());
  EXPECT_TRUE(tape.rises());
  EXPECT_TRUE(tape.begin() == tape.end());
  EXPECT_EQ(tape.last_number(), 0);
  EXPECT_FALSE(tape.find(0));
}

TEST(SampleTape, GivesBackWhatWasAppended) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Sample> samples = any_samples(random, below(random, 200));
    const SampleTape tape = tape_of(samples);
    ASSERT_EQ(tape.size(), samples.size());
    ASSERT_TRUE(holds(tape, samples)) << "round " << round;
  }
}

TEST(SampleTape, GoesToAnyPlace) {
  Random random(2);
  const std::vector<Sample> samples = any_samples(random, 1000);
  const SampleTape tape = tape_of(samples);
  auto it = tape.begin();
  for (int round = 0; round < 2000; ++round) {
    const std::size_t index = below(random, samples.size());
    it += static_cast<std::ptrdiff_t>(index) - (it - tape.begin());
    ASSERT_TRUE(is_exactly(*it, samples[index]));
    ASSERT_TRUE(is_exactly(tape[index], samples[index]));
    ASSERT_EQ(it.index(), index);
  }
  EXPECT_TRUE(is_exactly(*(tape.end() - 1), samples.back()));
  EXPECT_TRUE(is_exactly(tape.front(), samples.front()));
  EXPECT_TRUE(is_exactly(tape.back(), samples.back()));
}

TEST(SampleTape, GoesBackwards) {
  Random random(3);
  const std::vector<Sample> samples = any_samples(random, 200);
  const SampleTape tape = tape_of(samples);
  std::size_t index = samples.size();
  for (auto it = tape.end(); it != tape.begin();) ASSERT_TRUE(is_exactly(*--it, samples[--index]));
}

TEST(SampleTape, FindsNumbersOfATapeThatRises) {
  Random random(4);
  SampleTape tape;
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = -400; number < 800; number += 1 + static_cast<std::int64_t>(below(random, 3))) {
    numbers.push_back(number);
    tape.append(step(number));
  }
  ASSERT_TRUE(tape.rises());
  for (std::int64_t number = -410; number < 810; ++number) {
    const std::optional<Sample> found = tape.find(number);
    ASSERT_EQ(found.has_value(), std::binary_search(numbers.begin(), numbers.end(), number)) << number;
    ASSERT_EQ(found ? found->number : number, number);
  }
}

TEST(SampleTape, TellsWhetherItRises) {
  SampleTape tape;
  for (const std::int64_t number : {1, 2, 9}) tape.append(step(number));
  EXPECT_TRUE(tape.rises());
  tape.append(step(9));
  EXPECT_FALSE(tape.rises());
  tape.append(step(10));
  EXPECT_FALSE(tape.rises());
  EXPECT_EQ(tape.last_number(), 10);
}

TEST(SampleTape, TakesItsLastSamplesOff) {
  Random random(5);
  std::vector<Sample> samples = any_samples(random, 200);
  SampleTape tape = tape_of(samples);
  while (!samples.empty()) {
    tape.pop_back();
    samples.pop_back();
    ASSERT_TRUE(holds(tape, samples));
    ASSERT_EQ(tape.rises(), tape_of(samples).rises());
  }
  tape.append(step(7));
  EXPECT_TRUE(is_exactly(tape.back(), step(7)));
}

TEST(SampleTape, CopiesGoOnByThemselves) {
  Random random(6);
  std::vector<Sample> samples = any_samples(random, 150);
  SampleTape tape = tape_of(samples);
  SampleTape copy = tape;
  std::vector<Sample> of_copy = samples;
  for (const Sample& sample : any_samples(random, 150)) {
    tape.append(sample);
    samples.push_back(sample);
    copy.append(step(sample.line));
    of_copy.push_back(step(sample.line));
  }
  EXPECT_TRUE(holds(tape, samples));
  EXPECT_TRUE(holds(copy, of_copy));
  tape.append(copy);
  samples.insert(samples.end(), of_copy.begin(), of_copy.end());
  EXPECT_TRUE(holds(tape, samples));
}

Sample moved(Sample sample, SampleSpot shift) {
  sample.number = static_cast<std::int64_t>(static_cast<std::uint64_t>(sample.number) +
                                            static_cast<std::uint64_t>(shift.number));
  sample.file += shift.file;
  sample.line += shift.line;
  return sample;
}

// Tapes of any length that were made elsewhere, put one behind the other, are one tape of all their samples.
TEST(SampleTape, JoinsTapesMadeElsewhere) {
  Random random(8);
  for (int round = 0; round < 100; ++round) {
    SampleTape tape, plain;
    std::vector<Sample> all;
    for (std::size_t part = 0; part < 5; ++part) {
      const std::vector<Sample> samples = any_samples(random, below(random, 200));
      const SampleSpot shift{any_number(random), static_cast<std::uint32_t>(random()),
                             static_cast<std::uint32_t>(random())};
      tape.append(tape_of(samples), shift);
      for (const Sample& sample : samples) all.push_back(moved(sample, shift));
      if (below(random, 2) == 0) tape.append(all.emplace_back(any_sample(random, 0)));
    }
    for (const Sample& sample : all) plain.append(sample);
    ASSERT_TRUE(holds(tape, all)) << "round " << round;
    EXPECT_EQ(tape.size(), all.size());
    EXPECT_EQ(tape.rises(), plain.rises());
    ASSERT_EQ(tape.least().has_value(), plain.least().has_value());
    if (tape.least()) {
      EXPECT_TRUE(is_exactly(*tape.least(), *plain.least()));
      EXPECT_TRUE(is_exactly(*tape.greatest(), *plain.greatest()));
    }
    for (std::size_t gone = below(random, all.size() + 1); gone > 0; --gone) tape.pop_back(), all.pop_back();
    ASSERT_TRUE(holds(tape, all)) << "round " << round;
  }
}

TEST(SampleTape, FindsNumbersInJoinedTapes) {
  SampleTape tape;
  for (std::int64_t begin = 0; begin < 3000; begin += 150) {
    SampleTape part;
    for (std::int64_t number = 1; number <= 100; ++number) part.append(step(number));
    tape.append(part, {begin, 0, static_cast<std::uint32_t>(begin)});
  }
  ASSERT_TRUE(tape.rises());
  for (std::int64_t number = 1; number < 3000; ++number) {
    const std::optional<Sample> sample = tape.find(number);
    const bool there = (number - 1) % 150 < 100;
    ASSERT_EQ(sample.has_value(), there) << number;
    EXPECT_EQ(sample ? sample->line : number, number);
  }
  EXPECT_EQ(tape[1000].number, 1501);
  EXPECT_EQ((tape.begin() + 1999)->number, 2950);
}

// As columns of a log are: each part numbered as it stands in the whole.
TEST(SampleTape, FindsNumbersInTapesJoinedWhereTheyStand) {
  Random random(9);
  SampleTape tape;
  std::int64_t number = -50;
  while (number < 5000) {
    SampleTape part;
    for (std::size_t left = 1 + below(random, 150); left > 0; --left) part.append(step(number++));
    below(random, 4) == 0 ? tape.append(part.begin().view()) : tape.append(part);
    number = tape.last_number() + 1;
  }
  ASSERT_TRUE(tape.rises());
  for (std::int64_t wanted = -60; wanted < 5000; ++wanted)
    ASSERT_EQ(tape.find(wanted).has_value(), wanted >= -50 && wanted <= tape.last_number()) << wanted;
}

// A value that the word says in another quantum, or that is the word's times a factor, is kept as it is.
TEST(SampleTape, KeepsTheQuantum) {
  std::vector<Sample> samples;
  for (const Decimal& number : {Decimal{25, -1}, Decimal{250, -2}, Decimal{2560, 0}})
    samples.push_back({1, {ValueKind::finite, number}, "2.5", 0, 1});
  EXPECT_TRUE(holds(tape_of(samples), samples));
}

TEST(SampleTape, HoldsExtremes) {
  using Limits = std::numeric_limits<std::int64_t>;
  const int128 huge = ~(static_cast<int128>(1) << 127);
  std::vector<Sample> samples;
  for (const std::int64_t number : {Limits::max(), Limits::min(), std::int64_t{0}, Limits::max()})
    for (const int128 coefficient : {huge, -huge, static_cast<int128>(0)})
      for (const std::uint32_t line : {0U, ~0U})
        samples.push_back({number,
                           {ValueKind::finite, {coefficient, std::numeric_limits<std::int32_t>::min()}},
                           std::string(100'000, 'x'),
                           ~line,
                           line});
  EXPECT_TRUE(holds(tape_of(samples), samples));
}

std::string extremes_of(const SampleTape& tape) {
  if (!tape.least()) return "none";
  return std::to_string(tape.least()->number) + " " + std::to_string(tape.greatest()->number);
}

TEST(SampleTape, KnowsItsExtremes) {
  SampleTape tape;
  EXPECT_EQ(extremes_of(tape), "none");
  std::int64_t number = 0;
  for (const char* word : {"nan", "-inf"}) tape.append(step(++number, word));
  EXPECT_EQ(extremes_of(tape), "none");
  for (const char* word : {"2.5", "2.50", "-1e3", "7", "-1000", "6.9", "nan"})
    tape.append(step(++number, word));
  EXPECT_EQ(extremes_of(tape), "5 6");
  SampleTape copy = tape;
  for (int i = 0; i < 4; ++i) copy.pop_back();
  EXPECT_EQ(extremes_of(copy), "5 3");
  copy.append(step(20, "-2000"));
  EXPECT_EQ(extremes_of(copy), "20 3");
  EXPECT_EQ(extremes_of(tape), "5 6");
}

TEST(SampleTape, TakesAboutElevenBytesForAStep) {
  SampleTape tape;
  for (std::int64_t number = 1; number <= 100'000; ++number)
    tape.append(step(number, "2." + std::to_string(100'000 + number)));
  EXPECT_LT(static_cast<double>(tape.bytes()) / 1e5, 12);
}

}  // namespace
}  // namespace gate::sample_tape_test
