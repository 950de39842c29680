#include "gate/config/proposal.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::config {

namespace {

std::string comment(const std::string& text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += "#" + (line.empty() ? "" : " " + printable(line, 1000)) + "\n";
  return out;
}

std::string section(const std::string& title, const std::vector<std::string>& lines, const char* bullet) {
  if (lines.empty()) return "";
  std::string out = "\n" + comment(title);
  for (const std::string& line : lines) out += comment(bullet + line);
  return out;
}

// An unprintable value cannot come from a path that a person wants to keep; it is left to them.
std::string line(const std::string& key, const std::string& value) {
  if (value.empty()) return "";
  const std::string text = key + " = " + toml_text(printable(value, value.size()));
  return printable(value, value.size()) == value ? text + "\n" : "# " + text + "\n";
}

// A list of one is written as its text. Several are a line each.
std::string case_lines(const std::vector<std::string>& globs) {
  if (globs.size() == 1) return line("cases", globs.front());
  std::string out;
  for (const std::string& glob : globs) out += "  " + toml_text(glob) + ",\n";
  return "cases = [\n" + out + "]\n";
}

std::string group_lines(const ProposedGroup& group) {
  return case_lines(group.cases) + line("kind", group.kind) + line("baselines", group.baselines) +
         line("launch", group.launch) + line("cwd", group.cwd) + line("judge", group.judge);
}

// What [suite] says of cases.
std::string own_group(const Proposal& proposal) {
  std::string out;
  for (const ProposedGroup& group : proposal.groups)
    if (group.name.empty()) out += group_lines(group);
  return out;
}

std::string group_sections(const Proposal& proposal) {
  std::string out;
  for (const ProposedGroup& group : proposal.groups)
    if (!group.name.empty()) out += "\n[group." + group.name + "]\n" + group_lines(group);
  return out;
}

bool suite_says(const Proposal& proposal, std::string ProposedGroup::*key) {
  return std::ranges::any_of(proposal.groups, [&](const ProposedGroup& group) {
    return group.name.empty() && !(group.*key).empty();
  });
}

// Tell whether there are cases, and no golden file of any holds a loss: then the suite says so for all.
bool compares_speed_alone(const std::vector<ProposedCase>& cases) {
  return !cases.empty() && std::ranges::none_of(cases, &ProposedCase::compares_accuracy);
}

constexpr std::string_view speed_alone =
    "strict = false  # golden files hold no loss: speed and memory alone are compared\n";

std::string suite_section(const Proposal& proposal) {
  std::string out =
      "\n[suite]\n" + line("name", proposal.name) + own_group(proposal) +
      (suite_says(proposal, &ProposedGroup::launch)
           ? ""
           : "# launch = \"bash {script}\"    # how a script is started\n") +
      (suite_says(proposal, &ProposedGroup::cwd)
           ? ""
           : "# cwd = \"{git_root}\"          # where: the git top level, else this folder\n") +
      "# platform = \"ascend-910b3\"   # what runs are on; the choice is yours, no file says it\n" +
      line("environment", proposal.environment);
  if (compares_speed_alone(proposal.all)) out += speed_alone;
  if (proposal.profile.empty()) return out;
  out += comment("Judge as that tool does, and say what gate's own rules would.");
  return out + line("profile", proposal.profile) + "shadow = \"gate\"\n";
}

// Return the devices that most cases have; "" where none are known.
std::string commonest(const std::vector<ProposedCase>& cases) {
  std::map<std::string, int> cases_of;
  for (const ProposedCase& one : cases)
    if (!one.devices.empty()) ++cases_of[one.devices];
  const auto most = std::ranges::max_element(cases_of, {}, [](const auto& entry) { return entry.second; });
  return most == cases_of.end() ? "" : most->first;
}

// Tell whether the usual number of devices may be a default, which a script's own line overrules: each script
// says a number.
bool is_default_number(const Proposal& proposal) {
  return !proposal.all.empty() &&
         std::ranges::none_of(proposal.all, &std::string::empty, &ProposedCase::devices) &&
         row_in(proposal.tables, "defaults", &ProposedTable::name) == nullptr;
}

// Return the globs of cases that have the usual number of devices by a block: those of groups of which any
// has a known number, for a script of another group may say its own. One glob for all where that is each
// group.
std::vector<std::string> globs_with_devices(const Proposal& proposal) {
  if (is_default_number(proposal)) return {};
  std::vector<std::string> globs;
  for (const ProposedGroup& group : proposal.groups) {
    const std::string prefix = group.name + "/";
    const auto is_known = [&](const ProposedCase& one) {
      return one.name.starts_with(prefix) && !one.devices.empty();
    };
    if (!group.name.empty() && std::ranges::any_of(proposal.all, is_known)) globs.push_back(prefix + "**");
  }
  return globs.size() == proposal.groups.size() || globs.empty() ? std::vector<std::string>{"**"} : globs;
}

std::string case_blocks(const Proposal& proposal) {
  const std::vector<ProposedCase>& cases = proposal.all;
  const std::string usual = commonest(cases);
  const std::vector<std::string> globs = globs_with_devices(proposal);
  const bool is_said_for_all = compares_speed_alone(cases);
  std::string out = usual.empty() || globs.empty() ? "" : "\n# Devices of a node, as the scripts say them.\n";
  for (const std::string& glob : globs)
    if (!usual.empty()) out += "[case." + toml_text(glob) + "]\ndevices = " + usual + "\n";
  for (const ProposedCase& one : cases) {
    std::string said;
    const bool has_usual = globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
                             return one.name.starts_with(glob.substr(0, glob.size() - 2));
                           });
    if (one.devices != (has_usual ? usual : ""))
      said += "devices = " + (one.devices.empty() ? std::string("\"auto\"") : one.devices) + "\n";
    if (!one.compares_accuracy && !is_said_for_all) said += speed_alone;
    if (said.empty()) continue;
    const std::string block = "[" + case_key(one.name) + "]\n" + said;
    out += (out.empty() ? "\n" : "") + (is_plain_name(one.name) ? block : comment(std::string(trim(block))));
  }
  return out;
}

