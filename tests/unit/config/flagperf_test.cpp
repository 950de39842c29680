#include "gate/config/flagperf.h"

#include <gmock/gmock.h>

#include "gate/base/text.h"

namespace gate::config::flagperf_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Return the cases of `CASES = {...}`, `model framework version hardware nodes devices repeat data` each; or
// the mistakes.
std::string cases(std::string_view dictionary) {
  const auto tests =
      read_flagperf_tests("VENDOR = 'nvidia'\nCASES = " + std::string(dictionary), "test_conf.py");
  if (!tests) return to_string(tests.error());
  std::string out;
  for (const FlagPerfCase& one : tests->cases)
    out += one.model + " " + one.framework + " " + (one.version.empty() ? "-" : one.version) + " " +
           one.hardware + " " + std::to_string(one.nodes) + " " + std::to_string(one.devices) + " " +
           std::to_string(one.repeat) + " " + one.data_dir + ";";
  return out;
}

TEST(FlagPerf, CasesOfTestConf) {
  EXPECT_EQ(
      cases("{\n  # \"bert:pytorch:A100:1:8:1\": \"/raid/bert\",\n"
            "  \"glm:pytorch_1.8:A100:1:8:1\": \"/data/glm\",\n"
            "  'llama1_7B:paddle_2.5.1:TP1PP1SH2SP8A10040G:2:8:3': '/data/llama',\n}\n"),
      "glm pytorch 1.8 A100 1 8 1 /data/glm;llama1_7B paddle 2.5.1 TP1PP1SH2SP8A10040G 2 8 3 /data/llama;");
  EXPECT_EQ(cases("{}"), "");
}

TEST(FlagPerf, OtherWordsOfTestConf) {
  const auto tests = read_flagperf_tests(
      "VENDOR = \"nvidia\"\nACCE_CONTAINER_OPT = \" --gpus all\"\nACCE_VISIBLE_DEVICE_ENV_NAME = None\n"
      "FLAGPERF_PATH = \"/opt/FlagPerf/training\"\nFLAGPERF_LOG_PATH = FLAGPERF_PATH + \"/result/\"\n"
      "PIP_SOURCE = 'https://mirror/simple'\nSHM_SIZE = \"32G\"\nCLEAR_CACHES = True\nCASES = {}\n",
      "test_conf.py");
  ASSERT_TRUE(tests);
  EXPECT_EQ(tests->vendor, "nvidia");
  EXPECT_EQ(tests->container_options, " --gpus all");
  EXPECT_EQ(tests->visible_devices, std::nullopt);
  EXPECT_EQ(tests->path, "/opt/FlagPerf/training");
  EXPECT_EQ(tests->pip_source, "https://mirror/simple");
  EXPECT_EQ(tests->shm_size, "32G");
  EXPECT_TRUE(tests->clears_caches);
  EXPECT_FALSE(
      read_flagperf_tests("VENDOR = 'v'\nCLEAR_CACHES = False\nCASES = {}\n", "t.py")->clears_caches);
}

