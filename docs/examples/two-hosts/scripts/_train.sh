# Sourced by the scripts of the cases.
#   train FLAG...   trains a small GPT, and leaves a line in out/where.txt
train() {
  mkdir -p out
  echo "node $NODE_RANK of $NNODES ran on $(uname -n)" >out/where.txt
  "${TINYGPT:-tinygpt}" --steps 20 "$@"
}
