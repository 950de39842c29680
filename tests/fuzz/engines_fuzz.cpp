// Any bytes as what engines' programs print: no crash, and no end without an outcome that is not green; a
// pod's log is the same in whatever pieces it comes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/hosts/job_engine.h"
#include "hosts/engines/pod_log.h"
#include "targets.h"

namespace {

using namespace gate::hosts;

std::string log_in_pieces(std::string_view bytes, std::size_t piece) {
  PodLog log;
  std::string output;
  for (std::size_t at = 0; at < bytes.size(); at += piece) log.feed(bytes.substr(at, piece), output);
  log.finish(output);
  return output;
}

}  // namespace

int engines_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const EngineRow* engine : {&slurm(), &kubernetes()}) {
    for (const int code : {0, 1}) {
      const auto states = engine->states({bytes, bytes, code, "", false});
      if (!states) continue;
      for (const auto& [id, state] : *states)
        if (state.outcome && gate::ended_well(*state.outcome)) std::abort();
    }
    static_cast<void>(engine->submitted({}, {bytes, bytes, 0, "", false}));
  }
  if (log_in_pieces(bytes, bytes.size() + 1) != log_in_pieces(bytes, 3)) std::abort();
  return 0;
}
