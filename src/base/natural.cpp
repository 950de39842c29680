#include "gate/base/natural.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

namespace {

// Take a run of digits, or one other character, from the front.
std::string_view take_part(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::string_view part = text.substr(0, std::max<std::size_t>(1, end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

int compare_parts(std::string_view a, std::string_view b) {
  if (!is_digit(a.front()) || !is_digit(b.front())) return a.compare(b);
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::string_view rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty())
    if (const int order = compare_parts(take_part(rest_a), take_part(rest_b)); order != 0) return order < 0;
  return rest_a.size() != rest_b.size() ? rest_a.size() < rest_b.size() : a < b;
}

}  // namespace gate
