#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/base/utf8.h"
#include "gate/words/chinese.h"
#include "words/chinese/chinese_rows.h"
#include "words/chinese/phrase_pattern.h"

namespace gate::words {

namespace {

// Marks of quotes: no text that is `safe` holds them.
constexpr char mark_begins = '\x0e', mark_ends = '\x0f';

struct IndexedRow {
  std::string_view english, chinese, words;  // `words`: the longest that stand together
  std::size_t own = 0;
  bool is_message = false;
};

bool is_within(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() < whole.data() + whole.size();
}

// Rows by the byte that they begin with; those that begin with a hole under `{`.
struct RowIndex {
  std::array<std::vector<IndexedRow>, 256> by_first;

  RowIndex() {
    for (const ChineseRow& row : chinese_rows())
      at(row.english.front())
          .push_back({row.english, row.chinese, longest_words(row.english), own_bytes(row.english),
                      is_within(row.english, message_rows())});
    for (auto& rows : by_first) std::ranges::stable_sort(rows, std::ranges::greater(), &IndexedRow::own);
  }

  std::vector<IndexedRow>& at(char first) { return by_first.at(static_cast<unsigned char>(first)); }
  const std::vector<IndexedRow>& at(char first) const {
    return by_first.at(static_cast<unsigned char>(first));
  }
};

const RowIndex& row_index() {
  static const RowIndex index;
  return index;
}

bool holds_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

bool is_latin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '%' || c == ')' ||
         c == '|' || c == mark_ends || c == mark_begins;
}

// Of a byte that a character begins with, or of the last one of the text, as far as gate's own rows have
// them.
bool begins_chinese(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  return first >= 0xE4 && first <= 0xE9;
}

bool ends_chinese(std::string_view text) {
  return text.size() >= 3 && begins_chinese(text.substr(text.size() - 3)) &&
         is_continuation(text[text.size() - 2]);
}

bool holds_chinese(std::string_view text) {
  while (!text.empty() && !begins_chinese(text)) text.remove_prefix(1);
  return !text.empty();
}

// Add what comes out of a hole, or what stands behind one.
void add_spaced(std::string& out, std::string_view more) {
  if (out.empty() || more.empty()) {
    out += more;
    return;
  }
  const bool opens = is_latin(more.front()) || more.front() == '|' || more.front() == '+';
  if ((is_latin(out.back()) && begins_chinese(more)) || (ends_chinese(out) && opens && more.front() != ')'))
    out += ' ';
  out += more;
}

std::string numbers_in_chinese(std::string_view text) {
  std::string out(text);
  replace_all(out, " and ", " 和 ");
  replace_all(out, " by ", " 每隔 ");
  replace_all(out, ", ... (", " …（共 ");
  replace_all(out, " in all)", " 个）");
  return out;
}

class Translator {
 public:
  explicit Translator(std::vector<std::string>* unknown) : unknown_(unknown) {}

  std::string line(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = text.find_last_not_of(' ') + 1;
    if (begin >= end) return std::string(text);
    return std::string(text.substr(0, begin)) + phrase(text.substr(begin, end - begin), 0) +
           std::string(text.substr(end));
  }

  std::string cause(std::string_view text) { return said(text, 0); }

 private:
  // Of a line that somebody else had a hand in: so long, so deep, so many parts, and no more.
  static constexpr std::size_t longest = 4000;
  static constexpr int deepest = 24, most_parts = 400;

  std::string phrase(std::string_view text, int depth) {
    if (!holds_letters(text)) return std::string(text);
    if (text.size() > longest || depth > deepest || ++parts_ > most_parts) return std::string(text);
    if (std::optional<std::string> whole = by_row(text, depth)) return *whole;
    if (std::optional<std::string> told = behind_subject(text, depth)) return *told;
    if (const Place place = place_in(text); place.separator != nullptr)
      return joined(text.substr(0, place.at), text.substr(place.at + place.separator->english.size()),
                    place.separator->english, place.separator->chinese, depth);
    if (std::optional<std::string> inside = in_brackets(text, depth)) return *inside;
    if (text.find(' ') != std::string_view::npos) ++sentences_unknown_;
    if (unknown_ != nullptr) unknown_->emplace_back(text);
    return std::string(text);
  }

