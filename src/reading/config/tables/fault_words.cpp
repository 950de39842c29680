#include "config/tables/setting_words.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::string_view fault_specimens =
    "; write kill@15, term@20% or pause@15 for 30s, and `rank 1` behind it for one rank alone, "
    "`scratch` where it may begin at the first step again";

tl::unexpected<Error> no_fault(const std::string& what) { return fail(what + std::string(fault_specimens)); }

std::string quoted_word(std::string_view word) { return "\"" + printable(word, 80) + "\""; }

Result<FaultAction> read_action(std::string_view word) {
  static const std::vector<std::string> names{"kill", "term", "pause"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (word == names[i]) return static_cast<FaultAction>(i);
  return fail(unknown("fault", word, names));
}

Status read_when(std::string_view word, Fault& fault) {
  constexpr std::int64_t most_steps = 1'000'000'000, whole = 100;
  const bool is_share = word.ends_with('%');
  const std::int64_t number = parse_integer(is_share ? word.substr(0, word.size() - 1) : word).value_or(0);
  if (is_share && number >= 1 && number < whole)
    fault.percent = static_cast<int>(number);
  else if (!is_share && number >= 1 && number <= most_steps)
    fault.step = number;
  else
    return no_fault(quoted_word(word) + " is no step from 1 on and no share from 1% to 99%");
  return {};
}

Status read_rank(std::string_view word, Fault& fault) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
    return no_fault(quoted_word(word) + " is no rank");
  fault.rank = static_cast<int>(*number);
  return {};
}

Status read_pause(std::string_view word, Fault& fault) {
  if (fault.action != FaultAction::pause) return no_fault("only a pause ends after a time");
  const std::optional<Duration> time = parse_duration(word);
  if (!time || *time <= Duration{}) return no_fault(quoted_word(word) + " is no time such as 30s");
  fault.pause = *time;
  return {};
}

}  // namespace

Result<std::optional<Fault>> read_fault(const RawValue& raw) {
  GATE_TRY(const std::string text, read_text(raw));
  if (text == "none") return std::nullopt;
  const std::vector<std::string_view> words = split_words(text);
  const std::string_view first = words.empty() ? std::string_view() : words.front();
  const std::size_t at = first.find('@');
  if (at == std::string_view::npos) return no_fault(shown(raw) + " is no fault");
  Fault fault;
  GATE_TRY(fault.action, read_action(first.substr(0, at)));
  GATE_TRY_STATUS(read_when(first.substr(at + 1), fault));
  bool has_pause = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool is_rank = word == "rank" && !fault.rank, is_pause = word == "for" && !has_pause;
    const bool is_scratch = word == "scratch" && !fault.may_begin_anew;
    if (!is_rank && !is_pause && !is_scratch)
      return no_fault("nothing is known of " + quoted_word(word) + " there");
    fault.may_begin_anew |= is_scratch;
    has_pause |= is_pause;
    if (is_scratch) continue;
    const std::string_view value = ++i < words.size() ? words[i] : std::string_view();
    GATE_TRY_STATUS(is_rank ? read_rank(value, fault) : read_pause(value, fault));
  }
  return fault;
}

}  // namespace gate::config
