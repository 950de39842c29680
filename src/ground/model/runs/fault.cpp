#include "gate/model/runs/fault.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

struct FaultActionRow {
  std::string_view name;
  const char *done, *in_chinese;
};

// In the order of the enumerators.
constexpr std::array fault_actions{
    FaultActionRow{"kill", "killed", "被杀死"},
    FaultActionRow{"term", "sent SIGTERM", "发送 SIGTERM"},
    FaultActionRow{"pause", "paused for ", "暂停 "},
};

const FaultActionRow& row_of(FaultAction action) { return fault_actions[static_cast<std::size_t>(action)]; }

}  // namespace

std::optional<std::int64_t> Fault::due(std::optional<std::int64_t> last_step) const {
  constexpr std::int64_t whole = 100, most = std::int64_t{1} << 52;
  if (step > 0) return step;
  if (!last_step) return std::nullopt;
  return std::max<std::int64_t>(1, (std::min(*last_step, most) * percent + whole - 1) / whole);
}

std::string to_string(const Fault& fault) {
  std::string text(row_of(fault.action).name);
  text += "@" + (fault.step > 0 ? std::to_string(fault.step) : std::to_string(fault.percent) + "%");
  if (fault.rank) text += " rank " + std::to_string(*fault.rank);
  if (fault.action == FaultAction::pause) text += " for " + to_string(fault.pause);
  if (fault.may_begin_anew) text += " scratch";
  return text;
}

Sentence done_text(const Fault& fault, const Sentence& step) {
  const FaultActionRow& row = row_of(fault.action);
  Sentence done(row.done, row.in_chinese);
  if (fault.action == FaultAction::pause) done += as_is(to_string(fault.pause));
  const std::string said = to_string(fault);
  if (!fault.rank) return say({"{} at {}, as fault = {} says", "按 fault = {2} 在{1}{0}"}, done, step, said);
  return say({"rank {} was {} at {}, as fault = {} says", "按 fault = {3}，rank {0} 在{2}{1}"}, *fault.rank,
             done, step, said);
}

}  // namespace gate
