# gate init in a checkout of Megatron-LM: its cases run and are judged without an edit.
. "$(dirname "$0")/_lib"
. "$(dirname "$0")/_megatron"

mkdir mcore && cd mcore && git init -q .
megatron_tree
nvidia_host 8 'NVIDIA H100 80GB HBM3'
expect_exit 0 gate init
run gate baseline import --tree tests/functional_tests/test_cases/; cat $WORK/.last/out $WORK/.last/err >&2
run gate baseline accept --to platform --reason "goldens"; cat $WORK/.last/out $WORK/.last/err >&2
run gate list;  cat $WORK/.last/out $WORK/.last/err >&2
run gate run;  cat $WORK/.last/out $WORK/.last/err >&2
sed -n 1,60p $TORCHRUN/words >&2
