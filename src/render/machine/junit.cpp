// JUnit XML in the shape that Jenkins and GitLab read: testsuites > testsuite > testcase, in a testcase
// failure, error or skipped, then system-out. A run that is red without a red case gets a testcase of its
// own, since readers of the file never see the exit code. A testcase has no `file`: Jenkins' schema knows
// none.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "gate/render/reporters.h"
#include "render/text/case_text.h"
#include "render/text/passed_summary.h"
#include "render/words/bounded.h"
#include "render/words/columns.h"
#include "render/words/numbers.h"
#include "render/words/remarks.h"
#include "render/words/shadow.h"
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
  return total;
}

bool has_red_case(const Report& report) { return count(report, "failure") + count(report, "error") > 0; }

bool needs_own_case(const Report& report) { return report.exit_code != 0 && !has_red_case(report); }

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
  add("platform", report.platform);
  add("commit", report.commit);
  add("exit_code", std::to_string(report.exit_code));
  add("profile", profile_of(report));
  add("shadow", shadow_words(report));
}

// Everything that is known of the case in words: what a red case's body and every case's system-out hold.
std::string body(const Report& report, const CaseReport& of) {
  TextPage page(body_style);
  of.verdict == Verdict::passed ? put_green(page, of, Detail::everything)
                                : put_red(page, of, Detail::everything);
  return bounded(page.text(), most_bytes, where_all_is(report));
}

std::string failure_message(const CaseReport& of) {
  const std::string words = why(of);
  return words.empty() ? std::string(to_string(of.verdict)) : cut(safe(words), message_columns);
}

std::string system_out(const Report& report, const CaseReport& of) {
  TextPage page(body_style);
  for (const auto& [name, path] : of.artifacts) page.kept(name + " " + path);
  if (!of.devices.empty()) page.kept("devices " + of.devices);
  for (const BaselineUsed& baseline : of.baselines) page.kept("baseline " + baseline.path);
  if (of.verdict != Verdict::passed)
    for (const std::string& note : notes_of(of)) page.kept("note " + note);
  const std::string out = bounded(page.text(), most_bytes, where_all_is(report));
  return of.verdict == Verdict::passed ? out + body(report, of) : out;
}

pugi::xml_node add_test_case(pugi::xml_node suite, const Report& report, const std::string& name,
                             Duration time) {
  pugi::xml_node node = suite.append_child("testcase");
  put_attribute(node, "name", name);
  put_attribute(node, "classname", suite_name(report));
  put_attribute(node, "time", seconds(time));
  return node;
}

void put_test_case(pugi::xml_node suite, const Report& report, const CaseReport& of) {
  pugi::xml_node node = add_test_case(suite, report, of.name, of.duration);
  const std::string kind(row(of.verdict).junit);
  if (!kind.empty()) {
    pugi::xml_node result = node.append_child(kind.c_str());
    put_attribute(result, "message", failure_message(of));
    put_attribute(result, "type", std::string(to_string(of.verdict)));
    put_text(result, kind == "skipped" ? failure_message(of) : body(report, of));
  }
  if (const std::string out = system_out(report, of); !out.empty())
    put_text(node.append_child("system-out"), out);
}

void put_own_case(pugi::xml_node suite, const Report& report) {
  pugi::xml_node error = add_test_case(suite, report, "gate", Duration{}).append_child("error");
  put_attribute(error, "message", closing_line(report));
  put_attribute(error, "type", "unjudged");
}

void put_suite(pugi::xml_node root, const Report& report) {
  pugi::xml_node suite = root.append_child("testsuite");
  put_attribute(suite, "name", suite_name(report));
  put_counts(suite, report);
  put_attribute(suite, "skipped", std::to_string(count(report, "skipped")));
  put_attribute(suite, "timestamp", report.started.substr(0, report.started.find('Z')));
  put_attribute(suite, "hostname", report.host.empty() ? "localhost" : report.host);
  put_properties(suite, report);
  for (const CaseReport& of : report.cases) put_test_case(suite, report, of);
  if (needs_own_case(report)) put_own_case(suite, report);
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
