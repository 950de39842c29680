#include "cli/accepting.h"

#include "cli/command_functions.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::cli {

namespace {

std::string user() {
  app::LocalHost host = this_host();
  return this_machine(host, {}).user;
}

std::string acceptances_text(const Acceptances& accepted) {
  std::string out;
  for (const app::Accepted& one : accepted) {
    out += "accepted " + one.case_name + " -> " + one.path + "\n";
    for (const std::string& line : one.lines) out += "  " + line + "\n";
  }
  return out;
}

}  // namespace

app::AcceptOptions accept_options(const Options& options) {
  app::AcceptOptions accept;
  accept.words = options.words;
  accept.reason = options.reason;
  accept.from = options.from;
  accept.metrics = split_commas(options.metrics);
  accept.to = options.to;
  accept.despite = split_commas(options.despite);
  accept.who = user();
  return accept;
}

std::string accepted_text(const Acceptances& accepted, const render::Style& style) {
  if (style.verbose || accepted.size() == 1) return acceptances_text(accepted);
  return "accepted " + count_of(static_cast<std::int64_t>(accepted.size()), "candidate") + "\n";
}

std::string accepted_json(const Acceptances& accepted) {
  std::vector<std::vector<std::string>> rows{{"case", "baseline"}};
  for (const app::Accepted& one : accepted) rows.push_back({one.case_name, one.path});
  return render::table_json(rows);
}

int accept_and_tell(const app::Suite& suite, const Options& options, Terminal& terminal) {
  const auto accepted = app::accept(suite, accept_options(options), now());
  if (!accepted) return terminal.fail(accepted.error());
  terminal.print(options.json ? accepted_json(*accepted) : acceptances_text(*accepted));
  return exit_code::ok;
}

}  // namespace gate::cli
