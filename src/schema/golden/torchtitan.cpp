#include <algorithm>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/reader.h"

namespace gate::schema {

namespace {

// Call `visit` with each line that is not blank until it returns false; return whether it never did.
bool each_line(std::string_view text, auto visit) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, end - from);
    if (!trim(line).empty() && !visit(split_words(line))) return false;
    from = end + 1;
  }
  return true;
}

bool is_step_line(const std::vector<std::string_view>& words) {
  if (words.size() != 2 || !parse_integer(words[0])) return false;
  const auto value = parse_value(words[1]);
  return value && (!value->is_finite() || words[1].find_first_of(".eE") != std::string_view::npos);
}

Json tree_of(std::string_view text, const std::vector<std::string_view>& words) {
  const auto offset = [&](std::string_view word) {
    return static_cast<std::uint32_t>(word.data() - text.data());
  };
  const auto kind = parse_value(words[1])->is_finite() ? Json::Kind::number : Json::Kind::text;
  return {kind, offset(words[1]), offset(words[0]), std::string(words[0]), std::string(words[1]), {}};
}

}  // namespace

bool is_step_lines(std::string_view text) { return !trim(text).empty() && each_line(text, is_step_line); }

Result<Json> parse_step_lines(std::string_view text, const std::string& name) {
  GATE_TRY_STATUS(check_size(text, name));
  Json tree{Json::Kind::list, 0, 0, "", "", {}};
  const auto add = [&](const auto& words) {
    tree.items.push_back(tree_of(text, words));
    return tree.items.size() <= max_json_values;
  };
  if (!each_line(text, add)) return fail(name + ": more than " + std::to_string(max_json_values) + " lines");
  return tree;
}

bool is_torchtitan(const Json& document) {
  return document.kind == Json::Kind::list && !document.items.empty() && !document.items.front().key.empty();
}

Baseline read_torchtitan(const Json& document, Complaints& complaints) {
  Baseline baseline;
  const Json key{Json::Kind::list, 0, 0, "loss", "", {}};
  GoldenSeries series(Texts::not_finite, complaints);
  series.add_steps(key, document, metric_named("lm_loss"));
  series.move_into(baseline);
  return baseline;
}

}  // namespace gate::schema
