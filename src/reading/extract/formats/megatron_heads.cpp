#include "extract/formats/megatron_heads.h"

#include <algorithm>
#include <array>

#include "extract/scan/head_pattern.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract::megatron {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\v'); }

// The text from one place on.
class HeadCursor {
 public:
  HeadCursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  bool skip_blanks() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ > begin;
  }

  bool skip(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view take_digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

// Return where the time stamp `[2026-01-07 10:00:01] ` begins that ends at `end`, or `end`.
std::size_t before_stamp(std::string_view text, std::size_t from, std::size_t end) {
  std::size_t at = end;
  while (at > from && is_blank(text[at - 1])) --at;
  if (at == from || text[--at] != ']') return end;
  while (at > from && (is_digit(text[at - 1]) || std::string_view(" :.-").find(text[at - 1]) != npos)) --at;
  return at > from && text[at - 1] == '[' && is_digit(text[at]) ? at - 1 : end;
}

// (?:\[\d[\d :.-]*\]\s*)?\biteration(?:\s+|=\s*)(\d+)\s*/\s*(\d+)\s*\|
bool read_iteration(std::string_view text, std::size_t from, std::size_t at, MegatronHead& head) {
  if (at > 0 && (is_letter_or_digit(text[at - 1]) || text[at - 1] == '_')) return false;
  HeadCursor cursor(text, at + std::string_view("iteration").size());
  if (!cursor.skip('=') && !cursor.skip_blanks()) return false;
  cursor.skip_blanks();
  const std::string_view number = cursor.take_digits();
  cursor.skip_blanks();
  if (number.empty() || !cursor.skip('/')) return false;
  cursor.skip_blanks();
  const std::string_view total = cursor.take_digits();
  cursor.skip_blanks();
  if (total.empty() || !cursor.skip('|')) return false;
  head = {.extractor = iteration,
          .begin = before_stamp(text, from, at),
          .end = cursor.at(),
          .number = number,
          .total = total};
  return true;
}

bool find_iteration(std::string_view text, std::size_t from, MegatronHead& head) {
  for (std::size_t at = from; (at = find_text(text, "iteration", at)) != npos; ++at)
    if (read_iteration(text, from, at, head)) return true;
  return false;
}

MegatronHead head_of(MegatronExtractor extractor, std::string_view text, const re2::StringPiece& whole) {
  const auto begin = static_cast<std::size_t>(whole.data() - text.data());
  return {.extractor = extractor, .begin = begin, .end = begin + whole.size()};
}

bool find_memory(std::string_view text, std::size_t from, MegatronHead& head) {
  static const HeadPattern pattern(R"(\[Rank (\d+)\] ?\(after (\d+) iterations\) memory \([MG]B\))");
  HeadPattern::Groups groups;
  if (!pattern.find(text, from, groups)) return false;
  head = head_of(memory, text, groups[0]);
  head.rank = view(groups[1]);
  head.number = view(groups[2]);
  return true;
}

MegatronExtractor evaluation_of(std::string_view set, std::string_view set_at_end) {
  if (set.empty() && set_at_end.empty()) return validation;
  return set.ends_with("test set") || set_at_end == "test" ? test : final_validation;
}

bool find_evaluation(std::string_view text, std::size_t from, MegatronHead& head) {
  static const HeadPattern pattern(R"(\bvalidation loss at (?:iteration (\d+)(?: on ([^|]{1,80}))?)"
                                   R"(|the end of training for (\w+) data)\s*\|)");
  HeadPattern::Groups groups;
  if (!pattern.find(text, from, groups)) return false;
  head = head_of(evaluation_of(trim(view(groups[2])), view(groups[3])), text, groups[0]);
  head.number = view(groups[1]);
  return true;
}

// An evaluation's line is no step, though some builds print `iteration N/ M` in it.
bool is_evaluation(std::string_view text, std::size_t begin) {
  constexpr std::size_t enough = 16;
  return trim(text.substr(begin - std::min(begin, enough), std::min(begin, enough))).ends_with("loss at");
}

}  // namespace

// No head begins within another one.
std::vector<MegatronHead> find_heads(std::string_view text) {
  constexpr std::array finders{find_iteration, find_memory, find_evaluation};
  std::vector<MegatronHead> heads;
  std::array<MegatronHead, 3>
      next;  // of each kind, the first that is yet to come; its begin is npos if none is
  for (std::size_t from = 0;;) {
    for (std::size_t kind = 0; kind < next.size(); ++kind)
      if ((from == 0 || next[kind].begin < from) && !finders[kind](text, from, next[kind]))
        next[kind].begin = npos;
    const auto first = std::ranges::min_element(next, {}, &MegatronHead::begin);
    if (first->begin == npos) return heads;
    from = first->end;
    if (!is_evaluation(text, first->begin)) heads.push_back(*first);
  }
}

}  // namespace gate::extract::megatron