TEST(FlagPerf, AKeyThatIsNoCaseIsAMistakeAtItsPlace) {
  const auto refused = [](const std::string& key) { return cases("{'" + key + "': 'd'}"); };
  EXPECT_EQ(refused("glm:pytorch:A100:1:8"),
            "test_conf.py:2:10: \"glm:pytorch:A100:1:8\" is no case: 5 words in place of 6; a case is "
            "\"model:framework[_version]:hardware:nodes:devices:repeat\"");
  EXPECT_THAT(refused("../x:pytorch:A100:1:8:1"), HasSubstr("\"../x\" is not made of letters"));
  EXPECT_THAT(refused("..:pytorch:A100:1:8:1"), HasSubstr("\"..\" is not made of letters"));
  EXPECT_THAT(refused("glm:-f:A100:1:8:1"), HasSubstr("\"-f\" is not made of letters"));
  EXPECT_THAT(refused("glm:_1.8:A100:1:8:1"), HasSubstr("its framework has no name"));
  EXPECT_THAT(refused("glm:pytorch:A 100:1:8:1"), HasSubstr("\"A 100\""));
  EXPECT_THAT(refused("glm:pytorch:A100:0:8:1"), HasSubstr("\"0\" is no number of nodes"));
  EXPECT_THAT(refused("glm:pytorch:A100:1:4097:1"), HasSubstr("\"4097\" is no number of devices"));
  EXPECT_THAT(refused("glm:pytorch:A100:1:8:+1"), HasSubstr("\"+1\" is no number of repeats"));
  EXPECT_THAT(refused("glm:pytorch:A100:1:8:1e99"), HasSubstr("no number of repeats"));
  EXPECT_THAT(refused("glm:pytorch:A100:1:8:99999999999999999999"), HasSubstr("no number of repeats"));
  EXPECT_THAT(cases("{KEY: 'd'}"), HasSubstr("this key is no case: it is no text as it is written"));
}

TEST(FlagPerf, AFolderThatAShellWouldReadIsAMistake) {
  const auto refused = [](const std::string& folder) { return cases("{'a:b:c:1:1:1': '" + folder + "'}"); };
  EXPECT_THAT(refused("/d-1/a_b.c+d=e,f:g@h%i"), HasSubstr("@h%i;"));
  for (const char* folder :
       {"a b", "$(x)", "`x`", "a;b", "a\\nb", "~/d", "a\\'b", "a\"b", "-d", "a&", "d*", "\xc3\xa9"})
    EXPECT_THAT(refused(folder), HasSubstr("t_conf.py:2:25: the data folder of \"a:b:c:1:1:1\", ")) << folder;
}

TEST(FlagPerf, AllMistakesAreReportedTogether) {
  const std::string said =
      cases("{\n 'a:b:c:1:1:1': 'd',\n 'a:b:c:1:1:1': 'e',\n 'x': 'd',\n 'a:b:c:1:2:1': ROOT + '/d'}");
  EXPECT_EQ(said,
            "test_conf.py:5:2: \"x\" is no case: 1 word in place of 6; a case is "
            "\"model:framework[_version]:hardware:nodes:devices:repeat\"\n"
            "test_conf.py:6:17: the data folder of \"a:b:c:1:2:1\" is no text as it is written");
}

TEST(FlagPerf, OfAKeyThatStandsTwiceTheFirstCounts) {
  const auto tests = read_flagperf_tests(
      "VENDOR = 'v'\nCASES = {\n 'a:b:c:1:1:1': 'd',\n 'a:b:c:1:1:1': ROOT,\n 'a:b:c:1:1:2': 'e'}\n", "t.py");
  ASSERT_TRUE(tests);
  ASSERT_EQ(tests->cases.size(), 2U);
  EXPECT_EQ(tests->cases[0].data_dir, "d");
  ASSERT_EQ(tests->twins.size(), 1U);
  EXPECT_EQ(tests->twins[0].key, "a:b:c:1:1:1");
  EXPECT_EQ(tests->twins[0].at.line, 4);
  EXPECT_EQ(tests->twins[0].first_line, 3);
}

TEST(FlagPerf, WhatGateNeedsAndIsNotThere) {
  const auto said = [](std::string_view text) {
    const auto tests = read_flagperf_tests(text, "t.py");
    return tests ? std::string("good") : to_string(tests.error());
  };
  EXPECT_THAT(said(""), HasSubstr("t.py: VENDOR is not set; write VENDOR = \"nvidia\" at the top level"));
  EXPECT_THAT(said(""), HasSubstr("t.py: CASES is not set"));
  EXPECT_THAT(said("VENDOR = os.environ['V']\nCASES = {}\n"), HasSubstr("t.py:1:10: VENDOR is not told"));
  EXPECT_THAT(said("VENDOR = '../x'\nCASES = {}\n"), HasSubstr("t.py:1:10: VENDOR is not the name"));
  EXPECT_THAT(said("VENDOR = 'x'\nCASES = ['a']\n"), HasSubstr("t.py:2:9: CASES is no dictionary"));
  EXPECT_THAT(said("VENDOR = 'x'\nCASES = {}\nCASES.update(more)\n"),
              HasSubstr("t.py:3:1: CASES is not told"));
  EXPECT_THAT(said("VENDOR = 'x\n"), HasSubstr("t.py:1:10: this text is not closed"));
}

