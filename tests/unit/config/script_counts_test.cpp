#include "gate/config/script_counts.h"

#include <gmock/gmock.h>

namespace gate::config::script_counts_test {
namespace {

// Return `DEVICES x NODES`, `-` for what is not told.
std::string told(std::string_view script) {
  const auto word = [](std::optional<int> count) { return count ? std::to_string(*count) : "-"; };
  const ScriptCounts counts = read_script_counts(script);
  return word(counts.devices) + " x " + word(counts.nodes);
}

TEST(ScriptCounts, AreNumbersAsTheyAreWritten) {
  EXPECT_EQ(told("#!/bin/bash\nNPUS_PER_NODE=8\nNNODES=1\n"), "8 x 1");
  EXPECT_EQ(told("export GPUS_PER_NODE=\"4\"; NNODES='2'"), "4 x 2");
  EXPECT_EQ(told("torchrun --nproc_per_node 8 --nnodes=1 a.py"), "8 x 1");
  EXPECT_EQ(told("torchrun --nproc-per-node=2 a.py"), "2 x -");
  EXPECT_EQ(told("NPROC_PER_NODE=16 bash b.sh"), "16 x -");
}

TEST(ScriptCounts, APort) {
  EXPECT_EQ(read_script_counts("MASTER_PORT=6001\n").port, 6001);
  EXPECT_EQ(read_script_counts("torchrun --master_port 29511 a.py").port, 29511);
  EXPECT_EQ(read_script_counts("MASTER_PORT=6001\nARGS=\"--master_port $MASTER_PORT\"").port, 6001);
  EXPECT_EQ(read_script_counts("MASTER_PORT=${MASTER_PORT:-6000}").port, std::nullopt);
  EXPECT_EQ(read_script_counts("MASTER_PORT=6000\nMASTER_PORT=6001").port, std::nullopt);
  EXPECT_EQ(read_script_counts("MASTER_PORT=70000").port, std::nullopt);
}

TEST(ScriptCounts, OfAVariableThatAFlagRepeatsCountOnce) {
  EXPECT_EQ(told("NPUS_PER_NODE=8\nWORLD_SIZE=$(($NPUS_PER_NODE*$NNODES))\n"
                 "ARGS=\"\n    --nproc_per_node $NPUS_PER_NODE \\\n\"\n"),
            "8 x -");
}

TEST(ScriptCounts, MayComeFromTheWorld) {
  EXPECT_EQ(told("WORLD_SIZE=16\nNNODES=2"), "8 x 2");
  EXPECT_EQ(told("WORLD_SIZE=8"), "8 x -");
  EXPECT_EQ(told("WORLD_SIZE=9\nNNODES=2"), "- x 2");
  EXPECT_EQ(told("WORLD_SIZE=16\nNNODES=$N"), "- x -");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=15\nNNODES=2").unclear,
            "WORLD_SIZE=15 is no multiple of NNODES=2");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=16\nNNODES=$N").unclear, "NNODES=$N is no number");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=15\nNNODES=2").unclear.in(Language::chinese),
            "WORLD_SIZE=15 不是 NNODES=2 的倍数");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=$W\nNNODES=2").unclear, "WORLD_SIZE=$W is no number");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=8\nWORLD_SIZE=16").unclear,
            "several numbers for WORLD_SIZE are given: 8, 16");
  EXPECT_EQ(read_script_counts("WORLD_SIZE=8").unclear, "");
}

TEST(ScriptCounts, AreUnclearWhereTheyAreComputedOrSeveral) {
  EXPECT_EQ(told("GPUS_PER_NODE=$(nproc)"), "- x -");
  EXPECT_EQ(told("NPUS_PER_NODE=${NPUS_PER_NODE:-8}\ntorchrun --nproc_per_node 8 a.py"), "- x -");
  EXPECT_EQ(told("NPUS_PER_NODE=8\nNPUS_PER_NODE=4"), "- x -");
  for (const char* value : {"0", "-1", "8x", "99999999999999999999", "4097", ""})
    EXPECT_EQ(told("NPUS_PER_NODE=" + std::string(value)), "- x -") << value;
  EXPECT_EQ(read_script_counts("NPUS_PER_NODE=8\nNPROC_PER_NODE=4").unclear,
            "several numbers of devices are given: 4, 8");
  EXPECT_EQ(read_script_counts("GPUS_PER_NODE=$N").unclear, "GPUS_PER_NODE=$N is no number");
  EXPECT_EQ(read_script_counts("python a.py").unclear, "no number of devices is given");
}

// `8 4 16(N)`: 16 is the default of N.
std::string given(const std::string& script) {
  std::string all;
  for (const GivenCount& one : read_script_counts(script).all_devices)
    all += (all.empty() ? "" : " ") + std::to_string(one.number) +
           (one.variable.empty() ? "" : "(" + one.variable + ")");
  return all;
}

TEST(ScriptCounts, AllThatAreGiven) {
  EXPECT_EQ(given("NPUS_PER_NODE=8\ntorchrun --nproc_per_node 4 a.py"), "8 4");
  EXPECT_EQ(given("NPUS_PER_NODE=8\ntorchrun --nproc_per_node $NPUS_PER_NODE a.py"), "8");
  EXPECT_EQ(given("torchrun --nproc_per_node ${N:-16} a.py"), "16(N)");
  EXPECT_EQ(given("N=${N:-16}\ntorchrun --nproc_per_node=$N a.py"), "16(N)");
  EXPECT_EQ(given("N=4\ntorchrun --nproc_per_node \"${N}\" a.py"), "4");
  EXPECT_EQ(given("NPUS_PER_NODE=${NPUS_PER_NODE:-8}\nGPUS_PER_NODE=${WORLD_SIZE:-8}"), "")
      << "gate sets them";
  EXPECT_EQ(given("A=$B\nB=$A\ntorchrun --nproc_per_node $A a.py"), "");
  EXPECT_EQ(given("WORLD_SIZE=16\nNNODES=2"), "8");
}

TEST(ScriptCounts, AreNotReadFromComments) {
  EXPECT_EQ(told("# NPUS_PER_NODE=8\nNPUS_PER_NODE=4 # NPUS_PER_NODE=2"), "4 x -");
  EXPECT_EQ(told("MY_NPUS_PER_NODE=8"), "- x -");
}

}  // namespace
}  // namespace gate::config::script_counts_test
