# kubernetes.patch: a file that is merged into the job that gate makes. What a dry run shows of it, what no patch may say, files
# that are none, and a patch that a change brings.
. "$(dirname "$0")/_lib"
suite jobs
git init -q -b main .
printf '/.gate/\n' >.gitignore
cat >gate.toml <<'TOML'
[suite]
platform = "nvidia-a100"
[defaults]
backend = "kubernetes"
devices = 8
container.image = "train:1"
kubernetes.patch = "jobs/pods.yaml"
TOML
echo echo | script a
echo '#GATE nodes=2' | script b
mkdir jobs
cat >jobs/pods.yaml <<'YAML'
metadata:
  labels: {kueue.x-k8s.io/queue-name: lab}
spec:
  template:
    spec:
      nodeSelector: {"a/b": "c: d"}
      tolerations:
        - {key: dedicated, operator: Exists}
      containers:
        - name: case
          securityContext: {runAsUser: 1000}
          volumeMounts: [{name: shm, mountPath: /dev/shm}]
      volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 16Gi}}]
YAML
git add -A && git commit -qm first

# The whole job is shown.
shown() { gate run --dry-run "$@" | sed -n 's/^  //; /^{/,/^}/p' >job.json; }
shown a
expect_json job.json '.items | length == 1'
expect_json job.json '.items[0].metadata.labels | has("gate-run") and ."kueue.x-k8s.io/queue-name" == "lab"'
expect_json job.json '.items[0].spec.template.spec | .nodeSelector."a/b" == "c: d" and .restartPolicy == "Never" and
  (.containers | length == 1) and .containers[0].securityContext.runAsUser == 1000 and .volumes[0].emptyDir.sizeLimit == "16Gi" and
  .containers[0].resources.limits."nvidia.com/gpu" == "8" and .containers[0].image == "train:1"'

# Volcano's job has it where Volcano wants it; JSON is YAML, too.
echo '{"apiVersion": "batch.volcano.sh/v1alpha1", "spec": {"queue": "lab", "tasks": [{"name": "node", "template": {"spec": {"priorityClassName": "high"}}}]}}' >jobs/volcano.json
shown b --set kubernetes.patch=jobs/volcano.json
expect_json job.json '(.items | length == 1) and (.items[0].spec | .queue == "lab" and .minAvailable == 2 and
  (.tasks | length == 1) and .tasks[0].replicas == 2 and .tasks[0].template.spec.priorityClassName == "high")'

# How many devices a case has is its own to say.
echo '{"spec": {"template": {"spec": {"containers": [{"name": "case", "resources": {"limits": {"nvidia.com/gpu": 1, "memory": "9Gi"}}}]}}}}' \
  >jobs/volcano.json
shown a --set kubernetes.patch=jobs/volcano.json
expect_json job.json '.items[0].spec.template.spec.containers[0].resources.limits | ."nvidia.com/gpu" == "8" and .memory == "9Gi"'

# What gate relies on is told with its place, all of it.
printf 'metadata: {name: mine}\nspec:\n  completions: 3\n  template: ~\n' >jobs/wrong.yaml
expect_exit 2 gate run --dry-run --set kubernetes.patch=jobs/wrong.yaml
expect_err 'jobs/wrong.yaml:1:12: metadata.name is not a patch'
expect_err 'jobs/wrong.yaml:3:3: spec.completions is not a patch'
expect_err 'jobs/wrong.yaml:4:13: spec.template: it is a table in the job'

# A bad one is the fault of its case, and no other's.
cat gate.toml - >bad.toml <<'TOML'
[case.b]
kubernetes.patch = "jobs/wrong.yaml"
TOML
expect_exit 3 gate run --dry-run --config bad.toml
expect_out 'would run a'
refute_out 'would run b'
expect_out 'jobs/wrong.yaml:1:12: metadata.name is not a patch'
expect_exit 0 gate list --config bad.toml

# Files that are no patch.
expect_exit 2 gate run --dry-run --set kubernetes.patch=jobs/none.yaml
expect_err_match '^gate: --set: kubernetes.patch: .*jobs/none.yaml: No such file'
for file in /dev/zero jobs; do
  expect_exit 2 gate run --dry-run --set kubernetes.patch=$file
  expect_err 'is no regular file'
done
head -c 3000000 /dev/zero >jobs/huge.yaml
expect_exit 2 gate run --dry-run --set kubernetes.patch=jobs/huge.yaml
expect_err 'has more than 1048576 bytes'
head -c 200000 /dev/zero | tr '\0' '[' >jobs/deep.yaml
expect_exit 2 gate run --dry-run --set kubernetes.patch=jobs/deep.yaml
expect_err 'nested too deeply'
printf '\377\376s\0' >jobs/other.yaml
expect_exit 2 gate run --dry-run --set kubernetes.patch=jobs/other.yaml
expect_err 'jobs/other.yaml:1:'
rm jobs/{huge,deep,other,wrong,volcano}.*

# A secret is not shown.
printf '[suite]\nsecrets = ["PASSWORD"]\n' >secret.toml && sed 1d gate.toml >>secret.toml
PASSWORD=hidden-word expect_exit 0 gate run --dry-run a --config secret.toml
sed -i 's/c: d/hidden-word/' jobs/pods.yaml
PASSWORD=hidden-word expect_exit 0 gate run --dry-run a --config secret.toml
refute_out 'hidden-word'

# A change of the patch touches the cases, is a finding, and the ref's patch holds.
expect_exit 0 gate run --dry-run --policy-from main a
expect_out 'c: d'
refute_out 'hidden-word'
expect_out 'jobs/pods.yaml'
git checkout -q jobs/pods.yaml
expect_exit 0 gate run --dry-run --changed-since main --nothing-ok
refute_out 'would run'
sed -i 's/lab/other/' jobs/pods.yaml
expect_exit 0 gate run --dry-run --changed-since main
expect_out 'would run a'
expect_out 'would run b'
