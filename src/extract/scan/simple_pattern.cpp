#include "extract/scan/simple_pattern.h"
#include "gate/base/utf8.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gate::extract {

namespace {

using CharSet = std::bitset<256>;

constexpr int most_starts = 16;
constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
constexpr std::string_view special = "\\.[]()*+?{}|^$";

CharSet range_of(unsigned char first, unsigned char last) {
  CharSet bytes;
  for (unsigned byte = first; byte <= last; ++byte) bytes.set(byte);
  return bytes;
}

CharSet set_of(char c) { return range_of(static_cast<unsigned char>(c), static_cast<unsigned char>(c)); }

// Return the bytes of `\d`, `\.`, `\t`; nothing for what is not read here.
std::optional<CharSet> bytes_of_escape(char c) {
  const CharSet digits = range_of('0', '9');
  const CharSet words = digits | range_of('a', 'z') | range_of('A', 'Z') | set_of('_');
  const CharSet blanks = set_of(' ') | set_of('\t') | set_of('\n') | set_of('\f') | set_of('\r');
  if (c == 'd') return digits;
  if (c == 'D') return ~digits;
  if (c == 'w') return words;
  if (c == 'W') return ~words;
  if (c == 's') return blanks;
  if (c == 'S') return ~blanks;
  if (c == 't') return set_of('\t');
  const bool plain =
      special.find(c) != std::string_view::npos || c == '-' || c == '/' || c == ':' || c == '=';
  return plain ? std::optional(set_of(c)) : std::nullopt;
}

bool is_one_byte(const CharSet& bytes) { return bytes.count() == 1; }

unsigned char byte_of(const CharSet& bytes) {
  std::size_t byte = 0;
  while (!bytes[byte]) ++byte;
  return static_cast<unsigned char>(byte);
}

bool begins_repeat(std::string_view rest) { return rest.find_first_of("*+?{") == 0; }

}  // namespace

class SimplePatternParser {
 public:
  using PatternItem = SimplePattern::PatternItem;
  using Kind = SimplePattern::Kind;

  explicit SimplePatternParser(std::string_view pattern) : rest_(pattern) {}

  std::optional<SimplePattern> parse() {
    while (!rest_.empty())
      if (!read_item()) return std::nullopt;
    if (!open_.empty() || items_.empty() || items_.front().kind != Kind::literal || !is_safe())
      return std::nullopt;
    SimplePattern pattern;
    pattern.items_ = join_groups(std::move(items_));
    for (PatternItem& item : pattern.items_)
      for (std::size_t byte = 0; byte < item.holds.size(); ++byte) item.holds.at(byte) = item.bytes[byte];
    pattern.is_word_ = pattern.items_.size() == 2 && pattern.items_[1].kind == Kind::run &&
                       pattern.items_[1].group != 0 && pattern.items_[1].most == endless;
    return pattern;
  }

 private:
  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool read_item() {
    if (skip(".*?")) return add_gap();
    if (rest_.front() == '(') return read_open();
    if (skip(")")) return read_close();
    const std::optional<CharSet> bytes = read_bytes();
    return bytes && read_repeat(*bytes);
  }

  bool add_gap() {
    items_.push_back({Kind::gap});
    return !std::exchange(has_gap_, true);
  }

  bool read_open() {
    if (skip("(?P<")) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) return false;
      rest_.remove_prefix(end + 1);
    } else if (!skip("(") || rest_.starts_with('?')) {
      return false;
    }
    open_.push_back(++groups_);
    items_.push_back({Kind::open, {}, {}, 1, 1, groups_});
    return true;
  }

  // A group that is repeated is not read here.
  bool read_close() {
    if (open_.empty() || begins_repeat(rest_)) return false;
    items_.push_back({Kind::close, {}, {}, 1, 1, open_.back()});
    open_.pop_back();
    return true;
  }

  char next_byte() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::optional<CharSet> read_bytes() {
    const char c = next_byte();
    if (c == '[') return read_class();
    if (c == '\\') return read_escape();
    if (c == '.') return ~set_of('\n');
    if (special.find(c) != std::string_view::npos || !is_ascii(c)) return std::nullopt;
    return set_of(c);
  }

  std::optional<CharSet> read_escape() { return rest_.empty() ? std::nullopt : bytes_of_escape(next_byte()); }

  std::optional<CharSet> read_class() {
    const bool negated = skip("^");
    CharSet bytes;
    do {
      if (rest_.empty() || rest_.front() == '[') return std::nullopt;
      const std::optional<CharSet> first = read_class_byte();
      if (!first) return std::nullopt;
      bytes |= *first;
      if (rest_.size() < 2 || rest_[0] != '-' || rest_[1] == ']') continue;
      rest_.remove_prefix(1);
      const std::optional<CharSet> last = rest_.front() == '[' ? std::nullopt : read_class_byte();
      if (!last || !is_one_byte(*first) || !is_one_byte(*last)) return std::nullopt;
      if (byte_of(*first) > byte_of(*last)) return std::nullopt;
      bytes |= range_of(byte_of(*first), byte_of(*last));
    } while (!skip("]"));
    return negated ? ~bytes : bytes;
  }

  std::optional<CharSet> read_class_byte() {
    const char c = next_byte();
    if (c == '\\') return read_escape();
    return is_ascii(c) ? std::optional(set_of(c)) : std::nullopt;
  }

  bool read_repeat(const CharSet& bytes) {
    PatternItem item{Kind::run, {}, bytes};
    const bool many = skip("+");
    const bool any = !many && skip("*");
    if (many || any) item.most = endless;
    if (any || (!many && skip("?"))) item.least = 0;
    if (begins_repeat(rest_)) return false;
    add(item);
    return true;
  }

  void add(const PatternItem& item) {
    if (item.least != 1 || item.most != 1 || !is_one_byte(item.bytes)) return items_.push_back(item);
    const bool joins =
        !items_.empty() && (items_.back().kind == Kind::literal || items_.back().kind == Kind::gap);
    if (!joins) items_.push_back({Kind::literal});
    items_.back().literal += static_cast<char>(byte_of(item.bytes));
  }

  // Return the items with groups that hold one run and nothing else as that run's.
  static std::vector<PatternItem> join_groups(std::vector<PatternItem> all) {
    std::vector<PatternItem> items;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_run = i + 2 < all.size() && all[i].kind == Kind::open && all[i + 1].kind == Kind::run &&
                          all[i + 2].kind == Kind::close;
      if (!is_run) {
        items.push_back(std::move(all[i]));
        continue;
      }
      items.push_back(std::move(all[i + 1]));
      items.back().group = all[i].group;
      i += 2;
    }
    return items;
  }

  // Tell whether each run ends where it must, whatever comes, and the gap where its literal begins.
  bool is_safe() const {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].kind == Kind::gap && items_[i].literal.empty()) return false;
      const bool varies = items_[i].kind == Kind::run && items_[i].least != items_[i].most;
      if (varies && (items_[i].bytes & first_bytes_of(i + 1)).any()) return false;
    }
    return true;
  }

  // Return with which bytes what follows may begin; nothing if that may be the end.
  CharSet first_bytes_of(std::size_t item) const {
    CharSet bytes;
    for (; item < items_.size(); ++item) {
      const PatternItem& next = items_[item];
      if (next.kind == Kind::gap) return ~CharSet{};
      if (next.kind == Kind::literal) return bytes | set_of(next.literal.front());
      if (next.kind == Kind::run) bytes |= next.bytes;
      if (next.kind == Kind::run && next.least > 0) return bytes;
    }
    return bytes;
  }

  std::string_view rest_;
  std::vector<PatternItem> items_;
  std::vector<std::size_t> open_;
  std::size_t groups_ = 0;
  bool has_gap_ = false;
};

