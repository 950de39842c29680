#include "cli/accepting.h"

#include "cli/command_functions.h"
#include "gate/base/text.h"
#include "gate/render/imported.h"

namespace gate::cli {

namespace {

std::string user() {
  app::LocalHost host = this_host();
  return this_machine(host, {}).user;
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

int accept_and_tell(const app::Suite& suite, const Options& options, Terminal& terminal) {
  const auto accepted = app::accept(suite, accept_options(options), now());
  if (!accepted) return terminal.fail(accepted.error());
  terminal.print(options.json ? render::accepted_json(*accepted) : render::acceptances_text(*accepted));
  return exit_code::ok;
}

}  // namespace gate::cli
