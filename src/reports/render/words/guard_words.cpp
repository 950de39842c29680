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

Sentence mark(const GuardRow& row, bool is_gated) {
  if (is_gated) return row.ungated.empty() ? "Y" : "(Y)";
  return row.other.empty() ? "-" : row.other;
}

Sentence untold_words(const GuardRow& row) {
  std::vector<Sentence> words;
  for (const UntoldFeature& feature : row.not_told)
    words.push_back(say({"{} ({})", "{}（{}）"}, feature.title, feature.text));
  if (!row.further.empty()) words.push_back(say({"others ({})", "其他（{}）"}, row.further));
  return join(words, comma);
}

Sentence listed_features(const GuardRow& row) { return join(row.features, comma); }

// `Pretrain, MoE`: each once.
Sentence of_places(const GuardRow& row, std::string GuardPlace::*part) {
  std::vector<std::string> parts;
  for (const GuardPlace& place : row.places)
    if (!(place.*part).empty() && std::ranges::find(parts, place.*part) == parts.end())
      parts.push_back(place.*part);
  return join(parts, ", ");
}

struct GuardColumn {
  Sentence title;
  std::function<Sentence(const GuardRow&)> cell;
  bool is_always;  // shown if it is empty, too
  bool is_of_features = false;
};

const std::vector<GuardColumn>& guard_columns() {
  static const std::vector<GuardColumn> columns{
      {say({"case", "用例"}), [](const GuardRow& row) { return row.name; }, true},
      {say({"tests", "测试"}), [](const GuardRow& row) { return of_places(row, &GuardPlace::tests); }, false},
      {say({"module", "模块"}), [](const GuardRow& row) { return of_places(row, &GuardPlace::module); },
       false},
      {say({"submodule", "子模块"}),
       [](const GuardRow& row) { return of_places(row, &GuardPlace::submodule); }, false},
      {say({"script", "脚本"}), [](const GuardRow& row) { return row.script; }, true},
      {say({"accuracy", "精度"}), [](const GuardRow& row) { return mark(row, row.accuracy); }, true},
      {say({"speed", "速度"}),
       [](const GuardRow& row) { return row.other.empty() ? mark(row, row.speed) : "-"; }, true},
      {say({"memory", "显存"}),
       [](const GuardRow& row) { return row.other.empty() ? mark(row, row.memory) : "-"; }, true},
      {say({"gates nothing", "不设门禁"}), [](const GuardRow& row) { return row.ungated; }, false},
      {say({"minutes", "分钟"}),
       [](const GuardRow& row) { return row.duration == Duration{} ? "" : minutes(row.duration); }, false},
      {say({"device-minutes", "设备分钟"}),
       [](const GuardRow& row) { return row.device_time ? minutes(*row.device_time) : ""; }, false},
      {say({"features", "特性"}), listed_features, false, true},
      {say({"not told", "没有写明"}), untold_words, false, true},
  };
  return columns;
}

Sentence flags_and_title(const GuardedFeature& feature) {
  return say({"{} ({})", "{}（{}）"}, feature.title, feature.flags);
}

std::vector<GuardedFeature> features_that(const GuardList& list,
                                          const std::function<bool(const GuardedFeature&)>& holds) {
  std::vector<GuardedFeature> some;
  std::ranges::copy_if(list.features, std::back_inserter(some), holds);
  return some;
}

// Where these are all, it is no tree of such trainings.
std::vector<GuardedFeature> unused_features(const GuardList& list) {
  return features_that(list,
                       [](const GuardedFeature& one) { return one.used_by.empty() && one.perhaps.empty(); });
}

// `parallelism: SP (--sequence-parallel), VPP (...)`: a line for each group.
std::vector<Sentence> by_group(const std::vector<GuardedFeature>& features) {
  std::vector<Sentence> lines;
  std::vector<Sentence> groups;
  for (const GuardedFeature& feature : features) {
    if (std::ranges::find(groups, feature.group) != groups.end()) continue;
    groups.push_back(feature.group);
    std::vector<Sentence> words;
    for (const GuardedFeature& one : features)
      if (one.group == feature.group) words.push_back(flags_and_title(one));
    lines.push_back((feature.group.empty() ? say({"others", "其他"}) : feature.group) + colon +
                    join(words, comma));
  }
  return lines;
}

