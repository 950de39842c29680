// The training text: a small made-up language, generated from a seed, that a small model can learn.
//
// Sentences like "the small dog sees a red cat." follow one grammar; nouns, verbs and adjectives are words of
// one to three syllables drawn from the seed, the frequent ones far more often than the rare ones. So there
// is much to learn in few steps (letters, "the", syllables, then words), and another seed is another
// language.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "trainer/batch.h"

namespace tinygpt {

class Text {
 public:
  static constexpr std::string_view kAlphabet = "\n ,.abcdefghijklmnopqrstuvwxyz";

  // Make `length` characters of the seed's language; at least 16. The last eighth is held out of training.
  explicit Text(std::uint64_t seed, std::size_t length = std::size_t{1} << 16);

  // Return `count` sequences of `context` tokens for training, at places that depend on the seed and on the
  // running number of each sequence (first, first + 1, ...), not on who asks: ranks that share out the
  // numbers of a global batch train on the same text as one rank that takes it all.
  Batch training(std::size_t first, std::size_t count, std::size_t context) const;

  // The same out of the part that is held out.
  Batch held_out(std::size_t first, std::size_t count, std::size_t context) const;

  std::string_view characters() const { return characters_; }

  // Where the part held out begins.
  std::size_t held_out_from() const { return characters_.size() / 8 * 7; }

 private:
  Batch draw(std::size_t begin, std::size_t end, std::size_t first, std::size_t count,
             std::size_t context) const;

  std::uint64_t seed_;
  std::string characters_;
};

}  // namespace tinygpt
