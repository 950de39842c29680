#include "render/words/guard_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "gate/base/text.h"

namespace gate::render {

namespace {

std::string minutes(Duration duration) {
  return fmt::format("{:.1f}", std::chrono::duration<double, std::ratio<60>>(duration).count());
}

std::string mark(const GuardRow& row, bool is_gated) {
  if (is_gated) return row.ungated.empty() ? "Y" : "(Y)";
  return row.other.empty() ? "-" : row.other;
}

std::string untold_words(const GuardRow& row) {
  auto words = texts_of(
      row.not_told, [&](const UntoldFeature& feature) { return feature.title + " (" + feature.text + ")"; });
  if (!row.further.empty()) words.push_back("others (" + row.further + ")");
  return join(words, ", ");
}

struct GuardColumn {
  const char* title;
  std::function<std::string(const GuardRow&)> cell;
  bool is_always;  // shown if it is empty, too
  bool is_of_features = false;
};

const std::vector<GuardColumn>& guard_columns() {
  static const std::vector<GuardColumn> columns{
      {"case", [](const GuardRow& row) { return row.name; }, true},
      {"tests", [](const GuardRow& row) { return row.tests; }, false},
      {"module", [](const GuardRow& row) { return row.module; }, false},
      {"submodule", [](const GuardRow& row) { return row.submodule; }, false},
      {"script", [](const GuardRow& row) { return row.script; }, true},
      {"accuracy", [](const GuardRow& row) { return mark(row, row.accuracy); }, true},
      {"speed", [](const GuardRow& row) { return row.other.empty() ? mark(row, row.speed) : "-"; }, true},
      {"memory", [](const GuardRow& row) { return row.other.empty() ? mark(row, row.memory) : "-"; }, true},
      {"gates nothing", [](const GuardRow& row) { return row.ungated; }, false},
      {"minutes", [](const GuardRow& row) { return row.duration == Duration{} ? "" : minutes(row.duration); },
       false},
      {"device-minutes", [](const GuardRow& row) { return row.device_time ? minutes(*row.device_time) : ""; },
       false},
      {"features", [](const GuardRow& row) { return join(row.features, ", "); }, false, true},
      {"not told", untold_words, false, true},
  };
  return columns;
}

std::string flags_and_title(const GuardedFeature& feature) {
  return feature.title + " (" + feature.flags + ")";
}

std::vector<GuardedFeature> features_that(const GuardList& list,
                                          const std::function<bool(const GuardedFeature&)>& holds) {
  std::vector<GuardedFeature> some;
  std::ranges::copy_if(list.features, std::back_inserter(some), holds);
  return some;
}

// `parallelism: SP (--sequence-parallel), VPP (...)`: a line for each group.
std::vector<std::string> by_group(const std::vector<GuardedFeature>& features) {
  std::vector<std::string> lines, groups;
  for (const GuardedFeature& feature : features) {
    if (std::ranges::find(groups, feature.group) != groups.end()) continue;
    groups.push_back(feature.group);
    std::vector<std::string> words;
    for (const GuardedFeature& one : features)
      if (one.group == feature.group) words.push_back(flags_and_title(one));
    lines.push_back((feature.group.empty() ? "others" : feature.group) + ": " + join(words, ", "));
  }
  return lines;
}

// `ST/mixtral may use others: $EXTRA_ARGS`.
std::vector<std::string> what_may_bring_more(const GuardList& list) {
  std::vector<std::string> lines;
  for (const GuardRow& row : list.rows)
    if (!row.further.empty()) lines.push_back(row.name + " may use any of them: " + row.further);
  return lines;
}

std::string count_words(std::size_t count, const std::string& what) {
  return count_of(static_cast<std::int64_t>(count), what);
}

}  // namespace

TextRows guard_rows(const GuardList& list, GuardColumns shown) {
  TextRows rows(list.rows.size() + 1);
  for (const GuardColumn& column : guard_columns()) {
    if (column.is_of_features && shown == GuardColumns::without_features) continue;
    const auto cells = texts_of(list.rows, [&](const GuardRow& row) { return column.cell(row); });
    const bool is_empty = std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); });
    if (is_empty && !column.is_always) continue;
    rows[0].emplace_back(column.title);
    for (std::size_t i = 0; i < cells.size(); ++i) rows[i + 1].push_back(cells[i]);
  }
  return rows;
}

