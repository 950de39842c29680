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
    {"manual", "gate help --reference, or gate help --man-pages DIR"},
    {"worker", "gate-worker, a program of its own"},
    {"object",
     "the stages download and upload, and golden files in stores; gate copies no objects by itself"},
    // settings
    {"slurm.partition", "slurm.options = [\"--partition=NAME\"]"},
    {"slurm.account", "slurm.options = [\"--account=NAME\"]"},
    {"slurm.qos", "slurm.options = [\"--qos=NAME\"]"},
    {"container.network", "container.options = [\"--network=NAME\"]"},
    {"container.user", "container.options = [\"--user=USER\"]; of pods kubernetes.patch"},
    {"container.shm_size", "container.options = [\"--shm-size=16g\"]; of pods kubernetes.patch"},
    {"kubernetes.volumes", "kubernetes.patch = \"pods.yaml\", a file with volumes and volumeMounts"},
    {"kubernetes.node_selector", "kubernetes.patch = \"pods.yaml\", a file with a nodeSelector"},
    {"kubernetes.volcano",
     "kubernetes.patch = \"pods.yaml\", a file with apiVersion: batch.volcano.sh/v1alpha1"},
    {"on_slow", "further = { on = \"slow\", args = ... }"},
    {"on_red", "further"},
    {"exclusive", "share_host = \"no\""},
    {"side_by_side", "share_host = \"yes\""},
    {"fault_resume", "fault = \"kill@15 scratch\""},
    {"keep_checkpoints", "artifacts = [\"{checkpoints}/**\"]"},
    {"tests", "guards = \"TESTS/MODULE/SUBMODULE\""},
    {"module", "guards = \"/MODULE\""},
    {"submodule", "guards = \"/MODULE/SUBMODULE\""},
    // flags
    {"--startup", "--set startup=TIME"},
    {"--grace", "--set grace=TIME"},
    {"--idle-wait", "--set idle_wait=TIME"},
    {"--early-stop", "--set early_stop=on"},
    {"--nodes", "--devices 2x8, or --set nodes=2"},
    {"--on-slow", "--set further='{ on = \"slow\", args = ... }'"},
    {"--on-red", "--set further=WORDS"},
    {"--junit", "--report junit=FILE"},
    {"--html", "--report html=FILE"},
    {"--markdown", "--report markdown=FILE"},
    {"--openmetrics", "--report openmetrics=FILE"},
    {"--json-file", "--report json=FILE"},
});

}  // namespace

std::string_view now_written(std::string_view word) {
  const auto found = std::ranges::find(old_words, word, &OldWord::word);
  return found == old_words.end() ? std::string_view() : found->now;
}

}  // namespace gate::config