TEST(FlagPerf, Hosts) {
  const auto cluster = read_flagperf_cluster(
      "HOSTS = [\"10.0.0.2\",\n  'npu-1.lab']\nHOSTS_PORTS = [\"2222\"]\nMASTER_PORT = \"29501\"\nSSH_PORT = "
      "22\n",
      "c.py");
  ASSERT_TRUE(cluster);
  ASSERT_EQ(cluster->hosts.size(), 2U);
  EXPECT_EQ(cluster->hosts[0].name, "10.0.0.2");
  EXPECT_EQ(cluster->hosts[1].name, "npu-1.lab");
  EXPECT_EQ(cluster->hosts[1].at.line, 2);
  EXPECT_THAT(cluster->host_ports, ElementsAre("2222"));
  EXPECT_EQ(cluster->master_port, 29501);
  EXPECT_EQ(cluster->ssh_port, 22);
  EXPECT_THAT(read_flagperf_cluster("# HOSTS = ['a']\n", "c.py")->hosts, IsEmpty());
}

TEST(FlagPerf, HostsThatAreNone) {
  const auto said = [](std::string_view text) {
    const auto cluster = read_flagperf_cluster(text, "c.py");
    return cluster ? std::string("good") : to_string(cluster.error());
  };
  EXPECT_EQ(said("HOSTS = ['-oProxyCommand=x']"),
            "c.py:1:10: \"-oProxyCommand=x\" is no name or address of a host");
  EXPECT_EQ(said("HOSTS = ['a b', 'a', 'a']"),
            "c.py:1:10: \"a b\" is no name or address of a host\nc.py:1:22: \"a\" stands in line 1, too");
  EXPECT_EQ(said("HOSTS = 'a'"), "c.py:1:9: HOSTS is no list of texts");
  EXPECT_EQ(said("HOSTS = ['a', 1]"), "c.py:1:15: HOSTS holds something that is no text as it is written");
  EXPECT_THAT(said("HOSTS = open('hosts').read().split()"), HasSubstr("c.py:1:9: HOSTS is not told"));
  EXPECT_EQ(said("MASTER_PORT = '70000'"), "c.py:1:15: MASTER_PORT is no port from 1 to 65535");
}

TEST(FlagPerf, FilesOfACase) {
  const FlagPerfCase one{.key = "",
                         .model = "glm",
                         .framework = "pytorch",
                         .version = "1.8",
                         .hardware = "A100",
                         .nodes = 2,
                         .devices = 8,
                         .repeat = 1,
                         .data_dir = "",
                         .at = {}};
  const FlagPerfPaths paths = flagperf_paths(one, "nvidia");
  EXPECT_EQ(paths.base, "benchmarks/glm/pytorch/config/_base.py");
  EXPECT_EQ(paths.mutable_params, "benchmarks/glm/pytorch/config/mutable_params.py");
  EXPECT_EQ(paths.vendor_config, "nvidia/glm-pytorch/config/config_A100x2x8.py");
  EXPECT_EQ(paths.environment, "nvidia/glm-pytorch/config/environment_variables.sh");
  EXPECT_EQ(paths.requirements, "nvidia/glm-pytorch/config/requirements.txt");
}