std::string node_comments(const std::vector<ProposedCase>& cases) {
  std::string out;
  for (const ProposedCase& one : cases)
    if (one.nodes > 1) out += comment("[" + case_key(one.name) + "]\nnodes = " + std::to_string(one.nodes));
  return out.empty()
             ? ""
             : "\n" + comment("Scripts of several nodes; they need as many hosts in [hosts], or an engine.") +
                   out;
}

// What is not printable would not load, and is left to a person.
std::string table_section(const ProposedTable& table) {
  if (table.values.empty()) return "";
  std::string out = "[" + table.name + "]\n";
  bool is_plain = is_plain_name(table.name);
  for (const auto& [key, value] : table.values) {
    out += key + " = " + value + "\n";
    is_plain = is_plain && is_plain_name(value);
  }
  return "\n" + (table.comment.empty() ? "" : comment(table.comment)) + (is_plain ? out : comment(out));
}

std::string table_sections(const Proposal& proposal) {
  ProposedTable defaults{.name = "defaults"};
  if (is_default_number(proposal)) {
    defaults.comment = "Devices of a node, as the scripts say them.";
    defaults.values.emplace_back("devices", commonest(proposal.all));
  }
  if (!proposal.formats.empty()) defaults.add("formats", proposal.formats);
  std::string out = table_section(defaults);
  for (const ProposedTable& table : proposal.tables) out += table_section(table);
  return out;
}

std::string margin_comments(const std::vector<ProposedCase>& cases) {
  std::vector<CaseMargins> margins;
  for (const ProposedCase& one : cases) margins.push_back({one.name, one.margins});
  const std::string blocks = margin_blocks(margins, cases.size());
  if (blocks.empty()) return "";
  return "\n" + comment("Margins that golden files hold, as rules of profile gate.") +
         comment(std::string(trim(blocks)));
}

}  // namespace

void ProposedTable::add(const std::string& key, const std::string& text) {
  values.emplace_back(key, toml_text(text));
}

void ProposedTable::add(const std::string& key, const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  values.emplace_back(key, "[" + list + "]");
}

void ProposedTable::add(const std::string& key, std::int64_t number) {
  values.emplace_back(key, std::to_string(number));
}

// Purposes stand in a column, behind all but long commands.
Sentence NextCommand::line() const {
  if (purpose.empty()) return command;
  return say({"{:<26}   {}", "{:<26}   {}"}, command, purpose);
}

std::string gate_toml(const Proposal& proposal) {
  return "#:schema " + std::string(schema_place) + "\n" +
         comment(
             "gate.toml: how gate runs and judges this suite. Written by gate init, which took the folder\n"
             "for " +
             proposal.kind.english() + ". `gate list --explain CASE` prints every value and its origin.") +
         suite_section(proposal) + group_sections(proposal) +
         section("Not detected:", texts_of(proposal.untold, &Sentence::english), "- ") +
         table_sections(proposal) + case_blocks(proposal) + node_comments(proposal.all) +
         margin_comments(proposal.all) +
         section(
             "Next:", texts_of(proposal.next, [](const NextCommand& next) { return next.line().english(); }),
             "  ");
}

}  // namespace gate::config
