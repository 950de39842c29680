#include "gate/schema/result_file.h"
#include "gate/words/remarks.h"
#include "schema/json_report.h"
#include "schema/note_text.h"

namespace gate::schema {

namespace {

void write_baseline_used(JsonOut& out, std::string_view name, const BaselineUsed& used) {
  out.object(name, [&] {
    out.text("path", used.path);
    out.text("sha256", used.sha256);
  });
}

// The most specific file stands alone, as nearly every case has but one.
void write_baselines(JsonOut& out, const std::vector<BaselineUsed>& used) {
  if (used.empty()) return out.raw("baseline", "null");
  write_baseline_used(out, "baseline", used.front());
  if (used.size() == 1) return;
  out.list("more_baselines", [&] {
    for (std::size_t i = 1; i < used.size(); ++i) write_baseline_used(out, "", used[i]);
  });
}

BaselineUsed read_baseline_used(const Fields& fields) { return {fields.text("path"), fields.text("sha256")}; }

std::vector<BaselineUsed> read_baselines(const Fields& fields) {
  std::vector<BaselineUsed> used;
  if (const Json* json = fields.object("baseline"))
    used.push_back(read_baseline_used(Fields(*json, fields.complaints())));
  for (const Json& json : fields.list("more_baselines"))
    used.push_back(read_baseline_used(Fields(json, fields.complaints())));
  return used;
}

void write_ungated(JsonOut& out, const Ungated& ungated) {
  out.text("metric", ungated.metric);
  out.text("rule", ungated.rule);
  out.text("reason", words::text(ungated.reason));
  if (ungated.absent) out.flag("absent", true);
}

Ungated read_ungated(const Fields& fields) {
  return {fields.text("metric"), fields.text("rule"), remark::Text{fields.text("reason")},
          fields.flag("absent", false)};
}

std::map<std::string, std::string> read_texts(const Json* json, Complaints& complaints) {
  std::map<std::string, std::string> texts;
  if (json == nullptr) return texts;
  const Fields fields(*json, complaints);
  for (const Json& member : json->items) texts.emplace(member.key, fields.text(member.key));
  return texts;
}

template <typename Read>
auto read_all(const Fields& fields, std::string_view name, Read read) {
  std::vector<decltype(read(fields))> items;
  for (const Json& json : fields.list(name)) items.push_back(read(Fields(json, fields.complaints())));
  return items;
}

template <typename Item, typename Write>
void write_all(JsonOut& out, std::string_view name, const std::vector<Item>& items, Write write) {
  out.list(name, [&] {
    for (const Item& item : items) out.object("", [&] { write(out, item); });
  });
}

void write_green_until(JsonOut& out, const GreenUntil& green) {
  out.text("run", green.run);
  out.text("commit", green.commit);
  out.text("started", green.started);
  out.number("runs_ago", green.runs_ago);
  out.known_number("commits", green.commits);
}

GreenUntil read_green_until(const Fields& fields) {
  return {fields.text("run"), fields.text("commit"), fields.text("started"),
          fields.integer("runs_ago").value_or(0), fields.integer("commits")};
}

void write_shadow(JsonOut& out, const Shadow& shadow) {
  out.text("profile", shadow.profile);
  out.text("verdict", to_string(shadow.verdict));
  out.text("reason", shadow.reason);
  write_all(out, "checks", shadow.checks, write_check_members);
}

Shadow read_shadow(const Fields& fields) {
  return {fields.required_text("profile"), fields.named("verdict", parse_verdict, Verdict::unjudged),
          fields.text("reason"), read_all(fields, "checks", read_check)};
}

// What older versions wrote was judged by gate.
std::string read_profile(const Fields& fields) {
  const std::string profile = fields.text("profile");
  return profile.empty() ? "gate" : profile;
}

}  // namespace

void write_problem_members(JsonOut& out, const Problem& problem) {
  out.text("kind", to_string(problem.kind));
  out.text("file", problem.file);
  out.number("line", problem.line);
  out.text("text", problem.text);
}

Problem read_problem(const Fields& fields) {
  Problem problem;
  const std::string kind = fields.text("kind");
  for (int i = 0; i <= static_cast<int>(ProblemKind::other); ++i)
    if (to_string(static_cast<ProblemKind>(i)) == kind) problem.kind = static_cast<ProblemKind>(i);
  problem.file = fields.text("file");
  problem.line = static_cast<std::uint32_t>(fields.integer("line").value_or(0));
  problem.text = fields.text("text");
  return problem;
}

void write_case_members(JsonOut& out, const CaseReport& report) {
  out.text("case", report.name);
  out.text("verdict", to_string(report.verdict));
  out.text("reason", report.reason);
  out.text("profile", report.profile);
  if (report.shadow) out.object("shadow", [&] { write_shadow(out, *report.shadow); });
  if (report.outcome) out.object("outcome", [&] { write_outcome_members(out, *report.outcome); });
  if (report.cause) out.object("cause", [&] { write_message_members(out, *report.cause); });
  out.known_text("last_words", report.last_words);
  if (report.green_until) out.object("green_until", [&] { write_green_until(out, *report.green_until); });
  out.text("platform", report.platform);
  out.text("devices", report.devices);
  out.known_text("owner", report.owner);
  write_baselines(out, report.baselines);
  write_duration(out, "duration_s", report.duration);
  write_known_duration(out, "device_time_s", report.device_time);
  write_known_duration(out, "device_time_saved_s", report.device_time_saved);
  out.number("steps", report.steps);
  out.known_number("total", report.total);
  if (!report.formats.empty()) out.texts("formats", report.formats);
  out.texts("args", report.args);
  if (!report.inputs.empty())
    out.object("inputs", [&] {
      for (const auto& [name, hash] : report.inputs) out.text(name, hash);
    });
  write_all(out, "checks", report.checks, write_check_members);
  write_all(out, "ungated", report.ungated, write_ungated);
  write_all(out, "problems", report.problems, write_problem_members);
  std::vector<std::string> notes;
  for (const Note& note : report.notes) notes.push_back(quote(words::text(note)));
  out.values("notes", notes, 1);
  if (!report.differs.empty()) out.texts("differs", report.differs);
  out.object("artifacts", [&] {
    for (const auto& [name, path] : report.artifacts) out.text(name, path);
  });
}

CaseReport read_case_members(const Fields& fields) {
  CaseReport report;
  report.name = fields.required_text("case");
  report.verdict = fields.named("verdict", parse_verdict, Verdict::not_run);
  report.reason = fields.text("reason");
  report.profile = read_profile(fields);
  if (const Json* shadow = fields.object("shadow"))
    report.shadow = read_shadow(Fields(*shadow, fields.complaints()));
  if (const Json* outcome = fields.object("outcome"))
    report.outcome = read_outcome(Fields(*outcome, fields.complaints()));
  if (const Json* cause = fields.object("cause"))
    report.cause = read_message(Fields(*cause, fields.complaints()));
  report.last_words = fields.text("last_words");
  if (const Json* green = fields.object("green_until"))
    report.green_until = read_green_until(Fields(*green, fields.complaints()));
  report.platform = fields.text("platform");
  report.devices = fields.text("devices");
  report.owner = fields.text("owner");
  report.baselines = read_baselines(fields);
  report.duration = read_duration(fields, "duration_s");
  report.device_time = read_known_duration(fields, "device_time_s");
  report.device_time_saved = read_known_duration(fields, "device_time_saved_s");
  report.steps = fields.integer("steps").value_or(0);
  report.total = fields.integer("total");
  report.formats = fields.texts("formats");
  report.args = fields.texts("args");
  report.inputs = read_texts(fields.object("inputs"), fields.complaints());
  report.checks = read_all(fields, "checks", read_check);
  report.ungated = read_all(fields, "ungated", read_ungated);
  report.problems = read_all(fields, "problems", read_problem);
  for (const std::string& text : fields.texts("notes"))
    report.notes.push_back(read_note(text, report.checks));
  report.differs = fields.texts("differs");
  report.artifacts = read_texts(fields.object("artifacts"), fields.complaints());
  return report;
}

std::string write_case(const CaseReport& report) {
  JsonOut out;
  out.object("", [&] { write_case_members(out, report); });
  return out.take();
}

Result<CaseReport> read_case(std::string_view text, const std::string& name) {
  return read_document<CaseReport>(text, name, read_case_members);
}

}  // namespace gate::schema
