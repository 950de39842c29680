#include "gate/schema/result_file.h"
#include "schema/result/json_report.h"

namespace gate::schema {

namespace {

void write_totals(JsonOut& out, const Report& report) {
  MemberWriter totals(out);
  totals.number("cases", std::ssize(report.cases));
  for (const VerdictRow& row : verdicts()) totals.number(row.name, report.count(row.verdict));
  const auto known = [&](const char* name, std::int64_t count) {
    if (count > 0) totals.number(name, count);
  };
  known("quarantined", report.count_quarantined());
  known("quarantined_red", report.count_quarantined_red());
  totals.known_duration("device_time_s", report.device_time());
  totals.known_duration("device_time_saved_s", report.device_time_saved());
}

std::optional<Shard> shard_in(const Fields& fields) {
  const std::string word = fields.text("shard");
  const std::optional<Shard> shard = parse_shard(word);
  if (!shard && !word.empty())
    fields.complaints().add(fields.json().find("shard")->at, "\"shard\": no shard such as 2/4");
  return shard;
}

}  // namespace

template <class Io>
void members(Io& io, In<Io, TimelineRow> row) {
  io.required_text("case", row.name);
  io.text("devices", row.devices);
  io.duration("begin_s", row.begin);
  io.duration("end_s", row.end);
}

template <class Io>
void members(Io& io, In<Io, PolicyFinding> finding) {
  io.named("area", finding.area, parse_policy_area);
  io.named("shift", finding.shift, parse_policy_shift);
  io.text("subject", finding.subject);
  io.known_text("before", finding.before);
  io.known_text("after", finding.after);
  io.known_text("where", finding.where);
  io.known_texts("cases", finding.cases);
}

template <class Io>
void members(Io& io, In<Io, TrustedPolicy> policy) {
  io.required_text("reference", policy.reference);
  io.text("commit", policy.commit);
  io.list("findings", policy.findings);
}

template <class Io>
void members(Io& io, In<Io, Report> report) {
  schema_member(io, "gate.result/1");
  io.text("gate_version", report.gate_version);
  io.text("suite", report.suite);
  io.text("run", report.run);
  io.known_text("uid", report.uid);
  io.text("command", report.command);
  io.text("host", report.host);
  io.text("platform", report.platform);
  io.known_text("environment", report.environment);
  io.text("commit", report.commit);
  io.text("started", report.started);
  io.text("finished", report.finished);
  io.duration("duration_s", report.duration);
  io.number("exit_code", report.exit_code);
  io.texts("words", report.words);
  io.texts("tags", report.tags);
  io.texts("set", report.set);
  io.custom(
      "shard", [&](JsonOut& out) { out.known_text("shard", report.shard ? to_string(*report.shard) : ""); },
      [&](const auto& fields) { report.shard = shard_in(fields); });
  io.known_text("split", report.split);
  io.known_text("settings", report.settings);
  io.known_object("policy", report.policy);
  io.known_text("changed_since", report.changed_since);
  io.known_text("changed_since_commit", report.changed_since_commit);
  io.known_flag("nothing_ok", report.nothing_ok);
  io.known_number("determinism", report.determinism);
  io.known_texts("merged", report.merged);
  io.known_texts("missing", report.missing);
  io.known_texts("notes", report.notes);
  io.known_list("timeline", report.timeline);
  io.custom(
      "totals", [&](JsonOut& out) { out.object("totals", [&] { write_totals(out, report); }); },
      [](const Fields&) {});
  io.list("cases", report.cases);
}

std::string write_result(const Report& report) { return write_document(report); }

Result<Report> read_result(std::string_view text, const std::string& name) {
  return read_document<Report>(text, name);
}

}  // namespace gate::schema
