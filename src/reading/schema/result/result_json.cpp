#include <fmt/format.h>

#include <cmath>

#include "gate/model/numbers/decimal.h"
#include "gate/model/reports/device_use.h"
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
  const DeviceUse use = device_use_of(report);
  if (use.runs == 0) return;
  totals.number("devices", use.devices);
  totals.duration("device_time_hung_s", use.hung);
  totals.duration("device_time_infra_s", use.infra);
  totals.duration("device_time_idle_s", use.idle);
  totals.duration("best_duration_s", use.best);
}

std::optional<Shard> shard_in(const Fields& fields) {
  const std::string word = fields.text("shard");
  const std::optional<Shard> shard = parse_shard(word);
  if (!shard && !word.empty())
    fields.complaints().add(fields.json().find("shard")->at, "\"shard\": no shard such as 2/4");
  return shard;
}

void percent_member(auto& io, std::string_view name, auto& percent) {
  io.custom(
      name, [&](JsonOut& out) { out.word(name, fmt::format("{:.6f}", percent)); },
      [&](const auto& fields) {
        const auto number = Decimal::parse(fields.word(name));
        percent = number && std::isfinite(number->to_double()) ? number->to_double() : 0;
      });
}

}  // namespace

void members(auto& io, Is<TimelineRow> auto& row) {
  io.required_text("case", row.name);
  io.text("devices", row.devices);
  io.duration("begin_s", row.begin);
  io.duration("end_s", row.end);
}

void members(auto& io, Is<PolicyFinding> auto& finding) {
  io.named("area", finding.area, parse_policy_area);
  io.named("shift", finding.shift, parse_policy_shift);
  io.text("subject", finding.subject);
  io.known_text("before", finding.before);
  io.known_text("after", finding.after);
  io.known_text("where", finding.where);
  io.known_texts("cases", finding.cases);
}

void members(auto& io, Is<TrustedPolicy> auto& policy) {
  io.required_text("reference", policy.reference);
  io.text("commit", policy.commit);
  io.list("findings", policy.findings);
}

void members(auto& io, Is<MetricTriage> auto& metric) {
  io.required_text("metric", metric.metric);
  io.number("cases", metric.cases);
  io.number("together", metric.together);
  percent_member(io, "median_percent", metric.median);
  percent_member(io, "least_percent", metric.least);
  percent_member(io, "most_percent", metric.most);
}

// The value that lies farthest off, of a move.
struct Spike {
  double percent = 0;
  std::int64_t at = 0;
  Numbering numbered = Numbering::step;
};

void members(auto& io, Is<Spike> auto& spike) {
  percent_member(io, "percent", spike.percent);
  io.number("at", spike.at);
  io.named_if_known("numbered", spike.numbered, parse_numbering);
}

void members(auto& io, Is<Move> auto& move) {
  io.required_text("case", move.case_name);
  io.text("place", move.place);
  io.required_text("metric", move.metric);
  percent_member(io, "percent", move.percent);
  percent_member(io, "units", move.units);
  std::optional<Spike> spike;
  if (move.by_spike) spike = {*move.spike, move.spike_at, move.numbered};
  io.known_object("spike", spike);
  if constexpr (requires { move.by_spike = true; })
    if (spike) {
      move.by_spike = true;
      move.spike = spike->percent;
      move.spike_at = spike->at;
      move.numbered = spike->numbered;
    }
}

void members(auto& io, Is<Triage> auto& triage) {
  io.list("metrics", triage.metrics);
  io.list("apart", triage.apart);
}

void members(auto& io, Is<Report> auto& report) {
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
  io.nonzero("devices", report.devices);
  io.texts("words", report.words);
  io.texts("tags", report.tags);
  io.known_text("strategy", report.strategy);
  io.texts("set", report.set);
  io.known_texts("command_line", report.command_line);
  io.known_texts("where", report.where);
  io.custom(
      "shard", [&](JsonOut& out) { out.known_text("shard", report.shard ? to_string(*report.shard) : ""); },
      [&](const auto& fields) { report.shard = shard_in(fields); });
  io.known_text("split", report.split);
  io.known_text("baselines", report.baselines);
  io.known_text("settings", report.settings);
  io.known_object("policy", report.policy);
  io.known_text("changed_since", report.changed_since);
  io.known_text("changed_since_commit", report.changed_since_commit);
  io.known_flag("nothing_ok", report.nothing_ok);
  io.known_flag("rehearsal", report.rehearsal);
  io.custom(
      "only",
      [&](JsonOut& out) { out.known_text("only", report.only ? std::string(to_string(*report.only)) : ""); },
      [&](const auto& fields) { report.only = parse_stage(fields.text("only")); });
  io.known_number("determinism", report.determinism);
  io.known_texts("merged", report.merged);
  io.known_texts("missing", report.missing);
  io.known_texts("notes", report.notes);
  io.known_list("timeline", report.timeline);
  io.known_object("triage", report.triage);
  io.custom(
      "totals", [&](JsonOut& out) { out.object("totals", [&] { write_totals(out, report); }); },
      [](const Fields&) {});
  io.list("cases", report.cases);
}

std::string write_triage(const Triage& triage) { return write_document(triage); }

std::string write_result(const Report& report) { return write_document(report); }

Result<Report> read_result(std::string_view text, const std::string& name) {
  return read_document<Report>(text, name);
}

}  // namespace gate::schema
