#include "gate/model/known_message.h"

#include <algorithm>
#include <array>

namespace gate {

namespace {

constexpr std::array<std::string_view, 2> classes{"crashed", "infra"};

}  // namespace

std::string_view to_string(MessageClass name) { return classes.at(static_cast<std::size_t>(name)); }

std::optional<MessageClass> parse_message_class(std::string_view name) {
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] == name) return static_cast<MessageClass>(i);
  return std::nullopt;
}

const KnownMessage* choose_cause(std::span<const KnownMessage> messages) {
  const auto heaviest =
      std::max_element(messages.begin(), messages.end(),
                       [](const KnownMessage& a, const KnownMessage& b) { return a.weight < b.weight; });
  return heaviest == messages.end() ? nullptr : &*heaviest;
}

}  // namespace gate
