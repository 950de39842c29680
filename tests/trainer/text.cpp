#include "trainer/text.h"

#include <cassert>
#include <vector>

#include "trainer/random.h"

namespace tinygpt {
namespace {

constexpr std::uint64_t kTextStream = 2;
constexpr std::uint64_t kSampleStream = 16;  // and all above it: one a sequence

using Words = std::vector<std::string>;

struct Lexicon {
  Words nouns, verbs, adjectives;
};

std::string syllable(Random& random) {
  constexpr std::string_view consonants = "bcdfghklmnprstvz", vowels = "aeiou";
  return {consonants[random.below(consonants.size())], vowels[random.below(vowels.size())]};
}

Words make_words(Random& random, std::size_t count, std::string_view ending) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) {
    std::string word = syllable(random);
    for (std::size_t more = random.below(3); more > 0; --more) word += syllable(random);
    words.push_back(word.append(ending));
  }
  return words;
}

Lexicon make_lexicon(Random& random) {
  Lexicon lexicon;
  lexicon.nouns = make_words(random, 24, "n");
  lexicon.verbs = make_words(random, 12, "s");
  lexicon.adjectives = make_words(random, 12, "l");
  return lexicon;
}

// The smaller of two draws: word 0 is twice as frequent as the average, the last one rare.
const std::string& pick(Random& random, const Words& words) {
  const std::size_t a = random.below(words.size()), b = random.below(words.size());
  return words[a < b ? a : b];
}

// One draw a statement from here on: the order in which C++ evaluates the operands of + is the compiler's.
void add_noun_phrase(Random& random, const Lexicon& lexicon, std::string& text) {
  text += random.below(4) == 0 ? "a " : "the ";
  if (random.below(2) == 0) text += pick(random, lexicon.adjectives) + ' ';
  text += pick(random, lexicon.nouns);
}

void add_sentence(Random& random, const Lexicon& lexicon, std::string& text) {
  add_noun_phrase(random, lexicon, text);
  text += ' ' + pick(random, lexicon.verbs) + ' ';
  add_noun_phrase(random, lexicon, text);
  if (random.below(3) == 0) {
    text += ", and ";
    add_noun_phrase(random, lexicon, text);
  }
  text += random.below(4) == 0 ? ".\n" : ". ";
}

std::string write_text(std::uint64_t seed, std::size_t length) {
  Random random(seed, kTextStream);
  const Lexicon lexicon = make_lexicon(random);
  std::string text;
  while (text.size() < length) add_sentence(random, lexicon, text);
  return text.substr(0, length);
}

Token token_of(char c) { return static_cast<Token>(Text::kAlphabet.find(c)); }

}  // namespace

Text::Text(std::uint64_t seed, std::size_t length) : seed_(seed), characters_(write_text(seed, length)) {
  assert(length >= 16);
}

Batch Text::training(std::size_t first, std::size_t count, std::size_t context) const {
  return draw(0, held_out_from(), first, count, context);
}

Batch Text::held_out(std::size_t first, std::size_t count, std::size_t context) const {
  return draw(held_out_from(), characters_.size(), first, count, context);
}

Batch Text::draw(std::size_t begin, std::size_t end, std::size_t first, std::size_t count,
                 std::size_t context) const {
  assert(begin + context < end);
  Batch batch;
  for (std::size_t number = first; number < first + count; ++number) {
    const std::size_t at = begin + Random(seed_, kSampleStream + number).below(end - begin - context);
    for (std::size_t i = at; i < at + context; ++i) {
      batch.inputs.push_back(token_of(characters_[i]));
      batch.targets.push_back(token_of(characters_[i + 1]));
    }
  }
  return batch;
}

}  // namespace tinygpt