  // `SUBJECT: SENTENCE`, where a row knows the sentence as a whole, `; ` and all.
  std::optional<std::string> behind_subject(std::string_view text, int depth) {
    const std::size_t colon = place_of(text, ": "), list = place_of(text, "; ");
    if (colon == std::string_view::npos || list == std::string_view::npos || list < colon ||
        place_of(text, "  ") != std::string_view::npos)
      return std::nullopt;
    const std::optional<std::string> sentence = by_row(text.substr(colon + 2), depth + 1);
    if (!sentence) return std::nullopt;
    return phrase(text.substr(0, colon), depth + 1) + "：" + *sentence;
  }

  std::optional<std::string> by_row(std::string_view text, int depth, bool is_message = false) {
    const IndexedRow* best = nullptr;
    std::optional<Filling> filling;
    for (const char first : {text.front(), '{'}) {
      if (is_message && first == '{') continue;
      for (const IndexedRow& row : row_index().at(first)) {
        if (best != nullptr && row.own <= best->own) break;
        if ((is_message && !row.is_message) || row.own > text.size() ||
            text.find(row.words) == std::string_view::npos)
          continue;
        if (std::optional<Filling> found = matched(row.english, text)) {
          best = &row;
          filling = found;
          break;
        }
      }
    }
    if (best == nullptr) return std::nullopt;
    return filled(best->chinese, *filling, depth);
  }

  std::string filled(std::string_view chinese, const Filling& filling, int depth) {
    std::string out;
    while (!chinese.empty()) {
      if (chinese.front() != '{') {
        const std::size_t end = std::min(chinese.find('{'), chinese.size());
        add_spaced(out, chinese.substr(0, end));
        chinese.remove_prefix(end);
        continue;
      }
      const std::size_t end = std::min(chinese.find('}'), chinese.size() - 1);
      const auto number = static_cast<std::size_t>(parse_integer(chinese.substr(1, end - 1)).value_or(1) - 1);
      add_spaced(out, told(filling.holes.at(number), filling.kinds.at(number), depth + 1));
      chinese.remove_prefix(end + 1);
    }
    return out;
  }

  // A known message; or one, and behind it what others said.
  std::string said(std::string_view text, int depth) {
    if (text.size() > longest) return std::string(text);
    if (const auto whole = by_row(text, depth, true)) return *whole;
    for (const std::string_view mark : {": ", " ("})
      for (std::size_t at = text.rfind(mark); at != std::string_view::npos && at > 0;
           at = text.rfind(mark, at - 1))
        if (const auto head = by_row(text.substr(0, at), depth, true))
          return *head +
                 (mark == ": " ? "：" + std::string(text.substr(at + 2)) : std::string(text.substr(at)));
    return std::string(text);
  }

  std::string told(std::string_view hole, char kind, int depth) {
    if (kind == 'p' || kind == 'r' || kind == 's' || kind == 't') return phrase(hole, depth);
    if (kind == 'k' && ++parts_ <= most_parts && depth <= deepest && hole.size() <= longest)
      return said(hole, depth);
    return kind == 'n' ? numbers_in_chinese(hole) : std::string(hole);
  }

  struct Separator {
    std::string_view english, chinese;
  };
  static constexpr Separator column{"  ", "  "}, semicolon{"; ", "；"}, colon{": ", "："}, comma{", ", "，"};

  struct Place {
    std::size_t at = std::string_view::npos;
    const Separator* separator = nullptr;
  };

  // The first column; else the first colon or semicolon; else the first comma.
  static Place place_in(std::string_view text) {
    Place place;
    const auto look_for = [&](const Separator& separator) {
      if (const std::size_t at = place_of(text, separator.english); at < place.at) place = {at, &separator};
    };
    look_for(column);
    if (place.separator != nullptr) return place;
    look_for(semicolon);
    look_for(colon);
    if (place.separator == nullptr) look_for(comma);
    return place;
  }

  // The first one that is not within brackets, and that has something on both sides.
  static std::size_t place_of(std::string_view text, std::string_view mark) {
    int open = 0;
    for (std::size_t i = 0; i + mark.size() < text.size(); ++i) {
      if (text[i] == '(') ++open;
      if (text[i] == ')' && open > 0) --open;
      if (i > 0 && (open == 0 || mark == column.english) && text.substr(i).starts_with(mark)) return i;
    }
    return std::string_view::npos;
  }

