#include "gate/hosts/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::hosts::frame_test {
namespace {

using testing::ElementsAre;
using testing::Optional;

const Frame odd{"start", "", "a b", "'\"$(rm)\n", std::string("\0\xff:,", 4), "12:"};

TEST(Messages, AreNetstrings) {
  EXPECT_EQ(encode({"ping"}), "7:4:ping,,");
  EXPECT_EQ(encode({}), "0:,");
  EXPECT_EQ(encode({"a", ""}), "7:1:a,0:,,");
}

TEST(Messages, ComeBackCutAtAnyByte) {
  const std::string bytes = encode(odd) + encode({}) + encode({"pong"});
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    FrameReader reader;
    std::vector<Frame> read;
    for (const std::string& piece : {bytes.substr(0, cut), bytes.substr(cut)}) {
      reader.feed(piece);
      while (const auto message = reader.next()) read.push_back(*message);
    }
    EXPECT_THAT(read, ElementsAre(odd, Frame{}, Frame{"pong"})) << cut;
    EXPECT_FALSE(reader.is_broken());
  }
}

TEST(Messages, ThatAreNoneBreakTheReader) {
  for (const std::string bytes : {"x", ":", "4ping,", "4:ping;", "1234567890:", "99999999:", "4:ping,",
                                  "2:1:,", "5:1:a,x,", "-1:", " 7:4:ping,,"}) {
    FrameReader reader;
    reader.feed(bytes);
    EXPECT_EQ(reader.next(), std::nullopt) << bytes;
    EXPECT_TRUE(reader.is_broken()) << bytes;
    reader.feed(encode({"ping"}));
    EXPECT_EQ(reader.next(), std::nullopt) << bytes;
  }
}

TEST(Messages, ThatAreCutAreWaitedFor) {
  FrameReader reader;
  reader.feed("7:4:ping,");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_FALSE(reader.is_broken());
  reader.feed(",");
  EXPECT_THAT(reader.next(), Optional(Frame{"ping"}));
}

TEST(Words, AreReadOneAfterTheOther) {
  const Frame message{"take", "-3", "1", "2", "a", "b", "c"};
  WordReader words(message);
  EXPECT_EQ(words.text(), "take");
  EXPECT_EQ(words.number(), -3);
  EXPECT_TRUE(words.flag());
  EXPECT_THAT(words.list(), ElementsAre("a", "b"));
  EXPECT_THAT(words.rest(), ElementsAre("c"));
  EXPECT_TRUE(words.is_good());
}

TEST(Words, ThatAreMissingOrMalformedSpoilTheReader) {
  const Frame message{"x", "5", "a"};
  WordReader number(message), beyond(message, 3), list(message, 1);
  EXPECT_EQ(number.number(), 0);
  EXPECT_FALSE(number.is_good());
  EXPECT_EQ(number.text(), "");  // it stays spoilt
  EXPECT_EQ(beyond.text(), "");
  EXPECT_FALSE(beyond.is_good());
  EXPECT_TRUE(list.list().empty());  // five of one
  EXPECT_FALSE(list.is_good());
}

TEST(Words, ThatAreOutOfTheirBoundsSpoilTheReader) {
  const Frame message{"4294967296", "9223372036854775807", "-80"};
  WordReader small(message), time(message, 1), good(message, 2);
  EXPECT_EQ(small.small(), 0);
  EXPECT_FALSE(small.is_good());
  EXPECT_EQ(time.time(), Duration{});
  EXPECT_FALSE(time.is_good());
  EXPECT_EQ(good.small(), -80);
  EXPECT_TRUE(good.is_good());
}

TEST(Frames, HaveNoMoreWordsThanAnAnswerNeeds) {
  FrameReader reader;
  reader.feed(encode(Frame(most_words)));
  EXPECT_EQ(reader.next()->size(), most_words);
  reader.feed(encode(Frame(most_words + 1)));
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.is_broken());
}

}  // namespace
}  // namespace gate::hosts::frame_test