// `ST/mixtral may use others: $EXTRA_ARGS`.
std::vector<Sentence> what_may_bring_more(const GuardList& list) {
  std::vector<Sentence> lines;
  for (const GuardRow& row : list.rows)
    if (!row.further.empty())
      lines.push_back(
          say({"{} may use any of them: {}", "{} 可能使用其中任何一个：{}"}, row.name, row.further));
  return lines;
}

Sentence guarded_cases(std::size_t count) {
  return count_of(static_cast<std::int64_t>(count), "case", "个用例");
}

Sentence guarded_features(std::size_t count) {
  return count_of(static_cast<std::int64_t>(count), "feature", "个特性");
}

struct PlacedRow {
  const GuardRow* row;
  const GuardPlace* place;
};

bool has_same_tests(const PlacedRow& a, const PlacedRow& b) { return a.place->tests == b.place->tests; }

bool has_same_module(const PlacedRow& a, const PlacedRow& b) {
  return has_same_tests(a, b) && a.place->module == b.place->module;
}

// A row for each place of a case. Rows of the same tests, and of these the same module, stand together, in
// the order of the first of each.
std::vector<PlacedRow> rows_by_module(const GuardList& list) {
  std::vector<PlacedRow> rows;
  const auto add = [&](const PlacedRow& one) {
    auto last = std::find_if(rows.rbegin(), rows.rend(),
                             [&](const PlacedRow& other) { return has_same_module(other, one); });
    if (last == rows.rend())
      last = std::find_if(rows.rbegin(), rows.rend(),
                          [&](const PlacedRow& other) { return has_same_tests(other, one); });
    rows.insert(last == rows.rend() ? rows.end() : last.base(), one);
  };
  for (const GuardRow& row : list.rows)
    for (const GuardPlace& place : row.places) add({&row, &place});
  return rows;
}

// A cell goes on in the next row where all before it in the row do, too.
std::vector<std::size_t> spans_of(const std::vector<PlacedRow>& rows,
                                  const std::function<bool(const PlacedRow&, const PlacedRow&)>& goes_on) {
  std::vector<std::size_t> spans(rows.size(), 0);
  std::size_t first = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && !goes_on(rows[i - 1], rows[i])) first = i;
    ++spans[first];
  }
  return spans;
}

Sentence fragment_mark(const Sentence& mark) { return mark == Sentence("-") ? Sentence() : mark; }

Sentence guarded_names(const std::vector<std::string>& names) { return first_of(sentences_of(names), 5); }

}  // namespace

TextRows guard_rows(const GuardList& list, GuardColumns shown) {
  TextRows rows(list.rows.size() + 1);
  for (const GuardColumn& column : guard_columns()) {
    if (column.is_of_features && shown == GuardColumns::without_features) continue;
    std::vector<Sentence> cells;
    for (const GuardRow& row : list.rows) cells.push_back(column.cell(row));
    const bool is_empty = std::ranges::all_of(cells, &Sentence::empty);
    if (is_empty && !column.is_always) continue;
    rows[0].emplace_back(column.title);
    for (std::size_t i = 0; i < cells.size(); ++i) rows[i + 1].push_back(cells[i]);
  }
  return rows;
}

std::vector<MergedColumn> guard_fragment(const GuardList& list) {
  const auto rows = rows_by_module(list);
  const auto one = [](const PlacedRow&, const PlacedRow&) { return false; };
  std::vector<MergedColumn> columns{
      {say({"Tests", "测试"}), {}, spans_of(rows, has_same_tests)},
      {say({"Module", "模块"}), {}, spans_of(rows, has_same_module)},
      {say({"Submodule", "子模块"}), {}, spans_of(rows, one)},
      {say({"Scripts", "脚本"}), {}, spans_of(rows, one)},
      {say({"Accuracy", "精度"}), {}, spans_of(rows, one)},
      {say({"Throughput", "吞吐"}), {}, spans_of(rows, one)},
      {say({"Memory", "显存"}), {}, spans_of(rows, one)},
  };
  for (const auto& [row, place] : rows) {
    const bool has_metrics = row->other.empty();
    const std::vector<Sentence> cells{place->tests,
                                      place->module,
                                      place->submodule.empty() ? listed_features(*row) : place->submodule,
                                      row->script.empty() ? row->name : row->script,
                                      fragment_mark(mark(*row, row->accuracy)),
                                      has_metrics ? fragment_mark(mark(*row, row->speed)) : Sentence(),
                                      has_metrics ? fragment_mark(mark(*row, row->memory)) : Sentence()};
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(cells[i]);
  }
  return columns;
}