  // Where neither side was translated its punctuation stays: a list of names. What is behind the colon of an
  // unknown sentence stays, too: gate's sentences end there with what others said.
  std::string joined(std::string_view head, std::string_view tail, std::string_view mark,
                     std::string_view chinese, int depth) {
    const std::size_t more = std::min(tail.find_first_not_of(' '), tail.size());  // blanks of a column
    const int before = sentences_unknown_;
    const std::string first = phrase(head, depth + 1);
    const bool is_others = mark == ": " && sentences_unknown_ > before;
    const std::string rest =
        is_others ? std::string(tail.substr(more)) : phrase(tail.substr(more), depth + 1);
    const bool same =
        (first == head || !holds_chinese(first)) && (rest == tail.substr(more) || !holds_chinese(rest));
    return first + std::string(same ? mark : chinese) + std::string(tail.substr(0, more)) + rest;
  }

  // `BEFORE (INSIDE) behind`. Brackets around names and numbers alone stay.
  std::optional<std::string> in_brackets(std::string_view text, int depth) {
    const std::size_t blank = text.find(" ("), open = text.starts_with('(') ? 0 : blank + 1;
    if (blank == std::string_view::npos && !text.starts_with('(')) return std::nullopt;
    int depth_of_brackets = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
      depth_of_brackets += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth_of_brackets > 0) continue;
      return bracketed(text.substr(0, open), text.substr(open + 1, i - open - 1), text.substr(i + 1), depth);
    }
    return std::nullopt;
  }

  std::string bracketed(std::string_view before, std::string_view inside, std::string_view behind,
                        int depth) {
    const std::size_t gap = std::min(behind.find_first_not_of(" ,"), behind.size());
    const std::string told = inside.empty() ? "" : phrase(inside, depth + 1);
    const std::string rest = gap < behind.size() ? phrase(behind.substr(gap), depth + 1) : "";
    const bool same = told == inside;
    std::string out = before.empty() ? "" : phrase(trim(before), depth + 1);
    if (same) out += std::string(before.empty() ? "" : " ") + "(" + told + ")";
    if (!same) out += "（" + told + "）";
    std::string_view between = behind.substr(0, gap);
    if (between == ", " && rest != behind.substr(gap)) between = "，";
    if (between == " " && rest.starts_with("（")) between = "";
    return out + std::string(between) + rest;
  }

  std::vector<std::string>* unknown_;
  int parts_ = 0;
  int sentences_unknown_ = 0;
};

}  // namespace

std::vector<ChineseRow> chinese_rows() {
  constexpr std::string_view arrow = " → ";
  std::vector<ChineseRow> all;
  for (const std::string_view rows : {verdict_rows(), judging_rows(), ending_rows(), log_rows(),
                                      message_rows(), machine_rows(), page_rows(), session_rows()})
    for (const std::string_view row : split(rows, '\n'))
      if (const std::size_t at = row.find(arrow); at != std::string_view::npos)
        all.push_back({row.substr(0, at), row.substr(at + arrow.size())});
  return all;
}

std::string cause_in(Language language, std::string_view what) {
  return language == Language::chinese ? Translator(nullptr).cause(what) : std::string(what);
}

std::string in_chinese(std::string_view english) { return Translator(nullptr).line(english); }

std::string in_chinese(std::string_view english, std::vector<std::string>& unknown) {
  return Translator(&unknown).line(english);
}

std::string shown_lines(Language language, std::string_view lines) {
  std::string out;
  for (const std::string_view line : split(lines, '\n')) (out += shown_in(language, line)) += '\n';
  out.pop_back();
  return out;
}

bool is_mark(char c) { return c == mark_begins || c == mark_ends; }

std::string verbatim(std::string_view text) {
  if (text.empty()) return "";
  std::string out(1, mark_begins);
  for (const char c : text)
    if (!is_mark(c)) out += c;
  return out + mark_ends;
}

// Each quote is a number between marks while the rest is translated.
std::string shown_in(Language language, std::string_view text) {
  std::vector<std::string_view> quotes;
  std::string open;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(mark_begins), text.size());
    open += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) break;
    const std::size_t end = std::min(text.find(mark_ends), text.size());
    open += mark_begins + std::to_string(quotes.size()) + mark_ends;
    quotes.push_back(text.substr(1, end - 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const std::string told = language == Language::chinese ? in_chinese(open) : open;
  std::string out;
  for (std::string_view rest = told; !rest.empty();) {
    const std::size_t begin = std::min(rest.find(mark_begins), rest.size());
    out += rest.substr(0, begin);
    rest.remove_prefix(begin);
    if (rest.empty()) break;
    const std::size_t end = std::min(rest.find(mark_ends), rest.size() - 1);
    const auto number = parse_integer(rest.substr(1, end - 1));
    if (number && *number >= 0 && *number < std::ssize(quotes))
      out += quotes[static_cast<std::size_t>(*number)];
    rest.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace gate::words
