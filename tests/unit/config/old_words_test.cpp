// Keys of earlier builds: each is an error that says what to write now.
#include "gate/config/old_words.h"

#include <gmock/gmock.h>

#include "policy_text.h"

namespace gate::config::old_words_test {
namespace {

using testing::HasSubstr;

struct OldKey {
  std::string table, line, now;
};

TEST(OldWords, OfEachTableAreErrorsThatNameTheNewOnes) {
  const std::string output = "[defaults]\noutputs.a.";
  for (const OldKey& one : std::vector<OldKey>{
           {"[defaults]\n", "slurm.partition = 'x'", "--partition=NAME"},
           {"[defaults]\n", "slurm.account = 'x'", "--account=NAME"},
           {"[defaults]\n", "slurm.qos = 'x'", "--qos=NAME"},
           {"[defaults]\n", "container.network = 'x'", "container.options"},
           {"[defaults]\n", "container.user = 'x'", "container.options"},
           {"[defaults]\n", "container = { shm_size = 'x' }", "container.options"},
           {"[defaults]\n", "kubernetes.volumes = ['x']", "kubernetes.patch"},
           {"[defaults]\n", "kubernetes.node_selector = ['x=y']", "kubernetes.patch"},
           {"[defaults.kubernetes]\n", "volcano = true", "kubernetes.patch"},
           {"[defaults]\n", "on_slow = 'x'", "further = { on = \"slow\""},
           {"[case.a]\n", "on_red = 'x'", "further"},
           {"[defaults]\n", "exclusive = true", "share_host = \"no\""},
           {"[case.a]\n", "side_by_side = true", "share_host = \"yes\""},
           {"[defaults]\n", "fault_resume = 'scratch'", "kill@15 scratch"},
           {"[defaults]\n", "keep_checkpoints = true", "{checkpoints}/**"},
           {"[defaults]\n", "tests = 'ST'", "guards = \"TESTS/MODULE/SUBMODULE\""},
           {"[group.a]\n", "module = 'x'", "guards = \"/MODULE\""},
           {"[defaults]\n", "submodule = 'x'", "guards = \"/MODULE/SUBMODULE\""},
           {"[defaults]\n", "compare = ['lm_loss']", "profile = \"megatron lm_loss\""},
           {"[defaults]\n", "allow_nondeterministic = true", "profile = \"megatron nondeterministic\""},
           {"[defaults]\n", "phase.a.from = 3", "from_step"},
           {output, "scores = ['x']", "key = [\"arc_*\"]"},
           {output, "tokenize = 'zh'", "bleu|tok:zh"},
           {output, "smooth = 'floor'", "bleu|smooth:floor"},
           {output, "smooth_value = 0.1", "bleu|smooth:floor[0.1]"},
           {output, "effective_order = true", "bleu|eff:yes"},
           {output, "lowercase = true", "bleu|case:lc"},
           {output, "max_order = 4", "bleu|order:4"},
           {output, "char_order = 6", "chrf|nc:6"},
           {output, "word_order = 2", "chrf|nw:2"},
           {output, "beta = 2", "chrf|beta:2"},
           {"[worker]\n", "brokers = 'x'", "bootstrap.servers"},
           {"[worker]\n", "group = 'x'", "group.id"},
           {"[worker]\n", "kafka_file = 'x'", "[worker.kafka]"},
           {"[worker]\n", "names = 'snake'", "style"},
           {"[worker]\n", "details = 'text'", "style"},
           {"[worker]\n", "dates = 'unix'", "style"},
           {"[worker]\n", "limits = { NPU = 4 }", "jobs = { NPU = 4"},
           {"[worker]\n", "metrics = ''", "gate-worker --metrics"},
           {"[worker]\n", "poll = '1s'", "five times a second"},
           {"[worker]\n", "tries = 3", "three times at most"},
           {"[strategy.a]\n", "doc = 'x'", "a comment"},
           {"[notify.a]\n", "timeout = '3s'", "10 s"},
           {"[notify.a]\n", "retries = 3", "two further tries"},
           {"[store.s3]\n", "retries = 3", "six further tries"},
           {"[store.obs]\n", "retries = 3", "six further tries"}}) {
    const std::string said = mistakes(one.table + one.line + "\n");
    EXPECT_THAT(said, HasSubstr("is an old word; write ")) << one.line;
    EXPECT_THAT(said, HasSubstr(one.now)) << one.line;
    EXPECT_THAT(said, HasSubstr("gate.toml:")) << one.line;
  }
}

TEST(OldWords, AreNoneElsewhere) {
  EXPECT_THAT(mistakes("[defaults]\nformats = ['version']\n"), HasSubstr("unknown format \"version\""));
  EXPECT_THAT(mistakes("[suite]\nprofile = 'tests'\n"), HasSubstr("unknown profile \"tests\""));
  EXPECT_EQ(now_written(""), "");
}

}  // namespace
}  // namespace gate::config::old_words_test
