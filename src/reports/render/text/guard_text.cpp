
#include "gate/base/text.h"
#include "gate/render/guard_list.h"
#include "gate/render/table_json.h"
#include "render/words/guard_words.h"
#include "render/words/markdown_text.h"
#include "render/words/text_page.h"

namespace gate::render {

std::string guard_list_text(const GuardList& list, const Style& style) {
  std::string out = table(guard_rows(list, GuardColumns::without_features), style);
  const auto shown = [&](const Sentence& text) { return safe(text.in(style.language)); };
  const auto add = [&](const Sentence& title, const std::vector<Sentence>& lines) {
    if (!lines.empty()) out += "\n" + shown(title) + "\n";
    for (const Sentence& line : lines)
      for (const std::string& part : wrap(shown(line), usable_width(style) - 2, 2, style.language))
        out += "  " + part + "\n";
  };
  add(say({"features", "特性"}), guard_feature_lines(list));
  for (const GuardRemark& remark : guard_remarks(list)) add(remark.title, remark.lines);
  return out + "\n" + guard_closing(list).in(style.language) + "\n";
}

std::string guard_list_markdown(const GuardList& list, Language language) {
  const auto shown = [&](const Sentence& text) { return markdown_escape(text.in(language)); };
  std::string out = markdown_table(guard_rows(list), language);
  for (const GuardRemark& remark : guard_remarks(list)) {
    out += "\n**" + shown(remark.title) + "**\n\n";
    for (const Sentence& line : remark.lines) out += "- " + shown(line) + "\n";
  }
  return out + "\n" + shown(guard_closing(list)) + "\n";
}

std::string guard_fragment_markdown(const GuardList& list, Language language) {
  const std::vector<MergedColumn> columns = guard_fragment(list);
  TextRows rows(columns.front().cells.size() + 1);
  for (const MergedColumn& column : columns) {
    rows[0].push_back(column.title);
    for (std::size_t i = 0; i < column.cells.size(); ++i)
      rows[i + 1].push_back(column.spans[i] == 0 ? Sentence() : column.cells[i]);
  }
  return markdown_table(rows, language);
}

std::string guard_list_json(const GuardList& list) {
  OutputJson rows = OutputJson::array(), features = OutputJson::array();
  for (const GuardRow& row : list.rows) {
    OutputJson untold = OutputJson::object();
    for (const UntoldFeature& one : row.not_told) untold[one.title.english()] = one.text;
    OutputJson places = OutputJson::array();
    for (const auto& [tests, module, submodule] : row.places)
      places.push_back({{"tests", tests}, {"module", module}, {"submodule", submodule}});
    OutputJson json{{"case", row.name},
                    {"tests", row.places.front().tests},
                    {"module", row.places.front().module},
                    {"submodule", row.places.front().submodule},
                    {"places", places},
                    {"script", row.script},
                    {"accuracy", row.accuracy},
                    {"speed", row.speed},
                    {"memory", row.memory},
                    {"other", row.other.english()},
                    {"ungated", row.ungated.english()},
                    {"guards", row.guards()},
                    {"features", texts_of(row.features, &Sentence::english)},
                    {"not_told", untold},
                    {"further", row.further.english()},
                    {"lacking", texts_of(row.lacking, &Sentence::english)}};
    if (row.duration > Duration{}) json["duration_ms"] = row.duration.count();
    if (row.device_time) json["device_time_ms"] = row.device_time->count();
    rows.push_back(std::move(json));
  }
  for (const GuardedFeature& one : list.features)
    features.push_back({{"feature", one.title.english()},
                        {"group", one.group.english()},
                        {"flags", one.flags},
                        {"used_by", one.used_by},
                        {"guarded_by", one.guarded_by},
                        {"perhaps", one.perhaps}});
  return json_text({{"cases", rows},
                    {"features", features},
                    {"redundant", list.redundant},
                    {"device_time_ms", list.device_time.count()}});
}

}  // namespace gate::render
