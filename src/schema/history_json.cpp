#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/schema/history_file.h"
#include "schema/json_report.h"

namespace gate::schema {

namespace {

constexpr std::string_view history_schema = "gate.history/1";

void write_value(JsonOut& out, std::string_view name, std::optional<double> value) {
  if (value) out.word(name, fmt::format("{}", *value));
}

std::optional<double> read_value(const Fields& fields, std::string_view name) {
  const auto decimal = Decimal::parse(fields.word(name));
  const double value = decimal ? decimal->to_double() : NAN;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void write_check(JsonOut& out, const RememberedCheck& check) {
  out.text("rule", check.key.rule);
  out.text("metric", check.key.metric);
  out.known_number("rank", check.key.rank);
  out.text("unit", check.key.unit);
  out.text("window", check.key.window);
  out.text("reduce", check.key.reduce);
  out.text("status", to_string(check.status));
  out.text("tolerance", check.tolerance);
  write_value(out, "value", check.value);
  write_value(out, "baseline", check.baseline);
}

RememberedCheck read_remembered_check(const Fields& fields) {
  return {{fields.text("rule"), fields.required_text("metric"), fields.small_integer("rank"),
           fields.text("unit"), fields.text("window"), fields.text("reduce")},
          fields.named("status", parse_check_status, CheckStatus::incomparable),
          fields.text("tolerance"),
          read_value(fields, "value"),
          read_value(fields, "baseline")};
}

void write_remembered_case(JsonOut& out, const RememberedCase& one) {
  out.text("case", one.name);
  out.text("verdict", to_string(one.verdict));
  out.text("reason", one.reason);
  out.text("platform", one.platform);
  out.text("baseline_sha256", one.baseline_sha256);
  write_duration(out, "duration_s", one.duration);
  out.list("checks", [&] {
    for (const RememberedCheck& check : one.checks) out.object("", [&] { write_check(out, check); });
  });
}

RememberedCase read_remembered_case(const Fields& fields) {
  RememberedCase one{fields.required_text("case"),
                     fields.named("verdict", parse_verdict, Verdict::not_run),
                     fields.text("reason"),
                     fields.text("platform"),
                     fields.text("baseline_sha256"),
                     read_duration(fields, "duration_s"),
                     {}};
  for (const Json& json : fields.list("checks"))
    one.checks.push_back(read_remembered_check(Fields(json, fields.complaints())));
  return one;
}

void check_head(const Fields& fields) {
  const std::string schema = fields.required_text("schema");
  if (schema == history_schema || schema.empty()) return;
  fields.complaints().add(fields.json().find("schema")->at,
                          "unknown schema \"" + printable(schema, 80) + "\"; this gate reads gate.history/1");
}

void check_moment(const Fields& fields, const std::string& started) {
  if (started.empty() || parse_iso(started)) return;
  fields.complaints().add(fields.json().find("started")->at,
                          "\"started\" must be a moment such as 2026-11-21T02:03:04Z");
}

RememberedRun read_remembered_run(const Fields& fields) {
  check_head(fields);
  RememberedRun run;
  run.uid = fields.required_text("uid");
  run.run = fields.text("run");
  run.suite = fields.text("suite");
  run.command = fields.text("command");
  run.host = fields.text("host");
  run.commit = fields.text("commit");
  run.started = fields.required_text("started");
  check_moment(fields, run.started);
  run.duration = read_duration(fields, "duration_s");
  run.exit_code = fields.small_integer("exit_code").value_or(exit_code::refused);
  run.altered = fields.flag("altered", false);
  for (const Json& json : fields.list("cases"))
    run.cases.push_back(read_remembered_case(Fields(json, fields.complaints())));
  return run;
}

// Texts hold no line break as such: what breaks a line is layout.
std::string flattened(const std::string& json) {
  std::string line;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] != '\n') {
      line += json[i];
      continue;
    }
    while (i + 1 < json.size() && json[i + 1] == ' ') ++i;
    if (line.ends_with(',')) line += ' ';
  }
  return line + "\n";
}

// Every text of a line stands in its line 1; people look for it in the file.
std::string in_line(std::string message, const std::string& name, std::size_t number) {
  const std::string first = name + ":1:";
  for (std::size_t at = 0; (at = message.find(first, at)) != std::string::npos; at += name.size())
    message.replace(at, first.size(), name + ":" + std::to_string(number) + ":");
  return message;
}

}  // namespace

bool is_history(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') &&
         line.find("\"" + std::string(history_schema) + "\"") != std::string_view::npos;
}

std::string write_history_line(const RememberedRun& run) {
  JsonOut out;
  out.object("", [&] {
    out.text("schema", history_schema);
    out.text("uid", run.uid);
    out.text("run", run.run);
    out.text("suite", run.suite);
    out.text("command", run.command);
    out.text("host", run.host);
    out.text("commit", run.commit);
    out.text("started", run.started);
    write_duration(out, "duration_s", run.duration);
    out.number("exit_code", run.exit_code);
    out.flag("altered", run.altered);
    out.list("cases", [&] {
      for (const RememberedCase& one : run.cases) out.object("", [&] { write_remembered_case(out, one); });
    });
  });
  return flattened(out.take());
}

Result<std::vector<RememberedRun>> read_history(std::string_view text, const std::string& name) {
  std::vector<RememberedRun> runs;
  std::vector<std::string> mistakes;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto run = read_document<RememberedRun>(line, name, read_remembered_run);
    if (!run) mistakes.push_back(in_line(run.error().message, name, number));
    if (run) runs.push_back(std::move(*run));
  }
  if (!mistakes.empty()) return fail(join(mistakes, "\n"));
  return runs;
}

}  // namespace gate::schema