TEST(FlagPerf, MutableParameters) {
  EXPECT_THAT(*read_mutable_params("mutable_params = [\n 'lr', 'vendor'\n]\nmutable_params += ['log_freq']\n",
                                   "m.py"),
              ElementsAre("lr", "vendor", "log_freq"));
  EXPECT_THAT(*read_mutable_params("mutable_params = ('lr',)\n", "m.py"), ElementsAre("lr", "vendor"));
  EXPECT_THAT(to_string(read_mutable_params("", "m.py").error()),
              HasSubstr("m.py: mutable_params is not set"));
  EXPECT_EQ(to_string(read_mutable_params("mutable_params = ['a', lr]", "m.py").error()),
            "m.py:1:24: mutable_params holds something that is no text as it is written");
}

FlagPerfLayers layers(std::string_view base, std::string_view vendor, const std::vector<std::string>& names) {
  return flagperf_layers(*read_python(base, "_base.py"), *read_python(vendor, "config_A100x1x8.py"), names);
}

TEST(FlagPerf, TheVendorsFileLiesOverTheBase) {
  const FlagPerfLayers both =
      layers("vendor: str = None\nlr: float = 1e-5\nsteps = 600 * 8\nnames = ['a', 1]\n",
             "lr = 2e-5\ntrain_batch_size = 8\nvendor = 'nvidia'\n", {"vendor", "lr", "train_batch_size"});
  std::string out;
  for (const FlagPerfParameter& parameter : both.parameters)
    out += parameter.name + "=" + (parameter.is_told ? parameter.text : "?") + " " + parameter.at.file + ":" +
           std::to_string(parameter.at.line) +
           (parameter.overrides ? " over line " + std::to_string(parameter.overrides->line) : "") + ";";
  EXPECT_EQ(out,
            "vendor=nvidia config_A100x1x8.py:3 over line 1;lr=2e-5 config_A100x1x8.py:1 over line 2;"
            "steps=? _base.py:3;names=['a', 1] _base.py:4;train_batch_size=8 config_A100x1x8.py:2;");
  EXPECT_THAT(both.not_mutable, IsEmpty());
  EXPECT_EQ(both.find("none"), nullptr);
}

TEST(FlagPerf, WhatAVendorSetsWithoutLeaveIsNamedWithBothPlaces) {
  const FlagPerfLayers both = layers("target_acc = 0.8\n", "\ntarget_acc = 0.1\nextra = 1\n", {"vendor"});
  ASSERT_EQ(both.not_mutable.size(), 2U);
  EXPECT_EQ(both.not_mutable[0].name, "target_acc");
  EXPECT_EQ(both.not_mutable[0].vendor_at.line, 2);
  EXPECT_EQ(both.not_mutable[0].base_at->file, "_base.py");
  EXPECT_EQ(both.not_mutable[1].name, "extra");
  EXPECT_EQ(both.not_mutable[1].base_at, std::nullopt);
}

TEST(FlagPerf, WhatIsNotMutableKeepsItsValue) {
  const auto target = [](const FlagPerfLayers& both) { return both.find("target_acc")->text; };
  const std::string_view base = "target_acc = 0.8\n";
  EXPECT_EQ(target(layers(base, "target_acc = 0.1\n", {"vendor"})), "0.8");
  EXPECT_EQ(target(layers(base, "target_acc = 0.1\n", {"target_acc"})), "0.1");
  EXPECT_EQ(target(layers(base, "target_acc = None\n", {"target_acc"})), "0.8");
  EXPECT_EQ(target(layers("", "target_acc = 0.1\n", {"vendor"})), "0.1");
  const auto file = [](std::string_view text) { return *read_python(text, "x.py"); };
  EXPECT_EQ(target(flagperf_layers(file(base), file("target_acc = 0.1\n"), std::nullopt)), "0.1");
}

TEST(FlagPerf, NamesFromElsewhereAreSaid) {
  const FlagPerfLayers both = layers("a = 1\n", "from config_common import *\nb = 1\n", {"b"});
  ASSERT_EQ(both.imports.size(), 1U);
  EXPECT_EQ(both.imports[0].module, "config_common");
  EXPECT_EQ(both.imports[0].at.file, "config_A100x1x8.py");
}

