#include "gate/base/text.h"
#include "gate/schema/result_file.h"
#include "schema/json_report.h"

namespace gate::schema {

namespace {

constexpr std::string_view result_schema = "gate.result/1";

void write_totals(JsonOut& out, const Report& report) {
  out.number("cases", static_cast<std::int64_t>(report.cases.size()));
  for (const VerdictRow& row : verdicts()) out.number(row.name, report.count(row.verdict));
  write_known_duration(out, "device_time_s", report.device_time());
  write_known_duration(out, "device_time_saved_s", report.device_time_saved());
}

void write_timeline(JsonOut& out, const std::vector<PlannedTurn>& turns) {
  for (const PlannedTurn& turn : turns)
    out.object("", [&] {
      out.text("case", turn.name);
      out.text("devices", turn.devices);
      write_duration(out, "begin_s", turn.begin);
      write_duration(out, "end_s", turn.end);
    });
}

std::vector<PlannedTurn> read_timeline(const Fields& fields) {
  std::vector<PlannedTurn> turns;
  for (const Json& json : fields.list("timeline")) {
    const Fields turn(json, fields.complaints());
    turns.push_back({turn.required_text("case"), turn.text("devices"), read_duration(turn, "begin_s"),
                     read_duration(turn, "end_s")});
  }
  return turns;
}

void check_schema(const Fields& fields) {
  const std::string schema = fields.required_text("schema");
  if (schema == result_schema || schema.empty()) return;
  fields.complaints().add(fields.json().find("schema")->at,
                          "unknown schema \"" + printable(schema, 80) + "\"; this gate reads gate.result/1");
}

Report read_report(const Fields& fields) {
  check_schema(fields);
  Report report;
  report.gate_version = fields.text("gate_version");
  report.suite = fields.text("suite");
  report.run = fields.text("run");
  report.uid = fields.text("uid");
  report.command = fields.text("command");
  report.host = fields.text("host");
  report.platform = fields.text("platform");
  report.commit = fields.text("commit");
  report.started = fields.text("started");
  report.finished = fields.text("finished");
  report.duration = read_duration(fields, "duration_s");
  report.exit_code = fields.small_integer("exit_code").value_or(exit_code::refused);
  report.words = fields.texts("words");
  report.tags = fields.texts("tags");
  report.set = fields.texts("set");
  report.notes = fields.texts("notes");
  report.timeline = read_timeline(fields);
  for (const Json& json : fields.list("cases"))
    report.cases.push_back(read_case_members(Fields(json, fields.complaints())));
  return report;
}

}  // namespace

std::string write_result(const Report& report) {
  JsonOut out;
  out.object("", [&] {
    out.text("schema", result_schema);
    out.text("gate_version", report.gate_version);
    out.text("suite", report.suite);
    out.text("run", report.run);
    out.known_text("uid", report.uid);
    out.text("command", report.command);
    out.text("host", report.host);
    out.text("platform", report.platform);
    out.text("commit", report.commit);
    out.text("started", report.started);
    out.text("finished", report.finished);
    write_duration(out, "duration_s", report.duration);
    out.number("exit_code", report.exit_code);
    out.texts("words", report.words);
    out.texts("tags", report.tags);
    out.texts("set", report.set);
    if (!report.notes.empty()) out.texts("notes", report.notes);
    if (!report.timeline.empty()) out.list("timeline", [&] { write_timeline(out, report.timeline); });
    out.object("totals", [&] { write_totals(out, report); });
    out.list("cases", [&] {
      for (const CaseReport& c : report.cases) out.object("", [&] { write_case_members(out, c); });
    });
  });
  return out.take();
}

Result<Report> read_result(std::string_view text, const std::string& name) {
  return read_document<Report>(text, name, read_report);
}

}  // namespace gate::schema
