// What gate and its agent on another host say to each other: messages, each a list of words that hold any
// bytes.
//
// A message is a netstring (`5:hello,`) whose content is the netstrings of its words. So no byte has to be
// escaped, a message that is cut is seen, and people can read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/time.h"

namespace gate::hosts {

using Frame = std::vector<std::string>;

// How long the content of a message may be, in bytes: a longer one is a mistake or an attack.
inline constexpr std::size_t longest_frame = std::size_t{16} << 20;

// How many words: each costs memory, however short it is. The longest answer, of 20,000 files, has 140,000.
inline constexpr std::size_t most_words = std::size_t{1} << 18;

// Return the bytes of a message.
std::string encode(const Frame& message);

// Makes messages of bytes that come in any pieces.
class FrameReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }

  // Return the next message; nothing where it has not come whole yet, or is_broken().
  std::optional<Frame> next();

  // Tell whether what came is no message: nothing behind it can be read.
  bool is_broken() const { return broken_; }

 private:
  std::string buffer_;
  std::size_t read_ = 0;  // bytes of the buffer that are behind
  bool broken_ = false;
};

// Reads the words of a message one after the other. What is missing, malformed or out of its bounds is "", 0
// or false, and spoils it.
class WordReader {
 public:
  explicit WordReader(const Frame& message, std::size_t from = 0) : message_(message), next_(from) {}

  std::string text();
  std::int64_t number(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                      std::int64_t most = std::numeric_limits<std::int64_t>::max());
  int small();
  Duration time();  // a century at most: a longer one would run over on a clock
  bool flag() { return number() != 0; }
  std::size_t count();              // of what follows: no more than words are left
  std::vector<std::string> rest();  // all that is left
  std::vector<std::string> list();  // a count, and as many words

  bool is_good() const { return good_; }
  bool has_more() const { return good_ && next_ < message_.size(); }

 private:
  const Frame& message_;
  std::size_t next_;
  bool good_ = true;
};

}  // namespace gate::hosts
