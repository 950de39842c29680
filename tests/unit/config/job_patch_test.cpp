#include "gate/config/job_patch.h"

#include <gmock/gmock.h>

namespace gate::config::job_patch_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What it wants, as JSON, or its mistakes.
std::string read(const std::string& text) {
  const Parsed<std::string> patch = read_job_patch(text, "pods.yaml");
  return patch ? *patch : to_string(patch.error());
}

TEST(JobPatch, IsReadAsKubectlReadsIt) {
  EXPECT_EQ(read("spec:\n  suspend: true\n  a: [1, -2, 1.5, 0400, 16Gi, yes, ~, '1', \"true\"]\n"),
            R"({"spec":{"suspend":true,"a":[1,-2,1.5,256,"16Gi","yes",null,"1","true"]}})");
  EXPECT_EQ(read(R"({"spec": {"a": {}, "b": "x y", "c": []}})"), R"({"spec":{"a":{},"b":"x y","c":[]}})");
  EXPECT_EQ(read("kind: Job\napiVersion: batch/v1\n"), R"({"kind":"Job","apiVersion":"batch/v1"})");
  EXPECT_THAT(read("spec: {a: 99999999999999999999, b: 1e999, c: 0999999999999999999999}"),
              HasSubstr(R"("b":"1e999","c":"0999999999999999999999")"));
}

TEST(JobPatch, LeavesToGateWhatGateReliesOn) {
  struct Row {
    const char *text, *mistake;
  };
  for (const Row& row : {
           Row{"kind: Pod\n", "pods.yaml:1:7: kind: gate makes, follows and deletes a job: Job"},
           Row{"apiVersion: v1\n", "1:13: apiVersion: gate makes, follows and deletes a job: batch/v1 or"},
           Row{"kind: ~\n", "1:7: kind: "},
           Row{"metadata:\n  name: a\n",
               "2:3: metadata.name is not a patch's to say: gate finds the job by it"},
           Row{"metadata: {namespace: a}\n", "kubernetes.namespace says it"},
           Row{"metadata: {labels: {gate-run: a}}\n", "metadata.labels.gate-run is not"},
           Row{"metadata: {labels: ~}\n", "1:20: metadata.labels: it is a table in the job"},
           Row{"spec: ~\n", "1:7: spec: it is a table in the job"},
           Row{"spec: [1]\n", "1:7: spec: it is a table in the job"},
           Row{"spec: {completions: 2}\n", "spec.completions is not a patch's to say: each node"},
           Row{"spec: {parallelism: ~}\n", "spec.parallelism"},
           Row{"spec: {backoffLimit: 6}\n", "spec.backoffLimit"},
           Row{"spec: {tasks: []}\n", "a Job has spec.template; with apiVersion"},
           Row{"spec: {template: {metadata: {labels: {gate-launch: a}}}}\n", "gate-launch is not"},
           Row{"spec: {template: {spec: {restartPolicy: Always}}}\n", "restartPolicy is not"},
           Row{"spec: {template: {spec: {containers: ~}}}\n", "containers: it is a list of tables"},
           Row{"spec: {template: {spec: {containers: [{image: a}]}}}\n",
               "each has a name, as gate's own `case`"},
           Row{"spec: {template: {spec: {containers: [x]}}}\n", "each has a name"},
           Row{"spec: {template: {spec: {containers: [{name: a}, {name: case, command: [a]}]}}}\n",
               "1:63: spec.template.spec.containers.case.command is not a patch's to say"},
           Row{"spec: {template: {spec: {containers: [{name: case, args: [a]}]}}}\n", "case.args is not"},
           Row{"spec: {template: {spec: {containers: [{name: case, env: [{name: NODE_RANK, value: 1}]}]}}}\n",
               "1:65: spec.template.spec.containers.case.env.NODE_RANK is not a patch's to say"},
           Row{"spec: {template: {spec: {containers: [{name: case, env: ~}]}}}\n", "case.env: it is a list"},
           Row{"spec: {template: {spec: {containers: [{name: case, env: [{value: 1}]}]}}}\n",
               "case.env: each has a name, as gate's own `NODE_RANK`"},
       })
    EXPECT_THAT(read(row.text), HasSubstr(row.mistake)) << row.text;
  EXPECT_EQ(read("spec: {template: {spec: {containers: [{name: proxy, command: [a]}]}}}\n").front(), '{');
}

TEST(JobPatch, OfVolcanosJobHasItsPodsInATask) {
  const std::string volcano = "apiVersion: batch.volcano.sh/v1alpha1\n";
  EXPECT_THAT(
      read(volcano + "spec: {queue: a, tasks: [{name: node, template: {spec: {nodeSelector: {a: b}}}}]}"),
      StartsWith("{"));
  for (const char* spec :
       {"{minAvailable: 1}", "{maxRetry: 2}", "{tasks: [{name: node, replicas: 2}]}",
        "{tasks: [{name: other}]}", "{tasks: [{replicas: 2}]}", "{plugins: {svc: ~}}", "{plugins: ~}",
        "{template: {}}", "{tasks: ~}",
        "{tasks: [{name: node, template: {spec: {containers: [{name: case, command: []}]}}}]}"})
    EXPECT_THAT(read(volcano + "spec: " + spec), StartsWith("pods.yaml:2:")) << spec;
}

TEST(JobPatch, NamesAllItsMistakes) {
  EXPECT_EQ(
      read("metadata:\n  name: a\nspec:\n  completions: 1\n"),
      "pods.yaml:2:3: metadata.name is not a patch's to say: gate finds the job by it\n"
      "pods.yaml:4:3: spec.completions is not a patch's to say: each node of the case is one pod, which is "
      "started once");
}

TEST(JobPatch, OfAHostileFileIsAMistake) {
  for (const std::string& text :
       {std::string("[]"), std::string("text"), std::string(), std::string("# nothing\n"), std::string("~")})
    EXPECT_THAT(read(text), StartsWith("pods.yaml:1:1: a patch is a table")) << text;
  EXPECT_THAT(read("spec: \xff\xfe"), HasSubstr("pods.yaml:1:"));
  EXPECT_THAT(read(std::string("\xff\xfe{\0}\0", 6)), StartsWith("pods.yaml:"));
  EXPECT_THAT(read("spec: \"a\\0b\""), HasSubstr("NUL"));
  EXPECT_THAT(read("spec: {a: 1}\n---\nspec: {a: 2}\n"), HasSubstr("a second document begins"));
  EXPECT_THAT(read("spec: {a: 1, a: 2}\n"), HasSubstr("stands twice"));
  EXPECT_THAT(read("spec: {a: 1\n"), StartsWith("pods.yaml:2:1: syntax error"));
  EXPECT_THAT(read("spec: " + std::string(100'000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(read("a: " + std::string(2 << 20, 'x')), HasSubstr("larger than 1 MiB"));
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string above = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + above;
    for (int k = 0; k < 9; ++k) bomb += ", " + above;
    bomb += "]\n";
  }
  EXPECT_THAT(read(bomb), HasSubstr("more than 100000 values"));
}

}  // namespace
}  // namespace gate::config::job_patch_test
