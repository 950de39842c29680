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

Result<Decimal> read_peak(const RawValue& raw) {
  GATE_TRY(const Decimal number, read_number(raw));
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
