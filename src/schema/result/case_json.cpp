#include "gate/schema/result_file.h"
#include "gate/words/remarks.h"
#include "schema/result/json_report.h"
#include "schema/result/note_text.h"

namespace gate::schema {

namespace {

// The most specific file stands alone, as nearly every case has but one.
void write_baselines(JsonOut& out, const std::vector<BaselineUsed>& used) {
  if (used.empty()) return out.raw("baseline", "null");
  MemberWriter(out).object("baseline", used.front());
  MemberWriter(out).known_list("more_baselines", std::vector(used.begin() + 1, used.end()));
}

std::vector<BaselineUsed> read_baselines(const Fields& fields) {
  std::vector<BaselineUsed> used;
  if (const Json* json = fields.object("baseline"))
    used.push_back(MemberReader::read<BaselineUsed>(Fields(*json, fields.complaints())));
  for (const Json& json : fields.list("more_baselines"))
    used.push_back(MemberReader::read<BaselineUsed>(Fields(json, fields.complaints())));
  return used;
}

std::vector<std::string> written(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(quote(words::text(note)));
  return texts;
}

std::vector<Note> read_notes(const Fields& fields, const std::vector<Check>& checks) {
  std::vector<Note> notes;
  for (const std::string& text : fields.texts("notes")) notes.push_back(read_note(text, checks));
  return notes;
}

}  // namespace

template <class Io>
void members(Io& io, In<Io, BaselineUsed> used) {
  io.text("path", used.path);
  io.text("sha256", used.sha256);
}

template <class Io>
void members(Io& io, In<Io, Ungated> ungated) {
  io.text("metric", ungated.metric);
  io.text("rule", ungated.rule);
  io.custom(
      "reason", [&](JsonOut& out) { out.text("reason", words::text(ungated.reason)); },
      [&](const auto& fields) { ungated.reason = remark::Text{fields.text("reason")}; });
  io.known_flag("absent", ungated.absent);
}

template <class Io>
void members(Io& io, In<Io, GreenUntil> green) {
  io.text("run", green.run);
  io.text("commit", green.commit);
  io.text("started", green.started);
  io.number("runs_ago", green.runs_ago);
  io.known_number("commits", green.commits);
}

template <class Io>
void members(Io& io, In<Io, Shadow> shadow) {
  io.required_text("profile", shadow.profile);
  io.named("verdict", shadow.verdict, parse_verdict);
  io.text("reason", shadow.reason);
  io.list("checks", shadow.checks);
}

template <class Io>
void members(Io& io, In<Io, Problem> problem) {
  io.named_if_known("kind", problem.kind, parse_problem_kind);
  io.text("file", problem.file);
  io.number("line", problem.line);
  io.text("text", problem.text);
}

template <class Io>
void members(Io& io, In<Io, CaseReport> report) {
  io.required_text("case", report.name);
  io.named("verdict", report.verdict, parse_verdict);
  io.text("reason", report.reason);
  io.text_or_default("profile", report.profile);
  io.known_object("shadow", report.shadow);
  io.known_object("outcome", report.outcome);
  io.known_object("cause", report.cause);
  io.known_text("last_words", report.last_words);
  io.known_object("green_until", report.green_until);
  io.text("platform", report.platform);
  io.text("devices", report.devices);
  io.known_text("owner", report.owner);
  io.custom(
      "baseline", [&](JsonOut& out) { write_baselines(out, report.baselines); },
      [&](const auto& fields) { report.baselines = read_baselines(fields); });
  io.duration("duration_s", report.duration);
  io.known_duration("device_time_s", report.device_time);
  io.known_duration("device_time_saved_s", report.device_time_saved);
  io.number("steps", report.steps);
  io.known_number("total", report.total);
  io.known_texts("formats", report.formats);
  io.texts("args", report.args);
  io.known_text_map("inputs", report.inputs);
  io.list("checks", report.checks);
  io.list("ungated", report.ungated);
  io.list("problems", report.problems);
  io.custom(
      "notes", [&](JsonOut& out) { out.values("notes", written(report.notes), 1); },
      [&](const auto& fields) { report.notes = read_notes(fields, report.checks); });
  io.known_texts("differs", report.differs);
  io.text_map("artifacts", report.artifacts);
}

template void members(MemberWriter& io, const Problem& problem);
template void members(MemberReader& io, Problem& problem);
template void members(MemberWriter& io, const CaseReport& report);
template void members(MemberReader& io, CaseReport& report);

std::string write_case(const CaseReport& report) { return write_document(report); }

Result<CaseReport> read_case(std::string_view text, const std::string& name) {
  return read_document<CaseReport>(text, name);
}

}  // namespace gate::schema
