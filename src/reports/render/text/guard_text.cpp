
#include "gate/render/guard_list.h"
#include "gate/render/table_json.h"
#include "render/words/guard_words.h"
#include "render/words/markdown_text.h"
#include "render/words/text_page.h"

namespace gate::render {

std::string guard_list_text(const GuardList& list, const Style& style) {
  std::string out = table(guard_rows(list, GuardColumns::without_features), style);
  const auto add = [&](const std::string& title, const std::vector<std::string>& lines) {
    if (!lines.empty()) out += "\n" + safe(title) + "\n";
    for (const std::string& line : lines)
      for (const std::string& part : wrap(safe(line), usable_width(style) - 2, 2)) out += "  " + part + "\n";
  };
  add("features", guard_feature_lines(list));
  for (const GuardRemark& remark : guard_remarks(list)) add(remark.title, remark.lines);
  return out + "\n" + guard_closing(list) + "\n";
}

std::string guard_list_markdown(const GuardList& list) {
  std::string out = markdown_table(guard_rows(list));
  for (const GuardRemark& remark : guard_remarks(list)) {
    out += "\n**" + markdown_escape(remark.title) + "**\n\n";
    for (const std::string& line : remark.lines) out += "- " + markdown_escape(line) + "\n";
  }
  return out + "\n" + markdown_escape(guard_closing(list)) + "\n";
}

std::string guard_list_json(const GuardList& list) {
  OutputJson rows = OutputJson::array(), features = OutputJson::array();
  for (const GuardRow& row : list.rows) {
    OutputJson untold = OutputJson::object();
    for (const UntoldFeature& one : row.not_told) untold[one.title] = one.text;
    OutputJson json{{"case", row.name},           {"tests", row.tests},     {"module", row.module},
                    {"submodule", row.submodule}, {"script", row.script},   {"accuracy", row.accuracy},
                    {"speed", row.speed},         {"memory", row.memory},   {"other", row.other},
                    {"ungated", row.ungated},     {"guards", row.guards()}, {"features", row.features},
                    {"not_told", untold},         {"further", row.further}, {"lacking", row.lacking}};
    if (row.duration > Duration{}) json["duration_ms"] = row.duration.count();
    if (row.device_time) json["device_time_ms"] = row.device_time->count();
    rows.push_back(std::move(json));
  }
  for (const GuardedFeature& one : list.features)
    features.push_back({{"feature", one.title},
                        {"group", one.group},
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
