#include "cli/commands/version_report.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::cli {

namespace {

struct ProgramRow {
  std::string_view program;
  std::string_view without;
};

constexpr std::array<ProgramRow, 2> program_rows{{
    {"bash", "scripts start only where [suite] launch names another program, and no setup text is run"},
    {"git",
     "gate baseline diff compares with no git ref, gate ab with no commit, and no report says how many "
     "commits ago a case was green"},
}};

using Tools = std::vector<std::string>;

bool has_any(const HostEquipment& host, const Tools& tools) {
  return std::ranges::any_of(tools, host.has_program);
}

void add_device_lacks(const HostEquipment& host, std::vector<Lack>& lacks) {
  Tools all;
  for (const auto& [vendor, tools] : host.device_tools) {
    all.insert(all.end(), tools.begin(), tools.end());
    const auto nodes = host.device_nodes.find(vendor);
    if (nodes != host.device_nodes.end() && !has_any(host, tools))
      lacks.push_back({join(tools, " or "), "nothing tells of " +
                                                count_of(nodes->second, vendor + " device node") +
                                                ": the platform is unknown unless --platform names it"});
  }
  if (host.device_nodes.empty() && !has_any(host, all))
    lacks.push_back({join(all, ", "), "no accelerator is seen: this host is of the platform cpu"});
}

render::OutputJson build_json(const Build& build) {
  render::OutputJson json{{"kind", build.kind},           {"type", build.type},
                          {"compiler", build.compiler},   {"cpp_library", build.cpp_library},
                          {"c_library", build.c_library}, {"architecture", build.architecture}};
  if (!build.sanitizers.empty()) json["sanitizers"] = build.sanitizers;
  return json;
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

std::string build_words(const Build& build) {
  std::vector<std::string> words{build.kind,        build.type,      build.compiler,
                                 build.cpp_library, build.c_library, build.architecture};
  if (!build.sanitizers.empty()) words.push_back("sanitizers " + build.sanitizers);
  return join(words, ", ");
}

std::string library_words(const Build& build) {
  std::vector<std::string> words;
  for (const auto& [name, version] : build.libraries)
    words.push_back(name + (version.empty() ? " (tells no version)" : " " + version));
  return join(words, ", ");
}

}  // namespace

std::vector<Lack> lacks_of(const HostEquipment& host) {
  std::vector<Lack> lacks;
  for (const ProgramRow& row : program_rows)
    if (!host.has_program(row.program)) lacks.push_back({std::string(row.program), std::string(row.without)});
  add_device_lacks(host, lacks);
  if (!host.sender) lacks.push_back({"[notify]", host.sender.error().message + ": nobody is told"});
  for (const Sentence& weakness : host.weaknesses) lacks.push_back({"system", weakness.english()});
  return lacks;
}

std::string version_text(const Build& build, const HostEquipment& host, const render::Style& style) {
  render::TextRows rows{{"commit", known(build.commit)},
                        {"build", build_words(build)},
                        {"libraries", library_words(build)},
                        {"sends by", host.sender.value_or("nothing")}};
  const std::vector<Lack> lacks = lacks_of(host);
  for (const Lack& lack : lacks) rows.push_back({"missing", lack.what + ": " + lack.means});
  if (lacks.empty()) rows.push_back({"missing", "nothing"});
  return "gate " + build.version + "\n" + render::table(rows, style);
}

std::string version_json(const Build& build, const HostEquipment& host) {
  render::OutputJson json{{"version", build.version}};
  if (!build.commit.empty()) json["commit"] = build.commit;
  json["build"] = build_json(build);
  json["libraries"] = render::OutputJson::object();
  for (const auto& [name, version] : build.libraries) json["libraries"][name] = version;
  if (host.sender) json["sends_by"] = *host.sender;
  json["missing"] = render::OutputJson::array();
  for (const Lack& lack : lacks_of(host))
    json["missing"].push_back({{"what", lack.what}, {"means", lack.means}});
  return json.dump(-1, ' ', false, render::OutputJson::error_handler_t::replace) + "\n";
}

}  // namespace gate::cli
