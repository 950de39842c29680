#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/schema/history_file.h"
#include "schema/result/json_report.h"

namespace gate::schema {

namespace {

constexpr std::string_view history_schema = "gate.history/1";

void value_of_window(auto& io, std::string_view name, auto& value) {
  io.custom(
      name, [&](JsonOut& out) { out.known_word(name, value ? fmt::format("{}", *value) : ""); },
      [&](const auto& fields) {
        const auto decimal = Decimal::parse(fields.word(name));
        const auto number = decimal ? decimal->to_double() : NAN;
        value = std::isfinite(number) ? std::optional(number) : std::nullopt;
      });
}

void known_time(auto& io, std::string_view name, auto& time) {
  std::optional<Duration> known = time > Duration{} ? std::optional(time) : std::nullopt;
  io.known_duration(name, known);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(time)>>) time = known.value_or(Duration{});
}

std::string read_moment(const Fields& fields, std::string_view name) {
  const std::string moment = fields.required_text(name);
  if (!moment.empty() && !parse_iso(moment))
    fields.complaints().add(fields.json().find(name)->at,
                            "\"started\" must be a moment such as 2026-11-21T02:03:04Z");
  return moment;
}

// Every text of a line stands in its line 1; people look for it in the file.
std::string in_line(std::string message, const std::string& name, std::size_t number) {
  const std::string first = name + ":1:";
  for (std::size_t at = 0; (at = message.find(first, at)) != std::string::npos; at += name.size())
    message.replace(at, first.size(), name + ":" + std::to_string(number) + ":");
  return message;
}

}  // namespace

void members(auto& io, Is<RememberedCheck> auto& check) {
  io.text("rule", check.key.rule);
  io.required_text("metric", check.key.metric);
  nature_members(io, check.key.metric, check);
  io.known_number("rank", check.key.rank);
  io.text("unit", check.key.unit);
  io.text("window", check.key.window);
  io.text("reduce", check.key.reduce);
  io.named("status", check.status, parse_check_status);
  io.text("tolerance", check.tolerance);
  value_of_window(io, "value", check.value);
  value_of_window(io, "baseline", check.baseline);
}

void members(auto& io, Is<RememberedCase> auto& one) {
  io.required_text("case", one.name);
  io.named("verdict", one.verdict, parse_verdict);
  io.text("reason", one.reason);
  io.text("platform", one.platform);
  io.text("baseline_sha256", one.baseline_sha256);
  io.duration("duration_s", one.duration);
  io.known_text("host", one.host);
  io.known_text_map("ran_on", one.ran_on);
  known_time(io, "device_time_s", one.device_time);
  known_time(io, "device_time_saved_s", one.device_time_saved);
  io.list("checks", one.checks);
}

void members(auto& io, Is<RememberedRun> auto& run) {
  schema_member(io, history_schema);
  io.required_text("uid", run.uid);
  io.text("run", run.run);
  io.text("suite", run.suite);
  io.text("command", run.command);
  io.text("host", run.host);
  io.text("commit", run.commit);
  io.custom(
      "started", [&](JsonOut& out) { out.text("started", run.started); },
      [&](const auto& fields) { run.started = read_moment(fields, "started"); });
  io.duration("duration_s", run.duration);
  io.number("exit_code", run.exit_code);
  io.flag("altered", run.altered);
  io.nonzero("devices", run.devices);
  io.list("cases", run.cases);
}

bool is_history(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with('{') &&
         line.find("\"" + std::string(history_schema) + "\"") != std::string_view::npos;
}

std::string write_history_line(const RememberedRun& run) { return flattened(write_document(run)); }

Result<std::vector<RememberedRun>> read_history(std::string_view text, const std::string& name) {
  std::vector<RememberedRun> runs;
  std::vector<std::string> mistakes;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    if (auto run = read_document<RememberedRun>(line, name))
      runs.push_back(std::move(*run));
    else
      mistakes.push_back(in_line(run.error().message, name, number));
  }
  if (!mistakes.empty()) return fail(join(mistakes, "\n"));
  return runs;
}

}  // namespace gate::schema
