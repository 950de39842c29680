// JUnit XML in the shape that Jenkins and GitLab read: testsuites > testsuite > testcase, in a testcase
// failure, error or skipped, then system-out. A run that is red without a red case gets a testcase of its
// own, since readers of the file never see the exit code. A testcase has no `file`: Jenkins' schema knows
// none.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/words/policy_words.h"
#include "render/words/remarks.h"
#include "render/words/text_page.h"
#include "render/words/totals.h"

namespace gate::render {

namespace {

const Style body_style{Color::no, 0, false, true};
constexpr std::size_t most_bytes = 16 * 1024;  // of a text: servers hold all of them in memory
constexpr int message_columns = 1000;

std::string suite_name(const Report& report) { return report.suite.empty() ? "gate" : report.suite; }

void put_attribute(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(safe(value).c_str());
}

void put_text(pugi::xml_node node, const std::string& text) {
  node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

std::int64_t count(const Report& report, std::string_view kind) {
  std::int64_t total = 0;
  for (const VerdictRow& verdict : verdicts())
    if (verdict.junit == kind) total += report.count(verdict.verdict);
  return total + (kind == "skipped" ? report.count_quarantined() : 0);
}

bool needs_own_case(const Report& report) {
  return report.exit_code != 0 && count(report, "failure") + count(report, "error") == 0;
}

void put_counts(pugi::xml_node node, const Report& report) {
  const std::int64_t own = needs_own_case(report) ? 1 : 0;
  put_attribute(node, "tests", std::to_string(static_cast<std::int64_t>(report.cases.size()) + own));
  put_attribute(node, "failures", std::to_string(count(report, "failure")));
  put_attribute(node, "errors", std::to_string(count(report, "error") + own));
  put_attribute(node, "time", seconds(report.duration));
}

void put_properties(pugi::xml_node suite, const Report& report) {
  pugi::xml_node properties = suite.append_child("properties");
  const auto add = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    pugi::xml_node property = properties.append_child("property");
    put_attribute(property, "name", name);
    put_attribute(property, "value", value);
  };
  add("gate_version", report.gate_version);
  add("run", report.run);
  if (report.shard) add("shard", to_string(*report.shard));
  add("missing_shards", join(report.missing, ", "));
  add("platform", report.platform);
  add("commit", report.commit);
  add("exit_code", std::to_string(report.exit_code));
  add("profile", profile_of(report));
  add("shadow", shadow_words(report));
  add("policy", policy_words(report));
  for (const std::string& finding : finding_lines_of(report))
    add("policy_finding", cut(safe(finding), message_columns));
}

// Everything that is known of the case in words: what a red case's body and every case's system-out hold.
std::string body(const Report& report, const CaseReport& one) {
  TextPage page(body_style);
  if (one.verdict == Verdict::passed)
    put_green(page, one, Detail::everything);
  else
    put_red(page, one, Detail::everything);
  return bounded(page.text(), most_bytes, where_all_is(report));
}

std::string failure_message(const CaseReport& one) {
  const std::string words = why(one);
  if (one.quarantine)
    return cut(safe(std::string(to_string(one.verdict)) + (words.empty() ? "" : ": " + words) + "; " +
                    quarantine_words(one)),
               message_columns);
  return words.empty() ? std::string(to_string(one.verdict)) : cut(safe(words), message_columns);
}

std::string system_out(const Report& report, const CaseReport& one) {
  TextPage page(body_style);
  for (const auto& [name, path] : one.artifacts) page.kept(name + " " + path);
  if (!one.devices.empty()) page.kept("devices " + one.devices);
  for (const BaselineUsed& baseline : one.baselines) page.kept("baseline " + baseline.path);
  if (one.verdict != Verdict::passed)
    for (const std::string& note : notes_of(one)) page.kept("note " + note);
  const std::string out = bounded(page.text(), most_bytes, where_all_is(report));
  return one.verdict == Verdict::passed ? out + body(report, one) : out;
}

pugi::xml_node add_test_case(pugi::xml_node suite, const Report& report, const std::string& name,
                             Duration time) {
  pugi::xml_node node = suite.append_child("testcase");
  put_attribute(node, "name", name);
  put_attribute(node, "classname", suite_name(report));
  put_attribute(node, "time", seconds(time));
  return node;
}

void put_test_case(pugi::xml_node suite, const Report& report, const CaseReport& one) {
  pugi::xml_node node = add_test_case(suite, report, one.name, one.duration);
  const std::string kind = one.quarantine ? "skipped" : std::string(row(one.verdict).junit);
  if (!kind.empty()) {
    pugi::xml_node result = node.append_child(kind.c_str());
    put_attribute(result, "message", failure_message(one));
    put_attribute(result, "type", std::string(to_string(one.verdict)));
    put_text(result, kind == "skipped" ? failure_message(one) : body(report, one));
  }
  if (const std::string out = system_out(report, one); !out.empty())
    put_text(node.append_child("system-out"), out);
}

void put_suite(pugi::xml_node root, const Report& report) {
  pugi::xml_node suite = root.append_child("testsuite");
  put_attribute(suite, "name", suite_name(report));
  put_counts(suite, report);
  put_attribute(suite, "skipped", std::to_string(count(report, "skipped")));
  put_attribute(suite, "timestamp", report.started.substr(0, report.started.find('Z')));
  put_attribute(suite, "hostname", report.host.empty() ? "localhost" : report.host);
  put_properties(suite, report);
  for (const CaseReport& one : report.cases) put_test_case(suite, report, one);
  if (!needs_own_case(report)) return;
  pugi::xml_node error = add_test_case(suite, report, "gate", Duration{}).append_child("error");
  put_attribute(error, "message", closing_line(report));
  put_attribute(error, "type", "unjudged");
}

}  // namespace

std::string junit(const Report& report, const Style&) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  put_attribute(declaration, "version", "1.0");
  put_attribute(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  put_attribute(root, "name", "gate");
  put_counts(root, report);
  put_suite(root, report);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace gate::render