TEST(FlagPerf, TheTargetsOfACase) {
  const auto target = [](std::string_view base) {
    const auto found = flagperf_targets(layers(base, "", {}));
    if (!found) return to_string(found.error());
    std::string out;
    for (const FlagPerfTarget& one : *found)
      out += one.parameter + ": " + one.metric + " " + one.bound + " " + one.value + ";";
    return out;
  };
  EXPECT_EQ(target("target_acc: float = 0.80\n"), "target_acc: final_accuracy >= 0.80;");
  EXPECT_EQ(target("target_accuracy = 0.8\n"), "target_accuracy: final_accuracy >= 0.8;");
  EXPECT_EQ(target("target_bleu = 27.0\n# target_loss = 3.9\ntarget_lang = None\n"),
            "target_bleu: final_accuracy >= 27.0;");
  EXPECT_EQ(target("target_embedding_average = 0.92\n"), "target_embedding_average: final_accuracy >= 0.92;");
  EXPECT_EQ(target("target_map_segm = 0.34\ntarget_map_bbox = 0.38\n"),
            "target_map_bbox: final_map_bbox >= 0.38;target_map_segm: final_map_segm >= 0.34;");
  EXPECT_EQ(
      target("target_auc = 0.8\ntarget_nuv = 87.9\ntarget_rouge1 = 40.5\n"),
      "target_auc: final_auc >= 0.8;target_nuv: final_nuv >= 87.9;target_rouge1: final_rouge1 >= 40.5;");
  EXPECT_EQ(target("target_ppl = 55\n"), "target_ppl: final_perplexity <= 55;");
  EXPECT_EQ(target("target_val_loss = -5.72\n"), "target_val_loss: final_loss <= -5.72;");
  EXPECT_EQ(target("target_acc = None\n"), "");
  EXPECT_EQ(target("lr = 1\ntarget_glu = False\n"), "");
  EXPECT_THAT(target("target_acc = 4 / 5\n"),
              HasSubstr("_base.py:1:1: target_acc is no number as it is written"));
  EXPECT_THAT(target("target_acc = '0.8'\n"), HasSubstr("is no number as it is written"));
}

TEST(FlagPerf, WhatAScriptSaysAtItsEnd) {
  const std::string_view script =
      "info = {\"e2e_time\": t, 'final_acc1': a, # \"converged\": c,\n\"rouge1\": r}\n";
  EXPECT_EQ(flagperf_says(script, "final_accuracy"), true);
  EXPECT_EQ(flagperf_says(script, "final_rouge1"), true);
  EXPECT_EQ(flagperf_says(script, "converged"), false);
  EXPECT_EQ(flagperf_says(script, "final_perplexity"), false);
  EXPECT_EQ(flagperf_says("os.system('torchrun')\n", "converged"), std::nullopt);
}

TEST(FlagPerf, WhatItsRulesForCasesAskOfFinishedInfo) {
  const std::string whole =
      "{'e2e_time': 1, 'training_images_per_second': 2, 'converged': 3, 'final_mAP': 4, 'train_time': 5, "
      "'init_time': 6}";
  EXPECT_THAT(flagperf_unsaid(whole), IsEmpty());
  EXPECT_THAT(flagperf_unsaid("{'e2e_time': 1, 'final_loss': 2}"),
              ElementsAre("converged", "raw_train_time", "init_time", "training_sequences_per_second"));
  EXPECT_THAT(flagperf_unsaid("{'e2e_time': 1, 'throughput(ips)_raw': 2} # 'final_acc'"),
              ElementsAre("converged", "raw_train_time", "init_time", "training_sequences_per_second",
                          "final_accuracy"));
  EXPECT_THAT(flagperf_unsaid("os.system('torchrun')"), IsEmpty());
}

