// JUnit XML in the shape that Jenkins and GitLab read: testsuites > testsuite > testcase, in a testcase
// failure, error or skipped, then system-out. The suite holds the cases; the tests of a case that pytest
// judges are a suite of their own beside it. A run that is red without a red case gets a testcase of its own,
// since readers of the file never see the exit code. A testcase has no `file`: Jenkins' schema knows none.

#include <iterator>
#include <pugixml.hpp>
#include <sstream>

#include "gate/base/text.h"
#include "gate/render/reporters.h"
#include "gate/words/remarks.h"
#include "render/text/case_text.h"
#include "render/words/case_remarks.h"
#include "render/words/part_words.h"
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

// What a test is in the file; those of a case in quarantine make nobody's build red.
std::string kind_of_test(const CaseReport& one, const Check& check) {
  if (check.status == CheckStatus::pass) return "";
  if (one.quarantine || check.status == CheckStatus::skipped) return "skipped";
  return check.status == CheckStatus::fail ? "failure" : "error";
}

struct TestCounts {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;

  void add(std::string_view kind) {
    ++tests;
    failures += kind == "failure" ? 1 : 0;
    errors += kind == "error" ? 1 : 0;
    skipped += kind == "skipped" ? 1 : 0;
  }
};

TestCounts counts_of_cases(const Report& report) {
  const std::int64_t own = needs_own_case(report) ? 1 : 0;
  return {std::ssize(report.cases) + own, count(report, "failure"), count(report, "error") + own,
          count(report, "skipped")};
}

void add_tests_of(TestCounts& counts, const CaseReport& one) {
  for (const Check& check : one.checks)
    if (check.test) counts.add(kind_of_test(one, check));
}

void put_counts(pugi::xml_node node, const TestCounts& counts, Duration time) {
  put_attribute(node, "tests", std::to_string(counts.tests));
  put_attribute(node, "failures", std::to_string(counts.failures));
  put_attribute(node, "errors", std::to_string(counts.errors));
  put_attribute(node, "time", seconds(time));
}

pugi::xml_node add_suite(pugi::xml_node root, const Report& report, const std::string& name,
                         const TestCounts& counts, Duration time) {
  pugi::xml_node suite = root.append_child("testsuite");
  put_attribute(suite, "name", name);
  put_counts(suite, counts, time);
  put_attribute(suite, "skipped", std::to_string(counts.skipped));
  put_attribute(suite, "timestamp", report.started.substr(0, report.started.find('Z')));
  put_attribute(suite, "hostname", report.host.empty() ? "localhost" : report.host);
  return suite;
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
  add("strategy", report.strategy);
  if (report.shard) add("shard", to_string(*report.shard));
  add("missing_shards", join(report.missing, ", "));
  add("platform", report.platform);
  add("rehearsal", report.rehearsal ? "true" : "");
  add("commit", report.commit);
  add("exit_code", std::to_string(report.exit_code));
  add("profile", profile_of(report));
  add("shadow", shadow_words(report).english());
  add("policy", policy_words(report).english());
  for (const Sentence& finding : finding_lines_of(report))
    add("policy_finding", cut(safe(finding.english()), message_columns));
}

// Everything that is known of the case in words: what a red case's body and every case's system-out hold.
std::string body(const Report& report, const CaseReport& one) {
  TextPage page(body_style);
  if (one.verdict == Verdict::passed)
    put_green(page, one, Detail::everything, words::verdict_text(Verdict::passed));
  else
    put_red(page, one, Detail::everything);
  return bounded(page.text(), most_bytes, where_all_is(report).english());
}

std::string failure_message(const CaseReport& one) {
  const std::string words = why(one).english();
  if (one.quarantine)
    return cut(safe(std::string(to_string(one.verdict)) + (words.empty() ? "" : ": " + words) + "; " +
                    quarantine_words(one).english()),
               message_columns);
  return words.empty() ? std::string(to_string(one.verdict)) : cut(safe(words), message_columns);
}

std::string system_out(const Report& report, const CaseReport& one) {
  TextPage page(body_style);
  for (const auto& [name, path] : one.artifacts) page.kept(name + " " + path);
  if (!one.devices.empty()) page.kept("devices " + one.devices);
  for (const BaselineUsed& baseline : one.baselines) page.kept("baseline " + baseline.path);
  if (one.verdict != Verdict::passed)
    for (const Sentence& note : notes_of(one)) page.kept("note " + note.english());
  const std::string out = bounded(page.text(), most_bytes, where_all_is(report).english());
  return one.verdict == Verdict::passed ? out + body(report, one) : out;
}

pugi::xml_node add_test_case(pugi::xml_node suite, const std::string& class_name, const std::string& name,
                             Duration time) {
  pugi::xml_node node = suite.append_child("testcase");
  put_attribute(node, "name", name);
  put_attribute(node, "classname", class_name);
  put_attribute(node, "time", seconds(time));
  return node;
}

void put_test_case(pugi::xml_node suite, const Report& report, const CaseReport& one) {
  pugi::xml_node node = add_test_case(suite, suite_name(report), one.name, one.duration);
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
  pugi::xml_node suite =
      add_suite(root, report, suite_name(report), counts_of_cases(report), report.duration);
  put_properties(suite, report);
  for (const CaseReport& one : report.cases) put_test_case(suite, report, one);
  if (!needs_own_case(report)) return;
  pugi::xml_node error = add_test_case(suite, suite_name(report), "gate", Duration{}).append_child("error");
  put_attribute(error, "message", closing_line(report).english());
  put_attribute(error, "type", "unjudged");
}

void put_test(pugi::xml_node suite, const CaseReport& one, const Check& check) {
  pugi::xml_node node =
      add_test_case(suite, check.test->class_name.empty() ? one.name : check.test->class_name, check.metric,
                    check.test->duration);
  const std::string kind = kind_of_test(one, check);
  if (kind.empty()) return;
  const std::string why = words::note_text(check).english(), place = words::test_place(*check.test);
  pugi::xml_node result = node.append_child(kind.c_str());
  put_attribute(result, "message", cut(safe(why), message_columns));
  put_attribute(result, "type", std::string(to_string(check.status)));
  put_text(result, safe(why + (place.empty() ? "" : "  " + place)));
}

// The tests of a case stand in a suite of its name, beside that of the cases.
void put_tests_of_case(pugi::xml_node root, const Report& report, const CaseReport& one) {
  TestCounts counts;
  add_tests_of(counts, one);
  if (counts.tests == 0) return;
  pugi::xml_node suite = add_suite(root, report, one.name, counts, one.duration);
  for (const Check& check : one.checks)
    if (check.test) put_test(suite, one, check);
}

}  // namespace

std::string junit(const Report& report, const Style&) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  put_attribute(declaration, "version", "1.0");
  put_attribute(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("testsuites");
  put_attribute(root, "name", "gate");
  TestCounts all = counts_of_cases(report);
  for (const CaseReport& one : report.cases) add_tests_of(all, one);
  put_counts(root, all, report.duration);
  put_suite(root, report);
  for (const CaseReport& one : report.cases) put_tests_of_case(root, report, one);
  std::ostringstream out;
  document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
  return out.str();
}

}  // namespace gate::render
