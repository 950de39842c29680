#include <nlohmann/json.hpp>

#include "cli/command_functions.h"
#include "gate/app/init.h"
#include "gate/base/text.h"
#include "gate/render/table_json.h"

namespace gate::cli {

namespace {

std::string init_output(const app::Init& init) {
  const config::Proposal& proposal = init.proposal;
  std::string out = "wrote " + init.path + " for " + proposal.kind + ": " +
                    count_of(static_cast<std::int64_t>(proposal.all.size()), "case") +
                    (proposal.profile.empty() ? "" : ", profile " + proposal.profile) + "\n";
  for (const std::string& line : proposal.untold)
    out += "could not be told: " + printable(in_one_line(line), 1000) + "\n";
  out += "next:\n";
  for (const std::string& line : proposal.next) out += "  " + line + "\n";
  return out;
}

std::string as_json(const app::Init& init) {
  return render::json_text({{"file", init.path},
                            {"kind", init.proposal.kind},
                            {"cases", init.proposal.all.size()},
                            {"profile", init.proposal.profile},
                            {"untold", init.proposal.untold},
                            {"toml", init.toml}});
}

}  // namespace

int init_command(const Options& options, Terminal& terminal) {
  const auto init = app::init(options.folder, options.dry_run ? app::DryRun::yes : app::DryRun::no);
  if (!init) return terminal.fail(init.error());
  terminal.print(options.json ? as_json(*init) : options.dry_run ? init->toml : init_output(*init));
  return exit_code::ok;
}

}  // namespace gate::cli
