#include "extract/setup_arguments.h"

#include <gmock/gmock.h>

#include "gate/extract/extractor.h"

namespace gate::extract::setup_arguments_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::map<std::string, std::string> setup(const std::string& lines, const std::string& batch = "") {
  Extractor extractor = *Extractor::make({});
  extractor.feed(lines);
  for (int step = 1; step < 4; ++step)
    extractor.feed(" iteration " + std::to_string(step) + "/ 3 |" +
                   (batch.empty() ? "" : " global batch size: " + batch + " |") +
                   " lm loss: 1.5 | number of nan iterations: 0 |\n");
  return extractor.finish().provenance.setup;
}

TEST(SetupArguments, AreThoseOfMegatron) {
  EXPECT_THAT(
      setup("using world size: 8, data-parallel size: 2, tensor-model-parallel size: 4\n"
            "  encoder_seq_length ............ 2048\n"
            "  global_batch_size ............. 16\n"
            "  params_dtype .................. torch.bfloat16\n"
            "0: [default0]:  seq_length .................... 4096\n"
            "  inprocess_active_world_size ... 32\n"
            "  world_size .................... 8\n"),
      ElementsAre(Pair("data_parallel_size", "2"), Pair("global_batch_size", "16"),
                  Pair("precision", "bfloat16"), Pair("seq_length", "4096"), Pair("world_size", "8")));
}

TEST(SetupArguments, AreThoseOfDeepSpeedAndOfTheTrainer) {
  EXPECT_THAT(setup("[INFO] [config.py:958:print]   train_batch_size ............. 32\n"
                    "[INFO] [config.py:958:print]   world_size ................... 2\n"),
              ElementsAre(Pair("global_batch_size", "32"), Pair("world_size", "2")));
  EXPECT_THAT(setup("  Total train batch size (w. parallel, distributed & accumulation) = 192\n"),
              ElementsAre(Pair("global_batch_size", "192")));
}

TEST(SetupArguments, SayWhichPrecisionIsOn) {
  const auto precision = [](const std::string& lines) { return setup(lines)["precision"]; };
  for (const char* names : {"bf16 fp16", "bfloat16_enabled fp16_enabled"}) {
    const std::string bf16(names, std::string(names).find(' ')), fp16(names + bf16.size() + 1);
    const auto lines = [&](const char* a, const char* b) {
      return "  " + bf16 + " ............. " + a + "\n  " + fp16 + " ............. " + b + "\n";
    };
    EXPECT_EQ(precision(lines("True", "False")), "bfloat16");
    EXPECT_EQ(precision(lines("False", "True")), "float16");
    EXPECT_EQ(precision(lines("False", "False")), "float32");
    EXPECT_EQ(precision(lines("auto", "None")), "");
    EXPECT_EQ(precision(lines("True", "False") + "  params_dtype ... torch.bfloat16\n"), "bfloat16");
    EXPECT_EQ(precision(lines("False", "False") + "  params_dtype ... torch.half\n"), "float16");
  }
  EXPECT_EQ(precision("  accumulate_bf16 ... True\n  fp16_lm_cross_entropy ... True\n"), "");
}

TEST(SetupArguments, OfSeveralValuesTellAll) {
  EXPECT_THAT(setup("  world_size ... 8\n  world_size ... 8\n  world_size ... 4\n"),
              ElementsAre(Pair("world_size", "4, 8")));
}

TEST(SetupArguments, AreNumbersAndNamesOfTypes) {
  EXPECT_THAT(setup("  world_size ... 8.0\n  seq_length ... 4,096\n  params_dtype ... torch.half\n"),
              ElementsAre(Pair("precision", "float16"), Pair("seq_length", "4096"), Pair("world_size", "8")));
  EXPECT_THAT(setup("  world_size . Then\n using world size: unknown\n  params_dtype ... <class\n"),
              testing::IsEmpty());
}

TEST(SetupArguments, TakeTheBatchOfTheStepsWhereNothingElseTellsIt) {
  EXPECT_THAT(setup("", "16"), ElementsAre(Pair("global_batch_size", "16")));
  EXPECT_THAT(setup("  global_batch_size ... 32\n", "16"), ElementsAre(Pair("global_batch_size", "32")));
}

}  // namespace
}  // namespace gate::extract::setup_arguments_test
