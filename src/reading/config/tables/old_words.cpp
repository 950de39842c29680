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
    {"manual", "gate help all, or gate help --man-pages DIR"},
    {"worker", "gate-worker, a program of its own"},
    {"object", "stages.download.from and stages.upload.to in gate.toml, which copy objects"},
    // flags
    {"run --runs", "--set repeat=N, or gate baseline record --runs N"},
    {"--nodes", "--devices 2x8, or --set nodes=2"},
    {"--on-slow", "further = { on = \"slow\", args = ... } in gate.toml"},
    {"--on-red", "--set further=WORDS"},
    {"--junit", "--report junit=FILE"},
    {"--html", "--report html=FILE"},
    {"--markdown", "--report markdown=FILE"},
    {"--openmetrics", "--report openmetrics=FILE"},
    {"--json-file", "--report json=FILE"},
    {"--param", "--set param.NAME=VALUE"},
    {"--csv", "--format csv"},
    {"--metrics", "--metric LIST; for judging --profile \"megatron lm_loss num_zeros\""},
    {"--from", "--run RUN; a log of gate init is a word: gate init LOG"},
    {"--all", "gate help all; without a name, commands take all cases"},
    {"--schema", "gate help schema"},
    {"--pairs", "--runs N"},
    {"--no-notify", "--no-ci"},
    {"--watch", "--follow"},
    {"--no-wait", "gate stop RUN & in the shell"},
    {"--recording", "the id of its run: gate report RUN"},
    {"--replace", "nothing: rows of other files are replaced, and told as changed"},
    {"--days", "nothing: what is older than 180 days is old"},
    {"--threads", "taskset -c CORES before gate: it reads with a thread for each core that it may use"},
    {"--tokenize", "--metric 'bleu|tok:zh'"},
    {"--smooth", "--metric 'bleu|smooth:floor'"},
    {"--smooth-value", "--metric 'bleu|smooth:floor[0.1]'"},
    {"--effective-order", "--metric 'bleu|eff:yes'"},
    {"--lowercase", "--metric 'bleu|case:lc'"},
    {"--max-order", "--metric 'bleu|order:4'"},
    {"--char-order", "--metric 'chrf|nc:6'"},
    {"--word-order", "--metric 'chrf|nw:2'"},
    {"--beta", "--metric 'chrf|beta:2'"},
    {"--scores", "--key 'arc_*'"},
    {"--allow-nondeterministic", "--profile \"megatron nondeterministic\""},
    {"--source", "gate-worker --source FILE"},
    {"--journal", "gate-worker --journal DIR"},
    // keys, each behind what it was a key of
    {"key slurm.partition", "slurm.options = [\"--partition=NAME\"]"},
    {"key slurm.account", "slurm.options = [\"--account=NAME\"]"},
    {"key slurm.qos", "slurm.options = [\"--qos=NAME\"]"},
    {"key container.network", "container.options = [\"--network=NAME\"]"},
    {"key container.user", "container.options = [\"--user=USER\"]; of pods kubernetes.patch"},
    {"key container.shm_size", "container.options = [\"--shm-size=16g\"]; of pods kubernetes.patch"},
    {"key kubernetes.volumes", "kubernetes.patch = \"pods.yaml\", a file with volumes and volumeMounts"},
    {"key kubernetes.node_selector", "kubernetes.patch = \"pods.yaml\", a file with a nodeSelector"},
    {"key kubernetes.volcano",
     "kubernetes.patch = \"pods.yaml\", a file with apiVersion: batch.volcano.sh/v1alpha1"},
    {"key on_slow", "further = { on = \"slow\", args = ... }"},
    {"key on_red", "further"},
    {"key exclusive", "share_host = \"no\""},
    {"key side_by_side", "share_host = \"yes\""},
    {"key fault_resume", "fault = \"kill@15 scratch\""},
    {"key keep_checkpoints", "artifacts = [\"{checkpoints}/**\"]"},
    {"key tests", "guards = \"TESTS/MODULE/SUBMODULE\""},
    {"key module", "guards = \"/MODULE\""},
    {"key submodule", "guards = \"/MODULE/SUBMODULE\""},
    {"[worker] brokers", "\"bootstrap.servers\" below [worker.kafka]"},
    {"[worker] group", "\"group.id\" below [worker.kafka]"},
    {"[worker] kafka_file", "file below [worker.kafka]"},
    {"[worker] names", "style = \"snake\" or \"pascal\""},
    {"[worker] details", "style = \"snake\" or \"pascal\""},
    {"[worker] dates", "style = \"snake\" or \"pascal\""},
    {"[worker] limits", "jobs = { NPU = 4, other = 1 }"},
    {"[worker] metrics", "gate-worker --metrics ADDRESS"},
    {"key of a phase from", "from_step"},
    {"[strategy] doc", "# and what it is for: a comment"},
    {"[worker] tries", "nothing: a test is launched three times at most"},
    {"[worker] poll", "nothing: gate-worker looks five times a second"},
    {"key compare", "profile = \"megatron lm_loss\" below [suite]"},
    {"key allow_nondeterministic", "profile = \"megatron nondeterministic\" below [suite]"},
    {"[notify] timeout", "nothing: all tries together have 10 s"},
    {"[notify] retries", "nothing: there are two further tries"},
    {"[store] retries", "nothing: there are six further tries"},
    {"key of an output scores", "key = [\"arc_*\"]"},
    {"key of an output tokenize", "metric = \"bleu|tok:zh\""},
    {"key of an output smooth", "metric = \"bleu|smooth:floor\""},
    {"key of an output smooth_value", "metric = \"bleu|smooth:floor[0.1]\""},
    {"key of an output effective_order", "metric = \"bleu|eff:yes\""},
    {"key of an output lowercase", "metric = \"bleu|case:lc\""},
    {"key of an output max_order", "metric = \"bleu|order:4\""},
    {"key of an output char_order", "metric = \"chrf|nc:6\""},
    {"key of an output word_order", "metric = \"chrf|nw:2\""},
    {"key of an output beta", "metric = \"chrf|beta:2\""},
});

}  // namespace

std::string_view now_written(std::string_view word) {
  const auto found = std::ranges::find(old_words, word, &OldWord::word);
  return found == old_words.end() ? std::string_view() : found->now;
}

}  // namespace gate::config