std::vector<GuardRemark> guard_remarks(const GuardList& list) {
  std::vector<GuardRemark> remarks;
  const auto add = [&](const Sentence& title, std::vector<Sentence> lines) {
    if (!lines.empty()) remarks.push_back({title, std::move(lines)});
  };
  const auto unused = unused_features(list);
  const std::vector<Sentence> bringing = what_may_bring_more(list);
  std::vector<Sentence> lines;
  if (unused.size() < list.features.size()) lines = by_group(unused);
  if (!lines.empty()) std::ranges::copy(bringing, std::back_inserter(lines));
  add(bringing.empty() ? say({"no case uses {}", "没有用例使用的 {}"}, guarded_features(unused.size()))
                       : say({"no script tells that it uses one of {}", "没有脚本写明使用的 {}"},
                             guarded_features(unused.size())),
      std::move(lines));
  std::vector<Sentence> unguarded, alone, perhaps;
  for (const GuardedFeature& one : list.features) {
    if (!one.used_by.empty() && one.guarded_by.empty())
      unguarded.push_back(
          say({"{}: used by {}", "{}：使用它的有 {}"}, flags_and_title(one), guarded_names(one.used_by)));
    if (one.guarded_by.size() == 1) alone.push_back(flags_and_title(one) + colon + one.guarded_by[0]);
    if (one.guarded_by.empty() && one.used_by.empty() && !one.perhaps.empty())
      perhaps.push_back(flags_and_title(one) + colon + guarded_names(one.perhaps));
  }
  add(say({"{} used and guarded by no case", "有用例使用、但没有用例看护的 {}"},
          guarded_features(unguarded.size())),
      unguarded);
  add(say({"{} guarded by one case alone", "只有一个用例看护的 {}"}, guarded_features(alone.size())), alone);
  add(say({"{} that perhaps some case uses: its script does not tell", "也许有用例使用的 {}：脚本没有写明"},
          guarded_features(perhaps.size())),
      perhaps);
  std::vector<Sentence> lacking;
  for (const GuardRow& row : list.rows)
    for (const Sentence& text : row.lacking) lacking.push_back(row.name + colon + text);
  add(say({"{} that the script's models do not have", "脚本的模型所没有的 {}"},
          count_of(static_cast<std::int64_t>(lacking.size()), "flag", "个参数")),
      lacking);
  add(say({"{} whose every feature another case guards, too, and judges as much",
           "每个特性都另有用例同样看护的 {}"},
          guarded_cases(list.redundant.size())),
      sentences_of(list.redundant));
  return remarks;
}

std::vector<Sentence> guard_feature_lines(const GuardList& list) {
  std::vector<Sentence> lines;
  for (const GuardRow& row : list.rows) {
    std::vector<Sentence> parts{listed_features(row)};
    if (const Sentence untold = untold_words(row); !untold.empty())
      parts.push_back(say({"not told: {}", "没有写明：{}"}, untold));
    if (!row.features.empty() || !row.not_told.empty())
      lines.push_back(row.name + colon + join(parts, semicolon));
  }
  return lines;
}

Sentence guard_closing(const GuardList& list) {
  const auto guarding = std::ranges::count_if(list.rows, &GuardRow::guards);
  const auto guarded = features_that(list, [](const GuardedFeature& one) { return !one.guarded_by.empty(); });
  std::vector<Sentence> parts{
      say({"{}, {} guarding", "{}，其中 {} 个有看护"}, guarded_cases(list.rows.size()), guarding)};
  if (unused_features(list).size() < list.features.size())
    parts.push_back(say({"{} of {} guarded", "{1}中有 {0} 个被看护"}, guarded.size(),
                        guarded_features(list.features.size())));
  if (list.device_time > Duration{})
    parts.push_back(say({"{} device-minutes", "{} 设备分钟"}, minutes(list.device_time)));
  if (list.without_duration > 0)
    parts.push_back(say({"{} without a duration in the history", "历史中没有用时的有 {}"},
                        count_of(list.without_duration, "case", "个用例")));
  return join(parts, semicolon);
}

}  // namespace gate::render