std::vector<GuardRemark> guard_remarks(const GuardList& list) {
  std::vector<GuardRemark> remarks;
  const auto add = [&](const std::string& title, std::vector<std::string> lines) {
    if (!lines.empty()) remarks.push_back({title, std::move(lines)});
  };
  const auto unused = features_that(
      list, [](const GuardedFeature& one) { return one.used_by.empty() && one.perhaps.empty(); });
  const std::vector<std::string> bringing = what_may_bring_more(list);
  std::vector<std::string> lines;
  if (unused.size() < list.features.size()) lines = by_group(unused);  // else it is no tree of such trainings
  if (!lines.empty()) std::ranges::copy(bringing, std::back_inserter(lines));
  add(bringing.empty() ? "no case uses " + count_words(unused.size(), "feature")
                       : "no script tells that it uses one of " + count_words(unused.size(), "feature"),
      std::move(lines));
  std::vector<std::string> unguarded, alone, perhaps;
  for (const GuardedFeature& one : list.features) {
    if (!one.used_by.empty() && one.guarded_by.empty())
      unguarded.push_back(flags_and_title(one) + ": used by " + some_of(one.used_by, 5));
    if (one.guarded_by.size() == 1) alone.push_back(flags_and_title(one) + ": " + one.guarded_by[0]);
    if (one.guarded_by.empty() && one.used_by.empty() && !one.perhaps.empty())
      perhaps.push_back(flags_and_title(one) + ": " + some_of(one.perhaps, 5));
  }
  add(count_words(unguarded.size(), "feature") + " used and guarded by no case", unguarded);
  add(count_words(alone.size(), "feature") + " guarded by one case alone", alone);
  add(count_words(perhaps.size(), "feature") + " that perhaps some case uses: its script does not tell",
      perhaps);
  std::vector<std::string> lacking;
  for (const GuardRow& row : list.rows)
    for (const std::string& text : row.lacking) lacking.push_back(row.name + ": " + text);
  add(count_words(lacking.size(), "flag") + " that the script's models do not have", lacking);
  add(count_words(list.redundant.size(), "case") +
          " whose every feature another case guards, too, and judges as much",
      list.redundant);
  return remarks;
}

std::vector<std::string> guard_feature_lines(const GuardList& list) {
  std::vector<std::string> lines;
  for (const GuardRow& row : list.rows) {
    std::vector<std::string> parts;
    if (!row.features.empty()) parts.push_back(join(row.features, ", "));
    if (const std::string untold = untold_words(row); !untold.empty()) parts.push_back("not told: " + untold);
    if (!row.features.empty() || !row.not_told.empty()) lines.push_back(row.name + ": " + join(parts, "; "));
  }
  return lines;
}

std::string guard_closing(const GuardList& list) {
  const auto guarding = static_cast<std::size_t>(std::ranges::count_if(list.rows, &GuardRow::guards));
  const auto guarded = features_that(list, [](const GuardedFeature& one) { return !one.guarded_by.empty(); });
  std::string text = count_words(list.rows.size(), "case") + ", " + std::to_string(guarding) + " guarding; " +
                     std::to_string(guarded.size()) + " of " + count_words(list.features.size(), "feature") +
                     " guarded";
  if (list.device_time > Duration{}) text += "; " + minutes(list.device_time) + " device-minutes";
  if (list.without_duration > 0)
    text += "; " + count_of(list.without_duration, "case") + " without a duration in the history";
  return text;
}

}  // namespace gate::render
