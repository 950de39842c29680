#include "gate/config/exit_code.h"

#include <gtest/gtest.h>

#include <string>

namespace gate::config {
namespace {

struct Row {
  const char* script;
  const char* dropped;  // "": it ends with what its training ends with, or nobody can tell
};

void expect(const Row& row) {
  const std::string why = dropped_exit(row.script).english();
  const std::string start = "its script drops the exit code of ";
  EXPECT_EQ(why, std::string(row.dropped).empty() ? "" : start + row.dropped) << row.script;
}

constexpr const char* tee = "torchrun: | tee stands behind it without set -o pipefail";

TEST(ExitCode, IsLostInAPipe) {
  for (const Row& row : {
           Row{"torchrun train.py | tee log\n", tee},
           Row{"torchrun train.py 2>&1 | tee -a logs/a.log", tee},
           Row{"torchrun train.py |& tee log\n", tee},
           Row{"torchrun $ARGS \\\n  train.py \\\n  | tee log\nexit $?\n", tee},
           Row{"set -e\ntorchrun train.py | tee log\n", tee},
           Row{"{ torchrun train.py || exit 1; } 2>&1 | tee log\n", tee},
           Row{"(\n  cd a\n  torchrun train.py\n) | tee log\n", tee},
           Row{"for i in 1 2; do\n  torchrun train.py\ndone | tee log\n", tee},
           Row{"train() {\n  torchrun train.py | tee log\n}\ntrain\n", tee},
           Row{"if [ $A = 1 ]; then torchrun a.py | tee a; else torchrun b.py; fi\n", tee},
           Row{"case $1 in a) torchrun a.py | tee a ;; *) echo ;; esac\n", tee},
           Row{"NPUS=8 nohup timeout -k 5 60 /usr/bin/torchrun train.py | tee log\n", tee},
           Row{"cat <<EOF\nset -o pipefail\nEOF\ntorchrun train.py | tee log\n", tee},
           Row{"eval $RUN | tee log", "eval: | tee stands behind it without set -o pipefail"},
           Row{"bash run.sh | tee log", "bash: | tee stands behind it without set -o pipefail"},
           Row{"run() { torchrun train.py; }\nrun 2>&1 | tee log\n",
               "run: | tee stands behind it without set -o pipefail"},
           Row{"function one { torchrun a.py; }\ntwo() { one; }\ntwo x | tee log\n",
               "two: | tee stands behind it without set -o pipefail"},
           Row{"eval \"torchrun train.py 2>&1 | tee $A/log\"\n", tee},
           Row{"docker exec -it c bash -lc 'cd a; torchrun train.py | tee log'\n", tee},
           Row{"set -o pipefail\nbash -c \"torchrun \\\"$A\\\" | tee log\"\n", tee},
           Row{"case $1 in\n  a) (torchrun train.py; exit 1) | tee log ;;\nesac\necho done\n", tee},
           Row{"case $1 in a) (./infer; exit 1) | tee log;; esac\n",
               "(...): | tee stands behind it without set -o pipefail"},
           Row{"set -o pipefail\neval \"torchrun train.py | tee log\"\n", ""},
           Row{"bash -o pipefail -c 'torchrun train.py | tee log'\n", ""},
           Row{"ls | xargs -I {} bash -c 'torchrun {} || touch bad'\n[ ! -f bad ] || exit 1\n", ""},
           Row{"bash -c 'torchrun train.py | tee log; exit ${PIPESTATUS[0]}'\n", ""},
           Row{"say() { echo $1; }\nsay x | tee log\ntorchrun train.py\n", ""},
           Row{"(cd a || exit 1; ls) | sort\ntorchrun train.py\n", ""},
           Row{"set -o pipefail\ntorchrun train.py | tee log\n", ""},
           Row{"set -euo pipefail\ntorchrun train.py | tee log\n", ""},
           Row{"torchrun train.py | tee log\nexit ${PIPESTATUS[0]}\n", ""},
           Row{"torchrun train.py > >(tee log) 2>&1\n", ""},
           Row{"torchrun train.py --a 'x | tee y'\n", ""},
           Row{"# torchrun train.py | tee log\ntorchrun train.py\n", ""},
           Row{"cat <<EOF\ntorchrun train.py | tee log\nEOF\ntorchrun train.py\n", ""},
           Row{"ARGS=(\n  --a | b\n)\ntorchrun ${ARGS[@]} ${B:-a|b}\n", ""},
           Row{"echo hello | tee log\npip list | tee env\ntorchrun train.py\n", ""},
           Row{"cat data | torchrun train.py\n", ""},
       })
    expect(row);
}

TEST(ExitCode, IsLostBehindTheLastLaunch) {
  for (const Row& row : {
           Row{"python3 train.py || true\n", "python3: || true stands behind it"},
           Row{"python3 train.py || :\n", "python3: || : stands behind it"},
           Row{"python3 train.py || { echo failed; }\n", "python3: || echo stands behind it"},
           Row{"python3 train.py; exit 0\n", "python3: exit stands behind it without set -e"},
           Row{"python3 train.py\necho done\n", "python3: echo stands behind it without set -e"},
           Row{"python3 train.py &\nwait\n", "python3: it runs behind & and no wait PID asks for it"},
           Row{"for i in 0 1; do python3 train.py & done; wait\n",
               "python3: it runs behind & and no wait PID asks for it"},
           Row{"bash -c 'python3 train.py; echo done'\n", "python3: echo stands behind it without set -e"},
           Row{"bash -c 'python3 train.py'\necho done\n", "python3: echo stands behind it without set -e"},
           Row{"run() { python3 train.py; }\nrun\necho done\n", "run: echo stands behind it without set -e"},
           Row{"if python3 train.py; then echo ok; else echo failed; fi\n",
               "python3: an if around it asks for it, and no branch ends with exit 1"},
           Row{"if ! (cd a && python3 train.py); then\n  echo failed\nfi\n",
               "python3: an if around it asks for it, and no branch ends with exit 1"},
           Row{"if python3 train.py; then echo ok; else false; fi\n", ""},
           Row{"if python3 train.py; then good=1; fi\n[ $good = 1 ]\n", ""},
           Row{"die() { exit 1; }\nif python3 train.py; then echo ok; else die; fi\n", ""},
           Row{"until python3 train.py; do sleep 1; done\n", ""},
           Row{"python3 train.py\n", ""},
           Row{"python3 check.py || true\npython3 train.py\n", ""},
           Row{"python3 train.py || exit 1\n", ""},
           Row{"python3 train.py || { echo failed; exit 1; }\n", ""},
           Row{"set -e\npython3 train.py\necho done\n", ""},
           Row{"python3 train.py && echo done\n", ""},
           Row{"python3 train.py\nresult=$?\necho done\nexit $result\n", ""},
           Row{"python3 train.py\nif [ $? -ne 0 ]; then exit 1; fi\n", ""},
           Row{"if ! python3 train.py; then exit 1; fi\necho done\n", ""},
           Row{"python3 train.py &\npid=$!\nwait $pid\n", ""},
           Row{"python3 -c 'import torch'\necho done\n", ""},
           Row{"python3 train.py\nfi } ) esac '\"", ""},
       })
    expect(row);
}

}  // namespace
}  // namespace gate::config
