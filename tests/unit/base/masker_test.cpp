#include <gtest/gtest.h>

#include <random>

#include "gate/base/secrets.h"
#include "naive_mask.h"

namespace gate::masker_test {
namespace {

using Words = std::vector<std::string>;

std::string masked(std::string_view text, const Words& secrets) { return Masker(secrets).mask(text); }

TEST(Masker, ReplacesEveryOccurrence) {
  EXPECT_EQ(masked("login hunter22-x, hunter22-x!", {"hunter22-x"}), "login ***, ***!");
  EXPECT_EQ(masked("hunter22-x", {"hunter22-x"}), "***");
  EXPECT_EQ(masked("hunter22-", {"hunter22-x"}), "hunter22-");
  EXPECT_EQ(masked("hunter2hunter22-x", {"hunter22-x"}), "hunter2***");
}

TEST(Masker, LeavesNothingOfSecretsThatOverlap) {
  EXPECT_EQ(masked("<abcdefghijkl>", {"abcdefgh", "efghijkl"}), "<***>");
  EXPECT_EQ(masked("<abcdefghij>", {"abcdefghij", "bcdefghi"}), "<***>");
  EXPECT_EQ(masked("<abcdefghi->", {"abcdefghij", "bcdefghi"}), "<a***->");
  EXPECT_EQ(masked("<abcdefghabcdefgh>", {"abcdefgh"}), "<***>");
}

TEST(Masker, KeepsEveryLine) {
  EXPECT_EQ(masked("1\nfirst line\nx\nlast line\n2\n", {"first line\nx\nlast line"}),
            "1\n***\n***\n***\n2\n");
}

TEST(Masker, TakesBytesAsTheyAre) {
  const std::string nul("a\0b\xff\x80z", 6);
  EXPECT_EQ(masked("\xff" + nul + nul.substr(0, 3), {nul}), "\xff***" + nul.substr(0, 3));
}

TEST(Masker, WithoutSecretsReturnsTheTextItself) {
  EXPECT_FALSE(Masker().has_secrets());
  EXPECT_FALSE(Masker(Words{""}).has_secrets());
  EXPECT_EQ(masked("anything", {}), "anything");
  StreamMasker stream{Masker()};
  const std::string_view bytes = "anything";
  EXPECT_EQ(stream.feed(bytes).data(), bytes.data());
}

TEST(StreamMasker, CopiesNothingWhereNoSecretIsInSight) {
  StreamMasker stream(Masker(Words{"hunter22-x"}));
  const std::string_view bytes = "iteration 1 hun";
  const std::string_view now = stream.feed(bytes);
  EXPECT_EQ(now, "iteration 1 ");
  EXPECT_EQ(now.data(), bytes.data());
  EXPECT_EQ(stream.feed("dred\n"), "hundred\n");
  EXPECT_EQ(stream.finish(), "");
}

TEST(StreamMasker, HoldsBackNoCompleteSecret) {
  StreamMasker stream(Masker(Words{"hunter22-x"}));
  EXPECT_EQ(stream.feed("hunter22-x"), "***");
  EXPECT_EQ(stream.feed("hunter22-"), "");
  EXPECT_EQ(stream.feed("x"), "");
  EXPECT_EQ(stream.feed(" hunter"), " ");
  EXPECT_EQ(stream.finish(), "hunter");
}

TEST(StreamMasker, BeginsANewTextAfterFinish) {
  StreamMasker stream(Masker(Words{"hunter22-x"}));
  EXPECT_EQ(stream.feed("hunter2"), "");
  EXPECT_EQ(stream.finish(), "hunter2");
  EXPECT_EQ(stream.feed("2-x hunter22-x"), "2-x ***");
}

TEST(StreamMasker, HoldsBackNoMoreThanMayBecomeASecret) {
  const Words secrets{"aabaabaab", "baabaaba-long", "hunter22-x"};
  const std::string text = "hunter aabaabaa hunter22- baabaabb aabaabahunter22-baabaaba";
  StreamMasker stream((Masker(secrets)));
  std::size_t written = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    written += stream.feed(std::string_view(text).substr(i, 1)).size();
    EXPECT_EQ(written, i + 1 - naive_held(std::string_view(text).substr(0, i + 1), secrets)) << i;
  }
}

// Secrets and texts over few letters, so that they overlap in every way there is.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t limit) { return engine_() % limit; }
  std::string word(std::size_t length) {
    std::string out;
    for (std::size_t i = 0; i < length; ++i) out += "ab\nc"[below(letters_)];
    return out;
  }
  Words words() {
    letters_ = 2 + below(3);
    Words out(1 + below(4));
    for (std::string& each : out) each = word(1 + below(9));
    return out;
  }

 private:
  std::mt19937 engine_;
  std::size_t letters_ = 2;
};

TEST(MaskerProperty, IsTheNaiveOneWhereverTheTextIsCut) {
  for (unsigned seed = 0; seed < (SANITIZED ? 300 : 1500); ++seed) {
    Random random(seed);
    const Words secrets = random.words();
    const std::string text = random.word(random.below(60));
    const Masker masker(secrets);
    const std::string expected = naive_mask(text, secrets);
    ASSERT_EQ(masker.mask(text), expected) << "seed " << seed;
    ASSERT_EQ(mask_in_pieces(text, masker, 1), expected) << "seed " << seed;
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      StreamMasker stream(masker);
      std::string out(stream.feed(std::string_view(text).substr(0, cut)));
      out += stream.feed(std::string_view(text).substr(cut));
      ASSERT_EQ(out += stream.finish(), expected) << "seed " << seed << ", cut at " << cut;
    }
  }
}

TEST(MaskerProperty, IsTheSameInRandomPieces) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Words secrets = random.words();
    std::string text;
    for (int i = 0; i < 40; ++i)
      text += random.below(3) > 0 ? random.word(6) : secrets[random.below(secrets.size())];
    StreamMasker stream((Masker(secrets)));
    std::string out;
    for (std::size_t at = 0, size = 0; at < text.size(); at += size) {
      size = 1 + random.below(20);
      out += stream.feed(std::string_view(text).substr(at, size));
    }
    ASSERT_EQ(out += stream.finish(), naive_mask(text, secrets)) << "seed " << seed;
  }
}

TEST(MaskerProperty, ManyLongSecretsInALongText) {
  std::mt19937 engine(7);
  Words secrets(40);
  for (std::string& secret : secrets)
    for (int i = 0; i < 40; ++i) secret += static_cast<char>('a' + engine() % 26);
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += " iteration " + std::to_string(engine()) + secrets[engine() % 40].substr(engine() % 2);
  const std::string expected = naive_mask(text, secrets);
  EXPECT_EQ(Masker(secrets).mask(text), expected);
  EXPECT_EQ(mask_in_pieces(text, Masker(secrets), 777), expected);
}

// Would take hours if any step were quadratic.
TEST(StreamMasker, IsLinearInHostileTexts) {
  const std::string same(std::size_t{1} << (SANITIZED ? 18 : 20), 'a');
  EXPECT_EQ(masked(same, {"aaaaaaaa"}), "***");
  EXPECT_EQ(masked(same, {same.substr(0, 100'000) + "b"}), same);
  EXPECT_EQ(mask_in_pieces(same, Masker(Words{same.substr(0, 100'000) + "b"}), 1), same);
  EXPECT_EQ(mask_in_pieces(same, Masker(Words{same.substr(0, 100'000)}), 1), "***");
}

}  // namespace
}  // namespace gate::masker_test
