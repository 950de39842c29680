#include "extract/messages/memory_holders.h"

#include <re2/re2.h>

#include <optional>
#include <string>

#include "extract/scan/number_word.h"
#include "extract/scan/re2_pattern.h"

namespace gate::extract {

namespace {

constexpr double context_mib = 4096;  // of a process, beside what it allocates

double mib_of(std::string_view number, std::string_view unit) {
  const std::optional<Value> value = parse_word(std::string(number) + std::string(unit));
  return value && value->is_finite() ? value->number.to_double() : 0;
}

// Return the MiB that the speaker says to have allocated itself; nothing where it does not say.
std::optional<double> own_mib(std::string_view line) {
  static const RE2 pattern(
      R"(allocated memory ([\d.]+) (\w+) is allocated by PyTorch(?:, and ([\d.]+) (\w+))?)",
      pattern_options());
  re2::StringPiece allocated, unit, reserved, its_unit;
  if (!RE2::PartialMatch(piece(line), pattern, &allocated, &unit, &reserved, &its_unit)) return std::nullopt;
  return mib_of(view(allocated), view(unit)) +
         (reserved.empty() ? 0 : mib_of(view(reserved), view(its_unit)));
}

}  // namespace

std::vector<std::int64_t> memory_holders(std::string_view line) {
  static const RE2 holder(R"(\bProcess (\d{1,18}) has ([\d.]+) (\w+) memory in use)", pattern_options());
  const bool knows_itself = line.find("this process has ") != std::string_view::npos;
  const std::optional<double> own = knows_itself ? std::nullopt : own_mib(line);
  std::vector<std::int64_t> holders;
  re2::StringPiece rest = piece(line), number, unit;
  std::int64_t process = 0;
  while (RE2::FindAndConsume(&rest, holder, &process, &number, &unit))
    if (!own || mib_of(view(number), view(unit)) > 2 * *own + context_mib) holders.push_back(process);
  return holders;
}

}  // namespace gate::extract
