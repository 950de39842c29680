#include <algorithm>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/reader.h"

namespace gate::schema {

namespace {

using Words = std::vector<std::string_view>;

constexpr char comment_mark = '#';

// Call `visit` with the words of each line that is not blank until it returns false; return whether it never
// did. The first word of a comment begins with its mark.
bool each_line(std::string_view text, auto visit) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const Words words = split_words(text.substr(from, end - from));
    if (!words.empty() && !visit(words)) return false;
    from = end + 1;
  }
  return true;
}

bool each_row(std::string_view text, auto visit) {
  return each_line(text,
                   [&](const Words& words) { return words[0].front() == comment_mark || visit(words); });
}

// What the columns are called: as the last comment in front of the rows says, if that begins with `step`, and
// as files without one have them.
class LossColumns {
 public:
  explicit LossColumns(std::string_view text) {
    each_line(text, [&](const Words& words) {
      const bool is_comment = words[0].front() == comment_mark;
      if (is_comment) read(words);
      return is_comment;
    });
  }

  const Words& names() const { return names_; }
  bool are_named() const { return named_; }

  // Without names a row is known by its loss, which is no whole number.
  bool fit(const Words& words) const {
    if (words.size() != names_.size() || !parse_integer(words[0])) return false;
    return std::all_of(words.begin() + 1, words.end(), [&](std::string_view word) {
      const auto value = parse_value(word);
      return value && (named_ || !value->is_finite() || word.find_first_of(".eE") != std::string_view::npos);
    });
  }

 private:
  void read(Words words) {
    words[0].remove_prefix(std::min(words[0].find_first_not_of(comment_mark), words[0].size()));
    if (words[0].empty()) words.erase(words.begin());
    named_ = words.size() > 1 && to_lower(words[0]) == "step";
    names_ = named_ ? words : Words{"step", "loss"};
  }

  Words names_{"step", "loss"};
  bool named_ = false;
};

std::uint32_t offset_in(std::string_view text, std::string_view word) {
  return static_cast<std::uint32_t>(word.data() - text.data());
}

Json loss_value(std::string_view text, std::string_view step, std::string_view word) {
  const auto kind = parse_value(word)->is_finite() ? Json::Kind::number : Json::Kind::text;
  return {kind, offset_in(text, word), offset_in(text, step), std::string(step), std::string(word), {}};
}

}  // namespace

bool begins_with_steps(std::string_view text) {
  const LossColumns columns(text);
  bool fits = columns.are_named();
  each_row(text, [&](const Words& words) {
    fits = fits || columns.fit(words);
    return false;
  });
  return fits;
}

bool is_step_lines(std::string_view text) {
  const LossColumns columns(text);
  bool any = false;
  return each_row(text, [&](const Words& words) { return any = columns.fit(words); }) && any;
}

Result<Json> parse_step_lines(std::string_view text, const std::string& name) {
  GATE_TRY_STATUS(check_text(text, name));
  Json tree{Json::Kind::list, 0, 0, "", "", {}};
  const LossColumns columns(text);
  for (std::size_t i = 1; i < columns.names().size(); ++i)
    tree.items.push_back({Json::Kind::list, 0, 0, std::string(columns.names()[i]), "", {}});
  const auto add = [&](const Words& words) {
    for (std::size_t i = 1; i < words.size(); ++i)
      tree.items[i - 1].items.push_back(loss_value(text, words[0], words[i]));
    return tree.items.front().items.size() <= max_json_values / tree.items.size();
  };
  if (!each_row(text, add)) return fail(name + ": more than " + std::to_string(max_json_values) + " lines");
  return tree;
}

bool is_torchtitan(const Json& document) {
  return document.kind == Json::Kind::list && !document.items.empty() && !document.items.front().key.empty();
}

Baseline read_torchtitan(const Json& document, Complaints& complaints) {
  Baseline baseline;
  GoldenSeries series(Texts::not_finite, complaints);
  for (const Json& column : document.items)
    series.add_steps(column, column, metric_of_key(to_lower(column.key)));
  series.move_into(baseline);
  return baseline;
}

}  // namespace gate::schema
