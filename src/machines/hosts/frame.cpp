#include "gate/hosts/frame.h"

#include "gate/base/text.h"

namespace gate::hosts {

namespace {

constexpr std::size_t most_digits = 9;

void append(std::string& bytes, std::string_view text) {
  bytes += std::to_string(text.size());
  bytes += ':';
  bytes += text;
  bytes += ',';
}

enum class NetstringEnd { whole, short_of, broken };

// The netstring that begins at `at`. Behind a whole one `at` is its end.
NetstringEnd take(std::string_view bytes, std::size_t& at, std::string_view& content) {
  const std::size_t colon = bytes.find_first_not_of("0123456789", at);
  const std::size_t digits = (colon == std::string_view::npos ? bytes.size() : colon) - at;
  if (digits > most_digits || (colon != std::string_view::npos && (digits == 0 || bytes[colon] != ':')))
    return NetstringEnd::broken;
  if (colon == std::string_view::npos) return NetstringEnd::short_of;
  const auto size = static_cast<std::size_t>(parse_integer(bytes.substr(at, digits)).value_or(0));
  if (size > longest_frame) return NetstringEnd::broken;
  if (bytes.size() < colon + 1 + size + 1) return NetstringEnd::short_of;
  if (bytes[colon + 1 + size] != ',') return NetstringEnd::broken;
  content = bytes.substr(colon + 1, size);
  at = colon + 1 + size + 1;
  return NetstringEnd::whole;
}

}  // namespace

std::string encode(const Frame& message) {
  std::string content, bytes;
  for (const std::string& word : message) append(content, word);
  append(bytes, content);
  return bytes;
}

std::optional<Frame> FrameReader::next() {
  std::string_view content;
  const NetstringEnd cut = broken_ ? NetstringEnd::broken : take(buffer_, read_, content);
  broken_ |= cut == NetstringEnd::broken;
  if (cut != NetstringEnd::whole) {
    buffer_.erase(0, read_);
    read_ = 0;
    return std::nullopt;
  }
  Frame message;
  std::string_view word;
  for (std::size_t at = 0; at < content.size(); message.emplace_back(word))
    if (message.size() == most_words || take(content, at, word) != NetstringEnd::whole) {
      broken_ = true;
      return std::nullopt;
    }
  return message;
}

std::string WordReader::text() {
  good_ &= next_ < message_.size();
  return good_ ? message_[next_++] : "";
}

std::int64_t WordReader::number(std::int64_t least, std::int64_t most) {
  const std::string word = text();
  const auto value = parse_integer(word);
  const bool fits = value && *value >= least && *value <= most;
  good_ &= fits;
  return fits ? *value : 0;
}

int WordReader::small() {
  return static_cast<int>(number(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

Duration WordReader::time() {
  constexpr std::int64_t most = Duration(std::chrono::years(100)).count();
  return Duration(number(-most, most));
}

std::size_t WordReader::count() {
  const std::int64_t value = number();
  good_ &= value >= 0 && static_cast<std::uint64_t>(value) <= message_.size() - next_;
  return good_ ? static_cast<std::size_t>(value) : 0;
}

std::vector<std::string> WordReader::list() {
  std::vector<std::string> words;
  for (std::size_t left = count(); left > 0; --left) words.push_back(text());
  return words;
}

std::vector<std::string> WordReader::rest() {
  std::vector<std::string> words;
  while (good_ && next_ < message_.size()) words.push_back(text());
  return words;
}

}  // namespace gate::hosts