std::optional<SimplePattern> SimplePattern::parse(std::string_view pattern) {
  return SimplePatternParser(pattern).parse();
}

std::optional<bool> SimplePattern::match(std::string_view line, std::size_t at,
                                         std::span<re2::StringPiece> groups) const {
  const std::optional<bool> found = match_from(0, line, at, groups);
  if (found == true)
    groups[0] = {line.data() + at, static_cast<std::size_t>(groups[0].data() - line.data()) - at};
  return found;
}

// The first place of the gap's literal counts behind which the rest of the pattern matches.
std::optional<bool> SimplePattern::match_gap(std::size_t gap, std::string_view line, std::size_t at,
                                             std::span<re2::StringPiece> groups) const {
  const std::string& literal = items_[gap].literal;
  for (int i = 0; i < most_starts; ++i, ++at) {
    at = line.find(literal, at);
    if (at == std::string_view::npos) return false;
    if (match_from(gap + 1, line, at + literal.size(), groups) == true) return true;
  }
  return std::nullopt;
}

inline bool SimplePattern::take_run(const PatternItem& run, const char*& at, const char* end) {
  const char* const begin = at;
  if (run.most == 1)
    at += at != end && run.holds[static_cast<unsigned char>(*at)] ? 1 : 0;
  else
    while (at != end && run.holds[static_cast<unsigned char>(*at)]) ++at;
  return static_cast<std::size_t>(at - begin) >= run.least;
}

inline bool SimplePattern::take_literal(const std::string& literal, const char*& at, const char* end) {
  if (static_cast<std::size_t>(end - at) < literal.size()) return false;
  const char* const begin = at;
  for (const char c : literal)
    if (*at++ != c) return at = begin, false;
  return true;
}

// While it matches, group 0 holds where the match ends, and an open group where that begins.
std::optional<bool> SimplePattern::match_from(std::size_t first, std::string_view line, std::size_t from,
                                              std::span<re2::StringPiece> groups) const {
  const char* at = line.data() + from;
  const char* const end = line.data() + line.size();
  for (std::size_t i = first; i < items_.size(); ++i) {
    const PatternItem& item = items_[i];
    switch (item.kind) {
      case Kind::literal:
        if (!take_literal(item.literal, at, end)) return false;
        break;
      case Kind::run: {
        const char* const begin = at;
        if (!take_run(item, at, end)) return false;
        if (item.group != 0) groups[item.group] = {begin, static_cast<std::size_t>(at - begin)};
        break;
      }
      case Kind::gap:
        return match_gap(i, line, static_cast<std::size_t>(at - line.data()), groups);
      case Kind::open:
        groups[item.group] = {at, 0};
        break;
      case Kind::close:
        groups[item.group] = {groups[item.group].data(),
                              static_cast<std::size_t>(at - groups[item.group].data())};
        break;
    }
  }
  groups[0] = {at, 0};
  return true;
}

std::string leading_literal(std::string_view pattern) {
  if (pattern.find('|') != std::string_view::npos || pattern.find("(?") != pattern.find("(?P<")) return "";
  const auto end = std::ranges::find_if(
      pattern, [](char c) { return special.find(c) != std::string_view::npos || !is_ascii(c); });
  std::string literal(pattern.begin(), end);
  const std::string_view rest(end, pattern.end());
  if (rest.find_first_of("*?{") == 0 && !literal.empty()) literal.pop_back();
  return literal;
}

}  // namespace gate::extract
