// Any bytes as test_result.json: an error with words and a place, or a result that is written and read again
// as the same; and leniency changes neither lines nor columns, nor anything that is JSON already.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/schema/accuracy_result.h"
#include "schema/accuracy/lenient_json.h"
#include "targets.h"

namespace {

void demand_result(bool holds) {
  if (!holds) std::abort();
}

bool same_places(std::string_view text, std::string_view strict) {
  if (text.size() != strict.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (strict[i] != text[i] && strict[i] != ' ') return false;
  return true;
}

}  // namespace

int accuracy_result_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string strict = gate::schema::strict_json(bytes);
  demand_result(same_places(bytes, strict));
  const auto result = gate::schema::read_accuracy_result(bytes, "r");
  demand_result(result || result.error().message.starts_with("r:"));
  if (!result) return 0;
  demand_result(gate::schema::strict_json(strict) == strict);
  const std::string text = gate::schema::write_accuracy_result(*result);
  demand_result(gate::schema::strict_json(text) == text);
  const auto again = gate::schema::read_accuracy_result(text, "r");
  demand_result(again && gate::schema::write_accuracy_result(*again) == text);
  return 0;
}
