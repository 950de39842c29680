#include "extract/records/line_joiner.h"

#include <algorithm>
#include <utility>

#include "extract/scan/re2_pattern.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_joined = 65536;
constexpr std::size_t most_joined = 256;
constexpr int longest_wait = 16;  // lines

// Times differ from line to line of one writer.
std::string without_times(std::string_view text) {
  static const RE2 times(R"((?:\d{4}-\d\d-\d\d[T ]?)?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)",
                         pattern_options());
  std::string out(text);
  if (!out.empty()) RE2::GlobalReplace(&out, times, "");
  return out;
}

}  // namespace

LineJoiner::LineJoiner(const JoinRules& rules, OnLine on_line)
    : rules_(&rules), on_line_(std::move(on_line)) {}

void LineJoiner::read(const CleanLine& line) {
  if (!rules_->begins && !rules_->bar) return on_line_(line);
  const std::string_view bar = rules_->bar ? rules_->bar(line.text) : "";
  if (!bar.empty()) return read_bar(line, bar);
  const bool begins = rules_->begins && rules_->begins(line.text);
  if (held_.empty() && !begins) return on_line_(line);
  if (rules_->goes_on && !begins)
    if (const std::string_view part = rules_->goes_on(line.text); !part.empty() && go_on(line, part)) return;
  let_go_if([&](HeldLines& one) { return one.bar.empty() && one.is_of(line) && is_over(one, line); });
  if (begins) return keep(line, "");
  on_line_(line);
}

void LineJoiner::read_bar(const CleanLine& line, std::string_view bar) {
  const auto is_drawn_again = [&](const HeldLines& one) { return one.is_of(line) && one.bar == bar; };
  held_.remove_if(is_drawn_again);
  let_go_if([&](const HeldLines& one) { return one.is_of(line); });
  keep(line, bar);
}

// Append the part to the record that began last behind the same words. Return whether there is one.
bool LineJoiner::go_on(const CleanLine& line, std::string_view part) {
  const std::string_view words = line.text.substr(0, line.text.size() - part.size());
  const std::string before = without_times(words.substr(0, words.find_last_not_of(' ') + 1));
  const auto held = std::find_if(held_.rbegin(), held_.rend(), [&](const HeldLines& one) {
    return one.bar.empty() && one.is_of(line) &&
           (one.before ? *one.before == before : one.start.starts_with(before));
  });
  if (held == held_.rend() || held->text.size() >= longest_joined) return false;
  held->before = before;
  held->text.append(1, '\n').append(part);
  held->line.ended = line.ended;
  parts_stand_alone_ |= before.empty();
  return true;
}

// Tell whether the line is the next one of who printed that record. Where writers are told apart by words
// that no launcher is known to put there, nobody knows who printed a record without a second part: it waits.
bool LineJoiner::is_over(HeldLines& one, const CleanLine& line) {
  if (one.before) return one.before->empty() || without_times(line.text).starts_with(*one.before);
  return parts_stand_alone_ || !one.source.empty() || ++one.waits > longest_wait;
}

void LineJoiner::keep(const CleanLine& line, std::string_view bar) {
  if (line.text.size() > longest_joined || line.cut_in_pieces) return on_line_(line);
  const HeldLines* const oldest = held_.size() < most_joined ? nullptr : &held_.front();
  let_go_if([&](const HeldLines& one) { return &one == oldest; });
  held_.push_back({std::string(line.text), std::string(line.outer), std::string(line.source),
                   std::string(bar), line, bar.empty() ? without_times(line.text) : "", std::nullopt, 0});
}

// Who takes a line may end the file, and with it what is held of it.
template <class Is>
void LineJoiner::let_go_if(Is is) {
  Held gone;
  for (auto held = held_.begin(); held != held_.end();) {
    const auto one = held++;
    if (is(*one)) gone.splice(gone.end(), held_, one);
  }
  for (const HeldLines& one : gone) {
    CleanLine line = one.line;
    line.text = one.text;
    line.outer = one.outer;
    line.source = one.source;
    line.own = one.text.size();
    on_line_(line);
  }
}

void LineJoiner::end_file(std::uint32_t file) {
  let_go_if([&](const HeldLines& one) { return one.line.place.file == file; });
}

}  // namespace gate::extract
