#include "config/tables/document_tables.h"

#include <algorithm>
#include <cstdlib>

#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::int32_t furthest_peak_exponent = 60;

bool is_type_of_number(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

// Return the number of FLOP/s that `313e12`, `313 TFLOP/s` and `313 tflops` are.
std::optional<Decimal> parse_flops(std::string_view text) {
  constexpr std::string_view prefixes = "kmgtpe";
  const std::string lower = to_lower(trim(text));
  std::string_view rest = lower;
  std::size_t prefix = std::string_view::npos;
  for (const std::string_view unit : {"flop/s", "flops/s", "flops"}) {
    if (!rest.ends_with(unit)) continue;
    rest.remove_suffix(unit.size());
    prefix = rest.empty() ? prefix : prefixes.find(rest.back());
    if (prefix != std::string_view::npos) rest.remove_suffix(1);
    break;
  }
  std::optional<Decimal> number = Decimal::parse(trim(rest));
  if (number && prefix != std::string_view::npos)
    number->exponent += 3 * (static_cast<std::int32_t>(prefix) + 1);
  return number;
}

Result<Decimal> read_peak(const RawValue& raw) {
  GATE_TRY(const std::string text, read_scalar(raw));
  const std::optional<Decimal> told = parse_flops(text);
  if (!told) return fail(shown(raw) + " is no number of FLOP/s, such as 313e12 or \"313 TFLOP/s\"");
  const Decimal& number = *told;
  if (number.is_zero() || number.is_negative()) return fail(shown(raw) + " is no number above 0");
  if (std::abs(number.exponent) > furthest_peak_exponent) return fail(shown(raw) + " is out of range");
  return number;
}

void read_platform_peaks(const Branch& platform, Peaks& peaks, Diagnostics& mistakes) {
  for (const Branch& branch : platform.tree.branches) {
    const RawValue& raw = branch.tree.raw;
    if (!is_type_of_number(branch.key))
      mistakes.push_back({branch.at, "\"" + printable(branch.key, 80) +
                                         "\" is no type of number; write letters, digits and _, as in fp16"});
    const Result<Decimal> number = read_peak(raw);
    if (!number) mistakes.push_back({raw.at, number.error().message});
    peaks[branch.key][platform.key] = {number.value_or(Decimal{}), raw.text, raw.origin};
  }
}

}  // namespace

Peaks read_peaks(const TomlTree& table, Diagnostics& mistakes) {
  Peaks peaks;
  for (const Branch& platform : table.branches) {
    if (platform.tree.is_table())
      read_platform_peaks(platform, peaks, mistakes);
    else
      mistakes.push_back({platform.at,
                          "[peaks] holds tables named by platforms or globs of them, such as "
                          "[peaks.nvidia-a100]"});
  }
  return peaks;
}

}  // namespace gate::config
