#include "judge/words.h"

#include <algorithm>
#include <vector>

#include "gate/base/text.h"

namespace gate::judge {

namespace {

constexpr std::size_t longest_list = 100;

std::string list(std::span<const std::int64_t> numbers) {
  if (numbers.size() == 2) return std::to_string(numbers[0]) + " and " + std::to_string(numbers[1]);
  const std::string all = ranges(numbers);
  if (all.size() <= longest_list) return all;
  const std::size_t comma = all.rfind(',', longest_list);
  return all.substr(0, comma) + ", ... (" + std::to_string(numbers.size()) + " in all)";
}

std::string_view name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::finite:
      return "";
    case ValueKind::nan:
      return "nan";
    case ValueKind::positive_infinity:
      return "inf";
    case ValueKind::negative_infinity:
      return "-inf";
    case ValueKind::left_out:
      return "left out";
  }
  return "";
}

}  // namespace

std::string numbers_text(std::span<const std::int64_t> numbers, Numbering numbered) {
  return std::string(to_string(numbered)) + (numbers.size() == 1 ? " " : "s ") + list(numbers);
}

std::string number_text(std::int64_t number, Numbering numbered) {
  return numbers_text(std::span(&number, 1), numbered);
}

std::string ranks_text(std::span<const std::optional<int>> ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::optional<int>& rank : ranks)
    if (rank) numbers.push_back(*rank);
  std::sort(numbers.begin(), numbers.end());
  return numbers.empty() ? "" : (numbers.size() == 1 ? "rank " : "ranks ") + list(numbers);
}

std::string label(std::string_view metric, const std::optional<int>& rank) {
  return std::string(metric) + (rank ? " rank " + std::to_string(*rank) : "");
}

std::string spoken(std::string_view metric) {
  std::string words(metric);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string value_text(const Sample& sample) {
  return sample.value.is_finite() ? sample.value.number.to_string() : std::string(name_of(sample.value.kind));
}

std::string both(std::string_view first, std::string_view second) {
  if (first.empty() || second.empty()) return std::string(first.empty() ? second : first);
  return std::string(first) + "; " + std::string(second);
}

}  // namespace gate::judge
