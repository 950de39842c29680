// Any bytes as a tolerance, a window, a reduce and a rank mode: a value whose canonical text reads back as
// the same value, or an error with words; and a tolerance that was read can be laid on a baseline.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gate/model/rules/grammar.h"
#include "judge/series/limits.h"
#include "targets.h"

namespace {

void demand_tolerance(bool holds) {
  if (!holds) std::abort();
}

template <typename Value, typename Parse>
void demand_round_trip(const gate::Result<Value>& value, Parse parse) {
  if (!value) {
    demand_tolerance(!value.error().message.empty() && value.error().message.size() < 2000);
    return;
  }
  const gate::Result<Value> again = parse(to_string(*value));
  demand_tolerance(again && *again == *value);
}

// What is offered in the place of a tolerance is right.
void demand_offer(const std::string& message, const gate::Metric& metric) {
  constexpr std::string_view before = "; did you mean \"";
  const std::size_t at = message.find(before);
  if (at == std::string::npos) return;
  const std::size_t from = at + before.size();
  const auto offered = gate::parse_tolerance(message.substr(from, message.find("\"?", from) - from));
  demand_tolerance(offered && gate::check_direction(*offered, metric));
}

void demand_sense(const gate::Tolerance& tolerance) {
  const gate::judge::Number baseline = gate::judge::number(gate::Decimal{-1048190, -5});
  const gate::judge::Intervals limits = limits_of(tolerance, baseline);
  demand_tolerance(!limits.empty() && !text(limits).empty());
  const bool inside = within(limits, baseline);
  const gate::judge::Number margin = margin_of(limits, baseline);
  const bool at_an_end = compare(margin, gate::judge::number(gate::Decimal{})) == 0;
  demand_tolerance(at_an_end || inside != is_negative(margin));
  demand_tolerance(!inside || (!all_below(limits, baseline) && !all_above(limits, baseline)));
  for (const gate::Metric& metric : gate::built_in_metrics()) {
    const gate::Status status = gate::check_direction(tolerance, metric);
    demand_tolerance(status || !status.error().message.empty());
    if (!status) demand_offer(status.error().message, metric);
  }
}

}  // namespace

int tolerance_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const gate::Result<gate::Tolerance> tolerance = gate::parse_tolerance(bytes);
  demand_round_trip(tolerance, gate::parse_tolerance);
  if (tolerance) demand_sense(*tolerance);
  demand_round_trip(gate::parse_window(bytes), gate::parse_window);
  demand_round_trip(gate::parse_reduce(bytes), gate::parse_reduce);
  demand_round_trip(gate::parse_rank_mode(bytes), gate::parse_rank_mode);
  return 0;
}
