#include "gate/launch/script_environment.h"

#include <gtest/gtest.h>

#include "gate/launch/host_facts.h"

namespace gate::launch::environment_test {
namespace {

ScriptFacts facts() {
  ScriptFacts f;
  f.case_name = "a/b";
  f.device_variable = "ASCEND_RT_VISIBLE_DEVICES";
  f.devices = 4;
  f.nodes = 2;
  f.device_list = "0,1,2,3";
  f.case_folder = "/runs/1/a/b";
  return f;
}

TEST(Environment, TellsTheShapeOfTheJob) {
  const auto env = script_environment(facts());
  EXPECT_EQ(env.at("NNODES"), "2");
  EXPECT_EQ(env.at("NPROC_PER_NODE"), "4");
  EXPECT_EQ(env.at("WORLD_SIZE"), "8");
  EXPECT_EQ(env.at("PYTHONUNBUFFERED"), "1");
  EXPECT_EQ(env.at("GATE_CASE"), "a/b");
}

TEST(Environment, SelectsDevicesInTheVendorsVariable) {
  ScriptFacts f = facts();
  EXPECT_EQ(script_environment(f).at("ASCEND_RT_VISIBLE_DEVICES"), "0,1,2,3");
  EXPECT_FALSE(script_environment(f).contains("CUDA_DEVICE_ORDER"));
  f.device_variable = "CUDA_VISIBLE_DEVICES";
  EXPECT_EQ(script_environment(f).at("CUDA_VISIBLE_DEVICES"), "0,1,2,3");
  EXPECT_EQ(script_environment(f).at("CUDA_DEVICE_ORDER"), "PCI_BUS_ID");
  f.device_list = "";
  EXPECT_EQ(script_environment(f).at("CUDA_VISIBLE_DEVICES"), "");
  f.device_variable = "";
  f.devices = 0;
  EXPECT_FALSE(script_environment(f).contains("CUDA_VISIBLE_DEVICES"));
  EXPECT_EQ(script_environment(f).at("NPROC_PER_NODE"), "1");
}

TEST(Environment, LeavesAChosenAscendLogPathAlone) {
  ScriptFacts f = facts();
  EXPECT_EQ(script_environment(f).at("ASCEND_PROCESS_LOG_PATH"), "/runs/1/a/b/ascend");
  f.has_ascend_log_path = true;
  EXPECT_FALSE(script_environment(f).contains("ASCEND_PROCESS_LOG_PATH"));
}

TEST(Host, KnowsDeviceNodesByTheirNames) {
  EXPECT_EQ(vendor_of_node("davinci0"), "ascend");
  EXPECT_EQ(vendor_of_node("davinci_manager"), "");
  EXPECT_EQ(vendor_of_node("nvidia7"), "nvidia");
  EXPECT_EQ(vendor_of_node("nvidiactl"), "");
  EXPECT_EQ(vendor_of_node("kfd"), "amd");
  EXPECT_EQ(vendor_of_node("null"), "");
}

TEST(Weaknesses, EachMissingAbilityIsSaid) {
  EXPECT_TRUE(weaknesses(Abilities{}).empty());
  EXPECT_EQ(weaknesses(Abilities{false, false, false, false}).size(), 4U);
  Abilities no_subreaper;
  no_subreaper.subreaper = false;
  ASSERT_EQ(weaknesses(no_subreaper).size(), 1U);
  EXPECT_NE(weaknesses(no_subreaper)[0].english().find("no child subreaper"), std::string::npos);
}

TEST(Weaknesses, NoneWhereTheTestsThemselvesRun) { EXPECT_TRUE(weaknesses(read_abilities()).empty()); }

}  // namespace
}  // namespace gate::launch::environment_test