TEST(FlagPerf, AKeyIsWhatACaseIsCalled) {
  const auto is = [](std::string_view key, std::string_view name) {
    return is_flagperf_case(*read_flagperf_key(key), name);
  };
  EXPECT_TRUE(is("glm:pytorch:A100:1:8:1", "glm/pytorch@1x8"));
  EXPECT_TRUE(is("glm:pytorch_1.8:A100:1:8:7", "glm/pytorch@1x8"));
  EXPECT_TRUE(is("glm:pytorch:A100:1:8:1", "perf/glm/pytorch@1x8,TP=2"));
  EXPECT_TRUE(is("glm:pytorch:A100:1:8:1", "glm/pytorch@1x8,FLAGPERF_HARDWARE=A100"));
  EXPECT_FALSE(is("glm:pytorch:A10:1:8:1", "glm/pytorch@1x8,FLAGPERF_HARDWARE=A100"));
  EXPECT_FALSE(is("glm:pytorch:A100:1:8:1", "glm/pytorch@1x80"));
  EXPECT_FALSE(is("glm:pytorch:A100:1:8:1", "glm/pytorch"));
  EXPECT_FALSE(is("lm:pytorch:A100:1:8:1", "glm/pytorch@1x8"));
  EXPECT_FALSE(read_flagperf_key("glm/pytorch@1x8"));
  EXPECT_EQ(read_flagperf_key("a:b:c:1:1:0").error().message, "\"0\" is no number of repeats from 1 to 1000");
}

TEST(FlagPerf, WhatTheLayersNeedBelowTheData) {
  const auto needs = [](std::string_view base) { return flagperf_needs(layers(base, "", {})); };
  EXPECT_THAT(needs("train_data = 'a/t.hdf5'\neval_data = 'e'\ninit_checkpoint = 'a/t.hdf5'\n"),
              ElementsAre("a/t.hdf5", "e"));
  EXPECT_THAT(needs("train_data = '/t'\neval_data = 'a/../../e'\ninit_checkpoint = None\n"), IsEmpty());
  EXPECT_THAT(needs("train_data = ''\neval_data = '$X/e'\ninit_checkpoint = 7\n"), IsEmpty());
  EXPECT_THAT(needs("train_data = ROOT + '/t'\neval_data = ['e']\ninit_checkpoint = 'a b'\n"), IsEmpty());
}

TEST(FlagPerf, PlatformsOfHardware) {
  EXPECT_EQ(join(flagperf_platforms("nvidia", "A100"), " "), "nvidia-a100 nvidia-a100-*");
  EXPECT_EQ(join(flagperf_platforms("nvidia", "A100_40_SXM"), " "), "nvidia-a100 nvidia-a100-*");
  EXPECT_EQ(join(flagperf_platforms("nvidia", "L40S"), " "), "nvidia-l40s nvidia-l40s-*");
  EXPECT_EQ(join(flagperf_platforms("ascend", "910B3"), " "), "ascend-910b3 ascend-910b3-*");
  EXPECT_EQ(join(flagperf_platforms("ascend", "Ascend910"), " "), "ascend-910 ascend-910-* ascend-910[a-z]*");
  EXPECT_EQ(join(flagperf_platforms("amd", "MI300X"), " "), "amd-mi300x amd-mi300x-*");
  EXPECT_EQ(join(flagperf_platforms("nvidia", "TP1PP1SH2SP8A10040G"), " "), "");
  EXPECT_EQ(join(flagperf_platforms("nvidia", "A10040G"), " "), "");
  EXPECT_EQ(join(flagperf_platforms("nvidia", "_"), " "), "");
  EXPECT_EQ(join(flagperf_platforms("kunlunxin", "R300"), " "), "kunlunxin-*");
}

TEST(FlagPerf, Requirements) {
  EXPECT_THAT(
      read_requirements("# all\n\nh5py\n-r other.txt\n  torch==1.8  # pinned\ngit+https://x#egg=y\r\n"),
      ElementsAre("h5py", "torch==1.8", "git+https://x#egg=y"));
}

}  // namespace
}  // namespace gate::config::flagperf_test
