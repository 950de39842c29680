#include "gate/config/old_words.h"

#include <algorithm>
#include <array>

namespace gate::config {

namespace {

struct OldWord {
  std::string_view word, now;
};

constexpr auto old_words = std::to_array<OldWord>({
    // commands
    {"baseline show", "gate baseline list CASE"},
    {"reference import", "gate reference FILE..."},
    {"reference list", "gate reference"},
    {"version", "gate --version -v"},
    {"manual", "gate help --all, or gate help --man-pages DIR"},
    {"worker", "gate-worker, a program of its own"},
    {"object",
     "the stages download and upload, and golden files in stores; gate copies no objects by itself"},
    // flags
    {"--junit", "--report junit=FILE"},
    {"--html", "--report html=FILE"},
    {"--markdown", "--report markdown=FILE"},
    {"--openmetrics", "--report openmetrics=FILE"},
    {"--json-file", "--report json=FILE"},
    {"--param", "--set param.NAME=VALUE"},
    {"--csv", "--format csv"},
    {"--metrics", "--metric LIST; for judging --profile \"megatron lm_loss num_zeros\""},
    {"--from", "--run RUN"},
    {"--watch", "--follow"},
    {"--no-ci", "--no-notify"},
    {"--no-wait", "gate stop RUN & in the shell"},
    {"--recording", "the id of its run: gate report RUN"},
    {"--replace", "nothing: rows of other files are replaced, and told as changed"},
    {"--days", "nothing: what is older than 180 days is old"},
    {"--threads", "taskset -c CORES before gate: it reads with a thread for each core that it may use"},
});

}  // namespace

std::string_view now_written(std::string_view word) {
  const auto found = std::ranges::find(old_words, word, &OldWord::word);
  return found == old_words.end() ? std::string_view() : found->now;
}

}  // namespace gate::config
